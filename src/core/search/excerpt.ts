/**
 * Excerpts: the window of a section's text where the query's words stand densest, with every match marked.
 *
 * Pure: text in, marked parts out.
 */
import { type Analyzer, ENGLISH, type TermVisitor, visitTerms } from "../text/analyze.ts";
import { dropHeading, flattenMarkup, stripMarkup } from "../text/markup.ts";
import { shortenText } from "../text/short-text.ts";
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
 * What a unit's source begins: the file (frontmatter is left out then), a section, or nothing, as it goes on with the unit
 * before it; `code` for source code, which is shown as it stands.
 */
export type UnitBegins = "file" | "section" | "nothing" | "code";

/**
 * The best window of a unit's source, without its heading, which is shown beside it: of words that only the heading has,
 * nothing is marked.
 *
 * @param heading Text of the heading of the unit's section, with which the source may begin; `""` for none.
 * @param weights Weight of each term that counts; a window is worth the sum over its matches, repeated ones at less.
 */
export function makeExcerpt(
  source: string,
  heading: string,
  weights: ReadonlyMap<string, number>,
  begins: UnitBegins,
  analyzer: Analyzer = ENGLISH,
): ExcerptPart[] {
  const show = (text: string): ExcerptPart[] => mark(text, findWords(text, weights, analyzer));
  if (begins === "code") return show(source);
  const body = dropHeading(source);
  const hasDropped = body !== source;
  const text = stripMarkup(body, begins === "file");
  // A heading that no sign of its own opens is told by what it says.
  const shown = hasDropped || begins === "nothing" ? text : dropLine(text, heading);
  const words = findWords(shown, weights, analyzer);
  if (words.some(isMatch)) return mark(shown, words);
  const sought = new Map(weights);
  // Words of the heading are shown, but where that is all of the text, those in tags are better than nothing.
  if (!hasDropped || words.length > 0) visitTerms(heading, (term) => sought.delete(term), analyzer);
  // For words that are nowhere shown: of an attribute, say, or of a line of code taken for prose.
  const flat = flattenMarkup(body, begins === "file").find((form) => findWords(form, sought, analyzer).some(isMatch));
  return show(flat ?? shown);
}

/** The text without its first line, where that is the one named. */
function dropLine(text: string, line: string): string {
  return `${text}\n`.startsWith(`${line}\n`) ? text.slice(line.length + 1) : text;
}

function isMatch({ weight }: Word): boolean {
  return weight > 0;
}

function findWords(text: string, weights: ReadonlyMap<string, number>, analyzer: Analyzer): Word[] {
  const words: Word[] = [];
  const numbers = new Map<string, number>();
  const visit: TermVisitor = (term, kind, _stop, start, end) => {
    const weight = weights.get(term) ?? 0;
    const last = words.at(-1);
    if (weight > 0 && !numbers.has(term)) numbers.set(term, numbers.size);
    // A part lies inside its whole, another form on its word: they are one word of the text, and the heavier counts.
    if (last !== undefined && (kind === "word" || kind === "whole" ? start === last.start : start < last.end)) {
      if (weight > last.weight) {
        last.weight = weight;
        last.term = numbers.get(term) ?? -1;
      }
      return;
    }
    words.push({ start, end, weight, term: numbers.get(term) ?? -1 });
  };
  visitTerms(text, visit, analyzer);
  return words;
}

interface Window {
  readonly first: number;
  readonly last: number;
}

/**
 * Slide over the words: a first match of a term counts whole, each further one a quarter. Two different ones side by side
 * count half of the lighter once more: a phrase is worth more than its words apart.
 */
function bestWindow(text: string, words: readonly Word[]): Window {
  const counts = new Map<number, number>();
  let value = 0;
  let best = -1;
  let bestFirst = 0;
  for (let last = 0; last < words.length; last++) {
    value += gain(words[last] as Word, counts, 1) + sideBySide(words[last - 1], words[last] as Word);
    const first = last - WINDOW_WORDS + 1;
    if (first > 0)
      value -= gain(words[first - 1] as Word, counts, -1) + sideBySide(words[first - 1], words[first] as Word);
    if (value > best + 1e-9) {
      best = value;
      bestFirst = Math.max(0, first);
    }
  }
  return snap(text, words, bestFirst);
}

function sideBySide(before: Word | undefined, word: Word): number {
  return before === undefined || before.term === word.term ? 0 : Math.min(before.weight, word.weight) / 2;
}

function gain(word: Word, counts: Map<number, number>, step: 1 | -1): number {
  if (word.weight === 0) return 0;
  const before = counts.get(word.term) ?? 0;
  counts.set(word.term, before + step);
  const isOnly = Math.max(before, before + step) === 1;
  return isOnly ? word.weight : word.weight / 4;
}

/** Move the window so that it begins with a sentence where one begins near, without losing its first match. */
function snap(text: string, words: readonly Word[], first: number): Window {
  // Where nothing matches, a text is shown from its beginning.
  const firstMatch = Math.max(
    first,
    words.findIndex(({ weight }, at) => at >= first && weight),
  );
  // The window ends with its last match more often than not; some words behind it read better than words far before.
  let begin = first;
  for (let i = firstMatch; i > Math.max(0, firstMatch - WINDOW_WORDS / 2); i--) {
    if (startsSentence(text, words, i)) {
      begin = i;
      break;
    }
  }
  if (firstMatch - begin > WINDOW_WORDS / 2) begin = Math.max(0, firstMatch - SNAP_WORDS);
  let end = Math.min(words.length, begin + WINDOW_WORDS) - 1;
  // What fits whole is shown whole.
  const lowestEnd = end === words.length - 1 ? end : Math.max(firstMatch, end - SNAP_WORDS);
  for (let i = end; i > lowestEnd; i--) {
    if (i + 1 < words.length && startsSentence(text, words, i + 1)) {
      end = i;
      break;
    }
  }
  return narrow(words, { first: begin, last: end }, firstMatch);
}

/** Take words off the end and then the start, but not the one at `kept`, until what is left is short enough. */
function narrow(words: readonly Word[], { first, last }: Window, kept: number): Window {
  const isLong = (): boolean => (words[last]?.end ?? 0) - (words[first]?.start ?? 0) > MAX_CHARACTERS;
  while (last > kept && isLong()) last--;
  while (first < kept && isLong()) first++;
  return { first, last };
}

function startsSentence(text: string, words: readonly Word[], index: number): boolean {
  if (index === 0) return true;
  const between = text.slice((words[index - 1] as Word).end, (words[index] as Word).start);
  return /[.!?…:]["')\]]*\s|\n/.test(between);
}

function mark(text: string, words: readonly Word[]): ExcerptPart[] {
  const window = bestWindow(text, words);
  const begin = words[window.first];
  const end = words[window.last];
  if (begin === undefined || end === undefined) return [];
  const parts: ExcerptPart[] = [];
  const add = (piece: string, marked: boolean): void => {
    // One word can be longer than an excerpt may be.
    const folded = shortenText(piece, MAX_CHARACTERS).replace(/\s+/g, " ");
    if (folded !== "") parts.push({ text: folded, marked });
  };
  const tail = /^[.!?…)\]"'`;}>]*/.exec(text.slice(end.end, end.end + 4))?.[0] ?? "";
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
