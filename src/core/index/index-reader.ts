/**
 * Reader of one request: gets chunks and text blocks in waves, from memory where they are, and counts what it costs.
 *
 * A wave is planned whole before it is sent: no read in it depends on another. Tables whose directory has two levels
 * cost one wave more the first time, index-format v1, section 3.3.
 */
import type { ByteKey } from "../bytes/key.ts";
import { countFirst } from "../bytes/numbers.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";
import { type Chunk, decodeChunk, fileOfPack, keyAt, keyOfPack, makeChunk, valueAt } from "../format/chunk.ts";
import type { findBlock } from "../format/locator.ts";
import { NO_DOCUMENTS } from "../format/postings.ts";
import type { CollectionInfo, ShardRoot } from "../format/root.ts";
import {
  applyPatch,
  type DirectoryEntry,
  findEntry,
  fromDirectoryChunk,
  OVERLAY_TABLE_NAMES,
  type Place,
  type TableName,
} from "../format/table.ts";
import { decodeBlock, type TextBlock } from "../format/text-block.ts";
import type { Analyzer } from "../text/analyze.ts";
import type { Language } from "../text/language.ts";
import { type Cost, type CostCounters, countPointerRead, createCounters } from "./cost.ts";
import type { GenerationInfo, OpenIndex } from "./open-generation.ts";
import type { RangeSource } from "./range-source.ts";
import { KEPT } from "./value-cache.ts";
import { type ByteRange, coalesceRanges, readRanges } from "./waves.ts";

type BlockPlace = ReturnType<typeof findBlock>;

/** Chunks wanted of one table: those that would hold some keys, all keys in a range, or all. */
export interface TableRead {
  readonly shard: number;
  readonly table: TableName;
  readonly keys: readonly ByteKey[] | "all" | KeyRange;
}

/** Keys from `from` on, below `to`. */
export interface KeyRange {
  readonly from: ByteKey;
  readonly to: ByteKey;
  /** Chunks at most, the first ones; all when absent. */
  readonly maxChunks?: number;
}

export interface BlockRead {
  readonly shard: number;
  readonly document: number;
  readonly unit: number;
  readonly place: BlockPlace;
  /** Path of the document, where it is known: a block of another document in this place is then refused. */
  readonly path: string | undefined;
}

interface WaveResult {
  /** Per table read, its chunks in key order, each once. */
  readonly tables: readonly (readonly Chunk[])[];
  readonly blocks: readonly TextBlock[];
}

/** A shard that this request may see, with its index in the root. */
export interface VisibleShard {
  readonly index: number;
  readonly root: ShardRoot;
}

interface Decoded {
  readonly value: Chunk | readonly TextBlock[];
  readonly inflatedBytes: number;
  readonly memoryBytes: number;
}

interface Load {
  /** What is read, as the cache knows it: the place and whose it is, as the checksum does. */
  readonly name: string;
  readonly range: ByteRange;
  readonly decode: (bytes: Uint8Array) => Promise<Decoded>;
}

/**
 * How a reader comes by titles and facets. `whole`: it reads their tables once and keeps them, which pays where many
 * requests share a memory. `shown`: names come with the texts of what is shown, and facets are read where an answer
 * filters by them or counts them (hits carry theirs where it counts); for a page that asks a few times.
 */
type Residency = "whole" | "shown";

interface ReaderOptions {
  /** Where the reader counts what it costs, beside what the call cost before. */
  readonly counters?: CostCounters;
  readonly residency?: Residency;
}

/** Units of text take up to two bytes each in memory, and headings and objects take some more. */
const TEXT_MEMORY = 2;
/** About what a block holds beside its text. */
const BLOCK_HEADER_BYTES = 256;
const OVERLAYS: ReadonlySet<TableName> = new Set(OVERLAY_TABLE_NAMES);
const NO_BYTES = new Uint8Array();

/** Reads for one request. */
export class IndexReader {
  readonly index: OpenIndex;
  /** Shards whose access group the caller may see. */
  readonly shards: readonly VisibleShard[];
  readonly residency: Residency;
  /** Derived values by their names in the cache. */
  readonly #held = new Map<string, unknown>();
  /** Entries of the directory chunks that this request met, by the name of their load. */
  readonly #directories = new Map<string, readonly DirectoryEntry[]>();
  readonly #counters: CostCounters;

  /** @param groups Access groups that the caller may see; everyone sees `public`. */
  constructor(
    index: OpenIndex,
    groups: readonly string[] | "all" = ["public"],
    { counters = createCounters(), residency = "whole" }: ReaderOptions = {},
  ) {
    this.index = index;
    this.residency = residency;
    this.#counters = counters;
    this.shards = index.root.shards
      .map((root, shard) => ({ index: shard, root }))
      .filter(({ root }) => groups === "all" || groups.includes(root.group));
  }

  /** What was read so far. */
  get cost(): Cost {
    return { ...this.#counters };
  }

  /** Collections in the shards that the caller may see. */
  get collections(): readonly CollectionInfo[] {
    const groups = new Set(this.shards.map(({ root }) => root.group));
    return this.index.collections.filter((collection) => groups.has(collection.access));
  }

  /** Facet keys that may be named to the caller: none where other groups' keys are among them. */
  get facetKeys(): readonly string[] {
    return this.shards.length === this.index.root.shards.length ? this.index.root.facetKeys : [];
  }

  /** The generation as the caller may see it: counts of what they cannot read are left out. */
  get generation(): GenerationInfo {
    const sum = (count: (collection: CollectionInfo) => number): number =>
      this.collections.reduce((total, collection) => total + count(collection), 0);
    const isWhole = this.shards.length === this.index.root.shards.length;
    return {
      ...this.index.generation,
      // These are known for the whole corpus only; who does not see all of it gets none of them.
      ...(isWhole ? {} : { skippedFiles: 0, diagnostics: 0, indexBytes: 0, textBytes: 0, facetKeysLeftOut: [] }),
      documents: sum(({ documents }) => documents),
      sections: sum(({ sections }) => sections),
      words: sum(({ words }) => words),
      terms: this.shards.reduce((total, { root }) => total + root.terms, 0),
    };
  }

  /** The collection that the locator's index names. @throws {FormatError} when the root lists none. */
  collectionAt(index: number): CollectionInfo {
    const { collections } = this.index;
    checkLimit("locator", "collection", index, collections.length - 1);
    return collections[index] as CollectionInfo;
  }

  /** Count postings that were decoded for a term. */
  countPostings(postings: number): void {
    this.#counters.postingsDecoded += postings;
  }

  /** Count text that was gone through, in bytes of UTF-8. */
  countScanned(bytes: number): void {
    this.#counters.bytesScanned += bytes;
  }

  /** Count documents, sections or texts that were rated. */
  countScored(candidates: number): void {
    this.#counters.candidatesScored += candidates;
  }

  /** Count a read that was made beside this reader: of the pointer, of the log. */
  countRead(bytes: number): void {
    countPointerRead(this.#counters, bytes);
  }

  /**
   * Everything that is asked, in one wave where the directories are flat. Of tables that levels overlay, the chunks of a level
   * come with those of the newer levels of its group, each key with its newest value.
   *
   * @param maxReads Reads for chunks and blocks to make do with, see `readRanges`.
   * @throws {FormatError} on damage.
   */
  async read(tables: readonly TableRead[], blocks: readonly BlockRead[] = [], maxReads?: number): Promise<WaveResult> {
    const above = tables.map((read) => this.#readsAbove(read));
    const all = [...tables, ...above.flat()];
    const entries = await this.locate(all);
    const loads: Load[] = [];
    const order = entries.map((list, index) => {
      const { shard, table } = all[index] as TableRead;
      return list.map((entry) => loads.push(this.#chunkLoad(shard, table, entry)) - 1);
    });
    const firstBlock = loads.length;
    for (const block of blocks) loads.push(this.#blockLoad(block));
    const values = await this.#load(loads, maxReads);
    const texts = values
      .slice(firstBlock)
      .map((units, at) => takeUnit(units as readonly TextBlock[], blocks[at] as BlockRead));
    const chunks = order.map((indexes) => indexes.map((index) => values[index] as Chunk));
    let next = tables.length;
    return {
      tables: above.map((newer, at) => {
        const levels = [chunks[at] as Chunk[], ...chunks.slice(next, next + newer.length)];
        next += newer.length;
        return overlay(tables[at] as TableRead, levels);
      }),
      blocks: texts,
    };
  }

  /** What newer levels of the group say of the same keys, the oldest of them first. */
  #readsAbove({ shard, table, keys }: TableRead): TableRead[] {
    if (!OVERLAYS.has(table)) return [];
    const { shards } = this.index.root;
    const wanted = keys !== "all" && "from" in keys ? { from: keys.from, to: keys.to } : keys;
    return shards.flatMap(({ group, tables }, index) =>
      index > shard && group === shards[shard]?.group && tables[table].entries.length > 0
        ? [{ shard: index, table, keys: wanted }]
        : [],
    );
  }

  /** The analyzer of a language, always the same one. @throws {Error} for one that no collection of the index is in. */
  analyzerOf(language: Language): Analyzer {
    const analyzer = this.index.analyzers.get(language);
    if (analyzer === undefined) throw new Error(`the analyzer of ${language} was not loaded`);
    return analyzer;
  }

  /** Numbers of documents that a shard's tables still hold and that are no longer valid. */
  deletedIn(shard: number): ReadonlySet<number> {
    const { deleted } = this.index.root.shards[shard] as ShardRoot;
    if (deleted.length === 0) return NO_DOCUMENTS;
    const name = `deleted/${shard}`;
    const known = this.recall(name) as ReadonlySet<number> | undefined;
    if (known !== undefined) return known;
    const made = new Set(deleted);
    this.remember(name, made, deleted.length * 32);
    return made;
  }

  /**
   * Reads that chunks of the search tables would take if nothing was in memory. Where a directory has two levels and this
   * request did not meet the lower one, those of the upper one.
   */
  countReads(tables: readonly TableRead[]): number {
    return coalesceRanges(this.knownRanges(tables)).length;
  }

  /** The bytes that those chunks lie in. */
  knownRanges(tables: readonly TableRead[]): ByteRange[] {
    return tables.flatMap(({ shard, table, keys }) =>
      this.#knownEntries(shard, table, keys).map((entry) => this.rangeOf(shard, entry)),
    );
  }

  /** Whether a read of these takes nothing from storage. */
  holds(tables: readonly TableRead[]): boolean {
    const isHeld = ({ shard, table, keys }: TableRead): boolean =>
      this.#knownEntries(shard, table, keys).every(
        (entry) => this.index.cache.get(this.#chunkLoad(shard, table, entry).name) !== undefined,
      );
    return tables.every((read) => [read, ...this.#readsAbove(read)].every(isHeld));
  }

  /** Bytes of the chunk that would hold a key, as far as `countReads` knows: a chunk of its own size is a long value. */
  chunkBytes(shard: number, table: TableName, key: ByteKey): number {
    return this.#knownEntries(shard, table, [key])[0]?.length ?? 0;
  }

  /** Chunks of a read; where its directories were not met, the chunks of those. */
  #knownEntries(shard: number, table: TableName, keys: TableRead["keys"]): DirectoryEntry[] {
    const { entries } = this.#rootOf(shard).tables[table];
    const upper = selectEntries(entries, keys);
    // None is known where the directory has one level.
    const lower = upper.map((entry) => this.#directories.get(this.#chunkLoad(shard, directoryOf(table), entry).name));
    return lower.includes(undefined) ? upper : selectEntries(lower.flat() as DirectoryEntry[], keys);
  }

  /** Values of some keys of one table, in order; undefined where a key is not there. */
  async lookUp(shard: number, table: TableName, keys: readonly ByteKey[]): Promise<(Uint8Array | undefined)[]> {
    const { tables } = await this.read([{ shard, table, keys }]);
    return keys.map((key) => findInChunks(tables[0] as readonly Chunk[], key));
  }

  /** A value derived from this generation that an earlier request or wave left behind, or undefined. */
  recall(name: string): unknown {
    const key = `${this.index.generation.id}/${name}`;
    const held = this.#held.get(key);
    if (held !== undefined) return held;
    const known = this.index.cache.get(key);
    // Kept for this request, whatever other requests push out of the cache meanwhile.
    if (known !== undefined) this.#held.set(key, known);
    return known;
  }

  /** Keep a derived value for the rest of this request, and for later ones while the cache has room. */
  remember(name: string, value: unknown, bytes: number): void {
    const key = `${this.index.generation.id}/${name}`;
    this.#held.set(key, value);
    this.index.cache.set(key, value, bytes);
  }

  /** The same as `recall`, of what `keep` left behind for callers who see the same. */
  recallKept(name: string): unknown {
    return this.recall(this.#nameOfKept(name));
  }

  /** Keep what took much work to make out of all that the caller sees. */
  keep(name: string, value: unknown, bytes: number): void {
    this.remember(this.#nameOfKept(name), value, bytes);
  }

  #nameOfKept(name: string): string {
    return `${KEPT}${this.shards.map(({ index }) => index).join(",")}/${name}`;
  }

  /**
   * The chunks that these reads need. Where a directory has two levels, its lower one is read first, in a wave of its own; after
   * that `countReads` and `chunkBytes` know where chunks lie.
   */
  async locate(tables: readonly TableRead[]): Promise<DirectoryEntry[][]> {
    const directories: (Load & Pick<TableRead, "shard" | "table">)[] = [];
    for (const { shard, table, keys } of tables) {
      const { height, entries } = this.#rootOf(shard).tables[table];
      if (height === 0) continue;
      for (const entry of selectEntries(entries, keys))
        directories.push({ ...this.#chunkLoad(shard, directoryOf(table), entry), shard, table });
    }
    const chunks = (await this.#load(directories)) as Chunk[];
    for (const [at, { name, shard, table }] of directories.entries()) {
      const list = fromDirectoryChunk(chunks[at] as Chunk, table, this.#packsOf(shard).length);
      this.#directories.set(name, list);
    }
    return tables.map(({ shard, table, keys }) => this.#knownEntries(shard, table, keys));
  }

  #chunkLoad(shard: number, table: string, entry: DirectoryEntry): Load {
    const range = this.rangeOf(shard, entry);
    return {
      name: `${range.file}:${range.offset}:${table}:${entry.prefix}`,
      range,
      decode: async (bytes) => {
        const { inflate } = this.#rootOf(shard);
        const value = await decodeChunk(table, entry.prefix, bytes, inflate, this.#packKey(shard, entry));
        return { value, inflatedBytes: value.inflatedBytes, memoryBytes: value.memoryBytes };
      },
    };
  }

  #blockLoad({ shard, place }: BlockRead): Load {
    const range = this.rangeOf(shard, place);
    return {
      name: `${range.file}:${range.offset}:text:${place.first}`,
      range,
      decode: async (bytes) => {
        const { inflate } = this.#rootOf(shard);
        const value = await decodeBlock(place.first, bytes, inflate, this.#packKey(shard, place));
        const inflatedBytes = value.reduce((sum, { text }) => sum + text.length + BLOCK_HEADER_BYTES, 0);
        return { value, inflatedBytes, memoryBytes: inflatedBytes * TEXT_MEMORY };
      },
    };
  }

  /** The bytes that a chunk or block of a shard lies in. */
  rangeOf(shard: number, place: Place): ByteRange {
    const { pack, offset, length } = place;
    return { file: fileOfPack(this.#packsOf(shard)[pack] ?? ""), offset, length };
  }

  #packKey(shard: number, { pack, offset }: Place): number {
    return keyAt(keyOfPack(this.#packsOf(shard)[pack] ?? ""), offset);
  }

  #packsOf(shard: number): readonly string[] {
    return this.#rootOf(shard).packs;
  }

  #rootOf(shard: number): ShardRoot {
    return this.index.root.shards[shard] as ShardRoot;
  }

  async #load(loads: readonly Load[], maxReads?: number): Promise<Decoded["value"][]> {
    const values = new Map<string, Decoded["value"]>();
    const missing = new Map<string, Load>();
    const names = loads.map((load) => {
      const { name } = load;
      if (values.has(name) || missing.has(name)) return name;
      const known = this.index.cache.get(name) as Decoded["value"] | undefined;
      if (known === undefined) {
        missing.set(name, load);
      } else {
        values.set(name, known);
        this.#counters.cacheHits++;
      }
      return name;
    });
    if (missing.size > 0) {
      const wanted = [...missing];
      const decoded = await this.#readAndDecode(
        wanted.map(([, load]) => load),
        maxReads,
      );
      for (const [index, [name]] of wanted.entries()) {
        const { value, inflatedBytes, memoryBytes } = decoded[index] as Decoded;
        this.#counters.bytesInflated += inflatedBytes;
        this.index.cache.set(name, value, memoryBytes);
        values.set(name, value);
      }
    }
    return names.map((name) => values.get(name) as Decoded["value"]);
  }

  /** Read and decode; what is damaged is read once more past the caches, since one of those may hold a bad copy. */
  async #readAndDecode(loads: readonly Load[], maxReads: number | undefined): Promise<Decoded[]> {
    const { source } = this.index;
    const found = await this.#tryToDecode(source, loads, maxReads);
    const damaged = loads.filter((_, at) => found[at] instanceof FormatError);
    if (damaged.length === 0) return found as Decoded[];
    const readFresh = source.readFresh?.bind(source);
    if (readFresh === undefined) throw found.find((one) => one instanceof FormatError);
    const again = await this.#tryToDecode({ readRange: readFresh }, damaged, maxReads);
    const error = again.find((one) => one instanceof FormatError);
    if (error !== undefined) throw error;
    const fresh = new Map(damaged.map((load, at) => [load, again[at]]));
    return loads.map((load, at) => (fresh.get(load) ?? found[at]) as Decoded);
  }

  /** What each load gave, or how it was damaged; a read that was damaged as a whole damages all of them. */
  async #tryToDecode(
    source: Pick<RangeSource, "readRange">,
    loads: readonly Load[],
    maxReads: number | undefined,
  ): Promise<(Decoded | FormatError)[]> {
    const damage = (error: unknown): FormatError => {
      if (error instanceof FormatError) return error;
      throw error;
    };
    const ranges = loads.map(({ range }) => range);
    const bytes = await readRanges(source, ranges, this.#counters, maxReads).catch(damage);
    if (bytes instanceof FormatError) return loads.map(() => bytes);
    // One after the other: what inflates by streams would else hold everything at once.
    const decoded: (Decoded | FormatError)[] = [];
    for (const [at, load] of loads.entries()) {
      decoded.push(await load.decode(bytes[at] as Uint8Array).catch(damage));
    }
    return decoded;
  }
}

/** Value of a key among the chunks of one table read, or undefined. */
export function findInChunks(chunks: readonly Chunk[], key: ByteKey): Uint8Array | undefined {
  for (const chunk of chunks) {
    const { keys } = chunk;
    const at = countFirst(keys.length, (index) => (keys[index] as ByteKey) < key);
    if (keys[at] === key) return valueAt(chunk, at);
  }
  return undefined;
}

/** Values of a key in several table reads, in their order. */
export function valuesIn(tables: readonly (readonly Chunk[])[], key: ByteKey): Uint8Array[] {
  return tables.flatMap((chunks) => findInChunks(chunks, key) ?? []);
}

/** All entries of some chunks, in key order. */
export function* entriesOf(chunks: readonly Chunk[]): Generator<readonly [ByteKey, Uint8Array]> {
  for (const chunk of chunks) {
    for (const [index, key] of chunk.keys.entries()) yield [key, valueAt(chunk, index)];
  }
}

/**
 * The checksum of a block says which unit it is, not of which document: numbers of documents change where text does not.
 *
 * @throws {FormatError} for a block of another path than this one.
 */
export function checkPath(path: string | undefined, block: TextBlock): void {
  if (path === undefined || block.path === path) return;
  const reason = `holds text of ${JSON.stringify(block.path)} in the place of ${JSON.stringify(path)}`;
  throw malformed("text block", reason);
}

/** Bytes that the block of a unit adds to those of the units before it. */
export function addedBytes(unit: number, { first, length }: BlockPlace): number {
  return unit === first ? length : 0;
}

/** @throws {FormatError} where a block does not hold the unit, or is of another document. */
function takeUnit(units: readonly TextBlock[], { unit, place, path }: BlockRead): TextBlock {
  const found = units[unit - place.first];
  if (found === undefined)
    throw malformed("text block", `holds ${units.length} units from ${place.first} on, not ${unit}`);
  checkPath(path, found);
  return found;
}

function selectEntries(entries: readonly DirectoryEntry[], keys: TableRead["keys"]): DirectoryEntry[] {
  if (keys === "all") return [...entries];
  if (!("from" in keys)) {
    const indexes = new Set(keys.map((key) => findEntry(entries, key)));
    return [...indexes]
      .filter((index) => index >= 0)
      .sort((a, b) => a - b)
      .map((index) => entries[index] as DirectoryEntry);
  }
  const first = Math.max(0, findEntry(entries, keys.from));
  const end = Math.max(
    first + 1,
    countFirst(entries.length, (at) => (entries[at] as DirectoryEntry).prefix < keys.to),
  );
  return entries.slice(first, Math.min(end, first + (keys.maxChunks ?? entries.length)));
}

/**
 * Chunks of several levels, the oldest first, without what a newer one says otherwise: an empty patch takes its key away. Chunks of
 * newer levels hold keys beside those that are read, whose values the oldest level's chunks do not have.
 */
function overlay(read: TableRead, [oldest = [], ...newer]: readonly (readonly Chunk[])[]): readonly Chunk[] {
  if (newer.length === 0) return oldest;
  const isRead = readsKey(read, oldest);
  const taken = new Set<ByteKey>();
  const live: Chunk[] = [];
  for (const chunk of newer.reverse().flat()) {
    const entries = [...entriesOf([chunk])].filter(
      ([key, patch]) => patch.length > 0 && !taken.has(key) && isRead(key),
    );
    const values = entries.map(([key, patch]) => ({
      key,
      value: applyPatch(findInChunks(oldest, key) ?? NO_BYTES, patch, read.table),
    }));
    live.push(makeChunk(values, chunk.inflatedBytes));
    for (const key of chunk.keys) taken.add(key);
  }
  return [...oldest.map((chunk) => withoutKeys(chunk, taken)), ...live];
}

/** Whether a read asks for a key. Of one that ends early, the oldest level says where. */
function readsKey({ keys }: TableRead, oldest: readonly Chunk[]): (key: ByteKey) => boolean {
  if (keys === "all") return () => true;
  if (!("from" in keys)) return (key) => keys.includes(key);
  const last = keys.maxChunks === undefined ? undefined : oldest.at(-1)?.keys.at(-1);
  return (key) => key >= keys.from && key < keys.to && (last === undefined || key <= last);
}

function withoutKeys(chunk: Chunk, keys: ReadonlySet<ByteKey>): Chunk {
  const entries = [...entriesOf([chunk])].filter(([key]) => !keys.has(key));
  if (entries.length === chunk.keys.length) return chunk;
  return makeChunk(
    entries.map(([key, value]) => ({ key, value })),
    chunk.inflatedBytes,
  );
}

/** What the chunks of a table's directory are called in their checksums. */
function directoryOf(table: TableName): string {
  return `${table}/directory`;
}
