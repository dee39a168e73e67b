/**
 * Keys and values of the table `spelling`: words as they are written, in three orders.
 *
 * Layout: index-format v1, section 7.4. A word stands under itself, under its letters in reverse, and a long one under what
 * follows its first letters: so the words that begin like a mistyped one lie side by side, and those that end like it, and
 * those that are like it in the middle. Pure.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf, textOfKey } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { decodeLength } from "./quantize.ts";

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
