/**
 * Tests of comments and expressions in braces that stand on lines of their own.
 */
import { describe, expect, it } from "vitest";
import { codeOf, headingsOf, parseMdxPage, parsePage, proseOf } from "./parsed.ts";

describe("comments in braces", () => {
  it("are dropped in Markdown and MDX, also over several lines", () => {
    for (const parse of [parsePage, parseMdxPage]) {
      const document = parse("# T\n\n{/* a */}\n\n{/*\n## B\n\n<C>\n*/}\n\nd {/* e */} f\n");
      expect(headingsOf(document)).toEqual([]);
      expect(document.sections[0]?.blocks).toEqual([{ kind: "prose", text: "d f", line: 11 }]);
    }
  });

  it("are not looked for in code", () => {
    expect(codeOf(parsePage("```\n{/* a */}\n```\n"))).toEqual(["{/* a */}"]);
    expect(proseOf(parsePage("`{/* a */}`\n"))).toEqual(["{/* a */}"]);
  });

  it("are text when they never end", () => {
    expect(proseOf(parsePage("{/* a\n\nb\n"))).toEqual(["{/* a", "b"]);
  });

  it("leave the text behind them on their last line", () => {
    expect(parsePage("{/* a\nb */} c\n").sections[0]?.blocks).toEqual([{ kind: "prose", text: "c", line: 2 }]);
  });
});

describe("expressions in MDX", () => {
  it("are dropped, also over several lines with blank ones", () => {
    expect(proseOf(parseMdxPage("{a}\n\n{b.map((c) => (\n  <d>e</d>\n\n))}\n\nf\n"))).toEqual(["f"]);
  });

  it("leave the strings they show", () => {
    expect(proseOf(parseMdxPage(`{'a'}\n\n{\`b \${c} d\`}\n`))).toEqual(["a", "b d"]);
  });
});
