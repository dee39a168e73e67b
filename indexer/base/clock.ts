/**
 * Time, as publishing takes it. Tests have one of their own.
 */
import { setTimeout as wait } from "node:timers/promises";

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
