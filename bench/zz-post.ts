import { inflateRaw } from "../indexer/base/codec.ts";
import { CACHE_BYTES, createDiskSource } from "../indexer/base/index-source.ts";
import { IndexReader, entriesOf } from "../src/core/index/index-reader.ts";
import { openIndex } from "../src/core/index/open-index.ts";
import { LruCache } from "../src/core/index/value-cache.ts";
import { decodePostings, encodeNumbers } from "../src/core/format/postings.ts";
import { deflateRawSync } from "node:zlib";
const disk = createDiskSource(process.argv[2]!);
const pointer: any = await disk.readPointer();
const r = new IndexReader(await openIndex(pointer.bytes, disk, inflateRaw, new LruCache(1e9)), "all");
const { tables } = await r.read([{ shard: 0, table: "terms", keys: "all" }]);
const z = (b: Uint8Array) => deflateRawSync(b, { level: 9 }).length;
const rows: any = {};
const add = (k: string, o: any) => { const x = rows[k] ??= { n: 0 }; x.n++; for (const [a, b] of Object.entries(o)) x[a] = (x[a] ?? 0) + (b as number); };
for (const [key, value] of entriesOf(tables[0]!)) {
  if (key.includes("\0")) { add("pair", { raw: value.length, key: key.length }); continue; }
  const form = ["light", "heavy", "stop"][value[0]!]!;
  if (value.length < 1024) { add(form + " <1k", { raw: value.length, key: key.length }); continue; }
  const l = decodePostings(value);
  const n = l.documents.length;
  // columns for light and best part
  let next = 0; const gaps: number[] = []; const units: number[] = []; 
  const nums = encodeNumbers([...l.documents]);
  for (let i = 0; i < n; i++) { let at = l.unitsAt[i]!; if (at < 0) continue; for (;;) { const b = l.bytes[at++]!; units.push(b); if ((b & 3) === 3) { let m; do { m = l.bytes[at++]!; units.push(m); } while (m >= 128); } if (b & 128) break; } }
  const col = z(nums) + z(Uint8Array.from(units));
  const bitmapBest = 0;
  add(form + (value.length < 2048 ? " 1-2k" : value.length < 4096 ? " 2-4k" : value.length < 8192 ? " 4-8k" : " 8k+"), { docs: n, raw: value.length, z: z(value), nums: z(nums), units: z(Uint8Array.from(units)), rawunits: units.length, withUnits: [...l.unitsAt].filter((x) => x >= 0).length });
}
console.table(Object.fromEntries(Object.entries(rows).map(([k, x]: any) => [k, Object.fromEntries(Object.entries(x).map(([a, b]: any) => [a, a === "n" ? b : Math.round(b / x.n)]))])));
