import { describe, expect, it } from "vitest";
import { countPages, findPages, type PagesRequest } from "../../../src/core/search/find-pages.ts";
import { readPages } from "../../../src/core/search/read-pages.ts";
import { type BuiltIndex, buildCollections, buildPages } from "../../support/build-index.ts";

const ALL: PagesRequest = {
  query: undefined,
  filter: {},
  added: {},
  language: "",
  sort: undefined,
  withCounts: false,
  ranking: {},
  typing: false,
};

async function titles(built: BuiltIndex, changes: Partial<PagesRequest>): Promise<string[]> {
  const { next } = await built.open();
  const { generation, pages, terms } = await findPages(next(), { ...ALL, ...changes });
  const keys = pages.map(({ key }) => key);
  const read = await readPages(next(), { generation, keys, terms, clean: (text) => text });
  return read.map(({ title }) => title).sort();
}

describe("pages in a language", () => {
  const page = (title: string, lang: string): string => `---\nlang: ${lang}\n---\n# ${title}\n\nText.\n`;
  const pages = {
    "a.md": page("A", "en"),
    "b.md": page("B", "fr"),
    "c.md": page("C", "pt-br"),
    "d.md": page("D", "fr"),
  };

  it.each<[string, string[]]>([
    ["", ["A", "B", "C", "D"]],
    ["en", ["A"]],
    ["en-gb", ["A"]],
    ["pt", ["C"]],
    ["pt-br", ["C"]],
    ["de", ["B", "D"]],
  ])("are, for a reader of a page in %j, %j", async (language, expected) => {
    const built = await buildPages(pages);
    expect(await titles(built, { language })).toEqual(expected);
    const { reader } = await built.open();
    const { color } = await countPages(reader, { added: { color: ["red"] }, language });
    expect(color).toEqual({ red: expected.length });
  });

  it("are those of unknown language where only others are known", async () => {
    const built = await buildPages({ ...pages, "e.md": "# E\n\nText.\n" });
    expect(await titles(built, { language: "de" })).toEqual(["E"]);
    expect(await titles(built, { language: "fr" })).toEqual(["B", "D"]);
  });

  it("are all where no page says one", async () => {
    const built = await buildPages({ "a.md": "# A\n\nText.\n", "b.md": "# B\n\nText.\n" });
    expect(await titles(built, { language: "fr" })).toEqual(["A", "B"]);
  });
});

describe("facets that are called as members of every object are", () => {
  const NAMES = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];

  it("counted, found and shown like others", async () => {
    const built = await buildPages(
      Object.fromEntries(NAMES.map((name) => [`${name}.md`, `---\n${name}: x\ntags: ${name}\n---\n# ${name}\n`])),
    );
    const { next } = await built.open();
    const added = { tags: ["constructor"] };
    const counts = await countPages(next(), { added, language: "" });
    expect(Object.entries(counts.tags ?? {})).toEqual(
      [...NAMES].sort().map((name) => [name, name === "constructor" ? 5 : 1]),
    );
    const found = await findPages(next(), { ...ALL, added: {}, withCounts: true });
    for (const name of NAMES.filter((one) => Object.hasOwn(counts, one))) {
      expect(Object.getOwnPropertyDescriptor(counts, name)?.value).toEqual({ x: 1 });
      expect(Object.getOwnPropertyDescriptor(found.counts?.all, name)?.value).toEqual({ x: 1 });
      expect(await titles(built, { filter: { [name]: "x" } })).toEqual([name]);
    }
    expect(Object.keys(counts)).toEqual(expect.arrayContaining(["constructor", "toString", "valueOf"]));
  });
});

describe("pages that were found", () => {
  it("take one wave of reads for their words, one for their texts and one for what they say of themselves, however many are read", async () => {
    const built = await buildPages(
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.md`, `# Page ${at}\n\nA lamp ${at}.\n`])),
    );
    const { source, next } = await built.open();
    source.reset();
    const { generation, pages, terms } = await findPages(next(), { ...ALL, query: "lamp" });
    expect([pages.length, source.rounds]).toEqual([9, 1]);
    source.reset();
    await readPages(next(), { generation, keys: pages.map(({ key }) => key), terms, clean: (text) => text });
    expect(source.rounds).toBe(2);
  });

  it("are not read with keys of another generation, or of no page", async () => {
    const { next, index } = await (await buildPages({ "a.md": "# A\n\nText.\n" })).open();
    const read = { terms: [], clean: (text: string): string => text };
    const generation = index.generation.id;
    await expect(readPages(next(), { ...read, generation: "gone", keys: ["0.0"] })).rejects.toThrow(/published anew/);
    for (const key of ["0.1", "9.0", "", "x", "0.0.0", "zzzzzz.zzzzzz"]) {
      await expect(readPages(next(), { ...read, generation, keys: [key] })).rejects.toThrow(/There is no page/);
    }
  });

  it("are counted by facets with names of properties that every object has", async () => {
    const built = await buildPages({
      "a.md": "---\nconstructor: ada\nvalueOf: [x, y]\n---\n# A\n\nText.\n",
      "b.md": "---\nconstructor: ada\n---\n# B\n\nText.\n",
    });
    const { next } = await built.open();
    const counts = await countPages(next(), { added: { valueOf: ["x"] } as never, language: "" });
    expect(Object.entries(counts)).toEqual(
      expect.arrayContaining([
        ["constructor", { ada: 2 }],
        ["valueOf", { x: 2, y: 1 }],
      ]),
    );
    expect(await titles(built, { filter: { constructor: "ada", valueOf: "x" } })).toEqual(["A"]);
  });

  it("are read up to a bound, and the beginning in any case", async () => {
    const sections = Array.from({ length: 40 }, (_, at) => `## Part ${at}\n\n${`Words of part ${at}. `.repeat(30)}\n`);
    const { next, index } = await (await buildPages({ "a.md": `# A\n\n${sections.join("\n")}` })).open();
    const read = { terms: [], clean: (text: string): string => text, generation: index.generation.id, keys: ["0.0"] };
    const [whole] = await readPages(next(), read);
    const [some] = await readPages(next(), { ...read, maxBytes: 600 });
    expect(whole?.anchors).toHaveLength(40);
    expect(some?.anchors.length).toBeGreaterThan(0);
    expect(some?.anchors.length).toBeLessThan(20);
    expect(some?.wordCount).toBeGreaterThan(some?.words.length ?? 0);
  });

  it("are found by a phrase and a filter together, however far down they stand", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 90 }, (_, at) => [
        `${at}.md`,
        `# Page ${at}\n\nAn exact phrase, exact phrase, stands here.\n`,
      ]),
    );
    const rare = `---\ntags: rare\n---\n# Rare\n\n${"Many other words. ".repeat(60)}An exact phrase.\n`;
    const built = await buildPages({
      ...pages,
      "z.md": rare,
      "y.md": "---\ntags: rare\n---\n# None\n\nExact. A phrase.\n",
    });
    expect(await titles(built, { query: '"exact phrase"', filter: { tags: "rare" } })).toEqual(["Rare"]);
    const { reader } = await built.open();
    const found = await findPages(reader, { ...ALL, query: '"exact phrase"', filter: { tags: "rare" } });
    expect([found.pages.length, found.unfiltered]).toEqual([1, 50]);
  });

  it("have keys that do not tell which groups there are beside those that the caller sees", async () => {
    const page = { "a.md": "# A\n\nText.\n" };
    const built = await buildCollections([
      { name: "board", access: "board", pages: page },
      { name: "docs", pages: page },
      { name: "plans", access: "plans", pages: page },
    ]);
    const keysOf = async (groups: readonly string[]): Promise<string[]> =>
      (await findPages((await built.open(groups)).reader, ALL)).pages.map(({ key }) => key);
    for (const group of ["public", "board", "plans"]) expect(await keysOf([group])).toEqual(["0.0"]);
    const all = ["public", "board", "plans"];
    expect((await keysOf(all)).sort()).toEqual(["0.0", "1.0", "2.0"]);
    const { reader } = await built.open(["public"]);
    const read = { generation: reader.index.generation.id, terms: [], clean: (text: string): string => text };
    await expect(readPages(reader, { ...read, keys: ["1.0"] })).rejects.toThrow(/There is no page/);
  });
});
