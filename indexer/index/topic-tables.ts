/**
 * Categories and concepts of one access group: entries of the tables `categories` and `concepts`.
 *
 * Keys are names and ids; values name documents by their ids and sections by their ordinals. So an entry does not depend on how many
 * others there are, and a newer level holds few of them.
 */
import { makeDocumentId } from "../../src/core/docs/node-id.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { keyOfId } from "../../src/core/format/columns.ts";
import {
  type CategoryMembers,
  type ConceptPlace,
  encodeCategory,
  encodeConcept,
  encodeCounts,
  encodeMembers,
  encodeTopics,
  MAX_LISTED_CONCEPTS,
  type MemberChunk,
  type MemberConcept,
  type MemberDocument,
  TOTALS_KEY,
  type TopicCounts,
} from "../../src/core/format/topics.ts";
import { compareNames } from "../../src/core/text/names.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { GlossaryEntry, WrittenCategories } from "../config/topic-files.ts";
import type { GroupCode } from "../link/code/link-code.ts";
import { collectCategories, countTopics } from "../topics/categories.ts";
import { type ChosenConcepts, chooseConcepts, findRelated, weightOf } from "../topics/choose-concepts.ts";
import type { DocumentWords } from "../topics/concept-uses.ts";
import type { ConceptCandidate } from "../topics/find-candidates.ts";
import type { DocumentCard } from "./prepared-document.ts";

interface TopicsInput {
  readonly collections: readonly CollectionConfig[];
  /** In the order of their collections. */
  readonly documents: readonly {
    readonly card: DocumentCard;
    readonly loadCandidates: () => readonly ConceptCandidate[];
    readonly loadWords: () => DocumentWords;
  }[];
  readonly code: GroupCode;
  readonly glossary: readonly GlossaryEntry[];
  readonly written: WrittenCategories;
  /** Whether categories that no document is in are shown: what other groups hold is not for this one's readers. */
  readonly showsEmpty: boolean;
}

interface GroupTopics {
  readonly categories: readonly TableEntry[];
  readonly concepts: readonly TableEntry[];
  /** About the file that categories are written down in. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Documents that a concept lists: all but of very common ones. All of them count. */
const MAX_PLACES = 1_000;
const MAX_RELATED = 5;
/** What frontmatter says a page's categories in. */
const NAMING_KEYS = ["category", "categories", "tags", "type"];

export function makeTopics(input: TopicsInput): GroupTopics {
  const files = new Map(input.code.files.map((file) => [file.id, file]));
  const documents = input.documents.map(({ card }) => toTopicDocument(card, collectionOf(card, input).name, files));
  const collected = collectCategories(
    input.written,
    input.documents.map(({ card }, at) => ({
      collection: collectionOf(card, input).name,
      path: card.path,
      description: card.description,
      names: namesOf(card),
      package: documents[at]?.package ?? "",
    })),
  );
  const chosen = chooseConcepts(
    input.documents.map(({ card, loadCandidates, loadWords }, at) => ({
      candidates: loadCandidates,
      words: loadWords,
      sections: documents[at]?.sections ?? 0,
      acronyms: card.acronyms,
      language: collectionOf(card, input).language,
      symbols: documents[at]?.symbols ?? [],
    })),
    input.glossary,
  );
  const facts: TopicFacts = { documents, collected, chosen, related: findRelated(chosen) };
  return {
    categories: categoryEntries(facts, input.showsEmpty),
    concepts: [...conceptEntries(facts), ...topicEntries(facts)],
    diagnostics: collected.diagnostics,
  };
}

function collectionOf({ collection }: DocumentCard, { collections }: TopicsInput): CollectionConfig {
  return collections[collection] as CollectionConfig;
}

interface TopicDocument {
  readonly id: string;
  readonly path: string;
  readonly sections: number;
  readonly package: string;
  /** Those that it exports, the most important first. */
  readonly symbols: readonly { readonly name: string; readonly section: number }[];
  readonly preview: string;
}

type Concept = ChosenConcepts["concepts"][number];

interface TopicFacts {
  readonly documents: readonly TopicDocument[];
  readonly collected: ReturnType<typeof collectCategories>;
  readonly chosen: ChosenConcepts;
  /** Of each concept those near it, the nearest first. */
  readonly related: readonly (readonly number[])[];
}

function toTopicDocument(
  card: DocumentCard,
  collection: string,
  files: ReadonlyMap<string, GroupCode["files"][number]>,
): TopicDocument {
  const id = makeDocumentId(collection, card.path);
  const file = card.isSource ? files.get(id) : undefined;
  const symbols = (file?.symbols ?? [])
    .filter(({ flags, parent }) => parent === -1 && flags.includes("exported") && !flags.includes("inner"))
    .sort((a, b) => b.rank - a.rank || compareNames(a.path, b.path))
    .map(({ name, section }) => ({ name, section }));
  return {
    id,
    path: card.path,
    sections: card.sections.length,
    package: file?.package ?? "",
    symbols,
    preview: card.preview,
  };
}

/** What a page's frontmatter calls its categories: lists, or one text, of tags with commas between them. */
function namesOf({ meta }: DocumentCard): string[] {
  return NAMING_KEYS.flatMap((key) => {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined;
    const list = Array.isArray(value) ? value : [value];
    return list.flatMap((entry: unknown) => {
      if (typeof entry === "number" || typeof entry === "boolean") return [String(entry)];
      if (typeof entry !== "string") return [];
      return key === "tags" ? entry.split(",") : [entry];
    });
  });
}

function categoryEntries(facts: TopicFacts, showsEmpty: boolean): TableEntry[] {
  const { documents, chosen } = facts;
  const { categories, ofDocument } = facts.collected;
  const index = new Map(categories.map((category, at) => [category, at]));
  const parents = categories.map(({ parent }) => (parent === undefined ? -1 : (index.get(parent) as number)));
  const memberships = ofDocument.map((own) => own.map((category) => index.get(category) as number));
  const { own, all, total } = countTopics({
    parents,
    memberships,
    chunks: documents.map(({ sections }) => sections),
    concepts: chosen.ofDocument.map(({ list }) => list().map(({ concept }) => concept)),
  });
  const membersOf: number[][] = categories.map(() => []);
  for (const [document, list] of memberships.entries())
    for (const category of list) membersOf[category]?.push(document);
  const isShown = (at: number): boolean => showsEmpty || (all[at] as TopicCounts).documents > 0;
  return [
    { key: TOTALS_KEY, value: encodeCounts(total) },
    ...categories.flatMap((category, at): TableEntry[] => {
      if (!isShown(at)) return [];
      const members: CategoryMembers = listMembers(membersOf[at] ?? [], facts);
      const entry = {
        id: category.id,
        name: category.name,
        description: category.description,
        parent: category.parent?.id ?? "",
        aliases: category.aliases,
        sources: [...category.sources],
        related: category.related.filter((other) => isShown(index.get(other) as number)).map(({ id }) => id),
        own: own[at] as TopicCounts,
        all: all[at] as TopicCounts,
      };
      const isEmpty = members.documents.length === 0;
      return [
        { key: keyOfId("category", category.id), value: encodeCategory(entry) },
        ...(isEmpty ? [] : [{ key: keyOfId("members", category.id), value: encodeMembers(members) }]),
      ];
    }),
  ];
}

function conceptEntries({ documents, chosen, related }: TopicFacts): TableEntry[] {
  const { concepts, ofDocument } = chosen;
  const places: ConceptPlace[][] = concepts.map(() => []);
  for (const [at, { list, leading }] of ofDocument.entries()) {
    const { id } = documents[at] as TopicDocument;
    for (const [place, { concept, score, uses, best }] of list().entries()) {
      // What a document only mentions says little: coarse weights are stored in fewer bytes.
      const weight = place < leading ? weightOf(score) : Math.ceil(10 * weightOf(score)) / 10;
      places[concept]?.push({ documentId: id, weight, sections: uses.length, section: best });
    }
  }
  return concepts.flatMap((concept, at): TableEntry[] => {
    const own = places[at] as ConceptPlace[];
    if (own.length === 0) return [];
    const value = encodeConcept({
      name: concept.name,
      type: concept.type,
      weight: concept.weight,
      documents: concept.documents,
      chunks: own.reduce((sum, { sections }) => sum + sections, 0),
      related: (related[at] ?? []).slice(0, MAX_RELATED).map((other) => concepts[other]?.name ?? ""),
      places: own
        .sort((a, b) => b.weight - a.weight || compareNames(a.documentId, b.documentId))
        .slice(0, MAX_PLACES)
        .sort((a, b) => compareNames(a.documentId, b.documentId)),
    });
    // What it is called otherwise leads to it without another look-up.
    return [concept.key, ...concept.aliases].map((key) => ({ key: keyOfId("concept", key), value }));
  });
}

function topicEntries({ documents, collected, chosen }: TopicFacts): TableEntry[] {
  return documents.map(({ id, preview }, at) => {
    const { list, leading } = chosen.ofDocument[at] as ChosenConcepts["ofDocument"][number];
    const held = list();
    const value = encodeTopics({
      preview,
      categories: (collected.ofDocument[at] ?? []).map((category) => category.id),
      held: held.length,
      concepts: held
        .slice(0, leading)
        .map(({ concept, score, uses }) => {
          const { name, type } = chosen.concepts[concept] as Concept;
          return { name, type, weight: weightOf(score), sections: uses.length };
        })
        .sort((a, b) => b.weight - a.weight || compareNames(a.name, b.name)),
    });
    return { key: keyOfId("topics", id), value };
  });
}

/** The longest list of sections that anybody may ask for. */
const MAX_CHUNKS = 100;
const MAX_MEMBER_RELATED = 3;
/** Score of a category's concept at which its weight is one half. */
const HALF_SCORE = 30;
/** How much it counts that a concept is rare elsewhere. */
const SHARE_POWER = 0.6;
/** A concept of one document counts less than one that several share: n ÷ (n + this). */
const LONELINESS = 0.6;

/** What is in a category. @param members Indexes of its documents. */
function listMembers(members: readonly number[], facts: TopicFacts): CategoryMembers {
  const documents = [...members].sort((a, b) => compareDocuments(facts.documents[a], facts.documents[b]));
  const concepts = rateConcepts(documents, facts);
  const positions = new Map(concepts.map(({ concept }, at) => [concept, at]));
  return {
    documents: documents.map((at): MemberDocument => {
      const { id, sections } = facts.documents[at] as TopicDocument;
      return { id, sections };
    }),
    concepts: concepts.map(({ concept, relevance, documents: own, chunks }): MemberConcept => {
      const { name, type, weight, documents: totalDocuments } = facts.chosen.concepts[concept] as Concept;
      return {
        ...{ name, type, weight, relevance, totalDocuments, chunks },
        documents: own,
        related: (facts.related[concept] ?? [])
          .flatMap((other) => positions.get(other) ?? [])
          .slice(0, MAX_MEMBER_RELATED),
      };
    }),
    chunks: listChunks(documents, positions, facts),
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
  readonly relevance: number;
}

/** The concepts of a category, those that set it apart first: many of its documents have them, few others do. */
function rateConcepts(documents: readonly number[], { chosen }: TopicFacts): RatedConcept[] {
  const sums = new Map<number, { documents: number; chunks: number; score: number }>();
  for (const at of documents) {
    for (const { concept, score, uses } of chosen.ofDocument[at]?.list() ?? []) {
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
      const share = own / (chosen.concepts[concept] as Concept).documents;
      const support = (Math.log2(1 + own) * own) / (own + LONELINESS);
      return {
        concept,
        documents: own,
        chunks,
        relevance: weightOf((score / own) * support * share ** SHARE_POWER, HALF_SCORE),
      };
    })
    .sort((a, b) => b.relevance - a.relevance || compareNames(nameOf(a.concept), nameOf(b.concept)))
    .slice(0, MAX_LISTED_CONCEPTS);
}

/** Sections in which most of the words are concepts, then those without any; equal ones by document, as they stand in it. */
function listChunks(
  members: readonly number[],
  positions: ReadonlyMap<number, number>,
  { documents, chosen }: TopicFacts,
): MemberChunk[] {
  const ordered = [...members.entries()].sort(([, a], [, b]) =>
    compareNames(documents[a]?.id ?? "", documents[b]?.id ?? ""),
  );
  const telling: MemberChunk[] = [];
  const bare: MemberChunk[] = [];
  for (const [position, at] of ordered) {
    const { list, densities } = chosen.ofDocument[at] as ChosenConcepts["ofDocument"][number];
    const isTelling = densities.some((density) => density > 0);
    if (!isTelling && bare.length >= MAX_CHUNKS) continue;
    const concepts: number[][] = Array.from(densities, () => []);
    for (const { concept, uses } of list()) {
      const place = positions.get(concept);
      if (place !== undefined) for (const { section } of uses) concepts[section]?.push(place);
    }
    for (const [section, share] of densities.entries()) {
      const own = concepts[section] ?? [];
      const chunk = { document: position, section, density: share / 100, concepts: own.sort((a, b) => a - b) };
      if (share > 0) telling.push(chunk);
      else if (bare.length < MAX_CHUNKS) bare.push(chunk);
    }
  }
  telling.sort((a, b) => b.density - a.density);
  return [...telling, ...bare].slice(0, MAX_CHUNKS);
}
