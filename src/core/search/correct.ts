/**
 * Words that no document holds: what was probably meant by them.
 *
 * Words of four letters or more are looked up, unless they look like names. A candidate is at most one edit away, two
 * from eight letters on; a swap of neighbours is one edit (optimal string alignment). Nearest first, then those that begin
 * with the same letter, then those of the same letters, then the most frequent. Where nothing is near, longer words that
 * begin with the letters stand in. Only words of access groups that the caller may see are candidates.
 */

import type { IndexReader } from "../index/index-reader.ts";
import type { Analyzers } from "../text/analyze.ts";
import { analyzeQuery } from "../text/analyze-query.ts";
import { compareNames } from "../text/compare-names.ts";
import { createDistance } from "../text/nearest.ts";
import { isSpellable } from "../text/spellable.ts";
import { readNearWords } from "./near-words.ts";
import type { QueryWord } from "./query-words.ts";
import { MAX_LONGER_WORDS } from "./read-words.ts";
import type { WordPostings } from "./statistics.ts";

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

/** A word that was replaced. */
export interface Correction {
  /** As the person wrote it. */
  readonly written: string;
  /** What was searched for in its place. */
  readonly corrected: string;
}

/** What stands in for the unknown words of a query. */
export interface Replacements {
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
  const measure = createDistance(word);
  const letters = sortLetters(word);
  let best: Rated | undefined;
  for (const [spelled, count] of counts) {
    const most = best?.errors ?? allowed;
    if (Math.abs(spelled.length - word.length) > most) continue;
    const errors = measure(spelled, most);
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
