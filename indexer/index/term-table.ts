/**
 * The table `terms` of one shard under construction: postings of all terms, with their pairs and synonyms.
 *
 * What is held of the postings is about as large as the index of them. Entries come out sorted, one term with its pairs at a time.
 *
 * A pair of neighbouring words is kept if both words stand in many documents and the pair in more than one: a pair of a rare word
 * adds nothing to that word. All of those are kept, so that a missing pair tells something too. Stop words count as frequent,
 * however few documents there are: a reader knows it without their postings. All pairs are held, eight bytes each, until it is
 * known how frequent their words are; then they are put in order by their first words, as numbers.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../../src/core/bytes/key.ts";
import { FormatError } from "../../src/core/errors.ts";
import { MAX_KEY_BYTES, type TableEntry } from "../../src/core/format/chunk.ts";
import {
  encodePair,
  encodeSynonyms,
  keyOfPair,
  keyOfSynonyms,
  PAIR_DOCUMENTS,
  PAIRED_WORD_DOCUMENTS,
} from "../../src/core/format/pairs.ts";
import {
  decodeLength,
  decodeUnits,
  encodeFrequency,
  encodePostings,
  encodeUnits,
  leastFrequency,
  MAX_DOCUMENTS,
  PostingBuilder,
  type PostingList,
  pinAverage,
  type RankDocument,
  type UnitPosting,
  visitUnits,
} from "../../src/core/format/postings.ts";
import { DEFAULT_RANKING, saturate } from "../../src/core/search/ranking.ts";
import type { SynonymSet } from "../topics/synonyms.ts";
import { DocumentLists, growNumbers, type TermNumbers } from "./compact-lists.ts";
import { TERM_SCORES } from "./invert.ts";
import type { DocumentBody, DocumentCard } from "./prepared-document.ts";
import { sortEntries } from "./write-table.ts";

/** What a base has, where documents are written beside it. */
export interface OtherPostings {
  /** Pairs that do not come from the documents, in no particular order. */
  readonly pairEntries: () => TableEntry[];
  /** Form that it has of a term; undefined where it does not know the term. */
  readonly formOf: (term: string) => PostingList["form"] | undefined;
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
      if (this.#lists.count(term) === 0) this.#count++;
      if (((inverted.flags[index] as number) & TERM_SCORES) !== 0) this.#setScoring(term);
      this.#lists.add(term, number, inverted.unitBytes, start, end);
      start = end;
    }
    this.#synonyms.add({ number, inverted });
  }

  /** All entries of the table, sorted. */
  *entries(pairs: PairCollector, base?: OtherPostings): Generator<TableEntry> {
    const rank = this.#makeRank();
    const synonyms = this.#synonyms.finish(rank);
    this.#synonymCount = synonyms.length;
    const others = sortEntries([...synonyms, ...(base?.pairEntries() ?? [])]);
    let next = 0;
    for (const entry of this.#termsAndPairs(pairs, base, rank)) {
      for (; next < others.length && (others[next] as TableEntry).key < entry.key; next++) {
        yield others[next] as TableEntry;
      }
      yield entry;
    }
    yield* others.slice(next);
  }

  *#termsAndPairs(pairs: PairCollector, base: OtherPostings | undefined, rank: RankDocument): Generator<TableEntry> {
    const order = this.#sortedTerms();
    const pairsOf = pairs.list(order);
    for (const number of order) {
      const term = this.#terms.name(number);
      // Whether a term scores is the same on both sides of a base: what few documents say does not decide it.
      const form = base?.formOf(term);
      const isStopWord = form === undefined ? this.#scoring[number] !== 1 : form === "stop";
      const value = encodePostings(this.#lists.read(number), this.#lists.count(number), isStopWord, rank);
      yield { key: keyOf(term), value };
      yield* pairsOf(number);
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
  #makeRank(): RankDocument {
    const average = pinAverage(this.#words / Math.max(1, this.#documents));
    return (document, frequency) => {
      const length = (this.#lengths[document] ?? average) / average;
      return saturate(frequency, length, DEFAULT_RANKING.k1, DEFAULT_RANKING.b);
    };
  }
}

type Phrase = readonly string[];

interface NumberedDocument {
  readonly number: number;
  readonly inverted: DocumentBody["inverted"];
}

/** What stands for the same thing in all documents of a shard. */
export class SynonymCollector {
  readonly #others: ReadonlyMap<string, readonly Phrase[]>;
  readonly #phrases: ReadonlyMap<string, Phrase>;
  readonly #builders = new Map<string, PostingBuilder>();

  constructor(sets: readonly SynonymSet[]) {
    this.#others = listOthers(sets);
    this.#phrases = new Map([...this.#others.values()].flat().map((phrase) => [phrase.join(KEY_SEPARATOR), phrase]));
  }

  /** Add a document. Documents ascend by number. */
  add(document: NumberedDocument): void {
    if (this.#phrases.size === 0) return;
    const found = findPhrases(document, this.#phrases);
    if (found.size === 0) return;
    for (const [name, members] of this.#others) {
      const units = mergeUnits(members.flatMap((member) => found.get(member.join(KEY_SEPARATOR)) ?? []));
      if (units.length === 0) continue;
      const builder = this.#builders.get(name) ?? new PostingBuilder();
      this.#builders.set(name, builder);
      builder.add(document.number, encodeUnits(units));
    }
  }

  /** Entries in no particular order. `rank` orders documents of long lists. */
  finish(rank: (document: number, frequency: number) => number): TableEntry[] {
    return [...this.#builders].flatMap(([name, builder]): TableEntry[] => {
      const key = keyOfSynonyms(name.split(KEY_SEPARATOR));
      const value = encodeSynonyms(this.#others.get(name) ?? [], builder.finish(false, rank));
      return key.length > MAX_KEY_BYTES ? [] : [{ key, value }];
    });
  }
}

/** For each phrase, the other members of all sets that it is in. */
function listOthers(sets: readonly SynonymSet[]): Map<string, Phrase[]> {
  const others = new Map<string, Map<string, Phrase>>();
  for (const { members } of sets) {
    for (const member of members) {
      const name = member.join(KEY_SEPARATOR);
      const own = others.get(name) ?? new Map<string, Phrase>();
      others.set(name, own);
      for (const other of members) if (other !== member) own.set(other.join(KEY_SEPARATOR), other);
    }
  }
  return new Map([...others].map(([name, own]) => [name, [...own.values()]]));
}

/** Units of a document that hold each of the phrases. */
function findPhrases(
  { inverted }: NumberedDocument,
  phrases: ReadonlyMap<string, Phrase>,
): ReadonlyMap<string, UnitPosting[]> {
  const indexes = new Map(inverted.terms.map((term, index) => [term, index]));
  const found = new Map<string, UnitPosting[]>();
  let pairs: ReadonlySet<string> | undefined;
  for (const [name, phrase] of phrases) {
    const own = phrase.map((term) => indexes.get(term));
    if (own.some((index) => index === undefined)) continue;
    const at = own as number[];
    if (phrase.length > 1) {
      pairs ??= namePairs(inverted.pairs);
      const known = pairs;
      if (!at.slice(1).every((second, before) => known.has(`${at[before]} ${second}`))) continue;
    }
    const units = intersectUnits(at.map((index) => readUnits(inverted, index)));
    if (units.length > 0) found.set(name, units);
  }
  return found;
}

function namePairs(pairs: Uint32Array): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at < pairs.length; at += 3) names.add(`${pairs[at]} ${pairs[at + 1]}`);
  return names;
}

function readUnits({ unitBytes, ends }: DocumentBody["inverted"], index: number): UnitPosting[] {
  const own = unitBytes.subarray(index === 0 ? 0 : (ends[index - 1] as number), ends[index] as number);
  const list = decodeUnits(own);
  const units: UnitPosting[] = [];
  visitUnits(list, 0, (unit, frequency, heading, code) => {
    units.push({ unit, frequency: Math.round(frequency), heading, code });
  });
  return units;
}

/** Units that all lists have: the least frequency, in a heading where all are. */
function intersectUnits(lists: readonly (readonly UnitPosting[])[]): UnitPosting[] {
  const [first = [], ...rest] = lists;
  return first.flatMap((posting): UnitPosting[] => {
    const same = rest.map((list) => list.find(({ unit }) => unit === posting.unit));
    if (!same.every((other) => other !== undefined)) return [];
    const all = [posting, ...same];
    return [
      {
        unit: posting.unit,
        frequency: Math.min(...all.map(({ frequency }) => frequency)),
        heading: all.every(({ heading }) => heading),
        code: all.every(({ code }) => code),
      },
    ];
  });
}

/** Units of several phrases as one list, ascending. */
function mergeUnits(units: readonly UnitPosting[]): UnitPosting[] {
  const merged = new Map<number, UnitPosting>();
  for (const posting of units) {
    const known = merged.get(posting.unit);
    merged.set(
      posting.unit,
      known === undefined
        ? posting
        : {
            unit: posting.unit,
            frequency: known.frequency + posting.frequency,
            heading: known.heading || posting.heading,
            code: known.code || posting.code,
          },
    );
  }
  return [...merged.values()].sort((a, b) => a.unit - b.unit);
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
   * Entries of the pairs that are kept, by their first word, each list sorted. A list can be asked for once.
   *
   * @param order Numbers of terms, in the order of their keys.
   */
  list(order: readonly number[]): (first: number) => TableEntry[] {
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
        if (to - from < PAIR_DOCUMENTS) continue;
        const key = keyOfPair(this.#terms.name(first), this.#terms.name(order[second] as number));
        if (key.length <= MAX_KEY_BYTES) entries.push({ key, value: encodeHolders(own.subarray(from, to)) });
      }
      return entries;
    };
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
    return Uint8Array.from({ length: this.#terms.size }, (_, number) =>
      this.#terms.documents(number) >= PAIRED_WORD_DOCUMENTS || this.#isStopTerm(this.#terms.name(number)) ? 1 : 0,
    );
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
