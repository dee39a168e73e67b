/**
 * Pairs of words beside a base: which ones the delta keeps, and which the base lacks that it would have today.
 *
 * A base holds no pair that one document had, and none of words that few documents had. Where a new document brings the
 * second, or a word becomes frequent enough, the base's own documents have to be found: through the hashes of all their
 * pairs, which the parse cache keeps.
 */
import { type ByteKey, keyOf } from "../../../src/core/bytes/key.ts";
import { MAX_KEY_BYTES } from "../../../src/core/format/chunk.ts";
import type { KeyedPatch } from "../../../src/core/format/delta.ts";
import { encodePair, keyOfPair, PAIR_DOCUMENTS, PAIRED_WORD_DOCUMENTS } from "../../../src/core/format/pairs.ts";
import { decodePostings } from "../../../src/core/format/postings.ts";
import { hashPair, hashTerm } from "../cache/cached-document.ts";
import type { DocumentCache } from "../cache/document-cache.ts";
import type { LoadedDocument } from "../load-documents.ts";
import type { PreparedDocument } from "../prepare-document.ts";
import type { BaseTerms, LiveCounts } from "./base-terms.ts";
import { visitPairs } from "./kept-pairs.ts";
import type { ShardDelta } from "./plan-delta.ts";

/** What a delta says about pairs. */
export interface PairChanges {
  /** Keys of the pairs that new documents are listed under. */
  readonly kept: ReadonlySet<ByteKey>;
  /** Values that the base lacks. */
  readonly patches: readonly KeyedPatch[];
}

/** What is known of terms and documents. */
export interface KnownTerms {
  readonly terms: BaseTerms;
  readonly counts: LiveCounts;
  /** Whether a stop word of one of the corpus's languages has the term: those have pairs however few documents hold them. */
  readonly isStopTerm: (term: string) => boolean;
  readonly cache: DocumentCache;
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
  shard: ShardDelta,
  added: readonly PreparedDocument[],
  known: KnownTerms,
): Promise<PairChanges> {
  const { terms, counts, isStopTerm, cache } = known;
  const isPaired = (term: string): boolean => isStopTerm(term) || counts.now(term) >= PAIRED_WORD_DOCUMENTS;
  // A base that lists a pair must have all of its documents listed, though its words became rarer since.
  const wasPaired = (term: string): boolean => isPaired(term) || counts.before(term) >= PAIRED_WORD_DOCUMENTS;
  const wanted = new Map<ByteKey, Pair>();
  const addedDocuments = new Map<ByteKey, number>();
  for (const { inverted } of added) {
    for (const pair of listPairs(inverted, wasPaired)) {
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
  const found = findHolders(shard, unknown, cache);
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
  { base, kept }: ShardDelta,
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
function findHolders(
  { kept }: ShardDelta,
  pairs: readonly Pair[],
  cache: DocumentCache,
): ReadonlyMap<ByteKey, Holders> {
  const holders = new Map<ByteKey, Holders>();
  if (pairs.length === 0) return holders;
  const byHash = new Map<number, Pair[]>();
  const filter = new Uint8Array(2 ** (FILTER_BITS - 3));
  for (const pair of pairs) {
    const hash = hashPair(hashTerm(pair.first), hashTerm(pair.second));
    byHash.set(hash, [...(byHash.get(hash) ?? []), pair]);
    const bit = hash >>> (32 - FILTER_BITS);
    filter[bit >> 3] = (filter[bit >> 3] as number) | (1 << (bit & 7));
  }
  for (const { document, loaded } of kept) {
    const hashes = cache.hashes(loaded.key).pairs;
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

function listPairs(inverted: PreparedDocument["inverted"], isPaired: (term: string) => boolean): Pair[] {
  const pairs: Pair[] = [];
  visitPairs(inverted, (first, second) => {
    if (!isPaired(first) || !isPaired(second)) return;
    const key = keyOfPair(first, second);
    if (key.length <= MAX_KEY_BYTES) pairs.push({ first, second, key });
  });
  return pairs;
}
