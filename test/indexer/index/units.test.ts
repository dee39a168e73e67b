import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutUnits, type Unit } from "../../../indexer/index/cut-units.ts";
import { parseMarkdown } from "../../../indexer/parse/markdown/parse.ts";
import type { ParsedDocument } from "../../../indexer/parse/parsed-document.ts";
import { countWords } from "../../../src/core/text/analyze.ts";
import { anyMarkdown } from "../../support/any-markdown.ts";
import { runs } from "../../support/runs.ts";

function unitsOf(text: string, path = "a.md"): { page: ParsedDocument; units: Unit[] } {
  const page = parseMarkdown({ path, text });
  return { page, units: cutUnits(page, text) };
}

function wordsOf(unit: Unit): number {
  return unit.texts.reduce((sum, { text }) => sum + countWords(text), 0);
}

const filler = (words: number, from = 0): string => Array.from({ length: words }, (_, n) => `w${from + n}`).join(" ");

/** What holds for the units of any page. */
function expectWhole(page: ParsedDocument, units: readonly Unit[], text: string): void {
  // One behind the other they are the file, character by character.
  expect(units.map(({ raw }) => raw).join("")).toBe(text);
  // Every section has its units, in order; the first of them continues nothing.
  expect(units.filter(({ continuation }) => !continuation).map(({ section }) => section)).toEqual(
    page.sections.map((_, at) => at),
  );
  for (const [at, unit] of units.entries()) {
    if (unit.continuation) expect(units[at - 1]?.section).toBe(unit.section);
    // No character is cut in two.
    expect(/[\ud800-\udbff]$|^[\udc00-\udfff]/.test(unit.raw)).toBe(false);
  }
}

describe("cutUnits", () => {
  it("gives a section that is not long one unit", () => {
    const { page, units } = unitsOf("# A\n\nOne.\n\n## B\n\nTwo.\n\n### C\n");
    expect(units.map(({ section, continuation, raw }) => [section, continuation, raw])).toEqual([
      [0, false, "# A\n\nOne.\n\n"],
      [1, false, "## B\n\nTwo.\n\n"],
      [2, false, "### C\n"],
    ]);
    expect(page.sections).toHaveLength(3);
  });

  it("gives an empty page one unit, and a page that begins with a heading an empty one for the root", () => {
    expect(unitsOf("").units).toEqual([{ section: 0, continuation: false, raw: "", texts: [] }]);
    const { units } = unitsOf("## B\n\nText.");
    expect(units.map(({ section, raw }) => [section, raw])).toEqual([
      [0, ""],
      [1, "## B\n\nText."],
    ]);
  });

  it("keeps frontmatter with the root's first unit", () => {
    const text = "---\ntitle: A\n---\n\nText.\n\n## B\n";
    expect(unitsOf(text).units[0]?.raw).toBe("---\ntitle: A\n---\n\nText.\n\n");
  });

  it("is the file again for any page, whatever its line ends", () => {
    fc.assert(
      fc.property(anyMarkdown({ long: true }), fc.constantFrom("a.md", "a.mdx"), (text, path) => {
        const { page, units } = unitsOf(text, path);
        expectWhole(page, units, text);
      }),
      { numRuns: runs(80) },
    );
  });

  it("is the file again for any characters", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 300 }),
        fc.array(fc.constantFrom("\n", "\r\n", "\r", "# ", "```", "\u2028", "\ufeff", " ")),
        (text, more) => {
          const mixed = [...text].flatMap((part, at) => [part, more[at % Math.max(1, more.length)] ?? ""]).join("");
          const { page, units } = unitsOf(mixed);
          expectWhole(page, units, mixed);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("cuts sections of more than 290 words between blocks into pieces of about 220", () => {
    const paragraphs = Array.from({ length: 20 }, (_, n) => filler(60, n * 60));
    const text = `## Long\n\n${paragraphs.join("\n\n")}\n`;
    const { page, units } = unitsOf(text);
    expectWhole(page, units, text);
    const pieces = units.filter(({ section }) => section === 1);
    expect(pieces.length).toBeGreaterThan(4);
    for (const piece of pieces) expect(wordsOf(piece)).toBeLessThanOrEqual(290);
    for (const piece of pieces.slice(0, -1)) expect(wordsOf(piece)).toBeGreaterThanOrEqual(120);
    for (const piece of pieces.slice(1))
      expect(paragraphs.some((paragraph) => piece.raw.startsWith(paragraph))).toBe(true);
    expect(unitsOf(`## Short\n\n${filler(290)}\n`).units).toHaveLength(2);
  });

  it("cuts a long block between lines, and a long line between words", () => {
    const code = Array.from({ length: 200 }, (_, n) => `call${n}(argument, other)`).join("\n");
    const fenced = unitsOf(`# A\n\n\`\`\`js\n${code}\n\`\`\`\n`);
    expect(fenced.units.length).toBeGreaterThan(2);
    for (const { raw, continuation } of fenced.units) if (continuation) expect(raw).toMatch(/^(call|```)/);
    const line = unitsOf(filler(2000));
    expect(line.units.length).toBeGreaterThan(6);
    for (const { raw } of line.units.slice(1)) expect(raw).toMatch(/^w\d/);
    expectWhole(line.page, line.units, filler(2000));
  });

  it("keeps all words of long blocks in the texts of their units", () => {
    const text = `# A\n\n${filler(3000)}\n`;
    const words = unitsOf(text).units.flatMap(({ texts }) => texts.flatMap((part) => part.text.match(/w\d+/g) ?? []));
    expect(words).toEqual(filler(3000).split(" "));
  });

  it.each([
    ["one word", "x".repeat(1_000_000)],
    ["words", "word ".repeat(200_000)],
    ["characters beyond the first plane", "😀".repeat(500_000)],
    ["signs", "-".repeat(1_000_000)],
    ["carriage returns", "a\r".repeat(500_000)],
    ["Chinese", "漢".repeat(1_000_000)],
  ])("cuts a million characters on one line: %s", (_, text) => {
    const { page, units } = unitsOf(text);
    expectWhole(page, units, text);
    expect(units.length).toBeLessThan(20_000);
    for (const unit of units) expect(wordsOf(unit)).toBeLessThanOrEqual(300 + 1000);
  });

  it("cuts what is not shown too, so that no unit is larger than a reader takes", () => {
    const text = `<!-- ${"hidden 😀 ".repeat(300_000)} -->\n\n## B\n\nText.\n`;
    const { page, units } = unitsOf(text);
    expectWhole(page, units, text);
    expect(Math.max(...units.map(({ raw }) => raw.length))).toBeLessThanOrEqual(1_000_000);
  });

  it("reads twenty thousand sections and twenty thousand blocks", () => {
    for (const line of ["## h\n", "a\n\n", "```js\nx\n```\n", "- a\n"]) {
      const text = line.repeat(20_000);
      const { page, units } = unitsOf(text);
      expectWhole(page, units, text);
    }
  });
});
