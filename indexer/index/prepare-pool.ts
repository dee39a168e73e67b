/**
 * Prepare many documents on all cores: batches go to worker threads.
 */
import { type EventEmitter, once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { PrepareTask } from "./prepare-document.ts";
import { type PackedResult, type PrepareSetup, prepareAll } from "./prepare-worker.ts";
import { type BeforeStage, failureOf } from "./stages.ts";

/** A thread reads its modules and warms up for as long as the main thread takes for about so many pages. */
const TASKS_PER_THREAD = 500;
const MAX_THREADS = 8;
/** Batches keep message overhead low and threads evenly busy. */
const BATCH = 24;
/** What a thread keeps of values that live for one page: more takes memory, and no less time. */
const YOUNG_MEGABYTES = 24;

/** Called after each batch with the number of documents done so far. */
export type Progress = (done: number, total: number) => void;

/** How tasks are prepared. */
export interface PoolOptions {
  /** Threads beside the main one; chosen by the number of tasks when absent. */
  readonly threads?: number;
  /** Called before each stage in the main thread: functions do not reach others. */
  readonly before?: BeforeStage;
  readonly startThread?: (setup: PrepareSetup) => PrepareThread;
}

/** What is used of a worker thread. */
export type PrepareThread = EventEmitter & Pick<Worker, "postMessage" | "terminate">;

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
  { threads = chooseThreads(tasks.length), before, startThread = startWorker }: PoolOptions = {},
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
  const inMain = (batch: readonly PrepareTask[]): Promise<PackedResult[]> => prepareAll(batch, setup, before);
  const inThread = async (): Promise<void> => {
    let thread = startThread(setup);
    const prepareInThread = async (batch: readonly PrepareTask[]): Promise<PackedResult[]> => {
      try {
        return await ask(thread, batch);
      } catch (error) {
        thread = startThread(setup);
        // Where threads do not work at all, no file is to blame.
        const isSound = await ask(thread, []).then(
          () => true,
          () => false,
        );
        if (!isSound) return inMain(batch);
        if (batch.length === 1) {
          return prepareAll([{ ...(batch[0] as PrepareTask), plain: failureOf(error, "parse") }], setup);
        }
        // The thread took its batch with it: each file is tried again, and the one that ends a thread becomes plain text.
        const results: PackedResult[] = [];
        for (const task of batch) results.push(...(await prepareInThread([task])));
        return results;
      }
    };
    try {
      await takeBatches(prepareInThread);
    } finally {
      await thread.terminate();
    }
  };
  // The main thread works too: it has everything loaded while a new thread still reads its modules.
  await Promise.all([takeBatches(inMain), ...Array.from({ length: threads }, inThread)]);
}

function startWorker(setup: PrepareSetup): Worker {
  return new Worker(new URL("./prepare-worker.ts", import.meta.url), {
    workerData: setup,
    env: threadEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
}

/** The environment of a thread: it reads compiled modules where this one does, which it would not by itself. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  // The folder that is asked for has one of its own for each version of Node.
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/** Sends a batch and waits for its answer. @throws {Error} when the thread fails or ends. */
async function ask(worker: PrepareThread, batch: readonly PrepareTask[]): Promise<PackedResult[]> {
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
