/**
 * Prepare many documents on all cores: batches go to worker threads.
 */
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { PrepareTask } from "./prepare-document.ts";
import { type PackedResult, type PrepareSetup, prepareAll } from "./prepare-worker.ts";

/** A thread reads its modules and warms up for as long as the main thread takes for about so many pages. */
const TASKS_PER_THREAD = 500;
const MAX_THREADS = 8;
/** Batches keep message overhead low and threads evenly busy. */
const BATCH = 24;
/** What a thread keeps of values that live for one page: more takes memory, and no less time. */
const YOUNG_MEGABYTES = 24;

/** Called after each batch with the number of documents done so far. */
export type Progress = (done: number, total: number) => void;

/** How many threads help the main one with so many documents. */
function chooseThreads(documents: number): number {
  return Math.min(MAX_THREADS, availableParallelism() - 1, Math.floor(documents / TASKS_PER_THREAD));
}

/**
 * Prepare all tasks. Each result is handed to `take` as soon as it is there, with the index of its task: in no order.
 */
export async function prepareDocuments(
  tasks: readonly PrepareTask[],
  setup: PrepareSetup,
  take: (at: number, result: PackedResult) => void,
  progress: Progress,
  threads = chooseThreads(tasks.length),
): Promise<void> {
  const batches: PrepareTask[][] = [];
  for (let start = 0; start < tasks.length; start += BATCH) batches.push(tasks.slice(start, start + BATCH));
  let next = 0;
  let done = 0;
  const takeBatches = async (prepare: (batch: readonly PrepareTask[]) => Promise<PackedResult[]>): Promise<void> => {
    for (let index = next++; index < batches.length; index = next++) {
      const batch = batches[index] as PrepareTask[];
      const results = await prepare(batch);
      for (const [at, result] of results.entries()) take(index * BATCH + at, result);
      done += batch.length;
      progress(done, tasks.length);
    }
  };
  const inThread = async (): Promise<void> => {
    const worker = new Worker(new URL("./prepare-worker.ts", import.meta.url), {
      workerData: setup,
      env: threadEnvironment(),
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    try {
      await takeBatches((batch) => ask(worker, batch));
    } finally {
      await worker.terminate();
    }
  };
  // The main thread works too: it has everything loaded while a new thread still reads its modules.
  await Promise.all([takeBatches((batch) => prepareAll(batch, setup)), ...Array.from({ length: threads }, inThread)]);
}

/** The environment of a thread: it reads compiled modules where this one does, which it would not by itself. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  // The folder that is asked for has one of its own for each version of Node.
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** Send a batch and wait for its answer; a thread that fails or ends fails the build. */
async function ask(worker: Worker, batch: readonly PrepareTask[]): Promise<PackedResult[]> {
  const stop = new AbortController();
  const { signal } = stop;
  try {
    worker.postMessage(batch);
    const [prepared] = await Promise.race([
      once(worker, "message", { signal }),
      once(worker, "exit", { signal }).then(([code]) => {
        throw new Error(`a worker thread ended with code ${code}`);
      }),
    ]);
    return prepared as PackedResult[];
  } finally {
    stop.abort();
  }
}
