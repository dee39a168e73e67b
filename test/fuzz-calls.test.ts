/** Every tool under calls drawn from its own schema; `npm run prove:fuzz` makes many more of them. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import handbook from "./fixtures/handbook-index.json" with { type: "json" };
import workshop from "./fixtures/workshop-index.json" with { type: "json" };
import {
  anyArguments,
  FUZZED_TOOLS,
  type FuzzIndex,
  type FuzzOutcome,
  fuzzDirectly,
  fuzzEndpoint,
  openFuzzIndex,
} from "./support/fuzz-calls.ts";
import { runs } from "./support/runs.ts";

/** Fewer are refused all where a tool takes little. */
const RUNS = Math.max(40, runs(160));
const ENDPOINT_RUNS = runs(32);

describe("a tool under any arguments", () => {
  let indexes: readonly FuzzIndex[] = [];
  beforeAll(async () => {
    indexes = await Promise.all([openFuzzIndex(workshop), openFuzzIndex(handbook)]);
  });

  it.each(FUZZED_TOOLS)("answers, or says what is wrong: $name", async (tool) => {
    const outcomes = new Set<FuzzOutcome>();
    for (const index of indexes) {
      const args = anyArguments(tool, index.names);
      const anything = fc.oneof({ weight: 4, arbitrary: args }, { weight: 1, arbitrary: fc.jsonValue() });
      const direct = fc.asyncProperty(args, async (given) => {
        outcomes.add(await fuzzDirectly(index, tool, given));
      });
      await fc.assert(direct, { numRuns: RUNS });
      for (const era of ["modern", "legacy"] as const) {
        const served = fc.asyncProperty(anything, async (given) => {
          outcomes.add(await fuzzEndpoint(index, tool, given, era));
        });
        await fc.assert(served, { numRuns: ENDPOINT_RUNS });
      }
    }
    // Calls that are all refused, or none, would prove little.
    expect([...outcomes]).toEqual(expect.arrayContaining(["answered", "refused"]));
  });
});
