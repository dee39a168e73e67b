import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PairCounts } from "../../../indexer/index/invert.ts";
import { runs } from "../../support/runs.ts";

function countWith(pairs: readonly (readonly [number, number])[]): number[] {
  const counts = new PairCounts();
  for (const [first, second] of pairs) counts.add(first, second);
  return Array.from(counts.finish());
}

describe("PairCounts", () => {
  it("counts as a map does, in the order in which pairs are first met", () => {
    const term = fc.oneof(fc.nat(5), fc.nat(3000), fc.nat(2 ** 26 - 1));
    fc.assert(
      fc.property(fc.array(fc.tuple(term, term), { maxLength: 3000, size: "max" }), (pairs) => {
        const expected = new Map<string, [number, number, number]>();
        for (const [first, second] of pairs) {
          const count = expected.get(`${first} ${second}`)?.[2] ?? 0;
          expected.set(`${first} ${second}`, [first, second, count + 1]);
        }
        expect(countWith(pairs)).toEqual([...expected.values()].flat());
      }),
      { numRuns: runs(50) },
    );
  });

  it("counts a pair up to 255 times, and 200,000 different ones", () => {
    expect(countWith(Array.from({ length: 300 }, () => [7, 9] as const))).toEqual([7, 9, 255]);
    const many = Array.from({ length: 200_001 }, (_, at) => [at, at + 1] as const);
    expect(countWith([...many, [0, 1], [300_000, 0]])).toEqual(
      many.slice(0, -1).flatMap(([first, second]) => [first, second, first === 0 ? 2 : 1]),
    );
  });
});
