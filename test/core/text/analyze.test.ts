import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesOfKey, keyOf } from "../../../src/core/bytes/key.ts";
import { MAX_KEY_BYTES } from "../../../src/core/format/chunk.ts";
import { analyzeText, countWords } from "../../../src/core/text/analyze.ts";
import { foldText, stemWord } from "../../../src/core/text/normalize.ts";
import { isStopWord } from "../../../src/core/text/stop-words.ts";
import { MAX_TOKEN_LENGTH } from "../../../src/core/text/tokenize.ts";

function termsOf(text: string): string[] {
  return analyzeText(text).map(({ term }) => term);
}

describe("foldText", () => {
  it.each([
    ["Routing", "routing"],
    ["café", "cafe"],
    ["e\u0301te\u0301", "ete"],
    ["ÜNÏCODE", "unicode"],
    ["ｆｕｌｌ　width", "full width"],
    ["ﬁle", "file"],
    ["x²", "x2"],
    ["İstanbul", "istanbul"],
    ["ひらがな", "ひらがな"],
    ["नमस्ते", "नमस्ते"],
  ])("folds %s to %s", (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it("folds what is folded to itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
      }),
    );
  });
});

describe("stemWord", () => {
  it.each([
    ["routes", "rout"],
    ["routing", "rout"],
    ["handlers", "handler"],
    ["caching", "cach"],
    ["v8", "v8"],
    ["c++", "c++"],
    ["日本", "日本"],
    ["über", "über"],
  ])("stems %s to %s", (word, stem) => {
    expect(stemWord(word)).toBe(stem);
  });

  it("gives the same stem however many words it has seen", () => {
    const before = stemWord("navigation");
    for (let n = 0; n < 60_000; n++) stemWord(`word${n}`);
    expect(stemWord("navigation")).toBe(before);
  });
});

describe("analyzeText", () => {
  it("gives the terms that a query of the same words gives", () => {
    expect(termsOf("Handling Routes")).toEqual(termsOf("handle route"));
    expect(termsOf("The user’s CAFÉ")).toEqual(termsOf("the users cafe"));
  });

  it("finds an identifier that is written in another case, and its parts", () => {
    const [whole, ...parts] = termsOf("getUserName");
    expect(termsOf("getusername")).toEqual([whole]);
    expect(termsOf("get user name")).toEqual(parts);
  });

  it("marks stop words, but no identifier that holds one", () => {
    const marked = analyzeText("how to use useState").map(({ term, stop }) => `${term}${stop ? "!" : ""}`);
    expect(marked).toEqual(["how!", "to!", "use!", "usest", "use!", "state"]);
    expect(isStopWord("the")).toBe(true);
    expect(isStopWord("route")).toBe(false);
  });

  it("gives terms that fit into a key, whatever a character unfolds to", () => {
    // One character that stands for eighteen.
    const [term] = termsOf("\ufdfa".repeat(MAX_TOKEN_LENGTH));
    expect(bytesOfKey(keyOf(term ?? "")).length).toBeLessThanOrEqual(MAX_KEY_BYTES);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        for (const term of termsOf(text)) {
          expect(term.length).toBeGreaterThan(0);
          expect(bytesOfKey(keyOf(term)).length).toBeLessThanOrEqual(MAX_KEY_BYTES);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("takes any text: lone surrogates, control characters, nothing", () => {
    for (const text of ["", "\ud800", "\udc00\ud800", "a\u0000b", "\u200b", "\ufeff", "\u202eabc"]) {
      for (const term of termsOf(text)) expect(term).not.toMatch(/[\ud800-\udfff]/);
    }
  });
});

describe("countWords", () => {
  it("counts parts of identifiers and not the wholes beside them", () => {
    expect(countWords("")).toBe(0);
    expect(countWords("one two three")).toBe(3);
    expect(countWords("getUserName")).toBe(3);
    expect(countWords("日本語")).toBe(2);
  });

  it("is the number of terms that are no wholes", () => {
    // A combining mark that stands alone is the one kind of token that gives no term.
    const withoutMarks = fc
      .string({ unit: "grapheme", maxLength: 60 })
      .filter((text) => !/\p{M}/u.test(text.normalize("NFD")));
    fc.assert(
      fc.property(withoutMarks, (text) => {
        expect(countWords(text)).toBe(analyzeText(text).filter(({ kind }) => kind !== "whole").length);
      }),
    );
    expect(analyzeText("\u0301")).toEqual([]);
  });
});
