import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import { wordsOf } from "../../../indexer/parse/words.ts";
import { chooseConcepts } from "../../../indexer/topics/choose-concepts.ts";
import { findCandidates } from "../../../indexer/topics/find-candidates.ts";
import { findAcronyms } from "../../../indexer/topics/synonyms.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import { runs } from "../../support/runs.ts";

type ConceptSource = Parameters<typeof chooseConcepts>[0][number];

const analyzer = analyzerOf("english");

function source(text: string, symbols: ConceptSource["symbols"] = []): ConceptSource {
  const parsed = parseMarkdown({ path: "page.md", text });
  const acronyms = findAcronyms(parsed);
  const found = findCandidates({ parsed, text, acronyms, language: "english", words: wordsOf("english") });
  return { candidates: () => found, acronyms, analyzer, symbols };
}

const filler = (at: number): ConceptSource =>
  source(`# Other ${at}\n\nNothing here.\n\n## Parameters\n\nNone of them.\n`);

function choose(sources: readonly ConceptSource[], glossary: Parameters<typeof chooseConcepts>[1] = []) {
  const { concepts, ofDocument } = chooseConcepts(sources, glossary);
  return {
    concepts: concepts.map(({ name, type }) => `${name} (${type})`),
    of: ofDocument.map((list) => list.map(({ concept }) => concepts[concept]?.name)),
  };
}

const TWO = [
  source(
    "# Queue\n\nA message broker takes. The message broker gives. A poison pill, a poison pill.\n\n## Parameters\n\nx\n",
  ),
  source("# Topic\n\nEach message broker has topics. Message brokers forget.\n\n## Parameters\n\nx\n"),
];
const MANY = Array.from({ length: 20 }, (_, at) => filler(at));

describe("chooseConcepts", () => {
  it("takes what two documents have, and neither what one has nor what too many have", () => {
    const everywhere = Array.from({ length: 14 }, () => source("# Z\n\nA red herring is a red herring.\n"));
    const { concepts } = choose([...TWO, ...everywhere]);
    expect(concepts).toEqual(["message broker (thematic)"]);
  });

  it("takes no heading that pages of one form share", () => {
    expect(choose([...TWO, ...MANY]).concepts).toEqual(["message broker (thematic)"]);
  });

  it("takes what a page is called and comes back to", () => {
    const { concepts } = choose([
      source("# Token bucket\n\nA token bucket fills. The token bucket empties.\n"),
      ...MANY,
    ]);
    expect(concepts).toEqual(["token bucket (heading)"]);
  });

  it("leads an expansion that two acronyms share to the one that more documents explain", () => {
    const long = "An alkaline phosphatase";
    const { concepts } = chooseConcepts(
      [
        ...[1, 2].map((at) => source(`# A${at}\n\n${long} (ALP) activity. ALP again, alkaline phosphatase.\n`)),
        ...[1, 2, 3].map((at) => source(`# B${at}\n\n${long} (AP) activity. AP again, alkaline phosphatase.\n`)),
        ...MANY,
      ],
      [],
    );
    const keys = concepts.flatMap(({ key, alias }) => (alias === "" ? [key] : [key, alias]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(concepts.find(({ alias }) => alias !== "")?.name).toBe("AP (alkaline phosphatase)");
  });

  it("gives every key to one concept, whatever the glossary and the acronyms call each other", () => {
    const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "Alpha Beta", "AB", "GD", "Gamma Delta", "BA");
    const explained = fc.constantFrom(
      ...["AB (Alpha Beta)", "A2B (Alpha to Beta)", "GD (Gamma Delta)", "Alpha Beta (AB)", "Ab Gd (AG)", "AG (AB GD)"],
    );
    const page = fc.array(fc.oneof(word, explained), { minLength: 1, maxLength: 12 });
    const entry = fc.record({ term: word, synonyms: fc.array(word, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(page, { minLength: 2, maxLength: 6 }), fc.array(entry, { maxLength: 3 }), (pages, terms) => {
        const sources = pages.map((words, at) => source(`# P${at}\n\n${words.join(". ")}.\n`));
        const { concepts } = chooseConcepts(sources, terms);
        const keys = concepts.flatMap(({ key, alias }) => (alias === "" ? [key] : [key, alias]));
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: runs(200) },
    );
  });

  it("takes acronyms with what they stand for, however they are written later", () => {
    const { concepts, of } = choose([
      source("# A\n\nA CDN (content delivery network) is near.\n"),
      source("# B\n\nThe content delivery network and a content delivery network.\n"),
      ...MANY,
    ]);
    expect(concepts).toEqual(["CDN (content delivery network) (acronym)"]);
    expect(of.slice(0, 2)).toEqual([["CDN (content delivery network)"], ["CDN (content delivery network)"]]);
  });

  it("takes terms of the glossary from one document on, synonyms with them", () => {
    const glossary = [{ term: "poison pill", synonyms: ["deadly message"] }];
    const { concepts } = choose([...TWO, source("# C\n\nA deadly message, a deadly message.\n"), ...MANY], glossary);
    expect(concepts).toEqual(["message broker (thematic)", "poison pill (thematic)"]);
  });

  it("takes exported symbols, and pages that name them in code are about them", () => {
    const { concepts, of } = choose([
      source("", [{ name: "createBroker", section: 2 }]),
      source("# Use\n\nCall `createBroker()`.\n"),
      ...MANY,
    ]);
    expect(concepts).toEqual(["createBroker (api)"]);
    expect(of.slice(0, 2)).toEqual([["createBroker"], ["createBroker"]]);
  });

  it("gives weights of two decimals between 0 and 1, whatever the order of the documents", () => {
    const all = [...TWO, ...MANY];
    const { concepts } = chooseConcepts(all, []);
    expect(concepts).toEqual(chooseConcepts([...all].reverse(), []).concepts);
    for (const { weight } of concepts) {
      expect(weight).toBeGreaterThan(0);
      expect(weight).toBeLessThanOrEqual(1);
      expect(Math.round(weight * 100) / 100).toBe(weight);
    }
  });

  it("counts by hashes what does not fit otherwise, with the same result", () => {
    const many = [...TWO, ...Array.from({ length: 3_100 }, (_, at) => filler(at))];
    expect(choose(many).concepts).toEqual(["message broker (thematic)"]);
  }, 60_000);
});
