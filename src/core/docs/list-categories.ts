/**
 * A list of categories with counts, and what they count together. Pure apart from the reader's I/O.
 */
import type { TopicCounts } from "../format/category-entry.ts";
import { compareNames } from "../text/compare-names.ts";
import { type CategoryTable, countMembers } from "./read-categories.ts";
import type { Category } from "./taxonomy-model.ts";

/** What categories can be sorted by. */
export const CATEGORY_ORDERS = ["name", "popularity", "document_count", "chunk_count", "concept_count"] as const;
export type CategoryOrder = (typeof CATEGORY_ORDERS)[number];

/** Counts over some categories. */
export interface AggregateStats {
  readonly totalDocuments: number;
  readonly totalChunks: number;
  readonly totalConcepts: number;
  readonly averageDocsPerCategory: number;
  readonly averageChunksPerCategory: number;
  readonly mostPopularCategory: string | null;
  readonly leastPopularCategory: string | null;
}

/** Categories whose name holds a text, in an order, with counts over all of them. No wave, or one. */
export async function listCategories(
  table: CategoryTable,
  order: CategoryOrder,
  filter: string,
): Promise<{ readonly categories: readonly Category[]; readonly stats: AggregateStats }> {
  const wanted = filter.toLowerCase();
  const categories = table.list.filter(({ name }) => name.toLowerCase().includes(wanted)).sort(comparerOf(order));
  const isAll = categories.length === table.list.length;
  const ids = categories.map(({ id }) => id);
  const counts = isAll ? table.totals : countMembers((await table.members(ids)).flat());
  return { categories, stats: describe(categories, counts) };
}

function comparerOf(order: CategoryOrder): (a: Category, b: Category) => number {
  const read = READERS[order];
  const byName = (a: Category, b: Category): number => compareNames(a.name, b.name) || compareNames(a.id, b.id);
  return (a, b) => read(b) - read(a) || byName(a, b);
}

const READERS: Readonly<Record<CategoryOrder, (category: Category) => number>> = {
  name: () => 0,
  popularity: ({ own }) => own.documents,
  document_count: ({ own }) => own.documents,
  chunk_count: ({ own }) => own.chunks,
  concept_count: ({ own }) => own.concepts,
};

function describe(categories: readonly Category[], counts: TopicCounts): AggregateStats {
  const popular = [...categories].sort(comparerOf("popularity"));
  const least = popular.at(-1)?.own.documents;
  const average = (read: (category: Category) => number): number =>
    oneDecimal(
      categories.reduce((sum, category) => sum + read(category), 0),
      categories.length,
    );
  return {
    totalDocuments: counts.documents,
    totalChunks: counts.chunks,
    totalConcepts: counts.concepts,
    averageDocsPerCategory: average(({ own }) => own.documents),
    averageChunksPerCategory: average(({ own }) => own.chunks),
    mostPopularCategory: popular[0]?.name ?? null,
    // Ties go by name here as there.
    leastPopularCategory: popular.find(({ own }) => own.documents === least)?.name ?? null,
  };
}

/** A quotient with one decimal; 0 where there is nothing to divide by. */
export function oneDecimal(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((10 * sum) / count) / 10;
}
