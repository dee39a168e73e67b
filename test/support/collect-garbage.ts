/** What is really in use in this process, after everything that can be collected was. */
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
/** Collections in a row that must free nothing more. One leaves what finalizers and other threads still hold. */
const CALM_COLLECTIONS = 2;
/** Less than this, in bytes, is nothing. */
const NOTHING = 16_384;
const MOST_COLLECTIONS = 100;

/** Bytes of heap and buffers in use, read when nothing more is freed. */
export async function usedBytes(): Promise<number> {
  let used = Number.POSITIVE_INFINITY;
  let calm = 0;
  for (let n = 0; n < MOST_COLLECTIONS && calm < CALM_COLLECTIONS; n++) {
    collect();
    // Other threads hand back what they hold, and finalizers run, between two turns of the loop.
    await setImmediate();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    calm = used - (heapUsed + arrayBuffers) < NOTHING ? calm + 1 : 0;
    used = Math.min(used, heapUsed + arrayBuffers);
  }
  return used;
}
