/** Thread of `treeline mcp`: builds the index of a folder, watches the folder, and says how far it is. */
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { findPlaces } from "../../base/installation.ts";
import { type BuildMemory, DocumentCache } from "../../index/cache/document-cache.ts";
import { buildFollowed, createQueue, reportFailure, watchFolder } from "./follow-folder.ts";
import type { Following } from "./followed-index.ts";

const dir = workerData as string;
const places = findPlaces(dir, "mcp");
const terminal = { warn: (line: string) => process.stderr.write(`treeline mcp: ${line}\n`) };
const memory: BuildMemory = { cache: DocumentCache.open(places.cache) };
const queue = createQueue();

function say(following: Following): void {
  parentPort?.postMessage(following);
}

async function rebuild(): Promise<void> {
  const startedAt = Date.now();
  const progress = (done: number, total: number): void =>
    say({ is: "building", startedAt, done, total, seenAt: Date.now() });
  progress(0, 0);
  try {
    await buildFollowed({ dir, progress }, places, memory, terminal);
    say({ is: "built", ms: Date.now() - startedAt });
  } catch (error) {
    say({ is: "failed", reason: reportFailure(error, terminal) });
  }
}

watchFolder(dir, () => queue(rebuild));
queue(rebuild);
