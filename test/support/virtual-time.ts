/**
 * Time that passes only when everybody waits for it: hours in a moment, and always the same way.
 *
 * Whoever takes part may wait for nothing but this time and for promises: work on a disk or in threads would be overtaken.
 */
import type { Clock } from "../../indexer/publish/object-store.ts";

/** A clock, and what lets its time pass. */
export interface VirtualTime extends Clock {
  /** Let time pass until the work is done. Rejects where it waits for something that never comes. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
}

interface Waiting {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Time that begins at a moment, in milliseconds since 1970. */
export function createVirtualTime(start: number): VirtualTime {
  let time = start;
  let order = 0;
  const waiting: Waiting[] = [];
  return {
    now: () => time,
    elapsed: () => time - start,
    sleep: (ms) => new Promise((wake) => waiting.push({ at: time + Math.max(0, ms), order: order++, wake })),
    async run(work) {
      let isDone = false;
      const mark = (): void => {
        isDone = true;
      };
      work.then(mark, mark);
      for (;;) {
        // All promises that can go on do so before the next turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve));
        if (isDone) return work;
        waiting.sort((a, b) => a.at - b.at || a.order - b.order);
        const next = waiting.shift();
        if (next === undefined) throw new Error("the work waits for something that never comes");
        time = next.at;
        next.wake();
      }
    },
  };
}
