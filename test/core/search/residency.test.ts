import { beforeAll, describe, expect, it } from "vitest";
import { IndexReader } from "../../../src/core/index/index-reader.ts";
import type { SearchAnswer, SearchRequest } from "../../../src/core/search/answer.ts";
import { makeSearchRequest } from "../../../src/core/search/answer.ts";
import { search } from "../../../src/core/search/search.ts";
import { type BuiltIndex, buildCollections, type OpenReader } from "../../support/build-index.ts";

const KINDS = ["guide", "faq", "reference"];
const PAGES = Object.fromEntries(
  Array.from({ length: 90 }, (_, at) => [
    `pages/${at}.md`,
    `---\ntype: ${KINDS[at % 3]}\n---\n# Page ${at}\n\nThe server of part ${at} has a cache.\n\n## Installing ${at % 5}\n\n` +
      `Install it with the instrument${at % 9 === 0 ? " and a ladder" : ""}.\n`,
  ]),
);
const QUERIES: readonly (readonly [string, Partial<SearchRequest>])[] = [
  ["install server", {}],
  ["ladder", { limit: 3, excerpts: 0 }],
  ["page 7", { offset: 5 }],
  ["instal", { asYouType: true }],
  ["laddr", {}],
  ["ladde", { asYouType: true }],
  ["servr laddr", { asYouType: true }],
  ['"with the instrument"', {}],
  ["-ladder instrument", {}],
  ["type:faq ladder", {}],
  ["type:faq", {}],
  ["title:7 cache", {}],
  ["path:pages/1 cache", { withFacetCounts: true }],
  ["cache", { sort: "title" }],
  ["cache", { filter: { include: { type: ["guide"] }, exclude: {} }, withFacetCounts: true }],
  ["cache", { documentId: "docs:pages/3.md", explain: true }],
  ["cache", { collections: ["docs"] }],
  ["nothing at all", {}],
  ["", {}],
];

let built: BuiltIndex;

beforeAll(async () => {
  built = await buildCollections([
    { name: "docs", pages: PAGES },
    { name: "notes", access: "staff", pages: { "a.md": "# Ladder\n\nThe ladder of the staff's cache.\n" } },
  ]);
});

/** Ask as a reader of a residency does that has nothing in memory. */
async function ask(
  residency: "whole" | "shown",
  query: string,
  changes: Partial<SearchRequest>,
  groups: readonly string[] | "all" = ["public"],
): Promise<{ answer: SearchAnswer; opened: OpenReader }> {
  const opened = await built.open(groups);
  const reader = new IndexReader(opened.index, groups, { residency });
  return { answer: await search(reader, makeSearchRequest(query, changes)), opened };
}

describe("a reader that reads what it shows", () => {
  it("reads a text of each page, others as many as they are asked for, spread over the pages or not", async () => {
    const parts = ["One", "Two"].map((name) => `## ${name}\n\nA lamp stands here.\n`).join("\n");
    const pages = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}.md`, `# Page ${at}\n\n${parts}`]));
    const { index } = await (await buildCollections([{ name: "docs", pages }])).open();
    const readOf = async (residency: "whole" | "shown", changes: Partial<SearchRequest>): Promise<string[]> => {
      const reader = new IndexReader(index, ["public"], { residency });
      const { hits } = await search(reader, makeSearchRequest("lamp", { limit: 10, excerpts: 4, ...changes }));
      return hits.flatMap(({ sections }, at) =>
        sections.filter(({ excerpt }) => excerpt.length > 0).map((_, rank) => `${at}.${rank}`),
      );
    };
    expect(await readOf("whole", {})).toEqual(["0.0", "0.1", "1.0", "1.1"]);
    expect(await readOf("whole", { isSpread: true })).toEqual(["0.0", "1.0", "2.0", "3.0"]);
    expect(await readOf("shown", {})).toHaveLength(10);
  });

  it("finds the same documents in the same order with the same names as one that reads tables whole", async () => {
    for (const groups of [["public"], "all"] as const) {
      for (const [query, changes] of QUERIES) {
        const { answer: whole } = await ask("whole", query, changes, groups);
        const { answer: shown } = await ask("shown", query, changes, groups);
        const names = ({ hits }: SearchAnswer) =>
          hits.map(({ id, title, url, score, isFallback, sections, explanation }) => {
            const parts = sections.map((section) => ({ ordinal: section.ordinal, score: section.score }));
            return { id, title, url, score, isFallback, explanation, parts };
          });
        expect(names(shown), query).toEqual(names(whole));
        const rest = ({ hits: _, cost: __, ...others }: SearchAnswer) => others;
        expect(rest(shown), query).toEqual(rest(whole));
      }
    }
  });

  it("shows the same excerpts as one that reads tables whole, where each document is to have one", async () => {
    const changes = { limit: 8, excerpts: 10, isSpread: true };
    const [{ answer: whole }, { answer: shown }] = [
      await ask("whole", "install server cache", changes),
      await ask("shown", "install server cache", changes),
    ];
    const excerptsOf = ({ hits }: SearchAnswer) => hits.map(({ sections }) => sections.map(({ excerpt }) => excerpt));
    expect(excerptsOf(whole)).toEqual(excerptsOf(shown));
    expect(excerptsOf(whole).map((excerpts) => excerpts.filter(({ length }) => length > 0).length)).toEqual([
      ...[2, 2],
      ...Array.from({ length: 6 }, () => 1),
    ]);
  });

  it("shows one section of each document, then the further ones of the first", async () => {
    const parts = ["One", "Two", "Three"].map((name) => `## Beacon ${name}\n\nThe beacon is lit.\n`).join("\n");
    const { open } = await buildCollections([
      { name: "docs", pages: { "a.md": `# A\n\n${parts}`, "b.md": `# B\n\n${parts}` } },
    ]);
    const { index } = await open();
    const reader = new IndexReader(index, ["public"], { residency: "shown" });
    const { hits } = await search(reader, makeSearchRequest("beacon", { limit: 2, excerpts: 4 }));
    expect(hits.map(({ sections }) => sections.map(({ excerpt }) => excerpt.length > 0))).toEqual([
      [true, true, true],
      [true, false, false],
    ]);
  });

  it("finds as many longer words for a beginning as one that reads tables whole, and fewer while somebody types", async () => {
    const words = Array.from({ length: 300 }, (_, at) => `beacon${String.fromCharCode(97 + (at % 26))}${at}`);
    const pages = Object.fromEntries(words.map((word, at) => [`${at}.md`, `# Page ${at}\n\nThe ${word} is lit.\n`]));
    const many = await buildCollections([{ name: "docs", pages }], { target: 256, maxDirectory: 1 << 16 });
    const count = async (residency: "whole" | "shown", asYouType: boolean): Promise<number> => {
      const { index } = await many.open();
      const reader = new IndexReader(index, ["public"], { residency });
      return (await search(reader, makeSearchRequest("beacon", { asYouType }))).totalDocuments;
    };
    const [settled, typed] = [await count("whole", false), await count("whole", true)];
    expect(typed).toBeLessThan(settled);
    expect([await count("shown", false), await count("shown", true)]).toEqual([settled, typed]);
  });

  it("shows some text of every document, the best section's first, and more where more is asked", async () => {
    const { answer } = await ask("shown", "install server", { limit: 8, excerpts: 5 });
    expect(answer.hits).toHaveLength(8);
    for (const { sections } of answer.hits) {
      expect(sections[0]?.excerpt.some(({ marked }) => marked)).toBe(true);
      expect(sections[0]?.heading).not.toBe("");
    }
    const { answer: bare } = await ask("shown", "install server", { limit: 8, excerpts: 0 });
    expect(bare.hits.flatMap(({ sections }) => sections.flatMap(({ excerpt }) => excerpt))).toEqual([]);
    expect(bare.hits.map(({ title }) => title)).toEqual(answer.hits.map(({ title }) => title));
  });

  it("reads neither titles nor facets for plain words, facets alone to filter or count, titles alone to sort", async () => {
    const tablesOf = async (query: string, changes: Partial<SearchRequest>): Promise<readonly string[]> => {
      const { opened } = await ask("shown", query, changes, "all");
      return (["titles", "facets"] as const).filter((table) => opened.next().recall(`${table}/0`) !== undefined);
    };
    expect(await tablesOf("install server", {})).toEqual([]);
    expect(await tablesOf("laddr", {})).toEqual([]);
    expect(await tablesOf("cache", { withFacetCounts: true })).toEqual(["facets"]);
    expect(await tablesOf("cache", { filter: { include: { type: ["faq"] }, exclude: {} } })).toEqual(["facets"]);
    expect(await tablesOf("type:faq cache", {})).toEqual(["facets"]);
    expect(await tablesOf("title:page cache", {})).toEqual(["titles"]);
    expect(await tablesOf("cache", { sort: "title" })).toEqual(["titles"]);
    expect(await tablesOf("type:faq", {})).toEqual(["titles", "facets"]);
  });

  it("names facets of hits where it counts them, whatever earlier answers left in memory", async () => {
    const opened = await built.open();
    const facetsOf = async (changes: Partial<SearchRequest>) => {
      const reader = new IndexReader(opened.index, ["public"], { residency: "shown" });
      return (await search(reader, makeSearchRequest("cache", changes))).hits[0]?.facets;
    };
    expect(await facetsOf({})).toEqual({});
    expect(await facetsOf({ withFacetCounts: true })).toMatchObject({ collection: ["docs"] });
    expect(await facetsOf({})).toEqual({});
  });

  it("reads one block a document, however many sections it lists", async () => {
    const { answer } = await ask("shown", "install server cache", { limit: 6, excerpts: 5 });
    expect(answer.cost.waves).toBe(2);
    expect(answer.hits.some(({ sections }) => sections.length > 1)).toBe(true);
  });
});
