import { describe, expect, it } from "vitest";
import { ask, askJson, askPages, DOCUMENTS } from "./handbook.ts";

function idsOf(json: Readonly<Record<string, unknown>>): string[] {
  return (json.documents as { id: string }[]).map(({ id }) => id);
}

describe("list_documents", () => {
  it("gives every document a line: id, title, sections, words", async () => {
    const { texts } = await ask("list_documents");
    expect(texts[0]).toBe("Found 24 documents.");
    expect(texts[1]?.split("\n")).toHaveLength(DOCUMENTS);
    expect(texts[1]).toContain("docs:guide/install.md Install Lantern (6 sections, 73 words)");
  });

  it.each(["path", "title", "words"])("reaches every document once by its cursors, sorted by %s", async (sort) => {
    const ids = (await askPages("list_documents", { sort, limit: 5 })).flatMap(idsOf);
    expect(ids).toHaveLength(DOCUMENTS);
    expect(new Set(ids).size).toBe(DOCUMENTS);
    const tight = (await askPages("list_documents", { sort, limit: 100, max_tokens: 250 })).flatMap(idsOf);
    expect(tight).toEqual(ids);
  });

  it("finds by words of title and path, whatever their case", async () => {
    expect(idsOf(await askJson("list_documents", { query: "GUIDE install" }))).toEqual(["docs:guide/install.md"]);
    expect(idsOf(await askJson("list_documents", { query: "dim the fuse" }))).toEqual(["docs:recipes/recipe-05.md"]);
  });

  it("narrows by collection and facets", async () => {
    expect(idsOf(await askJson("list_documents", { collection: "notes" }))).toHaveLength(2);
    const setup = await askJson("list_documents", { filters: { tags: "setup", not: { tags: ["linux"] } } });
    expect(idsOf(setup)).toEqual(["docs:guide/configure.md"]);
  });

  it("counts facets of the selection and of the catalogue", async () => {
    const { text } = await ask("list_documents", { query: "recipe" });
    expect(text).toContain("Facets of all 24: type: example 14");
    const { facetCounts, catalogueFacetCounts } = await askJson("list_documents", { query: "install" });
    expect(facetCounts).toMatchObject({ category: { guide: 1 }, tags: { linux: 1, setup: 1 } });
    expect(catalogueFacetCounts).toMatchObject({ category: { recipe: 14, guide: 2 } });
    expect(await askJson("list_documents", {})).not.toHaveProperty("catalogueFacetCounts");
  });

  it("gives entries with facets and frontmatter in JSON", async () => {
    const { documents } = await askJson("list_documents", { query: "install" });
    expect(documents).toMatchObject([
      {
        id: "docs:guide/install.md",
        title: "Install Lantern",
        sections: 6,
        words: 73,
        url: "https://example.org/docs/guide/install",
        facets: { category: ["guide"], tags: ["setup", "linux"] },
      },
    ]);
  });

  it("says where else to look when nothing has the words in its title", async () => {
    expect((await ask("list_documents", { query: "quokkas" })).text).toContain("search_documents searches the texts");
  });
});
