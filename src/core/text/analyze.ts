/**
 * Text to terms: the one path that index and query share, so that what was indexed is what is looked up.
 *
 * Tokens are folded and stemmed; wholes of identifiers are folded and, where they are plain letters, stemmed like the
 * word that a person would type for them. Pure.
 */
import { foldText, stemWord } from "./normalize.ts";
import { isStopWord, listStopWords } from "./stop-words.ts";
import { cutToken, type TokenKind, visitTokens } from "./tokenize.ts";

/** One term at its place in the text, in UTF-16 units. */
export interface AnalyzedToken {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
  readonly stop: boolean;
}

/** Receives each term with its place in the text, in UTF-16 units, and the word before it was stemmed. */
export type TermVisitor = (
  term: string,
  kind: TokenKind,
  stop: boolean,
  start: number,
  end: number,
  word: string,
) => void;

/** Visit the terms of a text in order. Wholes come before their parts. */
export function visitTerms(text: string, visit: TermVisitor): void {
  visitTokens(text, (token, start, end, kind) => {
    const { term, isStop, word } = analyzeToken(token);
    if (term.length > 0) visit(term, kind, isStop && kind !== "whole", start, end, word);
  });
}

interface AnalyzedWord {
  readonly term: string;
  /** Folded, not stemmed. */
  readonly word: string;
  readonly isStop: boolean;
}

/** Pages have few hundred different words, and a build meets the same ones again and again. */
const MAX_REMEMBERED_WORDS = 50_000;
let remembered = new Map<string, AnalyzedWord>();

/** Term of one token as written. Remembers what it worked out; results do not depend on that. */
function analyzeToken(token: string): AnalyzedWord {
  const known = remembered.get(token);
  if (known !== undefined) return known;
  // Some characters unfold to many: the ligature U+FDFA to eighteen.
  const folded = cutToken(foldText(token));
  const word = { term: stemWord(folded), word: folded, isStop: isStopWord(folded) };
  if (remembered.size >= MAX_REMEMBERED_WORDS) remembered = new Map();
  remembered.set(token, word);
  return word;
}

/** The terms of a text in order. */
export function analyzeText(text: string): AnalyzedToken[] {
  const tokens: AnalyzedToken[] = [];
  visitTerms(text, (term, kind, stop, start, end) => tokens.push({ term, kind, stop, start, end }));
  return tokens;
}

/** Words of a text as lengths count them: wholes of identifiers do not count beside their parts. */
export function countWords(text: string): number {
  let words = 0;
  visitTokens(text, (_, _start, _end, kind) => {
    if (kind !== "whole") words++;
  });
  return words;
}

let stopTerms: ReadonlySet<string> | undefined;

/** True for a term that some stop word has: `well`, which is that word and the stem of `wells`. */
export function isStopTerm(term: string): boolean {
  stopTerms ??= new Set(listStopWords().map(stemWord));
  return stopTerms.has(term);
}
