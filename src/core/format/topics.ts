/**
 * Values of the tables `categories` and `concepts`.
 *
 * Index-format v1, section 7.10. Categories and documents are stored by id, sections by ordinal. Members of a category are
 * its direct ones; those of its descendants are only counted.
 */
import { type ByteKey, keyOf } from "../bytes/key.ts";
import { expectRoom } from "../bytes/reader.ts";
import { malformed } from "../errors.ts";
import {
  choice,
  codec,
  expectPlaces,
  hundredths,
  list,
  mapped,
  numbers,
  paths,
  record,
  single,
  strings,
  texts,
  type ValueOf,
} from "./columns.ts";

const CONCEPTS = "table concepts";
const CATEGORIES = "table categories";
/** Weights are 0–1, stored in hundredths. */
const MAX_WEIGHT = 100;
/** Densities are shares, in hundredths. */
const MAX_DENSITY = 100;

/** What a concept is by its origin; numbers in the index are places in this list. */
export const CONCEPT_TYPES = ["thematic", "acronym", "api", "heading"] as const;
export type ConceptType = (typeof CONCEPT_TYPES)[number];

const type = choice(CONCEPT_TYPES, "type");
/** Of 0–1, two decimals. */
const weight = hundredths("weight", MAX_WEIGHT);

/** A document that holds a concept. */
const conceptPlace = record({
  /** How much the concept says of the document. */
  weight,
  /** Sections of the document that hold it. */
  sections: numbers("sections"),
  /** Ordinal of the one that says most about it. */
  section: numbers("section"),
  documentId: paths,
});
export type ConceptPlace = ValueOf<typeof conceptPlace>;

const concept = record({
  /** As running text writes it most often; an acronym with its expansion in parentheses. */
  name: strings,
  type,
  weight,
  /** All documents and sections that hold it. */
  documents: numbers("documents"),
  chunks: numbers("sections"),
  /** Names of concepts that stand in the same sections, the nearest first. */
  related: list(texts),
  /** In the order of ids; of very many those of most weight. */
  places: list(conceptPlace),
});
export type ConceptEntry = ValueOf<typeof concept>;
export const { encode: encodeConcept, decode: decodeConcept } = codec(CONCEPTS, concept);

/** What the map says of a document. */
const documentTopics = record({
  /** The beginning of what it says, at most `PREVIEW_LENGTH` UTF-16 units and a mark of what was cut. */
  preview: strings,
  categories: list(texts),
  /** Concepts that it holds. */
  held: numbers("count"),
  /** Those that it is about, by weight, then by name: how much each says of it, and in how many of its sections it is. */
  concepts: list(record({ type, weight, sections: numbers("sections"), name: texts })),
});
export const { encode: encodeTopics, decode: decodeTopics } = codec(CONCEPTS, documentTopics);

const topicCounts = record({
  documents: numbers("count"),
  chunks: numbers("count"),
  concepts: numbers("count"),
});
export type TopicCounts = ValueOf<typeof topicCounts>;
export const { encode: encodeCounts, decode: decodeCounts } = codec(CATEGORIES, topicCounts);

/** Where categories come from; each is a bit in the index, the first the lowest. People chose the names of the first two. */
export const CATEGORY_SOURCES = ["file", "frontmatter", "folder", "package"] as const;
export type CategorySource = (typeof CATEGORY_SOURCES)[number];

const sources = mapped(
  numbers("sources", 2 ** CATEGORY_SOURCES.length - 1),
  (given: readonly CategorySource[]) =>
    given.reduce((bits, source) => bits | (1 << CATEGORY_SOURCES.indexOf(source)), 0),
  (bits): readonly CategorySource[] => CATEGORY_SOURCES.filter((_, at) => bits & (1 << at)),
);

export interface CategoryEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Id of the category above; `""` for one at the top. */
  readonly parent: string;
  readonly aliases: readonly string[];
  readonly related: readonly string[];
  /** All that have one of its name: they are one category. */
  readonly sources: readonly CategorySource[];
  /** What is directly in it. */
  readonly own: TopicCounts;
  /** The same with all that is in its descendants, each once. */
  readonly all: TopicCounts;
}

/** Texts of a category as one list: four of its own, then its aliases, then those related to it. */
const categoryTexts = single(
  2,
  (writer, { id, name, description, parent, aliases, related }: Omit<CategoryEntry, "sources" | "own" | "all">) => {
    numbers("count").write(writer, [aliases.length, related.length]);
    texts.write(writer, [id, name, description, parent, ...aliases, ...related]);
  },
  (reader) => {
    const [aliases = 0, related = 0] = numbers("count").read(reader, 2);
    expectRoom(reader, aliases + related, texts.least);
    const [id = "", name = "", description = "", parent = "", ...others] = texts.read(reader, 4 + aliases + related);
    return { id, name, description, parent, aliases: others.slice(0, aliases), related: others.slice(aliases) };
  },
);
const category = mapped(
  record({ texts: categoryTexts, sources, own: topicCounts, all: topicCounts }),
  (entry: CategoryEntry) => ({ texts: entry, sources: entry.sources, own: entry.own, all: entry.all }),
  ({ texts: own, ...stored }): CategoryEntry => ({ ...own, ...stored }),
);
export const { encode: encodeCategory, decode: decodeCategory } = codec(CATEGORIES, category);

/** A document of a category, and its sections. */
const memberDocument = record({ sections: numbers("sections"), id: texts });
export type MemberDocument = ValueOf<typeof memberDocument>;

const memberConcept = record({
  type,
  weight,
  /** How much it sets the category apart. */
  relevance: weight,
  /** Documents of the category that hold it. */
  documents: numbers("documents"),
  /** The same in the rest of the group. */
  otherDocuments: numbers("documents elsewhere"),
  /** Sections of the category that hold it. */
  chunks: numbers("sections"),
  /** Places in the category's list of concepts, the nearest first. */
  related: list(numbers("related concept")),
  name: texts,
});
export interface MemberConcept extends Omit<ValueOf<typeof memberConcept>, "otherDocuments"> {
  /** Documents of the whole group that hold it. */
  readonly totalDocuments: number;
}

const memberChunk = record({
  /** Place of its document in the category's list. */
  document: numbers("document"),
  /** Its ordinal. */
  section: numbers("section"),
  /** Share of its words that concepts hold, two decimals. Titles and headings are left out. */
  density: hundredths("density", MAX_DENSITY),
  /** Places in the category's list of concepts. */
  concepts: list(numbers("concept")),
});
export type MemberChunk = ValueOf<typeof memberChunk>;

/** Most concepts that a category lists; all are counted. */
export const MAX_LISTED_CONCEPTS = 400;

export interface CategoryMembers {
  /** By number of sections, the most first, then by path. All of them. */
  readonly documents: readonly MemberDocument[];
  /** By relevance, then by name; of very many the first. */
  readonly concepts: readonly MemberConcept[];
  /** By density, then by id; the first. */
  readonly chunks: readonly MemberChunk[];
}

/** How many there are of each stands in front of all. */
const members = single(
  3,
  (writer, { documents, concepts, chunks }: CategoryMembers) => {
    numbers("count").write(writer, [documents.length, concepts.length, chunks.length]);
    memberDocument.write(writer, documents);
    memberConcept.write(
      writer,
      concepts.map((one) => ({ ...one, otherDocuments: one.totalDocuments - one.documents })),
    );
    memberChunk.write(writer, chunks);
  },
  (reader) => {
    const [documentCount = 0, conceptCount = 0, chunkCount = 0] = numbers("count").read(reader, 3);
    expectRoom(reader, documentCount, memberDocument.least);
    const documents = memberDocument.read(reader, documentCount);
    expectRoom(reader, conceptCount, memberConcept.least);
    const concepts = memberConcept.read(reader, conceptCount).map((one): MemberConcept => {
      const { otherDocuments, ...own } = one;
      expectPlaces(reader, "related concept", own.related, conceptCount);
      return { ...own, totalDocuments: own.documents + otherDocuments };
    });
    if (chunkCount > 0 && documentCount === 0) throw malformed(CATEGORIES, "a section of no document");
    expectRoom(reader, chunkCount, memberChunk.least);
    const chunks = memberChunk.read(reader, chunkCount);
    for (const chunk of chunks) {
      expectPlaces(reader, "document", [chunk.document], documentCount);
      expectPlaces(reader, "concept", chunk.concepts, conceptCount);
    }
    return { documents, concepts, chunks };
  },
);
export const { encode: encodeMembers, decode: decodeMembers } = codec(CATEGORIES, members);

/** Key of the counts of all categories of a group together. */
export const TOTALS_KEY: ByteKey = keyOf("t");

export const CATEGORY_KEYS: { readonly from: ByteKey; readonly to: ByteKey } = { from: keyOf("c"), to: keyOf("d") };
