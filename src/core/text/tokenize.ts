/**
 * Text to tokens: words, identifiers whole and in parts, bigrams of Chinese, Japanese and Korean.
 *
 * A *run* is letters and digits of any script, joined by `_`, `.`, `-`, `::` or an apostrophe between them, or a
 * package name `@scope/name`. A run that is more than one plain word gives its whole form and its parts
 * (`getUserName`: whole, `get`, `User`, `Name`). Leading and final `.`, `-`, `/` never belong to a run.
 *
 * Pure: text in, tokens out.
 */

/** `word`: a plain word; `whole`: an identifier as written; `part`: a piece of the identifier before it. */
export type TokenKind = "word" | "whole" | "part";

/** Receives each token with its place in the text, in UTF-16 units. */
export type TokenVisitor = (text: string, start: number, end: number, kind: TokenKind) => void;

/** Longer words are cut here, so that one line of noise does not become a key of a kilobyte. */
export const MAX_TOKEN_LENGTH = 64;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_RUN =
  /@[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*\w|[A-Za-z0-9_]+(?:(?:\.|-+|::|')[A-Za-z0-9_]+)*(?:\+\+|#(?![\w#]))?/g;
const UNICODE_RUN =
  /@[\p{L}\p{N}][\p{L}\p{N}_.-]*\/[\p{L}\p{N}][\p{L}\p{N}_.-]*[\p{L}\p{N}_]|[\p{L}\p{N}\p{M}_]+(?:(?:\.|-+|::|['’])[\p{L}\p{N}\p{M}_]+)*(?:\+\+|#(?![\p{L}\p{N}_#]))?/gu;
const PLAIN_WORD = /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|[0-9]+)$/;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/u;
const CASE_PARTS = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^A-Z]+|[A-Z]+/g;
const MIXED_CASE = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/;
const POSSESSIVE = /['’][sS]$/;
const APOSTROPHES = /['’]/g;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]/u;
const CJK_RUNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+/gu;

/** Visit the tokens of a text in order. */
export function visitTokens(text: string, visit: TokenVisitor): void {
  const ascii = ASCII.test(text);
  const pattern = ascii ? ASCII_RUN : UNICODE_RUN;
  for (const match of text.matchAll(pattern)) {
    const run = match[0];
    if (PLAIN_WORD.test(run)) emitWord(run, match.index, match.index + run.length, "word", visit);
    else if (!ascii && CJK.test(run)) visitMixedRun(run, match.index, visit);
    else visitRun(run, match.index, visit);
  }
}

/** A token, cut to the longest length that there is, one unit less where that would cut a surrogate pair. */
export function cutToken(text: string): string {
  if (text.length <= MAX_TOKEN_LENGTH) return text;
  const last = text.charCodeAt(MAX_TOKEN_LENGTH - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_TOKEN_LENGTH - 1 : MAX_TOKEN_LENGTH);
}

function visitRun(written: string, start: number, visit: TokenVisitor): void {
  const end = start + written.length;
  const bare = written.replace(POSSESSIVE, "");
  const run = bare.replace(APOSTROPHES, "");
  const parts = splitParts(run, start);
  const only = parts[0];
  if (parts.length === 0) return;
  if (parts.length === 1 && only !== undefined && only.text.length === run.length) {
    emitWord(run, start, end, "word", visit);
    return;
  }
  const whole = run.replace(/^_+|_+$/g, "");
  if (whole.length > 0 && whole.length <= MAX_TOKEN_LENGTH) visit(whole, start, end, "whole");
  // Parts of a run whose apostrophes were dropped have no exact place of their own.
  const exact = run.length === written.length;
  for (const part of parts) {
    emitWord(part.text, exact ? part.start : start, exact ? part.start + part.text.length : end, "part", visit);
  }
}

interface Part {
  readonly text: string;
  readonly start: number;
}

function splitParts(run: string, start: number): Part[] {
  const parts: Part[] = [];
  let at = start;
  for (const piece of run.split(SEPARATORS)) {
    if (piece.length > 0) {
      at = start + run.indexOf(piece, at - start);
      if (MIXED_CASE.test(piece)) {
        for (const match of piece.matchAll(CASE_PARTS)) parts.push({ text: match[0], start: at + match.index });
      } else {
        parts.push({ text: piece, start: at });
      }
      at += piece.length;
    }
  }
  return parts;
}

/** A run with characters of Chinese, Japanese or Korean: bigrams of those, the rest as usual. */
function visitMixedRun(run: string, start: number, visit: TokenVisitor): void {
  let at = 0;
  for (const match of run.matchAll(CJK_RUNS)) {
    if (match.index > at) visitTokens(run.slice(at, match.index), shift(start + at, visit));
    visitBigrams(match[0], start + match.index, visit);
    at = match.index + match[0].length;
  }
  if (at < run.length) visitTokens(run.slice(at), shift(start + at, visit));
}

function visitBigrams(run: string, start: number, visit: TokenVisitor): void {
  const characters = Array.from(run);
  if (characters.length === 1) visit(run, start, start + run.length, "word");
  let at = start;
  for (let i = 0; i + 1 < characters.length; i++) {
    const bigram = `${characters[i]}${characters[i + 1]}`;
    visit(bigram, at, at + bigram.length, "word");
    at += (characters[i] as string).length;
  }
}

function shift(by: number, visit: TokenVisitor): TokenVisitor {
  return (text, start, end, kind) => visit(text, start + by, end + by, kind);
}

function emitWord(text: string, start: number, end: number, kind: TokenKind, visit: TokenVisitor): void {
  visit(cutToken(text), start, end, kind);
}
