/** How many histories of builds a property test tries. In Node alone. */
import process from "node:process";

/**
 * How a property over whole builds is tried: few cases, and none made smaller, which would take hours; `npm run prove:alike` sets `RUNS` and `SEED`.
 *
 * @param usual Cases where nobody sets them.
 */
export function runsOfBuilds(usual: number): { numRuns: number; endOnFailure: boolean; seed?: number } {
  const { RUNS, SEED } = process.env;
  return { numRuns: Number(RUNS ?? usual), endOnFailure: true, ...(SEED !== undefined && { seed: Number(SEED) }) };
}
