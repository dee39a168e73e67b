import { describe, expect, it } from "vitest";
import { readSynonymPhrase } from "../../../src/core/text/analyze-query.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";

describe("readSynonymPhrase", () => {
  it.each([
    ["Continuous Integration", "continu integr"],
    ["quality of service", "qualiti servic"],
    ["single sign-on", "singl sign"],
    ["server‑side", "server side"],
    ["useState hook", "usest hook"],
    ["node.js", "node.js"],
    ["--no-cache flag", "nocach flag"],
    ["__init__", "__init__"],
    ["café", "cafe"],
    ["日本語", "日本 本語"],
    ["the", ""],
    ["", ""],
  ])("reads %j as %j", (text, terms) => {
    expect(
      readSynonymPhrase(text)
        .map(({ term }) => term)
        .join(" "),
    ).toBe(terms);
  });

  it("reads in a language, with the places of the terms", () => {
    expect(readSynonymPhrase("die Häuser-Suche", analyzerOf("german"))).toEqual([
      { term: "haus", start: 4, end: 10 },
      { term: "such", start: 11, end: 16 },
    ]);
  });

  it("takes the parts of an identifier that is too long for a whole", () => {
    const text = `${"long".repeat(15)}Identifier`;
    expect(readSynonymPhrase(text).map(({ start, end }) => [start, end])).toEqual([
      [0, 60],
      [60, 70],
    ]);
  });
});
