/**
 * Costs of many queries as cells of a table: medians, with the worst behind them.
 */
import { percentileOf } from "../indexer/cli/commands/eval.ts";

/** `3.5 (17)`: the median and the worst. */
export function showMedianAndWorst(values: readonly number[], show: (value: number) => string = String): string {
  return `${show(percentileOf(values, 0.5))} (${show(percentileOf(values, 1))})`;
}

/** The same in kB. */
export function showKilobytes(values: readonly number[]): string {
  return showMedianAndWorst(values, (bytes) => (bytes / 1000).toFixed(1));
}
