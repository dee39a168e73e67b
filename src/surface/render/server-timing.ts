/**
 * The cost of a request as the value of a `Server-Timing` header, which browsers show beside the request and give to
 * scripts as `PerformanceResourceTiming.serverTiming`.
 *
 * Metrics without `dur`: deployed Workers freeze their clocks, so there are counts and no times. Each description begins
 * with the number and goes on with what was counted. Pure.
 */
import type { Cost } from "../../core/index/cost.ts";

/** Name of the header. */
export const SERVER_TIMING = "Server-Timing";

/** Metrics by their names in the header, with what follows the number in the description. */
const METRICS: readonly (readonly [name: string, unit: keyof Cost, words: string])[] = [
  ["waves", "waves", "waves of reads"],
  ["reads", "reads", "reads"],
  ["bytes", "bytes", "bytes read"],
  ["cached", "cacheHits", "chunks from memory"],
  ["inflated", "bytesInflated", "bytes inflated"],
  ["postings", "postingsDecoded", "postings decoded"],
  ["scanned", "bytesScanned", "bytes of text scanned"],
  ["scored", "candidatesScored", "candidates scored"],
];

/** The header's value, W3C Server Timing, section 3: `waves;desc="2 waves of reads", reads;desc="5 reads", …`. */
export function formatServerTiming(cost: Cost): string {
  return METRICS.map(([name, unit, words]) => `${name};desc="${cost[unit]} ${words}"`).join(", ");
}
