import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeeperThan } from "../../src/core/parse-text.ts";
import { runs } from "../support/runs.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the depth of a JSON value", () => {
  it("is that of its value, whatever its strings hold", () => {
    const strings = fc
      .array(fc.constantFrom("[", "{", "]", '"', "\\", '\\"', "a"), { maxLength: 6 })
      .map((s) => s.join(""));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 6 }, strings, fc.integer(), tie("list"), tie("object")),
      list: fc.array(tie("value"), { maxLength: 3 }),
      object: fc.dictionary(strings, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 8 }), (any, levels) => {
        expect(isDeeperThan(any, levels)).toBe(depthOf(any) > levels);
      }),
      { numRuns: runs(500) },
    );
  });
});
