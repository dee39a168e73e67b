/**
 * What one build leaves for the next: the parse cache, content hashes, the base as it was opened.
 *
 * Content hashes are known by size and times of a file. A file that was written less than two seconds before it was looked at may
 * change again without its times showing it; it is read anew.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileState } from "../../base/file-system.ts";
import type { BaseIndex } from "../delta/open-base.ts";
import { DocumentCache } from "./document-cache.ts";

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

  /** What builds of parts left in their folders, see `split-build.ts`. */
  static async ofParts(dirs: readonly string[]): Promise<BuildMemory> {
    return new BuildMemory(DocumentCache.openAll(dirs), await FileHashes.open(undefined));
  }

  /** Close its files. */
  close(): void {
    this.cache.close();
  }
}

const SETTLED_AFTER_MS = 2_000;

type Row = readonly [path: string, state: string, hash: string];

/** Known hashes by a name for the file. */
export class FileHashes {
  readonly #path: string | undefined;
  readonly #rows: Map<string, Row>;
  readonly #used = new Map<string, Row>();

  private constructor(path: string | undefined, rows: Map<string, Row>) {
    this.#path = path;
    this.#rows = rows;
  }

  /** The hashes in a file; none where there is no such file, or one that cannot be read. */
  static async open(path: string | undefined): Promise<FileHashes> {
    const rows = new Map<string, Row>();
    try {
      const list: unknown = path === undefined ? [] : JSON.parse(await readFile(path, "utf8"));
      if (Array.isArray(list)) for (const row of list) if (isRow(row)) rows.set(row[0], row);
    } catch {
      // As if there were none: it costs reading the files.
    }
    return new FileHashes(path, rows);
  }

  /** The hash of a file that is as it was. */
  find(path: string, state: FileState): string | undefined {
    const row = this.#rows.get(path) ?? this.#used.get(path);
    if (row?.[1] !== nameState(state)) return undefined;
    this.#used.set(path, row);
    return row[2];
  }

  /** Note a file's hash. `lookedAt`: when its state was asked for. */
  note(path: string, state: FileState, hash: string, lookedAt: number): void {
    if (Math.max(state.modifiedMs, state.changedMs) > lookedAt - SETTLED_AFTER_MS) return;
    this.#used.set(path, [path, nameState(state), hash]);
  }

  /** Write the hashes of the files that were asked for. */
  async save(): Promise<void> {
    for (const [path, row] of this.#used) this.#rows.set(path, row);
    if (this.#path === undefined) return;
    await mkdir(dirname(this.#path), { recursive: true });
    const partial = `${this.#path}.${process.pid}.partial`;
    await writeFile(partial, JSON.stringify([...this.#used.values()]));
    await rename(partial, this.#path);
  }
}

function nameState({ bytes, modifiedMs, changedMs, inode }: FileState): string {
  return [bytes, modifiedMs, changedMs, inode].join(" ");
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "string");
}
