/** Numbers as bars of text: `######---- 45 label`. Pure. */
import { formatNumber } from "./counts.ts";

/** One bar. */
export interface Bar {
  readonly label: string;
  readonly value: number;
}

/** What bars are drawn with: a byte each where a model reads them, blocks on a terminal. */
export type BarMark = "#" | "█";

/** Characters of the longest bar. */
const WIDTH = 12;

/** A line for each bar, the longest of `WIDTH` characters; a value above 0 has one at least. */
export function formatBars(bars: readonly Bar[], mark: BarMark): string[] {
  const most = bars.reduce((max, { value }) => Math.max(max, value), 0);
  const digits = formatNumber(most).length;
  return bars.map(({ label, value }) => {
    const length = value === 0 ? 0 : Math.max(1, Math.round((value / most) * WIDTH));
    return `${mark.repeat(length).padEnd(WIDTH)} ${formatNumber(value).padStart(digits)} ${label}`;
  });
}
