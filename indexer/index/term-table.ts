/**
 * The table `terms` of one shard under construction: postings of all terms, with their pairs.
 *
 * What is held of the postings is about as large as the index of them. Entries come out sorted, one term with its pairs at a time.
 *
 * A pair of neighbouring words is kept if both words stand in many documents and the pair in more than one: a pair of a rare word
 * adds nothing to that word. All of those are kept, so that a missing pair tells something too. Stop words count as frequent,
 * however few documents there are: a reader knows it without their postings. All pairs are held, eight bytes each, until it is
 * known how frequent their words are; then they are put in order by their first words, as numbers.
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
  MAX_DOCUMENTS,
  pinAverage,
} from "../../src/core/format/postings.ts";
import { DEFAULT_RANKING, saturate } from "../../src/core/search/ranking.ts";
import { isStopList } from "../../src/core/text/analyze.ts";
import { DocumentLists, type TermNumbers } from "./compact-lists.ts";
import type { DocumentBody, DocumentCard } from "./prepared-document.ts";

type RankDocument = Parameters<typeof encodePostings>[3];

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
  add(
    { number, lengths }: Pick<DocumentCard, "number" | "lengths">,
    inverted: DocumentBody["inverted"],
    numbers: Uint32Array,
  ): void {
    this.#documents++;
    this.#words += inverted.lengths.body;
    this.#lengths[number] = decodeLength(lengths.body);
    let start = 0;
    for (let index = 0; index < numbers.length; index++) {
      const term = numbers[index] as number;
      const end = inverted.ends[index] as number;
      if (end > start) {
        if (this.#lists.count(term) === 0) this.#count++;
        this.#lists.add(term, number, inverted.unitBytes, start, end);
      }
      start = end;
    }
  }

  /** All entries of the table, sorted. @param listed Pairs that older levels list, see `pairs.ts`. */
  *entries(pairs: PairCollector, listed?: ReadonlySet<ByteKey>): Generator<TableEntry> {
    const rank = this.#makeRank();
    const order = this.#sortedTerms();
    const pairsOf = pairs.list(order, listed);
    let before: TableEntry[] = [];
    for (const number of order) {
      const term = this.#terms.name(number);
      const isStop = isStopList(term);
      // The list of a stop word stands between its term and the pairs of that.
      if (!isStop) {
        yield* before;
        before = pairsOf(number);
      }
      const count = this.#lists.count(number);
      if (count > 0) yield { key: keyOf(term), value: encodePostings(this.#lists.read(number), count, isStop, rank) };
    }
    yield* before;
  }

  #sortedTerms(): number[] {
    const keyed = Array.from({ length: this.#terms.size }, (_, number): [ByteKey, number] => [
      keyOf(this.#terms.name(number)),
      number,
    ]);
    return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, number]) => number);
  }

  /** BM25's term part with the length as the index knows it: which documents of a frequent word keep their units. */
  #makeRank(): RankDocument {
    const average = pinAverage(this.#words / Math.max(1, this.#documents));
    return (document, frequency) => {
      const length = (this.#lengths[document] ?? average) / average;
      return saturate(frequency, length, DEFAULT_RANKING.k1, DEFAULT_RANKING.b);
    };
  }
}

const MAX_TERMS = 2 ** 26;
/** A second word or a document and a frequency code share a number. */
const CODES = 8;
/** Numbers that pairs of one first word and one second word take when they are sorted. */
const SECOND = MAX_DOCUMENTS * CODES;

interface DocumentPairs {
  readonly document: number;
  /** Two numbers a pair: the first word, and the second with the frequency code. */
  readonly pairs: Uint32Array;
}

/** Pairs of all documents of a shard. */
export class PairCollector {
  readonly #terms: TermNumbers;
  readonly #isStopTerm: (term: string) => boolean;
  readonly #isNewer: boolean;
  readonly #documents: DocumentPairs[] = [];

  /**
   * @param isStopTerm Whether a stop word of one of the corpus's languages has the term.
   * @param isNewer Whether there are older levels: documents of one level say little about how frequent words are.
   */
  constructor(terms: TermNumbers, isStopTerm: (term: string) => boolean, isNewer = false) {
    this.#terms = terms;
    this.#isStopTerm = isStopTerm;
    this.#isNewer = isNewer;
  }

  /** Add a document's pairs. `numbers` are those of its terms. Documents ascend by number. */
  add(document: number, numbers: Uint32Array, { pairs }: Pick<DocumentBody["inverted"], "pairs">): void {
    if (this.#terms.size >= MAX_TERMS) {
      throw new FormatError("pairs", { code: "out-of-range", what: "terms", got: this.#terms.size, limit: MAX_TERMS });
    }
    const own = new Uint32Array((pairs.length / 3) * 2);
    for (let at = 0, to = 0; at < pairs.length; at += 3) {
      own[to++] = numbers[pairs[at] as number] as number;
      own[to++] = (numbers[pairs[at + 1] as number] as number) * CODES + encodeFrequency(pairs[at + 2] as number);
    }
    this.#documents.push({ document, pairs: own });
  }

  /**
   * Entries of the pairs that are kept, by their first word, each list sorted. A list can be asked for once.
   *
   * @param order Numbers of terms, in the order of their keys.
   * @param listed Pairs of which one document is enough.
   */
  list(order: readonly number[], listed?: ReadonlySet<ByteKey>): (first: number) => TableEntry[] {
    const ranks = new Uint32Array(this.#terms.size);
    for (const [rank, number] of order.entries()) ranks[number] = rank;
    // Where the pairs of each first word begin; when all are in their places, where they end.
    const places = new Uint32Array(this.#terms.size + 1);
    const isPaired = this.#listPaired();
    this.#visit(isPaired, (first) => {
      places[first + 1] = (places[first + 1] as number) + 1;
    });
    for (let number = 1; number < places.length; number++) {
      places[number] = (places[number] as number) + (places[number - 1] as number);
    }
    const sorted = new Float64Array(places.at(-1) as number);
    this.#visit(isPaired, (first, second, document) => {
      const place = places[first] as number;
      sorted[place] = (ranks[Math.floor(second / CODES)] as number) * SECOND + document * CODES + (second % CODES);
      places[first] = place + 1;
    });
    return (first) => {
      const own = sorted.subarray(places[first - 1] ?? 0, places[first]).sort();
      const entries: TableEntry[] = [];
      for (let from = 0, to = 0; from < own.length; from = to) {
        const second = Math.floor((own[from] as number) / SECOND);
        while (to < own.length && (own[to] as number) < (second + 1) * SECOND) to++;
        if (to - from < PAIR_DOCUMENTS && listed === undefined) continue;
        const key = keyOfPair(this.#terms.name(first), this.#terms.name(order[second] as number));
        if (to - from < PAIR_DOCUMENTS && listed?.has(key) !== true) continue;
        if (key.length <= MAX_KEY_BYTES) entries.push({ key, value: encodeHolders(own.subarray(from, to)) });
      }
      return entries;
    };
  }

  /** Keys of all pairs that may be listed. */
  keys(): ByteKey[] {
    const keys = new Set<ByteKey>();
    this.#visit(this.#listPaired(), (first, second) => {
      keys.add(keyOfPair(this.#terms.name(first), this.#terms.name(Math.floor(second / CODES))));
    });
    return [...keys];
  }

  /** Calls `visit` for each pair of which both words are paired; `second` is the word and the frequency code. */
  #visit(isPaired: Uint8Array, visit: (first: number, second: number, document: number) => void): void {
    for (const { document, pairs } of this.#documents) {
      for (let at = 0; at < pairs.length; at += 2) {
        const first = pairs[at] as number;
        const second = pairs[at + 1] as number;
        if (isPaired[first] === 1 && isPaired[Math.floor(second / CODES)] === 1) visit(first, second, document);
      }
    }
  }

  /** 1 for each term that has pairs, by its number. */
  #listPaired(): Uint8Array {
    return Uint8Array.from({ length: this.#terms.size }, (_, number) => {
      const isStop = this.#isStopTerm(this.#terms.name(number));
      if (this.#isNewer) return isStop ? 0 : 1;
      return isStop || this.#terms.documents(number) >= PAIRED_WORD_DOCUMENTS ? 1 : 0;
    });
  }
}

/** Value of a pair out of its documents and frequency codes. */
function encodeHolders(holders: Float64Array): Uint8Array {
  const documents: number[] = [];
  const frequencies: number[] = [];
  for (const holder of holders) {
    documents.push(Math.floor((holder % SECOND) / CODES));
    frequencies.push(leastFrequency(holder % CODES));
  }
  return encodePair(documents, frequencies);
}
