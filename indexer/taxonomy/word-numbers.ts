/**
 * Numbers of words, the same for all words of one stem, and what phrases make of them. They are kept from page to page, as
 * pages have few hundred different words and meet the same ones again and again; nothing depends on it but time.
 */
import type { Analyzer } from "../../src/core/text/analyze.ts";
import type { Language } from "../../src/core/text/language.ts";
import { isConnecting, isFiller, isGeneral } from "./general-words.ts";
import { BREAK } from "./plain-words.ts";

/** From so many words on, numbers begin anew with the next page. */
const MAX_WORDS = 20_000;
/** A shorter word says nothing by itself. */
const MIN_WORD_LENGTH = 3;

/** Bits of a code: the word is no concept where it stands alone; several such words are no concept either. */
export const GENERAL = 1;
export const FILLER = 2;

/** Words of a language by number. */
export class WordNumbers {
  readonly #numbers = new Map<string, number>();
  readonly #ofTerm = new Map<string, number>();
  readonly #analyzer: Analyzer;
  readonly #isEnglish: boolean;
  /** Stems by number. */
  readonly terms: string[] = [];

  constructor(analyzer: Analyzer, language: Language) {
    this.#analyzer = analyzer;
    this.#isEnglish = language === "english" || language === "none";
  }

  get isFull(): boolean {
    return this.#numbers.size >= MAX_WORDS;
  }

  /**
   * Four times the number of a word as written, with `GENERAL` and `FILLER` added; `BREAK` for one that no phrase has. What
   * is added is of the word and not of its stem, which would depend on the order of pages.
   */
  codeOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#workOut(word);
    this.#numbers.set(word, number);
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

const kept = new Map<Language, WordNumbers>();

/** Numbers for the words of a page. */
export function wordNumbers(analyzer: Analyzer, language: Language): WordNumbers {
  const known = kept.get(language);
  if (known !== undefined && !known.isFull) return known;
  const made = new WordNumbers(analyzer, language);
  kept.set(language, made);
  return made;
}
