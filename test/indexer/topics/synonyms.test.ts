import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GlossaryEntry } from "../../../indexer/config/topic-files.ts";
import { invertDocument } from "../../../indexer/index/invert.ts";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import {
  type Acronym,
  findThesaurusPhrases,
  makeGroupSynonyms,
  synonymEntries,
} from "../../../indexer/topics/synonyms.ts";
import THESAURUS from "../../../indexer/topics/thesaurus.json" with { type: "json" };
import { textOfKey } from "../../../src/core/bytes/key.ts";
import { decodeSynonyms } from "../../../src/core/format/pairs.ts";
import { readSynonymPhrase } from "../../../src/core/text/analyze-query.ts";
import type { Language } from "../../../src/core/text/language.ts";
import { runs } from "../../support/runs.ts";

type SynonymSet = ReturnType<typeof makeGroupSynonyms>[number];

interface AcronymSource {
  readonly language: Language;
  readonly acronyms: readonly Acronym[];
}

/** Sets of a group whose documents are each in a collection of their own. */
function makeSynonyms(glossary: readonly GlossaryEntry[], documents: readonly AcronymSource[]): SynonymSet[] {
  const collections = documents.map(({ language }) => ({ access: "public", language }));
  const numbered = documents.map(({ acronyms }, collection) => ({ collection, acronyms, thesaurus: NO_PHRASES }));
  return makeGroupSynonyms("public", collections, numbered, glossary);
}

const NO_PHRASES = new Uint16Array();
const NO_ACRONYMS: AcronymSource = { language: "english", acronyms: [] };

function page(acronym: string, expansion: string, language: AcronymSource["language"] = "english"): AcronymSource {
  return { language, acronyms: [{ acronym, expansion }] };
}

/** One line a set, phrases between bars. */
function show(sets: readonly SynonymSet[]): string[] {
  return sets.map(({ members }) => members.map((phrase) => phrase.join(" ")).join(" | "));
}

describe("makeSynonyms", () => {
  it("gives phrases as a query reads them: stems, without stop words, identifiers whole, compounds in parts", () => {
    const glossary = [
      { term: "k8s", synonyms: ["Kubernetes"] },
      { term: "quality of service", synonyms: ["QoS"] },
      { term: "single sign-on", synonyms: ["SSO"] },
      { term: "useState", synonyms: ["state hook"] },
    ];
    expect(show(makeSynonyms(glossary, [NO_ACRONYMS]))).toEqual([
      "k8s | kubernet",
      "qualiti servic | qos",
      "singl sign | sso",
      "usest | state hook",
    ]);
  });

  it("drops what is there twice, what is nothing but stop words, and sets of one", () => {
    const glossary = [
      { term: "route", synonyms: ["Routes", "routing", "path"] },
      { term: "it", synonyms: ["information technology"] },
      { term: "who", synonyms: ["the"] },
      { term: "same", synonyms: ["same"] },
      { term: "path", synonyms: ["route"] },
    ];
    expect(show(makeSynonyms(glossary, [NO_ACRONYMS]))).toEqual(["rout | path"]);
  });

  it("takes the acronyms of documents, those of most documents first", () => {
    const documents = [
      page("SSR", "server side rendering"),
      page("CI", "continuous integration"),
      page("CI", "Continuous Integrations"),
    ];
    expect(show(makeSynonyms([], documents))).toEqual(["ci | continu integr", "ssr | server side render"]);
  });

  it("keeps three expansions of an acronym at most, the most frequent ones, each in a set of its own", () => {
    const documents = [
      ...["common icon", "configuration item", "code inspection", "continuous integration"].map((text) =>
        page("CI", text),
      ),
      page("CI", "continuous integration"),
      page("CI", "configuration item"),
      page("CI", "continuous integration"),
    ];
    expect(show(makeSynonyms([], documents))).toEqual([
      "ci | continu integr",
      "ci | configur item",
      "ci | code inspect",
    ]);
  });

  it("counts a document once, however often it explains an acronym", () => {
    const often: AcronymSource = {
      language: "english",
      acronyms: ["common icon", "Common Icons", "common icons"].map((expansion) => ({ acronym: "CI", expansion })),
    };
    const documents = [often, page("CI", "code inspection"), page("CI", "code inspection")];
    expect(show(makeSynonyms([], documents))).toEqual(["ci | code inspect", "ci | common icon"]);
  });

  it("analyses in the languages of the shard's documents", () => {
    const glossary = [{ term: "Häuser", synonyms: ["Gebäude"] }];
    const german: AcronymSource = { language: "german", acronyms: [] };
    expect(show(makeSynonyms(glossary, [german]))).toEqual(["haus | gebaud"]);
    expect(show(makeSynonyms(glossary, [german, NO_ACRONYMS]))).toEqual(["hauser | gebaud", "haus | gebaud"]);
    expect(show(makeSynonyms([], [page("HV", "Häuser Verzeichnis", "german")]))).toEqual(["hv | haus verzeichnis"]);
    expect(makeSynonyms(glossary, [])).toEqual([]);
  });

  it("leaves out phrases that are too long for a key", () => {
    const glossary = [
      { term: "one word", synonyms: ["alpha beta gamma delta epsilon zeta eta theta iota kappa"] },
      { term: "wide", synonyms: Array.from({ length: 7 }, (_, n) => `${String(n).repeat(60)} `.repeat(7)) },
      { term: "kept", synonyms: ["held"] },
    ];
    expect(show(makeSynonyms(glossary, [NO_ACRONYMS]))).toEqual(["kept | held"]);
  });

  it("gives at most 2,000 sets, the glossary's first", () => {
    const documents = Array.from({ length: 2100 }, (_, n) => page(`A${n}`, `alpha ${n}`));
    const sets = show(makeSynonyms([{ term: "zz", synonyms: ["yy"] }], documents));
    expect(sets.length).toBe(2000);
    expect(sets[0]).toBe("zz | yy");
  });

  it("gives sets of two to eight different phrases, whatever the order of the documents", () => {
    const word = fc.constantFrom("route", "routes", "path", "the", "CI", "build", "node.js", "日本", "a b", "");
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
    const entry = fc.record({ term: text, synonyms: fc.array(text, { maxLength: 9 }) });
    const source = fc.record({
      language: fc.constantFrom("english" as const, "german" as const),
      acronyms: fc.array(fc.record({ acronym: fc.constantFrom("CI", "AB", "IS"), expansion: text }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), fc.array(source, { maxLength: 5 }), (glossary, documents) => {
        const sets = makeSynonyms(glossary, documents);
        for (const { members } of sets) {
          expect(members.length).toBeGreaterThanOrEqual(2);
          expect(members.length).toBeLessThanOrEqual(8);
          expect(new Set(members.map((phrase) => phrase.join("\0"))).size).toBe(members.length);
          for (const phrase of members) expect(phrase.length).toBeGreaterThan(0);
        }
        expect(makeSynonyms(glossary, [...documents].reverse())).toEqual(sets);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("makeGroupSynonyms", () => {
  const collections = [
    { access: "public", language: "english" as const },
    { access: "staff", language: "german" as const },
    { access: "public", language: "english" as const },
  ];
  const documents = [
    { collection: 0, acronyms: [{ acronym: "CI", expansion: "continuous integration" }], thesaurus: NO_PHRASES },
    { collection: 1, acronyms: [{ acronym: "PF", expansion: "project falcon" }], thesaurus: NO_PHRASES },
    { collection: 1, acronyms: [{ acronym: "CI", expansion: "classified item" }], thesaurus: NO_PHRASES },
    { collection: 2, acronyms: [{ acronym: "AB", expansion: "alpha beta" }], thesaurus: NO_PHRASES },
  ];

  it("never takes an acronym out of a document of another group", () => {
    expect(show(makeGroupSynonyms("public", collections, documents, []))).toEqual([
      "ab | alpha beta",
      "ci | continu integr",
    ]);
    expect(show(makeGroupSynonyms("staff", collections, documents, []))).toEqual([
      "ci | classified item",
      "pf | project falcon",
    ]);
    expect(makeGroupSynonyms("other", collections, documents, [])).toEqual([]);
  });

  it("counts the documents of the group alone", () => {
    const loud = Array.from({ length: 5 }, () => ({
      collection: 1,
      acronyms: [{ acronym: "AB", expansion: "alpha beta" }],
      thesaurus: NO_PHRASES,
    }));
    const some = [
      ...loud,
      { collection: 0, acronyms: [{ acronym: "ZZ", expansion: "zeta zulu" }], thesaurus: NO_PHRASES },
    ];
    expect(show(makeGroupSynonyms("public", collections, [...documents, ...some], []))).toEqual(
      show(makeGroupSynonyms("public", collections, [...documents, ...some.slice(-1)], [])),
    );
  });

  it("gives the glossary to every group that has documents, in the languages of that group", () => {
    const glossary = [{ term: "Häuser", synonyms: ["Gebäude"] }];
    expect(show(makeGroupSynonyms("public", collections, documents, glossary))[0]).toBe("hauser | gebaud");
    expect(show(makeGroupSynonyms("staff", collections, documents, glossary))[0]).toBe("haus | gebaud");
  });
});

describe("the shipped thesaurus", () => {
  const collections = [{ access: "public", language: "english" as const }];

  /** Synonyms of `pages`, an entry a line: the phrase, and what stands for it. */
  function entriesOfPages(pages: readonly string[]): string[] {
    const documents = pages.map((text) => {
      const { sections } = parseMarkdown({ path: "a.md", text });
      const units = sections.map(({ blocks }, section) => ({ section, raw: "", continuation: false, texts: blocks }));
      const fields = { title: "", path: "a.md", description: "", headings: [] };
      return { collection: 0, acronyms: [], thesaurus: findThesaurusPhrases(invertDocument(fields, units)) };
    });
    return synonymEntries(makeGroupSynonyms("public", collections, documents, [], true)).map(
      ({ key, value }) =>
        `${textOfKey(key).replace("\0", " ")} > ${decodeSynonyms(value)
          .map((phrase) => phrase.join(" "))
          .join(" | ")}`,
    );
  }

  it("leads phrases that no document holds to those that some do, at the weight of the thesaurus", () => {
    const entries = entriesOfPages(["A spinner turns.", "A pending state waits."]);
    expect(entries).toContain("load indic >  pend state |  spinner");
    expect(entries.filter((entry) => entry.startsWith("spinner >"))).toEqual([]);
    expect(entries.join()).not.toContain("load indic |");
  });

  it("takes the words of a phrase side by side", () => {
    expect(entriesOfPages(["A pending state."])).toContain("spinner >  pend state");
    expect(entriesOfPages(["A pending order, and a state."])).not.toContain("spinner >  pend state");
  });

  it("leaves out what too many documents hold, and says nothing of a corpus without its words", () => {
    const pages = Array.from({ length: 17 }, () => "A spinner turns.");
    expect(entriesOfPages(pages)).toEqual([]);
    expect(entriesOfPages(pages.slice(1))).toContain("load indic >  spinner");
    expect(entriesOfPages(["Cats like milk."])).toEqual([]);
  });

  it("has sets of two to eight different phrases, each of which can be asked for", () => {
    const phrases = THESAURUS.map((set) => set.map((text) => readSynonymPhrase(text).map(({ term }) => term)));
    expect(THESAURUS.filter((set) => set.length > 8)).toEqual([]);
    expect(phrases.filter((set) => set.some((phrase) => phrase.length === 0))).toEqual([]);
    const isSmall = (set: string[][]) => new Set(set.map((phrase) => phrase.join(" "))).size < 2;
    expect(phrases.filter(isSmall)).toEqual([]);
  });
});
