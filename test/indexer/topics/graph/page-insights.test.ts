import { describe, expect, it } from "vitest";
import { resolveLinks } from "../../../../indexer/link/links.ts";
import { graphOfCollection, makePageGraph, type PageGraph } from "../../../../indexer/topics/graph/link-graph.ts";
import type { Pages } from "../../../support/build-index.ts";
import { graphSettings, pageInsight } from "../../../support/linked-files.ts";
import { preparePages } from "../../../support/prepare-pages.ts";

const SETTINGS = graphSettings();
const NAMES = ["docs", "notes"];

/** The graph of pages whose first folder is their collection. */
function graphOf(pages: Pages, ignore: readonly string[] = []): PageGraph {
  const documents = preparePages(pages).map((document) => {
    const [name = "", ...rest] = document.path.split("/");
    return { ...document, collection: NAMES.indexOf(name), path: rest.join("/") };
  });
  const collectionName = ({ collection }: { readonly collection: number }): string => NAMES[collection] ?? "";
  const sources = documents.map((document) => ({
    collection: collectionName(document),
    baseUrl: "",
    root: collectionName(document),
    document,
  }));
  return makePageGraph({ documents, collectionName, links: resolveLinks(sources).links }, graphSettings({ ignore }));
}

const PAGES: Pages = {
  "docs/index.md":
    "# Start\n\n[A](a.md), [A once more](a.md#part), [B](b.md), [here](#start), [web](https://example.org)\n",
  "docs/a.md": "# A\n\n## Part\n\n[back](index.md), [gone](gone.md), [gone](gone.md), [no part](b.md#nowhere)\n",
  "docs/b.md": "# B\n",
  "docs/lone.md": "# Lone\n\n[self](lone.md)\n",
  "notes/readme.md": "# Notes\n\n[b](../docs/b.md)\n",
  "notes/old.md": "# Old\n",
};

describe("insights into pages", () => {
  it("count pages and each link from page to page once", () => {
    expect(pageInsight("pageMetrics", graphOf(PAGES), SETTINGS)).toEqual({ pageCount: 6, linkCount: 4 });
  });

  it("name the most linked pages, ties by PageRank", () => {
    const { items } = pageInsight("linkHubs", graphOf(PAGES), SETTINGS);
    expect(items.map(({ id, fanIn, fanOut }) => [id, fanIn, fanOut])).toEqual([
      ["docs:index.md", 1, 2],
      ["docs:b.md", 2, 0],
      ["docs:a.md", 1, 1],
      ["notes:readme.md", 0, 1],
    ]);
  });

  it("name pages that no other links to, but not those where readers begin", () => {
    expect(pageInsight("unlinkedPages", graphOf(PAGES), SETTINGS).items).toEqual(["docs:lone.md", "notes:old.md"]);
  });

  it("name links that lead to no page or section, each destination of a page once", () => {
    expect(pageInsight("brokenLinks", graphOf(PAGES), SETTINGS).items).toEqual([
      { id: "docs:a.md", href: "b.md#nowhere" },
      { id: "docs:a.md", href: "gone.md" },
    ]);
  });

  it("are cut where there are many, and say how many there are", () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`docs/p${n}.md`, "# P\n\n[x](gone.md)\n"]));
    expect(pageInsight("unlinkedPages", graphOf(many), SETTINGS)).toMatchObject({ limit: 50, total: 70 });
    expect(pageInsight("brokenLinks", graphOf(many), SETTINGS).items).toHaveLength(50);
  });

  it("cut long destinations", () => {
    const [link] = pageInsight(
      "brokenLinks",
      graphOf({ "docs/a.md": `# A\n\n[x](${"x".repeat(500)}.md)\n` }),
      SETTINGS,
    ).items;
    expect(link?.href).toBe(`${"x".repeat(200)}…`);
  });

  it("are those of one collection, in which use from elsewhere is use", () => {
    const docs = graphOfCollection(graphOf(PAGES), "docs");
    expect(pageInsight("pageMetrics", docs, SETTINGS)).toEqual({ pageCount: 4, linkCount: 3 });
    const onlyB = graphOfCollection(
      graphOf({ "docs/b.md": "# B\n", "notes/x.md": "# X\n\n[b](../docs/b.md)\n" }),
      "docs",
    );
    expect(pageInsight("unlinkedPages", onlyB, SETTINGS).items).toEqual([]);
    expect(pageInsight("pageMetrics", onlyB, SETTINGS)).toEqual({ pageCount: 1, linkCount: 0 });
  });

  it("leave out what the settings ignore", () => {
    expect(pageInsight("pageMetrics", graphOf(PAGES, ["old.md", "lone.md"]), SETTINGS)).toMatchObject({ pageCount: 4 });
  });
});
