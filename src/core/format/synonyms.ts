/**
 * Synonyms of a phrase: what else stands for it, and which documents hold that.
 *
 * Layout: index-format v1, section 7.1. Synonyms are keys of the table `terms`, so that they lie behind the first term of
 * their phrase. Their postings are those of all phrases for the same thing together, worked out at build time: a query
 * reads one list for them. Encoder and decoder stay in this one file. Pure: bytes in, values out.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { decodePostings, type PostingList } from "./postings.ts";

/** Stands behind the first term where a second would: below every term, so that synonyms come before all pairs. */
const MARK = "\u0001";
/** Phrases for one thing; far above what encoders write. */
const MAX_PHRASES = 1_000;

/** What else stands for a phrase. */
export interface Synonyms {
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

/** Whether a key of the table `terms` is one of synonyms. */
export function isSynonymKey(key: ByteKey): boolean {
  return key.includes(`${KEY_SEPARATOR}${MARK}`);
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
