/**
 * Index files on disk, as the core reads them.
 */
import { open, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { FormatError, InputError, StaleGenerationError } from "../../src/core/errors.ts";
import { isIndexFile } from "../../src/core/format/index-file.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { openTimedIndex } from "../../src/core/index/open-timed-index.ts";
import { POINTER_FILE, type PointerObject, type RangeSource } from "../../src/core/index/range-source.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { inflateRaw } from "./codec.ts";

/** Decoded values of a disk index that stay in memory. */
export const CACHE_BYTES = 64 * 1024 * 1024;

/** A range source over a folder that `treeline build` wrote. */
export function createDiskSource(dir: string): RangeSource {
  return {
    async readRange(file, offset, length) {
      // The root lists packs by name, and nothing outside of the folder is one.
      if (!isIndexFile(file)) throw new FormatError(file, { code: "malformed", reason: "it is no index file" });
      const handle = await open(join(dir, file), "r").catch((cause: unknown) => {
        if (isMissing(cause)) throw new StaleGenerationError(file);
        throw cause;
      });
      try {
        const { size } = await handle.stat();
        // Before there is room for it: what lists the file may say anything.
        if (offset + length > size) throw truncated(file, length, Math.max(0, size - offset));
        const bytes = new Uint8Array(length);
        const { bytesRead } = await handle.read(bytes, 0, length, offset);
        if (bytesRead < length) throw truncated(file, length, bytesRead);
        return bytes;
      } finally {
        await handle.close();
      }
    },
    async readPointer(knownEtag): Promise<PointerObject | "unchanged" | undefined> {
      const path = join(dir, POINTER_FILE);
      try {
        const { mtimeMs, size } = await stat(path);
        const etag = `${mtimeMs}-${size}`;
        return etag === knownEtag
          ? "unchanged"
          : { bytes: await readFile(path), etag, modifiedAt: new Date(mtimeMs).toISOString() };
      } catch (cause) {
        if (isMissing(cause)) return undefined;
        throw cause;
      }
    },
  };
}

/** A reader over an index folder that sees every access group. @throws {InputError} when there is no index. */
export async function openDiskIndex(dir: string): Promise<IndexReader> {
  const source = createDiskSource(resolve(dir));
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") {
    throw new InputError(
      `no index in ${JSON.stringify(dir)}: there is no ${POINTER_FILE}`,
      [],
      "treeline build docs --out index",
    );
  }
  return new IndexReader(
    await openTimedIndex(pointer.bytes, (bytes) =>
      openIndex(bytes, source, inflateRaw, new LruCache(CACHE_BYTES), pointer.modifiedAt),
    ),
    "all",
  );
}

function truncated(file: string, need: number, have: number): FormatError {
  return new FormatError(file, { code: "truncated", need, have });
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
}
