/**
 * Values of the table `concepts`: what a concept is and where, and the concepts of a document.
 *
 * Layout: index-format v1, section 7.10. Documents by their ids, sections by their ordinals. Pure: bytes in, values out.
 */
import type { ByteKey } from "../bytes/key.ts";
import { readCount } from "../bytes/read-count.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { readNumbers, readTexts, writeNumbers, writeTexts } from "./columns.ts";
import { keyOfId } from "./id-key.ts";

const WHAT = "table concepts";
/** A row takes a byte in each column. */
const MIN_PLACE_BYTES = 4;
const MIN_CONCEPT_BYTES = 4;
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
export interface OwnConcept {
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
  const reader = new ByteReader(bytes, WHAT);
  const name = reader.readString();
  const type = typeAt(reader.readVarint(), WHAT);
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
  const reader = new ByteReader(bytes, WHAT);
  const preview = reader.readString();
  const categories = readTexts(reader, readCount(reader, 1));
  const count = readCount(reader, MIN_CONCEPT_BYTES);
  const types = readNumbers(reader, count, "type").map((code) => typeAt(code, WHAT));
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
export function typeCode(type: ConceptType): number {
  return CONCEPT_TYPES.indexOf(type);
}

/** The type of a number. @throws {FormatError} where there is none. */
export function typeAt(code: number, what: string): ConceptType {
  const type = CONCEPT_TYPES[code];
  if (type !== undefined) return type;
  throw new FormatError(what, { code: "out-of-range", what: "type", got: code, limit: CONCEPT_TYPES.length - 1 });
}

/** A weight of 0–1 as it is stored. */
export function hundredths(weight: number): number {
  return Math.round(weight * MAX_WEIGHT);
}

/** Weights as values of 0–1. @throws {FormatError}. */
export function readWeights(reader: ByteReader, count: number): number[] {
  return readNumbers(reader, count, "weight", MAX_WEIGHT).map((value) => value / MAX_WEIGHT);
}
