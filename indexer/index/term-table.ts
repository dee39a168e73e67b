/**
 * The table `terms` of one shard under construction: postings of all terms, with their pairs.
 *
 * What is held of the postings is about as large as the index of them. Entries come out sorted and in groups, so that not all of
 * them are in memory at once.
 *
 * A pair of neighbouring words is kept if both words stand in many documents and the pair in more than one: a pair of a rare word
 * adds nothing to that word. All of those are kept, so that a missing pair tells something too. Stop words count as frequent,
 * however few documents there are: a reader knows it without their postings. All pairs are held, eight bytes each, until it is
 * known how frequent their words are; then they are listed for some first words at a time.
 */
import { type ByteKey, keyOf } from "../../src/core/bytes/key.ts";
import { FormatError } from "../../src/core/errors.ts";
import { MAX_KEY_BYTES, type TableEntry } from "../../src/core/format/chunk.ts";
import { encodePair, keyOfPair, PAIR_DOCUMENTS, PAIRED_WORD_DOCUMENTS } from "../../src/core/format/pairs.ts";
import {
  decodeLength,
  encodeFrequency,
  encodePostings,
  leastFrequency,
  pinAverage,
} from "../../src/core/format/postings.ts";
import { DEFAULT_RANKING, saturate } from "../../src/core/search/ranking.ts";
import { isStopList } from "../../src/core/text/analyze.ts";
import { DocumentLists, growNumbers, type TermNumbers } from "./compact-lists.ts";
import type { DocumentBody, IndexedDocument } from "./prepared-document.ts";
import { sortEntries } from "./write-table.ts";

/** Postings of one shard. */
export class PostingCollector {
  readonly #terms: TermNumbers;
  /** By the number of the term. */
  readonly #lists = new DocumentLists();
  readonly #lengths: number[] = [];
  #documents = 0;
  #words = 0;
  #count = 0;

  constructor(terms: TermNumbers) {
    this.#terms = terms;
  }

  /** Terms that any document holds. */
  get count(): number {
    return this.#count;
  }

  /** Add a document; `numbers` are those of its terms. Documents ascend by number. */
  add({ card: { number, lengths }, body: { inverted } }: IndexedDocument, numbers: Uint32Array): void {
    this.#documents++;
    this.#words += inverted.lengths.body;
    this.#lengths[number] = decodeLength(lengths.body);
    let start = 0;
    for (const [index, term] of numbers.entries()) {
      const end = inverted.ends[index] as number;
      if (end > start) {
        if (this.#lists.count(term) === 0) this.#count++;
        this.#lists.add(term, number, inverted.unitBytes.subarray(start, end));
      }
      start = end;
    }
  }

  /**
   * All entries of the table, sorted.
   *
   * @param pairsOf Pairs whose first word is one of these terms, in no particular order.
   */
  *entries(pairs: PairCollector, pairsOf: (firsts: readonly number[]) => TableEntry[]): Generator<TableEntry> {
    const rank = this.#makeRank();
    for (const group of pairs.group(this.#sortedTerms())) {
      const entries = pairsOf(group);
      for (const number of group) {
        const count = this.#lists.count(number);
        if (count === 0) continue;
        const term = this.#terms.name(number);
        const value = encodePostings(this.#lists.read(number), count, isStopList(term), rank);
        entries.push({ key: keyOf(term), value });
      }
      yield* sortEntries(entries);
    }
  }

  #sortedTerms(): number[] {
    const keyed = Array.from({ length: this.#terms.size }, (_, number): [ByteKey, number] => [
      keyOf(this.#terms.name(number)),
      number,
    ]);
    return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, number]) => number);
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

/**
 * Counters of hashed pairs: most pairs stand in one document, and this keeps them out of the overviews. At least so many
 * for each pair of a document, so that few pairs share one, up to a limit; a power of two.
 */
const COUNTERS_PER_PAIR = 8;
const LEAST_COUNTERS = 2 ** 12;
const MOST_COUNTERS = 2 ** 24;
const MAX_TERMS = 2 ** 26;
/** A second word and a frequency code share a number. */
const CODES = 8;
/** Pairs that are listed at a time, counting each as often as documents hold it. */
const PAIRS_AT_ONCE = 2_000_000;

interface DocumentPairs {
  readonly document: number;
  /** Two numbers a pair: the first word, and the second with the frequency code. */
  readonly pairs: Uint32Array;
}

interface PairHolders {
  readonly documents: number[];
  readonly codes: number[];
}

/** Pairs of all documents of a shard. */
export class PairCollector {
  readonly #terms: TermNumbers;
  readonly #isStopTerm: (term: string) => boolean;
  readonly #documents: DocumentPairs[] = [];
  /** Pairs of each first word, by its number. */
  #firsts = new Uint32Array(1024);
  #counters: Uint8Array | undefined;
  /** 1 for each term that has pairs, by its number, once all documents were added. */
  #paired: Uint8Array | undefined;

  /** @param isStopTerm Whether a stop word of one of the corpus's languages has the term. */
  constructor(terms: TermNumbers, isStopTerm: (term: string) => boolean) {
    this.#terms = terms;
    this.#isStopTerm = isStopTerm;
  }

  /** Add a document's pairs. `numbers` are those of its terms. Documents ascend by number. */
  add(document: number, numbers: Uint32Array, { pairs }: Pick<DocumentBody["inverted"], "pairs">): void {
    if (this.#terms.size >= MAX_TERMS) {
      throw new FormatError("pairs", { code: "out-of-range", what: "terms", got: this.#terms.size, limit: MAX_TERMS });
    }
    const own = new Uint32Array((pairs.length / 3) * 2);
    for (let at = 0, to = 0; at < pairs.length; at += 3) {
      const first = numbers[pairs[at] as number] as number;
      this.#countFirst(first);
      own[to++] = first;
      own[to++] = (numbers[pairs[at + 1] as number] as number) * CODES + encodeFrequency(pairs[at + 2] as number);
    }
    this.#documents.push({ document, pairs: own });
  }

  /**
   * Split terms into groups whose pairs are listed at a time.
   *
   * @param order Numbers of terms, in the order of their keys.
   */
  group(order: readonly number[]): number[][] {
    const groups: number[][] = [];
    let pairs = 0;
    for (const number of order) {
      const own = this.#firsts[number] ?? 0;
      // A stop word's list, which has no pairs, comes before those of its term: never in another group.
      if (groups.length === 0 || (own > 0 && pairs + own > PAIRS_AT_ONCE)) {
        groups.push([]);
        pairs = 0;
      }
      groups.at(-1)?.push(number);
      pairs += own;
    }
    return groups;
  }

  /** Entries of the pairs that are kept and whose first word is one of these; in no particular order. */
  entriesOf(firsts: readonly number[]): TableEntry[] {
    const paired = this.#listPaired();
    const counters = this.#countPairs(paired);
    const isFirst = new Uint8Array(this.#terms.size);
    for (const first of firsts) isFirst[first] = paired[first] as number;
    const holders = new Map<number, PairHolders>();
    for (const { document, pairs } of this.#documents) {
      for (let at = 0; at < pairs.length; at += 2) {
        const first = pairs[at] as number;
        if (isFirst[first] === 0) continue;
        const second = Math.floor((pairs[at + 1] as number) / CODES);
        if (
          paired[second] === 0 ||
          (counters[hashPair(first, second) & (counters.length - 1)] as number) < PAIR_DOCUMENTS
        )
          continue;
        const pair = first * MAX_TERMS + second;
        let own = holders.get(pair);
        if (own === undefined) {
          own = { documents: [], codes: [] };
          holders.set(pair, own);
        }
        own.documents.push(document);
        own.codes.push((pairs[at + 1] as number) % CODES);
      }
    }
    const entries: TableEntry[] = [];
    for (const [pair, { documents, codes }] of holders) {
      if (documents.length < PAIR_DOCUMENTS) continue;
      const key = keyOfPair(this.#terms.name(Math.floor(pair / MAX_TERMS)), this.#terms.name(pair % MAX_TERMS));
      if (key.length <= MAX_KEY_BYTES) entries.push({ key, value: encodePair(documents, codes.map(leastFrequency)) });
    }
    return entries;
  }

  #listPaired(): Uint8Array {
    this.#paired ??= Uint8Array.from({ length: this.#terms.size }, (_, number) =>
      this.#terms.documents(number) >= PAIRED_WORD_DOCUMENTS || this.#isStopTerm(this.#terms.name(number)) ? 1 : 0,
    );
    return this.#paired;
  }

  /** In about how many documents pairs stand, by their hash: never too few. */
  #countPairs(paired: Uint8Array): Uint8Array {
    if (this.#counters !== undefined) return this.#counters;
    const counters = new Uint8Array(this.#chooseCounters());
    for (const { pairs } of this.#documents) {
      for (let at = 0; at < pairs.length; at += 2) {
        const first = pairs[at] as number;
        const second = Math.floor((pairs[at + 1] as number) / CODES);
        if (paired[first] === 0 || paired[second] === 0) continue;
        const slot = hashPair(first, second) & (counters.length - 1);
        const count = counters[slot] as number;
        if (count < PAIR_DOCUMENTS) counters[slot] = count + 1;
      }
    }
    this.#counters = counters;
    return counters;
  }

  #chooseCounters(): number {
    const pairs = this.#documents.reduce((total, document) => total + document.pairs.length / 2, 0);
    let counters = LEAST_COUNTERS;
    while (counters < MOST_COUNTERS && counters < pairs * COUNTERS_PER_PAIR) counters *= 2;
    return counters;
  }

  #countFirst(number: number): void {
    this.#firsts = growNumbers(this.#firsts, number + 1);
    this.#firsts[number] = (this.#firsts[number] as number) + 1;
  }
}

function hashPair(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
