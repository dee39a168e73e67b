/**
 * What one build leaves for the next: the parse cache, content hashes, the base as it was opened.
 *
 * Content hashes are known by size and times of a file. A file that was written less than two seconds before it was looked at may
 * change again without its times showing it; it is read anew.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type FileState, isFsError } from "../../base/file-system.ts";
import type { BaseIndex } from "../delta/open-base.ts";
import { DocumentCache } from "./document-cache.ts";

const HASHES_FILE = "files.json";

const SETTLED_AFTER_MS = 2_000;

type Row = readonly [path: string, state: string, hash: string];

/** Kept in memory by a running server, else read from a folder. */
export class BuildMemory {
  readonly cache: DocumentCache;
  /** The base of the last build. */
  base: BaseIndex | undefined;
  readonly #hashesFile: string | undefined;
  readonly #rows: Map<string, Row>;
  readonly #used = new Map<string, Row>();

  private constructor(cache: DocumentCache, hashesFile?: string, rows: readonly Row[] = []) {
    this.cache = cache;
    this.#hashesFile = hashesFile;
    this.#rows = new Map(rows.map((row) => [row[0], row]));
  }

  /** What builds left in a folder; nothing where there is none, or without a folder. */
  static async open(dir: string | undefined): Promise<BuildMemory> {
    const file = dir === undefined ? undefined : join(dir, HASHES_FILE);
    return new BuildMemory(DocumentCache.open(dir), file, file === undefined ? [] : await readRows(file));
  }

  /** What builds of parts left in their folders, see `split-build.ts`. */
  static ofParts(dirs: readonly string[]): BuildMemory {
    return new BuildMemory(DocumentCache.openAll(dirs));
  }

  /** The content hash of a file that is as it was. @param id Names the file. */
  findHash(id: string, state: FileState): string | undefined {
    const row = this.#rows.get(id) ?? this.#used.get(id);
    if (row?.[1] !== nameState(state)) return undefined;
    this.#used.set(id, row);
    return row[2];
  }

  /** Note a file's hash. `lookedAt`: when its state was asked for. */
  noteHash(id: string, state: FileState, hash: string, lookedAt: number): void {
    if (Math.max(state.modifiedMs, state.changedMs) > lookedAt - SETTLED_AFTER_MS) return;
    this.#used.set(id, [id, nameState(state), hash]);
  }

  /**
   * Write what was added, and the hashes that were asked for. What cannot be written costs the next build time, and this one nothing.
   *
   * @param used Keys of the documents that later builds may ask for.
   */
  async save(used: readonly string[]): Promise<void> {
    try {
      this.cache.save(new Set(used));
      for (const [id, row] of this.#used) this.#rows.set(id, row);
      if (this.#hashesFile === undefined) return;
      await mkdir(dirname(this.#hashesFile), { recursive: true });
      const partial = `${this.#hashesFile}.${process.pid}.partial`;
      await writeFile(partial, JSON.stringify([...this.#used.values()]));
      await rename(partial, this.#hashesFile);
    } catch (error) {
      if (!isFsError(error)) throw error;
    }
  }

  /** Close its files. */
  close(): void {
    this.cache.close();
  }
}

/** The rows of a file; none where there is no such file, or one that cannot be read. */
async function readRows(file: string): Promise<Row[]> {
  try {
    const list: unknown = JSON.parse(await readFile(file, "utf8"));
    return Array.isArray(list) ? list.filter(isRow) : [];
  } catch {
    // As if there were none: it costs reading the files.
    return [];
  }
}

function nameState({ bytes, modifiedMs, changedMs, inode }: FileState): string {
  return [bytes, modifiedMs, changedMs, inode].join(" ");
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === "string");
}
