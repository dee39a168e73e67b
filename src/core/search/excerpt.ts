/**
 * Excerpts: the window of a section's text where the query's words stand densest, with every match marked.
 *
 * Pure: text in, marked parts out.
 */
import { visitTerms } from "../text/analyze.ts";
import { dropHeading, stripMarkup } from "../text/markup.ts";
import type { ExcerptPart } from "./answer.ts";

/** Words an excerpt has. */
const WINDOW_WORDS = 30;
/** A cut is moved to the end of a sentence or line when one is this near, in words. */
const SNAP_WORDS = 8;
/** Longest excerpt whatever the words' lengths. */
const MAX_CHARACTERS = 360;

interface Word {
  readonly start: number;
  readonly end: number;
  /** Weight of the term that it matches, 0 when none. */
  weight: number;
  /** Number of the term that it matches, for counting different ones. */
  term: number;
}

/**
 * The best window of a unit's source.
 *
 * @param weights Weight of each term that counts; a window is worth the sum over its matches, repeated ones at less.
 * @param isStart Whether the source begins the file (frontmatter is left out then).
 */
export function makeExcerpt(source: string, weights: ReadonlyMap<string, number>, isStart: boolean): ExcerptPart[] {
  const whole = stripMarkup(source, isStart);
  const withoutHeading = stripMarkup(dropHeading(source), isStart);
  for (const text of [withoutHeading, whole]) {
    const words = findWords(text, weights);
    if (words.some((word) => word.weight > 0)) return mark(text, words, bestWindow(text, words));
  }
  const words = findWords(withoutHeading, weights);
  return mark(withoutHeading, words, { first: 0, last: Math.min(words.length, WINDOW_WORDS) - 1 });
}

function findWords(text: string, weights: ReadonlyMap<string, number>): Word[] {
  const words: Word[] = [];
  const numbers = new Map<string, number>();
  visitTerms(text, (term, kind, _stop, start, end) => {
    const weight = weights.get(term) ?? 0;
    const last = words.at(-1);
    if (weight > 0 && !numbers.has(term)) numbers.set(term, numbers.size);
    // A part lies inside its whole: the two are one word of the text, and the heavier match counts.
    if (last !== undefined && (kind === "part" ? start < last.end : start === last.start)) {
      if (weight > last.weight) {
        last.weight = weight;
        last.term = numbers.get(term) ?? -1;
      }
      return;
    }
    words.push({ start, end, weight, term: numbers.get(term) ?? -1 });
  });
  return words;
}

interface Window {
  readonly first: number;
  readonly last: number;
}

/** Slide over the words: a first match of a term counts whole, each further one a quarter. */
function bestWindow(text: string, words: readonly Word[]): Window {
  const counts = new Map<number, number>();
  let value = 0;
  let best = -1;
  let bestFirst = 0;
  for (let last = 0; last < words.length; last++) {
    value += gain(words[last] as Word, counts, 1);
    const first = last - WINDOW_WORDS + 1;
    if (first > 0) value -= gain(words[first - 1] as Word, counts, -1);
    if (value > best + 1e-9) {
      best = value;
      bestFirst = Math.max(0, first);
    }
  }
  return snap(text, words, bestFirst);
}

function gain(word: Word, counts: Map<number, number>, step: 1 | -1): number {
  if (word.weight === 0) return 0;
  const before = counts.get(word.term) ?? 0;
  counts.set(word.term, before + step);
  const isOnly = step === 1 ? before === 0 : before === 1;
  return isOnly ? word.weight : word.weight / 4;
}

/** Move the window so that it begins with a sentence where one begins near, without losing its first match. */
function snap(text: string, words: readonly Word[], first: number): Window {
  let end = Math.min(words.length - 1, first + WINDOW_WORDS - 1);
  let firstMatch = first;
  while (firstMatch < end && (words[firstMatch] as Word).weight === 0) firstMatch++;
  // The window ends with its last match more often than not; some words behind it read better than words far before.
  let begin = first;
  for (let i = firstMatch; i > Math.max(0, firstMatch - WINDOW_WORDS / 2); i--) {
    if (startsSentence(text, words, i)) {
      begin = i;
      break;
    }
  }
  if (firstMatch - begin > WINDOW_WORDS / 2) begin = Math.max(0, firstMatch - SNAP_WORDS);
  end = Math.min(words.length - 1, begin + WINDOW_WORDS - 1);
  for (let i = end; i > Math.max(firstMatch, end - SNAP_WORDS); i--) {
    if (i + 1 < words.length && startsSentence(text, words, i + 1)) {
      end = i;
      break;
    }
  }
  while (end > firstMatch && (words[end] as Word).end - (words[begin] as Word).start > MAX_CHARACTERS) end--;
  return { first: begin, last: end };
}

function startsSentence(text: string, words: readonly Word[], index: number): boolean {
  if (index === 0) return true;
  const between = text.slice((words[index - 1] as Word).end, (words[index] as Word).start);
  return /[.!?…:]["')\]]*\s|\n/.test(between);
}

function mark(text: string, words: readonly Word[], window: Window): ExcerptPart[] {
  const begin = words[window.first];
  const end = words[window.last];
  if (begin === undefined || end === undefined) return [];
  const parts: ExcerptPart[] = [];
  const add = (piece: string, marked: boolean): void => {
    const folded = piece.replace(/\s+/g, " ");
    if (folded !== "") parts.push({ text: folded, marked });
  };
  const tail = /^[.!?…)\]"'`;}]*/.exec(text.slice(end.end, end.end + 4))?.[0] ?? "";
  let at = begin.start;
  if (window.first > 0) add("… ", false);
  for (let i = window.first; i <= window.last; i++) {
    const word = words[i] as Word;
    if (word.weight === 0 || word.start < at) continue;
    add(text.slice(at, word.start), false);
    add(text.slice(word.start, word.end), true);
    at = word.end;
  }
  add(text.slice(at, end.end + tail.length), false);
  if (window.last < words.length - 1) add(" …", false);
  return parts;
}
