import { describe, expect, it } from "vitest";
import { SynonymCollector } from "../../../indexer/index/term-table.ts";
import { decodeSynonyms, keyOfSynonyms } from "../../../src/core/format/pairs.ts";
import { buildPages } from "../../support/build-index.ts";

const PAGES = {
  "a.md": "# A\n\nSingle sign-on for all.",
  "b.md": "# B\n\nWe use SSO.\n\n## Setup\n\nSSO again, SSO.",
  "c.md": "# C\n\nA single page, and a sign.",
  "d.md": "# D\n\nNothing of the kind.",
};
const SETS = [{ members: [["sso"], ["singl", "sign"]] }, { members: [["sso"], ["login"]] }];

async function entriesOf(sets: ConstructorParameters<typeof SynonymCollector>[0]) {
  const { documents } = await buildPages(PAGES);
  const paths = new Map([...documents.values()].map(({ number, path }) => [number, path]));
  const collector = new SynonymCollector(sets);
  for (const document of [...documents.values()].sort((a, b) => a.number - b.number)) collector.add(document);
  return new Map(
    collector
      .finish(() => 0)
      .map(({ key, value }) => {
        const { phrases, list } = decodeSynonyms(value);
        return [key as string, { phrases, paths: Array.from(list.documents, (number) => paths.get(number)) }];
      }),
  );
}

describe("SynonymCollector", () => {
  it("names for each phrase the documents that hold another one of its sets", async () => {
    const entries = await entriesOf(SETS);
    expect(entries.get(keyOfSynonyms(["singl", "sign"]))).toEqual({ phrases: [["sso"]], paths: ["b.md"] });
    expect(entries.get(keyOfSynonyms(["sso"]))).toEqual({ phrases: [["singl", "sign"], ["login"]], paths: ["a.md"] });
  });

  it("wants the terms of a phrase side by side", async () => {
    expect((await entriesOf(SETS)).get(keyOfSynonyms(["sso"]))?.paths).not.toContain("c.md");
  });

  it("has no entry for a phrase whose synonyms nobody uses", async () => {
    expect([...(await entriesOf([{ members: [["noth"], ["nowher"]] }])).keys()]).toEqual([keyOfSynonyms(["nowher"])]);
    expect((await entriesOf([])).size).toBe(0);
  });
});
