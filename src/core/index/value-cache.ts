/**
 * Bounded memory of decoded values: least recently used goes first.
 *
 * Holds values only, never promises: at the edge the I/O of one request is of no use to another.
 */

/** What readers need of a cache. Keys name immutable bytes, so an entry never goes stale. */
export interface ValueCache {
  /** The value, or undefined. */
  get(key: string): unknown;
  /** Remember a value that takes about `bytes` bytes of memory. */
  set(key: string, value: unknown, bytes: number): void;
}

/** A `ValueCache` that never holds more than its budget. */
export class LruCache implements ValueCache {
  readonly #entries = new Map<string, { value: unknown; bytes: number }>();
  readonly #budgetBytes: number;
  #bytes = 0;

  /** @param budgetBytes Sum of the sizes that entries were set with; a larger entry is not kept at all. */
  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  /** Sum of the sizes of what is held. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A `Map` keeps the order of insertion, so the first key is always the one used longest ago.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: unknown, bytes: number): void {
    const old = this.#entries.get(key);
    if (old !== undefined) {
      this.#bytes -= old.bytes;
      this.#entries.delete(key);
    }
    if (bytes > this.#budgetBytes) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#budgetBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}

/** What names of values have in them that took much work to make: {@link keepApart} gives those a room of their own. */
export const KEPT = "/kept/";

/** One cache out of two: what took much work to make is not pushed out by what is only read and decoded. */
export function keepApart(values: ValueCache, kept: ValueCache): ValueCache {
  const cacheOf = (key: string): ValueCache => (key.includes(KEPT) ? kept : values);
  return {
    get: (key) => cacheOf(key).get(key),
    set: (key, value, bytes) => cacheOf(key).set(key, value, bytes),
  };
}
