import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indexOfNumber } from "../../../src/core/bytes/numbers.ts";

describe("indexOfNumber", () => {
  it("finds what a plain search finds", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50)), fc.nat(50), (numbers, wanted) => {
        const sorted = numbers.sort((a, b) => a - b);
        expect(indexOfNumber(Uint32Array.from(sorted), wanted)).toBe(sorted.indexOf(wanted));
      }),
    );
  });
});
