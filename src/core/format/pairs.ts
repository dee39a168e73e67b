/**
 * Pairs (documents that hold two terms side by side) and the table `synonyms`. Index-format v1, sections 7.1 and 7.4.
 *
 * Pairs of two terms of many documents, or stop words, are keys of the table `terms` after the key of their first term: those
 * that so many documents of a level hold. Of other pairs the postings of a rare term tell.
 */
import { hashKey } from "../bytes/checksum.ts";
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { indexOfNumber } from "../bytes/numbers.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError, malformed } from "../errors.ts";
import { decodeOnce } from "./chunk.ts";
import {
  decodeFrequency,
  decodeNumbers,
  encodeFrequency,
  encodeNumbers,
  hasNeighbour,
  NO_DOCUMENTS,
  neighbourCode,
  type PostingList,
} from "./postings.ts";

/** Documents of a level that hold a pair which is a key. */
export const PAIR_DOCUMENTS = 2;

/** What a decoded pair takes in memory, and each of its documents. */
const LIST_MEMORY = 400;
const PAIR_MEMORY = 8;

/** Highest frequency code; the fourth bit of a nibble is free. */
const MAX_CODE = 7;

/** A decoded pair: parallel arrays over its documents, numbers ascending. */
export interface PairList {
  readonly documents: Uint32Array;
  /** Occurrences, as scored. */
  readonly frequencies: Float32Array;
}

/** Key of a pair of terms. */
export function keyOfPair(first: string, second: string): ByteKey {
  return keyOf(`${first}${KEY_SEPARATOR}${second}`);
}

/** Value of a pair. `frequencies` are ≥ 1 and belong to `documents`, which ascend. */
export function encodePair(documents: readonly number[], frequencies: readonly number[]): Uint8Array {
  const writer = new ByteWriter(documents.length * 2 + 2);
  const numbers = encodeNumbers(documents);
  writer.writeVarint(numbers.length);
  writer.writeBytes(numbers);
  const nibble = (index: number): number => encodeFrequency(frequencies[index] ?? 1);
  for (let i = 0; i < documents.length; i += 2) {
    writer.writeByte(nibble(i) | (i + 1 < documents.length ? nibble(i + 1) << 4 : 0));
  }
  return writer.finish();
}

/** The pair that a value holds, without deleted documents. @throws {FormatError} on bytes that are none. */
export function decodePair(bytes: Uint8Array, deleted: ReadonlySet<number> = NO_DOCUMENTS): PairList {
  const list = decodeOnce(bytes, readPair, ({ documents }) => LIST_MEMORY + documents.length * PAIR_MEMORY);
  if (deleted.size === 0) return list;
  const isKept = (_: number, at: number): boolean => !deleted.has(list.documents[at] as number);
  return { documents: list.documents.filter(isKept), frequencies: list.frequencies.filter(isKept) };
}

function readPair(bytes: Uint8Array): PairList {
  const what = "pair";
  const reader = new ByteReader(bytes, what);
  const documents = decodeNumbers(reader.readBytes(reader.readVarint()), what);
  const nibbles = reader.readBytes((documents.length + 1) >> 1);
  reader.expectEnd();
  const frequencies = new Float32Array(documents.length);
  for (let at = 0; at < documents.length; at++) {
    const byte = nibbles[at >> 1] as number;
    const got = at & 1 ? byte >> 4 : byte & 15;
    if (got > MAX_CODE)
      throw new FormatError(what, { code: "out-of-range", what: "frequency code", got, limit: MAX_CODE });
    frequencies[at] = decodeFrequency(got);
  }
  if (documents.length & 1 && (nibbles.at(-1) as number) >> 4 !== 0) {
    throw malformed(what, "the nibble behind the last is not 0");
  }
  return { documents, frequencies };
}

/** Postings of a pair's terms in a level, undefined where it has none: one that is rare tells what stands beside it. */
export type PairSides = readonly [PostingList | undefined, PostingList | undefined];

/** Whether the postings of a pair's terms tell of it, and no key does. */
export function isRarePair([first, second]: PairSides): boolean {
  return first?.neighboursAt !== undefined || second?.neighboursAt !== undefined;
}

/**
 * Documents in which the terms of a rare pair stand side by side, as far as hashes of seven bits tell: they never leave one out. A stop
 * word's postings may be absent.
 */
export function listRarePair([first, second]: PairSides, terms: readonly [string, string]): number[] {
  const [rare, other, code] =
    first?.neighboursAt !== undefined
      ? [first, second, neighbourCode(terms[1], true)]
      : [second, first, neighbourCode(terms[0], false)];
  if (rare === undefined) return [];
  return Array.from(rare.documents).filter(
    (document, at) =>
      hasNeighbour(rare, at, code) &&
      (other?.neighboursAt === undefined || indexOfNumber(other.documents, document) >= 0),
  );
}

/** Key of a phrase, which is its terms in order, in the table `synonyms`. */
export function keyOfPhrase(phrase: readonly string[]): ByteKey {
  return keyOf(phrase.join(KEY_SEPARATOR));
}

/** Hash of a phrase as levels list those with synonyms: 22 bits, so that few others have the same. */
export function hashPhrase(key: ByteKey): number {
  return hashKey(key) >>> 10;
}

/** Value of the table `synonyms`: other phrases for the same thing. */
export function encodeSynonyms(phrases: readonly (readonly string[])[]): Uint8Array {
  const writer = new ByteWriter(64);
  for (const phrase of phrases) writer.writeString(phrase.join(KEY_SEPARATOR));
  return writer.finish();
}

/** The phrases that a value lists, each as its terms; none for an empty value. @throws {FormatError}. */
export function decodeSynonyms(bytes: Uint8Array): (readonly string[])[] {
  const reader = new ByteReader(bytes, "synonyms");
  const phrases: (readonly string[])[] = [];
  while (reader.remaining > 0) phrases.push(reader.readString().split(KEY_SEPARATOR));
  return phrases;
}
