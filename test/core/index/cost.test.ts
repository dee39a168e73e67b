import { describe, expect, it } from "vitest";
import { type Cost, countPointerRead, createCounters, sumCosts } from "../../../src/core/index/cost.ts";

describe("costs", () => {
  it("add up, but for the reads that were under way at once", () => {
    const one = Object.fromEntries(Object.keys(createCounters()).map((unit, at) => [unit, at + 1])) as unknown as Cost;
    const sum = sumCosts([one, one, createCounters()]);
    for (const unit of Object.keys(one) as (keyof Cost)[]) {
      expect(sum[unit]).toBe(unit === "maxConcurrentReads" ? one[unit] : 2 * one[unit]);
    }
    expect(sumCosts([])).toEqual(createCounters());
  });

  it("hold a read of the pointer as a wave of its own", () => {
    const counters = createCounters();
    countPointerRead(counters, 700);
    countPointerRead(counters, 0);
    expect(counters).toEqual({ ...createCounters(), waves: 2, reads: 2, bytes: 700, maxConcurrentReads: 1 });
  });
});
