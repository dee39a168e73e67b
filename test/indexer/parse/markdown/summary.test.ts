/**
 * Tests of first sentences and word counts.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countWords, cutAtWord, summarize } from "../../../../indexer/parse/markdown/page-text.ts";

describe("summarize", () => {
  it.each([
    ["One thing. Another thing.", "One thing."],
    ["Is it? It is.", "Is it?"],
    ["No end in sight", "No end in sight"],
    ["Use tools, e.g. a linter. Then go.", "Use tools, e.g. a linter."],
    ["The rest, i.e. All of it. Then go.", "The rest, i.e. All of it."],
    ["Since v1.2 it works. Good.", "Since v1.2 it works."],
    ["Next.js is a framework. It renders.", "Next.js is a framework."],
    ["Made by J. Smith in 2020. Enjoy.", "Made by J. Smith in 2020."],
    ["Files, folders, etc. are read. Done.", "Files, folders, etc. are read."],
    ["Files, folders, etc. Then it ends.", "Files, folders, etc."],
    ["Wait... there is more. Yes.", "Wait... there is more."],
    ['He said "stop." Then left.', 'He said "stop."'],
    ["See (the guide.) Then go.", "See (the guide.)"],
    ["1. Install it. 2. Run it.", "1. Install it."],
    ["これは文です。次の文です。", "これは文です。"],
    ["", ""],
  ])("takes from %j the first sentence %j", (text, sentence) => {
    expect(summarize(text)).toBe(sentence);
  });

  it("takes a sentence of 160 characters whole, and cuts one of 161", () => {
    const words = "word ".repeat(31);
    expect(summarize(`${words}last. More.`)).toBe(`${words}last.`);
    expect(summarize(`${words}lasts. More.`)).toBe(`${words.trimEnd()}…`);
  });

  it("takes no full stop inside a word for an end, where a summary would end there", () => {
    const words = "word ".repeat(31);
    expect(summarize(`${words}Next.js is a framework.`)).toBe(`${words.trimEnd()}…`);
  });

  it("cuts a long sentence after a word and marks the cut", () => {
    const summary = summarize("word ".repeat(100));
    expect(summary.length).toBeLessThanOrEqual(160);
    expect(summary).toMatch(/^(?:word )+word…$/);
  });

  it("cuts a text without spaces inside, but never a surrogate pair", () => {
    const summary = summarize(`a${"😀".repeat(200)}`);
    expect(summary.length).toBeLessThanOrEqual(160);
    expect(summary).toMatch(/^a(?:😀)+…$/u);
  });

  it("stays within 160 characters and well-formed for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
        const summary = summarize(text);
        expect(summary.length).toBeLessThanOrEqual(160);
        expect(summary).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});

describe("cutAtWord", () => {
  it("keeps a text that fits", () => {
    expect(cutAtWord("four", 4)).toBe("four");
  });

  it("keeps a word that ends exactly at the cut", () => {
    expect(cutAtWord("abc def ghi", 8)).toBe("abc def…");
  });
});

describe("countWords", () => {
  it.each([
    ["", 0],
    ["one two-three, four4 5", 5],
    ["naïve café", 2],
    ["हिन्दी भाषा", 2],
    ["don't", 2],
    ["--- !!!", 0],
  ])("counts the words of %j as %i", (text, words) => {
    expect(countWords(text)).toBe(words);
  });

  it("counts ASCII text as it counts any other", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        expect(countWords(text)).toBe(countWords(`${text} é`) - 1);
      }),
    );
  });
});
