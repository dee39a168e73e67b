/**
 * The table `terms` of one shard under construction: postings of all terms, with their pairs and synonyms.
 *
 * What is held of the postings is about as large as the index of them. Entries come out sorted and in groups, so that
 * not all of them are in memory at once.
 */
import { type ByteKey, keyOf } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { decodeLength, encodePostings, pinAverage } from "../../src/core/format/postings.ts";
import { DEFAULT_RANKING, saturate } from "../../src/core/search/ranking.ts";
import type { SynonymSet } from "../topics/synonyms.ts";
import { DocumentLists } from "./document-lists.ts";
import { growNumbers } from "./grow-numbers.ts";
import { TERM_SCORES } from "./invert.ts";
import type { PairCollector } from "./pair-collector.ts";
import type { PreparedDocument } from "./prepare-document.ts";
import { sortEntries } from "./sort-entries.ts";
import { SynonymCollector } from "./synonym-entries.ts";
import type { TermNumbers } from "./term-numbers.ts";

/** Where entries of pairs come from, and whether a term is a stop word, where that does not follow from the documents. */
export interface PostingRules {
  /** Pairs whose first word is one of these terms, in no particular order. */
  readonly pairsOf: (firsts: readonly number[]) => TableEntry[];
  /** Whether a term has the form of a stop word; `own`: whether it is nothing else in the documents. */
  readonly isStop: (term: string, own: boolean) => boolean;
}

/** Postings of one shard. */
export class PostingCollector {
  readonly #terms: TermNumbers;
  /** By the number of the term. */
  readonly #lists = new DocumentLists();
  #scoring = new Uint8Array(1024);
  readonly #synonyms: SynonymCollector;
  readonly #lengths: number[] = [];
  #documents = 0;
  #words = 0;
  #count = 0;
  #synonymCount = 0;

  constructor(terms: TermNumbers, synonyms: readonly SynonymSet[]) {
    this.#terms = terms;
    this.#synonyms = new SynonymCollector(synonyms);
  }

  /** Terms that any document holds. */
  get count(): number {
    return this.#count;
  }

  /** Phrases that have synonyms. Known when all entries were taken. */
  get synonymCount(): number {
    return this.#synonymCount;
  }

  /** Add a document; `numbers` are those of its terms. Documents ascend by number. */
  add(document: PreparedDocument, numbers: Uint32Array): void {
    const { number, inverted, lengths } = document;
    this.#documents++;
    this.#words += inverted.lengths.body;
    this.#lengths[number] = decodeLength(lengths.body);
    let start = 0;
    for (const [index, term] of numbers.entries()) {
      const end = inverted.ends[index] as number;
      if (this.#lists.count(term) === 0) this.#count++;
      if (((inverted.flags[index] as number) & TERM_SCORES) !== 0) this.#setScoring(term);
      this.#lists.add(term, number, inverted.unitBytes.subarray(start, end));
      start = end;
    }
    this.#synonyms.add(document);
  }

  /** All entries of the table, sorted. */
  *entries(pairs: PairCollector, { pairsOf, isStop }: PostingRules): Generator<TableEntry> {
    const rank = this.#makeRank();
    const synonyms = sortEntries(this.#synonyms.finish(rank));
    this.#synonymCount = synonyms.length;
    const groups = pairs.group(this.#sortedTerms());
    let next = 0;
    for (const [at, group] of groups.entries()) {
      const entries = pairsOf(group);
      for (const number of group) {
        const term = this.#terms.name(number);
        const isStopWord = isStop(term, this.#scoring[number] !== 1);
        const value = encodePostings(this.#lists.read(number), this.#lists.count(number), isStopWord, rank);
        entries.push({ key: keyOf(term), value });
      }
      // Synonyms stand behind the first term of their phrase, which the last group may begin before.
      const following = groups[at + 1]?.[0];
      const end = following === undefined ? undefined : keyOf(this.#terms.name(following));
      for (; next < synonyms.length; next++) {
        const entry = synonyms[next] as TableEntry;
        if (end !== undefined && entry.key >= end) break;
        entries.push(entry);
      }
      yield* sortEntries(entries);
    }
  }

  #sortedTerms(): number[] {
    const keyed: [ByteKey, number][] = [];
    for (let number = 0; number < this.#terms.size; number++) {
      if (this.#lists.count(number) > 0) keyed.push([keyOf(this.#terms.name(number)), number]);
    }
    return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, number]) => number);
  }

  #setScoring(term: number): void {
    this.#scoring = growNumbers(this.#scoring, term + 1);
    this.#scoring[term] = 1;
  }

  /** BM25's term part with the length as the index knows it: which documents of a frequent word keep their units. */
  #makeRank(): (document: number, frequency: number) => number {
    const average = pinAverage(this.#words / Math.max(1, this.#documents));
    return (document, frequency) => {
      const length = (this.#lengths[document] ?? average) / average;
      return saturate(frequency, length, DEFAULT_RANKING.k1, DEFAULT_RANKING.b);
    };
  }
}
