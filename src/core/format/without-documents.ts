/**
 * Values without some of their documents: what a reader makes of a base's tables when documents of it were deleted or
 * changed. index-format v1, section 5.
 *
 * Works on the encoded bytes, so that everything behind it decodes one kind of value, whether the shard was changed or
 * not. A value that loses no document is given back as it is. Pure.
 */
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { encodePair } from "./pairs.ts";
import {
  decodeNumbers,
  encodeNumbers,
  type FieldFrequencies,
  readFrequencies,
  skipUnits,
  writeFrequencies,
} from "./postings.ts";
import { leastFrequency } from "./quantize.ts";
import { decodeSuggestions, encodeSuggestions } from "./suggestions.ts";

/** Whether a document is taken away. */
export type IsRemoved = (document: number) => boolean;

const LIGHT = 0;
const HEAVY = 1;

/**
 * A value of a term; undefined where no document is left.
 *
 * @param stated How many documents hold the term in each field when those are taken away: the heavy and the stop form
 *   keep too little of a document to know. What the value states where absent.
 */
export function removeFromPostings(
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
export function removeFromPair(bytes: Uint8Array, isRemoved: IsRemoved): Uint8Array | undefined {
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

/** A value of synonyms; undefined where no document is left. */
export function removeFromSynonyms(bytes: Uint8Array, isRemoved: IsRemoved): Uint8Array | undefined {
  const reader = new ByteReader(bytes, "synonyms");
  for (let phrases = reader.readVarint(); phrases > 0; phrases--) reader.readString();
  const head = bytes.subarray(0, reader.position);
  const own = reader.readBytes(reader.remaining);
  const kept = removeFromPostings(own, isRemoved);
  if (kept === undefined || kept === own) return kept && bytes;
  const writer = new ByteWriter(head.length + kept.length);
  writer.writeBytes(head);
  writer.writeBytes(kept);
  return writer.finish();
}

/** A list of numbers, as facets and grams have; undefined where none is left. An empty list stays one. */
export function removeFromNumbers(bytes: Uint8Array, isRemoved: IsRemoved): Uint8Array | undefined {
  const numbers = decodeNumbers(bytes, "document numbers");
  const kept = keptIndexes(numbers, isRemoved);
  if (kept.length === numbers.length) return bytes;
  return kept.length === 0 ? undefined : encodeNumbers(kept.map((index) => numbers[index] as number));
}

/** The texts of one key of the suggestions; undefined where none is left. `key` is its text. */
export function removeFromSuggestions(key: string, bytes: Uint8Array, isRemoved: IsRemoved): Uint8Array | undefined {
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
  if (total > reader.remaining) {
    throw new FormatError(reader.what, { code: "truncated", need: total, have: reader.remaining });
  }
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
