/**
 * Base tables as a delta changes them: patches of single values, and values without some of their documents.
 *
 * Index-format v1, sections 5 and 7.7. Works on encoded bytes, so later steps decode one kind of value. A value that loses
 * no document is returned as it is.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf, textOfKey } from "../bytes/key.ts";
import { ByteReader, expectRoom } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { checkLimit, malformed } from "../errors.ts";
import { isStopList } from "../text/analyze.ts";
import { decodeDocument } from "./document-records.ts";
import { encodePair } from "./pairs.ts";
import {
  decodeNumbers,
  encodeNumbers,
  type FieldFrequencies,
  leastFrequency,
  readFrequencies,
  skipUnits,
  writeFrequencies,
} from "./postings.ts";
import { TABLE_NAMES, type TableName } from "./table.ts";
import { decodeSuggestions, encodeSuggestions } from "./word-tables.ts";

const ABSENT = 0;
const VALUE = 1;
const STATED = 2;

/** What stands in the place of a value of the base. */
export type Patch =
  /** Nothing: the base's value is not to be used. */
  | { readonly kind: "absent" }
  /** This value, whatever the base has. */
  | { readonly kind: "value"; readonly value: Uint8Array }
  /** The base's postings without deleted documents, with these counts. */
  | { readonly kind: "stated"; readonly frequencies: FieldFrequencies };

export interface KeyedPatch {
  readonly table: TableName;
  readonly key: ByteKey;
  readonly patch: Patch;
}

/** Key of the patch of a table's key. */
export function keyOfPatch(table: TableName, key: ByteKey): ByteKey {
  return `${keyOf(table)}${KEY_SEPARATOR}${key}` as ByteKey;
}

export function encodePatch(patch: Patch): Uint8Array {
  const writer = new ByteWriter(patch.kind === "value" ? patch.value.length + 1 : 16);
  if (patch.kind === "absent") {
    writer.writeByte(ABSENT);
  } else if (patch.kind === "value") {
    writer.writeByte(VALUE);
    writer.writeBytes(patch.value);
  } else {
    writer.writeByte(STATED);
    writeFrequencies(writer, patch.frequencies);
  }
  return writer.finish();
}

/** The patch that an entry of the table `patches` holds. @throws {FormatError}. */
export function decodePatch(key: ByteKey, bytes: Uint8Array): KeyedPatch {
  const what = "table patches";
  const at = key.indexOf(KEY_SEPARATOR);
  const table = TABLE_NAMES.find((name) => name === key.slice(0, Math.max(0, at)));
  if (table === undefined) throw malformed(what, "a key names no table");
  const own = key.slice(at + 1) as ByteKey;
  const reader = new ByteReader(bytes, what);
  const kind = reader.readByte();
  if (kind === VALUE) return { table, key: own, patch: { kind: "value", value: reader.readBytes(reader.remaining) } };
  checkLimit(what, "kind", kind, STATED);
  const patch: Patch = kind === ABSENT ? { kind: "absent" } : { kind: "stated", frequencies: readFrequencies(reader) };
  reader.expectEnd();
  return { table, key: own, patch };
}

/** Whether a document is taken away. */
type IsRemoved = (document: number) => boolean;

/**
 * A value of a base's table without some documents, itself where it holds none of them; undefined where nothing is left.
 *
 * @param stated Counts of a term whose value keeps too little of a document to know them.
 * @throws {FormatError} on a value that is none.
 */
export function withoutDocuments(
  table: TableName,
  key: ByteKey,
  value: Uint8Array,
  isRemoved: IsRemoved,
  stated?: FieldFrequencies,
): Uint8Array | undefined {
  switch (table) {
    case "terms":
      if (key.includes(KEY_SEPARATOR) && !isStopList(key)) return removeFromPair(value, isRemoved);
      return removeFromPostings(value, isRemoved, stated);
    case "facets":
    case "trigrams":
      return removeFromNumbers(value, isRemoved);
    case "suggestions":
      return removeFromSuggestions(textOfKey(key), value, isRemoved);
    case "documents":
      return isRemoved(decodeDocument(value).number) ? undefined : value;
    default:
      return value;
  }
}

const LIGHT = 0;
const HEAVY = 1;

/**
 * A value of a term; undefined where no document is left.
 *
 * @param stated How many documents hold the term in each field when those are taken away: the heavy and the stop form
 *   keep too little of a document to know. What the value states where absent.
 */
function removeFromPostings(
  bytes: Uint8Array,
  isRemoved: IsRemoved,
  stated?: FieldFrequencies,
): Uint8Array | undefined {
  const reader = new ByteReader(bytes, "postings");
  const form = reader.readByte();
  const writer = new ByteWriter(bytes.length + 8);
  writer.writeByte(form);
  if (form === LIGHT) {
    const kept = copyUnits(reader, isRemoved);
    if (kept.count === 0) return undefined;
    if (kept.isWhole) return bytes;
    writer.writeVarint(kept.count);
    writer.writeBytes(kept.bytes);
    return writer.finish();
  }
  const known = readFrequencies(reader);
  const left = stated ?? known;
  if (form === HEAVY) {
    const short = copyShortPart(reader, known.documents, isRemoved);
    if (short.count === 0) return undefined;
    // How many documents there are must fit the list; the other counts cannot be made out.
    writeFrequencies(writer, { ...left, documents: short.count });
    writer.writeBytes(short.bytes);
  } else {
    if (left.documents === 0) return undefined;
    writeFrequencies(writer, left);
  }
  const best = copyUnits(reader, isRemoved);
  writer.writeVarint(best.count);
  writer.writeBytes(best.bytes);
  return writer.finish();
}

/** A value of a pair; undefined where no document is left. */
function removeFromPair(bytes: Uint8Array, isRemoved: IsRemoved): Uint8Array | undefined {
  const reader = new ByteReader(bytes, "pair");
  const documents = decodeNumbers(reader.readBytes(reader.readVarint()), "pair");
  const kept = keptIndexes(documents, isRemoved);
  if (kept.length === documents.length) return bytes;
  if (kept.length === 0) return undefined;
  const nibbles = reader.readBytes((documents.length + 1) >> 1);
  reader.expectEnd();
  const code = (index: number): number => nibbleAt(nibbles, index) & 7;
  return encodePair(
    kept.map((index) => documents[index] as number),
    kept.map((index) => leastFrequency(code(index))),
  );
}

/** A list of numbers, as facets and grams have; undefined where none is left. An empty list stays one. */
function removeFromNumbers(bytes: Uint8Array, isRemoved: IsRemoved): Uint8Array | undefined {
  const numbers = decodeNumbers(bytes, "document numbers");
  const kept = keptIndexes(numbers, isRemoved);
  if (kept.length === numbers.length) return bytes;
  return kept.length === 0 ? undefined : encodeNumbers(kept.map((index) => numbers[index] as number));
}

/** The texts of one key of the suggestions; undefined where none is left. `key` is its text. */
function removeFromSuggestions(key: string, bytes: Uint8Array, isRemoved: IsRemoved): Uint8Array | undefined {
  const entries = decodeSuggestions(key, bytes);
  if (!entries.some(({ places }) => places.some(({ document }) => isRemoved(document)))) return bytes;
  const kept = entries.flatMap((entry) => {
    const places = entry.places.filter(({ document }) => !isRemoved(document));
    return places.length === 0 ? [] : [{ ...entry, places }];
  });
  return kept.length === 0 ? undefined : encodeSuggestions(key, kept);
}

function keptIndexes(numbers: Uint32Array, isRemoved: IsRemoved): number[] {
  const kept: number[] = [];
  for (let index = 0; index < numbers.length; index++) if (!isRemoved(numbers[index] as number)) kept.push(index);
  return kept;
}

/** A count and documents with their units, without some: the light form, and the best documents of the others. */
function copyUnits(
  reader: ByteReader,
  isRemoved: IsRemoved,
): { readonly count: number; readonly isWhole: boolean; readonly bytes: Uint8Array } {
  const total = reader.readVarint();
  const writer = new ByteWriter(reader.remaining);
  let document = -1;
  let before = -1;
  let count = 0;
  for (let i = 0; i < total; i++) {
    document += reader.readVarint() + 1;
    const start = reader.position;
    skipUnits(reader);
    if (isRemoved(document)) continue;
    writer.writeVarint(document - before - 1);
    writer.writeBytes(reader.bytes.subarray(start, reader.position));
    before = document;
    count++;
  }
  reader.expectEnd();
  return { count, isWhole: count === total, bytes: writer.finish() };
}

/** The short part of a heavy list, without some documents. */
function copyShortPart(
  reader: ByteReader,
  total: number,
  isRemoved: IsRemoved,
): { readonly count: number; readonly bytes: Uint8Array } {
  expectRoom(reader, total, 1);
  const writer = new ByteWriter(reader.remaining);
  const kept: number[] = [];
  let document = -1;
  let before = -1;
  for (let index = 0; index < total; index++) {
    document += reader.readVarint() + 1;
    if (isRemoved(document)) continue;
    writer.writeVarint(document - before - 1);
    before = document;
    kept.push(index);
  }
  const nibbles = reader.readBytes((total + 1) >> 1);
  for (let at = 0; at < kept.length; at += 2) {
    const low = nibbleAt(nibbles, kept[at] as number);
    const next = kept[at + 1];
    writer.writeByte(low | ((next === undefined ? 0 : nibbleAt(nibbles, next)) << 4));
  }
  return { count: kept.length, bytes: writer.finish() };
}

function nibbleAt(nibbles: Uint8Array, index: number): number {
  const byte = nibbles[index >> 1] as number;
  return index & 1 ? byte >> 4 : byte & 15;
}
