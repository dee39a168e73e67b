import { describe, expect, it } from "vitest";
import type { DocumentHit } from "../../../src/core/search/answer.ts";
import { findNextOffset } from "../../../src/core/search/answer.ts";

const answer = (shown: number, positions: readonly number[], totalDocuments: number, uncheckedDocuments = 0) => ({
  hits: Array.from({ length: shown }, () => ({}) as DocumentHit),
  positions,
  totalDocuments,
  uncheckedDocuments,
});

describe("findNextOffset", () => {
  it("begins behind the last document that was looked at, not behind the last that was shown", () => {
    expect(findNextOffset(0, answer(2, [1, 5], 4))).toBe(5);
    expect(findNextOffset(10, answer(2, [11, 12], 40))).toBe(12);
  });

  it("counts documents that nobody looked at yet", () => {
    expect(findNextOffset(0, answer(2, [1, 2], 2, 3))).toBe(2);
  });

  it("is undefined on the last page, and where nothing moves on", () => {
    expect(findNextOffset(0, answer(2, [1, 2], 2))).toBeUndefined();
    expect(findNextOffset(4, answer(0, [], 9))).toBeUndefined();
  });
});
