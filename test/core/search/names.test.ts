/** Documents that are found by what they are called. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { search } from "../../../src/core/search/search.ts";
import { ENGLISH } from "../../../src/core/text/analyze.ts";
import { keysOfName, listNames, namesOfQuery } from "../../../src/core/text/name-forms.ts";
import { buildPages } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";

const OTHERS = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [
    `guide/p${n}.md`,
    `# Notes ${n}\n\nWhy deno: an image, a pattern router, the patternRouter and middleware of images. ${"Deno image. ".repeat(n)}\n`,
  ]),
);
const PAGES = {
  ...OTHERS,
  "why.md": "# Why Deno?\n\nIt is.\n",
  "components/image.md": "# Image Component\n\nShows it.\n",
  "routers/pattern-router.md": "# Matching\n\nMatches it.\n",
  "modules/FindOpenSSL.md": "# FindOpenSSL\n\nFinds the library.\n",
  "modules/OpenFile.md": "# OpenFile\n\nFinds it.\n",
  "api/index.md": "---\nredirect_from: /old/place-of-things\n---\n# Reference\n\nAll of it.\n",
};

async function firstOf(query: string): Promise<string | undefined> {
  const { next } = await (await buildPages(PAGES)).open();
  return (await search(next(), ask(query, { excerpts: 0 }))).hits[0]?.path;
}

describe("names", () => {
  it.each([
    ["a title with stop words", "why deno", "why.md"],
    ["a title without the word for its kind", "image", "components/image.md"],
    ["a file", "pattern-router.md", "routers/pattern-router.md"],
    ["an identifier in small letters", "findopenssl.md", "modules/FindOpenSSL.md"],
    ["what an identifier ends with", "openssl", "modules/FindOpenSSL.md"],
    ["a file in another spelling", "PatternRouter", "routers/pattern-router.md"],
    ["a folder and its file", "routers/pattern-router", "routers/pattern-router.md"],
    ["the folder of an index", "api", "api/index.md"],
    ["an alias", "old/place-of-things", "api/index.md"],
    ["an address of the site", "https://example.org/docs/components/image?v=2#props", "components/image.md"],
    ["a name with a slip", "patern-router", "routers/pattern-router.md"],
  ])("put the document first that %s says", async (_, query, path) => {
    expect(await firstOf(query)).toBe(path);
  });

  it("of a whole query are not missed", async () => {
    const { next } = await (await buildPages(PAGES)).open();
    expect((await search(next(), ask("findopenssl.md"))).missingWords).toEqual([]);
    expect((await search(next(), ask("findopenssl.md marmots"))).missingWords).toEqual(["findopenssl.md", "marmots"]);
  });

  it("are one in all spellings, and without a kind another", () => {
    const keys = ["pattern-router", "PatternRouter", "pattern_router", "Pattern routers"].map(
      (name) => keysOfName(name, ENGLISH).whole,
    );
    expect(new Set(keys).size).toBe(1);
    expect(keysOfName("pattern-router.ts", ENGLISH).bare).toBe(keys[0]);
    expect(keysOfName("API", ENGLISH).bare).toBeUndefined();
  });

  it("of a file are itself, alone and in its folder, without numbers that order it", () => {
    expect(listNames("docs/02-guide/01-start.md", [])).toEqual(["start", "guide/start"]);
    expect(listNames("2024.md", [])).toEqual(["2024"]);
    expect(listNames("lib/index.ts", ["/a/b/"])).toEqual(["lib", "b", "a/b"]);
  });

  it("are bounded, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 1000 }), (text) => {
        for (const { key, grade } of namesOfQuery(text, [ENGLISH])) {
          expect(key.length).toBeLessThan(700);
          expect(grade).toBeGreaterThan(0);
          expect(grade).toBeLessThanOrEqual(1);
        }
      }),
    );
    expect(namesOfQuery("word ".repeat(300), [ENGLISH])).toEqual([]);
  });

  it("are said by explain, and everything adds up", async () => {
    const { next } = await (await buildPages(PAGES)).open();
    const [hit] = (await search(next(), ask("why deno", { explain: true, excerpts: 0 }))).hits;
    const explained = hit?.explanation;
    if (explained === undefined) throw new Error("not explained");
    const ofWords = explained.words.reduce(
      (sum, { body, title, path, description }) => sum + body + title + path + description,
      0,
    );
    expect(explained.name).toBeGreaterThan(0);
    const all = ofWords + explained.wholeTitle + explained.name + explained.pairs + explained.sectionsTotal;
    expect(hit?.score).toBeCloseTo(all * explained.collectionWeight, 6);
  });

  it("leave no document out, and rank rare words side by side before the same words apart", async () => {
    const pages = {
      "apart.md": `# One\n\nPurple ${"filler text of no use. ".repeat(6)} wombat.\n`,
      "beside.md": `# Two\n\n${"Filler text of no use. ".repeat(6)} Purple wombat.\n`,
      "others.md": "# Three\n\nNothing.\n",
    };
    const { next } = await (await buildPages(pages)).open();
    for (const bonus of [0, 2]) {
      const ranking = { term_proximity_bonus: bonus };
      const { hits } = await search(next(), ask("purple wombat", { ranking, excerpts: 0 }));
      const scores = Object.fromEntries(hits.map(({ path, score }) => [path, score]));
      expect(Object.keys(scores).sort()).toEqual(["apart.md", "beside.md"]);
      const gain = Number(scores["beside.md"]) - Number(scores["apart.md"]);
      if (bonus === 0) expect(gain).toBeCloseTo(0, 6);
      else expect(gain).toBeGreaterThan(0.5);
    }
  });
});
