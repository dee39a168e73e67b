/** Counts how often things happen, in windows of time. */
export { Counter } from "./counter.ts";
export { formatCount } from "./format-count.ts";
export type { Clock } from "./clock.ts";
