import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExcerptPart } from "../../../src/core/search/answer.ts";
import { firstChoice, isToldApart, labelOf, listRows, markWords } from "../../../src/web/box/answer-rows.ts";
import type { FoundPage, FoundSection } from "../../../src/web/client/search-client.ts";
import { chooseDirectives } from "../../../src/web/text-fragment.ts";
import { runs } from "../../support/runs.ts";

const section = (changes: Partial<FoundSection>): FoundSection => ({
  nodeId: "docs:a.md#x",
  url: "/a#x",
  heading: "X",
  headingPath: ["A", "X"],
  excerpt: [{ text: "x", marked: true }],
  score: 1,
  ...changes,
});

const textOf = (parts: readonly ExcerptPart[]): string => parts.map(({ text }) => text).join("");

const page = (changes: Partial<FoundPage>): FoundPage => ({
  id: "docs:a.md",
  url: "/a",
  title: "A",
  description: "About a",
  collection: "docs",
  path: "a.md",
  meta: {},
  facets: {},
  score: 2,
  sections: [],
  ...changes,
});

describe("listRows", () => {
  it("puts sections below their page, and what the page itself says into its own row", () => {
    const top = section({ nodeId: "docs:a.md", heading: "A", excerpt: [{ text: "top", marked: true }] });
    const rows = listRows(page({ sections: [section({}), top] }));
    expect(rows.map(({ title, url }) => [textOf(title), url])).toEqual([
      ["A", "/a"],
      ["X", "/a#x"],
    ]);
    expect(rows[0]?.excerpt).toEqual([{ text: "top", marked: true, isCode: false }]);
    expect(rows[0]?.section).toBeUndefined();
  });

  it("knows the first part of a page by its number, too", () => {
    expect(listRows(page({ sections: [section({ nodeId: "docs:a.md#n0" })] }))).toHaveLength(1);
  });

  it("says what a page is about where nothing else is shown of it", () => {
    const about = [{ text: "About a", marked: false, isCode: false }];
    expect(listRows(page({}))[0]?.excerpt).toEqual(about);
    expect(listRows(page({ sections: [section({ excerpt: [] })] }))[0]?.excerpt).toEqual(about);
    expect(listRows(page({ sections: [section({})] }))[0]?.excerpt).toEqual([]);
    const [own] = listRows(page({ description: "About `a` and ` b" }));
    expect(own?.excerpt.map(({ text, isCode }) => [text, isCode])).toEqual([
      ["About ", false],
      ["a", true],
      [" and ` b", false],
    ]);
  });

  it("marks, where it leads, the heading of a section that nothing else of was found", () => {
    const plain = [{ text: "Something else.", marked: false }];
    const rows = listRows(page({ sections: [section({ heading: "The X", excerpt: plain }), section({})] }));
    expect(rows[1]?.excerpt).toMatchObject(plain);
    expect(rows.map(({ marks }) => marks.filter(({ marked }) => marked).map(({ text }) => text))).toEqual([
      [],
      ["The X"],
      ["x", "X"],
    ]);
  });

  it("marks, where it leads, the words of the query in the title that its excerpt has not", () => {
    const excerpt = [
      { text: "A ", marked: false },
      { text: "middleware", marked: true },
      { text: " `of ", marked: false },
      { text: "middleware", marked: true },
      { text: "`", marked: false },
    ];
    const top = section({ nodeId: "docs:a.md", heading: "JWT Auth Middleware", excerpt });
    const [own] = listRows(page({ title: "JWT Auth Middleware", sections: [top] }), true, "jwt middleware");
    expect(own?.title.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("")).toBe(
      "[JWT] Auth [Middleware]",
    );
    const starts = chooseDirectives(own?.marks ?? []).map(({ prefix, start, suffix }) => [prefix, start, suffix]);
    expect(starts).toEqual([
      ["A", "middleware", "of middleware"],
      ["", "JWT", "Auth Middleware"],
      ["A middleware of", "middleware", ""],
    ]);
  });

  it("shows where a page is that others are called like", () => {
    const twin = page({ id: "docs:b.md", path: "b.md" });
    const found = { facetCounts: {}, pages: [page({}), twin, page({ title: "Other" })] };
    expect(found.pages.map((one) => isToldApart(one, found))).toEqual([false, false, true]);
    expect(listRows(twin, false)[0]?.above).toEqual(["b.md"]);
    // Versions tell them apart already.
    const versions = { version: { "1": 1, "2": 1 } };
    const pages = ["1", "2"].map((version) => page({ facets: { version: [version] } }));
    expect(pages.map((one) => isToldApart(one, { facetCounts: versions, pages }))).toEqual([true, true]);
  });

  it("shows headings between page and section, without the title that stands above", () => {
    const aboveOf = (headingPath: string[], heading = "X"): readonly string[] | undefined =>
      listRows(page({ sections: [section({ headingPath, heading })] }))[1]?.above;
    expect(aboveOf(["A", "X"])).toEqual([]);
    expect(aboveOf(["A", "A", "Y", "X"])).toEqual(["Y"]);
    expect(aboveOf(["Y", "X"])).toEqual(["Y"]);
    expect(aboveOf([])).toEqual([]);
    expect(aboveOf(["A"], "A")).toEqual([]);
  });

  it("leaves out sections whose heading was not read, and stands in for what a page lacks", () => {
    expect(listRows(page({ sections: [section({ heading: "" })] }))).toHaveLength(1);
    const [own] = listRows(page({ title: "", url: "", sections: [section({})] }));
    expect(textOf(own?.title ?? [])).toBe("a.md");
    expect(own?.url).toBe("/a#x");
  });
});

describe("firstChoice", () => {
  const rows = listRows(page({ title: "Über Caching", sections: [section({}), section({ nodeId: "docs:a.md#y" })] }));

  it("is the page whose title has all the words", () => {
    expect(firstChoice(rows, "caching")).toBe(0);
    expect(firstChoice(rows, "cach uber")).toBe(0);
  });

  it("is the section whose heading is about the query", () => {
    const images = section({ heading: "Images", nodeId: "docs:a.md#images" });
    expect(firstChoice(listRows(page({ title: "Über Caching", sections: [images] })), "image")).toBe(1);
    const limits = section({ heading: "Optimizing remote images", nodeId: "docs:a.md#remote" });
    expect(firstChoice(listRows(page({ title: "Über Caching", sections: [limits] })), "optimize remote image")).toBe(1);
  });

  it("is the section whose text answers where no heading has the words", () => {
    expect(firstChoice(rows, "waits drawn at random")).toBe(1);
    expect(firstChoice(rows, "caching headers of answers")).toBe(1);
  });

  it("is the page where a heading only mentions a word, or has no more of them than the title", () => {
    for (const [title, heading, query] of [
      ["Internationalization", "Limits for the i18n config", "i18n"],
      ["Lazy Loading", "Skipping SSR when loading", "ssr"],
      ["How to set up Jest", "Optional: Extend Jest with custom matchers", "testing with jest"],
    ] as const) {
      const rows = listRows(page({ title, sections: [section({ heading, nodeId: "docs:a.md#z" })] }));
      expect(firstChoice(rows, query), query).toBe(0);
    }
  });

  it("is the page where its own first part is the best, and where nothing else is", () => {
    const top = section({ nodeId: "docs:a.md" });
    expect(firstChoice(listRows(page({ sections: [top, section({})] })), "images")).toBe(0);
    expect(firstChoice(listRows(page({})), "images")).toBe(0);
    expect(firstChoice([], "images")).toBe(0);
  });
});

describe("labelOf", () => {
  it("is empty where all pages are of one collection and version", () => {
    expect(labelOf(page({}), { pages: [page({})], facetCounts: { collection: { docs: 3 } } })).toBe("");
  });

  it("names what tells pages apart", () => {
    const facetCounts = { collection: { docs: 3, blog: 1 }, version: { "1": 2, "2": 2 } };
    expect(labelOf(page({ facets: { version: ["2"] } }), { pages: [], facetCounts })).toBe("docs 2");
    expect(labelOf(page({}), { pages: [page({ collection: "blog" })], facetCounts: {} })).toBe("docs");
  });
});

describe("markWords", () => {
  const marked = (title: string, query: string): string =>
    markWords(title, query)
      .map(({ text, marked }) => (marked ? `[${text}]` : text))
      .join("");

  it("marks beginnings of words, in any case", () => {
    expect(marked("Caching and the cache", "cach")).toBe("[Cach]ing and the [cach]e");
    expect(marked("The useRouter hook", "router hook")).toBe("The use[Router] [hook]");
    expect(marked("The outer loop", "router uter")).toBe("The outer loop");
  });

  it("marks accented letters, and any place in scripts without blanks", () => {
    expect(marked("Le Cafe\u0301 et le café", "cafe")).toBe("Le [Cafe\u0301] et le [café]");
    expect(marked("Über uns", "über")).toBe("[Über] uns");
    expect(marked("日本語の検索", "検索")).toBe("日本語の[検索]");
  });

  it("marks the longest of several words that stand at a place", () => {
    expect(marked("caching", "cach caching")).toBe("[caching]");
  });

  it("takes nothing for an expression", () => {
    expect(marked("What (is) a.b?", "( .* [a-z] \\ ?")).toBe("What (is) [a].b?");
  });

  it("keeps every character of any title", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (title, query) => {
        expect(
          markWords(title, query)
            .map(({ text }) => text)
            .join(""),
        ).toBe(title);
      }),
      { numRuns: runs(200) },
    );
  });
});
