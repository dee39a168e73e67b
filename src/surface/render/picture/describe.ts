/** What a box of a picture is, in words: for those who hear it, and for the list beside it. Pure. */
import { formatCount, formatNumber } from "../counts.ts";
import type { Box } from "./fold-graph.ts";

/** `src/core/, 12 files, leads to 3, 5 lead here, in a cycle`. @param item What is in folders is called: `file`. */
export function describeBox({ kind, id, label, files, fanIn, fanOut, cycle }: Box, item: string): string {
  const name = kind === "rest" ? label : id;
  const parts = [
    name,
    ...(kind === "file" ? [] : [formatCount(files, item)]),
    ...(kind === "outside" ? ["outside"] : []),
    `leads to ${formatNumber(fanOut)}`,
    `${formatNumber(fanIn)} ${fanIn === 1 ? "leads" : "lead"} here`,
    ...(cycle > 0 ? [`in cycle ${cycle}`] : []),
  ];
  return parts.join(", ");
}
