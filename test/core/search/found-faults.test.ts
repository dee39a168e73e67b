/** Faults that were found by use, each as the test that shows it. */
import { describe, expect, it } from "vitest";
import type { NO_FILTER } from "../../../src/core/docs/model.ts";
import { search } from "../../../src/core/search/search.ts";
import { toSearchJson } from "../../../src/surface/render/search-text.ts";
import { buildCollections, buildPages } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";

describe("faults that were found", () => {
  it("keeps every page of a word whose stem is a stop word", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\nDeep wells number ${n}.\n`]),
    );
    const { reader } = await (await buildPages(pages)).open();
    expect((await search(reader, ask("wells"))).totalDocuments).toBe(300);
  });

  it("stores a stop word in its short form though its stem is another word", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\nBecause of ${n}.\n`]),
    );
    const { reader } = await (await buildPages(pages)).open();
    expect((await search(reader, ask("because"))).totalDocuments).toBe(256);
  });

  it("names the lines of a long introduction for a match far into it", async () => {
    const filler = Array.from({ length: 12 }, (_, n) => `${`Filler sentence number ${n} goes on. `.repeat(20)}\n`).join(
      "\n",
    );
    const { reader } = await (
      await buildPages({ "a.md": `# A\n\n${filler}\nHere is a wombat.\n\n## End\n\nx\n` })
    ).open();
    const { hits } = await search(reader, ask("wombat"));
    const [section] = hits[0]?.sections ?? [];
    expect(section).toMatchObject({ nodeId: "docs:a.md", startLine: 1 });
    expect(section?.endLine).toBeGreaterThan(20);
    expect(section?.excerpt.some(({ marked }) => marked)).toBe(true);
  });

  it("gives the page's own address to sections whose text was not read", async () => {
    const pages = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`p${n}.md`, `# Page ${n}\n\nA lamp.\n`]));
    const built = await buildCollections([{ name: "docs", baseUrl: "https://example.org/", pages }]);
    const { reader } = await built.open();
    const { results } = toSearchJson(await search(reader, ask("lamp")), { ownUrl: () => "https://worker/" });
    expect(JSON.stringify(results)).not.toContain("https://worker/");
  });

  it("says nothing of a group that the caller may not see", async () => {
    const built = await buildCollections([
      { name: "open", pages: { "a.md": "---\nteam: web\n---\n# A\n\nLamp.\n" } },
      { name: "closed", access: "staff", pages: { "b.md": "---\nsalary_band: high\n---\n# B\n\nLamp.\n" } },
    ]);
    const { reader } = await built.open(["public"]);
    const answer = await search(reader, ask("lamp", { withFacetCounts: true }));
    expect(answer.totalDocuments).toBe(1);
    const told = JSON.stringify([answer, reader.generation, reader.collections, reader.facetKeys]);
    expect(told).not.toMatch(/salary|staff|closed/);
    expect(reader.generation.documents).toBe(1);
  });
});

describe("facets with the names of properties that every object has", () => {
  it("are indexed, counted and filtered like any other", async () => {
    const { reader } = await (
      await buildPages({ "a.md": "---\nconstructor: steel\n---\n# A\n\nLamp.\n", "b.md": "# B\n\nLamp.\n" })
    ).open();
    const filter = { include: { constructor: ["steel"] }, exclude: {} } as unknown as typeof NO_FILTER;
    const answer = await search(reader, ask("lamp", { filter, withFacetCounts: true }));
    expect(answer.hits.map(({ path }) => path)).toEqual(["a.md"]);
    expect(Object.entries(answer.facetCounts).find(([key]) => key === "constructor")?.[1]).toEqual({ steel: 1 });
  });

  it("that do not exist are refused by name", async () => {
    const { reader } = await (await buildPages({ "a.md": "# A\n\nLamp.\n" })).open();
    const filter = { include: { valueOf: ["x"] }, exclude: {} } as unknown as typeof NO_FILTER;
    await expect(search(reader, ask("lamp", { filter }))).rejects.toThrow("valueOf");
  });
});
