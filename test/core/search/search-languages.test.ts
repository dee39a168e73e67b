import { describe, expect, it } from "vitest";
import type { SearchAnswer } from "../../../src/core/search/answer.ts";
import { makeSearchRequest } from "../../../src/core/search/request.ts";
import { search } from "../../../src/core/search/search.ts";
import { analyzerOfDocument, listAnalyzers } from "../../../src/core/search/search-languages.ts";
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
});
