/** How many random cases a property test tries. */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Which share of its cases a property test tries, from 0 to 1. */
    readonly shareOfCases: number;
  }
}

/** Fewer say little about a property. */
const LEAST = 5;

/**
 * The cases that this run tries of `full` ones: some in the suite, fewer where the Workers runtime tries again what Node
 * tries, all in `npm run prove:properties`.
 */
export function runs(full: number): number {
  return Math.max(Math.min(full, LEAST), Math.round(full * inject("shareOfCases")));
}
