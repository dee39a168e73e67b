import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutToTokens, estimateTokens } from "../../../src/surface/render/text.ts";

describe("estimateTokens", () => {
  it("counts four ASCII characters as one token, rounded up", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("abcd")).toBe(1);
    expect(estimateTokens("abcde")).toBe(2);
  });

  it("counts accents and Cyrillic double, CJK four times, emoji eight times", () => {
    expect(estimateTokens("éé")).toBe(1);
    expect(estimateTokens("да")).toBe(1);
    expect(estimateTokens("漢字")).toBe(2);
    expect(estimateTokens("🙂")).toBe(2);
  });

  it("never counts a text less than its parts suggest", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        const whole = estimateTokens(a + b);
        expect(whole).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
        expect(whole).toBeGreaterThanOrEqual(Math.max(estimateTokens(a), estimateTokens(b)));
      }),
    );
  });
});

describe("cutToTokens", () => {
  it("gives the longest start that fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(30), (text, tokens) => {
        const cut = cutToTokens(text, tokens);
        expect(text.startsWith(cut)).toBe(true);
        expect(estimateTokens(cut)).toBeLessThanOrEqual(tokens);
        const next = text.slice(0, cut.length + ((text.codePointAt(cut.length) ?? 0) > 0xffff ? 2 : 1));
        if (next.length > cut.length) expect(estimateTokens(next)).toBeGreaterThan(tokens);
      }),
    );
  });

  it("keeps both halves of an emoji or none", () => {
    expect(cutToTokens("🙂🙂", 3)).toBe("🙂");
    expect(cutToTokens("🙂", 1)).toBe("");
  });
});
