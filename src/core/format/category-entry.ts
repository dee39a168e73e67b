/**
 * Values of the table `categories`: what a category is and counts, what is in it, and the counts of all of them together.
 *
 * Layout: index-format v1, section 7.10. Categories and documents by their ids. What is in a category is what is directly in
 * it; what its descendants hold is counted beside that. Pure: bytes in, values out.
 */
import { type ByteKey, keyOf } from "../bytes/key.ts";
import { readCount } from "../bytes/read-count.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { readNumbers, readTexts, writeNumbers, writeTexts } from "./columns.ts";
import { type ConceptType, hundredths, readWeights, typeAt, typeCode } from "./concept-entry.ts";
import { keyOfId } from "./id-key.ts";

const WHAT = "table categories";
const MIN_DOCUMENT_BYTES = 2;
const MIN_CONCEPT_BYTES = 7;
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
  const reader = new ByteReader(bytes, WHAT);
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
  const reader = new ByteReader(bytes, WHAT);
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
  const reader = new ByteReader(bytes, WHAT);
  const [documentCount = 0, conceptCount = 0, chunkCount = 0] = readNumbers(reader, 3, "count");
  const needed = documentCount * MIN_DOCUMENT_BYTES + conceptCount * MIN_CONCEPT_BYTES + chunkCount * MIN_CHUNK_BYTES;
  if (needed > reader.remaining)
    throw new FormatError(WHAT, { code: "truncated", need: needed, have: reader.remaining });
  const sections = readNumbers(reader, documentCount, "sections");
  const documents = readTexts(reader, documentCount).map((id, at) => ({ id, sections: sections[at] as number }));
  const concepts = readConcepts(reader, conceptCount);
  const chunks = readChunks(reader, chunkCount, documentCount, conceptCount);
  reader.expectEnd();
  return { documents, concepts, chunks };
}

function readConcepts(reader: ByteReader, count: number): MemberConcept[] {
  const types = readNumbers(reader, count, "type").map((code) => typeAt(code, WHAT));
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
    throw new FormatError(WHAT, { code: "malformed", reason: "a section of no document" });
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
  if (total > reader.remaining) throw new FormatError(WHAT, { code: "truncated", need: total, have: reader.remaining });
  return lengths.map((length) => {
    if (length > 0 && limit === 0) throw new FormatError(WHAT, { code: "out-of-range", what, got: length, limit });
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
