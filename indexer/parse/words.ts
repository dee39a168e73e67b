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
const LEAST_SLOTS = 2 ** 13;

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
  /** Numbers of words, plus 1, by their hashes. */
  #slots = new Int32Array(LEAST_SLOTS);
  readonly #hashes: number[] = [];
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
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return this.#add(text.slice(start, end), hash, slot);
      if (this.#hashes[number] === hash && isPart(this.words[number] as string, text, start, end)) return number;
    }
  }

  #add(part: string, hash: number, slot: number): number {
    const word = copyText(part);
    const number = this.words.push(word) - 1;
    this.#hashes.push(hash);
    this.#slots[slot] = number + 1;
    if (number * 2 > this.#slots.length) this.#growSlots();
    const { term, word: folded, isStop, variant, exact } = this.analyzer.analyzeWord(word);
    this.terms.push(this.#nameNumber(term));
    this.lists.push(this.#nameNumber(isStop ? stopListOf(term) : term));
    this.folded.push(this.#nameNumber(folded));
    this.variants.push(this.#nameNumber(variant));
    this.exacts.push(this.#nameNumber(exact));
    this.stops.push(isStop);
    return number;
  }

  #growSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (const [number, hash] of this.#hashes.entries()) {
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }

  #nameNumber(name: string): number {
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

function isPart(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = start; at < end; at++) if (word.charCodeAt(at - start) !== text.charCodeAt(at)) return false;
  return true;
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
