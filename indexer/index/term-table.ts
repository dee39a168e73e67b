/**
 * The table `terms` of one shard under construction: postings of all terms, with their pairs.
 *
 * What is held of the postings is about as large as the index of them. Entries come out sorted, one term with its pairs at a time.
 *
 * A pair of neighbouring words is a key if both words are in many documents and the pair is in more than one. The postings of a rare
 * word say what stands beside it. Stop words count as frequent, however few documents there are: a reader knows it without their
 * postings. All pairs are held, eight bytes each, until it is known how frequent their words are; then they are put in order by
 * their first words, as numbers.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../../src/core/bytes/key.ts";
import { FormatError } from "../../src/core/errors.ts";
import { MAX_KEY_BYTES, type TableEntry } from "../../src/core/format/chunk.ts";
import { encodePair, keyOfPair, PAIR_DOCUMENTS } from "../../src/core/format/pairs.ts";
import {
  decodeLength,
  encodeFrequency,
  encodePostings,
  isRareList,
  leastFrequency,
  MAX_DOCUMENTS,
  neighbourCode,
  pinAverage,
} from "../../src/core/format/postings.ts";
import { DEFAULT_RANKING, saturate } from "../../src/core/search/ranking.ts";
import { isStopList } from "../../src/core/text/analyze.ts";
import { isNameKey } from "../../src/core/text/name-forms.ts";
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
        if (this.#lists.count(term) === 0 && !isNameKey(this.#terms.name(term))) this.#count++;
        this.#lists.add(term, number, inverted.unitBytes, start, end);
      }
      start = end;
    }
  }

  /** All entries of the table, sorted. */
  *entries(pairs: PairCollector): Generator<TableEntry> {
    const rank = this.#makeRank();
    const order = this.#sortedTerms();
    const isRare = (number: number): boolean => {
      const documents = this.#lists.count(number);
      return documents === 0 || isRareList(documents, this.#lists.size(number));
    };
    const { pairsOf, neighboursOf } = pairs.list(order, isRare);
    let owner = "";
    let before: TableEntry[] = [];
    for (const number of order) {
      const term = this.#terms.name(number);
      const isStop = isStopList(term);
      // The list of a stop word, and names, stand between a term and its pairs.
      const [base = ""] = term.split(KEY_SEPARATOR, 1);
      if (base !== owner) {
        yield* before;
        before = [];
        owner = base;
      }
      if (base === term) before = pairsOf(number);
      const count = this.#lists.count(number);
      if (count === 0) continue;
      const light = this.#lists.read(number);
      const neighbours = isStop ? undefined : neighboursOf(number);
      yield { key: keyOf(term), value: encodePostings(light, count, isStop, rank, neighbours) };
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

/** Gives the codes of the neighbours of a rare term in a document, ascending. */
type NeighboursOf = NonNullable<Parameters<typeof encodePostings>[4]>;

/** Pairs of all documents of a shard. */
export class PairCollector {
  readonly #terms: TermNumbers;
  readonly #isStopTerm: (term: string) => boolean;
  readonly #documents: DocumentPairs[] = [];

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
      own[to++] = numbers[pairs[at] as number] as number;
      own[to++] = (numbers[pairs[at + 1] as number] as number) * CODES + encodeFrequency(pairs[at + 2] as number);
    }
    this.#documents.push({ document, pairs: own });
  }

  /**
   * What is kept of the pairs. Each is asked for once a term.
   *
   * @param order Numbers of terms, in the order of their keys.
   * @param isRare Whether the postings of a term tell of its pairs. No stop word is asked for.
   * @returns `pairsOf`: entries of the pairs that are keys, by their first word, sorted. `neighboursOf`: undefined for a term that is
   *   not rare or has no neighbour.
   */
  list(
    order: readonly number[],
    isRare: (number: number) => boolean,
  ): {
    readonly pairsOf: (first: number) => TableEntry[];
    readonly neighboursOf: (number: number) => NeighboursOf | undefined;
  } {
    const ranks = new Uint32Array(this.#terms.size);
    for (const [rank, number] of order.entries()) ranks[number] = rank;
    const rare = Uint8Array.from({ length: this.#terms.size }, (_, number) =>
      isRare(number) && !this.#isStopTerm(this.#terms.name(number)) ? 1 : 0,
    );
    const [before, behind] = [false, true].map((isBehind) =>
      Uint8Array.from({ length: this.#terms.size }, (_, number) => neighbourCode(this.#terms.name(number), isBehind)),
    ) as [Uint8Array, Uint8Array];
    const pairs = new NumberLists(this.#terms.size);
    const neighbours = new NumberLists(this.#terms.size);
    for (const add of ["count", "add"] as const) {
      this.#visit((first, second, document, frequency) => {
        if (rare[first] === 1) neighbours[add](first, document * CODE_STEPS + (behind[second] as number));
        // Of two rare words the first tells.
        else if (rare[second] === 1) neighbours[add](second, document * CODE_STEPS + (before[first] as number));
        else pairs[add](first, (ranks[second] as number) * SECOND + document * CODES + frequency);
      });
    }
    const pairsOf = (first: number): TableEntry[] => {
      const own = pairs.take(first);
      const entries: TableEntry[] = [];
      for (let from = 0, to = 0; from < own.length; from = to) {
        const second = Math.floor((own[from] as number) / SECOND);
        while (to < own.length && (own[to] as number) < (second + 1) * SECOND) to++;
        if (to - from < PAIR_DOCUMENTS) continue;
        const key = keyOfPair(this.#terms.name(first), this.#terms.name(order[second] as number));
        if (key.length <= MAX_KEY_BYTES) entries.push({ key, value: encodeHolders(own.subarray(from, to)) });
      }
      return entries;
    };
    const neighboursOf = (number: number): NeighboursOf | undefined => {
      const own = neighbours.take(number);
      if (own.length === 0) return undefined;
      return (document) => {
        const codes = own.filter((one) => Math.floor(one / CODE_STEPS) === document).map((one) => one % CODE_STEPS);
        return Uint8Array.from(new Set(codes));
      };
    };
    return { pairsOf, neighboursOf };
  }

  #visit(visit: (first: number, second: number, document: number, frequency: number) => void): void {
    for (const { document, pairs } of this.#documents) {
      for (let at = 0; at < pairs.length; at += 2) {
        const second = pairs[at + 1] as number;
        visit(pairs[at] as number, Math.floor(second / CODES), document, second % CODES);
      }
    }
  }
}

/** Neighbours have a byte. */
const CODE_STEPS = 0x100;

/** Lists of numbers, one a term, back to back: all are counted, then added, then taken. */
class NumberLists {
  /** Where each list begins; when all are in their places, where it ends. */
  readonly #places: Uint32Array;
  #numbers: Float64Array | undefined;

  constructor(lists: number) {
    this.#places = new Uint32Array(lists + 1);
  }

  count(list: number): void {
    this.#places[list + 1] = (this.#places[list + 1] as number) + 1;
  }

  add(list: number, value: number): void {
    this.#numbers ??= this.#open();
    const place = this.#places[list] as number;
    this.#numbers[place] = value;
    this.#places[list] = place + 1;
  }

  #open(): Float64Array {
    for (let list = 1; list < this.#places.length; list++) {
      this.#places[list] = (this.#places[list] as number) + (this.#places[list - 1] as number);
    }
    return new Float64Array(this.#places.at(-1) as number);
  }

  /** A list in order. */
  take(list: number): Float64Array {
    return (this.#numbers ?? new Float64Array()).subarray(this.#places[list - 1] ?? 0, this.#places[list]).sort();
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
