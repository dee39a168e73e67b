/**
 * Reading what the words of a query need: postings of their terms, longer words, pairs and synonyms, in one wave;
 * in two where only the first tells what the synonyms are.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf, textOfKey } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import type { Chunk } from "../format/chunk.ts";
import {
  decodePair,
  decodeSynonyms,
  hashPhrase,
  isRarePair,
  keyOfPair,
  keyOfPhrase,
  listRarePair,
  type PairList,
  type PairSides,
} from "../format/pairs.ts";
import { decodePostings, type PostingList, withoutDocuments } from "../format/postings.ts";
import type { ShardRoot } from "../format/root.ts";
import { entriesOf, findInChunks, type IndexReader, type TableRead, type VisibleShard } from "../index/index-reader.ts";
import { type ResidentTable, readWithResident } from "../index/resident.ts";
import { groupShards } from "../index/shards.ts";
import { MAX_CONCURRENT_READS } from "../index/waves.ts";
import { compareNames } from "../text/names.ts";
import type { QueryPair, QueryWord, SynonymPhrase } from "./query.ts";
import type { RankingParameters } from "./ranking.ts";
import type { Alternative, PairPostings, WordPostings } from "./scoring.ts";

/** Longer words that one beginning stands for. */
export const MAX_LONGER_WORDS = 50;
/** Chunks that are read for the words behind a beginning, and where every key that is typed costs its own. */
const MAX_PREFIX_CHUNKS = 4;
const MAX_TYPED_CHUNKS = 2;
/** Letters that a beginning needs; one is enough where a character is a word. */
const LEAST_PREFIX_LETTERS = 2;
/** Phrases of one query whose documents are read; each costs reads. */
const MAX_SYNONYMS = 24;
/** Sorts before every byte of text, and behind what separates the words of a pair. */
const FIRST_BYTE = "\u0001";
/** Sorts behind every byte of text. */
const LAST_BYTE = "\u00ff";

interface WordsWanted {
  readonly words: readonly QueryWord[];
  /** Terms side by side. Those behind a stop word are not looked up, whose pairs are many: where the word is rare, its postings tell. */
  readonly pairs: readonly QueryPair[];
  /** Terms side by side in phrases, stop words among them: their pairs decide. */
  readonly phrasePairs: readonly (readonly [string, string])[];
  /** Tables that are read in the same wave. */
  readonly resident: readonly ResidentTable[];
  /** Chunks that are read in the same wave for others to find in memory. */
  readonly also: readonly TableRead[];
  readonly ranking: RankingParameters;
  /** Words whose longer forms are read, by index. */
  readonly longer: ReadonlySet<number>;
  /** Whether these are still being typed, so that fewer of them do. */
  readonly asYouType: boolean;
  /** Runs of words whose synonyms are read. */
  readonly synonymPhrases: readonly SynonymPhrase[];
}

export interface WordsRead {
  readonly words: readonly WordPostings[];
  /** Pairs that were looked up, those too that the index does not have. */
  readonly pairs: readonly PairPostings[];
  /** Pairs of the phrases, as the index holds them. */
  readonly phrasePairs: readonly PairPostings[];
}

interface ChosenPair extends QueryPair {
  readonly key: ByteKey;
}

/** Gives what joins synonyms to words, see `phrases.ts`. */
type LoadJoin = () => Promise<{
  readonly addSynonyms: (
    reader: IndexReader,
    words: readonly WordPostings[],
    synonyms: readonly Synonym[],
    ranking: RankingParameters,
  ) => Promise<WordPostings[]>;
}>;

/** Postings of some words and pairs, in one wave. */
export async function readWords(reader: IndexReader, wanted: WordsWanted, load: LoadJoin): Promise<WordsRead> {
  const { words, ranking, asYouType } = wanted;
  const keys = words.flatMap(({ terms }) => terms.map(keyOf));
  const synonymReads = readsOfSynonyms(reader, wanted.synonymPhrases);
  const phraseKeys = wanted.phrasePairs.map(([first, second]) => keyOfPair(first, second));
  keys.push(...phraseKeys);
  const prefixes = words.map(({ word }, at) => (wanted.longer.has(at) && canBegin(word) ? keyOf(word) : undefined));
  const ranges = prefixes.filter((prefix) => prefix !== undefined);
  let pairs = choosePairs(reader, wanted, wanted.pairs, keys);
  if (reader.shards.some(({ root }) => root.tables.terms.height > 0)) {
    // Which pairs fit is known when the lower directories are, which take a wave in any case.
    const reads = tableReads(reader, [...keys, ...keysOf(pairs)], ranges, asYouType);
    await reader.locate([...reads, ...synonymReads, ...wanted.also]);
    pairs = choosePairs(reader, wanted, pairs, keys);
  }
  const wave = await readWithResident(reader, wanted.resident, [
    ...tableReads(reader, [...keys, ...keysOf(pairs)], ranges, asYouType),
    ...synonymReads,
    ...wanted.also,
  ]);
  const perShard = 1 + ranges.length;
  const chunksOf = (shard: number): readonly Chunk[] => wave.tables[shard * perShard] ?? [];
  const rangeOf = (shard: number, range: number): readonly Chunk[] => wave.tables[shard * perShard + 1 + range] ?? [];
  const listsOf = (key: ByteKey, chunks: (shard: number) => readonly Chunk[]) =>
    reader.shards.map((_, shard) => readList(reader, shard, findInChunks(chunks(shard), key), textOfKey(key)));
  let range = 0;
  const read = words.map(({ terms, count, isBeginning = false }, at): WordPostings => {
    const weight = isBeginning ? ranking.longerWords : 1;
    const own = terms.map(
      (term): Alternative => ({ term, weight, isLonger: false, lists: listsOf(keyOf(term), chunksOf) }),
    );
    const prefix = prefixes[at];
    if (prefix === undefined) return { term: terms[0] ?? "", count, alternatives: own };
    const number = range++;
    const ofRange = (shard: number): readonly Chunk[] => rangeOf(shard, number);
    const longer = listLonger(reader, prefix, new Set(terms.map(keyOf)), ofRange).map(
      (key): Alternative => ({
        term: textOfKey(key),
        weight: ranking.longerWords,
        isLonger: true,
        lists: listsOf(key, ofRange),
      }),
    );
    return { term: terms[0] ?? "", count, alternatives: [...own, ...longer] };
  });
  const listsOfTerm = new Map(
    read.flatMap(({ alternatives }) => alternatives.map(({ term, lists }) => [term, lists] as const)),
  );
  const listsOfPair = (terms: readonly [string, string], key: ByteKey | undefined): PairPostings["lists"] =>
    reader.shards.map((_, shard) => {
      const sides: PairSides = [listsOfTerm.get(terms[0])?.[shard], listsOfTerm.get(terms[1])?.[shard]];
      return readPairList(reader, shard, chunksOf(shard), key, terms, sides);
    });
  const behindTerms = reader.shards.length * perShard;
  const synonymTables = wave.tables.slice(behindTerms, behindTerms + synonymReads.length);
  const synonyms = findSynonyms(reader, wanted.synonymPhrases, synonymReads, synonymTables);
  return {
    words: synonyms.length === 0 ? read : await (await load()).addSynonyms(reader, read, synonyms, ranking),
    phrasePairs: wanted.phrasePairs.map((terms, at) => ({
      terms,
      lists: listsOfPair(terms, phraseKeys[at] as ByteKey),
    })),
    pairs: pairs.map(
      ({ terms, key, beginsWithStop }): PairPostings => ({
        terms,
        lists: listsOfPair(terms, beginsWithStop ? undefined : key),
      }),
    ),
  };
}

/**
 * The documents that hold a pair.
 *
 * @param shard Index among the visible ones.
 * @param key Undefined where only the postings of a rare term may tell.
 * @param sides Postings of its terms in the shard.
 */
export function readPairList(
  reader: IndexReader,
  shard: number,
  chunks: readonly Chunk[],
  key: ByteKey | undefined,
  terms: readonly [string, string],
  sides: PairSides,
): PairList | undefined {
  if (isRarePair(sides)) {
    const documents = Uint32Array.from(listRarePair(sides, terms));
    return documents.length === 0 ? undefined : { documents, frequencies: new Float32Array(documents.length).fill(1) };
  }
  const bytes = key === undefined ? undefined : findInChunks(chunks, key);
  if (bytes === undefined) return undefined;
  const list = decodePair(bytes, deletedIn(reader, shard));
  reader.countPostings(list.documents.length);
  return list.documents.length === 0 ? undefined : list;
}

function deletedIn(reader: IndexReader, shard: number): ReadonlySet<number> {
  return reader.deletedIn((reader.shards[shard] as VisibleShard).index);
}

/** Whether a word has letters enough to mean something as the beginning of longer ones. */
export function canBegin(word: string): boolean {
  const letters = Array.from(word).length;
  const isAscii = /^[\0-\x7f]*$/.test(word);
  return letters >= (isAscii ? LEAST_PREFIX_LETTERS : 1);
}

function tableReads(
  reader: IndexReader,
  keys: readonly ByteKey[],
  prefixes: readonly ByteKey[],
  asYouType: boolean,
): TableRead[] {
  return reader.shards.flatMap(({ index }): TableRead[] => [
    { shard: index, table: "terms", keys },
    ...prefixes.map(
      (prefix): TableRead => ({
        shard: index,
        table: "terms",
        // Behind the pairs of the word itself, which can be many chunks.
        keys: {
          from: `${prefix}${FIRST_BYTE}` as ByteKey,
          to: `${prefix}${LAST_BYTE}` as ByteKey,
          maxChunks: asYouType ? MAX_TYPED_CHUNKS : MAX_PREFIX_CHUNKS,
        },
      }),
    ),
  ]);
}

/**
 * Pairs whose keys are looked up. Where they would need more rounds of reads than the words do, pairs of the words with
 * the longest postings are left out first: a word is never left out, and a frequent pair says least.
 */
function choosePairs(
  reader: IndexReader,
  { ranking }: WordsWanted,
  pairs: WordsWanted["pairs"],
  wordKeys: readonly ByteKey[],
): ChosenPair[] {
  if (ranking.pairs === 0) return [];
  const inOrder = pairs.map((pair) => {
    const { terms } = pair;
    const size = reader.shards.reduce((sum, { index }) => sum + reader.chunkBytes(index, "terms", keyOf(terms[0])), 0);
    return { ...pair, key: keyOfPair(...terms), size };
  });
  const chosen = [...inOrder].sort((a, b) => a.size - b.size);
  // Words that take more than one round of reads leave some of the last round free.
  const rounds = Math.ceil(reader.countReads(tableReads(reader, wordKeys, [], false)) / MAX_CONCURRENT_READS);
  const limit = Math.max(1, rounds) * MAX_CONCURRENT_READS;
  while (chosen.length > 0) {
    const keys = [...wordKeys, ...keysOf(chosen)];
    if (reader.countReads(tableReads(reader, keys, [], false)) <= limit) break;
    chosen.pop();
  }
  // In the order of the query, for scores are sums: those of equal pages are equal to the last digit, however chunks lie.
  return inOrder.filter((one) => chosen.includes(one));
}

function keysOf(pairs: readonly ChosenPair[]): ByteKey[] {
  return pairs.flatMap(({ key, beginsWithStop }) => (beginsWithStop ? [] : [key]));
}

/** Keys of the longer words that most documents hold, in key order. How many stands behind the form of a list. */
function listLonger(
  reader: IndexReader,
  prefix: ByteKey,
  own: ReadonlySet<ByteKey>,
  chunksOf: (shard: number) => readonly Chunk[],
): ByteKey[] {
  const sizes = new Map<ByteKey, number>();
  for (const [shard] of reader.shards.entries()) {
    for (const [key, value] of entriesOf(chunksOf(shard))) {
      if (!key.startsWith(prefix) || own.has(key) || key.includes(KEY_SEPARATOR)) continue;
      sizes.set(key, (sizes.get(key) ?? 0) + new ByteReader(value, "postings", 1).readVarint());
    }
  }
  return [...sizes]
    .sort(([a, x], [b, y]) => y - x || compareNames(a, b))
    .slice(0, MAX_LONGER_WORDS)
    .map(([key]) => key)
    .sort();
}

/** Per term, its list in each visible shard; undefined where it does not occur. */
export async function readPostings(
  reader: IndexReader,
  terms: readonly string[],
  resident: readonly ResidentTable[],
): Promise<(PostingList | undefined)[][]> {
  const keys = terms.map(keyOf);
  const reads = reader.shards.map(({ index }): TableRead => ({ shard: index, table: "terms", keys }));
  const { tables } = await readWithResident(reader, resident, reads);
  return keys.map((key, at) =>
    tables.map((chunks, shard) => readList(reader, shard, findInChunks(chunks, key), terms[at] ?? "")),
  );
}

/**
 * The list that a value holds, counted as part of the request's cost; undefined where no document is left.
 *
 * @param shard Index among the visible ones.
 */
export function readList(
  reader: IndexReader,
  shard: number,
  bytes: Uint8Array | undefined,
  term: string,
): PostingList | undefined {
  if (bytes === undefined) return undefined;
  const list = decodePostings(bytes, `postings of ${JSON.stringify(term)}`);
  reader.countPostings(list.documents.length);
  const live = withoutDocuments(list, deletedIn(reader, shard));
  return live.frequencies.documents === 0 ? undefined : live;
}

type KeysRead = TableRead & { readonly keys: readonly ByteKey[] };

/** A phrase that stands for words of the query. */
export interface Synonym {
  readonly terms: readonly string[];
  /** Indexes of the words that it stands for. */
  readonly words: readonly number[];
  /** Access group that calls it so. */
  readonly group: string;
}

/** Reads of the table `synonyms` that tell those of some phrases, for each group that may have any. */
function readsOfSynonyms(reader: IndexReader, phrases: readonly SynonymPhrase[]): KeysRead[] {
  return groupShards(reader).flatMap(({ index, root: { group } }): KeysRead[] => {
    const levels = reader.shards.filter(({ root }) => root.group === group);
    const mayHave = (key: ByteKey): boolean => levels.some(({ root }) => root.phrases.includes(hashPhrase(key)));
    const keys = phrases.map(({ terms }) => keyOfPhrase(terms)).filter(mayHave);
    return keys.length === 0 ? [] : [{ shard: index, table: "synonyms", keys }];
  });
}

/** The synonyms of phrases. @param tables Chunks of these reads. */
function findSynonyms(
  reader: IndexReader,
  phrases: readonly SynonymPhrase[],
  reads: readonly KeysRead[],
  tables: readonly (readonly Chunk[])[],
): readonly Synonym[] {
  const synonyms = phrases.flatMap(({ terms, words }) =>
    tables.flatMap((chunks, at): Synonym[] => {
      const value = findInChunks(chunks, keyOfPhrase(terms));
      const { group } = reader.index.root.shards[reads[at]?.shard ?? 0] as ShardRoot;
      return value === undefined ? [] : decodeSynonyms(value).map((other) => ({ terms: other, words, group }));
    }),
  );
  return synonyms.slice(0, MAX_SYNONYMS);
}
