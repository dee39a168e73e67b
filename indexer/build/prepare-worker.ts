/**
 * Worker-thread entry: reads and prepares batches of documents. Holds no state besides what it was started with.
 */
import { parentPort, workerData } from "node:worker_threads";
import type { PackedDocument } from "../cache/cached-document.ts";
import { packDocument } from "../cache/pack-document.ts";
import type { CollectionConfig, LimitsConfig } from "../config.ts";
import { loadParsers } from "../parse/code/load-parsers.ts";
import { readSourceFile } from "../sources/read-file.ts";
import type { SkippedFile } from "../sources/skipped-file.ts";
import { type PrepareTask, prepareDocument } from "./prepare-document.ts";

/** What a worker thread is started with. */
export interface PrepareSetup {
  readonly collections: readonly CollectionConfig[];
  /** Absolute path of each collection's root. */
  readonly roots: readonly string[];
  readonly limits: LimitsConfig;
}

/** A document taken apart, or why there is none. */
export type PackedResult =
  | { readonly ok: true; readonly document: PackedDocument }
  | { readonly ok: false; readonly skipped: SkippedFile };

/** Prepare tasks one after another, in order. All files are asked for at once, so that reading overlaps with parsing. */
export async function prepareAll(tasks: readonly PrepareTask[], setup: PrepareSetup): Promise<PackedResult[]> {
  const sources = tasks.map(({ collection, path }) =>
    readSourceFile(setup.roots[collection] as string, path, setup.limits),
  );
  // A rejection is met when its turn comes; until then it must not count as unhandled.
  for (const source of sources) source.catch(() => undefined);
  const parsers = await loadParsers(tasks.map(({ path }) => path));
  const packed: PackedResult[] = [];
  for (const [at, task] of tasks.entries()) {
    const source = await (sources[at] as (typeof sources)[number]);
    const prepared = prepareDocument(task, setup.collections[task.collection] as CollectionConfig, source, parsers);
    packed.push(prepared.ok ? { ok: true, document: packDocument(prepared.document) } : prepared);
  }
  return packed;
}

/** What is handed over, not copied. */
function listBuffers({ card, body, code, candidates, pairs, words }: PackedDocument): ArrayBufferLike[] {
  return [card.sections, card.links, body, code, candidates, pairs, words].map(({ buffer }) => buffer);
}

if (parentPort !== null) {
  const port = parentPort;
  port.on("message", async (tasks: readonly PrepareTask[]) => {
    const results = await prepareAll(tasks, workerData as PrepareSetup);
    const buffers = results.flatMap((result) => (result.ok ? listBuffers(result.document) : []));
    port.postMessage(results, buffers as ArrayBuffer[]);
  });
}
