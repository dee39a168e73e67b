/**
 * Figures as Markdown tables.
 */

/** A table of GitHub's Markdown. */
export function makeTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map(line)].join("\n");
}

/** Bytes in kB or MB, to three digits. */
export function showBytes(bytes: number | undefined): string {
  if (bytes === undefined) return "—";
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 2 : 1)} MB`;
}

/** Seconds, to the hundredth below ten. */
export function showSeconds(seconds: number | undefined): string {
  return seconds === undefined ? "—" : `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
}

/** A share of another figure: `0.61×`. */
export function showRatio(ratio: number | undefined): string {
  return ratio === undefined || !Number.isFinite(ratio) ? "—" : `${ratio.toFixed(2)}×`;
}
