/** Where a counter takes the time from. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() };
