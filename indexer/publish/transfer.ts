/**
 * What moving files to and from a store takes: clocks, work on several files at a time, progress.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { ManifestFile } from "../../src/core/format/generation.ts";
import { sumBytes } from "./object-store.ts";

/** What has arrived, of what is on its way. */
export interface TransferProgress {
  readonly files: number;
  readonly allFiles: number;
  readonly bytes: number;
  readonly allBytes: number;
}

/** Clocks, and a way to let time pass. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since anything, never backwards. */
  readonly elapsed: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** The clocks of this machine. */
export const machineClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  sleep: async (ms) => {
    await wait(ms);
  },
};

/** Most requests that are under way at a time. */
const AT_ONCE = 6;

/**
 * Do the work for each of some things, a few at a time, and wait for all. After a failure nothing new is begun; it is
 * thrown when what is under way has ended.
 */
export async function inParallel<T>(
  things: readonly T[],
  work: (thing: T) => Promise<void>,
  atOnce: number = AT_ONCE,
): Promise<void> {
  const waiting = [...things];
  const failures: unknown[] = [];
  const take = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && failures.length === 0; next = waiting.shift()) {
      await work(next).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  if (failures.length > 0) throw failures[0];
}

/** Files that were moved so far, by name. */
type Moved = Map<string, ManifestFile>;

/** Move files, and say after each how many have arrived. What `moved` holds counts as arrived before, and grows. */
export async function moveFiles(
  files: readonly ManifestFile[],
  moved: Moved,
  move: (file: ManifestFile) => Promise<unknown>,
  onProgress: (progress: TransferProgress) => void = () => undefined,
): Promise<void> {
  const allFiles = moved.size + files.length;
  const allBytes = sumBytes([...moved.values(), ...files]);
  await inParallel(files, async (file) => {
    await move(file);
    moved.set(file.name, file);
    onProgress({ files: moved.size, allFiles, bytes: sumBytes([...moved.values()]), allBytes });
  });
}
