/**
 * The few file operations that writing an index takes, as an interface: tests stop a build at each of them, or put
 * faults behind them that no real disk gives on demand.
 *
 * I/O: `nodeDisk` is the disk.
 */
import { constants, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isFsError } from "../base/file-system.ts";

/** Operations on the output folder. Every method rejects with an error that has a `code`, as Node's do. */
export interface OutputDisk {
  makeFolder(path: string): Promise<void>;
  list(path: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array>;
  /** When a file was changed last, milliseconds since 1970. */
  changedAt(path: string): Promise<number>;
  /** A new file; rejects with `EEXIST` where there is one. */
  create(path: string): Promise<void>;
  /** Returns when the bytes are on the disk itself, so that no crash leaves a name without its content. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** To a file that is there; rejects with `ENOENT` where there is none. */
  append(path: string, text: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** What is not there is removed already. */
  remove(path: string): Promise<void>;
}

/** The disk. */
export const nodeDisk: OutputDisk = {
  makeFolder,
  list: (path) => readdir(path),
  read: (path) => readFile(path),
  changedAt: async (path) => (await stat(path)).mtimeMs,
  create: (path) => writeFile(path, "", { flag: "wx" }),
  write: (path, bytes) => writeFile(path, bytes, { flush: true }),
  async append(path, text) {
    const handle = await open(path, constants.O_WRONLY | constants.O_APPEND);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  },
  rename,
  remove: (path) => rm(path, { force: true }),
};

/**
 * Makes a folder and those around it. Not by Node's `recursive`, which never ends where the system answers `ENOENT` below
 * a folder that exists, as `/proc` does.
 */
async function makeFolder(path: string): Promise<void> {
  if (await makeOne(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  if (await makeOne(path)) return;
  throw Object.assign(new Error(`ENOENT: mkdir '${path}'`), { code: "ENOENT", syscall: "mkdir" });
}

/** Makes one folder; false where the system does not find the one around it. */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (!isFsError(error)) throw error;
    if (error.code === "ENOENT") return false;
    // Some systems put `EROFS` or `EACCES` before "it is there".
    if (
      await stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      )
    )
      return true;
    throw error;
  }
}
