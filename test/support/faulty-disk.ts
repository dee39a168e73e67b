/** Disks with faults: one on which a build dies at a given operation, one that refuses some. */
import { nodeDisk, type OutputDisk } from "../../indexer/index/output-folder.ts";

/** What every operation of a dead build ends with: nothing that it does any more has an effect. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** A disk on which a build dies. */
export interface MortalDisk extends OutputDisk {
  /** Operations that were begun. */
  readonly operations: number;
}

/**
 * The real disk, until operation number `lives` (from 0). Of that one half is done where it can be: half of the bytes, half
 * of the text. Everything after it is refused, as a process that is no more does nothing.
 */
export function createMortalDisk(lives: number): MortalDisk {
  let operations = 0;
  const live = async <T>(whole: () => Promise<T>, half: () => Promise<void> = async () => undefined): Promise<T> => {
    const at = operations++;
    if (at < lives) return whole();
    if (at === lives) await half();
    throw new Killed();
  };
  return {
    get operations() {
      return operations;
    },
    makeFolder: (path) => live(() => nodeDisk.makeFolder(path)),
    list: (path) => live(() => nodeDisk.list(path)),
    read: (path) => live(() => nodeDisk.read(path)),
    changedAt: (path) => live(() => nodeDisk.changedAt(path)),
    create: (path) => live(() => nodeDisk.create(path)),
    write: (path, bytes) =>
      live(
        () => nodeDisk.write(path, bytes),
        () => nodeDisk.write(path, bytes.subarray(0, bytes.length >> 1)),
      ),
    append: (path, text) =>
      live(
        () => nodeDisk.append(path, text),
        () => nodeDisk.append(path, text.slice(0, text.length >> 1)),
      ),
    rename: (from, to) => live(() => nodeDisk.rename(from, to)),
    remove: (path) => live(() => nodeDisk.remove(path)),
  };
}

/** The real disk, but for writes beyond some bytes in all, which end with a code of the system. */
export function createFullDisk(bytes: number, code = "ENOSPC"): OutputDisk {
  let left = bytes;
  return {
    ...nodeDisk,
    async write(path, content) {
      left -= content.length;
      if (left >= 0) return nodeDisk.write(path, content);
      await nodeDisk.write(path, content.subarray(0, Math.max(0, left + content.length)));
      throw Object.assign(new Error(`${code}: write '${path}'`), { code });
    },
  };
}
