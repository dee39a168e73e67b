import { type Clock, systemClock } from "./clock.ts";
import { RingBuffer } from "./ring-buffer.ts";

/** Counts what happened within a window of time. */
export class Counter {
  readonly #slots: RingBuffer;
  readonly #clock: Clock;

  /** @param windowMs How long something counts, in milliseconds. */
  constructor(windowMs: number, clock: Clock = systemClock) {
    this.#slots = new RingBuffer(windowMs);
    this.#clock = clock;
  }

  /** Count something that happens now. */
  add(amount = 1): void {
    this.#slots.add(this.#clock.now(), amount);
  }

  /** What was counted within the window. */
  total(): number {
    return this.#slots.sum(this.#clock.now());
  }
}
