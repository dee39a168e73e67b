import type { Counter } from "./counter.ts";

/** A count for people: `950`, `1.2k`, `3.4M`. */
export function formatCount(counter: Counter): string {
  const total = counter.total();
  if (total < 1_000) return String(total);
  if (total < 1_000_000) return `${(total / 1_000).toFixed(1)}k`;
  return `${(total / 1_000_000).toFixed(1)}M`;
}
