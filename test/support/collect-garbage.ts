/** What is really in use in this process, after everything that can be collected was. */
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
/** One collection leaves what finalizers of another still hold. */
const COLLECTIONS = 4;

/** Bytes of heap and buffers in use. */
export function usedBytes(): number {
  for (let n = 0; n < COLLECTIONS; n++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
