const SLOTS = 60;

/** Amounts by time, in slots that are used again when their time is over. */
export class RingBuffer {
  readonly #slotMs: number;
  readonly #amounts = new Float64Array(SLOTS);
  readonly #slotOf = new Float64Array(SLOTS).fill(Number.NEGATIVE_INFINITY);

  constructor(windowMs: number) {
    this.#slotMs = windowMs / SLOTS;
  }

  add(at: number, amount: number): void {
    const slot = Math.floor(at / this.#slotMs);
    const place = slot % SLOTS;
    if (this.#slotOf[place] !== slot) this.#amounts[place] = 0;
    this.#slotOf[place] = slot;
    this.#amounts[place] = (this.#amounts[place] ?? 0) + amount;
  }

  sum(at: number): number {
    const first = Math.floor(at / this.#slotMs) - SLOTS + 1;
    return this.#amounts.reduce((all, amount, place) => ((this.#slotOf[place] ?? 0) < first ? all : all + amount), 0);
  }
}
