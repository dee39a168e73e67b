/**
 * Prove that a server's memory stays within its budget, whatever it is asked.
 *
 *   npm run prove:soak -- INDEX [COUNT] [SEED]
 *
 * A process whose heap may not grow beyond 128 MB, as an isolate of a Worker, answers COUNT (20,000) calls of all kinds
 * drawn with SEED (1), with a new generation published every 800. Ends with 1 when the process dies, when what is in use
 * for the index is ever above 64 MB, or when it still grows in the second half.
 */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { MAX_CACHE_BYTES } from "../src/worker/storage/generations.ts";
import { soak } from "../test/support/soak.ts";

const HEAP_MB = 128;
const MOST_BYTES = 64 * 1024 * 1024;
/** What two halves of a run may differ by: the cache fills and empties. */
const MOST_GROWTH = 0.1;
const IS_CHILD = "TREELINE_SOAK";

const [dir, countText = "20000", seedText = "1"] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run prove:soak -- INDEX [COUNT] [SEED]");
  process.exit(2);
}
if (process.env[IS_CHILD] === undefined) {
  const { status, signal } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, import.meta.filename, dir, countText, seedText],
    { stdio: "inherit", env: { ...process.env, [IS_CHILD]: "1" } },
  );
  if (status === null) console.error(`the process died of ${signal}`);
  process.exit(status ?? 1);
}
const { calls, refused, generations, before, used, counted } = await soak(
  resolve(dir),
  Number(countText),
  Number(seedText),
  MAX_CACHE_BYTES,
);
const MB = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const mean = (list: readonly number[]): number => list.reduce((sum, bytes) => sum + bytes, 0) / list.length;
const middle = mean(used.slice(used.length / 4, used.length / 2));
const last = mean(used.slice(-used.length / 4));
const most = Math.max(...used);
console.log(`${calls} calls, ${refused} refused in words, ${generations} generations`);
console.log(`in use without an index ${MB(before)}; at most ${MB(most)}, of that the index ${MB(most - before)}`);
console.log(`the cache counted at most ${MB(counted)}; second quarter ${MB(middle)}, last quarter ${MB(last)}`);
console.log(`resident set at the end ${MB(process.memoryUsage().rss)}`);
const isFlat = last <= middle * (1 + MOST_GROWTH);
if (!isFlat) console.error("memory still grows");
if (most - before > MOST_BYTES) console.error("more than the budget is in use");
process.exitCode = isFlat && most - before <= MOST_BYTES ? 0 : 1;
