/**
 * What moving files to and from a store takes: clocks, work on several files at a time, progress.
 */
import { setTimeout as wait } from "node:timers/promises";

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

/**
 * Do the work for each of some things, at most so many at a time, and wait for all. After a failure nothing new is begun; it is
 * thrown when what is under way has ended.
 */
export async function inParallel<T>(
  things: readonly T[],
  atOnce: number,
  work: (thing: T) => Promise<void>,
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
