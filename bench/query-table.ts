/**
 * What queries read from a Treeline index, as a Markdown table by class.
 */
import { showKilobytes, showMedianAndWorst } from "./cost-rows.ts";
import type { MeasuredQuery } from "./measure-queries.ts";
import { makeTable } from "./tables.ts";

/** Medians, with the worst in brackets. */
export function showQueryCosts(measured: ReadonlyMap<string, readonly MeasuredQuery[]>): string {
  return makeTable(
    ["query", "postings kB", "text kB", "warm kB", "cold kB", "warm rounds", "cold rounds", "without hits"],
    [...measured].map(([kind, rows]) => [
      `${kind} (${rows.length})`,
      showKilobytes(rows.map(({ warm }) => warm.postingBytes)),
      showKilobytes(rows.map(({ warm }) => warm.textBytes)),
      showKilobytes(rows.map(({ warm }) => warm.bytes)),
      showKilobytes(rows.map(({ cold }) => cold.bytes)),
      showMedianAndWorst(rows.map(({ warm }) => warm.waves)),
      showMedianAndWorst(rows.map(({ cold }) => cold.waves)),
      String(rows.filter(({ hits }) => hits === 0).length),
    ]),
  );
}
