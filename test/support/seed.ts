/**
 * Where random cases begin, before each test file: the same in every run, so that a run tells what the one before it told;
 * and how many there are.
 *
 * `SEED=random` begins anywhere (`npm run prove:properties`), `SEED=N` where a failure said.
 */
import fc from "fast-check";
import { inject } from "vitest";
import { runs } from "./runs.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** What `SEED` says; `""` where nothing does. */
    readonly seed: string;
  }
}

const FIRST_SEED = 1;
/** Cases of a property test that does not say how many, as fast-check has it. */
const DEFAULT_RUNS = 100;
const given = inject("seed");

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(DEFAULT_RUNS) });
if (given !== "random") {
  const seed = given === "" ? FIRST_SEED : Number(given);
  if (!Number.isInteger(seed)) throw new Error(`SEED is ${JSON.stringify(given)}: a whole number, or random`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
