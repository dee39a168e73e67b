/**
 * The first sentence of a text, and how many words a text has.
 *
 * Pure: text in, values out. No I/O, no clock.
 */
import { cutText } from "../../../src/core/text/short-text.ts";

/** A summary stands beside a title in outlines; two lines of a terminal are enough. */
const MAX_SUMMARY_CHARS = 160;

/** How far a sentence end is looked for: beyond it the summary is cut anyway. */
const SENTENCE_WINDOW_CHARS = MAX_SUMMARY_CHARS + 1;

/** A full stop after one of these never ends a sentence. */
const NEVER_FINAL = new Set(["e.g", "i.e", "cf", "vs", "viz", "approx", "resp", "dr", "mr", "mrs", "ms", "prof", "st"]);

/** A full stop after one of these ends a sentence only before a capital letter. */
const SOMETIMES_FINAL = new Set([
  "etc",
  "al",
  "no",
  "fig",
  "eq",
  "sec",
  "inc",
  "ltd",
  "co",
  "corp",
  "jr",
  "sr",
  "a.k.a",
]);

const SENTENCE_END = /[.!?\u2026]+["'\u2019\u201d)\]]*(?=\s|$)|[\u3002\uff01\uff1f]/g;
const LAST_WORD = /[\p{L}\p{N}.]+$/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const NON_ASCII = /[^\0-\x7f]/;

/** The first sentence of the text, at most 160 characters; a longer one is cut after a word and marked with `…`. */
export function summarize(text: string): string {
  const window = text.slice(0, SENTENCE_WINDOW_CHARS);
  SENTENCE_END.lastIndex = 0;
  for (let match = SENTENCE_END.exec(window); match !== null; match = SENTENCE_END.exec(window)) {
    const end = match.index + match[0].length;
    if (end > MAX_SUMMARY_CHARS) break;
    if (endsSentence(window, match.index, end)) return window.slice(0, end);
  }
  return cutAtWord(text, MAX_SUMMARY_CHARS);
}

/** At most `limit` characters of the text, cut after a word and marked with `…` when something is missing. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = cutText(text, limit - 1);
  const space = text[head.length] === " " ? head.length : head.lastIndexOf(" ");
  // A first "word" of nearly the whole length (Chinese, a long URL) is cut inside.
  const kept = space > limit / 2 ? head.slice(0, space) : head;
  return `${kept.replace(/[\s,;:(\u2013\u2014-]+$/, "")}…`;
}

/** Number of words: runs of letters and digits of any script. */
export function countWords(text: string): number {
  if (NON_ASCII.test(text)) return text.match(WORD)?.length ?? 0;
  let words = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isWordPart = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
    if (isWordPart && !inWord) words++;
    inWord = isWordPart;
  }
  return words;
}

function endsSentence(text: string, stop: number, end: number): boolean {
  if (text[stop] !== ".") return true;
  const rest = text.slice(end).trimStart();
  if (rest === "") return true;
  const nextIsLower = /^\p{Ll}/u.test(rest);
  // An ellipsis before a small letter is a pause.
  if (text[stop + 1] === ".") return !nextIsLower;
  const word = LAST_WORD.exec(text.slice(0, stop))?.[0].toLowerCase() ?? "";
  if (NEVER_FINAL.has(word)) return false;
  if (SOMETIMES_FINAL.has(word)) return !nextIsLower && !/^\p{N}/u.test(rest);
  // An initial (`J. Smith`), or the number of a list item (`1. Install`).
  return !/^\p{L}$/u.test(word) && !(/^\p{N}+$/u.test(word) && word.length === stop);
}
