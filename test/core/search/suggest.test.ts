import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import { knownName } from "../../../src/core/index/resident.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { type SuggestRequest, suggest } from "../../../src/core/search/suggest.ts";
import { isStopWord } from "../../../src/core/text/analyze.ts";
import { foldPhrase } from "../../../src/core/text/phrase.ts";
import { buildCollections, buildPages, type OpenReader } from "../../support/build-index.ts";
import { runs } from "../../support/runs.ts";
import { anyPages, makeLargeCorpus } from "../../support/small-corpora.ts";

/** Enough pages for several chunks of titles. */
let large: ReturnType<typeof buildPages> | undefined;
const buildLarge = (): ReturnType<typeof buildPages> => (large ??= buildPages(makeLargeCorpus(500)));

async function ask({ reader }: Pick<OpenReader, "reader">, query: string, more: Partial<SuggestRequest> = {}) {
  return (await suggest(reader, { query, limit: 20, collections: [], ...more })).suggestions;
}

async function textsFor(opened: Pick<OpenReader, "reader">, query: string, more: Partial<SuggestRequest> = {}) {
  return (await ask(opened, query, more)).map(({ text }) => text);
}

const PAGES = {
  "guide/start.md": "# Getting Started\n\nHello.\n\n## Install it\n\nx\n\n## Getting help\n\ny\n",
  "guide/cache.md":
    "# Caching\n\nx\n\n## Server components\n\n### Server Components\n\n### `getServerSideProps`\n\nx\n",
  "api/config.md": "# next.config.js\n\n## Server components\n\nx\n\n## How to cache {#cache-how}\n\nx\n",
  "api/other.md": "# 日本語ガイド\n\n## Größe und Maß\n\nx\n\n## ???\n\nx\n",
};

describe("suggest", () => {
  it("completes a title or heading from its first letters on", async () => {
    const opened = await (await buildPages(PAGES)).open();
    for (const typed of ["g", "ge", "GET", "getting", "getting ", "getting s", "Getting-St", "getting started"]) {
      expect((await textsFor(opened, typed))[0], typed).toBe("Getting Started");
    }
  });

  it("puts texts first in which the words stand early, and leaves equally good ones in their order", async () => {
    const titles = ["Cache files", "Cache disks", "Every thing of disks and cache", "Wide cache", "Disks, cache"];
    const opened = await (
      await buildPages(Object.fromEntries(titles.map((one, at) => [`${at}.md`, `# ${one}\n`])))
    ).open();
    const [disks, files, wide, last, long] = ["Cache disks", "Cache files", "Wide cache", "Disks, cache", titles[2]];
    expect(await textsFor(opened, "cach")).toEqual([disks, files, wide, last, long]);
    expect(await textsFor(opened, "disk cach")).toEqual([disks, last, long]);
  });

  it("finds a text by its later words, by parts of identifiers, and by words in another order", async () => {
    const opened = await (await buildPages(PAGES)).open();
    expect(await textsFor(opened, "star")).toEqual(["Getting Started"]);
    expect(await textsFor(opened, "sidePr")).toEqual(["getServerSideProps"]);
    expect(await textsFor(opened, "config")).toEqual(["next.config.js"]);
    expect(await textsFor(opened, "next.conf")).toEqual(["next.config.js"]);
    expect(await textsFor(opened, "components serv")).toEqual(["Server components"]);
    expect(await textsFor(opened, "ガイ")).toEqual(["日本語ガイド"]);
    expect(await textsFor(opened, "MASS grosse")).toEqual(["Größe und Maß"]);
    expect(await textsFor(opened, "große maß")).toEqual(["Größe und Maß"]);
  });

  it("puts what goes on as typed before what holds the same words in another order", async () => {
    const opened = await (
      await buildPages({ "a.md": "# Cache server data\n", "b.md": "# Client and server\n\n## A server cache\n" })
    ).open();
    expect(await textsFor(opened, "server c")).toEqual(["A server cache", "Cache server data", "Client and server"]);
  });

  it("says what a text is, how many sections have it, and where the best of them is", async () => {
    const opened = await (
      await buildCollections([{ name: "docs", pages: PAGES, baseUrl: "https://docs.example.com/" }])
    ).open();
    expect(await ask(opened, "getting st")).toEqual([
      {
        text: "Getting Started",
        kind: "title",
        count: 1,
        nodeId: "docs:guide/start.md",
        documentId: "docs:guide/start.md",
        url: "https://docs.example.com/guide/start",
      },
    ]);
    expect(await ask(opened, "server comp")).toEqual([
      {
        text: "Server components",
        kind: "heading",
        count: 3,
        nodeId: "docs:api/config.md#n1",
        documentId: "docs:api/config.md",
        url: "https://docs.example.com/api/config#server-components",
      },
    ]);
    expect(await ask(opened, "how to c")).toMatchObject([
      { text: "How to cache", url: "https://docs.example.com/api/config#cache-how" },
    ]);
  });

  it("has a text of a mistyped beginning, but only where nothing begins as typed", async () => {
    const opened = await (await buildPages(PAGES)).open();
    expect((await textsFor(opened, "gettng")).sort()).toEqual(["Getting Started", "Getting help"]);
    expect(await textsFor(opened, "getitng")).toContain("Getting Started");
    expect(await textsFor(opened, "cachign")).toEqual(["Caching"]);
    expect(await textsFor(opened, "getting h")).toEqual(["Getting help"]);
    expect(await textsFor(opened, "zzzzzz")).toEqual([]);
    expect(await textsFor(opened, "cahc")).toEqual(["How to cache", "Caching"]);
    expect(await textsFor(opened, "cxc")).toEqual([]);
  });

  it.each(["", " ", "?!", "…—", "\u0000\u0007", "\u202e\u200b\u2066", "\ud800", "\udc00\ud800", "🚀"])(
    "has nothing for %j and reads nothing",
    async (query) => {
      const { reader, source, next } = await (await buildPages(PAGES)).open();
      const before = source.reads.length;
      expect(await ask({ reader }, query)).toEqual([]);
      expect(source.reads.length).toBe(before);
      expect(next().cost.waves).toBe(0);
    },
  );

  it("takes any text", async () => {
    const opened = await (await buildPages(PAGES)).open();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 80 }), async (query) => {
        expect((await ask(opened, query)).length).toBeLessThanOrEqual(20);
      }),
    );
    expect(await ask(opened, "ﷺ".repeat(2000))).toEqual([]);
    expect(await textsFor(opened, `getting started ${"x".repeat(5000)}`)).toEqual([]);
  });

  it("shows only what the caller may see, and only collections that were asked for", async () => {
    const built = await buildCollections([
      { name: "docs", pages: { "a.md": "# Shared start\n\n## Steps\n" } },
      { name: "more", pages: { "b.md": "# Other\n\n## Shared start\n\n## Steps\n" } },
      { name: "inside", access: "team", pages: { "c.md": "# Shared start\n\n## Secret start\n\n## Steps\n" } },
    ]);
    const open = await built.open();
    const all = await built.open("all");
    expect(await textsFor(open, "sta")).toEqual(["Shared start"]);
    expect(await ask(open, "shared")).toMatchObject([{ kind: "title", count: 2, documentId: "docs:a.md" }]);
    expect(await ask(open, "shared", { collections: ["more"] })).toMatchObject([
      { text: "Shared start", kind: "heading", count: 1, nodeId: "more:b.md#n1" },
    ]);
    expect(await ask(all, "step")).toMatchObject([{ text: "Steps", count: 3 }]);
    expect((await textsFor(all, "sta")).sort()).toEqual(["Secret start", "Shared start"]);
    expect(await textsFor(all, "sta", { collections: ["docs", "more"] })).toEqual(["Shared start"]);
  });

  it("is one wave cold, with the titles, and none where a chunk is in memory", async () => {
    const { reader, index, next } = await (await buildLarge()).open();
    expect(index.root.shards[0]?.tables.suggestions.entries.length).toBeGreaterThan(10);
    const cold = await suggest(reader, { query: "page w", limit: 8, collections: [] });
    // The pointer is a wave of its own.
    expect(cold.cost.waves).toBe(2);
    expect(cold.cost.reads).toBeLessThanOrEqual(5);
    expect(cold.suggestions).toHaveLength(8);
    const warm = await suggest(next(), { query: "page w", limit: 8, collections: [] });
    expect(warm.cost).toMatchObject({ waves: 0, bytes: 0 });
    expect(warm.suggestions).toEqual(cold.suggestions);
    const further = await suggest(next(), { query: "about w1", limit: 8, collections: [] });
    expect(further.cost.waves).toBe(1);
    expect(further.cost.bytes).toBeLessThan(12_000);
  });

  it("reads no table of titles where that is large or a page asks, and gives the same", async () => {
    const built = await buildLarge();
    for (const query of ["page w", "about w1", "pgae w1"]) {
      const whole = await suggest((await built.open()).reader, { query, limit: 8, collections: [] });
      const { index, source } = await built.open();
      const large = new IndexReader({ ...index, wholeTableLimits: { titles: 0, facets: 0, files: 0 } });
      const sparing = new IndexReader({ ...index, cache: new LruCache(0) }, ["public"], { residency: "shown" });
      for (const reader of [large, sparing]) {
        source.reset();
        const { suggestions } = await suggest(reader, { query, limit: 8, collections: [] });
        expect(suggestions).toEqual(whole.suggestions);
        expect(knownName(reader, 0, 0)).toBeUndefined();
        expect(source.rounds).toBeLessThanOrEqual(3);
      }
    }
  });

  it("gives the most frequent texts for a letter that thousands begin with", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [
        `p${n}.md`,
        `# Page ${n}\n\n## Part ${n % 7}\n\n## Particular case ${n}\n\n## Patterns\n\n## Paa ${n} first\n`,
      ]),
    );
    const opened = await (await buildPages({ ...pages, "top.md": "# Part\n" })).open();
    expect((await ask(opened, "part"))[0]).toMatchObject({ text: "Part", kind: "title" });
    const letter = await ask(opened, "p");
    expect(letter).toHaveLength(20);
    expect(letter[0]).toMatchObject({ text: "Part", kind: "title" });
    expect((await ask(opened, "pat"))[0]).toMatchObject({ text: "Patterns", count: 400 });
  });

  it("finds words behind runs of characters, whose bigrams are words too", async () => {
    const opened = await (await buildPages({ "a.md": "# Page\n\n## 日本語 日本語 alpha\n" })).open();
    for (const typed of ["日", "日本語 a", "alp"])
      expect(await textsFor(opened, typed)).toEqual(["日本語 日本語 alpha"]);
  });

  it("gives what a scan over all titles and headings gives", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyPages,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 30 }),
        async (pages, one, at, length) => {
          const built = await buildPages(pages);
          const texts = [...built.documents.values()].flatMap(({ title, sections }) => [
            title,
            ...sections.slice(1).map(([, heading]) => heading),
          ]);
          // Texts are found by their first words that carry a subject; the scan knows the same ones.
          const starts = new Map<string, Set<string>>();
          for (const text of texts) {
            const words = text.split(" ");
            const found = words.flatMap((word, n) => (n === 0 || !isStopWord(word) ? [words.slice(n).join(" ")] : []));
            starts.set(foldPhrase(text), new Set(found.slice(0, 3).map(foldPhrase)));
          }
          // Of a beginning that more phrases share than are read, only the best are given.
          fc.pre([...starts.values()].reduce((sum, { size }) => sum + size, 0) <= 60);
          const all = [...starts.values()].flatMap((set) => [...set]).sort();
          const text = all[one % all.length] ?? "";
          const typed = text.slice(0, 1 + (at % length)).trim();
          const expected = [...starts].filter(([, set]) => [...set].some((start) => start.startsWith(typed)));
          const found = (await ask(await built.open(), typed, { limit: 300 })).map((one) => foldPhrase(one.text));
          expect(found).toEqual(expect.arrayContaining(expected.map(([phrase]) => phrase)));
          for (const phrase of found) {
            const words = phrase.split(" ");
            expect(
              foldPhrase(typed)
                .split(" ")
                .every((part) => words.some((word) => word.includes(part))),
            ).toBe(true);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
