import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { runs } from "../../support/runs.ts";

const BUDGET = 100;
const anyName = fc.constantFrom(..."abcdefgh");
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant("get" as const), name: anyName }),
  fc.record({ kind: fc.constant("set" as const), name: anyName, bytes: fc.integer({ min: 0, max: 130 }) }),
);

describe("LruCache", () => {
  it("holds what a list that is sorted by use holds, within the budget", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 80 }), (steps) => {
        const cache = new LruCache(BUDGET);
        // The obvious way: longest unused first.
        let list: { name: string; bytes: number; value: number }[] = [];
        for (const [value, step] of steps.entries()) {
          const known = list.find(({ name }) => name === step.name);
          list = list.filter(({ name }) => name !== step.name);
          if (step.kind === "get") {
            expect(cache.get(step.name)).toBe(known?.value);
            if (known !== undefined) list.push(known);
          } else {
            cache.set(step.name, value, step.bytes);
            if (step.bytes <= BUDGET) list.push({ name: step.name, bytes: step.bytes, value });
            while (list.reduce((sum, { bytes }) => sum + bytes, 0) > BUDGET) list.shift();
          }
          expect(cache.bytes).toBeLessThanOrEqual(BUDGET);
          expect(cache.bytes).toBe(list.reduce((sum, { bytes }) => sum + bytes, 0));
        }
        for (const { name, value } of list) expect(cache.get(name)).toBe(value);
      }),
      { numRuns: runs(300) },
    );
  });

  it("drops what was used longest ago first, and reading is using", () => {
    const cache = new LruCache(3);
    for (const name of ["a", "b", "c"]) cache.set(name, name, 1);
    cache.get("a");
    cache.set("d", "d", 1);
    expect(["a", "b", "c", "d"].map((name) => cache.get(name))).toEqual(["a", undefined, "c", "d"]);
  });

  it("does not keep what is larger than the budget, and forgets what had its name", () => {
    const cache = new LruCache(10);
    cache.set("a", 1, 5);
    cache.set("b", 2, 5);
    cache.set("a", 3, 11);
    expect(cache.get("a")).toBeUndefined();
    expect(cache.get("b")).toBe(2);
    expect(cache.bytes).toBe(5);
  });
});
