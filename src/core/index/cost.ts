/**
 * Cost of a request, in units that do not depend on the machine: reads, and the work on what was read.
 *
 * One object of counters belongs to one call, across readers and retries on a newer generation.
 */

export interface Cost {
  /** Rounds of reads that had to wait for one another, looks at the pointer among them. */
  readonly waves: number;
  /** Reads sent to storage, after coalescing. */
  readonly reads: number;
  /** Bytes those reads gave. */
  readonly bytes: number;
  /** Chunks and blocks answered from memory. */
  readonly cacheHits: number;
  /** Entries of lists of documents that were decoded: of terms, pairs, synonyms and grams. */
  readonly postingsDecoded: number;
  /** Bytes that chunks and blocks inflated to. */
  readonly bytesInflated: number;
  /** Bytes of text, as UTF-8, that were gone through: lines for a pattern, sections for phrases, excerpts and overlaps. */
  readonly bytesScanned: number;
  /** Documents that got a score, sections that were compared with a draft, texts that were suggested from. */
  readonly candidatesScored: number;
  /** Most reads that were under way at once. */
  readonly maxConcurrentReads: number;
}

export type CostCounters = { -readonly [Unit in keyof Cost]: Cost[Unit] };

/** Counters of a call that did nothing yet. */
export function createCounters(): CostCounters {
  return {
    waves: 0,
    reads: 0,
    bytes: 0,
    cacheHits: 0,
    postingsDecoded: 0,
    bytesInflated: 0,
    bytesScanned: 0,
    candidatesScored: 0,
    maxConcurrentReads: 0,
  };
}

/** The cost of several calls one after another. */
export function sumCosts(costs: readonly Cost[]): Cost {
  const sum = createCounters();
  for (const cost of costs) {
    for (const unit of Object.keys(sum) as (keyof Cost)[]) {
      sum[unit] = unit === "maxConcurrentReads" ? Math.max(sum[unit], cost[unit]) : sum[unit] + cost[unit];
    }
  }
  return sum;
}

/** Count a read of the pointer: a wave of its own. `bytes` is 0 where it had not changed. */
export function countPointerRead(counters: CostCounters, bytes: number): void {
  counters.waves++;
  counters.reads++;
  counters.bytes += bytes;
  counters.maxConcurrentReads = Math.max(1, counters.maxConcurrentReads);
}

/** How much of each counter is as much work as a search. What is read waits for storage, and takes little work. */
const OF_A_SEARCH: Readonly<Partial<Record<keyof Cost, number>>> = {
  cacheHits: 400,
  postingsDecoded: 4_000,
  bytesInflated: 200_000,
  bytesScanned: 400_000,
  candidatesScored: 10_000,
};

/** Work that a cost stands for; 0 for one of nothing. */
export function workOf(cost: Cost): number {
  return Object.entries(OF_A_SEARCH).reduce((sum, [unit, amount]) => sum + cost[unit as keyof Cost] / amount, 0);
}
