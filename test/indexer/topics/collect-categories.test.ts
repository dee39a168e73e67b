import { describe, expect, it } from "vitest";
import { NO_CATEGORIES, type WrittenCategory } from "../../../indexer/config/topic-files.ts";
import { collectCategories } from "../../../indexer/topics/categories.ts";
import { CATEGORY_SOURCES, type CategorySource } from "../../../src/core/format/topics.ts";

type CategorizedDocument = Parameters<typeof collectCategories>[1][number];

function written(name: string, more: Partial<WrittenCategory> = {}): WrittenCategory {
  return { name, aliases: [], description: "", parent: "", related: [], line: 1, ...more };
}

function page(
  path: string,
  names: readonly string[] = [],
  more: Partial<CategorizedDocument> = {},
): CategorizedDocument {
  return { collection: "docs", path, description: "", names, ...more };
}

/** Categories as `name < parent`, and of each document the names of its categories. */
function collect(
  own: readonly WrittenCategory[],
  documents: readonly CategorizedDocument[],
  from: readonly CategorySource[] = CATEGORY_SOURCES,
) {
  const given = { ...NO_CATEGORIES, categories: own, from };
  const { categories, ofDocument, diagnostics } = collectCategories(given, documents);
  return {
    tree: categories.map(({ name, parent }) => (parent === undefined ? name : `${name} < ${parent.name}`)),
    ids: categories.map(({ id }) => id),
    of: ofDocument.map((list) => list.map(({ name }) => name)),
    diagnostics: diagnostics.map(({ code, line, path }) => `${path}:${line} ${code}`),
    messages: diagnostics.map(({ message }) => message),
    categories,
  };
}

describe("collectCategories", () => {
  it("calls folders by their last segment, without ordering numbers, below the folder above", () => {
    const { tree, ids, of } = collect([], [page("a.md"), page("01-getting-started/02_first_steps/x.md")]);
    expect(tree).toEqual(["docs", "first steps < getting started", "getting started < docs"]);
    expect(ids).toEqual(["docs", "first-steps", "getting-started"]);
    expect(of).toEqual([["docs"], ["first steps"]]);
  });

  it("joins what several sources call alike, and says which these are", () => {
    const { categories, of } = collect(
      [written("guide")],
      [page("a.md", ["Guide"], { collection: "guide" }), page("b.md", ["tip"], { collection: "guide" })],
    );
    expect(categories.map(({ name, sources }) => [name, [...sources].sort()])).toEqual([
      ["guide", ["file", "folder", "frontmatter"]],
      ["tip", ["frontmatter"]],
    ]);
    expect(of).toEqual([["guide"], ["tip", "guide"]]);
  });

  it("makes categories of the sources that count alone; what lies in a folder of their names is in them all the same", () => {
    const documents = [page("recipes/a.md", ["fast"]), page("src/b.ts", [], { package: "web" })];
    const named = [written("recipes"), written("web")];
    expect(collect(named, documents, ["file", "frontmatter"])).toMatchObject({
      tree: ["fast", "recipes", "web"],
      of: [["fast", "recipes"], ["web"]],
    });
    expect(collect([], documents, ["frontmatter"])).toMatchObject({ tree: ["fast"], of: [["fast"], []] });
    expect(collect([], documents, ["package"])).toMatchObject({ tree: ["web"], of: [[], ["web"]] });
  });

  it("tells folders of one name apart by as much of their path as it takes", () => {
    const { tree } = collect([], [page("app/guides/x.md"), page("pages/guides/y.md"), page("guides/z.md")]);
    expect(tree).toEqual([
      "app < docs",
      "app/guides < app",
      "docs",
      "docs/guides < docs",
      "pages < docs",
      "pages/guides < pages",
    ]);
    expect(collect([], [page("docs/x.md")]).tree).toEqual(["docs", "docs/docs < docs"]);
  });

  it("makes one category of equal names, whatever their source, case and separators", () => {
    const own = [written("Getting Started", { id: "7", aliases: ["intro"] })];
    const documents = [page("getting_started/x.md", ["INTRO", "other"]), page("y.md", ["getting-started"])];
    const { tree, ids, of } = collect(own, documents);
    expect(tree).toEqual(["Getting Started < docs", "docs", "other"]);
    expect(ids).toEqual(["7", "docs", "other"]);
    expect(of).toEqual([
      ["Getting Started", "other"],
      ["Getting Started", "docs"],
    ]);
  });

  it("takes folders of one name for what was written down under it", () => {
    const { tree } = collect([written("guides")], [page("app/guides/x.md"), page("pages/guides/y.md")]);
    expect(tree).toEqual(["app < docs", "docs", "guides < app", "pages < docs"]);
  });

  it("keeps what is written of parents above what folders say, and describes folders by their index page", () => {
    const own = [written("routing", { parent: "ARCHITECTURE" }), written("architecture", { description: "How" })];
    const documents = [page("app/routing/index.md", [], { description: "Where requests go" })];
    const { tree, categories } = collect(own, documents);
    expect(tree).toEqual(["app < docs", "architecture", "docs", "routing < architecture"]);
    expect(categories.map(({ description }) => description)).toEqual(["", "How", "", "Where requests go"]);
  });

  it("says what cannot be followed, and loses no category for it", () => {
    const own = [
      written("a", { parent: "b", line: 2 }),
      written("b", { parent: "c", line: 3 }),
      written("c", { parent: "a", line: 4 }),
      written("d", { parent: "missng", related: ["a", "no such"], line: 5 }),
      written("e", { parent: "e", aliases: ["x", "a"], line: 6 }),
      written("f", { aliases: ["X"], line: 7 }),
      written("A", { description: "again", aliases: ["first"], line: 8 }),
      written("missing"),
    ];
    const { tree, diagnostics, messages, categories } = collect(own, [page("p.md", ["first", "x"])]);
    expect(tree).toEqual(["a < b", "b < c", "c", "d", "docs", "e", "f", "missing"]);
    expect(diagnostics).toEqual([
      "categories.json:8 duplicate-category",
      "categories.json:6 shared-alias",
      "categories.json:7 shared-alias",
      "categories.json:4 category-cycle",
      "categories.json:5 missing-parent",
      "categories.json:6 category-cycle",
      "categories.json:5 missing-category",
    ]);
    expect(messages.join("\n")).toContain('there is no category "missng"; did you mean "missing"?');
    expect(messages).toContain('"c" moves to the top level: "a" is below it, which would form a cycle');
    expect(messages).toContain('"e" moves to the top level: a category cannot be its own parent');
    expect(categories.find(({ name }) => name === "a")?.aliases).toEqual(["first"]);
    expect(categories.find(({ name }) => name === "d")?.related.map(({ name }) => name)).toEqual(["a"]);
  });

  it("takes a package for its folder, or for a category below its collection", () => {
    const code = { collection: "code" };
    const { tree, of } = collect(
      [],
      [
        page("src/core/a.ts", [], { ...code, package: "src/core" }),
        page("src/b.ts", [], { ...code, package: "@acme/tools" }),
      ],
    );
    expect(tree).toEqual(["@acme/tools < code", "code", "core < src", "src < code"]);
    expect(of).toEqual([["core"], ["src", "@acme/tools"]]);
  });

  it("leaves a folder that a package is called like where it is", () => {
    const code = { collection: "code" };
    const { tree, of } = collect(
      [written("ui", { parent: "parts" }), written("parts")],
      [
        page("src/lib/a.ts", [], { ...code, package: "lib" }),
        page("src/b.ts", [], { ...code, package: "docs" }),
        page("src/c.ts", [], { ...code, package: "ui" }),
        page("src/d.ts", [], { ...code, package: "tools" }),
        page("guide.md"),
      ],
    );
    expect(tree).toEqual(["code", "docs", "lib < src", "parts", "src < code", "tools < code", "ui < parts"]);
    expect(of).toEqual([["lib"], ["src", "docs"], ["src", "ui"], ["src", "tools"], ["docs"]]);
  });

  it("takes names that nobody would write as they come", () => {
    const names = [
      "__proto__",
      "constructor",
      "",
      "  ",
      "---",
      "a\u0000b",
      "\u202Eevil",
      "x".repeat(500),
      "日本語",
      "C++",
    ];
    const { tree, ids } = collect(
      [],
      [page(`${"deep/".repeat(40)}x.md`, names), page("01-/y.md"), page("__proto__/z.md")],
    );
    expect(tree).toEqual(expect.arrayContaining(["__proto__ < docs", "constructor", "ab", "evil", "日本語", "C++"]));
    for (const character of ["\u0000", "\u202E"]) expect(tree.join()).not.toContain(character);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id !== "" && id.length <= 200)).toBe(true);
  });
});
