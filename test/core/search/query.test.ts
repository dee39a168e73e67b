import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../src/core/search/query.ts";
import { analyzeText, stopListOf } from "../../../src/core/text/analyze.ts";
import { runs } from "../../support/runs.ts";

function termsOf(text: string): string[] {
  return parseQuery(text).words.map(({ terms }) => terms.join("|"));
}

function termOf(text: string, wanted: string) {
  return parseQuery(text).words.find(({ terms }) => terms[0] === wanted);
}

describe("parseQuery", () => {
  it("gives the words that score, in order, each once, with how often it stands there", () => {
    expect(termsOf("How do I cache routes and cached Routes?")).toEqual(["cach", "rout"]);
    expect(termOf("routing a route", "rout")).toMatchObject({ written: "routing", count: 2 });
  });

  it("takes stop words when there is nothing else", () => {
    expect(parseQuery("how is it")).toMatchObject({ stopWordsUsed: true, unused: 0 });
    // A word with their stem may be another word.
    expect(termsOf("how is it")).toEqual(["how", "is", "it"].map((term) => `${term}|${stopListOf(term)}`));
    expect(parseQuery("how is routing").stopWordsUsed).toBe(false);
    expect(parseQuery("")).toMatchObject({ words: [], stopWordsUsed: false, unused: 0 });
    expect(parseQuery("?!")).toMatchObject({ words: [], stopWordsUsed: false, unused: 0 });
  });

  it("knows the parts of an identifier from words of their own", () => {
    expect(termsOf("getUserName")).toEqual(["getusernam", "user", "name"]);
    expect(termOf("getUserName", "user")?.isPart).toBe(true);
    expect(termOf("getUserName", "getusernam")?.isPart).toBe(false);
    expect(termOf("getUserName of a user", "user")?.isPart).toBe(false);
    expect(termOf("a user, getUserName", "user")?.isPart).toBe(false);
    expect(termOf("getUserName setUserName", "user")?.isPart).toBe(true);
  });

  it("takes the parts of an identifier that is too long to be a word itself for words", () => {
    const long = Array.from({ length: 12 }, (_, n) => `segment${n}`).join("_");
    expect(long.length).toBeGreaterThan(64);
    expect(termOf(long, "segment3")?.isPart).toBe(false);
    // Not for parts of the identifier before it.
    expect(termOf(`getUserName ${long}`, "segment3")?.isPart).toBe(false);
  });

  it("looks up no more words than it says, and says when there were more", () => {
    const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(" ");
    expect(parseQuery(words(128))).toMatchObject({ unused: 0 });
    expect(termsOf(words(128))).toHaveLength(128);
    expect(parseQuery(words(129))).toMatchObject({ unused: 1 });
    expect(termsOf(words(10_000))).toEqual(termsOf(words(128)));
  });

  it("requires no more phrases than can be judged, the same one again among them, and says how many there were", () => {
    for (const phraseOf of [
      () => '"red lamp"',
      (at: number) => `"red lamp${at}"`,
      (at: number) => `-"red lamp${at}"`,
    ]) {
      const phrases = Array.from({ length: 60 }, (_, at) => phraseOf(at)).join(" ");
      const { requirements, unused } = parseQuery(`lantern ${phrases}`);
      expect(requirements).toHaveLength(24);
      expect(unused).toBe(36);
    }
  });

  it("understands any text: every term is one of the text's, written as it stands there", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "grapheme", maxLength: 60 }), fc.string({ unit: "binary", maxLength: 60 })),
        (text) => {
          const { words, stopWordsUsed, hasOperators } = parseQuery(text);
          const analyzed = analyzeText(text);
          for (const { terms, written, count, isPart } of words) {
            if (hasOperators) continue;
            expect(text).toContain(written);
            expect(
              analyzed.filter(({ term, stop }) => terms.includes(term) && stop === stopWordsUsed).length,
            ).toBeGreaterThanOrEqual(count);
            if (isPart)
              expect(analyzed.some((token) => terms.includes(token.term) && token.kind === "part")).toBe(true);
          }
        },
      ),
      { numRuns: runs(300), examples: [['").é"'], ["f(x).name"], ["(a)--flag"]] },
    );
  });
});
