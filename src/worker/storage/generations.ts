/**
 * The generation that answers: from the pointer to an open index, kept across requests and renewed when it changed.
 *
 * Only decoded values are kept, never promises: the I/O of one request is of no use to another. So two requests that
 * come at once may both read the pointer; whichever is done last sets the state, and both are right.
 *
 * An index that is open keeps answering whatever happens to the pointer: unreachable, deleted or damaged, it is
 * reported and tried again later.
 */
import type { InflateRaw } from "../../core/bytes/capabilities.ts";
import { FormatError, StaleGenerationError } from "../../core/errors.ts";
import { decodePointer, encodePointer } from "../../core/format/generation.ts";
import { type CollectionInfo, splitRoot } from "../../core/format/root.ts";
import { type CostCounters, countPointerRead, createCounters } from "../../core/index/cost.ts";
import { IndexReader } from "../../core/index/index-reader.ts";
import {
  type OpenIndex,
  openGeneration,
  openTimedIndex,
  pastCaches,
  readRoot,
  withTimes,
} from "../../core/index/open-generation.ts";
import type { RangeSource } from "../../core/index/range-source.ts";
import type { ValueCache } from "../../core/index/value-cache.ts";
import { isWithin } from "../../core/is-within.ts";
import type { SessionPin } from "../../surface/session/session-state.ts";

/** Stemmers take long to evaluate, so an isolate does it for an index that names their languages. */
const loadStemmers = async () => (await import("../../core/text/analyzers.ts")).analyzerOf;

/**
 * How long an open index answers before the pointer is looked at again. The look is one conditional read without a body;
 * where a request can leave it behind its answer, nobody waits for it, and it is in nobody's cost.
 */
export const POINTER_TTL_MS = 15_000;
/** An index that nobody looked at for as long may be old: who comes then waits for the look, as long as reads are waited for. */
const MAX_UNSEEN_MS = 300_000;
/** A look behind an answer may end with its request. It is sent again after this. */
const RENEWAL_MS = 10_000;

interface GenerationsOptions {
  readonly source: RangeSource;
  readonly inflate: InflateRaw;
  readonly cache: ValueCache;
  /** Takes what went wrong with a pointer while an older index keeps answering, where a view has no `report`. */
  readonly report?: (error: unknown) => void;
  /** Told after a generation was opened, so that somebody can see to what all open ones take. */
  readonly onOpened?: () => void;
  /** Told that there is no pointer. Where it is given, an open index does not outlive its pointer. */
  readonly onAbsent?: (now: number) => void;
  /** Told that there is a pointer, and when it was stored where it is another than before. */
  readonly onSeen?: (now: number, modifiedAt?: string) => void;
}

/** What a request may see of the index, and when it came. */
export interface ReaderView {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Access groups that the caller may see, of an index with these collections; `public` alone when absent. */
  readonly groupsOf?: (collections: readonly CollectionInfo[]) => readonly string[];
  /** The generation to answer from; the current one when absent. */
  readonly pin?: SessionPin;
  /** Takes what went wrong with a pointer while an older index keeps answering. */
  readonly report?: (error: unknown) => void;
  /** How long an open index answers before the pointer is looked at again; `POINTER_TTL_MS` when absent. With 0 each request waits for a look. */
  readonly ttlMs?: number;
  /** Takes work that goes on behind the answer, and never rejects. */
  readonly waitUntil?: (work: Promise<void>) => void;
}

/** Generations that are kept open beside the current one, for those who hold on to them. */
const MAX_PINNED = 2;

/** The pointer's state as it was seen last. */
interface Current {
  readonly index: OpenIndex;
  readonly pin: SessionPin;
  /** Tag of the pointer as it was read last, also where its bytes could not be opened. */
  readonly etag: string;
  readonly checkedAtMs: number;
}

/** Keeps the current generation open. One for the lifetime of an isolate. */
export class Generations {
  readonly #options: GenerationsOptions;
  #current: Current | undefined;
  /** When a look behind an answer began that did not end yet. */
  #renewingSinceMs = Number.NEGATIVE_INFINITY;
  /** Opened lately, the latest last. */
  readonly #pinned = new Map<string, OpenIndex>();

  constructor(options: GenerationsOptions) {
    this.#options = options;
  }

  /**
   * Runs with a reader over the current generation. When a file of it turns out to be gone, the pointer is read again
   * and the work is done once more. Undefined where no index was published.
   *
   * @param counters Where all of it is counted: looks at the pointer, and both tries.
   * @throws {FormatError} when there is no older index to answer from and the published one is damaged.
   * @throws {StaleGenerationError} when a pinned generation is gone, damaged, or of a format that is not read any more (the
   *   latter two are reported), or shows the caller a collection that is gone or closed to them by now.
   */
  async withReader<T>(
    view: ReaderView,
    run: (reader: IndexReader) => Promise<T>,
    counters: CostCounters = createCounters(),
  ): Promise<{ readonly value: T } | undefined> {
    const { pin } = view;
    const read = (index: OpenIndex): IndexReader =>
      new IndexReader(index, view.groupsOf?.(index.collections), { counters });
    const first = await this.#open(view, view.ttlMs ?? POINTER_TTL_MS, counters);
    if (first === undefined) return undefined;
    if (pin !== undefined && pin.id !== first.generation.id) {
      try {
        const reader = read(await this.#openPinned(pin, counters));
        if (!showsAll(read(first), reader)) throw new StaleGenerationError(pin.root);
        return { value: await run(reader) };
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        // Nobody renews it as the published one is renewed, so who holds on to it would get nothing else any more.
        this.#report(view, error);
        throw new StaleGenerationError(pin.root);
      }
    }
    try {
      return { value: await run(read(first)) };
    } catch (error) {
      if (!(error instanceof StaleGenerationError) || pin !== undefined) throw error;
      const second = await this.#open(view, 0, counters);
      if (second === undefined || second === first) throw error;
      return { value: await run(read(second)) };
    }
  }

  /** The current generation, to hold on to; undefined where no index was published. */
  async pinCurrent(view: ReaderView, counters: CostCounters = createCounters()): Promise<SessionPin | undefined> {
    await this.#open(view, view.ttlMs ?? POINTER_TTL_MS, counters);
    return this.#current?.pin;
  }

  /** About how much memory the open generations take beside what the cache counts, in bytes. */
  get openBytes(): number {
    let rootBytes = this.#current?.index.rootBytes ?? 0;
    for (const pinned of this.#pinned.values()) rootBytes += pinned.rootBytes;
    return rootBytes * OPEN_BYTES_A_ROOT_BYTE;
  }

  /** Id of the generation in memory, without a look at anything; undefined where there is none yet. */
  get inMemory(): string | undefined {
    return this.#current?.index.generation.id;
  }

  /**
   * A reader over what is published now, whatever is in memory: the pointer is read, and all else past the caches.
   * Undefined where no index was published. No older index stands in.
   *
   * @throws {FormatError} when the published one is damaged.
   */
  async openPublished(view: ReaderView, counters: CostCounters = createCounters()): Promise<IndexReader | undefined> {
    const index = await this.#openAnew(undefined, view, counters);
    return index && new IndexReader(pastCaches(index), view.groupsOf?.(index.collections), { counters });
  }

  #report({ report = this.#options.report }: ReaderView, error: unknown): void {
    report?.(error);
  }

  async #open(view: ReaderView, ttlMs: number, counters: CostCounters): Promise<OpenIndex | undefined> {
    const { now, waitUntil } = view;
    const known = this.#current;
    if (known === undefined) return this.#openAnew(known, view, counters);
    if (isWithin(now, known.checkedAtMs, ttlMs)) return known.index;
    if (waitUntil === undefined || ttlMs === 0 || !isWithin(now, known.checkedAtMs, MAX_UNSEEN_MS)) {
      return this.#renew(known, view, counters);
    }
    if (!isWithin(now, this.#renewingSinceMs, RENEWAL_MS)) {
      this.#renewingSinceMs = now;
      const renewed = this.#renew(known, view, createCounters());
      waitUntil(
        renewed.then(() => {
          this.#renewingSinceMs = Number.NEGATIVE_INFINITY;
        }),
      );
    }
    return known.index;
  }

  /** Looks at the pointer. The older index stands in, for another while, where that fails. */
  async #renew(known: Current, view: ReaderView, counters: CostCounters): Promise<OpenIndex | undefined> {
    try {
      return await this.#openAnew(known, view, counters);
    } catch (error) {
      this.#report(view, error);
      this.#current = { ...(this.#current ?? known), checkedAtMs: view.now };
      return known.index;
    }
  }

  /** @throws {StaleGenerationError} when its root file is gone. */
  async #openPinned(pin: SessionPin, counters: CostCounters): Promise<OpenIndex> {
    const { source, inflate, cache } = this.#options;
    const known = this.#pinned.get(pin.id);
    const index = known ?? (await this.#readPinned(pin, source, inflate, cache, counters));
    this.#pinned.delete(pin.id);
    this.#pinned.set(pin.id, index);
    for (const id of this.#pinned.keys()) if (this.#pinned.size > MAX_PINNED) this.#pinned.delete(id);
    if (known === undefined) this.#options.onOpened?.();
    return index;
  }

  async #readPinned(
    { id, root, rootBytes, log, builtAt }: SessionPin,
    source: RangeSource,
    inflate: InflateRaw,
    cache: ValueCache,
    counters: CostCounters,
  ): Promise<OpenIndex> {
    countPointerRead(counters, 0);
    const bytes = await readRoot(root, rootBytes, source, inflate);
    // As it stood in the pointer when it was current. Only what names the manifest is not known, and no query reads that.
    const names = { generation: id, root, manifest: "", log, previous: [] };
    const index = await openGeneration(
      encodePointer({ ...names, rootBytes: bytes }),
      source,
      inflate,
      cache,
      loadStemmers,
    );
    return withTimes(index, builtAt);
  }

  async #openAnew(
    known: Current | undefined,
    view: ReaderView,
    counters: CostCounters,
  ): Promise<OpenIndex | undefined> {
    const { now } = view;
    const { source, inflate, cache, onOpened, onAbsent, onSeen } = this.#options;
    // Counted before it is sent: a look that fails was waited for as well. Its bytes are those of all access groups, and so
    // are not counted: they would tell that there are others.
    countPointerRead(counters, 0);
    const pointer = await source.readPointer(known?.etag);
    if (pointer === undefined && onAbsent !== undefined) {
      this.#current = undefined;
      onAbsent(now);
      return undefined;
    }
    if (pointer !== undefined) onSeen?.(now, pointer === "unchanged" ? undefined : pointer.modifiedAt);
    if (pointer === undefined || pointer === "unchanged") {
      if (known === undefined) return undefined;
      if (pointer === undefined) this.#report(view, new Error("the pointer is gone from the bucket"));
      this.#current = { ...known, checkedAtMs: now };
      return known.index;
    }
    // The tag is kept even if the bytes cannot be opened: what is damaged is read and reported once, not every time.
    if (known !== undefined) this.#current = { ...known, etag: pointer.etag, checkedAtMs: now };
    const index = await openTimedIndex(pointer.bytes, (bytes) =>
      openGeneration(bytes, source, inflate, cache, loadStemmers, pointer.modifiedAt),
    );
    this.#current = { index, pin: pinOf(pointer.bytes, index), etag: pointer.etag, checkedAtMs: now };
    onOpened?.();
    return index;
  }
}

/**
 * Whether a caller still sees all collections that an older generation shows them. What was taken back, or moved into
 * another access group, is not read out of generations from before.
 */
function showsAll(now: IndexReader, before: IndexReader): boolean {
  const names = new Set(now.collections.map(({ name }) => name));
  return before.collections.every(({ name }) => names.has(name));
}

/** What it takes to open this generation again. */
function pinOf(pointerBytes: Uint8Array, { generation, log }: OpenIndex): SessionPin {
  const { root, rootBytes } = decodePointer(pointerBytes);
  return { id: generation.id, root, rootBytes: splitRoot(rootBytes)[0]?.length ?? 0, log, builtAt: generation.builtAt };
}

/*
 * How much memory one isolate spends on an index. A Worker's isolate has 128 MB in all; Treeline means to stay under 64.
 *
 * The cache is one for all corpora, and counts what decoded values really take within a quarter (`bench/measure-memory.ts`). Beside it stand the open
 * root (about half a megabyte for 10,000 pages; two while a new generation is taken up), those of other corpora within the
 * bounds below, what a request holds while it runs, decoded values of chunks (8 MB, `decodeOnce`), and words that analyzers remember (about 3 MB for each language that is
 * searched).
 */

/** Decoded chunks, texts and tables of one isolate, of all corpora and generations together. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** What took much work to make, of all corpora and generations: names in order, answers. */
export const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Memory of an open generation by the size of its root as it is stored, deflated: 28 as measured (`measureRoot` in
 * `test/support/measure-memory.ts`; the roots of 475 pages and of a compiler's sources), and some more to be sure.
 */
const OPEN_BYTES_A_ROOT_BYTE = 32;
/** Open generations of all corpora with a name together: about ten corpora of 10,000 pages. Another one costs a read of a pointer. */
export const MAX_OPEN_BYTES = 6 * 1024 * 1024;
