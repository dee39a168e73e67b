/**
 * Entries of the table `spelling`: the words of a shard as they are written, with the number of documents that have
 * them. Pure: prepared documents in, entries out.
 */
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeLength } from "../../src/core/format/postings.ts";
import { keysOfWord } from "../../src/core/format/word-tables.ts";
import { visitTerms } from "../../src/core/text/analyze.ts";
import { listSpelledTerms } from "./cache/cached-document.ts";
import { copyText } from "./copy-text.ts";
import { growNumbers } from "./grow-numbers.ts";
import type { PreparedDocument } from "./prepare-document.ts";
import type { TermNumbers } from "./term-numbers.ts";

/** From so many documents on, a word that only one of them has is more often a slip than a word. */
export const MANY_DOCUMENTS = 2_000;

/** Counts are compared, never shown: one in steps of 2 is enough, and packs into half the bytes of exact ones. */
const STEP = 8;
const MAX_COUNT_CODE = 0xff;

/** Words of all documents of a shard. */
export class SpellingCollector {
  readonly #terms: TermNumbers;
  /** Counts of words that are terms, by the number of the term: nearly all are. */
  #counts = new Uint32Array(1024);
  readonly #others = new Map<string, number>();
  readonly #titles = new Set<string>();
  #documents = 0;

  constructor(terms: TermNumbers) {
    this.#terms = terms;
  }

  /** Add a document; `numbers` are those of its terms. */
  add({ inverted, title }: Pick<PreparedDocument, "inverted" | "title">, numbers: Uint32Array): void {
    this.#documents++;
    for (const index of listSpelledTerms(inverted)) {
      const number = numbers[index] as number;
      this.#counts = growNumbers(this.#counts, number + 1);
      this.#counts[number] = (this.#counts[number] as number) + 1;
    }
    for (const word of inverted.words) {
      const count = this.#others.get(word);
      this.#others.set(count === undefined ? copyText(word) : word, (count ?? 0) + 1);
    }
    visitTerms(title, (_term, _kind, _stop, _start, _end, word) => this.#titles.add(word));
  }

  /** Entries in no particular order. Of many documents, words that one has are kept where a title holds them. */
  finish(): TableEntry[] {
    const keepsAll = this.#documents < MANY_DOCUMENTS;
    const entries: TableEntry[] = [];
    const add = (word: string, count: number): void => {
      // Pages are asked for by name.
      if (count === 1 && !keepsAll && !this.#titles.has(word)) return;
      const value = Uint8Array.of(encodeCount(count));
      for (const key of keysOfWord(word)) entries.push({ key, value });
    };
    for (let number = 0; number < this.#terms.size; number++) {
      const count = this.#counts[number] ?? 0;
      if (count === 0) continue;
      const word = this.#terms.name(number);
      add(word, count + (this.#others.get(word) ?? 0));
      // What is a term in one document may be none in another.
      this.#others.delete(word);
    }
    for (const [word, count] of this.#others) add(word, count);
    return entries;
  }
}

/** Code of a count, as a length code that is rounded down to a power of 2. */
export function encodeCount(count: number): number {
  const code = encodeLength(count, MAX_COUNT_CODE);
  return code - ((code - 1) % STEP);
}
