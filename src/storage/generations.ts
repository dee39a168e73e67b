/**
 * The generation that answers: from the pointer to an open index, kept across requests and renewed when it changed.
 *
 * Only decoded values are kept, never promises: the I/O of one request is of no use to another. So two requests that
 * come at once may both read the pointer; whichever is done last sets the state, and both are right.
 *
 * An index that is open keeps answering whatever happens to the pointer: unreachable, deleted or damaged, it is
 * reported and tried again later.
 */
import type { InflateRaw } from "../core/bytes/codec.ts";
import { StaleGenerationError } from "../core/errors.ts";
import { type CostCounters, countPointerRead, createCounters } from "../core/index/cost.ts";
import { IndexReader } from "../core/index/index-reader.ts";
import type { OpenIndex } from "../core/index/open-index.ts";
import { openTimedIndex } from "../core/index/open-timed-index.ts";
import { pastCaches } from "../core/index/past-caches.ts";
import type { RangeSource } from "../core/index/range-source.ts";
import type { ValueCache } from "../core/index/value-cache.ts";

/**
 * How long an open index answers before the pointer is looked at again: a publish is seen after this at the latest.
 * The look is one conditional read without a body, in the cost of the one request of that time that waited for it.
 */
export const POINTER_TTL_MS = 15_000;

/** What generations are read with. */
export interface GenerationsOptions {
  readonly source: RangeSource;
  readonly inflate: InflateRaw;
  readonly cache: ValueCache;
  /** Takes what went wrong with a pointer while an older index keeps answering. */
  readonly report: (error: unknown) => void;
}

/** The pointer's state as it was seen last. */
interface Current {
  readonly index: OpenIndex;
  /** Tag of the pointer as it was read last, also where its bytes could not be opened. */
  readonly etag: string;
  readonly checkedAtMs: number;
}

/** Keeps the current generation open. One for the lifetime of an isolate. */
export class Generations {
  readonly #options: GenerationsOptions;
  #current: Current | undefined;

  constructor(options: GenerationsOptions) {
    this.#options = options;
  }

  /**
   * Runs with a reader over the current generation. When a file of it turns out to be gone, the pointer is read again
   * and the work is done once more. Undefined where no index was published.
   *
   * @param counters Where all of it is counted: looks at the pointer, and both tries.
   * @throws {FormatError} when there is no older index to answer from and the published one is damaged.
   */
  async withReader<T>(
    now: number,
    run: (reader: IndexReader) => Promise<T>,
    counters: CostCounters = createCounters(),
  ): Promise<{ readonly value: T } | undefined> {
    const first = await this.#open(now, POINTER_TTL_MS, counters);
    if (first === undefined) return undefined;
    try {
      return { value: await run(first) };
    } catch (error) {
      if (!(error instanceof StaleGenerationError)) throw error;
      const second = await this.#open(now, 0, counters);
      if (second === undefined || second.index === first.index) throw error;
      return { value: await run(second) };
    }
  }

  /**
   * A reader over what is published now, whatever is in memory: the pointer is read, and all else past the caches.
   * Undefined where no index was published. Where the pointer cannot be used, the older index is read so.
   *
   * @throws {FormatError} when there is no older index and the published one is damaged.
   */
  async openFresh(now: number, counters: CostCounters = createCounters()): Promise<IndexReader | undefined> {
    const known = this.#current;
    const open = (index: OpenIndex): IndexReader => new IndexReader(pastCaches(index), undefined, { counters });
    try {
      const index = await this.#openAnew(undefined, now, counters);
      return index === undefined ? undefined : open(index);
    } catch (error) {
      if (known === undefined) throw error;
      this.#options.report(error);
      return open(known.index);
    }
  }

  async #open(now: number, ttlMs: number, counters: CostCounters): Promise<IndexReader | undefined> {
    const known = this.#current;
    const open = (index: OpenIndex): IndexReader => new IndexReader(index, undefined, { counters });
    if (known !== undefined && now - known.checkedAtMs < ttlMs) return open(known.index);
    try {
      const index = await this.#openAnew(known, now, counters);
      return index === undefined ? undefined : open(index);
    } catch (error) {
      if (known === undefined) throw error;
      this.#options.report(error);
      this.#current = { ...(this.#current ?? known), checkedAtMs: now };
      return open(known.index);
    }
  }

  async #openAnew(known: Current | undefined, now: number, counters: CostCounters): Promise<OpenIndex | undefined> {
    const { source, inflate, cache, report } = this.#options;
    // Counted before it is sent: a look that fails was waited for as well.
    countPointerRead(counters, 0);
    const pointer = await source.readPointer(known?.etag);
    if (pointer === undefined || pointer === "unchanged") {
      if (known === undefined) return undefined;
      if (pointer === undefined) report(new Error("the pointer is gone from the bucket"));
      this.#current = { ...known, checkedAtMs: now };
      return known.index;
    }
    counters.bytes += pointer.bytes.length;
    // The tag is kept even if the bytes cannot be opened: what is damaged is read and reported once, not every time.
    if (known !== undefined) this.#current = { ...known, etag: pointer.etag, checkedAtMs: now };
    const index = await openTimedIndex(pointer.bytes, source, inflate, cache, pointer.modifiedAt);
    this.#current = { index, etag: pointer.etag, checkedAtMs: now };
    return index;
  }
}
