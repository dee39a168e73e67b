import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPhrase, foldPhrase, MAX_PHRASE_LENGTH } from "../../../src/core/text/phrase.ts";

describe("foldPhrase", () => {
  it.each([
    ["Getting-Started!", "getting started"],
    ["  `next.config.js`  options ", "next config js options"],
    ["Größe & Maß", "grosse mass"],
    ["Ｆｕｌｌ　Ｗｉｄｔｈ", "full width"],
    ["日本語・ガイド", "日本語 ガイド"],
    ["a\u0000b\u202ec", "a bc"],
    ["\ud800x", "x"],
    ["?!… — \u200b", ""],
    ["", ""],
  ])("makes %j the phrase %j", (text, phrase) => {
    expect(foldPhrase(text)).toBe(phrase);
  });

  it("leaves a phrase as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const phrase = foldPhrase(text);
        expect(foldPhrase(phrase)).toBe(phrase);
        expect(phrase).toBe(phrase.trim());
      }),
    );
  });
});

describe("cutPhrase", () => {
  it("keeps what is short, and leaves no space and no half of a character at the end", () => {
    expect(cutPhrase("getting started")).toBe("getting started");
    expect(cutPhrase("getting started", 8)).toBe("getting");
    expect(cutPhrase("a𝒳b", 2)).toBe("a");
    expect(cutPhrase("abc", 0)).toBe("");
    expect(cutPhrase("x".repeat(1000))).toHaveLength(MAX_PHRASE_LENGTH);
  });
});
