import { describe, expect, it } from "vitest";
import { deflateRaw, inflateRaw } from "../../../indexer/base/codec.ts";
import { type CollectionConfig, defaultConfig } from "../../../indexer/config/config.ts";
import { CONTINUATION } from "../../../src/core/format/locator.ts";
import { FIRST_TEXT_UNIT } from "../../../src/core/format/postings.ts";
import { decodeBlock, sealBlock, type TextBlock } from "../../../src/core/format/text-block.ts";
import { stopListOf } from "../../../src/core/text/analyze.ts";
import { preparePage } from "../../support/build-index.ts";

const [CONFIG] = defaultConfig().collections as [CollectionConfig];

function prepare(text: string, path = "a.md") {
  return preparePage({ number: 7, collection: 0, path }, CONFIG, text);
}

/** The blocks of a prepared page, read back. */
async function readBlocks(text: string, path = "a.md"): Promise<TextBlock[]> {
  const { blocks } = prepare(text, path);
  const units = blocks.map(async (bytes) =>
    bytes.length === 0 ? [] : decodeBlock(FIRST_TEXT_UNIT, sealBlock(FIRST_TEXT_UNIT, bytes, deflateRaw), inflateRaw),
  );
  return (await Promise.all(units)).flat();
}

const filler = (words: number): string => Array.from({ length: words }, (_, n) => `w${n}`).join(" ");

describe("prepareParsed", () => {
  it("analyses in the language of the collection, and notes the acronyms that the page explains", () => {
    const text = "# Die Häuser\n\nWir nutzen single sign-on (SSO).";
    const page = preparePage({ number: 0, collection: 0, path: "x.md" }, { ...CONFIG, language: "german" }, text);
    expect(page.inverted.terms).toContain("haus");
    expect(page.inverted.terms).toContain("häuser");
    expect(page.inverted.lengths.title).toBe(2);
    expect(page.inverted.terms).toContain(stopListOf("die"));
    expect(page.inverted.flags[page.inverted.terms.indexOf("häuser")]).toBe(0);
    expect(prepare(text).inverted.terms).not.toContain("haus");
    expect(page.acronyms).toEqual([{ acronym: "SSO", expansion: "single sign on" }]);
  });

  it("gives every section its row and every unit its code", () => {
    const page = prepare(
      `---\ntitle: Guide\ndescription: About it\n---\n\nIntro.\n\n## Long\n\n${filler(700)}\n\n### Deep\n`,
    );
    expect(page).toMatchObject({ title: "Guide", description: "About it", lines: 12, skip: 43 });
    expect(page.sections.map(([level, title, parent, slug]) => [level, title, parent, slug])).toEqual([
      [0, "Guide", -1, ""],
      [2, "Long", 0, "long"],
      [3, "Deep", 1, "deep"],
    ]);
    const units = page.sections.map((row) => row[11]);
    expect(units).toEqual([1, 4, 1]);
    expect(page.unitCodes.length).toBe(6);
    expect(Array.from(page.unitCodes, (code) => (code & CONTINUATION) !== 0)).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(page.blocks).toHaveLength(6);
  });

  it("puts the file into blocks that say where they are", async () => {
    const text = `# Guide\n\nIntro.\n\n## Long\n\n${filler(1500)}\n\n### Deep\n\nEnd. 😀\r\n`;
    const blocks = await readBlocks(text);
    expect(blocks.map((block) => block.text).join("")).toBe(text);
    for (const block of blocks) expect(block).toMatchObject({ path: "a.md", title: "Guide" });
    const sections = blocks.map(({ ancestors, section }) => [...ancestors, section].map(({ slug }) => slug));
    // Every piece of a section names it.
    expect(sections.slice(1, -1).every((slugs) => slugs.join("/") === "long")).toBe(true);
    expect(sections.length).toBeGreaterThan(5);
    expect(sections.at(-1)).toEqual(["long", "deep"]);
    expect(blocks[0]?.section).toEqual({ level: 0, title: "", slug: "", anchor: "", startLine: 1, endLine: 4 });
  });

  it("keeps frontmatter that fits, whatever its keys are called", () => {
    const { meta, facets } = prepare('---\n__proto__: {a: 1}\nconstructor: x\n"a\\0b": y\nlist: [1, two, null]\n---\n');
    expect(Object.entries(meta)).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", "x"],
      ["a\u0000b", "y"],
      ["list", [1, "two", null]],
    ]);
    expect(facets["constructor"]).toEqual(["x"]);
    // A NUL separates key and value in the table of facets.
    expect(Object.keys(facets).filter((key) => key.includes("\u0000"))).toEqual([]);
    expect(JSON.stringify(prepare(`---\nlong: ${"x".repeat(10_000)}\nshort: y\n---\n`).meta)).toBe('{"short":"y"}');
  });

  it("refuses more sections than readers take, so that the page becomes plain text", () => {
    // Marks are no words: nothing is counted but the first number.
    const heading = `${"—".repeat(290)}`;
    const text = Array.from({ length: 9000 }, (_, n) => `## ${n}${heading}\n`).join("");
    expect(() => prepare(text)).toThrow("the page has 9001 sections");
  });

  it("leaves pages that people write as they are", () => {
    const text = Array.from(
      { length: 3000 },
      (_, n) => `## Version ${n}\n\n- Fixes [#${n}](https://example.org/${n})\n`,
    ).join("\n");
    const page = prepare(text);
    expect(page.sections).toHaveLength(3001);
    expect(page.links).toHaveLength(3000);
    expect(page.diagnostics).toEqual([]);
  });

  it("keeps a bounded number of links of a bounded length, and says so", () => {
    const many = prepare("[a](b.md) ".repeat(20_000));
    expect(many.links).toHaveLength(10_000);
    expect(many.diagnostics.map(({ code }) => code)).toEqual(["too-many-links"]);
    const long = prepare(`[a](${"x".repeat(5000)}) [b](c.md)`);
    expect(long.links.map(({ href }) => href)).toEqual(["c.md"]);
    expect(long.sections[0]?.[10]).toBe(1);
  });
});
