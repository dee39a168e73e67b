/**
 * Words of a text that may belong to a phrase: what a sign, a number or code stands between does not. Pure.
 */

/** What stands in front of a word: something that ends a phrase, a space, or a hyphen. */
export const BREAK = -1;
export const SPACE = 0;
export const HYPHEN = 1;
export type Tie = typeof BREAK | typeof SPACE | typeof HYPHEN;

/**
 * Receives each word by its place in a text, without a possessive `'s`; a place of no length stands for something else that
 * ends a phrase.
 */
export type WordVisitor = (text: string, start: number, end: number, tie: Tie) => void;

const MAX_LENGTH = 30;
const POSSESSIVE = /['’]s$/;
const APOSTROPHES = /['’]/g;
const WORDS = /^[\p{L}\p{N}\p{M}'’]+(?:[-‐‑][\p{L}\p{N}\p{M}'’]+)*$/u;
const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const NUMBER = /^\p{N}+$/u;

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const WHITE = 3;
const FAR = 4;
const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return LETTER;
  if (/[0-9]/.test(character)) return DIGIT;
  return /\s/.test(character) ? WHITE : OTHER;
});

/** Visit the words of a text in order. */
export function visitPlainWords(text: string, visit: WordVisitor): void {
  let tie: Tie = BREAK;
  let at = 0;
  const { length } = text;
  while (at < length) {
    while (at < length && kindAt(text, at) === WHITE) at++;
    if (at >= length) return;
    const start = at;
    while (at < length && kindAt(text, at) === LETTER) at++;
    const end = at;
    while (at < length && kindAt(text, at) !== WHITE) at++;
    // Most words are letters alone, perhaps with one sign behind them; of the others, patterns tell.
    const signs = at - end;
    if (end > start && end - start <= MAX_LENGTH && (signs === 0 || (signs === 1 && kindAt(text, end) === OTHER))) {
      visit(text, start, end, tie);
      tie = signs === 0 ? SPACE : BREAK;
      continue;
    }
    tie = visitMixed(text.slice(start, at), tie, visit);
  }
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) return KINDS[code] as number;
  return code === 0xa0 || code === 0x2028 || code === 0x2029 || code === 0x3000 ? WHITE : FAR;
}

/** A run of characters that are not all letters; what a word behind it is tied with. */
function visitMixed(run: string, before: Tie, visit: WordVisitor): Tie {
  const inner = run.replace(OUTER_SIGNS, "");
  if (inner === "" || !WORDS.test(inner)) {
    visit("", 0, 0, BREAK);
    return BREAK;
  }
  let tie: Tie = run.startsWith(inner) ? before : BREAK;
  for (const part of inner.split(/[-‐‑]/)) {
    const word = part.replace(POSSESSIVE, "").replace(APOSTROPHES, "");
    const isWord = word !== "" && word.length <= MAX_LENGTH && !NUMBER.test(word);
    if (isWord) visit(word, 0, word.length, tie);
    else visit("", 0, 0, BREAK);
    tie = isWord ? HYPHEN : BREAK;
  }
  const ends = !run.endsWith(inner) || POSSESSIVE.test(inner);
  return ends || tie === BREAK ? BREAK : SPACE;
}
