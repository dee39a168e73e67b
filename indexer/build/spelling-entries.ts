/**
 * Entries of the table `spelling`: the words of a shard as they are written, with the number of documents that have
 * them. Pure: prepared documents in, entries out.
 */
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeLength } from "../../src/core/format/quantize.ts";
import { keysOfWord } from "../../src/core/format/spelling.ts";
import { visitTerms } from "../../src/core/text/analyze.ts";
import { isSpellable } from "../../src/core/text/spellable.ts";
import { growNumbers } from "./grow-numbers.ts";
import { TERM_IS_WORD } from "./invert.ts";
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
  /** Documents that have a term as a word, by the number of the term: most words are their own stem. */
  #termCounts = new Uint32Array(1024);
  /** Documents that have another word. */
  readonly #counts = new Map<string, number>();
  readonly #titles = new Set<string>();
  #documents = 0;

  constructor(terms: TermNumbers) {
    this.#terms = terms;
  }

  /** Add a document; `numbers` are those of its terms. */
  add({ inverted, title }: Pick<PreparedDocument, "inverted" | "title">, numbers: Uint32Array): void {
    const { flags, words } = inverted;
    this.#documents++;
    this.#termCounts = growNumbers(this.#termCounts, this.#terms.size);
    for (let at = 0; at < numbers.length; at++) {
      if (((flags[at] as number) & TERM_IS_WORD) === 0) continue;
      const number = numbers[at] as number;
      this.#termCounts[number] = (this.#termCounts[number] as number) + 1;
    }
    for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
    visitTerms(title, (_term, _kind, _stop, _start, _end, word) => this.#titles.add(word));
  }

  /** Entries in no particular order. Of many documents, words that one has are kept where a title holds them. */
  finish(): TableEntry[] {
    const keepsAll = this.#documents < MANY_DOCUMENTS;
    const counts = new Map(this.#counts);
    for (const [number, count] of this.#termCounts.subarray(0, this.#terms.size).entries()) {
      const term = this.#terms.name(number);
      if (count > 0 && isSpellable(term)) counts.set(term, (counts.get(term) ?? 0) + count);
    }
    const entries: TableEntry[] = [];
    for (const [word, count] of counts) {
      // Pages are asked for by name.
      if (count === 1 && !keepsAll && !this.#titles.has(word)) continue;
      const value = Uint8Array.of(encodeCount(count));
      for (const key of keysOfWord(word)) entries.push({ key, value });
    }
    return entries;
  }
}

/** Code of a count, as a length code that is rounded down to a power of 2. */
export function encodeCount(count: number): number {
  const code = encodeLength(count, MAX_COUNT_CODE);
  return code - ((code - 1) % STEP);
}
