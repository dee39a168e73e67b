/**
 * The grams of a file's text (`src/core/text/word-keys.ts`): keys of the table `trigrams`, and what tells without a further look that
 * an expression cannot match.
 */
import type { Need } from "../../src/core/search/grep-needs.ts";
import { foldCase } from "../../src/core/text/normalize.ts";
import { gramOf, NO_CHARACTER, visitGrams } from "../../src/core/text/word-keys.ts";

export interface Grams {
  /** Those of ASCII, as numbers to the base of the alphabet's size. */
  readonly ascii: Uint32Array;
  readonly others: readonly string[];
}

/** Characters of ASCII words, folded, and a sign for the end of a word. */
const ALPHABET = "0123456789_abcdefghijklmnopqrstuvwxyz.";
const BASE = ALPHABET.length;
const END = BASE - 1;
/** Above the number of each gram of ASCII. */
export const GRAM_NUMBERS = BASE ** 4;
const DIGITS = Uint8Array.from({ length: 0x80 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)));

/** A bit for each ASCII gram of the text that was looked at last: in bytes they would not stay near the processor. */
const seen = new Uint32Array(GRAM_NUMBERS / 32 + 1);
let marked = new Uint32Array();

function isSeen(number: number): boolean {
  return ((seen[number >>> 5] as number) & (1 << (number & 31))) !== 0;
}

/** Marks a gram. Whether it was not marked before. */
function see(number: number): boolean {
  if (isSeen(number)) return false;
  seen[number >>> 5] = (seen[number >>> 5] as number) | (1 << (number & 31));
  return true;
}

export function collectGrams(text: string): Grams {
  markGrams(new Uint32Array());
  const ascii: number[] = [];
  const others = new Set<string>();
  visitGrams(foldCase(text), (first, second, third, fourth) => {
    const number = numberOf(first, second, third, fourth);
    if (number < 0) others.add(gramOf(first, second, third, fourth));
    else if (see(number)) ascii.push(number);
  });
  marked = new Uint32Array(ascii);
  return { ascii: marked, others: [...others] };
}

/** Number of a gram; -1 where it is none of ASCII. */
function numberOf(first: number, second: number, third: number, fourth: number): number {
  const isAscii = first < 0x80 && second < 0x80 && third < 0x80 && third !== NO_CHARACTER && !(fourth >= 0x80);
  if (!isAscii) return -1;
  const start = ((DIGITS[first] as number) * BASE + (DIGITS[second] as number)) * BASE + (DIGITS[third] as number);
  return start * BASE + (DIGITS[fourth] ?? END);
}

function markGrams(ascii: Uint32Array<ArrayBuffer>): void {
  if (ascii === marked) return;
  for (const number of marked) seen[number >>> 5] = 0;
  for (const number of ascii) see(number);
  marked = ascii;
}

export function nameOfGram(number: number): string {
  const at = (place: number): string => ALPHABET[Math.floor(number / BASE ** place) % BASE] as string;
  return at(3) + at(2) + at(1) + (number % BASE === END ? "" : at(0));
}

/** Whether a text with these grams may hold what is needed. Never false where it does. */
export function mayHold(grams: Grams, need: Need): boolean {
  switch (need.kind) {
    case "nothing":
      return true;
    case "all":
      return need.needs.every((one) => mayHold(grams, one));
    case "one":
      return need.needs.some((one) => mayHold(grams, one));
    case "gram":
      return hasGram(grams, need.gram);
  }
}

function hasGram({ ascii, others }: Grams, gram: string): boolean {
  const number = numberOf(gram.charCodeAt(0), gram.charCodeAt(1), gram.charCodeAt(2), gram.charCodeAt(3));
  markGrams(ascii as Uint32Array<ArrayBuffer>);
  const isOther = (): boolean => others.some((other) => other.startsWith(gram));
  if (number < 0) return isOther();
  if (gram.length > 3) return isSeen(number);
  // What comes behind three characters is not said: another character of the word, or its end.
  for (let last = number - END; last <= number; last++) if (isSeen(last)) return true;
  return isOther();
}
