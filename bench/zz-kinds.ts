import { inflateRaw } from "../indexer/base/codec.ts";
import { CACHE_BYTES, createDiskSource } from "../indexer/base/index-source.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import { openIndex } from "../src/core/index/open-index.ts";
import { readWithResident } from "../src/core/index/resident.ts";
import { LruCache } from "../src/core/index/value-cache.ts";
import { makeSearchRequest } from "../src/core/search/answer.ts";
import { search } from "../src/core/search/search.ts";
import { readByteKinds } from "../bench/byte-kinds.ts";
const [dir, ...queries] = process.argv.slice(2);
const disk = createDiskSource(dir!);
const pointer: any = await disk.readPointer();
const plain = new IndexReader(await openIndex(pointer.bytes, disk, inflateRaw, new LruCache(CACHE_BYTES)), "all");
for (const s of plain.shards) { 
  const t = Object.entries(s.root.tables).map(([n, d]: any) => [n, d.height, d.entries.length, d.entries.reduce((a: number, e: any) => a + e.length, 0)]);
  console.log("level", s.index, "slots", s.root.slots, "deleted", s.root.deleted.length, JSON.stringify(t.filter((x) => x[2] > 0)));
}
console.log("pointer", pointer.bytes.length);
const kinds = await readByteKinds(plain);
for (const q of queries) for (const mode of ["cold", "warm"]) {
  const log: string[] = [];
  const source: any = { readPointer: (e: any) => disk.readPointer(e), readRange(file: string, offset: number, length: number) {
    const f = kinds.count({ file, offset, length });
    log.push([...f].map(([k, v]) => `${k}:${v}`).join("+") || `${file.slice(-12)}:${length}`); return disk.readRange(file, offset, length); } };
  const index = await openIndex(pointer.bytes, source, inflateRaw, new LruCache(CACHE_BYTES));
  if (mode === "warm") { await readWithResident(new IndexReader(index, "all"), ["locator", "titles", "facets"]); log.length = 0; }
  const { cost } = await search(new IndexReader(index, "all"), makeSearchRequest(q, { withFacetCounts: true }));
  console.log(q, mode, cost.bytes, "waves", cost.waves, log.join(" | "));
}
