/**
 * Words that no document holds: what was probably meant by them.
 *
 * Words of four letters or more are looked up, unless they look like names. A candidate is at most one edit away, two
 * from eight letters on; a swap of neighbours is one edit (optimal string alignment). Nearest first, then those that begin
 * with the same letter, then those of the same letters, then the most frequent. Where nothing is near, longer words that
 * begin with the letters stand in. Only words of access groups that the caller may see are candidates.
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
import type { WordPostings } from "./score.ts";

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
/** Shortest beginning that longer words stand in for. */
const LEAST_BEGINNING = 3;

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
  const isStop = (spelled: string): boolean => analyzeQuery(spelled, analyzers).every(({ stop }) => stop);
  for (const at of wanted) {
    const word = words[at] as QueryWord;
    const { best, spelled } = findMeant(word, counts, isStop);
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
  return !isQuoted && isSpellable(word) && word.length >= LEAST_CORRECTED && !isName(written);
}

/** The word that was probably meant, or longer ones that begin with it: those first where a beginning was asked for. */
function findMeant(
  { word, isPrefix }: QueryWord,
  counts: ReadonlyMap<string, number>,
  isStop: (spelled: string) => boolean,
): { readonly best: string | undefined; readonly spelled: readonly string[] } {
  const begun = isPrefix ? findLonger(word, counts) : [];
  const best = begun.length > 0 ? undefined : findNearest(word, counts, isStop);
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

function findNearest(
  word: string,
  counts: ReadonlyMap<string, number>,
  isStop: (spelled: string) => boolean,
): string | undefined {
  const allowed = allowedEdits(word);
  const letters = sortLetters(word);
  let best: Rated | undefined;
  for (const [spelled, count] of counts) {
    const most = best?.errors ?? allowed;
    const errors = editDistance(word, spelled, most);
    if (errors > most || errors === 0) continue;
    const sameStart = spelled[0] === word[0];
    const sameLetters = sortLetters(spelled) === letters;
    const candidate = { spelled, errors, sameStart, sameLetters, count };
    if (best !== undefined && !isBetter(candidate, best)) continue;
    // Nobody who writes "hand" means "and", however many documents have it.
    if (sameStart || !isStop(spelled)) best = candidate;
  }
  return best?.spelled;
}

function sortLetters(word: string): string {
  return Array.from(word).sort().join("");
}

interface Rated {
  readonly spelled: string;
  readonly errors: number;
  readonly sameStart: boolean;
  /** The letters that were written, in another order: a swap leaves nothing to guess. */
  readonly sameLetters: boolean;
  readonly count: number;
}

function isBetter(a: Rated, b: Rated): boolean {
  if (a.errors !== b.errors) return a.errors < b.errors;
  if (a.sameStart !== b.sameStart) return a.sameStart;
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
