/**
 * How much memory decoded values really take, beside what caches count for them.
 *
 *   node bench/measure-memory.ts INDEX
 *
 * Reads each table and a sample of texts of an index on disk through a cache that keeps everything, and compares the
 * growth of heap and buffers, after full collections, with the sum of the sizes that the values were kept with. 1.00 is
 * exact; below 0.80 caches hold more than their budget says.
 */
import { resolve } from "node:path";
import { openSource } from "../indexer/base/index-source.ts";
import { measureKinds, measureRoot } from "../test/support/measure-memory.ts";

const [dir] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: node bench/measure-memory.ts INDEX");
  process.exit(2);
}
const source = openSource(resolve(dir));
const found = await source.readPointer();
if (found === undefined || found === "unchanged") throw new Error(`no index in ${dir}`);
const index = { pointer: found.bytes, source };
const kB = (bytes: number): string => `${Math.round(bytes / 1000)} kB`.padStart(10);
console.log("kind                 values    counted       real  counted / real");
for (const { kind, values, counted, real } of await measureKinds(index)) {
  const share = (counted / real).toFixed(2).padStart(9);
  console.log(`${kind.padEnd(18)}${String(values).padStart(9)} ${kB(counted)} ${kB(real)} ${share}`);
}
console.log(`an open index without anything read: ${kB(await measureRoot(index)).trim()}`);
