/**
 * What searches read from a Treeline index, by the core reader: the one place where benchmarks measure them.
 *
 * Cold: a reader that has nothing and reads the pointer too. Warm: root, locator, titles and facets in memory, chunks
 * of words and text not.
 */
import { inflateRaw } from "../indexer/base/codec.ts";
import { CACHE_BYTES, openSource } from "../indexer/base/index-source.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import { openIndex } from "../src/core/index/open-index.ts";
import type { RangeSource } from "../src/core/index/range-source.ts";
import { readWithResident } from "../src/core/index/resident.ts";
import { LruCache } from "../src/core/index/value-cache.ts";
import type { SearchRequest } from "../src/core/search/answer.ts";
import { makeSearchRequest } from "../src/core/search/answer.ts";
import { search } from "../src/core/search/search.ts";
import { type ByteKinds, readByteKinds } from "./byte-kinds.ts";

/** What one search cost. */
export interface QueryCost {
  readonly waves: number;
  readonly reads: number;
  readonly bytes: number;
  /** Of the bytes, those of the table of words; of Pagefind, of its index chunks. */
  readonly postingBytes: number;
  /** Of the bytes, those of text. The others are the root, and tables that stay in memory; of Pagefind, its engine. */
  readonly textBytes: number;
}

/** One query, cold and warm. */
export interface MeasuredQuery {
  readonly query: string;
  /** Documents on the first page of results. */
  readonly hits: number;
  readonly cold: QueryCost;
  readonly warm: QueryCost;
  /** Milliseconds of CPU with everything in memory; noisy. Absent when not asked for. */
  readonly cpuMs?: number;
}

/** An index on disk, to be opened again and again with an empty memory. */
export interface MeasuredIndex {
  readonly kinds: ByteKinds;
  readonly textBytes: number;
  readonly pointerBytes: number;
  readonly measure: (query: string, kind: string, withCpu?: boolean) => Promise<MeasuredQuery>;
}

/** Open an index that `treeline build` wrote. @throws {Error} when there is none. */
export async function openMeasuredIndex(dir: string): Promise<MeasuredIndex> {
  const disk = openSource(dir);
  const pointer = await disk.readPointer();
  if (pointer === undefined || pointer === "unchanged") throw new Error(`no index in ${dir}`);
  const open = async (source: RangeSource): Promise<IndexReader> =>
    new IndexReader(await openIndex(pointer.bytes, source, inflateRaw, new LruCache(CACHE_BYTES)), "all");
  const plain = await open(disk);
  const kinds = await readByteKinds(plain);

  const measure: MeasuredIndex["measure"] = async (query, kind, withCpu = false) => {
    const request = makeSearchRequest(query, { withFacetCounts: true, asYouType: kind === "prefix" });
    const counted = countKinds(disk, kinds);
    const first = await open(counted.source);
    first.countRead(pointer.bytes.length);
    const { hits, cost: cold } = await counted.search(first, request);
    const { index } = await open(counted.source);
    await readWithResident(new IndexReader(index, "all"), ["locator", "titles", "facets"]);
    const { cost: warm } = await counted.search(new IndexReader(index, "all"), request);
    if (!withCpu) return { query, hits, cold, warm };
    await search(new IndexReader(index, "all"), request);
    const before = process.cpuUsage();
    await search(new IndexReader(index, "all"), request);
    const used = process.cpuUsage(before);
    return { query, hits, cold, warm, cpuMs: (used.user + used.system) / 1000 };
  };
  return { kinds, textBytes: plain.index.root.textBytes, pointerBytes: pointer.bytes.length, measure };
}

/** All queries of each class. */
export async function measureClasses<Kind extends string>(
  index: MeasuredIndex,
  queries: ReadonlyMap<Kind, readonly string[]>,
  withCpu = false,
): Promise<Map<Kind, MeasuredQuery[]>> {
  const measured = new Map<Kind, MeasuredQuery[]>();
  for (const [kind, texts] of queries) {
    const rows: MeasuredQuery[] = [];
    for (const text of texts) rows.push(await index.measure(text, kind, withCpu));
    measured.set(kind, rows);
  }
  return measured;
}

/** A source that knows what it gave. */
interface CountedSource {
  readonly source: RangeSource;
  readonly search: (reader: IndexReader, request: SearchRequest) => Promise<{ hits: number; cost: QueryCost }>;
}

function countKinds(disk: RangeSource, kinds: ByteKinds): CountedSource {
  let postingBytes = 0;
  let textBytes = 0;
  return {
    source: {
      readPointer: (etag) => disk.readPointer(etag),
      readRange(file, offset, length) {
        const found = kinds.count({ file, offset, length });
        postingBytes += found.get("terms") ?? 0;
        textBytes += found.get("text") ?? 0;
        return disk.readRange(file, offset, length);
      },
    },
    async search(reader, request) {
      postingBytes = 0;
      textBytes = 0;
      const { hits, cost } = await search(reader, request);
      const { waves, reads, bytes } = cost;
      return { hits: hits.length, cost: { waves, reads, bytes, postingBytes, textBytes } };
    },
  };
}
