/**
 * Values of the tables `categories` and `concepts`.
 *
 * Index-format v1, section 7.10. Categories and documents are stored by id, sections by ordinal. Members of a category are
 * its direct ones; those of its descendants are only counted.
 */
import { type ByteKey, keyOf } from "../bytes/key.ts";
import { ByteReader, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { keyOfId, readNumbers, readTexts, writeNumbers, writeTexts } from "./columns.ts";

const CONCEPTS = "table concepts";
/** A row takes a byte in each column. */
const MIN_PLACE_BYTES = 4;
const MIN_TOPIC_BYTES = 4;
/** Weights are hundredths. */
const MAX_WEIGHT = 100;

/** What a concept is by its origin; numbers in the index are places in this list. */
export const CONCEPT_TYPES = ["thematic", "acronym", "api", "heading"] as const;
export type ConceptType = (typeof CONCEPT_TYPES)[number];

/** A document that a concept is one of. */
export interface ConceptPlace {
  readonly documentId: string;
  /** How much the concept says of the document: 0–1, two decimals. */
  readonly weight: number;
  /** Sections of the document that hold it. */
  readonly sections: number;
  /** Ordinal of the one that says most about it. */
  readonly section: number;
}

/** A concept. */
export interface ConceptEntry {
  /** As it is written most often; an acronym with its expansion in parentheses. */
  readonly name: string;
  readonly type: ConceptType;
  /** 0–1, two decimals. */
  readonly weight: number;
  /** Documents of which it is one, and sections that hold it. */
  readonly documents: number;
  readonly chunks: number;
  /** Names of concepts that stand in the same sections, the nearest first. */
  readonly related: readonly string[];
  /** By weight, then by id; not all where there are many. */
  readonly places: readonly ConceptPlace[];
}

/** A concept as one document has it. */
interface OwnConcept {
  readonly name: string;
  readonly type: ConceptType;
  /** How much it says of the document: 0–1, two decimals. */
  readonly weight: number;
  /** Sections of the document that hold it. */
  readonly sections: number;
}

/** What the map says of a document. */
export interface DocumentTopics {
  /** The beginning of what it says, at most `PREVIEW_LENGTH` UTF-16 units and a mark of what was cut. */
  readonly preview: string;
  /** Ids of the categories that it is directly in. */
  readonly categories: readonly string[];
  /** By weight, then by name. */
  readonly concepts: readonly OwnConcept[];
}

/** Key of a concept. */
export function keyOfConcept(conceptKey: string): ByteKey {
  return keyOfId("n", conceptKey);
}

/** Key of what a document is about. */
export function keyOfTopics(documentId: string): ByteKey {
  return keyOfId("d", documentId);
}

/** Bytes of a concept. */
export function encodeConcept(entry: ConceptEntry): Uint8Array {
  const { places, related } = entry;
  const writer = new ByteWriter(64 + places.length * 24);
  writer.writeString(entry.name);
  writeNumbers(writer, [typeCode(entry.type), hundredths(entry.weight), entry.documents, entry.chunks, related.length]);
  writeTexts(writer, related);
  writer.writeVarint(places.length);
  const column = (read: (place: ConceptPlace) => number): void => writeNumbers(writer, places.map(read));
  column(({ weight }) => hundredths(weight));
  column(({ sections }) => sections);
  column(({ section }) => section);
  writeTexts(
    writer,
    places.map(({ documentId }) => documentId),
  );
  return writer.finish();
}

/** The concept that `encodeConcept` wrote. @throws {FormatError}. */
export function decodeConcept(bytes: Uint8Array): ConceptEntry {
  const reader = new ByteReader(bytes, CONCEPTS);
  const name = reader.readString();
  const type = typeAt(reader.readVarint(), CONCEPTS);
  const weight = readWeights(reader, 1)[0] as number;
  const documents = reader.readVarint();
  const chunks = reader.readVarint();
  const related = readTexts(reader, readCount(reader, 1));
  const count = readCount(reader, MIN_PLACE_BYTES);
  const weights = readWeights(reader, count);
  const sections = readNumbers(reader, count, "sections");
  const best = readNumbers(reader, count, "section");
  const ids = readTexts(reader, count);
  reader.expectEnd();
  const places = ids.map((documentId, at) => ({
    documentId,
    weight: weights[at] as number,
    sections: sections[at] as number,
    section: best[at] as number,
  }));
  return { name, type, weight, documents, chunks, related, places };
}

/** Bytes of what a document is about. */
export function encodeTopics({ preview, categories, concepts }: DocumentTopics): Uint8Array {
  const writer = new ByteWriter(64 + preview.length + concepts.length * 24);
  writer.writeString(preview);
  writer.writeVarint(categories.length);
  writeTexts(writer, categories);
  writer.writeVarint(concepts.length);
  writeNumbers(
    writer,
    concepts.map(({ type }) => typeCode(type)),
  );
  writeNumbers(
    writer,
    concepts.map(({ weight }) => hundredths(weight)),
  );
  writeNumbers(
    writer,
    concepts.map(({ sections }) => sections),
  );
  writeTexts(
    writer,
    concepts.map(({ name }) => name),
  );
  return writer.finish();
}

/** What `encodeTopics` wrote. @throws {FormatError}. */
export function decodeTopics(bytes: Uint8Array): DocumentTopics {
  const reader = new ByteReader(bytes, CONCEPTS);
  const preview = reader.readString();
  const categories = readTexts(reader, readCount(reader, 1));
  const count = readCount(reader, MIN_TOPIC_BYTES);
  const types = readNumbers(reader, count, "type").map((code) => typeAt(code, CONCEPTS));
  const weights = readWeights(reader, count);
  const sections = readNumbers(reader, count, "sections");
  const names = readTexts(reader, count);
  reader.expectEnd();
  const concepts = types.map((type, at) => ({
    name: names[at] as string,
    type,
    weight: weights[at] as number,
    sections: sections[at] as number,
  }));
  return { preview, categories, concepts };
}

/** Number of a type. */
function typeCode(type: ConceptType): number {
  return CONCEPT_TYPES.indexOf(type);
}

/** The type of a number. @throws {FormatError} where there is none. */
function typeAt(code: number, what: string): ConceptType {
  const type = CONCEPT_TYPES[code];
  if (type !== undefined) return type;
  throw new FormatError(what, { code: "out-of-range", what: "type", got: code, limit: CONCEPT_TYPES.length - 1 });
}

/** A weight of 0–1 as it is stored. */
function hundredths(weight: number): number {
  return Math.round(weight * MAX_WEIGHT);
}

/** Weights as values of 0–1. @throws {FormatError}. */
function readWeights(reader: ByteReader, count: number): number[] {
  return readNumbers(reader, count, "weight", MAX_WEIGHT).map((value) => value / MAX_WEIGHT);
}

const CATEGORIES = "table categories";
const MIN_DOCUMENT_BYTES = 2;
const MIN_MEMBER_CONCEPT_BYTES = 7;
const MIN_CHUNK_BYTES = 4;
/** A density is hundredths; no more than ten occurrences a word. */
const MAX_DENSITY = 1_000;

/** Documents, sections and concepts of something. */
export interface TopicCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly concepts: number;
}

/** A category. */
export interface CategoryEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Id of the category above; `""` for one at the top. */
  readonly parent: string;
  readonly aliases: readonly string[];
  /** Ids of related categories. */
  readonly related: readonly string[];
  /** What is directly in it. */
  readonly own: TopicCounts;
  /** The same with all that is in its descendants, each once. */
  readonly all: TopicCounts;
}

/** A document of a category. */
export interface MemberDocument {
  readonly id: string;
  /** Its sections. */
  readonly sections: number;
}

/** A concept of a category. */
export interface MemberConcept {
  readonly name: string;
  readonly type: ConceptType;
  /** How much it sets the category apart: 0–1, two decimals. */
  readonly weight: number;
  /** Documents of the category of which it is a concept, and of the whole group. */
  readonly documents: number;
  readonly totalDocuments: number;
  /** Sections of the category that hold it. */
  readonly chunks: number;
  /** Places in the category's list of concepts, the nearest first. */
  readonly related: readonly number[];
}

/** A section of a category. */
export interface MemberChunk {
  /** Place of its document in the category's list. */
  readonly document: number;
  /** Its ordinal. */
  readonly section: number;
  /** Occurrences of concepts ÷ words, two decimals. */
  readonly density: number;
  /** Places in the category's list of concepts. */
  readonly concepts: readonly number[];
}

/** What is directly in a category. */
export interface CategoryMembers {
  /** By number of sections, the most first, then by path. All of them. */
  readonly documents: readonly MemberDocument[];
  /** By weight, then by name; of very many the first. */
  readonly concepts: readonly MemberConcept[];
  /** By density, then by id; the first. */
  readonly chunks: readonly MemberChunk[];
}

/** Key of the counts of all categories of a group together. */
export const TOTALS_KEY: ByteKey = keyOf("t");

/** Keys of all categories. */
export const CATEGORY_KEYS: { readonly from: ByteKey; readonly to: ByteKey } = { from: keyOf("c"), to: keyOf("d") };

/** Key of a category. */
export function keyOfCategory(id: string): ByteKey {
  return keyOfId("c", id);
}

/** Key of what is in a category. */
export function keyOfMembers(id: string): ByteKey {
  return keyOfId("m", id);
}

/** Bytes of a category. */
export function encodeCategory(entry: CategoryEntry): Uint8Array {
  const writer = new ByteWriter(128);
  const { aliases, related } = entry;
  writeNumbers(writer, [aliases.length, related.length]);
  writeTexts(writer, [entry.id, entry.name, entry.description, entry.parent, ...aliases, ...related]);
  writeCounts(writer, entry.own);
  writeCounts(writer, entry.all);
  return writer.finish();
}

/** The category that `encodeCategory` wrote. @throws {FormatError}. */
export function decodeCategory(bytes: Uint8Array): CategoryEntry {
  const reader = new ByteReader(bytes, CATEGORIES);
  const aliases = readCount(reader, 1);
  const related = readCount(reader, 1);
  const [id = "", name = "", description = "", parent = "", ...others] = readTexts(reader, 4 + aliases + related);
  const own = readCounts(reader);
  const all = readCounts(reader);
  reader.expectEnd();
  return { id, name, description, parent, aliases: others.slice(0, aliases), related: others.slice(aliases), own, all };
}

/** Bytes of counts. */
export function encodeCounts(counts: TopicCounts): Uint8Array {
  const writer = new ByteWriter(16);
  writeCounts(writer, counts);
  return writer.finish();
}

/** The counts that `encodeCounts` wrote. @throws {FormatError}. */
export function decodeCounts(bytes: Uint8Array): TopicCounts {
  const reader = new ByteReader(bytes, CATEGORIES);
  const counts = readCounts(reader);
  reader.expectEnd();
  return counts;
}

/** Bytes of what is in a category. */
export function encodeMembers({ documents, concepts, chunks }: CategoryMembers): Uint8Array {
  const writer = new ByteWriter(256 + documents.length * 16 + concepts.length * 24 + chunks.length * 6);
  writeNumbers(writer, [documents.length, concepts.length, chunks.length]);
  writeNumbers(
    writer,
    documents.map(({ sections }) => sections),
  );
  writeTexts(
    writer,
    documents.map(({ id }) => id),
  );
  const concept = (read: (one: MemberConcept) => number): void => writeNumbers(writer, concepts.map(read));
  concept(({ type }) => typeCode(type));
  concept(({ weight }) => hundredths(weight));
  concept(({ documents: own }) => own);
  concept(({ totalDocuments, documents: own }) => totalDocuments - own);
  concept(({ chunks: own }) => own);
  concept(({ related }) => related.length);
  writeNumbers(
    writer,
    concepts.flatMap(({ related }) => related),
  );
  writeTexts(
    writer,
    concepts.map(({ name }) => name),
  );
  const chunk = (read: (one: MemberChunk) => number): void => writeNumbers(writer, chunks.map(read));
  chunk(({ document }) => document);
  chunk(({ section }) => section);
  chunk(({ density }) => hundredths(density));
  chunk(({ concepts: own }) => own.length);
  writeNumbers(
    writer,
    chunks.flatMap(({ concepts: own }) => own),
  );
  return writer.finish();
}

/** What `encodeMembers` wrote. @throws {FormatError}. */
export function decodeMembers(bytes: Uint8Array): CategoryMembers {
  const reader = new ByteReader(bytes, CATEGORIES);
  const [documentCount = 0, conceptCount = 0, chunkCount = 0] = readNumbers(reader, 3, "count");
  const needed =
    documentCount * MIN_DOCUMENT_BYTES + conceptCount * MIN_MEMBER_CONCEPT_BYTES + chunkCount * MIN_CHUNK_BYTES;
  if (needed > reader.remaining)
    throw new FormatError(CATEGORIES, { code: "truncated", need: needed, have: reader.remaining });
  const sections = readNumbers(reader, documentCount, "sections");
  const documents = readTexts(reader, documentCount).map((id, at) => ({ id, sections: sections[at] as number }));
  const concepts = readConcepts(reader, conceptCount);
  const chunks = readChunks(reader, chunkCount, documentCount, conceptCount);
  reader.expectEnd();
  return { documents, concepts, chunks };
}

function readConcepts(reader: ByteReader, count: number): MemberConcept[] {
  const types = readNumbers(reader, count, "type").map((code) => typeAt(code, CATEGORIES));
  const weights = readWeights(reader, count);
  const documents = readNumbers(reader, count, "documents");
  const others = readNumbers(reader, count, "documents elsewhere");
  const chunks = readNumbers(reader, count, "sections");
  const related = readLists(reader, count, count, "related concept");
  const names = readTexts(reader, count);
  return types.map((type, at) => ({
    name: names[at] as string,
    type,
    weight: weights[at] as number,
    documents: documents[at] as number,
    totalDocuments: (documents[at] as number) + (others[at] as number),
    chunks: chunks[at] as number,
    related: related[at] as number[],
  }));
}

function readChunks(reader: ByteReader, count: number, documents: number, concepts: number): MemberChunk[] {
  const places = readNumbers(reader, count, "document", Math.max(0, documents - 1));
  if (count > 0 && documents === 0)
    throw new FormatError(CATEGORIES, { code: "malformed", reason: "a section of no document" });
  const sections = readNumbers(reader, count, "section");
  const densities = readNumbers(reader, count, "density", MAX_DENSITY);
  const lists = readLists(reader, count, concepts, "concept");
  return places.map((document, at) => ({
    document,
    section: sections[at] as number,
    density: (densities[at] as number) / 100,
    concepts: lists[at] as number[],
  }));
}

/** For each of `count` things a list of places below `limit`: their lengths, then all of them. @throws {FormatError}. */
function readLists(reader: ByteReader, count: number, limit: number, what: string): number[][] {
  const lengths = readNumbers(reader, count, "length of a list");
  const total = lengths.reduce((sum, length) => sum + length, 0);
  if (total > reader.remaining)
    throw new FormatError(CATEGORIES, { code: "truncated", need: total, have: reader.remaining });
  return lengths.map((length) => {
    if (length > 0 && limit === 0)
      throw new FormatError(CATEGORIES, { code: "out-of-range", what, got: length, limit });
    return readNumbers(reader, length, what, limit - 1);
  });
}

function writeCounts(writer: ByteWriter, { documents, chunks, concepts }: TopicCounts): void {
  writeNumbers(writer, [documents, chunks, concepts]);
}

function readCounts(reader: ByteReader): TopicCounts {
  const [documents = 0, chunks = 0, concepts = 0] = readNumbers(reader, 3, "count");
  return { documents, chunks, concepts };
}
