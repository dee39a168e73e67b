/**
 * Words that no document holds: what was probably meant by them.
 *
 * Words of four letters or more are looked up, unless they look like names. A candidate is at most one edit away, two
 * from eight letters on; a swap of neighbours is one edit (optimal string alignment). Most absent words are real ones, which
 * the documents happen not to use, so only likely slips are corrected: none that changes the first letter or the ending, in
 * which opposites and other forms differ, and few in short words. Nearest first, then those of the same letters, then the most
 * frequent. Where nothing is near, longer words that begin with the letters stand in. Only words of access groups that the
 * caller may see are candidates.
 */

import { type ByteKey, KEY_SEPARATOR } from "../bytes/key.ts";
import {
  ALL_WORDS,
  decodeSpelling,
  FRONT_LETTERS,
  keysOfWord,
  rangeOfBeginning,
  rangeOfEnd,
  rangeOfMiddle,
  type SpelledWords,
  type WordRange,
} from "../format/word-tables.ts";
import { entriesOf, type IndexReader, type TableRead } from "../index/index-reader.ts";
import type { Analyzers } from "../text/analyze.ts";
import { analyzeQuery } from "../text/analyze-query.ts";
import { compareNames } from "../text/names.ts";
import { editDistance } from "../text/nearest.ts";
import { isSpellable } from "../text/word-keys.ts";
import type { QueryWord } from "./query.ts";
import { MAX_LONGER_WORDS } from "./read-words.ts";
import type { WordPostings } from "./scoring.ts";

/** Where there are no more terms than this, all words are read: they are a few kilobytes. */
const FEW_TERMS = 1_000;

/** From so many letters on, words like the mistyped one in the middle are read. */
const LEAST_WITH_MIDDLE = 9;

/** Chunks that are read for one beginning or end, about 18 kB: below a hundred thousand words hardly any needs more. */
const MAX_NEAR_CHUNKS = 64;

/** Words of one query that are looked up; a query of more unknown words is in another language. */
const MAX_CORRECTED = 8;
/** Shorter words have too many neighbours to guess from. */
const LEAST_CORRECTED = 4;
/** From this length on, a word in capitals may be an ordinary word that somebody shouts. */
const LEAST_SHOUTED = 6;
/** From this length on, two edits are allowed. */
const TWO_EDITS_FROM = 8;
/** From so many letters on, one letter or two are slips and no other word, and one of the rare letters of a frequent word. */
const LEAST_WRONG = 5;
const LEAST_OF_FREQUENT = 4;
const LEAST_TWICE_WRONG = 9;
/** A word is frequent that one document in so many has. */
const FREQUENT = 20;
/** Rows of a keyboard, each half a key to the right of the one above. */
const KEYS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const VOWELS = "aeiouy";
/** Shortest beginning that longer words stand in for. */
const LEAST_BEGINNING = 3;

const JOINED = /[-_‐‑]/;

export interface Correction {
  /** As the person wrote it. */
  readonly written: string;
  /** What was searched for in its place. */
  readonly corrected: string;
}

/** What stands in for the unknown words of a query. */
interface Replacements {
  /** The words of the query, corrected ones replaced. */
  readonly words: readonly QueryWord[];
  readonly corrections: readonly Correction[];
  /** Indexes of the words that changed. */
  readonly changed: ReadonlySet<number>;
}

/** Look for replacements of the words at `missing`. Reads words near them, in one wave, when a word can be looked up. */
export async function correctWords(
  reader: IndexReader,
  words: readonly QueryWord[],
  missing: readonly number[],
  analyzers: Analyzers,
): Promise<Replacements> {
  const wanted = missing.filter((at) => isCorrectable(words[at] as QueryWord)).slice(0, MAX_CORRECTED);
  const corrections: Correction[] = [];
  const changed = new Set<number>();
  if (wanted.length === 0) return { words, corrections, changed };
  const mistyped = wanted.map((at) => (words[at] as QueryWord).word);
  const counts = await readNearWords(
    reader,
    mistyped.map((word) => ({ word, edits: allowedEdits(word) })),
  );
  const replaced = [...words];
  const frequent = reader.shards.reduce((sum, { root }) => sum + root.documents, 0) / FREQUENT;
  const isStop = (spelled: string): boolean => analyzeQuery(spelled, analyzers).every(({ stop }) => stop);
  for (const at of wanted) {
    const word = words[at] as QueryWord;
    const { best, spelled } = findMeant(word, counts, frequent);
    // A slip in a word that says nothing is nothing to search for.
    if (best !== undefined && isStop(best)) continue;
    const terms = [...new Set(spelled.flatMap((one) => analyzeQuery(one, analyzers).flatMap(({ terms: own }) => own)))];
    if (terms.length === 0) continue;
    replaced[at] = { ...word, terms, word: best ?? word.word, isPrefix: false, isBeginning: best === undefined };
    // What begins as a beginning asks is no correction: stems are shorter than words, so they were not found by it.
    if (!word.isPrefix || best !== undefined)
      corrections.push({ written: word.written, corrected: best ?? `${word.written}…` });
    changed.add(at);
  }
  return { words: replaced, corrections, changed };
}

function isCorrectable({ isQuoted, word, written }: QueryWord): boolean {
  return !isQuoted && isSpellable(word) && word.length >= LEAST_CORRECTED && !isName(written) && !JOINED.test(written);
}

/** The word that was probably meant, or longer ones that begin with it: those first where a beginning was asked for. */
function findMeant(
  { word, isPrefix }: QueryWord,
  counts: ReadonlyMap<string, number>,
  frequent: number,
): { readonly best: string | undefined; readonly spelled: readonly string[] } {
  const begun = isPrefix ? findLonger(word, counts) : [];
  const best = begun.length > 0 ? undefined : findNearest(word, counts, frequent);
  if (best !== undefined) return { best, spelled: [best] };
  return { best, spelled: isPrefix ? begun : findLonger(word, counts) };
}

/** Short words in capitals and words in mixed case are names, and a name that is not in the index is no slip. */
function isName(written: string): boolean {
  if (!/\p{L}.*\p{Lu}/u.test(written)) return false;
  return written.length < LEAST_SHOUTED || written !== written.toUpperCase();
}

function allowedEdits(word: string): 1 | 2 {
  return word.length >= TWO_EDITS_FROM ? 2 : 1;
}

/** @param frequent So many documents have a frequent word. */
function findNearest(word: string, counts: ReadonlyMap<string, number>, frequent: number): string | undefined {
  const allowed = allowedEdits(word);
  const letters = sortLetters(word);
  let best: Rated | undefined;
  for (const [spelled, count] of counts) {
    const most = best?.errors ?? allowed;
    const errors = countSlips(word, spelled, most, count >= frequent);
    if (errors > most) continue;
    const candidate = { spelled, errors, sameLetters: sortLetters(spelled) === letters, count };
    if (best === undefined || isBetter(candidate, best)) best = candidate;
  }
  return best?.spelled;
}

/** Slips that make `word` of `spelled`, or of its plural or singular; more than `most` where that is unlikely. */
function countSlips(word: string, spelled: string, most: number, isFrequent: boolean): number {
  const errors = editDistance(word, spelled, most);
  if (errors > 0 && errors <= most && isLikelySlip(word, spelled, errors, isFrequent)) return errors;
  if (word.endsWith("s") === spelled.endsWith("s")) return most + 1;
  const [one, other] = word.endsWith("s") ? [word.slice(0, -1), spelled] : [word, spelled.slice(0, -1)];
  const further = countSlips(one, other, 1, isFrequent);
  return further > 1 ? most + 1 : further;
}

/**
 * Whether somebody who means `spelled` may have typed `word`. Words that differ at their beginning or end are mostly two words
 * (`unhandled`, `handled`; `harden`, `harder`), as short ones are that differ anywhere, but for letters swapped or doubled.
 */
function isLikelySlip(word: string, spelled: string, errors: number, isFrequent: boolean): boolean {
  const { front, typed, meant } = findDifference(word, spelled);
  const isSwap = typed.length === 2 && typed[0] === meant[1] && typed[1] === meant[0];
  const least = errors > 1 ? LEAST_TWICE_WRONG : isFrequent ? LEAST_OF_FREQUENT : LEAST_WRONG;
  if (front === 0) return isSwap && word.length >= LEAST_WRONG;
  if (isSwap || (errors === 1 && word.length > LEAST_CORRECTED && typed + meant === word[front - 1])) return true;
  const isEnding = front + Math.max(typed.length, meant.length) >= Math.max(word.length, spelled.length);
  if (isEnding || Math.min(word.length, spelled.length) < least) return false;
  return Math.abs(word.length - spelled.length) < 2 && isMadeBySlips(word, spelled, errors);
}

/** Whether so many swaps, letters left out or put in, and letters taken for others that are like them make the one word of the other. */
function isMadeBySlips(word: string, spelled: string, errors: number): boolean {
  const { typed, meant } = findDifference(word, spelled);
  const [first = "", second] = typed;
  const [other = "", next] = meant;
  if (errors === 0 || typed + meant === "") return typed + meant === "";
  return (
    (first === next && second === other && isMadeBySlips(typed.slice(2), meant.slice(2), errors - 1)) ||
    (isTakenFor(first, other) && isMadeBySlips(typed.slice(1), meant.slice(1), errors - 1)) ||
    isMadeBySlips(typed.slice(1), meant, errors - 1) ||
    isMadeBySlips(typed, meant.slice(1), errors - 1)
  );
}

/** Whether two letters are vowels, or neighbours on a keyboard. */
function isTakenFor(letter: string, other: string): boolean {
  if (VOWELS.includes(letter) && VOWELS.includes(other)) return true;
  const [row, otherRow] = [letter, other].map((one) => KEYS.findIndex((keys) => keys.includes(one))) as [
    number,
    number,
  ];
  if (row < 0 || otherRow < 0) return false;
  const rows = Math.abs(row - otherRow);
  const [place, otherPlace] = [
    (KEYS[row] as string).indexOf(letter) + row / 2,
    (KEYS[otherRow] as string).indexOf(other) + otherRow / 2,
  ];
  return rows < 2 && Math.abs(place - otherPlace) <= 1 - rows / 2;
}

/** Two words without their common beginning, of `front` letters, and end. */
function findDifference(
  word: string,
  spelled: string,
): { readonly front: number; readonly typed: string; readonly meant: string } {
  let front = 0;
  while (front < word.length && word[front] === spelled[front]) front++;
  let back = 0;
  const most = Math.min(word.length, spelled.length) - front;
  while (back < most && word.at(-1 - back) === spelled.at(-1 - back)) back++;
  return { front, typed: word.slice(front, word.length - back), meant: spelled.slice(front, spelled.length - back) };
}

function sortLetters(word: string): string {
  return Array.from(word).sort().join("");
}

interface Rated {
  readonly spelled: string;
  readonly errors: number;
  /** The letters that were written, in another order: a swap leaves nothing to guess. */
  readonly sameLetters: boolean;
  readonly count: number;
}

function isBetter(a: Rated, b: Rated): boolean {
  if (a.errors !== b.errors) return a.errors < b.errors;
  if (a.sameLetters !== b.sameLetters) return a.sameLetters;
  return a.count !== b.count ? a.count > b.count : a.spelled < b.spelled;
}

/** The most frequent words that begin with these letters. */
function findLonger(word: string, counts: ReadonlyMap<string, number>): string[] {
  if (word.length < LEAST_BEGINNING) return [];
  return [...counts]
    .filter(([spelled]) => spelled.startsWith(word))
    .sort(([a, x], [b, y]) => y - x || compareNames(a, b))
    .slice(0, MAX_LONGER_WORDS)
    .map(([spelled]) => spelled);
}

/** A corrected word can be one that the query has already: it counts once more, as one word. */
export function mergeEqual(words: readonly WordPostings[]): WordPostings[] {
  const merged = new Map<string, WordPostings>();
  for (const word of words) {
    const known = merged.get(word.term);
    merged.set(word.term, known === undefined ? word : { ...known, count: known.count + word.count });
  }
  return [...merged.values()];
}

/*
 * Reading the words that a mistyped one may be a slip of, in one round: those like it at the beginning, at the end, and of
 * long words those like it in the middle.
 *
 * One slip leaves one half of a word as it is; only a swap in the very middle touches both, and makes a single word, which
 * is read too. Two slips leave the first letters, the last ones, or with one at either end what is between, moved by at most
 * one letter. (Not read: two slips at both ends of a word of eight letters, which leave too little between, and of these a
 * swap over the border of an end.) Words that go on from what was typed are among those that begin like it.
 *
 * What is taken depends on the words alone, not on how they lie in chunks: a build on a base answers like one from scratch.
 */

/** A word that no document holds. */
interface MistypedWord {
  readonly word: string;
  /** Slips that are allowed. */
  readonly edits: 1 | 2;
}

/** Words near the mistyped ones, and those that they begin, with their documents summed over the visible shards. */
export async function readNearWords(reader: IndexReader, mistyped: readonly MistypedWord[]): Promise<SpelledWords> {
  const terms = reader.shards.reduce((sum, { root }) => sum + root.terms, 0);
  const ranges = mistyped.flatMap((word) => listRanges(word, terms <= FEW_TERMS));
  const reads = reader.shards.flatMap(({ index }) =>
    ranges.map(
      (range): TableRead => ({ shard: index, table: "spelling", keys: { ...range, maxChunks: MAX_NEAR_CHUNKS } }),
    ),
  );
  const { tables } = await reader.read(reads);
  const counts = new Map<string, number>();
  for (const shard of reader.shards.keys()) {
    const near = new Map<ByteKey, Uint8Array>();
    for (const [at, { from, to }] of ranges.entries()) {
      const chunks = tables[shard * ranges.length + at] ?? [];
      for (const [key, value] of entriesOf(chunks)) if (key >= from && key < to) near.set(key, value);
    }
    for (const [word, count] of decodeSpelling(near)) counts.set(word, (counts.get(word) ?? 0) + count);
  }
  return counts;
}

function listRanges({ word, edits }: MistypedWord, isSmall: boolean): WordRange[] {
  if (isSmall) return [ALL_WORDS];
  const letters = Array.from(word);
  const count = letters.length;
  if (edits === 1) {
    const half = Math.floor(count / 2);
    const [swapped] = keysOfWord(swapAt(letters, half).join(""));
    return [
      rangeOfBeginning(letters.slice(0, half)),
      rangeOfEnd(letters.slice(half)),
      { from: swapped, to: `${swapped}${KEY_SEPARATOR}` as ByteKey },
    ];
  }
  const back = count - Math.max(FRONT_LETTERS, Math.floor((count - 1) / 3));
  const ranges = [rangeOfBeginning(letters.slice(0, FRONT_LETTERS)), rangeOfEnd(letters.slice(back))];
  if (count < LEAST_WITH_MIDDLE) return ranges;
  // The middle as it is, and where the slip in front left a letter out or put one in.
  const starts = [FRONT_LETTERS - 1, FRONT_LETTERS, FRONT_LETTERS + 1];
  return [...ranges, ...starts.map((start) => rangeOfMiddle(letters.slice(start, back)))];
}

/** The letters with the one at an index and the one before it swapped. */
function swapAt(letters: readonly string[], index: number): string[] {
  const [before = "", after = ""] = letters.slice(index - 1, index + 1);
  return [...letters.slice(0, index - 1), after, before, ...letters.slice(index + 1)];
}
