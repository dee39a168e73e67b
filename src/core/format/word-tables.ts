/**
 * Tables of written words: `spelling` and `trigrams`.
 *
 * Index-format v1, sections 7.4 and 7.6. Spelling lists each word under itself, under its letters in reverse and, where it
 * is long, from its third letter on: words that share a beginning, an end or a middle are neighbours. Trigrams list the
 * documents whose text holds a gram; of a gram in more than a third of the documents only that is kept.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf, textOfKey } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { decodeLength, decodeNumbers, encodeNumbers } from "./postings.ts";

/** Words of so many letters stand in the third order, too. */
const LEAST_MIDDLE = 7;
/** Letters that a word has in front of its middle. */
export const FRONT_LETTERS = 3;

/** What stands before a word's letters in each order; text has no byte 0. */
const BACKWARD = KEY_SEPARATOR;
const MIDDLE = KEY_SEPARATOR + KEY_SEPARATOR;
/** Sorts before every byte of text, and behind what stands before the other orders. */
const FIRST_BYTE = "\u0001" as ByteKey;
/** Sorts behind every byte of text. */
const LAST_BYTE = "\u00ff" as ByteKey;

/** Words as they are written, with about the number of documents that have them. */
export type SpelledWords = ReadonlyMap<string, number>;

/** Keys from `from` on, below `to`. */
export interface WordRange {
  readonly from: ByteKey;
  readonly to: ByteKey;
}

/** Keys of a word: its own first, then those in the other orders. */
export function keysOfWord(word: string): readonly [own: ByteKey, ...others: ByteKey[]] {
  const letters = Array.from(word);
  const keys: [ByteKey, ByteKey] = [keyOf(word), keyOf(`${BACKWARD}${[...letters].reverse().join("")}`)];
  if (letters.length < LEAST_MIDDLE) return keys;
  const front = letters.slice(0, FRONT_LETTERS).join("");
  return [...keys, keyOf(`${MIDDLE}${word.slice(front.length)}${KEY_SEPARATOR}${front}`)];
}

/** Where every word stands once. */
export const ALL_WORDS: WordRange = { from: FIRST_BYTE, to: LAST_BYTE };

/** Where the words stand that begin with some letters. */
export function rangeOfBeginning(letters: readonly string[]): WordRange {
  return rangeOf(letters.join(""));
}

/** Where the words stand that end with some letters. */
export function rangeOfEnd(letters: readonly string[]): WordRange {
  return rangeOf(`${BACKWARD}${[...letters].reverse().join("")}`);
}

/** Where the long words stand whose letters behind the first `FRONT_LETTERS` begin with some letters. */
export function rangeOfMiddle(letters: readonly string[]): WordRange {
  return rangeOf(`${MIDDLE}${letters.join("")}`);
}

/** Words of some entries, each once, whichever keys they stand under. @throws {FormatError}. */
export function decodeSpelling(entries: Iterable<readonly [ByteKey, Uint8Array]>): SpelledWords {
  const words = new Map<string, number>();
  for (const [key, value] of entries) {
    const reader = new ByteReader(value, "spelling");
    words.set(wordOfKey(key), decodeLength(reader.readByte()));
    reader.expectEnd();
  }
  return words;
}

function rangeOf(beginning: string): WordRange {
  const from = keyOf(beginning);
  return { from, to: `${from}${LAST_BYTE}` as ByteKey };
}

function wordOfKey(key: ByteKey): string {
  const text = textOfKey(key);
  if (text.startsWith(MIDDLE)) {
    const [rest = "", front = ""] = text.slice(MIDDLE.length).split(KEY_SEPARATOR);
    return front + rest;
  }
  return text.startsWith(BACKWARD) ? Array.from(text.slice(BACKWARD.length)).reverse().join("") : text;
}

/** Of a gram in more than one of so many documents no list is kept. */
const COMMON_SHARE = 3;

/** Documents that hold a gram, ascending, or that there are too many of them to list. */
type GramDocuments = Uint32Array | "common";

/**
 * Bytes of a gram's documents in a shard of `total` documents.
 *
 * @param count How many hold it, one at least.
 * @param list What `encodeNumbers` makes of them.
 */
export function encodeTrigram(count: number, total: number, list: () => Uint8Array): Uint8Array {
  return count * COMMON_SHARE > total ? encodeNumbers([]) : list();
}

/** The documents of a gram, deleted ones too. @throws {FormatError} on bytes that are no such value. */
export function decodeTrigram(bytes: Uint8Array): GramDocuments {
  const documents = decodeNumbers(bytes, "trigram");
  // A gram that no document holds has no key, so an empty list is free to say "common".
  return documents.length === 0 ? "common" : documents;
}
