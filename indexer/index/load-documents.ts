/**
 * All documents of a build: from the parse cache where their content did not change, else parsed now.
 */
import { type EventEmitter, once } from "node:events";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "../base/installation.ts";
import type { SkippedFile } from "../sources/read-file.ts";
import type { DocumentWords } from "../topics/concept-uses.ts";
import type { ConceptCandidate } from "../topics/find-candidates.ts";
import type { DocumentCache, PartPlace } from "./cache/document-cache.ts";
import { cacheKey, digestCollection } from "./digests.ts";
import type { PrepareTask } from "./prepare-document.ts";
import type { PackedResult, PrepareSetup } from "./prepare-worker.ts";
import type { DocumentBody, DocumentCard } from "./prepared-document.ts";
import {
  decodeBody,
  decodeCandidates,
  decodeWords,
  encodeBody,
  openCard,
  PARTS,
  type PackedDocument,
  type Part,
} from "./prepared-document.ts";
import { type BeforeStage, DamagedCacheError, failureOf } from "./stages.ts";

export interface LoadTask extends PrepareTask {
  readonly id: string;
  /** Hash of the file's content; undefined where it could not be read. */
  readonly hash: string | undefined;
}

export interface LoadedDocument {
  readonly ok: true;
  readonly task: LoadTask;
  readonly key: string;
  readonly card: DocumentCard;
  /** Read from the cache each time, so that not every page is in memory. */
  readonly load: () => DocumentBody;
  /** Where the same lies in the cache. */
  readonly place: () => PartPlace;
  /** Of a source file, see `encodeCode`. Read each time, too. */
  readonly loadCode: () => Uint8Array;
  /** Candidates for concepts, and its words in order. Read each time, too. */
  readonly loadCandidates: () => readonly ConceptCandidate[];
  readonly loadWords: () => DocumentWords;
}

export type Loaded = LoadedDocument | { readonly ok: false; readonly task: LoadTask; readonly skipped: SkippedFile };

export interface LoadContext extends PoolOptions {
  readonly setup: PrepareSetup;
  readonly cache: DocumentCache;
  readonly progress: Progress;
}

export async function loadDocuments(tasks: readonly LoadTask[], context: LoadContext): Promise<Loaded[]> {
  const { setup, cache, progress } = context;
  const digests = setup.collections.map(digestCollection);
  const keyOf = ({ collection, path, plain }: LoadTask, hash: string): string => {
    const settings = digests[collection] as string;
    return cacheKey({ hash, path, settings: plain === undefined ? settings : JSON.stringify([settings, plain]) });
  };
  const results = new Array<Loaded>(tasks.length);
  const missing: number[] = [];
  for (const [at, task] of tasks.entries()) {
    const key = task.hash === undefined ? undefined : keyOf(task, task.hash);
    const card = key === undefined ? undefined : cache.read(key, "card");
    if (key === undefined || card === undefined) missing.push(at);
    else results[at] = fromCache(task, key, openCard(card, task), cache);
  }
  const take = (index: number, result: PackedResult): void => {
    const at = missing[index] as number;
    const task = tasks[at] as LoadTask;
    if (!result.ok) {
      results[at] = { ok: false, task, skipped: result.skipped };
      return;
    }
    const card = openCard(result.document.card, task);
    const key = keyOf(task, card.hash);
    cache.add(key, result.document);
    results[at] = fromCache(task, key, card, cache);
  };
  await prepareDocuments(
    missing.map((at) => tasks[at] as LoadTask),
    setup,
    take,
    (done) => progress(tasks.length - missing.length + done, tasks.length),
    context,
  );
  return results;
}

function fromCache(task: LoadTask, key: string, card: DocumentCard, cache: DocumentCache): LoadedDocument {
  const expect = <T>(value: T | undefined): T => {
    if (value === undefined) throw new DamagedCacheError();
    return value;
  };
  const read = (part: Part): Uint8Array => expect(cache.read(key, part));
  return {
    ...{ ok: true, task, key, card },
    load: () => decodeBody(read("body")),
    place: () => expect(cache.find(key, "body")),
    loadCode: () => read("code"),
    loadCandidates: () => decodeCandidates(read("candidates")),
    loadWords: () => decodeWords(read("words")),
  };
}

/** Between the key of a document and the digest of what was added to its body. */
const ADDED = " ";

/** The document with another body, which the cache has beside the first. @param digest Of what makes it another. */
export function withBody(
  document: LoadedDocument,
  body: DocumentBody,
  digest: string,
  cache: DocumentCache,
): LoadedDocument {
  const key = `${document.key}${ADDED}${digest}`;
  const parts = Object.fromEntries(PARTS.map((part) => [part, cache.read(document.key, part)]));
  if (Object.values(parts).includes(undefined)) throw new DamagedCacheError();
  cache.add(key, { ...(parts as PackedDocument), body: encodeBody(body) });
  return fromCache(document.task, key, document.card, cache);
}

/** Keys in the parse cache that a next build may ask for. */
export function keysOf(documents: readonly LoadedDocument[]): ReadonlySet<string> {
  return new Set(documents.flatMap(({ key }) => [key, key.split(ADDED)[0] as string]));
}

/** A thread reads its modules and warms up for as long as the main thread takes for about so many pages. */
const TASKS_PER_THREAD = 500;
const MAX_THREADS = 8;
const BATCH = 96;
/** After so many the main thread hears of others, which wait for more. */
const MAIN_BATCH = 8;
/** What a thread keeps of values that live for one page: more takes memory, and no less time. */
const YOUNG_MEGABYTES = 24;

/** Called after each batch with the number of documents done so far. */
export type Progress = (done: number, total: number) => void;

interface PoolOptions {
  /** Threads beside the main one; chosen by the number of tasks when absent. */
  readonly threads?: number | undefined;
  /** Called before each stage in the main thread: functions do not reach others. */
  readonly before?: BeforeStage | undefined;
  readonly startThread?: (setup: PrepareSetup) => PrepareThread;
}

type PrepareThread = EventEmitter & Pick<Worker, "postMessage" | "terminate">;

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
  let next = 0;
  let done = 0;
  const takeBatches = async (
    size: number,
    prepare: (batch: readonly PrepareTask[]) => Promise<PackedResult[]>,
  ): Promise<void> => {
    while (next < tasks.length) {
      const start = next;
      const batch = tasks.slice(start, start + size);
      next += batch.length;
      const results = await prepare(batch);
      for (const [at, result] of results.entries()) take(start + at, result);
      done += batch.length;
      progress(done, tasks.length);
    }
  };
  // Parsers are loaded when something is to be parsed.
  const inMain = async (batch: readonly PrepareTask[]): Promise<PackedResult[]> => {
    if (threads > 0) await setImmediate();
    return (await import("./prepare-worker.ts")).prepareAll(batch, setup, before);
  };
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
          return inMain([{ ...(batch[0] as PrepareTask), plain: failureOf(error, "parse") }]);
        }
        // The thread took its batch with it: each file is tried again, and the one that ends a thread becomes plain text.
        const results: PackedResult[] = [];
        for (const task of batch) results.push(...(await prepareInThread([task])));
        return results;
      }
    };
    try {
      await takeBatches(BATCH, prepareInThread);
    } finally {
      await thread.terminate();
    }
  };
  // The main thread works too: it has everything loaded while a new thread still reads its modules.
  await Promise.all([takeBatches(MAIN_BATCH, inMain), ...Array.from({ length: threads }, inThread)]);
}

function startWorker(setup: PrepareSetup): Worker {
  return new Worker(new URL("./prepare-worker.ts", import.meta.url), {
    workerData: setup,
    env: threadEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
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
