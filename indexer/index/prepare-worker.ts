/**
 * Worker-thread entry: reads and prepares batches of documents. Holds no state besides what it was started with.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import type { CollectionConfig, LimitsConfig } from "../config/config.ts";
import { hashContent, type ReadResult, readSourceFile, type SkippedFile } from "../sources/read-file.ts";
import { type PrepareTask, prepareDocument } from "./prepare-document.ts";
import { PARTS, type PackedDocument, packDocument } from "./prepared-document.ts";
import { type BeforeStage, failureOf, stageDiagnostic } from "./stages.ts";

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
    const source = await readOrKeepBytes(setup, task.collection, task.path, before);
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

/** Text of a file. Where decoding throws, its bytes are taken for UTF-8, whatever they are. */
async function readOrKeepBytes(
  { roots, limits }: PrepareSetup,
  collection: number,
  path: string,
  before: BeforeStage | undefined,
): Promise<ReadResult> {
  const root = roots[collection] as string;
  try {
    before?.("decode", path);
    return await readSourceFile(root, path, limits);
  } catch (error) {
    const failure = failureOf(error, "decode");
    const bytes = await readFile(join(root, path)).catch(() => undefined);
    if (bytes === undefined || bytes.length > limits.maxFileBytes) {
      return { ok: false, skipped: { path, reason: "failed", message: `cannot be read: ${failure.reason}` } };
    }
    const diagnostic = stageDiagnostic(path, failure, "the file is read as UTF-8");
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return { ok: true, text, bytes: bytes.length, contentHash: hashContent(bytes), diagnostics: [diagnostic] };
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
