import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { hashPhrase, keyOfPhrase } from "../../../src/core/format/pairs.ts";
import { decodePostings, type UnitPosting } from "../../../src/core/format/postings.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { listDocuments } from "../../../src/core/search/phrases.ts";
import { search } from "../../../src/core/search/search.ts";
import { buildCollections, buildPages, openFiles, type Pages } from "../../support/build-index.ts";
import { encodeUnits, PostingBuilder } from "../../support/postings.ts";
import { ask } from "../../support/small-corpora.ts";
import { makeFolder, readFolder } from "../../support/temporary-folder.ts";

const PAGES: Pages = {
  "a.md": "# A\n\nSingle sign-on for all.",
  "b.md": "# B\n\nWe use SSO, single sign-on (SSO).\n\n## Setup\n\nSSO again, SSO.",
  "c.md": "# C\n\nNothing of the kind.",
  "d.md": "# D\n\nIt knows SSO.",
};

/** An index of a folder, with the thesaurus or without. */
async function buildFolder(pages: Pages, thesaurus: boolean): Promise<IndexReader> {
  const dir = await makeFolder({ ...pages, "treeline.config.json": JSON.stringify({ thesaurus }) });
  await buildCorpus({ dir, outDir: join(dir, "out") });
  return (await openFiles(await readFolder(join(dir, "out")), "all")).reader;
}

async function find(reader: IndexReader, query: string) {
  const { hits } = await search(reader, ask(query, { limit: 50 }));
  return hits.map(({ path }) => path);
}

describe("synonyms of a query", () => {
  it("find what is called by the other name, behind what has the name", async () => {
    const { reader } = await (await buildPages(PAGES)).open();
    expect(await find(reader, "SSO")).toEqual(["b.md", "d.md", "a.md"]);
    expect(await find(reader, "log in by single sign-on")).toEqual(["a.md", "b.md", "d.md"]);
    expect(await find(reader, "kind")).toEqual(["c.md"]);
  });

  it("want the terms of a phrase side by side, where the index lists that", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`n${n}.md`, `# N${n}\n\nA single page, and a sign.`]),
    );
    const { reader } = await (await buildPages({ ...PAGES, ...many })).open();
    expect(await find(reader, "SSO")).toEqual(["b.md", "d.md", "a.md"]);
  });

  it("cost a wave where a level lists the phrase, and nothing elsewhere", async () => {
    const limits = { target: 64, maxDirectory: 1 << 16 };
    // Their terms lie in other chunks than that of the acronym.
    const pages = {
      ...PAGES,
      "z.md": "# Z\n\nA zebra apple (ZA) is yellow, blue, green, red and nothing more than that.",
    };
    const built = await buildCollections([{ name: "docs", pages }], limits);
    const wavesOf = async (reader: IndexReader, query: string) => (await search(reader, ask(query))).cost.waves;
    const [cold, other] = [await built.open(), await built.open()];
    expect(await wavesOf(cold.reader, "ZA")).toBe((await wavesOf(other.reader, "kind")) + 1);
    const { phrases = [] } = other.reader.index.root.shards[0] ?? {};
    const isListed = (term: string) => phrases.includes(hashPhrase(keyOfPhrase([term])));
    expect(["za", "sso", "kind", "zebra"].map(isListed)).toEqual([true, true, false, false]);
    expect(await wavesOf(cold.next(), "ZA")).toBe(0);
  });

  it("of the shipped thesaurus stand for what no document holds, and count less", async () => {
    const pages = {
      "a.md": "# A\n\nOne spinner for all.",
      "b.md": "# B\n\nHere is a pending state.",
      "c.md": "# C\n\nNothing of the kind.",
    };
    const [plain, shipped] = await Promise.all([false, true].map((thesaurus) => buildFolder(pages, thesaurus)));
    const ranked = async (reader: IndexReader | undefined, query: string) =>
      (await search(reader as IndexReader, ask(query))).hits.map(({ path, score }) => [path, score]);
    const own = await ranked(plain, "spinner");
    expect(await ranked(shipped, "spinner")).toEqual(own);
    const [first] = (await ranked(shipped, "loading indicator")).filter(([path]) => path === "a.md");
    expect(Number(first?.[1])).toBeLessThan(Number(own[0]?.[1]));
    expect((await ranked(shipped, "loading indicator")).map(([path]) => path).sort()).toEqual(["a.md", "b.md"]);
    expect(await ranked(plain, "loading indicator")).toEqual([]);
  });

  it("stay in their access group", async () => {
    const { open } = await buildCollections([
      { name: "docs", pages: { "a.md": "# A\n\nSingle sign-on for all." } },
      { name: "staff", access: "staff", pages: { "b.md": "# B\n\nSingle sign-on (SSO) here.", "c.md": "# C\n\nSSO." } },
    ]);
    const { reader } = await open("all");
    expect((await find(reader, "SSO")).sort()).toEqual(["b.md", "c.md"]);
    expect(await find((await open()).reader, "SSO")).toEqual([]);
  });
});

const anyUnits = fc
  .uniqueArray(fc.integer({ min: 2, max: 6 }), { minLength: 1, maxLength: 4 })
  .map((units) => units.sort((a, b) => a - b));
const anyList = fc.dictionary(fc.integer({ min: 0, max: 9 }).map(String), anyUnits, { maxKeys: 6 });

function listOf(documents: Readonly<Record<string, readonly number[]>>) {
  const builder = new PostingBuilder();
  for (const [document, units] of Object.entries(documents)) {
    const postings = units.map((unit): UnitPosting => ({ unit, frequency: unit, heading: unit > 3, code: false }));
    builder.add(Number(document), encodeUnits(postings));
  }
  return builder.documents === 0 ? undefined : decodePostings(builder.finish(false, () => 0));
}

describe("listDocuments", () => {
  it("gives the documents that hold all terms in one unit, and the two side by side where that is known", () => {
    const anyPair = fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 9 })), { nil: undefined });
    fc.assert(
      fc.property(anyList, anyList, anyPair, (first, second, pair) => {
        const made = listDocuments([listOf(first), listOf(second)], pair === undefined ? [] : [pair]);
        const wanted = Object.keys(first)
          .map(Number)
          .filter((n) => first[n]?.some((unit) => second[n]?.includes(unit)) && (pair?.includes(n) ?? true));
        expect(Array.from(made?.documents ?? [])).toEqual(wanted);
      }),
    );
  });
});
