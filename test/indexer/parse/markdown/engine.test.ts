/**
 * Tests of hostile pages: they are parsed without an error, in time, and keep their text.
 *
 * No test measures time; the runner's limit catches what grows faster than its input.
 */
import { describe, expect, it } from "vitest";
import { findPartitionFaults, parseMdxPage, parsePage, proseOf } from "./parsed.ts";

/** Enough for quadratic growth to outlast the runner's limit. */
const SIZE = 200_000;

function fill(piece: string, size = SIZE): string {
  return piece.repeat(Math.ceil(size / piece.length));
}

function wrap(open: string, close: string, times: number): string {
  return `${open.repeat(times)}a${close.repeat(times)}`;
}

const STAIRCASE = Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n");
const TAG_STAIRCASE = Array.from({ length: 1_000 }, (_, depth) => `${" ".repeat(depth)}<Tab>`).join("\n");
const WIDE_ROW = `${fill("|a", 400_000)}|\n${fill("|-", 400_000)}|\n${fill("|b", 400_000)}|\n`;

const HOSTILE: readonly (readonly [string, string])[] = [
  ["10,000 nested quotes", `${">".repeat(10_000)} a`],
  ["lines of 100 nested quotes", fill(`${">".repeat(100)} a\n`)],
  ["10,000 nested lists", `${"- ".repeat(10_000)}a`],
  ["a staircase of lists", STAIRCASE],
  ["a staircase of tags", TAG_STAIRCASE],
  ["10,000 nested brackets", wrap("[", "]", 10_000)],
  ["10,000 nested links", wrap("[", "](b)", 10_000)],
  ["10,000 nested images", wrap("![", "](b)", 10_000)],
  ["10,000 nested emphases", wrap("*a ", " b*", 10_000)],
  ["10,000 nested strong emphases", wrap("**", "**", 10_000)],
  ["10,000 nested footnotes", "[^a]: ".repeat(10_000)],
  ["one word of a million characters", fill("a", 1_000_000)],
  ["one line of a million characters", fill("word ", 1_000_000)],
  ["one line of a million characters of Markdown", fill("*word* `a` [b](c) ", 1_000_000)],
  ["a million spaces between two words", `a${fill(" ", 1_000_000)}b`],
  ["a million newlines", fill("\n", 1_000_000)],
  ["a million carriage returns", fill("\r", 1_000_000)],
  ["unclosed links", fill("[a](")],
  ["unclosed destinations", fill("[a](<b")],
  ["unclosed titles", fill('[a](b "')],
  ["unclosed brackets", fill("[")],
  ["unclosed images", fill("![")],
  ["unclosed references", fill("[a][")],
  ["unclosed lines of brackets", fill("[a\n")],
  ["links without end", fill("[a](b)")],
  ["unclosed emphasis", fill("**a *b _c ~~d ")],
  ["emphasis that never fits", fill("a**b_c*")],
  ["backticks", fill("`a``b```c ")],
  ["angle brackets", fill("<")],
  ["unclosed tags", fill('<a b="')],
  ["unclosed tags with braces", fill("<Tab b={")],
  ["unclosed tags with braces on lines", fill("<Tab b={\n")],
  ["unclosed components", fill("<Tab>\n")],
  ["components with text", fill("<Tab> x\n\n")],
  ["closing tags", fill("</Tab>\n")],
  ["a tag with endless attributes", `<Tab ${fill('a="b" ')}`],
  ["unclosed comments", fill("x <!-- ")],
  ["unclosed instructions", fill("x <? ")],
  ["unclosed CDATA", fill("x <![CDATA[ ")],
  ["unclosed braces", fill("{")],
  ["unclosed braces on lines", fill("{a\n")],
  ["unclosed comments in braces", fill("{/* ")],
  ["unclosed strings in braces", fill("{'a ")],
  ["unclosed exports", fill("export const a = {\n\n")],
  ["endless imports", fill("import a from 'b'\n\n")],
  ["unclosed headings in tags", fill("<div><h2>\n")],
  ["unclosed preformatted text", `<div>${fill("<pre>")}`],
  ["links in tags", fill('<a href="b">c ')],
  ["entities", fill("&amp;&#x41;&a")],
  ["backslashes", fill("\\")],
  ["a long table", `|a|b|\n|-|-|\n${fill("|c|d|\n")}`],
  ["a wide table", WIDE_ROW],
  ["a table of nothing but pipes", fill("|")],
  ["table after table", fill("|a|\n|-|\n")],
  ["setext headings", fill("a\n=\n")],
  ["a heading of a million characters", `# ${fill("a", 1_000_000)}`],
  ["a heading of open ids", `# a ${fill("{#b")}`],
  ["a heading with a million spaces", `# a${fill(" ", 1_000_000)}#`],
  ["thematic breaks", fill("---\n")],
  ["fences", fill("```\n")],
  ["fences in lists", fill("- ```\n")],
  ["an endless info string", `\`\`\`js ${fill('title="')}`],
  ["definitions of references", Array.from({ length: 30_000 }, (_, at) => `[r${at}]: /u`).join("\n")],
  ["unclosed definitions", fill("[a]:\n")],
  ["definitions with unclosed titles", fill('[a]: b "\n')],
  ["definitions of footnotes", fill("[^a]: b\n")],
  ["marks of footnotes", `[^a]: b\n\n${fill("[^a] ")}`],
  ["fences of admonitions", fill(`:::a${" ".repeat(400)}{\n`)],
  ["colons", fill(":")],
  ["endless frontmatter", `---\n${fill("a: b\n")}`],
  ["sentences", fill("e.g. ")],
  ["full stops", fill(".")],
  ["NUL characters", fill("\0")],
  ["lone surrogates", fill("\ud800")],
  ["emoji", fill("😀")],
];

describe("hostile pages", () => {
  it.each(HOSTILE)("with %s are parsed like any other", (_what, text) => {
    for (const document of [parsePage(text), parseMdxPage(text)]) {
      expect(findPartitionFaults(document, text)).toEqual([]);
      expect(document.diagnostics.filter(({ message }) => !message.includes("nested too deeply"))).toEqual([]);
    }
  });

  it("with 100,000 headings have 100,000 sections", () => {
    const text = Array.from({ length: 100_000 }, (_, at) => `${"#".repeat((at % 6) + 1)} Heading`).join("\n");
    const document = parsePage(text);
    expect(findPartitionFaults(document, text)).toEqual([]);
    expect(document.sections).toHaveLength(100_000);
    expect(new Set(document.sections.map((section) => section.slugPath)).size).toBe(100_000);
  });

  it("with a long heading do not repeat it in every path below", () => {
    const document = parsePage(`# T\n\n# ${fill("a", 100_000)}\n${"## b\n".repeat(10_000)}`);
    expect(document.sections.at(-1)?.slugPath.length).toBeLessThan(1_000);
  });
});

describe("parts that are too complex", () => {
  it("make plain text of a page that nests deeper than any, with a warning", () => {
    const document = parsePage(`# T\n\n${">".repeat(200)} deep\n\n## A\n\nb\n`);
    expect(document.diagnostics).toMatchObject([{ severity: "warning", code: "markdown-too-complex", line: 1 }]);
    expect(proseOf(document).join(" ")).toMatch(/deep ## A b$/);
    const deep = Array.from({ length: 40 }, (_, depth) => `${"  ".repeat(depth)}- item${depth}`).join("\n");
    expect(proseOf(parsePage(`${deep}\n`))).toHaveLength(40);
  });

  it("keep the description of an image in too many images", () => {
    expect(proseOf(parsePage(wrap("![", "](b)", 20))).join(" ")).toContain("a");
  });
});
