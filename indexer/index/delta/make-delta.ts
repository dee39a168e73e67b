/**
 * What is written beside a base: per access group a shard with what changed, and the base's own entry in the new root. Which
 * documents are found is exact. Statistics of deleted documents (frequencies, lengths, spellings) stay until the next new base.
 */
import { type ByteKey, keyOf } from "../../../src/core/bytes/key.ts";
import { MAX_KEY_BYTES, type TableEntry } from "../../../src/core/format/chunk.ts";
import type { KeyedPatch } from "../../../src/core/format/delta.ts";
import { encodePair, keyOfPair, PAIR_DOCUMENTS, PAIRED_WORD_DOCUMENTS } from "../../../src/core/format/pairs.ts";
import { decodePostings, readHead } from "../../../src/core/format/postings.ts";
import type { ShardRoot } from "../../../src/core/format/root.ts";
import { MAP_TABLE_NAMES, type MapTableName } from "../../../src/core/format/table.ts";
import { entriesOf, findInChunks } from "../../../src/core/index/index-reader.ts";
import { hasCode } from "../../../src/core/index/shards.ts";
import { makeStopTermTest } from "../../../src/core/text/analyze.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import type { CollectionConfig, TreelineConfig } from "../../config/config.ts";
import { type GroupCode, isEmptyCode, NO_CODE } from "../../link/code/link-code.ts";
import { listShardKeys } from "../../topics/facets.ts";
import { hashPair, hashWord } from "../cache/packed-document.ts";
import { edgeEntries, packageEntries } from "../code-tables.ts";
import { linksValue } from "../document-tables.ts";
import type { LoadedDocument } from "../load-documents.ts";
import type { DocumentBody, IndexedDocument } from "../prepared-document.ts";
import { type GroupOverview, NO_OVERVIEW, type ShardInput } from "../write-generation.ts";
import type { BaseIndex } from "./open-base.ts";
import type { GroupChanges } from "./plan-delta.ts";

const NO_BYTES = new Uint8Array();

/** What does not come from single documents, as the new generation has it. */
interface DeltaSetting {
  readonly collections: readonly CollectionConfig[];
  readonly facets: TreelineConfig["facets"];
  readonly links: ShardInput["links"];
  /** By access group. */
  readonly code: ReadonlyMap<string, GroupCode>;
  /** By access group. */
  readonly overviews: ReadonlyMap<string, GroupOverview>;
}

/** What to write beside a base; or why a new base is to be written. */
type Delta =
  | {
      readonly ok: true;
      /** The bases in the new root, in the order of the old one. */
      readonly bases: readonly ShardRoot[];
      /** Shards to write; none for a base of which nothing changed. */
      readonly shards: readonly ShardInput[];
    }
  | { readonly ok: false; readonly reason: string };

/** Work out what to write. @throws {FormatError} when the base is damaged. */
export async function makeDelta(base: BaseIndex, plan: readonly GroupChanges[], setting: DeltaSetting): Promise<Delta> {
  const reason = findReasonForNewBase(plan, setting);
  if (reason !== undefined) return { ok: false, reason };
  const added = plan.map((shard) =>
    shard.added.map(({ card, load }, number): IndexedDocument => ({ card: { ...card, number }, body: load() })),
  );
  const terms = new BaseTerms(base);
  const counts = plan.map(({ base: { index } }, at) => new LiveCounts(index, terms, added[at] ?? []));
  await terms.load(counts.flatMap(({ touched }) => [...touched].map(keyOf)));
  const isStopTerm = makeStopTermTest(setting.collections.map(({ language }) => analyzerOf(language)));
  const bases: ShardRoot[] = [];
  const shards: ShardInput[] = [];
  const rewritten = new Set(plan.flatMap((shard) => shard.added.map(({ task }) => task.id)));
  for (const [at, shard] of plan.entries()) {
    const { index, root, group } = shard.base;
    const now = added[at] as IndexedDocument[];
    const known = { terms, counts: counts[at] as LiveCounts, isStopTerm };
    const pairs = await findPairChanges(shard, now, known);
    const patches: KeyedPatch[] = [
      ...pairs.patches,
      ...(await findLinkChanges(base, shard, setting, rewritten)),
      ...(await findOverviewChanges(base, index, setting.overviews.get(group) ?? NO_OVERVIEW)),
    ];
    bases.push(withoutDocuments(root, shard));
    const code = setting.code.get(group) ?? NO_CODE;
    // Edges lead into other files, of other groups too: with any change, all code tables are written anew. Manifests and
    // what compilers know change edges and packages while no file does.
    const changesCode = !isEmptyCode(code) && (plan.some(hasChanges) || (await hasOtherCode(base, index, code)));
    if (now.length === 0 && patches.length === 0 && !changesCode) continue;
    const collectionName: ShardInput["collectionName"] = ({ collection }) =>
      (setting.collections[collection] as CollectionConfig).name;
    shards.push({
      group,
      code,
      documents: now.map(({ card, body }) => ({ card, load: () => body })),
      collectionName,
      facetKeys: listShardKeys(
        now.map(({ card }) => card),
        setting.facets,
      ),
      links: setting.links,
      beside: {
        base: index,
        positions: shard.positions,
        pairEntries: () => keptPairEntries(now, pairs.kept),
        patches,
        newTerms: [...new Set(now.flatMap(({ body }) => body.inverted.terms))].filter(
          (term) => terms.countIn(index, term) === 0,
        ).length,
      },
    });
  }
  return { ok: true, bases, shards };
}

function hasChanges({ deleted, added }: GroupChanges): boolean {
  return deleted.length > 0 || added.length > 0;
}

async function hasOtherCode(base: BaseIndex, shard: number, code: GroupCode): Promise<boolean> {
  const { tables } = await base.reader.read([
    { shard, table: "edges", keys: "all" },
    { shard, table: "packages", keys: "all" },
  ]);
  return [edgeEntries(code), packageEntries(code)].some((now, at) => {
    const before = new Map(entriesOf(tables[at] ?? []));
    const isSame = ({ key, value }: TableEntry): boolean => Buffer.compare(before.get(key) ?? NO_BYTES, value) === 0;
    return now.length !== before.size || !now.every(isSame);
  });
}

/** What bears on the base's own values, so that none of them would be right. */
function findReasonForNewBase(plan: readonly GroupChanges[], { code, overviews }: DeltaSetting): string | undefined {
  for (const { base: shard } of plan) {
    // Readers take code from the last shard that has any, and a delta cannot say that there is none.
    if (hasCode(shard.root) && isEmptyCode(code.get(shard.group) ?? NO_CODE)) return "no source file is left";
    // Readers look for maps in bases that have one.
    const isNew = (table: MapTableName): boolean =>
      table !== "synonyms" &&
      shard.root.tables[table].entries.length === 0 &&
      (overviews.get(shard.group) ?? NO_OVERVIEW)[table].length > 0;
    if (MAP_TABLE_NAMES.some(isNew)) return "there is a table that the base does not have";
  }
  return undefined;
}

/**
 * Links of pages that did not change themselves: what they lead to, or what leads to them, may have. And of pages that were written
 * anew, those of the base, where nothing beside it would take their place.
 */
async function findLinkChanges(
  base: BaseIndex,
  { base: { index }, kept, deleted }: GroupChanges,
  { links }: DeltaSetting,
  rewritten: ReadonlySet<string>,
): Promise<KeyedPatch[]> {
  const { tables } = await base.reader.read([{ shard: index, table: "links", keys: "all" }]);
  const before = new Map(entriesOf(tables[0] ?? []));
  const lost = deleted
    .filter(({ id }) => rewritten.has(id) && links.get(id) === undefined && before.has(keyOf(id)))
    .map(({ id }): KeyedPatch => ({ table: "links", key: keyOf(id), patch: { kind: "absent" } }));
  const changed = kept.flatMap(({ document: { id } }): KeyedPatch[] => {
    const key = keyOf(id);
    const resolved = links.get(id);
    const now = resolved === undefined ? undefined : linksValue(resolved);
    const old = before.get(key);
    if (now === undefined) return old === undefined ? [] : [{ table: "links", key, patch: { kind: "absent" } }];
    if (old !== undefined && Buffer.compare(now, old) === 0) return [];
    return [{ table: "links", key, patch: { kind: "value", value: now } }];
  });
  return [...lost, ...changed];
}

/** Entries of the map above the tree that are not what the base says. */
async function findOverviewChanges(base: BaseIndex, shard: number, overview: GroupOverview): Promise<KeyedPatch[]> {
  const { tables } = await base.reader.read(MAP_TABLE_NAMES.map((table) => ({ shard, table, keys: "all" })));
  return MAP_TABLE_NAMES.flatMap((table, at): KeyedPatch[] => {
    const gone = new Map(entriesOf(tables[at] ?? []));
    const changed = overview[table].flatMap(({ key, value }): KeyedPatch[] => {
      const old = gone.get(key);
      gone.delete(key);
      return old !== undefined && Buffer.compare(value, old) === 0
        ? []
        : [{ table, key, patch: { kind: "value", value } }];
    });
    return [...changed, ...[...gone.keys()].map((key): KeyedPatch => ({ table, key, patch: { kind: "absent" } }))];
  });
}

/** A base's entry in the new root: totals of what is left, as if the deleted documents were of average length. */
function withoutDocuments(root: ShardRoot, { deleted }: GroupChanges): ShardRoot {
  if (deleted.length === 0) return root;
  const { documents, units, terms, described, lengths } = root;
  const left = (total: number): number => Math.round((total * (documents - deleted.length)) / documents);
  return {
    ...root,
    documents: documents - deleted.length,
    units: left(units),
    described: left(described),
    lengths: {
      body: left(lengths.body),
      title: left(lengths.title),
      path: left(lengths.path),
      description: left(lengths.description),
    },
    deleted: deleted.map(({ number }) => number),
    written: { documents, units, terms, described, lengths },
  };
}

/** Values of the table `terms` of each shard, by key; undefined where the base has none. */
class BaseTerms {
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
}

/** How many documents a value of a term says hold it. */
function statedDocuments(value: Uint8Array | undefined): number {
  return value === undefined ? 0 : readHead(value).documents;
}

/** In how many documents of one access group each term stands that its new documents hold. */
class LiveCounts {
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

/**
 * Work the pairs of an access group out. A base holds no pair that one document had, and none of words that few documents had. Where a
 * new document brings the second, or a word becomes frequent enough, the base's own documents are found through the hashes of all their
 * pairs, which the parse cache keeps.
 *
 * @param added Its new documents.
 */
async function findPairChanges(
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
function keptPairEntries(documents: readonly IndexedDocument[], kept: ReadonlySet<ByteKey>): TableEntry[] {
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
