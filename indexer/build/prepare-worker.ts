/**
 * Worker-thread entry: prepares batches of documents. Holds no state besides what it was started with.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { CollectionConfig, LimitsConfig } from "../config.ts";
import { type Prepared, type PrepareTask, prepareDocument } from "./prepare-document.ts";

/** What a worker thread is started with. */
export interface PrepareSetup {
  readonly collections: readonly CollectionConfig[];
  /** Absolute path of each collection's root. */
  readonly roots: readonly string[];
  readonly limits: LimitsConfig;
}

/** Prepare tasks one after another, in order. */
export async function prepareAll(tasks: readonly PrepareTask[], setup: PrepareSetup): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const task of tasks) {
    const collection = setup.collections[task.collection] as CollectionConfig;
    prepared.push(await prepareDocument(task, collection, setup.roots[task.collection] as string, setup.limits));
  }
  return prepared;
}

if (parentPort !== null) {
  const port = parentPort;
  port.on("message", async (tasks: readonly PrepareTask[]) => {
    port.postMessage(await prepareAll(tasks, workerData as PrepareSetup));
  });
}
