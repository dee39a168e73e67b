/**
 * Words as pages write them, each once, with what phrases make of them. They are kept from page to page, as pages have few
 * hundred different words and meet the same ones again and again; nothing depends on it but time.
 *
 * A word is looked up by its place in a text: to cut every word out of a page, only to look it up, costs as much as the rest.
 */
import type { Analyzer } from "../../src/core/text/analyze.ts";
import type { Language } from "../../src/core/text/language.ts";
import { isConnecting, isFiller, isGeneral } from "./general-words.ts";
import { BREAK } from "./plain-words.ts";

/** Bits of a code: the word is no concept where it stands alone; several such words are no concept either. */
export const GENERAL = 1;
export const FILLER = 2;

/** From so many words on, numbers begin anew with the next page. */
const MAX_WORDS = 20_000;
/** Slots for them, a power of two: far above what there may be with the words that one page adds. */
const SLOTS = 1 << 17;
/** A shorter word says nothing by itself. */
const MIN_WORD_LENGTH = 3;

/** Words of a language by number. */
export class WordNumbers {
  /** One more than the number of a word; 0 for none. */
  readonly #slots = new Int32Array(SLOTS);
  readonly #ofTerm = new Map<string, number>();
  readonly #analyzer: Analyzer;
  readonly #isEnglish: boolean;
  /** Words as written, by number. */
  readonly words: string[] = [];
  /**
   * By number of a word: four times the number of its stem, with `GENERAL` and `FILLER` added; `BREAK` for a word that no
   * phrase has. What is added is of the word and not of its stem, which would depend on the order of pages.
   */
  readonly codes: number[] = [];
  /** Stems by number. */
  readonly terms: string[] = [];

  constructor(analyzer: Analyzer, language: Language) {
    this.#analyzer = analyzer;
    this.#isEnglish = language === "english" || language === "none";
  }

  get isFull(): boolean {
    return this.words.length >= MAX_WORDS;
  }

  /** The number of the word from `start` to `end` of a text. */
  numberAt(text: string, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return this.#add(slot, text.slice(start, end));
      if (isAt(this.words[number] as string, text, start, end)) return number;
    }
  }

  #add(slot: number, word: string): number {
    // A copy: what is cut out of a page would keep all of it in memory.
    const number = this.words.push(Buffer.from(word).toString()) - 1;
    this.codes.push(this.#workOut(word));
    this.#slots[slot] = number + 1;
    return number;
  }

  #workOut(word: string): number {
    const { term, word: folded, isStop } = this.#analyzer.analyzeWord(word);
    if (isStop || term === "" || (this.#isEnglish && isConnecting(folded))) return BREAK;
    let number = this.#ofTerm.get(term);
    if (number === undefined) {
      number = this.terms.push(term) - 1;
      this.#ofTerm.set(term, number);
    }
    const general = word.length < MIN_WORD_LENGTH || (this.#isEnglish && isGeneral(folded));
    return number * 4 + (general ? GENERAL : 0) + (this.#isEnglish && isFiller(folded) ? FILLER : 0);
  }
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}

const kept = new Map<Language, WordNumbers>();

/** Numbers for the words of a page. */
export function wordNumbers(analyzer: Analyzer, language: Language): WordNumbers {
  const known = kept.get(language);
  if (known !== undefined && !known.isFull) return known;
  const made = new WordNumbers(analyzer, language);
  kept.set(language, made);
  return made;
}
