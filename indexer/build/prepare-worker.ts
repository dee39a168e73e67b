/**
 * Worker-thread entry: reads and prepares batches of documents. Holds no state besides what it was started with.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { CollectionConfig, LimitsConfig } from "../config.ts";
import { readSourceFile } from "../sources/read-file.ts";
import { type Prepared, type PrepareTask, prepareDocument } from "./prepare-document.ts";

/** What a worker thread is started with. */
export interface PrepareSetup {
  readonly collections: readonly CollectionConfig[];
  /** Absolute path of each collection's root. */
  readonly roots: readonly string[];
  readonly limits: LimitsConfig;
}

/** Prepare tasks one after another, in order. All files are asked for at once, so that reading overlaps with parsing. */
export async function prepareAll(tasks: readonly PrepareTask[], setup: PrepareSetup): Promise<Prepared[]> {
  const sources = tasks.map(({ collection, path }) =>
    readSourceFile(setup.roots[collection] as string, path, setup.limits),
  );
  // A rejection is met when its turn comes; until then it must not count as unhandled.
  for (const source of sources) source.catch(() => undefined);
  const prepared: Prepared[] = [];
  for (const [at, task] of tasks.entries()) {
    const source = await (sources[at] as (typeof sources)[number]);
    prepared.push(prepareDocument(task, setup.collections[task.collection] as CollectionConfig, source));
  }
  return prepared;
}

if (parentPort !== null) {
  const port = parentPort;
  port.on("message", async (tasks: readonly PrepareTask[]) => {
    port.postMessage(await prepareAll(tasks, workerData as PrepareSetup));
  });
}
