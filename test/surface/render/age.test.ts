import { describe, expect, it } from "vitest";
import { ageSeconds, formatAge } from "../../../src/surface/render/text.ts";

const BUILT = "2026-01-01T00:00:00Z";
const later = (seconds: number): number => Date.parse(BUILT) + seconds * 1000;

describe("formatAge", () => {
  it.each([
    [10, "just now"],
    [5 * 60, "5 min ago"],
    [2 * 3600, "2 h ago"],
    [47 * 3600, "47 h ago"],
    [12 * 86400, "12 d ago"],
  ])("says %i seconds as %s", (seconds, words) => {
    expect(formatAge(BUILT, later(seconds))).toBe(words);
  });

  it("never speaks of the future when clocks differ", () => {
    expect(formatAge(BUILT, later(-500))).toBe("just now");
    expect(ageSeconds(BUILT, later(-500))).toBe(0);
  });

  it("knows no age of a time that is none", () => {
    expect(formatAge("", later(0))).toBeUndefined();
    expect(ageSeconds("yesterday", later(0))).toBeUndefined();
  });
});
