import { describe, expect, it } from "vitest";
import { formatFacetCounts } from "../../../src/surface/render/facets.ts";

const LIMITS = { keys: 2, values: 2 };

describe("formatFacetCounts", () => {
  it("names the keys that would narrow most, each with its commonest values", () => {
    const counts = { type: { guide: 50, faq: 45, adr: 5 }, category: { api: 99, web: 1 }, level: { a: 60, b: 40 } };
    expect(formatFacetCounts(counts, 100, LIMITS)).toBe("type: guide 50, faq 45, +1; level: a 60, b 40");
  });

  it("leaves out keys that narrow nothing, that few documents have, or that say nothing on the subject", () => {
    const counts = {
      collection: { docs: 100 },
      version: { canary: 3 },
      depth: { 0: 50, 1: 50 },
      has_code: { true: 9 },
    };
    expect(formatFacetCounts(counts, 100, LIMITS)).toBe("");
  });

  it("names languages of code last", () => {
    const counts = { code_language: { ts: 50, js: 50 }, type: { guide: 90, faq: 10 } };
    expect(formatFacetCounts(counts, 100, LIMITS)).toBe("type: guide 90, faq 10; code_language: ts 50, js 50");
  });

  it("is empty where there is nothing to count", () => {
    expect(formatFacetCounts({}, 0, LIMITS)).toBe("");
  });
});
