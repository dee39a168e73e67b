/**
 * Where random cases begin, before each test file: the same in every run, so that a run tells what the one before it told.
 * `SEED=random` begins anywhere (`npm run prove:properties`), `SEED=N` where a failure said.
 */
import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** What `SEED` says; `""` where nothing does. */
    readonly seed: string;
  }
}

const FIRST_SEED = 1;
const given = inject("seed");

if (given !== "random") {
  const seed = given === "" ? FIRST_SEED : Number(given);
  if (!Number.isInteger(seed)) throw new Error(`SEED is ${JSON.stringify(given)}: a whole number, or random`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
