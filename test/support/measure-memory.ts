/** Real memory of decoded values beside the sizes that caches keep them with. */
import { inflateRaw } from "../../indexer/base/codec.ts";
import { findBlock, unitsOf } from "../../src/core/format/locator.ts";
import { TABLE_NAMES } from "../../src/core/format/table.ts";
import { type BlockRead, IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import type { RangeSource } from "../../src/core/index/range-source.ts";
import { type ResidentTable, readWithResident, residentTable } from "../../src/core/index/resident.ts";
import type { ValueCache } from "../../src/core/index/value-cache.ts";
import { usedBytes } from "./collect-garbage.ts";

/** One kind of value. */
export interface MeasuredKind {
  readonly kind: string;
  readonly values: number;
  /** Sum of the sizes that they were kept with, bytes. */
  readonly counted: number;
  /** Growth of heap and buffers while they were kept, bytes. */
  readonly real: number;
}

const RESIDENT: readonly ResidentTable[] = ["locator", "titles", "facets"];
/** Documents whose texts are kept: enough that what else happens in the process does not matter. */
const SAMPLE_DOCUMENTS = 2000;
const ROOTS = 5;
/** Resident values are small: so many copies of each are kept. */
const RESIDENT_COPIES = 20;

/** Keeps everything, and says how much that is. */
class KeepingCache implements ValueCache {
  readonly entries = new Map<string, unknown>();
  bytes = 0;
  get(key: string): unknown {
    return this.entries.get(key);
  }
  set(key: string, value: unknown, bytes: number): void {
    if (this.entries.has(key)) return;
    this.entries.set(key, value);
    this.bytes += bytes;
  }
}

/** An index to measure. */
export interface MeasuredIndex {
  readonly pointer: Uint8Array;
  readonly source: RangeSource;
}

/** Every kind of value that an index gives, each measured alone. */
export async function measureKinds({ pointer, source }: MeasuredIndex): Promise<MeasuredKind[]> {
  const measure = async (kind: string, load: (reader: IndexReader) => Promise<void>): Promise<MeasuredKind> => {
    const cache = new KeepingCache();
    const index = await openIndex(pointer, source, inflateRaw, cache);
    // Code that runs for the first time takes memory too.
    await load(new IndexReader({ ...index, cache: new KeepingCache() }, "all"));
    const before = await usedBytes();
    await load(new IndexReader(index, "all"));
    const real = (await usedBytes()) - before;
    return { kind, values: cache.entries.size, counted: cache.bytes, real };
  };
  const kinds: MeasuredKind[] = [];
  for (const table of TABLE_NAMES) {
    kinds.push(
      await measure(table, async (reader) => {
        for (const { index } of reader.shards) await reader.read([{ shard: index, table, keys: "all" }]);
      }),
    );
  }
  for (const table of RESIDENT) {
    kinds.push(
      await measure(`resident ${table}`, async (reader) => {
        for (let copy = 0; copy < RESIDENT_COPIES; copy++) await keepOnly(reader, table, copy);
      }),
    );
  }
  kinds.push(await measure("text", readTexts));
  return kinds;
}

/** Bytes that an open index takes without anything read: the median of several, as what else the process frees counts too. */
export async function measureRoot({ pointer, source }: MeasuredIndex): Promise<number> {
  const held: unknown[] = [await openIndex(pointer, source, inflateRaw, new KeepingCache())];
  const taken: number[] = [];
  while (taken.length < ROOTS) {
    const before = await usedBytes();
    held.push(await openIndex(pointer, source, inflateRaw, new KeepingCache()));
    taken.push((await usedBytes()) - before);
  }
  return taken.sort((a, b) => a - b)[Math.floor(ROOTS / 2)] as number;
}

/** Keeps the resident value alone, without the chunks that it was decoded from. */
async function keepOnly(reader: IndexReader, table: ResidentTable, copy: number): Promise<void> {
  const whole = new IndexReader({ ...reader.index, cache: new KeepingCache() }, "all");
  const sizes: number[] = [];
  const cache = whole.index.cache as KeepingCache;
  const set = cache.set.bind(cache);
  cache.set = (key, value, bytes) => {
    if (key.includes(`/${table}/`)) sizes.push(bytes);
    set(key, value, bytes);
  };
  await readWithResident(whole, [table]);
  for (const [at, { index }] of whole.shards.entries()) {
    reader.index.cache.set(`${table}/${index}/${copy}`, residentTable(whole, index, table), sizes[at] as number);
  }
}

async function readTexts(reader: IndexReader): Promise<void> {
  const locating = new IndexReader({ ...reader.index, cache: new KeepingCache() }, "all");
  await readWithResident(locating, ["locator"]);
  for (const { index } of locating.shards) {
    const reads: BlockRead[] = [];
    const locator = residentTable(locating, index, "locator");
    for (let document = 0; document < Math.min(locator.slots, SAMPLE_DOCUMENTS); document++) {
      for (const unit of unitsOf(locator, document))
        reads.push({ shard: index, document, unit, place: findBlock(locator, document, unit), path: undefined });
    }
    await reader.read([], reads);
  }
}
