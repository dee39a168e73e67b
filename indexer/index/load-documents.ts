/**
 * All documents of a build: from the parse cache where their content did not change, else parsed now.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileState } from "../base/file-system.ts";
import type { CollectionConfig } from "../config/config.ts";
import { hashContent, type SkippedFile } from "../sources/read-file.ts";
import { type DocumentCard, openCard, type PackedCard } from "./cache/cached-document.ts";
import { codeDigest } from "./cache/code-digest.ts";
import { DamagedCacheError } from "./cache/damaged-cache.ts";
import { cacheKey, type DocumentCache } from "./cache/document-cache.ts";
import type { FileHashes } from "./cache/file-hashes.ts";
import type { PreparedDocument, PrepareTask } from "./prepare-document.ts";
import { type PoolOptions, type Progress, prepareDocuments } from "./prepare-pool.ts";
import type { PackedResult, PrepareSetup } from "./prepare-worker.ts";

/** Files that are hashed at once. */
const HASHED_AT_ONCE = 64;

/** A document to load. */
export interface LoadTask extends PrepareTask {
  /** Id of the document. */
  readonly id: string;
  readonly state?: FileState;
}

/** A document of the build. */
export interface LoadedDocument {
  readonly ok: true;
  readonly task: LoadTask;
  /** Its key in the parse cache. */
  readonly key: string;
  readonly card: DocumentCard;
  /** All of it but the code. Read from the cache each time, so that not every page is in memory. */
  readonly load: () => PreparedDocument;
  /** Of a source file what linking needs of it, see `code-codec.ts`. Read each time, too. */
  readonly loadCode: () => Uint8Array;
  /** Candidates for concepts, see `candidate-codec.ts`. Read each time, too. */
  readonly loadCandidates: () => Uint8Array;
}

/** A document, or why there is none. */
export type Loaded = LoadedDocument | { readonly ok: false; readonly task: LoadTask; readonly skipped: SkippedFile };

/** What loading needs. */
export interface LoadContext extends PoolOptions {
  readonly setup: PrepareSetup;
  readonly cache: DocumentCache;
  readonly hashes: FileHashes;
  readonly progress: Progress;
}

/** Digest of all that bears on what is made of a document of a collection, beside its content and path. */
export function digestCollection(collection: CollectionConfig): string {
  return createHash("sha1")
    .update(JSON.stringify([codeDigest(), collection]))
    .digest("base64");
}

/** Load all documents, in the order of the tasks. */
export async function loadDocuments(tasks: readonly LoadTask[], context: LoadContext): Promise<Loaded[]> {
  const { setup, cache, hashes, progress } = context;
  const digests = setup.collections.map(digestCollection);
  const keyOf = ({ collection, path, plain }: LoadTask, hash: string): string => {
    const settings = digests[collection] as string;
    return cacheKey({ hash, path, settings: plain === undefined ? settings : JSON.stringify([settings, plain]) });
  };
  const lookedAt = Date.now();
  const known = await findHashes(tasks, context, lookedAt);
  const results = new Array<Loaded>(tasks.length);
  const missing: number[] = [];
  for (const [at, task] of tasks.entries()) {
    const hash = known[at];
    const key = hash === undefined ? undefined : keyOf(task, hash);
    const card = key === undefined ? undefined : cache.card(key);
    if (key === undefined || card === undefined) missing.push(at);
    else results[at] = fromCache(task, key, card, cache);
  }
  const take = (index: number, result: PackedResult): void => {
    const at = missing[index] as number;
    const task = tasks[at] as LoadTask;
    if (!result.ok) {
      results[at] = { ok: false, task, skipped: result.skipped };
      return;
    }
    const { document } = result;
    const key = keyOf(task, document.card.head.hash);
    cache.add({ key, ...document });
    if (task.state !== undefined) hashes.note(task.id, task.state, document.card.head.hash, lookedAt);
    results[at] = fromCache(task, key, document.card, cache);
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

function fromCache(task: LoadTask, key: string, card: PackedCard, cache: DocumentCache): LoadedDocument {
  return {
    ok: true,
    task,
    key,
    // Number and collection are those of this build.
    card: openCard(card, task),
    load: () => {
      const document = cache.document(key, task);
      if (document === undefined) throw new DamagedCacheError();
      return document;
    },
    loadCode: () => {
      const code = cache.code(key);
      if (code === undefined) throw new DamagedCacheError();
      return code;
    },
    loadCandidates: () => {
      const candidates = cache.candidates(key);
      if (candidates === undefined) throw new DamagedCacheError();
      return candidates;
    },
  };
}

/** Content hashes of files as far as they are known, or soon read; all undefined where nothing is cached. */
async function findHashes(
  tasks: readonly LoadTask[],
  { setup, cache, hashes }: LoadContext,
  lookedAt: number,
): Promise<(string | undefined)[]> {
  if (cache.isEmpty) return tasks.map(() => undefined);
  const found = tasks.map(({ id, state }) => (state === undefined ? undefined : hashes.find(id, state)));
  const unknown = found.flatMap((hash, at) => (hash === undefined ? [at] : []));
  for (let start = 0; start < unknown.length; start += HASHED_AT_ONCE) {
    await Promise.all(
      unknown.slice(start, start + HASHED_AT_ONCE).map(async (at) => {
        const { id, collection, path, state } = tasks[at] as LoadTask;
        // What cannot be read is left to the step that says so.
        const bytes = await readFile(join(setup.roots[collection] as string, path)).catch(() => undefined);
        if (bytes === undefined) return;
        const hash = hashContent(bytes);
        found[at] = hash;
        if (state !== undefined) hashes.note(id, state, hash, lookedAt);
      }),
    );
  }
  return found;
}
