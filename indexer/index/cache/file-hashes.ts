/**
 * Content hashes of files that did not change since they were last read, told by size and times of the file.
 *
 * A file that was written less than two seconds before it was looked at may change again without its times showing it;
 * it is read anew.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { FileState } from "../../base/file-system.ts";

const SETTLED_AFTER_MS = 2_000;

type Row = readonly [path: string, bytes: number, modifiedMs: number, changedMs: number, inode: number, hash: string];

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
  find(path: string, { bytes, modifiedMs, changedMs, inode }: FileState): string | undefined {
    const row = this.#rows.get(path) ?? this.#used.get(path);
    if (row === undefined) return undefined;
    const isSame = row[1] === bytes && row[2] === modifiedMs && row[3] === changedMs && row[4] === inode;
    if (isSame) this.#used.set(path, row);
    return isSame ? row[5] : undefined;
  }

  /** Note a file's hash. `lookedAt`: when its state was asked for. */
  note(path: string, { bytes, modifiedMs, changedMs, inode }: FileState, hash: string, lookedAt: number): void {
    if (Math.max(modifiedMs, changedMs) > lookedAt - SETTLED_AFTER_MS) return;
    this.#used.set(path, [path, bytes, modifiedMs, changedMs, inode, hash]);
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

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [path, ...rest] = value;
  return (
    typeof path === "string" &&
    rest.slice(0, 4).every((part) => typeof part === "number") &&
    typeof rest[4] === "string"
  );
}
