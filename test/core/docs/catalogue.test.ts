import { beforeAll, describe, expect, it } from "vitest";
import {
  checkCollection,
  findNearestDocuments,
  isBelow,
  listDocumentNames,
  listDocuments,
} from "../../../src/core/docs/catalogue.ts";
import { NO_FILTER } from "../../../src/core/docs/model.ts";
import { InputError } from "../../../src/core/errors.ts";
import { type BuiltIndex, buildCollections, buildPages } from "../../support/build-index.ts";

const PAGES = {
  "index.md": "# Home\n\nStart.",
  "guide/install.md":
    "---\ntags: [setup]\n---\n# Install\n\nA few words more than the others have, to be the longest of all.",
  "guide/use.md": "---\ntags: [daily]\n---\n# Use it\n\nSome words.",
  "guides.md": "# All guides\n\nSome.",
};

type ListRequest = Parameters<typeof listDocuments>[1];

function list(more: Partial<ListRequest> = {}): ListRequest {
  return { query: "", collection: "", folder: "", filter: NO_FILTER, sort: "path", offset: 0, limit: 100, ...more };
}

describe("the catalogue", () => {
  let built: BuiltIndex;

  beforeAll(async () => {
    built = await buildCollections([
      { name: "docs", pages: PAGES },
      { name: "blog", pages: { "install.md": "# Installing again\n\nWords." } },
    ]);
  });

  async function idsOf(more: Partial<ListRequest>): Promise<string[]> {
    return (await listDocuments((await built.open()).reader, list(more))).documents.map(({ id }) => id);
  }

  it("lists every document, in order of ids", async () => {
    expect(await idsOf({})).toEqual([
      "blog:install.md",
      "docs:guide/install.md",
      "docs:guide/use.md",
      "docs:guides.md",
      "docs:index.md",
    ]);
  });

  it("selects by words of title and path, by collection, by folder and by facets", async () => {
    expect(await idsOf({ query: "INSTALL" })).toEqual(["blog:install.md", "docs:guide/install.md"]);
    expect(await idsOf({ query: "guide use" })).toEqual(["docs:guide/use.md"]);
    expect(await idsOf({ query: "nothing like it" })).toEqual([]);
    expect(await idsOf({ collection: "blog" })).toEqual(["blog:install.md"]);
    expect(await idsOf({ folder: "guide" })).toEqual(["docs:guide/install.md", "docs:guide/use.md"]);
    expect(await idsOf({ filter: { include: { tags: ["setup", "daily"] }, exclude: { tags: ["daily"] } } })).toEqual([
      "docs:guide/install.md",
    ]);
  });

  it("sorts by title and by length", async () => {
    expect(await idsOf({ sort: "title", collection: "docs" })).toEqual([
      "docs:guides.md",
      "docs:index.md",
      "docs:guide/install.md",
      "docs:guide/use.md",
    ]);
    expect((await idsOf({ sort: "words" }))[0]).toBe("docs:guide/install.md");
  });

  it("gives pages that are disjoint and together everything, with the whole count on each", async () => {
    const { reader } = await built.open();
    const seen: string[] = [];
    for (let offset = 0; offset < 6; offset += 2) {
      const page = await listDocuments(reader, list({ offset, limit: 2 }));
      expect(page.total).toBe(5);
      seen.push(...page.documents.map(({ id }) => id));
    }
    expect(seen).toEqual(await idsOf({}));
    expect((await listDocuments(reader, list({ offset: 99 }))).documents).toEqual([]);
  });

  it("counts facets of the selection and of everything", async () => {
    const { reader } = await built.open();
    const { facetCounts, catalogueFacetCounts } = await listDocuments(reader, list({ folder: "guide", limit: 1 }));
    expect(facetCounts["tags"]).toEqual({ daily: 1, setup: 1 });
    expect(facetCounts["collection"]).toEqual({ docs: 2 });
    expect(catalogueFacetCounts["collection"]).toEqual({ docs: 4, blog: 1 });
  });

  it("costs a wave for the names and one for the documents of the page", async () => {
    const { reader, source, next } = await built.open();
    await listDocuments(reader, list());
    expect(source.rounds).toBe(2);
    source.reset();
    await listDocuments(next(), list({ sort: "title" }));
    expect(source.rounds).toBe(0);
  });

  it("names all documents out of the resident tables", async () => {
    const { reader, source } = await built.open();
    const names = await listDocumentNames(reader);
    expect(names.map(({ id, title }) => [id, title])).toContainEqual(["docs:guide/use.md", "Use it"]);
    expect(names).toHaveLength(5);
    expect(names.every(({ words }) => words > 0)).toBe(true);
    expect(source.rounds).toBe(1);
  });

  it("finds documents that a wrong id may have meant", async () => {
    const nearest = async (wrong: string): Promise<string[]> =>
      findNearestDocuments((await built.open()).reader, wrong, 3);
    expect((await nearest("docs:guide/instal.md"))[0]).toBe("docs:guide/install.md");
    expect((await nearest("blog:guide/use.md"))[0]).toBe("docs:guide/use.md");
    expect(await nearest("install.md")).toEqual(["blog:install.md", "docs:guide/install.md"]);
    expect((await nearest("docs:setup/use.md"))[0]).toBe("docs:guide/use.md");
    expect(await nearest("xyzzy")).toEqual([]);
    expect(await nearest("")).toEqual([]);
  });

  it("refuses a collection that is not there with those that are", async () => {
    const { reader } = await built.open();
    checkCollection(reader, "docs");
    for (const wrong of ["dosc", "zzz", ""]) expect(() => checkCollection(reader, wrong)).toThrow(InputError);
  });

  it("shows a reader no document, name, count or facet of a group that it may not see", async () => {
    const both = await buildCollections([
      { name: "docs", pages: PAGES },
      { name: "plans", access: "staff", pages: { "secret.md": "---\ntags: [hidden]\n---\n# Secret" } },
    ]);
    const alone = await buildPages(PAGES);
    const seen = await listDocuments((await both.open()).reader, list());
    expect(seen).toEqual(await listDocuments((await alone.open()).reader, list()));
    expect(JSON.stringify(seen)).not.toContain("hidden");
    const { reader } = await both.open();
    expect((await listDocumentNames(reader)).map(({ collection }) => collection)).not.toContain("plans");
    expect(await findNearestDocuments(reader, "plans:secret.md", 5)).toEqual([]);
    expect(() => checkCollection(reader, "plans")).toThrow(InputError);
    expect((await listDocuments((await both.open(["staff"])).reader, list())).documents.map(({ id }) => id)).toEqual([
      "plans:secret.md",
    ]);
  });
});

describe("isBelow", () => {
  it("is about folders, not about beginnings of names", () => {
    expect(isBelow("guide/use.md", "guide")).toBe(true);
    expect(isBelow("guides.md", "guide")).toBe(false);
    expect(isBelow("guide", "guide")).toBe(false);
    expect(isBelow("a.md", "")).toBe(true);
  });
});
