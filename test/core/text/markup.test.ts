import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dropComments, dropHeading, flattenMarkup, stripMarkup } from "../../../src/core/text/markup.ts";
import { anyMarkdown } from "../../support/any-markdown.ts";
import { runs } from "../../support/runs.ts";

function strip(source: string): string {
  return stripMarkup(source, false);
}

describe("stripMarkup", () => {
  it.each([
    ["## Title {#own-id}", "Title"],
    ["Some **bold**, *thin* and ~~old~~ words", "Some bold, thin and old words"],
    ["__init__ is bold, but snake__case is not", "init is bold, but snake__case is not"],
    ["2 * 3 and a*b", "2 3 and a*b"],
    ["- [x] done", "done"],
    ["> > quoted", "quoted"],
    ["12. twelfth", "twelfth"],
    ['See [the guide](./a.md "title") and ![a picture](b.png)', "See the guide and a picture"],
    ["See [the guide][ref] and [![logo](a.png)](https://example.org)", "See the guide and logo"],
    ["[ref]: https://example.org", ""],
    ['<b>bold</b>er <Tooltip label="x">tip</Tooltip>', "bolder tip"],
    ["a<br>b", "a b"],
    ["<!-- hidden --> shown {/* hidden */}", "shown"],
    ["<https://example.org/a> and <me@b.org>", "https://example.org/a and"],
    ["| name | what |\n|:---|---:|\n| a | b |", "name what\na b"],
    ["Title\n=====", "Title"],
    ["above\n\n* * *\n\nbelow", "above\nbelow"],
  ])("takes the markup off %j", (source, text) => {
    expect(strip(source)).toBe(text);
  });

  it.each([
    ["Use `<div>` or `Map<string, T>`", "Use <div> or Map<string, T>"],
    ["``a ` b`` and `__init__`", "a ` b and __init__"],
    ["a [`link`](b.md)", "a link"],
    ["`one`two `th\nree`", "onetwo th\nree"],
    ["an ` unpaired tick", "an unpaired tick"],
  ])("shows code spans as they stand: %j", (source, text) => {
    expect(strip(source)).toBe(text);
  });

  it.each([
    ["\\*not bold\\*", "*not bold*"],
    ["\\<not a tag\\>", "<not a tag>"],
    ["a &lt; b &amp; c &#233; &#x1F600;", "a < b & c é 😀"],
    ["&unknown; &#0; &#xD800; AT&T;", "&unknown; &#0; &#xD800; AT&T;"],
  ])("shows escaped signs and those with a name: %j", (source, text) => {
    expect(strip(source)).toBe(text);
  });

  it("shows fenced code as it stands, without the fences", () => {
    expect(strip('before\n```js title="a.js"\n# not *a* heading <T>\n  - x\n```\nafter')).toBe(
      "before\n# not *a* heading <T>\n- x\nafter",
    );
    expect(strip("~~~\n```\n**a**\n```\n~~~\n**b**")).toBe("```\n**a**\n```\nb");
    expect(strip("````\n```\n**a**\n````\n**b**")).toBe("```\n**a**\nb");
    expect(strip("``` a `` b")).toBe("a b");
  });

  it("leaves frontmatter out at the start of a file and nowhere else", () => {
    const source = "---\ntitle: A\n---\nText";
    expect(stripMarkup(source, true)).toBe("Text");
    expect(stripMarkup(`\ufeff${source}`, true)).toBe("Text");
    expect(stripMarkup("---\n---\nText", true)).toBe("Text");
    expect(stripMarkup(source.replaceAll("\n", "\r\n"), true)).toBe("Text");
    expect(stripMarkup(source, false)).toContain("title: A");
  });

  it("leaves no tag in prose, over several lines neither", () => {
    expect(strip('<Card\n  title="A"\n  href="b.md"\n/>\n\ntext')).toBe("text");
  });

  it("takes any text", () => {
    fc.assert(
      fc.property(fc.oneof(anyMarkdown(), fc.string({ unit: "binary" })), fc.boolean(), (source, isStart) => {
        const text = stripMarkup(source, isStart);
        for (const line of text.split("\n")) expect(line).toBe(line.trim());
      }),
      { numRuns: runs(300) },
    );
  });

  it("reads hostile lines", () => {
    for (const piece of [
      "`",
      "` ",
      "``` ",
      "<",
      "<a ",
      "<!--",
      "[",
      "![",
      "|",
      "| ",
      " |-",
      "* ",
      "*",
      "_",
      "\\",
      "&",
      "> ",
      "{/*",
      "\u0000",
      "---\n",
    ]) {
      const hostile = piece.repeat(8000 / piece.length);
      expect(strip(`${hostile}\nend`)).toContain("end");
      expect(stripMarkup(`---\n${hostile}\nend`, true)).toContain("end");
    }
    expect(strip(`${" ".repeat(8000)}end`)).toBe("end");
  });

  it("reads a unit of any size: what takes the square of its length would not end here", () => {
    for (const piece of [" ", "\t", "\n", "a\n", "<!--", "{/*", "` ", "[", "- ", "> ", "| "]) {
      expect(strip(`${piece.repeat(400_000 / piece.length)}\nend`)).toContain("end");
    }
  });

  it("drops comments however long they are, and leaves one without an end", () => {
    expect(strip(`a <!-- ${"x ".repeat(10_000)} --> b`)).toBe("a b");
    expect(strip("a <!-- b")).toBe("a <!-- b");
    expect(strip("a {/* b */} c <!----> d")).toBe("a c d");
    expect(strip("`<!--` a `-->`")).toBe("<!-- a -->");
  });

  it("keeps numbers between NUL characters, which it uses itself", () => {
    expect(strip("a \u00005\u0000 `b`")).toBe("a \u00005\u0000 b");
  });
});

describe("dropComments", () => {
  it("ends a comment with the first mark that can end it, whatever stands in it", () => {
    expect(dropComments("a {/* it`s <!-- */} b `c` {/* d */}e")).toBe("a  b `c` e");
    expect(dropComments("a <!-- {/* --> b */} c")).toBe("a  b */} c");
  });

  it("leaves all else as it is: code, what is behind a backslash, and what has no end", () => {
    for (const text of [
      "`{/* a */}` ``<!-- ` -->``",
      "\\{/* a */}",
      "&lt; <https://a.example>",
      "{/* a <!-- b",
      "{/*/} a",
    ]) {
      expect(dropComments(text)).toBe(text);
    }
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom("`", "``", "\\", "{", "*/}", "-->", "<", "a", "\n", "&amp;"))
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(!/<!--|\{\/\*/.test(text));
        expect(dropComments(text)).toBe(text);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("dropHeading", () => {
  it("drops the first line where it is a heading", () => {
    expect(dropHeading("## Title\nText")).toBe("Text");
    expect(dropHeading("# Title")).toBe("");
    expect(dropHeading("Text\n## Title")).toBe("Text\n## Title");
    expect(dropHeading("#hash")).toBe("#hash");
  });
});

describe("flattenMarkup", () => {
  it("keeps every word and no tag, with escapes and without", () => {
    expect(flattenMarkup('<a title="x\\_y">b</a>', false)).toEqual([' a title="x\\_y" b /a ', ' a title="x_y" b /a ']);
    expect(flattenMarkup("\\<b\\>", false)[1]).toBe(" b ");
    expect(flattenMarkup("---\ntitle: A\n---\nText", true)).toEqual(["Text", "Text"]);
  });
});
