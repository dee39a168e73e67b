/**
 * What is in a category, and in its descendants where that is asked for: documents, concepts and sections, each once. Pure
 * apart from the reader's I/O.
 */
import type { CategoryMembers, MemberDocument, TopicCounts } from "../format/category-entry.ts";
import type { ConceptEntry } from "../format/concept-entry.ts";
import { compareNames } from "../text/compare-names.ts";
import { conceptIdOf } from "./concept-key.ts";
import { type CategoryTable, listBelow } from "./read-categories.ts";
import type { Category, TopicChunk, TopicConcept } from "./taxonomy-model.ts";

/** What is in a category. */
export interface CategoryContent {
  readonly counts: TopicCounts;
  /** Categories below it, where these were asked for. */
  readonly below: readonly Category[];
  /** By number of sections, the most first, then by path. */
  readonly documents: readonly MemberDocument[];
  /** By weight, then by name. */
  readonly concepts: readonly TopicConcept[];
  /** By density, then by id; the first of each category. */
  readonly chunks: readonly TopicChunk[];
}

/** Read what is in a category. No wave, or one. */
export async function readContent(
  table: CategoryTable,
  category: Category,
  includeChildren: boolean,
): Promise<CategoryContent> {
  const below = includeChildren ? listBelow(category) : [];
  const categories = [category, ...below];
  const members = await table.members(categories.map(({ id }) => id));
  const named = members.flatMap((groups, at) => groups.map((own) => ({ own, category: categories[at] as Category })));
  return {
    counts: includeChildren ? category.all : category.own,
    below,
    documents: joinDocuments(members.flat()),
    concepts: joinConcepts(named),
    chunks: joinChunks(members.flat()),
  };
}

/**
 * Sections of some documents that hold a concept, each once.
 *
 * Categories count each its own, so that over several of them a document may count more often. The concept's places say better,
 * unless it has more documents than they list; then no more are counted than there are.
 *
 * @param whole The concept as all documents that the caller may see have it.
 */
export function countSections(
  { chunks }: Pick<TopicConcept, "chunks">,
  whole: Pick<ConceptEntry, "documents" | "chunks" | "places"> | undefined,
  documents: ReadonlySet<string>,
): number {
  if (whole === undefined) return chunks;
  if (whole.places.length < whole.documents) return Math.min(chunks, whole.chunks);
  return whole.places.reduce((sum, { documentId, sections }) => sum + (documents.has(documentId) ? sections : 0), 0);
}

function joinDocuments(members: readonly CategoryMembers[]): MemberDocument[] {
  const [only] = members;
  if (only !== undefined && members.length === 1) return [...only.documents];
  const documents = new Map(members.flatMap(({ documents: own }) => own.map((document) => [document.id, document])));
  const pathOf = (id: string): string => id.slice(id.indexOf(":") + 1);
  return [...documents.values()].sort(
    (a, b) => b.sections - a.sections || compareNames(pathOf(a.id), pathOf(b.id)) || compareNames(a.id, b.id),
  );
}

/** Concepts of several categories, each as the one has it in which it weighs most. */
function joinConcepts(
  members: readonly { readonly own: CategoryMembers; readonly category: Category }[],
): readonly TopicConcept[] {
  const found = new Map<string, TopicConcept>();
  for (const { own, category } of members) {
    for (const concept of own.concepts) {
      const id = conceptIdOf(concept);
      const related = concept.related.map((at) => own.concepts[at]?.name ?? "");
      const now: TopicConcept = { ...concept, id, related, category: category.name };
      const known = found.get(id);
      found.set(id, known === undefined ? now : joinConcept(known, now));
    }
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight || compareNames(a.name, b.name));
}

function joinConcept(a: TopicConcept, b: TopicConcept): TopicConcept {
  const best = b.weight > a.weight ? b : a;
  // Each category counts its own documents and sections; over all of a group every one counts alike.
  return {
    ...best,
    documents: a.documents + b.documents,
    totalDocuments: Math.max(a.totalDocuments, b.totalDocuments),
    chunks: a.chunks + b.chunks,
  };
}

function joinChunks(members: readonly CategoryMembers[]): TopicChunk[] {
  const lists = members.map(({ documents, concepts, chunks }) =>
    chunks.map(({ document, section, density, concepts: own }): TopicChunk => {
      const documentId = documents[document]?.id ?? "";
      return { documentId, section, density, concepts: own.map((at) => concepts[at]?.name ?? "") };
    }),
  );
  if (lists.length === 1) return lists[0] as TopicChunk[];
  const found = new Map<string, TopicChunk>();
  for (const chunk of lists.flat()) {
    const key = `${chunk.documentId}#${chunk.section}`;
    if (!found.has(key)) found.set(key, chunk);
  }
  // Sections of one document come in the order of their ids already, and sorting is stable.
  return [...found.values()].sort((a, b) => b.density - a.density || compareNames(a.documentId, b.documentId));
}
