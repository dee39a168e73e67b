/**
 * Keys of the tables `trigrams` and `spelling`.
 *
 * A gram is four characters inside a word, the last three of a word, or two of Chinese, Japanese or Korean. Each character
 * is classified by itself, so a text that lacks a gram of a pattern lacks the pattern. Three characters of a pattern are
 * looked up as the beginning of a gram. Only case is folded: `é` as one character and as `e` with an accent are two texts,
 * as they are to `grep`.
 */

import { foldCase } from "./normalize.ts";

/** Stands where a gram has no further character. */
export const NO_CHARACTER = -1;

/** Receives a gram as code points; what it lacks is `NO_CHARACTER`. */
type GramVisitor = (first: number, second: number, third: number, fourth: number) => void;

const BREAK = 0;
const NARROW = 1;
const WIDE = 2;

const WIDE_CHARACTER = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]$/u;
const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}_]$/u;

/** Kinds of the characters met so far: telling by regular expression costs more than the rest. */
const kinds = new Map<number, number>();
/** All characters of the BMP with room to spare; a text with more different ones is noise. */
const MAX_KINDS = 100_000;

/**
 * Visit the grams of a text, each as often as it comes.
 *
 * @param folded A text that went through `foldCase`.
 */
export function visitGrams(folded: string, visit: GramVisitor): void {
  // The last three characters of the word so far, and the last wide one.
  let a = NO_CHARACTER;
  let b = NO_CHARACTER;
  let c = NO_CHARACTER;
  let wide = NO_CHARACTER;
  for (let at = 0; at < folded.length; at++) {
    const code = folded.codePointAt(at) as number;
    if (code > 0xffff) at++;
    const kind = kindOf(code);
    if (kind === NARROW) {
      if (a !== NO_CHARACTER) visit(a, b, c, code);
      a = b;
      b = c;
      c = code;
      wide = NO_CHARACTER;
      continue;
    }
    if (a !== NO_CHARACTER) visit(a, b, c, NO_CHARACTER);
    a = NO_CHARACTER;
    b = NO_CHARACTER;
    c = NO_CHARACTER;
    if (kind === WIDE && wide !== NO_CHARACTER) visit(wide, code, NO_CHARACTER, NO_CHARACTER);
    wide = kind === WIDE ? code : NO_CHARACTER;
  }
  if (a !== NO_CHARACTER) visit(a, b, c, NO_CHARACTER);
}

/**
 * What every text that holds this text has grams for, each once: grams, and of words of three characters those, which
 * are whole grams or the beginning of some.
 */
export function gramsOf(text: string): string[] {
  const grams = new Set<string>();
  let last = "";
  visitGrams(foldCase(text), (first, second, third, fourth) => {
    const gram = gramOf(first, second, third, fourth);
    // The end of a longer word says less than the gram before it.
    const isEnd = third !== NO_CHARACTER && fourth === NO_CHARACTER;
    if (!isEnd || !last.endsWith(gram)) grams.add(gram);
    last = gram;
  });
  return [...grams];
}

/** Whether a gram of `gramsOf` is looked for as the beginning of keys too. */
export function isBeginning(gram: string): boolean {
  return Array.from(gram).length === 3;
}

/** The gram of these code points as text, which is its key. */
export function gramOf(first: number, second: number, third: number, fourth: number): string {
  if (third === NO_CHARACTER) return String.fromCodePoint(first, second);
  return fourth === NO_CHARACTER
    ? String.fromCodePoint(first, second, third)
    : String.fromCodePoint(first, second, third, fourth);
}

function kindOf(code: number): number {
  if (code < 0x80) {
    const isWord = (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
    // Folded texts hold no capitals of ASCII, but a caller that forgot to fold would get silence.
    return isWord || (code >= 0x41 && code <= 0x5a) ? NARROW : BREAK;
  }
  const known = kinds.get(code);
  if (known !== undefined) return known;
  const character = String.fromCodePoint(code);
  const kind = WIDE_CHARACTER.test(character) ? WIDE : WORD_CHARACTER.test(character) ? NARROW : BREAK;
  if (kinds.size < MAX_KINDS) kinds.set(code, kind);
  return kind;
}

const SHORTEST = 3;
/** Nobody types a longer word by hand and gets it wrong by one letter. */
const LONGEST = 32;
const LETTERS = /^[\p{L}\p{M}]+$/u;

/** True for a folded word that can be corrected, and be what another word is corrected to. */
export function isSpellable(word: string): boolean {
  return word.length >= SHORTEST && word.length <= LONGEST && LETTERS.test(word);
}
