import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutParts, findPart } from "../../../src/http/explorer/document-page.ts";
import { runs } from "../../support/runs.ts";

const LIMITS = { words: 40, bytes: 100, entries: 7 };

/** Sizes of entries with so many words, and hardly a byte. */
function ofWords(words: readonly number[]): { readonly words: number; readonly bytes: number }[] {
  return words.map((count) => ({ words: count, bytes: 1 }));
}

describe("parts of a document", () => {
  it("are one for a short document, and for none", () => {
    expect(cutParts(ofWords([5, 5, 5]))).toEqual([{ start: 0, end: 3 }]);
    expect(cutParts([])).toEqual([{ start: 0, end: 0 }]);
  });

  it("hold no more than so many words, bytes and entries, but for an entry that is longer by itself", () => {
    const size = fc.record({ words: fc.nat(50), bytes: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 60 }), (sizes) => {
        const parts = cutParts(sizes, LIMITS);
        expect(parts.map(({ start }) => start)).toEqual([0, ...parts.slice(0, -1).map(({ end }) => end)]);
        expect(parts.at(-1)?.end).toBe(sizes.length);
        for (const { start, end } of parts) {
          const own = sizes.slice(start, end);
          const words = own.reduce((sum, one) => sum + one.words, 0);
          const bytes = own.reduce((sum, one) => sum + one.bytes, 0);
          expect(end - start === 1 || (words <= 40 && bytes <= 100 && end - start <= 7)).toBe(true);
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
    const parts = cutParts(ofWords([30, 30]), LIMITS);
    expect(findPart(parts, 99)).toBe(parts[1]);
    expect(findPart(parts, -1)).toBe(parts[0]);
  });
});
