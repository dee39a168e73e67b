/**
 * What one build leaves for the next: the parse cache, content hashes, the base as it was opened.
 */
import { join } from "node:path";
import { DocumentCache } from "./cache/document-cache.ts";
import { FileHashes } from "./cache/file-hashes.ts";
import type { BaseIndex } from "./delta/open-base.ts";

const HASHES_FILE = "files.json";

/** Kept in memory by a running server, else read from a folder. */
export class BuildMemory {
  readonly cache: DocumentCache;
  readonly hashes: FileHashes;
  /** The base of the last build. */
  base: BaseIndex | undefined;

  constructor(cache: DocumentCache, hashes: FileHashes) {
    this.cache = cache;
    this.hashes = hashes;
  }

  /** What builds left in a folder; nothing where there is none, or without a folder. */
  static async open(dir: string | undefined): Promise<BuildMemory> {
    const cache = DocumentCache.open(dir);
    return new BuildMemory(cache, await FileHashes.open(dir === undefined ? undefined : join(dir, HASHES_FILE)));
  }

  /** What builds of parts left in their folders, see `build-part.ts`. */
  static async ofParts(dirs: readonly string[]): Promise<BuildMemory> {
    return new BuildMemory(DocumentCache.openAll(dirs), await FileHashes.open(undefined));
  }

  /** Close its files. */
  close(): void {
    this.cache.close();
  }
}
