/**
 * Counts of categories: documents, sections and concepts of each, directly and with all that its descendants hold, every
 * document and concept once. Pure.
 */
import type { TopicCounts } from "../../src/core/format/topics.ts";

/** What is counted. Categories, documents and concepts by their indexes. */
export interface CountedTopics {
  /** Of each category the one above, or -1. There are no cycles. */
  readonly parents: readonly number[];
  /** Of each document the categories that it is directly in, each once. */
  readonly memberships: readonly (readonly number[])[];
  /** Of each document its sections. */
  readonly chunks: readonly number[];
  /** Of each document its concepts, each once. */
  readonly concepts: readonly (readonly number[])[];
}

/** Counts of categories. */
export interface CountedCategories {
  /** Of each category what is directly in it. */
  readonly own: readonly TopicCounts[];
  /** Of each category what is in it or a descendant. */
  readonly all: readonly TopicCounts[];
  /** Of all categories together. */
  readonly total: TopicCounts;
}

interface Counts {
  documents: number;
  chunks: number;
  concepts: number;
}

/** Count what is in categories. */
export function countTopics({ parents, memberships, chunks, concepts }: CountedTopics): CountedCategories {
  const closures = memberships.map((own) => closureOf(own, parents));
  const count = (categories: readonly (readonly number[])[]): Counts[] => {
    const counts = parents.map((): Counts => ({ documents: 0, chunks: 0, concepts: 0 }));
    for (const [document, list] of categories.entries()) {
      for (const category of list) {
        const found = counts[category] as Counts;
        found.documents++;
        found.chunks += chunks[document] as number;
      }
    }
    for (const category of distinctConcepts(categories, concepts)) (counts[category] as Counts).concepts++;
    return counts;
  };
  const placed = memberships.map((own) => (own.length === 0 ? [] : [0]));
  const together = placed.map((list, at) => (list.length === 0 ? [] : (concepts[at] as readonly number[])));
  return {
    own: count(memberships),
    all: count(closures),
    total: {
      documents: placed.filter(({ length }) => length > 0).length,
      chunks: placed.reduce((sum, { length }, at) => sum + (length > 0 ? (chunks[at] as number) : 0), 0),
      concepts: new Set(together.flat()).size,
    },
  };
}

/** Categories and all above them, each once. */
function closureOf(own: readonly number[], parents: readonly number[]): number[] {
  const found = new Set<number>();
  for (const category of own) {
    for (let at = category; at >= 0 && !found.has(at); at = parents[at] as number) found.add(at);
  }
  return [...found];
}

/** For each concept of a category that category, as often as it has concepts. Sorted pairs take less than sets. */
function* distinctConcepts(
  categories: readonly (readonly number[])[],
  concepts: readonly (readonly number[])[],
): Generator<number> {
  let size = 0;
  for (const [at, list] of categories.entries()) size += list.length * (concepts[at] as readonly number[]).length;
  const pairs = new Float64Array(size);
  let next = 0;
  for (const [at, list] of categories.entries()) {
    for (const category of list) {
      for (const concept of concepts[at] as readonly number[]) pairs[next++] = category * 2 ** 26 + concept;
    }
  }
  pairs.sort();
  for (let at = 0; at < size; at++) if (pairs[at] !== pairs[at - 1]) yield Math.floor((pairs[at] as number) / 2 ** 26);
}
