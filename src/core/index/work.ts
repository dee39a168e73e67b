/**
 * Work of a request in one number, out of its counters: 1 is about what a search takes, on any machine.
 *
 * The weights are those of a fit to the CPU of calls of all tools on three indexes (`npm run prove:cost`). Pure.
 */
import type { Cost } from "./cost.ts";

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
