/**
 * Figures of which more is better, compared with stored floors.
 */
import { type Figures, flattenFigures } from "../compare-figures.ts";

/** Figures of one group, and how much was asked to get them. */
export interface Measured {
  readonly figures: Figures;
  readonly size: string;
}

/** Outcome of one group: lines to print, the last of which begins with `ok` or `FAILED`. */
export interface Verdict {
  readonly isFailed: boolean;
  readonly lines: readonly string[];
}

/** Largest fall of a figure that passes: half a point. */
export const TOLERANCE = 0.005;
/** Figures are stored with four digits, so a difference of the tolerance itself is not exact in binary. */
const ROUNDING = 1e-9;

/** Compares a group with its floors. A figure that only one side has fails. */
export function judgeFigures(
  name: string,
  floors: Figures,
  { figures, size }: Measured,
  tolerance = TOLERANCE,
): Verdict {
  const stored = flattenFigures(floors);
  const now = flattenFigures(roundFigures(figures));
  const lines: string[] = [];
  let failures = 0;
  for (const figure of new Set([...stored.keys(), ...now.keys()])) {
    const floor = stored.get(figure);
    const value = now.get(figure);
    if (floor === undefined || value === undefined) {
      lines.push(`only ${floor === undefined ? "measured" : "stored"}: ${name}, ${figure}`);
      failures++;
    } else if (!(floor - value <= tolerance + ROUNDING)) {
      lines.push(`worse: ${name}, ${figure}: ${floor} → ${value}`);
      failures++;
    } else if (value > floor) lines.push(`better: ${name}, ${figure}: ${floor} → ${value}`);
  }
  const counted = `${failures === 0 ? "" : `${failures} of `}${now.size} figures; ${size}`;
  return { isFailed: failures > 0, lines: [...lines, `${failures === 0 ? "ok" : "FAILED"} ${name} (${counted})`] };
}

/** Rounds figures to four digits. */
export function roundFigures(figures: Figures): Figures {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === "number" ? Number(value.toFixed(4)) : roundFigures(value),
    ]),
  );
}
