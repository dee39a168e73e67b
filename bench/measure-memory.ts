/**
 * How much memory decoded values really take, beside what caches count for them.
 *
 *   node --expose-gc bench/measure-memory.ts INDEX
 *
 * Reads each table and a sample of texts of an index on disk through a cache that keeps everything, and compares the
 * growth of heap and buffers, after full collections, with the sum of the sizes that the values were kept with. 1.00 is
 * exact; below 0.80 the caches hold more than their budget says.
 */
import { resolve } from "node:path";
import { measureKinds } from "../test/support/measure-memory.ts";

const [dir] = process.argv.slice(2);
if (dir === undefined || globalThis.gc === undefined) {
  console.error("usage: node --expose-gc bench/measure-memory.ts INDEX");
  process.exit(2);
}
console.log("kind                 values    counted       real   counted/real");
for (const { kind, values, counted, real } of await measureKinds(resolve(dir))) {
  const kB = (bytes: number): string => `${Math.round(bytes / 1000)} kB`.padStart(10);
  console.log(`${kind.padEnd(18)}${String(values).padStart(9)} ${kB(counted)} ${kB(real)} ${(counted / real).toFixed(2).padStart(9)}`);
}
