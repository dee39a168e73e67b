import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import { wordsOf } from "../../../indexer/parse/words.ts";
import { chooseConcepts } from "../../../indexer/topics/choose-concepts.ts";
import { collectWords } from "../../../indexer/topics/concept-uses.ts";
import { findCandidates } from "../../../indexer/topics/find-candidates.ts";
import { findAcronyms } from "../../../indexer/topics/synonyms.ts";
import { runs } from "../../support/runs.ts";

type ConceptSource = Parameters<typeof chooseConcepts>[0][number];

function source(text: string, symbols: ConceptSource["symbols"] = []): ConceptSource {
  const parsed = parseMarkdown({ path: "page.md", text });
  const acronyms = findAcronyms(parsed);
  const table = wordsOf("english");
  const found = findCandidates({ parsed, text, acronyms, language: "english", words: table });
  const words = collectWords(parsed, table);
  const sections = parsed.sections.length;
  return { candidates: () => found, words: () => words, sections, acronyms, language: "english", symbols };
}

const filler = (at: number): ConceptSource =>
  source(`# Other ${at}\n\nNothing here.\n\n## Parameters\n\nNone of them.\n`);

function choose(sources: readonly ConceptSource[], glossary: Parameters<typeof chooseConcepts>[1] = []) {
  const { concepts, ofDocument } = chooseConcepts(sources, glossary);
  return {
    concepts: concepts.filter(({ documents }) => documents > 0).map(({ name, type }) => `${name} (${type})`),
    of: ofDocument.map(({ list }) => list().map(({ concept }) => concepts[concept]?.name)),
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
  it("takes what two documents are about, and what very many are, behind what few are", () => {
    const everywhere = Array.from({ length: 14 }, () => source("# Z\n\nA red herring is a red herring.\n"));
    const both = source("# Both\n\nThe message broker, a message broker: a red herring, a red herring.\n");
    const { concepts, of } = choose([...TWO, both, ...everywhere]);
    expect(concepts).toEqual(["message broker (thematic)", "red herring (thematic)"]);
    expect(of[2]).toEqual(["message broker", "red herring"]);
  });

  it("takes what one page alone heads a section with, three of a page at most", () => {
    const own = ["Patient record", "Blood count", "Night shift", "Bed linen"];
    const { concepts } = choose([
      source(`# Ward\n\n${own.map((name) => `## ${name}\n\nText.\n`).join("\n")}`),
      ...MANY,
    ]);
    expect(concepts).toHaveLength(3);
    for (const name of concepts) expect(own.map((one) => `${one} (heading)`)).toContain(name);
  });

  it("counts every document that holds a concept, in whatever field and form, and no other", () => {
    const holding = [
      ...["Text with message-brokers in it.", "```js\nconst messageBroker = 1;\n```", "## The message broker\n\nText."],
      ..."message broker|`message_broker`|A MESSAGE\nBROKER".split("|"),
    ];
    const bare = ["A message. The next broker.", "A message to a broker.", "messagebroker"];
    const pages = [...holding, ...bare].map((text) => source(`# Page\n\n${text}\n`));
    const described = source("---\ndescription: One message broker\n---\n# Page\n\nText.\n");
    const { concepts, ofDocument } = chooseConcepts([...TWO, ...pages, described], []);
    const at = concepts.findIndex(({ key }) => key === "messag broker");
    expect(concepts[at]).toMatchObject({ documents: TWO.length + holding.length + 1 });
    const holds = ofDocument.map(({ list }) => list().some(({ concept }) => concept === at));
    expect(holds).toEqual(
      [...TWO, ...holding]
        .map(() => true)
        .concat(
          bare.map(() => false),
          true,
        ),
    );
  });

  it("shows nine concepts as those that a page is about, and holds all that it names", () => {
    const names = ["ash", "elm", "fir", "oak", "yew", "fig", "bay", "box", "nut", "sal", "koa", "ule"].map(
      (tree) => `${tree} grove`,
    );
    const one = source(`# X\n\n${names.map((name) => `The ${name}, the ${name}.`).join(" ")}\n`);
    const { ofDocument } = chooseConcepts([one, one, ...MANY], []);
    expect(ofDocument[0]).toMatchObject({ leading: 9 });
    expect(ofDocument[0]?.list()).toHaveLength(names.length);
  });

  it("shares the words of a text among concepts, each word once, whatever its title says", () => {
    const glossary = ["backpropagation", "gradient descent", "descent"].map((term) => ({ term, synonyms: [] }));
    const densitiesOf = (text: string) => [
      ...(chooseConcepts([source(text)], glossary).ofDocument[0]?.densities ?? []),
    ];
    const body = "This volume speaks of backpropagation, gradient descent.";
    expect(densitiesOf(`# Page\n\n${body}\n`)).toEqual([43]);
    expect(densitiesOf(`# Gradient descent\n\nSee below.\n\n## Descent\n\n${body}\n`)).toEqual([0, 43]);
    const described = `---\ntitle: Page\ndescription: About gradient descent\n---\n${body}\n`;
    expect(densitiesOf(described)).toEqual([50]);
  });

  it("calls a concept as running text writes it, however often headings do otherwise", () => {
    const page = "# X\n\nThere is a cold snap, one more cold snap.\n\n## Cold Snap\n\nText.\n\n## Cold Snap\n\nText.\n";
    expect(choose([source(page), source(page), ...MANY]).concepts).toEqual(["cold snap (heading)"]);
  });

  it("takes two words of code that a page is called for a name, stop words or not", () => {
    const { concepts } = choose([
      source("---\ntitle: use cache\n---\n# use cache\n\nThe `use cache` directive.\n"),
      ...MANY,
    ]);
    expect(concepts).toContain("use cache (api)");
  });

  it("bounds what is odd: names of a thousand characters, mixed scripts, headings alone, glossaries that go round", () => {
    const long = "supercalifragilistic ".repeat(50).trim();
    const glossary = [
      { term: long, synonyms: [] },
      { term: "Anfang", synonyms: ["Ende"] },
      { term: "Ende", synonyms: ["Mitte", "Anfang"] },
      { term: "Mitte", synonyms: ["Ende"] },
      { term: "检查清单", synonyms: [] },
    ];
    const text = `# Ende\n\n## Mitte\n\n## ${long}\n\n## Anfang 检查清单表 смешанный texte\n`;
    const { concepts, ofDocument } = chooseConcepts(
      [source(text), source("# X\n\nMitte, Ende und 检查清单。\n")],
      glossary,
    );
    const counts = Object.fromEntries(concepts.map(({ name, documents }) => [name, documents]));
    expect(counts).toMatchObject({ [long]: 1, Anfang: 2, 检查清单: 2 });
    expect(counts).not.toHaveProperty("Ende");
    for (const { densities } of ofDocument) for (const density of densities) expect(density).toBeLessThanOrEqual(100);
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
    const keys = concepts.flatMap(({ key, aliases }) => [key, ...aliases]);
    expect(new Set(keys).size).toBe(keys.length);
    expect(concepts.find(({ aliases }) => aliases.length > 0)?.name).toBe("AP (alkaline phosphatase)");
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
        const keys = concepts.flatMap(({ key, aliases }) => [key, ...aliases]);
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
      source("createBroker: a function", [{ name: "createBroker", section: 0 }]),
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
