/**
 * A limit on searches that run far ahead and find nothing.
 *
 * Looking for the end of a tag, comment or expression that is never closed reads the rest of the
 * text. Once or twice that is fine; from every `{` of a hostile file it is quadratic. Each such
 * search takes one from the budget, and with an empty budget nothing is looked for any more.
 *
 * Pure: no I/O, no clock.
 */

/** More unclosed constructs than this in one file, and the rest of them stay text. */
const MAX_FAILED_SCANS = 64;

/** What is left of one file's budget. */
export interface ScanBudget {
  failuresLeft: number;
}

/** A full budget for one file. */
export function openScanBudget(): ScanBudget {
  return { failuresLeft: MAX_FAILED_SCANS };
}

/** Offset of `needle` between `from` and `limit`, or -1. A failure costs one from the budget. */
export function findWithin(text: string, needle: string, from: number, limit: number, budget: ScanBudget): number {
  if (budget.failuresLeft <= 0) return -1;
  const at = text.indexOf(needle, from);
  if (at >= 0 && at + needle.length <= limit) return at;
  budget.failuresLeft--;
  return -1;
}
