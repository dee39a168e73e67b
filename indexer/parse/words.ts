/**
 * Texts as numbers of words: each text of a page is tokenised once, and each word is folded and stemmed once, for all that count
 * words, terms, pairs or phrases.
 *
 * Numbers are kept from page to page, as pages meet the same words again and again, and begin anew when there are many; nothing
 * depends on them but time.
 */
import { type Analyzer, copyText, stopListOf } from "../../src/core/text/analyze.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import type { Language } from "../../src/core/text/language.ts";
import { composeText, MAX_TOKEN_LENGTH, type TokenKind, visitRun, visitRuns } from "../../src/core/text/tokenize.ts";

/** From so many words on, numbers begin anew with the next page. */
const MAX_NUMBERED_WORDS = 60_000;

/** Number of no word and no name. */
export const NONE = -1;

/** Kinds of tokens, as a token holds them in its lowest bits. */
export const TOKEN_KINDS: readonly TokenKind[] = ["word", "whole", "part"];
export const KIND_BITS = 2;
const WORD = TOKEN_KINDS.indexOf("word");
const WHOLE = TOKEN_KINDS.indexOf("whole");

/** A text as tokens: each the number of its word, and its kind. */
interface TextTokens {
  readonly tokens: readonly number[];
  /** Words as lengths count them. */
  readonly words: number;
}

export class WordTable {
  readonly analyzer: Analyzer;
  /** Words as they are written, by number. */
  readonly words: string[] = [];
  /** By number of a word: numbers of its term, of the folded word, and of its other forms, `NONE` where it has none. */
  readonly terms: number[] = [];
  /** By number of a word: number of the name that it is listed under, its term or the list of a stop word. */
  readonly lists: number[] = [];
  readonly folded: number[] = [];
  readonly variants: number[] = [];
  readonly exacts: number[] = [];
  /** By number of a word: whether it is a stop word. */
  readonly stops: boolean[] = [];
  /** Terms and folded words, by number. */
  readonly names: string[] = [];
  readonly #nameNumbers = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  /** Tokens of runs that are not plain words. */
  readonly #runs = new Map<string, readonly number[]>();
  /** Texts of the page at hand that were read. */
  #read = new Map<string, TextTokens>();

  constructor(language: Language) {
    this.analyzer = analyzerOf(language);
  }

  get isFull(): boolean {
    return this.words.length + this.#runs.size >= MAX_NUMBERED_WORDS;
  }

  /** Forget the texts of the page before. */
  beginPage(): void {
    this.#read = new Map();
  }

  read(text: string): TextTokens {
    const known = this.#read.get(text);
    if (known !== undefined) return known;
    const tokens: number[] = [];
    let words = 0;
    visitRuns(composeText(text), {
      plain: (inside, start, end) => {
        words++;
        const number = this.numberOf(inside, start, Math.min(end, start + MAX_TOKEN_LENGTH));
        tokens.push((number << KIND_BITS) | WORD);
      },
      other: (run) => {
        for (const token of this.#runs.get(run) ?? this.#readRun(run)) {
          if ((token & ((1 << KIND_BITS) - 1)) !== WHOLE) words++;
          tokens.push(token);
        }
      },
    });
    const read = { tokens, words };
    this.#read.set(text, read);
    return read;
  }

  /** Number of the word that is this part of a text. */
  numberOf(text: string, start = 0, end = text.length): number {
    const part = text.slice(start, end);
    const known = this.#numbers.get(part);
    if (known !== undefined) return known;
    const word = copyText(part);
    const number = this.words.push(word) - 1;
    this.#numbers.set(word, number);
    const { term, word: folded, isStop, variant, exact } = this.analyzer.analyzeWord(word);
    this.terms.push(this.numberOfName(term));
    this.lists.push(this.numberOfName(isStop ? stopListOf(term) : term));
    this.folded.push(this.numberOfName(folded));
    this.variants.push(this.numberOfName(variant));
    this.exacts.push(this.numberOfName(exact));
    this.stops.push(isStop);
    return number;
  }

  /** Number of a term or folded word; `NONE` for an empty one. */
  numberOfName(name: string): number {
    if (name === "") return NONE;
    const known = this.#nameNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.names.push(name) - 1;
    this.#nameNumbers.set(name, number);
    return number;
  }

  #readRun(run: string): readonly number[] {
    const tokens: number[] = [];
    const visit = (token: string, _start: number, _end: number, kind: TokenKind): void => {
      tokens.push((this.numberOf(token) << KIND_BITS) | TOKEN_KINDS.indexOf(kind));
    };
    visitRun(run, 0, visit, this.analyzer.elisions);
    this.#runs.set(copyText(run), tokens);
    return tokens;
  }
}

const kept = new Map<Language, WordTable>();

/** The table for the words of another page. */
export function wordsOf(language: Language): WordTable {
  const known = kept.get(language);
  const table = known === undefined || known.isFull ? new WordTable(language) : known;
  kept.set(language, table);
  table.beginPage();
  return table;
}
