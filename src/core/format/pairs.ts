/**
 * Pairs (documents that hold two terms side by side) and synonyms of a phrase. Both are keys of the table `terms`, after
 * the key of their first term.
 *
 * Index-format v1, section 7.1. The postings of synonyms are those of all phrases for the same thing, united at build
 * time: a query reads one list for them.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError, malformed } from "../errors.ts";
import {
  decodeFrequency,
  decodeNumbers,
  decodePostings,
  encodeFrequency,
  encodeNumbers,
  NO_DOCUMENTS,
  type PostingList,
} from "./postings.ts";

/** Stands behind the first term where a second would: below every term, so that synonyms come before all pairs. */
const MARK = "\u0001";
/** Phrases for one thing; far above what encoders write. */
const MAX_PHRASES = 1_000;

/** The oldest level of a group lists the pairs of stop words and of words that both stand in so many of its documents, */
export const PAIRED_WORD_DOCUMENTS = 16;
/**
 * where they stand side by side in at least so many. A newer level lists pairs without stop words that so many of its documents hold,
 * or one where an older level lists the pair.
 */
export const PAIR_DOCUMENTS = 2;

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
  const what = "pair";
  const reader = new ByteReader(bytes, what);
  const documents = decodeNumbers(reader.readBytes(reader.readVarint()), what);
  const nibbles = reader.readBytes((documents.length + 1) >> 1);
  reader.expectEnd();
  const nibble = (index: number): number => {
    const byte = nibbles[index >> 1] as number;
    const value = index & 1 ? byte >> 4 : byte & 15;
    if (value <= MAX_CODE) return value;
    throw new FormatError(what, { code: "out-of-range", what: "frequency code", got: value, limit: MAX_CODE });
  };
  const frequencies = Float32Array.from(documents, (_, index) => decodeFrequency(nibble(index)));
  if (documents.length & 1 && nibble(documents.length) !== 0) {
    throw malformed(what, "the nibble behind the last is not 0");
  }
  if (deleted.size === 0) return { documents, frequencies };
  const isKept = (_: number, at: number): boolean => !deleted.has(documents[at] as number);
  return { documents: documents.filter(isKept), frequencies: frequencies.filter(isKept) };
}

/** What else stands for a phrase. */
interface Synonyms {
  /** Terms of each other phrase, in order. */
  readonly phrases: readonly (readonly string[])[];
  /** Documents that hold any of them. */
  readonly list: PostingList;
}

/** Key of the synonyms of a phrase, which is its terms in order. */
export function keyOfSynonyms(phrase: readonly string[]): ByteKey {
  const [first = "", ...rest] = phrase;
  return keyOf(`${first}${KEY_SEPARATOR}${MARK}${rest.join(KEY_SEPARATOR)}`);
}

/** Value of a phrase's synonyms. `postings` is a value that `PostingBuilder` finished. */
export function encodeSynonyms(phrases: readonly (readonly string[])[], postings: Uint8Array): Uint8Array {
  const writer = new ByteWriter(postings.length + 64);
  writer.writeVarint(phrases.length);
  for (const phrase of phrases) writer.writeString(phrase.join(KEY_SEPARATOR));
  writer.writeBytes(postings);
  return writer.finish();
}

/** The synonyms that a value holds. @throws {FormatError} on bytes that are none. */
export function decodeSynonyms(bytes: Uint8Array, what = "synonyms"): Synonyms {
  const reader = new ByteReader(bytes, what);
  const count = reader.readVarint();
  if (count === 0 || count > MAX_PHRASES) {
    throw new FormatError(what, { code: "out-of-range", what: "phrases", got: count, limit: MAX_PHRASES });
  }
  const phrases = Array.from({ length: count }, () => reader.readString().split(KEY_SEPARATOR));
  return { phrases, list: decodePostings(reader.readBytes(reader.remaining), what) };
}
