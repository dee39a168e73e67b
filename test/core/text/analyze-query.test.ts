import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzeText, ENGLISH, stopListOf } from "../../../src/core/text/analyze.ts";
import { analyzeQuery } from "../../../src/core/text/analyze-query.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import { LANGUAGES } from "../../../src/core/text/language.ts";
import { runs } from "../../support/runs.ts";

const FRENCH = analyzerOf("french");
const GERMAN = analyzerOf("german");
const SPANISH = analyzerOf("spanish");

describe("analyzeQuery", () => {
  it("gives what one language gives", () => {
    expect(analyzeQuery("the getUser", [ENGLISH])).toEqual([
      { start: 0, end: 3, kind: "word", word: "the", stop: true, terms: ["the", stopListOf("the")], exact: [] },
      { start: 4, end: 11, kind: "whole", word: "getuser", stop: false, terms: ["getus"], exact: [] },
      { start: 4, end: 7, kind: "part", word: "get", stop: true, terms: ["get", stopListOf("get")], exact: [] },
      { start: 7, end: 11, kind: "part", word: "user", stop: false, terms: ["user"], exact: [] },
    ]);
  });

  it("gives a word the different terms of all languages, each once", () => {
    expect(analyzeQuery("comunicación", [ENGLISH, SPANISH])).toEqual([
      {
        start: 0,
        end: 12,
        kind: "word",
        word: "comunicacion",
        stop: false,
        terms: ["comunicacion", "comun"],
        exact: ["comunicación"],
      },
    ]);
    expect(analyzeQuery("route", [ENGLISH, GERMAN])[0]?.terms).toEqual(["rout"]);
  });

  it("takes for one word what languages cut off differently", () => {
    expect(analyzeQuery("l'avion rouge", [ENGLISH, FRENCH])).toEqual([
      { start: 0, end: 7, kind: "word", word: "lavion", stop: false, terms: ["lavion", "avion"], exact: [] },
      { start: 8, end: 13, kind: "word", word: "rouge", stop: false, terms: ["roug"], exact: [] },
    ]);
  });

  it("drops stop words of the language that the text shows, of the first one where it shows none", () => {
    const content = (text: string): string[] =>
      analyzeQuery(text, [ENGLISH, GERMAN]).flatMap(({ start, end, stop }) => (stop ? [] : [text.slice(start, end)]));
    expect(content("how do I open the man pages")).toEqual(["open", "man", "pages"]);
    expect(content("wie kann ich die Seite sehen")).toEqual(["Seite", "sehen"]);
    expect(content("man pages")).toEqual(["man", "pages"]);
  });

  it("finds every term that any of the languages would index the text under", () => {
    const languages = fc.uniqueArray(fc.constantFrom(...LANGUAGES), { minLength: 1, maxLength: 3 });
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(..."aElBqu'-._ é日ёà@/"), maxLength: 40 }),
    );
    fc.assert(
      fc.property(languages, text, (names, typed) => {
        const [first, ...others] = names.map(analyzerOf);
        if (first === undefined) return;
        const tokens = analyzeQuery(typed, [first, ...others]);
        const terms = new Set(tokens.flatMap((token) => [...token.terms, ...token.exact]));
        const indexed = [first, ...others].flatMap((analyzer) =>
          analyzeText(typed, analyzer).flatMap(({ term, stop }) => (stop ? [term, stopListOf(term)] : [term])),
        );
        expect(terms).toEqual(new Set(indexed));
        for (const [at, token] of tokens.entries()) {
          expect(token.terms.length).toBeGreaterThan(0);
          expect(token.start).toBeGreaterThanOrEqual(tokens[at - 1]?.start ?? 0);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});
