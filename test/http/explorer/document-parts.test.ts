import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutParts, findPart } from "../../../src/http/explorer/document-page.ts";
import { runs } from "../../support/runs.ts";

const LIMITS = { words: 40, entries: 7 };

describe("parts of a document", () => {
  it("are one for a short document, and for none", () => {
    expect(cutParts([5, 5, 5])).toEqual([{ start: 0, end: 3 }]);
    expect(cutParts([])).toEqual([{ start: 0, end: 0 }]);
  });

  it("hold no more than so many words and entries, but for an entry that is longer by itself", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1, maxLength: 60 }), (sizes) => {
        const parts = cutParts(sizes, LIMITS);
        expect(parts.map(({ start }) => start)).toEqual([0, ...parts.slice(0, -1).map(({ end }) => end)]);
        expect(parts.at(-1)?.end).toBe(sizes.length);
        for (const { start, end } of parts) {
          const words = sizes.slice(start, end).reduce((sum, one) => sum + one, 0);
          expect(end - start === 1 || (words <= 40 && end - start <= 7)).toBe(true);
        }
        for (let at = 0; at < sizes.length; at++) {
          const { start, end } = findPart(parts, at);
          expect(at >= start && at < end).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("are the last one for what lies behind all", () => {
    const parts = cutParts([30, 30], LIMITS);
    expect(findPart(parts, 99)).toBe(parts[1]);
    expect(findPart(parts, -1)).toBe(parts[0]);
  });
});
