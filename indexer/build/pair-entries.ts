/**
 * Which pairs of neighbouring words of a shard are kept, and their entries of the term table.
 *
 * Kept are pairs of words that both stand in many documents and that stand side by side in more than one: a pair of a
 * rare word adds nothing to that word. All of those are kept, so that a pair which is not there tells something too.
 * Documents are counted over all shards: who sees several of them searches as in one, where the pair would be kept.
 *
 * Pure: prepared documents in, entries out, whatever the order in which threads prepared them.
 */
import type { ByteKey } from "../../src/core/bytes/key.ts";
import { FormatError } from "../../src/core/errors.ts";
import { MAX_KEY_BYTES, type TableEntry } from "../../src/core/format/chunk.ts";
import { encodePair, keyOfPair, PAIR_DOCUMENTS, PAIRED_WORD_DOCUMENTS } from "../../src/core/format/pairs.ts";
import type { PreparedDocument } from "./prepare-document.ts";

/** Counters of hashed pairs: most pairs stand in one document, and this keeps them out of the map. */
const COUNTERS = 2 ** 24;
const PAIR_BASE = 2 ** 26;
const FREQUENCY_BASE = 256;

/** What is known of the shard's terms, by their number. */
export interface ShardTerms {
  readonly numbers: ReadonlyMap<string, number>;
  readonly names: readonly string[];
  /** Documents that hold each term. */
  readonly documents: readonly number[];
}

/**
 * Entries of the pairs that are kept, in no particular order. Documents ascend by number.
 *
 * @param others Documents of all other shards.
 */
export function pairEntries(
  documents: readonly PreparedDocument[],
  own: ShardTerms,
  others: readonly PreparedDocument[] = [],
): TableEntry[] {
  const terms = { ...own, documents: countEverywhere(own, others) };
  if (terms.names.length >= PAIR_BASE) {
    throw new FormatError("pairs", { code: "out-of-range", what: "terms", got: terms.names.length, limit: PAIR_BASE });
  }
  const counters = new Uint8Array(COUNTERS);
  for (const some of [documents, others]) {
    visitFrequentPairs(some, terms, (pair) => {
      const slot = hashPair(pair);
      const count = counters[slot] as number;
      if (count < 0xff) counters[slot] = count + 1;
    });
  }
  const lists = new Map<number, number[]>();
  visitFrequentPairs(documents, terms, (pair, document, frequency) => {
    if ((counters[hashPair(pair)] as number) < PAIR_DOCUMENTS) return;
    const list = lists.get(pair);
    const value = document * FREQUENCY_BASE + frequency;
    if (list === undefined) lists.set(pair, [value]);
    else list.push(value);
  });
  const elsewhere = new Map<number, number>();
  visitFrequentPairs(others, terms, (pair) => {
    if (lists.has(pair)) elsewhere.set(pair, (elsewhere.get(pair) ?? 0) + 1);
  });
  const entries: TableEntry[] = [];
  for (const [pair, list] of lists) {
    if (list.length + (elsewhere.get(pair) ?? 0) < PAIR_DOCUMENTS) continue;
    const key = keyOfPair(terms.names[Math.floor(pair / PAIR_BASE)] as string, terms.names[pair % PAIR_BASE] as string);
    if (key.length > MAX_KEY_BYTES) continue;
    entries.push({
      key,
      value: encodePair(
        list.map((value) => Math.floor(value / FREQUENCY_BASE)),
        list.map((value) => value % FREQUENCY_BASE),
      ),
    });
  }
  return entries;
}

/** Entries of the pairs with these keys, whatever else the documents hold. Documents ascend by number. */
export function pairEntriesOf(documents: readonly PreparedDocument[], kept: ReadonlySet<ByteKey>): TableEntry[] {
  const lists = new Map<ByteKey, { readonly numbers: number[]; readonly frequencies: number[] }>();
  for (const { number, inverted } of documents) {
    visitPairs(inverted, (first, second, frequency) => {
      const key = keyOfPair(first, second);
      if (!kept.has(key)) return;
      const list = lists.get(key) ?? { numbers: [], frequencies: [] };
      lists.set(key, list);
      list.numbers.push(number);
      list.frequencies.push(frequency);
    });
  }
  return [...lists].map(([key, { numbers, frequencies }]) => ({ key, value: encodePair(numbers, frequencies) }));
}

/** Call `visit` for each pair of a document. */
export function visitPairs(
  { terms, pairs }: Pick<PreparedDocument["inverted"], "terms" | "pairs">,
  visit: (first: string, second: string, frequency: number) => void,
): void {
  for (let at = 0; at < pairs.length; at += 3) {
    visit(terms[pairs[at] as number] as string, terms[pairs[at + 1] as number] as string, pairs[at + 2] as number);
  }
}

/** Documents of all shards that hold each of the shard's terms. */
function countEverywhere({ numbers, documents }: ShardTerms, others: readonly PreparedDocument[]): readonly number[] {
  if (others.length === 0) return documents;
  const counts = [...documents];
  for (const { inverted } of others) {
    for (const term of inverted.terms) {
      const at = numbers.get(term);
      if (at !== undefined) counts[at] = (counts[at] as number) + 1;
    }
  }
  return counts;
}

/** Call `visit` for each pair of words that both stand in enough documents. */
function visitFrequentPairs(
  documents: readonly PreparedDocument[],
  { numbers, documents: counts }: ShardTerms,
  visit: (pair: number, document: number, frequency: number) => void,
): void {
  for (const { number, inverted } of documents) {
    // Other shards have terms that this one does not know.
    const own = Int32Array.from(inverted.terms, (term) => numbers.get(term) ?? -1);
    const { pairs } = inverted;
    for (let at = 0; at < pairs.length; at += 3) {
      const first = own[pairs[at] as number] as number;
      const second = own[pairs[at + 1] as number] as number;
      if (first < 0 || second < 0) continue;
      if ((counts[first] as number) < PAIRED_WORD_DOCUMENTS || (counts[second] as number) < PAIRED_WORD_DOCUMENTS)
        continue;
      visit(first * PAIR_BASE + second, number, pairs[at + 2] as number);
    }
  }
}

function hashPair(pair: number): number {
  const mixed = Math.imul(Math.floor(pair / PAIR_BASE), 0x9e3779b1) ^ Math.imul(pair % PAIR_BASE, 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) & (COUNTERS - 1);
}
