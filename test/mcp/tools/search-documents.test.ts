import { describe, expect, it } from "vitest";
import { ask, askJson, askPages } from "./handbook.ts";

interface Result {
  readonly id: string;
  readonly url: string;
  readonly sections: readonly { readonly nodeId: string; readonly heading: string; readonly text?: string }[];
}

function resultsOf(json: Readonly<Record<string, unknown>>): readonly Result[] {
  return json.results as readonly Result[];
}

describe("search_documents", () => {
  it("shows the best document with lines, heading path, node id, address and marked excerpt", async () => {
    const { texts } = await ask("search_documents", { query: "behind a proxy" });
    expect(texts[1]).toContain("docs:guide/install.md (1 section) Install Lantern");
    expect(texts[1]).toContain(
      "  @20-23 Linux > Behind a proxy #linux/behind-a-proxy https://example.org/docs/guide/install#behind-a-proxy\n" +
        "    Set **`HTTP_PROXY`** before",
    );
  });

  it("leaves the collection out of ids where there is only one", async () => {
    const { texts } = await ask("search_documents", { query: "proxy" });
    expect(texts[1]).toMatch(/^docs:guide/);
  });

  it("says that a query holds no word, and that operators were taken as text", async () => {
    for (const query of ["?!", '"" -', "🚀"]) {
      expect((await ask("search_documents", { query })).texts[0]).toContain("holds no word to search for");
    }
    for (const query of ["proxy", "-proxy", "category:recipe"]) {
      expect((await ask("search_documents", { query })).texts[0]).not.toContain("holds no word");
    }
    const exclusion = { query: "-proxy" };
    expect((await ask("search_documents", exclusion)).texts[0]).toContain("dashes, OR and NOT were taken as text");
    expect(await askJson("search_documents", exclusion)).toMatchObject({ operatorsAsText: true });
    expect((await ask("search_documents", { query: "lamp -proxy" })).texts[0]).not.toContain("taken as text");
  });

  it("reaches every document once by its cursors, in the order of one long page", async () => {
    for (const sort of ["relevance", "path", "title", "words"]) {
      const call = { query: "lamp", sort, max_tokens: 6000 };
      const pages = await askPages("search_documents", { ...call, limit: 3 });
      const ids = pages.flatMap((page) => resultsOf(page).map(({ id }) => id));
      const [whole] = await askPages("search_documents", { ...call, limit: 50, max_tokens: 6000 });
      expect(ids).toHaveLength(20);
      expect(new Set(ids).size).toBe(20);
      expect(ids).toEqual(resultsOf(whole ?? {}).map(({ id }) => id));
    }
  });

  it("reaches every document once where the budget ends pages before their limit", async () => {
    const pages = await askPages("search_documents", { query: "lamp", limit: 50, max_tokens: 400 });
    expect(pages.length).toBeGreaterThan(3);
    const ids = pages.flatMap((page) => resultsOf(page).map(({ id }) => id));
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it("narrows by collection, document and facets, and excludes with not", async () => {
    const search = async (given: Record<string, unknown>): Promise<readonly string[]> =>
      resultsOf(await askJson("search_documents", { query: "install", max_tokens: 6000, ...given })).map(
        ({ id }) => id,
      );
    expect(await search({ collection: "notes" })).toEqual(["notes:meetings.md"]);
    expect(await search({ doc_id: "guide/install.md" })).toEqual(["docs:guide/install.md"]);
    expect(await search({ filters: { tags: ["linux", "setup"] } })).toEqual(["docs:guide/install.md"]);
    expect(await search({ filters: { tags: "setup", category: "reference" } })).toEqual([]);
    expect(await search({ filters: { not: { collection: "docs" } } })).toEqual(["notes:meetings.md"]);
  });

  it("shows facets that would narrow more than a page of results, and all counts in JSON", async () => {
    const { text } = await ask("search_documents", { query: "lamp", limit: 5 });
    expect(text).toMatch(/Facets of all 20: .*category: recipe 14/);
    expect((await ask("search_documents", { query: "proxy" })).text).not.toContain("Facets");
    const { facetCounts } = await askJson("search_documents", { query: "lamp", limit: 1, max_tokens: 6000 });
    expect(facetCounts).toMatchObject({ category: { recipe: 14 }, has_code: { true: 1, false: 19 } });
  });

  it("names words that no document holds", async () => {
    expect((await ask("search_documents", { query: "lamp wombat" })).texts[0]).toContain("No document holds: wombat.");
    expect((await askJson("search_documents", { query: "lamp wombat", limit: 1 })).missingWords).toEqual(["wombat"]);
  });

  it("says what to try where nothing is found: other words, or no filters where those are the reason", async () => {
    const nothing = await ask("search_documents", { query: "wombat" });
    expect(nothing.text).toContain("Found 0 documents");
    expect(nothing.text).toContain("Try other or fewer words");
    expect(nothing.text).toContain("list_documents shows what there is (type: example 14");
    const filtered = await ask("search_documents", { query: "proxy", filters: { category: "recipe" } });
    expect(filtered.text).toContain("Found without collection, doc_id and filters: 1 document.");
  });

  it("gives whole sections in place of excerpts with include_content", async () => {
    const { texts } = await ask("search_documents", { query: "behind a proxy", include_content: true });
    expect(texts[1]).toContain("```\n### Behind a proxy\n\nSet `HTTP_PROXY` before the install;");
    const [first] = resultsOf(await askJson("search_documents", { query: "behind a proxy", include_content: true }));
    expect(first?.sections[0]?.text).toMatch(/^### Behind a proxy\n\nSet `HTTP_PROXY`/);
  });

  it("cuts the last of these sections at the end of a line and says how much is left", async () => {
    const { text } = await ask("search_documents", { query: "version 3", include_content: true, max_tokens: 700 });
    expect(text).toMatch(/change\.\n```\n {2}\(\d+ lines of this section left\)/);
  });

  it("quotes a long query shortly", async () => {
    const { texts } = await ask("search_documents", { query: "lamp ".repeat(399) });
    expect(texts[0]?.length).toBeLessThan(160);
  });

  it("answers in the shape of the HTTP route", async () => {
    const answer = await askJson("search_documents", { query: "proxy", max_tokens: 6000 });
    expect(Object.keys(answer)).toEqual([
      "total",
      "results",
      "facetCounts",
      "missingWords",
      "unusedWords",
      "correction",
      "generation",
    ]);
    expect(resultsOf(answer)[0]).toMatchObject({
      path: "guide/install.md",
      url: "https://example.org/docs/guide/install",
      meta: {},
      sections: [{ excerpt: expect.stringContaining("<mark>HTTP_PROXY</mark>"), plainExcerpt: expect.any(String) }],
    });
  });
});
