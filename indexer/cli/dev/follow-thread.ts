/** Thread of `treeline mcp`: builds the index of a folder, watches the folder, and says how far it is. */
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { findPlaces } from "../../base/installation.ts";
import { type BuildMemory, DocumentCache } from "../../index/cache/document-cache.ts";
import { createFollower, createQueue, reportFailure, watchFolder } from "./follow-folder.ts";
import type { Following } from "./followed-index.ts";

const dir = workerData as string;
const places = findPlaces(dir, "mcp");
const terminal = { warn: (line: string) => process.stderr.write(`treeline mcp: ${line}\n`) };
const memory: BuildMemory = { cache: DocumentCache.open(places.cache) };
const queue = createQueue();
let startedAt = Date.now();
const progress = (done: number, total: number): void => say({ is: "building", startedAt, done, total });
const follower = createFollower({ dir, progress }, places, memory, terminal);

function say(following: Following): void {
  parentPort?.postMessage(following);
}

async function rebuild(): Promise<void> {
  startedAt = Date.now();
  progress(0, 0);
  try {
    await follower.start();
    say({ is: "built", ms: Date.now() - startedAt });
    await follower.finish();
  } catch (error) {
    say({ is: "failed", reason: reportFailure(error, terminal) });
  }
}

watchFolder(dir, () => {
  follower.interrupt();
  queue(rebuild);
});
queue(rebuild);
