import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanOf, percentileOf, scoreRanking } from "../../../../indexer/cli/commands/eval.ts";

const GRADES = new Map([
  ["a", 2],
  ["b", 1],
  ["c", 0],
]);
const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `x${at}`);

describe("scoreRanking", () => {
  it("gives the values worked out by hand for two grades", () => {
    // Gain 1 at rank 1 and 3 at rank 3: 1/log2(2) + 3/log2(4) = 2.5; at best 3/log2(2) + 1/log2(3) = 3.63093.
    expect(scoreRanking(["b", "x", "a"], GRADES)).toEqual({
      ndcg: expect.closeTo(0.688529, 6),
      mrr: 1,
      recall: 1,
      success: 1,
    });
    // Gain 3 at rank 2 alone: 3/log2(3) = 1.892789.
    expect(scoreRanking(["c", "a"], GRADES)).toEqual({
      ndcg: expect.closeTo(1.892789 / 3.63093, 5),
      mrr: 0.5,
      recall: 0.5,
      success: 1,
    });
  });

  it("counts a first relevant document at rank 6 as no success and a sixth of a reciprocal rank", () => {
    expect(scoreRanking([...names(5), "a"], GRADES)).toMatchObject({ mrr: 1 / 6, success: 0, recall: 0.5 });
  });

  it("does not look behind rank 10", () => {
    expect(scoreRanking([...names(10), "a", "b"], GRADES)).toEqual({ ndcg: 0, mrr: 0, recall: 0, success: 0 });
    expect(scoreRanking([...names(9), "a", "b"], GRADES)).toMatchObject({ mrr: 0.1, recall: 0.5 });
  });

  it("takes ten documents at best as ideal where more are relevant", () => {
    const many = new Map(names(12).map((name) => [name, 1]));
    expect(scoreRanking(names(10), many)).toEqual({ ndcg: 1, mrr: 1, recall: 10 / 12, success: 1 });
  });

  it("counts a document once, at its best rank", () => {
    expect(scoreRanking(["a", "a", "b"], GRADES)).toEqual(scoreRanking(["a", "b"], GRADES));
  });

  it("is zero where nothing is relevant", () => {
    expect(scoreRanking(["c"], new Map([["c", 0]]))).toEqual({ ndcg: 0, mrr: 0, recall: 0, success: 0 });
    expect(scoreRanking([], GRADES)).toEqual({ ndcg: 0, mrr: 0, recall: 0, success: 0 });
  });

  it("is 1 for the ideal order, and no order of the same documents has a higher nDCG", () => {
    const judged = fc.uniqueArray(fc.tuple(fc.string(), fc.nat(4)), { selector: ([name]) => name, minLength: 1 });
    fc.assert(
      fc.property(judged, fc.infiniteStream(fc.nat()), (pairs, keys) => {
        const grades = new Map(pairs);
        const ideal = [...pairs].sort(([, a], [, b]) => b - a).map(([name]) => name);
        const shuffled = pairs
          .map(([name]) => ({ name, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ name }) => name);
        const best = scoreRanking(ideal, grades).ndcg;
        expect(best).toBeCloseTo(pairs.some(([, grade]) => grade > 0) ? 1 : 0, 12);
        expect(scoreRanking(shuffled, grades).ndcg).toBeLessThanOrEqual(best + 1e-12);
      }),
    );
  });
});

describe("means and percentiles", () => {
  it("are those of a few numbers, and 0 of none", () => {
    expect(meanOf([1, 2, 6])).toBe(3);
    expect(meanOf([])).toBe(0);
  });

  it("take the nearest rank", () => {
    const values = Array.from({ length: 20 }, (_, at) => 20 - at);
    expect(percentileOf(values, 0.5)).toBe(10);
    expect(percentileOf(values, 0.95)).toBe(19);
    expect(percentileOf([7], 0.95)).toBe(7);
    expect(percentileOf([], 0.5)).toBe(0);
  });
});
