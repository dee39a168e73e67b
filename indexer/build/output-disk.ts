/**
 * The few file operations that writing an index takes, as an interface: tests stop a build at each of them, or put
 * faults behind them that no real disk gives on demand.
 *
 * I/O: `nodeDisk` is the disk.
 */
import { constants, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";

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
  async makeFolder(path) {
    await mkdir(path, { recursive: true });
  },
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
