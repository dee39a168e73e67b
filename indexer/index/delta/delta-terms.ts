/**
 * Terms and pairs of words beside a base: in how many documents they stand now, which pairs the delta keeps, and which the
 * base lacks that it would have today.
 *
 * A base holds no pair that one document had, and none of words that few documents had. Where a new document brings the second, or a
 * word becomes frequent enough, the base's own documents are found through the hashes of all their pairs, which the parse cache
 * keeps.
 */
import { type ByteKey, keyOf } from "../../../src/core/bytes/key.ts";
import { MAX_KEY_BYTES, type TableEntry } from "../../../src/core/format/chunk.ts";
import type { KeyedPatch } from "../../../src/core/format/delta.ts";
import { encodePair, keyOfPair, PAIR_DOCUMENTS, PAIRED_WORD_DOCUMENTS } from "../../../src/core/format/pairs.ts";
import { decodePostings, type PostingList, readHead } from "../../../src/core/format/postings.ts";
import { findInChunks } from "../../../src/core/index/index-reader.ts";

import { hashPair, hashWord } from "../cache/packed-document.ts";
import type { LoadedDocument } from "../load-documents.ts";
import type { DocumentBody, IndexedDocument } from "../prepared-document.ts";
import type { BaseIndex } from "./open-base.ts";
import type { GroupChanges } from "./plan-delta.ts";

/** Values of the table `terms` of each shard, by key; undefined where the base has none. */
export class BaseTerms {
  readonly #base: BaseIndex;
  readonly #values = new Map<ByteKey, readonly (Uint8Array | undefined)[]>();

  constructor(base: BaseIndex) {
    this.#base = base;
  }

  /** Read the values of some keys. */
  async load(keys: Iterable<ByteKey>): Promise<void> {
    const missing = [...new Set(keys)].filter((key) => !this.#values.has(key)).sort();
    if (missing.length === 0) return;
    const { reader, shards } = this.#base;
    const { tables } = await reader.read(shards.map(({ index }) => ({ shard: index, table: "terms", keys: missing })));
    const finders = tables.map((chunks) => {
      // Keys ascend, and so do chunks.
      let at = 0;
      return (key: ByteKey): Uint8Array | undefined => {
        while (at + 1 < chunks.length && ((chunks[at + 1]?.keys[0] ?? "") as string) <= key) at++;
        const chunk = chunks[at];
        return chunk === undefined ? undefined : findInChunks([chunk], key);
      };
    });
    for (const key of missing)
      this.#values.set(
        key,
        finders.map((find) => find(key)),
      );
  }

  /** A value of one shard. `load` must have read it. */
  value(shard: number, key: ByteKey): Uint8Array | undefined {
    const values = this.#values.get(key);
    if (values === undefined) throw new Error(`the value of ${JSON.stringify(key)} was not read`);
    return values[shard];
  }

  /** Documents of one shard that hold a term, as the base was written. */
  countIn(shard: number, term: string): number {
    return statedDocuments(this.value(shard, keyOf(term)));
  }

  /** Form of a term in one shard. */
  form(shard: number, term: string): PostingList["form"] | undefined {
    const value = this.value(shard, keyOf(term));
    return value === undefined ? undefined : readHead(value).form;
  }
}

/** How many documents a value of a term says hold it. */
function statedDocuments(value: Uint8Array | undefined): number {
  return value === undefined ? 0 : readHead(value).documents;
}

/** In how many documents of one access group each term stands that its new documents hold. */
export class LiveCounts {
  readonly #shard: number;
  readonly #terms: BaseTerms;
  readonly #changes = new Map<string, number>();

  constructor(shard: number, terms: BaseTerms, added: readonly IndexedDocument[]) {
    this.#shard = shard;
    this.#terms = terms;
    for (const { body } of added) {
      for (const term of body.inverted.terms) this.#changes.set(term, (this.#changes.get(term) ?? 0) + 1);
    }
  }

  /** Terms that new documents hold. */
  get touched(): Iterable<string> {
    return this.#changes.keys();
  }

  /** Documents that held a term when the base was written. */
  before(term: string): number {
    return this.#terms.countIn(this.#shard, term);
  }

  /** Documents that hold a term now, or did when the base was written. */
  now(term: string): number {
    return this.before(term) + (this.#changes.get(term) ?? 0);
  }
}

/** What a delta says about pairs. */
interface PairChanges {
  /** Keys of the pairs that new documents are listed under. */
  readonly kept: ReadonlySet<ByteKey>;
  /** Values that the base lacks. */
  readonly patches: readonly KeyedPatch[];
}

/** What is known of terms and documents. */
interface KnownTerms {
  readonly terms: BaseTerms;
  readonly counts: LiveCounts;
  /** Whether a stop word of one of the corpus's languages has the term: those have pairs however few documents hold them. */
  readonly isStopTerm: (term: string) => boolean;
}

interface Pair {
  readonly first: string;
  readonly second: string;
  readonly key: ByteKey;
}

/** Documents of one pair with how often they hold it. */
interface Holders {
  readonly numbers: number[];
  readonly frequencies: number[];
}

/** A filter before the map of hashes: most pairs of most documents are not looked for. */
const FILTER_BITS = 20;

/** Work the pairs of an access group out. `added` are its new documents. */
export async function findPairChanges(
  shard: GroupChanges,
  added: readonly IndexedDocument[],
  known: KnownTerms,
): Promise<PairChanges> {
  const { terms, counts, isStopTerm } = known;
  const isPaired = (term: string): boolean => isStopTerm(term) || counts.now(term) >= PAIRED_WORD_DOCUMENTS;
  const wanted = new Map<ByteKey, Pair>();
  const addedDocuments = new Map<ByteKey, number>();
  for (const { body } of added) {
    for (const pair of listPairs(body.inverted, isPaired)) {
      wanted.set(pair.key, pair);
      addedDocuments.set(pair.key, (addedDocuments.get(pair.key) ?? 0) + 1);
    }
  }
  for (const pair of await listOfGrownWords(shard, known)) wanted.set(pair.key, pair);
  await terms.load(wanted.keys());
  const kept = new Set<ByteKey>();
  const unknown: Pair[] = [];
  for (const pair of wanted.values()) {
    if (terms.value(shard.base.index, pair.key) !== undefined) kept.add(pair.key);
    else if (isPaired(pair.first) && isPaired(pair.second)) unknown.push(pair);
  }
  const found = findHolders(shard, unknown);
  const patches: KeyedPatch[] = [];
  for (const { key } of unknown) {
    const holders = found.get(key);
    if ((holders?.numbers.length ?? 0) + (addedDocuments.get(key) ?? 0) < PAIR_DOCUMENTS) continue;
    kept.add(key);
    if (holders === undefined) continue;
    const value = encodePair(holders.numbers, holders.frequencies);
    patches.push({ table: "terms", key, patch: { kind: "value", value } });
  }
  return { kept, patches };
}

/** Pairs of words that by now stand in enough documents to have some, as the base's documents hold them. */
async function listOfGrownWords(
  { base, kept }: GroupChanges,
  { terms, counts, isStopTerm }: KnownTerms,
): Promise<Pair[]> {
  const grown = new Set(
    [...counts.touched].filter(
      (term) =>
        !isStopTerm(term) && counts.before(term) < PAIRED_WORD_DOCUMENTS && counts.now(term) >= PAIRED_WORD_DOCUMENTS,
    ),
  );
  if (grown.size === 0) return [];
  const pairs = new Map<ByteKey, Pair>();
  const numbers = new Set<number>();
  for (const term of grown) {
    const value = terms.value(base.index, keyOf(term));
    for (const number of value === undefined ? [] : decodePostings(value).documents) numbers.add(number);
  }
  for (const { document, loaded } of kept) {
    if (!numbers.has(document.number)) continue;
    for (const pair of listPairs(loaded.load().inverted, () => true)) {
      if (grown.has(pair.first) || grown.has(pair.second)) pairs.set(pair.key, pair);
    }
  }
  await terms.load([...pairs.values()].flatMap(({ first, second }) => [keyOf(first), keyOf(second)]));
  return [...pairs.values()].filter(({ first, second }) =>
    [first, second].every((term) => isStopTerm(term) || counts.now(term) >= PAIRED_WORD_DOCUMENTS),
  );
}

/** The base's documents that hold pairs, by key. */
function findHolders({ kept }: GroupChanges, pairs: readonly Pair[]): ReadonlyMap<ByteKey, Holders> {
  const holders = new Map<ByteKey, Holders>();
  if (pairs.length === 0) return holders;
  const byHash = new Map<number, Pair[]>();
  const filter = new Uint8Array(2 ** (FILTER_BITS - 3));
  for (const pair of pairs) {
    const hash = hashPair(hashWord(pair.first), hashWord(pair.second));
    byHash.set(hash, [...(byHash.get(hash) ?? []), pair]);
    const bit = hash >>> (32 - FILTER_BITS);
    filter[bit >> 3] = (filter[bit >> 3] as number) | (1 << (bit & 7));
  }
  for (const { document, loaded } of kept) {
    const hashes = loaded.loadPairHashes();
    const hits: Pair[] = [];
    for (let at = 0; at < hashes.length; at++) {
      const hash = hashes[at] as number;
      const bit = hash >>> (32 - FILTER_BITS);
      if (((filter[bit >> 3] as number) & (1 << (bit & 7))) === 0) continue;
      const same = byHash.get(hash);
      if (same !== undefined) hits.push(...same);
    }
    if (hits.length > 0) addHolder(holders, document.number, loaded, new Set(hits.map(({ key }) => key)));
  }
  return holders;
}

/** Different pairs can have one hash: the document itself tells which it holds. */
function addHolder(
  holders: Map<ByteKey, Holders>,
  number: number,
  loaded: LoadedDocument,
  keys: ReadonlySet<ByteKey>,
): void {
  const { inverted } = loaded.load();
  visitPairs(inverted, (first, second, frequency) => {
    const key = keyOfPair(first, second);
    if (!keys.has(key)) return;
    const own = holders.get(key) ?? { numbers: [], frequencies: [] };
    holders.set(key, own);
    own.numbers.push(number);
    own.frequencies.push(frequency);
  });
}

function listPairs(inverted: DocumentBody["inverted"], isPaired: (term: string) => boolean): Pair[] {
  const pairs: Pair[] = [];
  visitPairs(inverted, (first, second) => {
    if (!isPaired(first) || !isPaired(second)) return;
    const key = keyOfPair(first, second);
    if (key.length <= MAX_KEY_BYTES) pairs.push({ first, second, key });
  });
  return pairs;
}

/** Entries of the pairs with these keys, in no particular order. Documents ascend by number. */
export function keptPairEntries(documents: readonly IndexedDocument[], kept: ReadonlySet<ByteKey>): TableEntry[] {
  const lists = new Map<ByteKey, { readonly numbers: number[]; readonly frequencies: number[] }>();
  for (const { card, body } of documents) {
    visitPairs(body.inverted, (first, second, frequency) => {
      const key = keyOfPair(first, second);
      if (!kept.has(key)) return;
      const list = lists.get(key) ?? { numbers: [], frequencies: [] };
      lists.set(key, list);
      list.numbers.push(card.number);
      list.frequencies.push(frequency);
    });
  }
  return [...lists].map(([key, { numbers, frequencies }]) => ({ key, value: encodePair(numbers, frequencies) }));
}

/** Call `visit` for each pair of a document. */
function visitPairs(
  { terms, pairs }: Pick<DocumentBody["inverted"], "terms" | "pairs">,
  visit: (first: string, second: string, frequency: number) => void,
): void {
  for (let at = 0; at < pairs.length; at += 3) {
    visit(terms[pairs[at] as number] as string, terms[pairs[at + 1] as number] as string, pairs[at + 2] as number);
  }
}
