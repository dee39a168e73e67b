import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spreadOut } from "../../../../src/surface/render/picture/layers.ts";
import { runs } from "../../../support/runs.ts";

const item = fc.record({
  wanted: fc.integer({ min: -100, max: 100 }),
  length: fc.integer({ min: 1, max: 20 }),
  weight: fc.integer({ min: 1, max: 5 }),
});

describe("places in a row", () => {
  it("keep their order and their distance, and no other such places are closer to what is wanted, on any row", () => {
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: -9, max: 9 })),
        (row, moves) => {
          const gap = 3;
          const middles = spreadOut(row, gap);
          const isApart = (places: readonly number[]): boolean =>
            places.every((place, at) => {
              const before = row[at - 1];
              if (before === undefined) return true;
              return place - (places[at - 1] as number) >= (before.length + (row[at]?.length ?? 0)) / 2 + gap - 1e-9;
            });
          const costOf = (places: readonly number[]): number =>
            row.reduce((sum, { wanted, weight }, at) => sum + weight * ((places[at] as number) - wanted) ** 2, 0);
          expect(isApart(middles)).toBe(true);
          const moved = middles.map((middle, at) => middle + (moves[at] ?? 0) / 4);
          if (isApart(moved)) expect(costOf(moved)).toBeGreaterThanOrEqual(costOf(middles) - 1e-6);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it("are what is wanted where nobody is in the way", () => {
    const row = [10, 40, 90].map((wanted) => ({ wanted, length: 10, weight: 1 }));
    expect(spreadOut(row, 5)).toEqual([10, 40, 90]);
    expect(spreadOut([], 5)).toEqual([]);
  });
});
