import { describe, expect, it } from "vitest";
import { suggestionEntries } from "../../../indexer/index/word-tables.ts";
import { textOfKey } from "../../../src/core/bytes/key.ts";
import { decodeSuggestions, type SuggestionEntry } from "../../../src/core/format/suggestions.ts";
import { buildCollections, buildPages, type Pages } from "../../support/build-index.ts";

async function tableOf(pages: Pages): Promise<Map<string, SuggestionEntry[]>> {
  const { documents } = await buildPages(pages);
  return new Map(
    [...suggestionEntries(documents.values())].map(({ key, value }) => {
      const text = textOfKey(key);
      return [text, decodeSuggestions(text, value)];
    }),
  );
}

const place = (document: number, more: object = {}) => ({
  collection: 0,
  count: 1,
  document,
  ordinal: 0,
  anchor: "",
  ...more,
});

describe("suggestionEntries", () => {
  it("enters a text under its phrase and at its further words, but not at stop words", async () => {
    const table = await tableOf({ "a.md": "# How to use the Router\n\n## Using it with `getServerSideProps`\n" });
    expect([...table.keys()].sort()).toEqual([
      "getserversideprops",
      "how to use the router",
      "router",
      "serversideprops",
      "sideprops",
      "using it with getserversideprops",
    ]);
    expect(table.get("router")).toEqual([{ text: "How to use the Router", kind: "heading", places: [place(0)] }]);
  });

  it("gives words behind a long identifier their place", async () => {
    const table = await tableOf({ "a.md": "# unstable_getServerSideStaticProps reference page" });
    expect(table.has("reference page")).toBe(true);
    expect(table.has("page")).toBe(true);
  });

  it("counts one text for all its writings, and takes the best: a title, else the heading that is least deep", async () => {
    const table = await tableOf({
      "a.md": "# One\n\n## Part\n\n### Quick-start\n\n### Quick start\n",
      "b.md": "# Two\n\n## Quick Start\n\n## Part {#own}\n",
      "c.md": "# Part\n\n## Part\n",
    });
    expect(table.get("quick start")).toEqual([
      { text: "Quick Start", kind: "heading", places: [place(1, { ordinal: 1, count: 3 })] },
    ]);
    // The page's own title, repeated as its first heading, counts once.
    expect(table.get("part")).toEqual([{ text: "Part", kind: "heading", places: [place(2, { count: 3 })] }]);
  });

  it("keeps anchors that are not the slug of the text", async () => {
    const table = await tableOf({ "a.md": "# A\n\n## Plain text\n\n## Own anchor {#mine}\n\n## ¿?\n" });
    const anchorOf = (key: string): string | undefined => table.get(key)?.[0]?.places[0]?.anchor;
    expect(anchorOf("plain text")).toBe("");
    expect(anchorOf("own anchor")).toBe("mine");
    expect([...table.keys()].every((key) => key !== "")).toBe(true);
  });

  it("lists a place for each collection", async () => {
    const { documents } = await buildCollections([
      { name: "old", pages: { "a.md": "# A\n\n## Steps\n\n## Steps\n" } },
      { name: "new", pages: { "a.md": "# B\n\n# Steps\n" } },
    ]);
    const entry = [...suggestionEntries(documents.values())].find(({ key }) => key === "steps");
    expect(decodeSuggestions("steps", entry?.value ?? new Uint8Array())[0]?.places).toEqual([
      place(1, { collection: 1, ordinal: 1 }),
      place(0, { ordinal: 1, count: 2 }),
    ]);
  });

  it("bounds the texts of a key, titles first, then what begins so, then what is frequent", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`${n}.md`, `# Page ${n}\n\n## About${n} overview\n\n## Overview${n}\n`]),
    );
    const table = await tableOf({ ...pages, "x.md": "# Overview\n", "y.md": "# Y\n\n## About3 overview\n" });
    const texts = table.get("overview") ?? [];
    expect(texts).toHaveLength(20);
    expect(texts[0]?.text).toBe("Overview");
    expect(texts[1]).toMatchObject({ text: "About3 overview", places: [{ count: 2 }] });
  });

  it("makes a key of each beginning that many phrases share, and of the longest where several share the same", async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [`${n}.md`, `# ${n % 2 === 0 ? "Configure" : "Connect"} x${n}y\n`]),
    );
    const table = await tableOf(pages);
    expect(table.get("con")).toHaveLength(20);
    for (const key of ["c", "co", "conf", "configure"]) expect(table.has(key), key).toBe(false);
    const more = await tableOf({ ...pages, "z.md": "# Cache\n" });
    expect(more.has("c")).toBe(true);
    expect(more.get("con")).toEqual(table.get("con"));
    expect((await tableOf(Object.fromEntries(Object.entries(pages).slice(0, 60)))).has("con")).toBe(false);
  });

  it("cuts long headings where nobody reads on, and keeps their anchor", async () => {
    const heading = "Very long words in a row ".repeat(10).trim();
    const table = await tableOf({ "a.md": `# A\n\n## ${heading}\n` });
    const [key, texts] = [...table].find(([text]) => text.startsWith("very")) ?? [];
    expect(key?.length).toBeLessThanOrEqual(48);
    expect(texts?.[0]?.text).toMatch(/^Very long .*…$/);
    expect(texts?.[0]?.text.length).toBeLessThanOrEqual(120);
    expect(texts?.[0]?.places[0]?.anchor).toBe(heading.toLowerCase().replaceAll(" ", "-"));
  });

  it("gives the same table whatever the order of the documents", async () => {
    const { documents } = await buildPages({
      "a.md": "# One\n\n## Steps\n\n## Quick start\n",
      "b.md": "# Two\n\n## Steps\n\n# Quick Start\n",
    });
    const all = [...documents.values()];
    expect([...suggestionEntries(all.toReversed())]).toEqual([...suggestionEntries(all)]);
  });

  it("gives keys in their order, beginnings among them", async () => {
    const phrases = Array.from({ length: 90 }, (_, n) => `## se${String.fromCodePoint(0xfb00 + n)} ${n}`);
    const further = ["## s", "## se", "## se\u{10400}x", "## se\u{10401}y", "## sé", "## ser"];
    const { documents } = await buildPages({ "a.md": `# One\n\n${[...phrases, ...further].join("\n\n")}\n` });
    const keys = [...suggestionEntries(documents.values())].map(({ key }) => key);
    expect(keys).toEqual([...new Set(keys)].sort());
    expect(keys.filter((key) => key === "se")).toHaveLength(1);
  });
});
