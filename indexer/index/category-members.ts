/**
 * What is directly in a category: its documents, the concepts that set it apart, the sections that say most about them. Pure.
 */

import { joinSlugs, makeNodeId } from "../../src/core/docs/node-id.ts";
import type { CategoryMembers, MemberChunk, MemberConcept, MemberDocument } from "../../src/core/format/topics.ts";
import { compareNames } from "../../src/core/text/names.ts";
import type { SectionRow } from "../link/links.ts";
import { type ChosenConcepts, type Concept, type DocumentConcept, weightOf } from "../topics/choose-concepts.ts";

/** A document as far as its topics go. */
export interface TopicDocument {
  readonly id: string;
  readonly path: string;
  /** Number of its sections. */
  readonly sections: number;
  /** Those; read each time. */
  readonly rows: () => readonly SectionRow[];
}

/** What is known of a whole group. */
export interface TopicFacts {
  readonly documents: readonly TopicDocument[];
  readonly chosen: ChosenConcepts;
  /** Of each concept those near it, the nearest first. */
  readonly related: readonly (readonly number[])[];
  /** Of each concept the documents that have it. */
  readonly documentCounts: Uint32Array;
}

/** Of a category of more concepts, these are kept. */
const MAX_CONCEPTS = 2_000;
/** The longest list of sections that anybody may ask for. */
const MAX_CHUNKS = 100;
const MAX_RELATED = 3;
const MAX_DENSITY = 10;
/** Score of a category's concept at which its weight is one half. */
const HALF_SCORE = 30;
/** How much it counts that a concept is rare elsewhere. */
const SHARE_POWER = 0.6;
/** A concept of one document counts less than one that several share: n ÷ (n + this). */
const LONELINESS = 0.6;

/** What is in a category. @param members Indexes of its documents. */
export function listMembers(members: readonly number[], facts: TopicFacts): CategoryMembers {
  const documents = [...members].sort((a, b) => compareDocuments(facts.documents[a], facts.documents[b]));
  const concepts = rateConcepts(documents, facts);
  const places = new Map(concepts.map(({ concept }, at) => [concept, at]));
  return {
    documents: documents.map((at): MemberDocument => {
      const { id, sections } = facts.documents[at] as TopicDocument;
      return { id, sections };
    }),
    concepts: concepts.map(({ concept, weight, documents: own, chunks }): MemberConcept => {
      const { name, type } = facts.chosen.concepts[concept] as Concept;
      return {
        name,
        type,
        weight,
        documents: own,
        totalDocuments: facts.documentCounts[concept] as number,
        chunks,
        related: (facts.related[concept] ?? []).flatMap((other) => places.get(other) ?? []).slice(0, MAX_RELATED),
      };
    }),
    chunks: listChunks(documents, places, facts),
  };
}

function compareDocuments(a: TopicDocument | undefined, b: TopicDocument | undefined): number {
  if (a === undefined || b === undefined) return 0;
  return b.sections - a.sections || compareNames(a.path, b.path) || compareNames(a.id, b.id);
}

interface RatedConcept {
  readonly concept: number;
  readonly documents: number;
  readonly chunks: number;
  readonly weight: number;
}

/** The concepts of a category, those that set it apart first: many of its documents have them, few others do. */
function rateConcepts(documents: readonly number[], { chosen, documentCounts }: TopicFacts): RatedConcept[] {
  const sums = new Map<number, { documents: number; chunks: number; score: number }>();
  for (const at of documents) {
    for (const { concept, score, uses } of chosen.ofDocument[at] ?? []) {
      const sum = sums.get(concept) ?? { documents: 0, chunks: 0, score: 0 };
      sum.documents++;
      sum.chunks += uses.length;
      sum.score += score;
      sums.set(concept, sum);
    }
  }
  const nameOf = (concept: number): string => chosen.concepts[concept]?.name ?? "";
  return [...sums]
    .map(([concept, { documents: own, chunks, score }]): RatedConcept => {
      const share = own / (documentCounts[concept] as number);
      const support = (Math.log2(1 + own) * own) / (own + LONELINESS);
      return {
        concept,
        documents: own,
        chunks,
        weight: weightOf((score / own) * support * share ** SHARE_POWER, HALF_SCORE),
      };
    })
    .sort((a, b) => b.weight - a.weight || compareNames(nameOf(a.concept), nameOf(b.concept)))
    .slice(0, MAX_CONCEPTS);
}

interface RatedChunk {
  readonly chunk: MemberChunk;
  /** Index of its document. */
  readonly at: number;
}

/** Sections in which most of the words are concepts, then those without any. */
function listChunks(
  documents: readonly number[],
  places: ReadonlyMap<number, number>,
  facts: TopicFacts,
): MemberChunk[] {
  const found = documents.flatMap((at, place) => {
    if ((facts.chosen.ofDocument[at] ?? []).length === 0) return [];
    return rateSections({ at, place }, places, facts).filter(({ chunk }) => chunk.density > 0);
  });
  found.sort((a, b) => b.chunk.density - a.chunk.density);
  if (found.length < MAX_CHUNKS) found.push(...listBare(documents, places, facts, MAX_CHUNKS - found.length));
  // Ids are made for those alone that may be shown.
  const least = found[MAX_CHUNKS - 1]?.chunk.density ?? 0;
  const close = found.filter(({ chunk }) => chunk.density >= least);
  const idsOf = new Map<number, readonly string[]>();
  const idOf = (at: number, section: number): string => {
    const ids = idsOf.get(at) ?? nodeIdsOf(facts.documents[at] as TopicDocument);
    idsOf.set(at, ids);
    return ids[section] ?? "";
  };
  return close
    .map(({ chunk, at }) => ({ chunk, id: idOf(at, chunk.section) }))
    .sort((a, b) => b.chunk.density - a.chunk.density || compareNames(a.id, b.id))
    .slice(0, MAX_CHUNKS)
    .map(({ chunk }) => chunk);
}

/** Sections of density 0, at least as many as are needed: of further documents none is read. */
function listBare(
  documents: readonly number[],
  places: ReadonlyMap<number, number>,
  facts: TopicFacts,
  needed: number,
): RatedChunk[] {
  const ordered = documents
    .map((at, place) => ({ at, place, id: facts.documents[at]?.id ?? "" }))
    .sort((a, b) => compareNames(a.id, b.id));
  const bare: RatedChunk[] = [];
  for (const document of ordered) {
    if (bare.length >= needed) break;
    bare.push(...rateSections(document, places, facts).filter(({ chunk }) => chunk.density === 0));
  }
  return bare;
}

/** All sections of a document. @param document Its index and its place in the category. */
function rateSections(
  { at, place }: { readonly at: number; readonly place: number },
  places: ReadonlyMap<number, number>,
  { documents, chosen }: TopicFacts,
): RatedChunk[] {
  const counts = countUses(chosen.ofDocument[at] ?? [], places);
  return (documents[at] as TopicDocument).rows().map(([, , , , , , , words], section): RatedChunk => {
    const { uses, concepts } = counts.get(section) ?? { uses: 0, concepts: [] };
    const density = words === 0 ? 0 : Math.min(MAX_DENSITY, Math.round((100 * uses) / words) / 100);
    return { chunk: { document: place, section, density, concepts }, at };
  });
}

function countUses(
  own: readonly DocumentConcept[],
  places: ReadonlyMap<number, number>,
): Map<number, { uses: number; concepts: number[] }> {
  const counts = new Map<number, { uses: number; concepts: number[] }>();
  for (const { concept, uses } of own) {
    const place = places.get(concept);
    for (const { section, count } of uses) {
      const found = counts.get(section) ?? { uses: 0, concepts: [] };
      counts.set(section, found);
      found.uses += count;
      if (place !== undefined) found.concepts.push(place);
    }
  }
  for (const { concepts } of counts.values()) concepts.sort((a, b) => a - b);
  return counts;
}

/** Ids of a document's sections. */
function nodeIdsOf({ id, path, rows }: TopicDocument): string[] {
  const slugPaths: string[] = [];
  return rows().map(([, , parent, slug], ordinal) => {
    const above = parent > 0 ? [slugPaths[parent] as string] : [];
    slugPaths.push(ordinal === 0 ? "" : joinSlugs(path, [...above, slug]));
    return makeNodeId(id, slugPaths[ordinal] as string);
  });
}
