/** A disk in memory for what writes indexes into folders: without waiting for a real one, and looked at after each change. */
import { basename } from "node:path";
import type { OutputDisk } from "../../indexer/index/output-folder.ts";
import type { HeldObject } from "./fake-store.ts";
import { Killed } from "./faulty-disk.ts";

/** One folder of files. */
export interface MemoryDisk extends OutputDisk {
  /** By name, whatever the folder is called. */
  readonly files: Map<string, HeldObject>;
  /** Called after each change. */
  onChange: () => void;
  /** Operations until the one who uses it is dead: none after those has an effect. */
  lives: number;
}

/** An empty folder. */
export function createMemoryDisk(): MemoryDisk {
  const files = new Map<string, HeldObject>();
  const found = (path: string): HeldObject => {
    const held = files.get(basename(path));
    if (held === undefined) throw failure("ENOENT", path);
    return held;
  };
  const live = async <T>(work: () => T, isChange = true): Promise<T> => {
    if (disk.lives-- <= 0) throw new Killed();
    const result = work();
    if (isChange) disk.onChange();
    return result;
  };
  const set = (path: string, bytes: Uint8Array): void => {
    files.set(basename(path), { bytes: bytes.slice(), modifiedAt: 0 });
  };
  const disk: MemoryDisk = {
    files,
    onChange: () => undefined,
    lives: Number.POSITIVE_INFINITY,
    makeFolder: () => live(() => undefined),
    list: () => live(() => [...files.keys()], false),
    read: (path) => live(() => found(path).bytes.slice(), false),
    changedAt: (path) => live(() => found(path).modifiedAt, false),
    create: (path) =>
      live(() => {
        if (files.has(basename(path))) throw failure("EEXIST", path);
        set(path, new Uint8Array());
      }),
    write: (path, bytes) => live(() => set(path, bytes)),
    append: (path, text) => live(() => set(path, Buffer.concat([found(path).bytes, new TextEncoder().encode(text)]))),
    rename: (from, to) =>
      live(() => {
        set(to, found(from).bytes);
        files.delete(basename(from));
      }),
    remove: (path) => live(() => void files.delete(basename(path))),
  };
  return disk;
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: '${path}'`), { code });
}
