/**
 * Worker-thread entry: reads and prepares batches of documents. Holds no state besides what it was started with.
 */
import { parentPort, workerData } from "node:worker_threads";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import type { CollectionConfig, LimitsConfig } from "../config/config.ts";
import { type ReadResult, readSourceFile, type SkippedFile } from "../sources/read-file.ts";
import { type PrepareTask, prepareDocument } from "./prepare-document.ts";
import { PARTS, type PackedDocument, packDocument } from "./prepared-document.ts";
import { type BeforeStage, failureOf } from "./stages.ts";

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

/**
 * Prepare tasks one after another, in order.
 *
 * @param before Called before each stage.
 */
export async function prepareAll(
  tasks: readonly PrepareTask[],
  setup: PrepareSetup,
  before?: BeforeStage,
): Promise<PackedResult[]> {
  const packed: PackedResult[] = [];
  for (const task of tasks) {
    const source = await readTask(setup, task, before);
    const collection = setup.collections[task.collection] as CollectionConfig;
    const prepared = await prepareTask(task, collection, source, before);
    packed.push(prepared.ok ? { ok: true, document: packDocument(prepared.document) } : prepared);
  }
  return packed;
}

/** Prepares a file, a source file with the parser of its language, which is loaded when it first occurs. */
async function prepareTask(
  task: PrepareTask,
  collection: CollectionConfig,
  source: ReadResult,
  before: BeforeStage | undefined,
): ReturnType<typeof prepareDocument> {
  if (codeLanguageOf(task.path) === undefined) return prepareDocument(task, collection, source, new Map(), before);
  const { loadParsers } = await import("../parse/code/parse-code.ts");
  const { wantsFreshHeap } = await import("../parse/code/grammars.ts");
  const prepare = async () => prepareDocument(task, collection, source, await loadParsers([task.path]), before);
  const prepared = await prepare();
  // What files before it left in the heap of the parsers must not decide about this one.
  return wantsFreshHeap() ? prepare() : prepared;
}

/** Text of a file. */
async function readTask(
  { roots, limits }: PrepareSetup,
  { collection, path }: PrepareTask,
  before: BeforeStage | undefined,
): Promise<ReadResult> {
  try {
    before?.("decode", path);
    return await readSourceFile(roots[collection] as string, path, limits);
  } catch (error) {
    const message = `cannot be read: ${failureOf(error, "decode").reason}`;
    return { ok: false, skipped: { path, reason: "failed", message } };
  }
}

if (parentPort !== null) {
  const port = parentPort;
  port.on("message", async (tasks: readonly PrepareTask[]) => {
    const results = await prepareAll(tasks, workerData as PrepareSetup);
    // Handed over, not copied.
    const buffers = results.flatMap((result) => (result.ok ? PARTS.map((part) => result.document[part].buffer) : []));
    port.postMessage(results, buffers as ArrayBuffer[]);
  });
}
