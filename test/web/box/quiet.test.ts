import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failed, START, secondsLeft } from "../../../src/web/box/question-state.ts";

const NOW = 1_000_000;
const QUESTION = { query: "lamp", filters: {}, collections: [], offset: 0 };
/** The time in which nothing is asked after one more refusal. */
const quietAfter = (refusals: number, retryAfter: number | undefined) => {
  const state = { ...START, refusals, asking: { question: QUESTION, isNow: true } };
  const { quiet } = failed(state, { problem: "too-many", retryAfter }, QUESTION, NOW);
  if (quiet === undefined) throw new Error("it is asked at once");
  return quiet;
};
const waits = (retryAfter: number | undefined): (readonly [number, boolean])[] =>
  [0, 1, 2, 3, 4].map((refusals) => {
    const { until, isTriedAgain } = quietAfter(refusals, retryAfter);
    return [(until - NOW) / 1_000, isTriedAgain] as const;
  });

describe("a server that is asked too much", () => {
  it("tries three times, each time after a longer wait, then leaves it to whoever searches", () => {
    expect(waits(undefined)).toEqual([
      [5, true],
      [15, true],
      [45, true],
      [5, false],
      [5, false],
    ]);
    expect(waits(1.2)).toEqual([
      [2, true],
      [6, true],
      [18, true],
      [2, false],
      [2, false],
    ]);
  });

  it("counts nothing down that takes longer than a minute", () => {
    expect(waits(61)[0]).toEqual([61, false]);
    expect(waits(30)).toEqual([
      [30, true],
      [30, false],
      [30, false],
      [30, false],
      [30, false],
    ]);
  });

  it("is never over before the server says", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.double({ min: 0.001, max: 1e6, noNaN: true }), (refusals, retryAfter) => {
        expect(quietAfter(refusals, retryAfter).until).toBeGreaterThanOrEqual(NOW + retryAfter * 1_000);
      }),
    );
  });

  it("takes what is no time for nothing said", () => {
    for (const odd of [Number.NaN, -3, 0]) expect(quietAfter(0, odd).until).toBe(NOW + 5_000);
  });
});

describe("secondsLeft", () => {
  it("counts begun seconds, and none of a time that is over", () => {
    const quiet = { until: NOW + 1_500, isTriedAgain: true };
    expect([0, 499, 500, 1_499, 1_500, 9_000].map((passed) => secondsLeft(quiet, NOW + passed))).toEqual([
      2, 2, 1, 1, 0, 0,
    ]);
    expect(secondsLeft(undefined, NOW)).toBe(0);
  });
});
