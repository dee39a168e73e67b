import { describe, expect, it } from "vitest";
import type { SearchAnswer } from "../../../src/core/search/answer.ts";
import { makeSearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { analyzerOfDocument, listAnalyzers } from "../../../src/core/search/search-languages.ts";
import { findSimilar } from "../../../src/core/search/similar.ts";
import { analyzerOf } from "../../../src/core/text/analyzers.ts";
import { buildCollections } from "../../support/build-index.ts";

const built = await buildCollections([
  { name: "en", pages: { "a.md": "# Settings\n\nThe settings of connections.\n", "b.md": "# Die hard\n\nA film.\n" } },
  {
    name: "de",
    language: "german",
    pages: { "a.md": "# Einstellungen\n\nDie Einstellungen der Verbindungen.\n" },
  },
]);

async function ask(query: string, collections: readonly string[] = []): Promise<SearchAnswer> {
  return search((await built.open()).reader, makeSearchRequest(query, { collections }));
}

function ids({ hits }: SearchAnswer): string[] {
  return hits.map(({ id }) => id);
}

describe("a search over collections of several languages", () => {
  it("is read in each of them, that of most documents first", async () => {
    const { reader } = await built.open();
    expect(listAnalyzers(reader, [])).toEqual([analyzerOf("english"), analyzerOf("german")]);
    expect(listAnalyzers(reader, ["de"])).toEqual([analyzerOf("german")]);
    await search(reader, makeSearchRequest("settings"));
    const languages = [0, 1, 2].map((number) => analyzerOfDocument(reader, 0, number));
    expect(languages.map((analyzer) => analyzer === analyzerOf("german"))).toEqual([false, false, true]);
  });

  it("finds other forms of a word in the language that has them", async () => {
    expect(ids(await ask("connection"))).toEqual(["en:a.md"]);
    expect(ids(await ask("Verbindung"))).toEqual(["de:a.md"]);
    expect(ids(await ask('"Einstellungen der Verbindung"'))).toEqual(["de:a.md"]);
  });

  it("names a phrase once, however many languages read it", async () => {
    const answer = await ask('"Verbindung Einstellung"');
    expect(answer.relaxedPhrases).toEqual([["Verbindung Einstellung"]]);
    expect((await ask('Einstellung -"Verbindung Einstellung"')).interpretation?.excluded).toEqual([
      "Verbindung Einstellung",
    ]);
  });

  it("finds a phrase whose words are stop words in one of them only", async () => {
    const corpus = await buildCollections([
      {
        name: "en",
        pages: Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`p${n}.md`, `# P${n}\n\nDie hard ${n}.\n`])),
      },
      { name: "de", language: "german", pages: { "a.md": "# Filme\n\nDie hard ist ein Film.\n" } },
    ]);
    const answer = await search((await corpus.open()).reader, makeSearchRequest('"die hard"', { collections: ["de"] }));
    expect(ids(answer)).toEqual(["de:a.md"]);
    const both = await search((await corpus.open()).reader, makeSearchRequest('"die hard"', { limit: 50 }));
    expect(ids(both).length + both.uncheckedDocuments).toBe(19);
  });

  it("compares a draft with sections in their own language", async () => {
    const text = "Die Einstellungen der Verbindungen stehen in einer Datei, die beim Starten gelesen wird.";
    const corpus = await buildCollections([
      { name: "en", pages: { "a.md": "# Settings\n\nThe settings of connections stand in a file.\n" } },
      { name: "de", language: "german", pages: { "a.md": `# Seite\n\n## Datei\n\n${text}\n` } },
    ]);
    const { sections } = await findSimilar((await corpus.open()).reader, {
      content: text.replace("Verbindungen", "Verbindung"),
      limit: 5,
      threshold: 0.35,
      collection: undefined,
    });
    expect(sections.map(({ section }) => section.nodeId)).toEqual(["de:a.md#datei"]);
    expect(sections[0]?.similarity).toBe(1);
  });
});

describe("a caller who sees one of several access groups", () => {
  it("can name the facets of that group in a query", async () => {
    const corpus = await buildCollections([
      {
        name: "open",
        pages: { "a.md": "---\ncolour: red\n---\n# Lamp\n", "b.md": "---\ncolour: blue\n---\n# Lamp\n" },
      },
      { name: "staff", access: "staff", pages: { "c.md": "---\nsecret: yes\n---\n# Lamp\n" } },
    ]);
    const asked = async (query: string): Promise<SearchAnswer> =>
      search((await corpus.open(["public"])).reader, makeSearchRequest(query));
    expect(ids(await asked("colour:red lamp"))).toEqual(["open:a.md"]);
    // What another group's documents have is a word like any other.
    expect((await asked("secret:yes lamp")).interpretation).toBeUndefined();
  });
});
