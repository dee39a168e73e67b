import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANY, hasShape } from "../../src/core/parse-text.ts";
import { runs } from "../support/runs.ts";

const SAMPLE = { name: "", hits: [{ at: 0 }], counts: { [ANY]: { [ANY]: 0 } }, rest: null, tags: [""] };
const GOOD = { name: "a", hits: [{ at: 1, more: true }], counts: { kind: { api: 2 } }, rest: 7, tags: [] };

describe("JSON of another host", () => {
  it("is like a sample where it has all that the sample has", () => {
    expect(hasShape(GOOD, SAMPLE)).toBe(true);
    expect(hasShape({ ...GOOD, counts: {}, hits: [], rest: undefined }, SAMPLE)).toBe(true);
  });

  it.each([
    undefined,
    null,
    [],
    "text",
    { ...GOOD, name: null },
    { ...GOOD, name: 7 },
    { ...GOOD, hits: {} },
    { ...GOOD, hits: [null] },
    { ...GOOD, hits: [{ at: 1 }, { at: "1" }] },
    { ...GOOD, counts: null },
    { ...GOOD, counts: [] },
    { ...GOOD, counts: { kind: null } },
    { ...GOOD, counts: { kind: { api: "2" } } },
    { ...GOOD, tags: [7] },
  ])("is not like it where something is missing or of another type: %j", (value) => {
    expect(hasShape(value, SAMPLE)).toBe(false);
  });

  it("is looked at without an error, whatever it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, sample) => {
        expect(typeof hasShape(value, sample)).toBe("boolean");
      }),
      { numRuns: runs(200) },
    );
  });
});
