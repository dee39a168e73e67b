/**
 * Tests of the parse as a whole: titles, sections and their lines, and that any text is a document.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../../indexer/parse/markdown/parse.ts";
import { runs } from "../../../support/runs.ts";
import { findPartitionFaults, headingsOf, parseMdxPage, parsePage, proseOf, textsOf } from "./parsed.ts";

function linesOf(text: string): [string, number, number][] {
  return parsePage(text).sections.map(({ title, startLine, endLine }) => [title, startLine, endLine]);
}

describe("the title of a page", () => {
  it("is the frontmatter's, before any heading", () => {
    expect(parsePage("---\ntitle: A\n---\n# B\n").title).toBe("A");
  });

  it("is else the first H1, wherever it stands", () => {
    expect(parsePage("## A\n\n# B\n\n# C\n").title).toBe("B");
  });

  it("is else the file's name in words, not a lower heading", () => {
    expect(parsePage("text", "guide/02-first-steps.md").title).toBe("First steps");
    const page = parsePage("text\n\n### A\n\n## B\n", "guide/index.md");
    expect(page.sections.map(({ title }) => title)).toEqual(["Guide", "A", "B"]);
  });

  it("is the title of the root section too, and cut when absurdly long", () => {
    const document = parsePage(`# ${"long ".repeat(200)}\n`);
    expect(document.sections[0]?.title).toBe(document.title);
    expect(document.title.length).toBeLessThanOrEqual(300);
    expect(proseOf(document)).toEqual(["long ".repeat(200).trim()]);
  });
});

describe("the first H1", () => {
  it("belongs to the root when there is no frontmatter title", () => {
    const document = parsePage("# A *b*\n\ntext\n\n## C\n");
    expect(document.title).toBe("A b");
    expect(headingsOf(document)).toEqual(["C"]);
    expect(document.sections[1]).toMatchObject({ parent: 0, slugPath: "c" });
    expect(textsOf(document.sections[0], "prose")).toEqual(["text"]);
  });

  it("belongs to the root when it repeats the frontmatter title in other clothes", () => {
    const document = parsePage('---\ntitle: "Using fetch"\n---\n\n# Using  `Fetch`\n\n## B\n');
    expect(document.title).toBe("Using fetch");
    expect(headingsOf(document)).toEqual(["B"]);
  });

  it("opens a section when it says something else than the frontmatter title", () => {
    const document = parsePage("---\ntitle: A\n---\n# B\n\n## C\n");
    expect(document.sections.map(({ slugPath, parent }) => [slugPath, parent])).toEqual([
      ["", -1],
      ["b", 0],
      ["b/c", 1],
    ]);
  });

  it("opens a section when another heading comes before it", () => {
    expect(headingsOf(parsePage("## A\n\n# B\n"))).toEqual(["A", "B"]);
  });

  it("is followed by sections of their own for further H1s", () => {
    expect(parsePage("# A\n# B\n# C\n").sections.map((section) => section.level)).toEqual([0, 1, 1]);
  });
});

describe("the lines of sections", () => {
  it("begin at each heading and end before the next", () => {
    expect(linesOf("---\na: 1\n---\nintro\n\n## A\ntext\n### B\n## C\nend\n")).toEqual([
      ["Page", 1, 5],
      ["A", 6, 7],
      ["B", 8, 8],
      ["C", 9, 10],
    ]);
  });

  it("leave none to the root when a heading that is not the title stands on line 1", () => {
    expect(linesOf("## A\ntext\n")).toEqual([
      ["Page", 1, 0],
      ["A", 1, 2],
    ]);
  });

  it("are one line for an empty file", () => {
    for (const text of ["", "\n", "\ufeff"]) expect(linesOf(text)).toEqual([["Page", 1, 1]]);
  });

  it("count CRLF as one line end, with and without byte order mark", () => {
    const text = "\ufeff---\r\ntitle: A\r\n---\r\n\r\nintro\r\n\r\n## B\r\n\r\n- c\r\n";
    const document = parsePage(text);
    expect(document).toMatchObject({ title: "A", bodyStartLine: 4 });
    expect(linesOf(text)).toEqual([
      ["A", 1, 6],
      ["B", 7, 9],
    ]);
    expect(document.sections.flatMap((section) => section.blocks)).toEqual([
      { kind: "prose", text: "intro", line: 5 },
      { kind: "prose", text: "c", line: 9 },
    ]);
  });

  it("do not change where a lone carriage return stands", () => {
    expect(linesOf("a\rb\n## C\rd\n")).toEqual([
      ["Page", 1, 1],
      ["C d", 2, 2],
    ]);
  });
});

describe("the tree of sections", () => {
  it("hangs a section under the nearest shallower heading when levels are skipped", () => {
    const document = parsePage("# T\n#### A\n## B\n#### C\n### D\n");
    expect(document.sections.map(({ title, level, parent }) => [title, level, parent])).toEqual([
      ["T", 0, -1],
      ["A", 4, 0],
      ["B", 2, 0],
      ["C", 4, 2],
      ["D", 3, 2],
    ]);
  });

  it("gives duplicate headings paths that are unique and anchors as GitHub does", () => {
    const document = parsePage("# T\n## A\n### X\n### X\n## A\n### X\n## T\n");
    expect(document.sections.map(({ slugPath, anchor }) => [slugPath, anchor])).toEqual([
      ["", ""],
      ["a", "a"],
      ["a/x", "x"],
      ["a/x~2", "x-1"],
      ["a~2", "a-1"],
      ["a~2/x", "x-2"],
      ["t", "t-1"],
    ]);
  });

  it("names a section without letters in its heading", () => {
    expect(parsePage("# T\n## ???\n## !\n").sections.slice(1)).toMatchObject([
      { title: "???", slugPath: "section", anchor: "section" },
      { title: "!", slugPath: "section~2", anchor: "section-1" },
    ]);
  });

  it("gives an empty heading a title", () => {
    expect(parsePage("text\n\n##\n\n## {#my-id}\n").sections.slice(1)).toMatchObject([
      { title: "Section", slugPath: "section" },
      { title: "my id", anchor: "my-id" },
    ]);
  });
});

describe("what a section says of itself", () => {
  it("is its first sentence, its words and its languages", () => {
    const document = parsePage("# T\n\nFirst one. Second one.\n\n```JS\nlet a;\n```\n\n```py\n```\n\n```js\n```\n");
    expect(document.sections[0]).toMatchObject({
      summary: "First one.",
      wordCount: 6,
      codeLanguages: ["js", "py"],
    });
  });

  it("is a summary of the text rather than of a table or a file name above it", () => {
    expect(parsePage("|a|b|\n|-|-|\n\n```js title=c\n```\n\nText.\n").sections[0]?.summary).toBe("Text.");
    expect(parsePage("|a|b|\n|-|-|\n").sections[0]?.summary).toBe("a b");
  });

  it("is nothing when it has no prose", () => {
    expect(parsePage("# T\n\n```\ncode\n```\n").sections[0]).toMatchObject({ summary: "", wordCount: 1 });
  });
});

describe("pages without much", () => {
  it("are a root section with the text when there is no heading", () => {
    const document = parsePage("one\n\ntwo\n");
    expect(document.sections).toHaveLength(1);
    expect(proseOf(document)).toEqual(["one", "two"]);
  });

  it("keep text before the first heading in the root", () => {
    expect(textsOf(parsePage("before\n\n# A\n\nafter\n\n## B\n").sections[0], "prose")).toEqual(["before", "after"]);
  });

  it("keep the description of the frontmatter beside everything else in it", () => {
    const document = parsePage("---\ndescription: D\ntags: [a]\n---\n");
    expect(document).toMatchObject({ description: "D", frontmatter: { description: "D", tags: ["a"] } });
    expect(proseOf(document)).toEqual([]);
  });

  it("are parsed below frontmatter that is broken", () => {
    const document = parsePage("---\na: [\n---\n# B\n\ntext\n");
    expect(document).toMatchObject({ title: "B", frontmatter: {} });
    expect(document.diagnostics).toMatchObject([{ code: "invalid-yaml", path: "page.md" }]);
    expect(proseOf(document)).toEqual(["text"]);
  });
});

describe("any text", () => {
  const piece = fc.constantFrom(
    ..."# |## |### |\n|\n\n|    |\t|- |1. |> |```\n|~~~|`|**|_|[|]|(|)|![|[a](b)|[^1]|[^1]: |word |é |漢".split("|"),
    ..."<|</|/>|>|<A>|</A>|<A b={|}|{|{/*|*/}|<!--|-->|<h2>|</h2>|<div>|</div>|<pre>|<a href='b'>|</a>".split("|"),
    ..."|&amp;|\\|:::note\n|---\n|===\n|import a from 'b'\n|export const x = {|\r|\r\n|\0|\ud800|\ufeff".split("|"),
    "|a|b|\n|-|-|\n",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join("")),
  );

  it("is parsed without an error into sections that share out its lines", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("a.md", "a.mdx"), (source, path) => {
        const document = parseMarkdown({ path, text: source });
        expect(findPartitionFaults(document, source)).toEqual([]);
        expect(document.diagnostics.filter(({ code }) => code === "markdown-too-complex")).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  it("gives sections with a title, a unique path and a parent before them", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("a.md", "a.mdx"), (source, path) => {
        const { sections } = parseMarkdown({ path, text: source });
        expect(new Set(sections.map((section) => section.slugPath)).size).toBe(sections.length);
        for (const [index, section] of sections.entries()) {
          expect(section.title).not.toBe("");
          expect(section.slugPath).not.toMatch(/[#%]/);
          expect(section.parent).toBeLessThan(index);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it("gives the same document every time", () => {
    fc.assert(
      fc.property(text, (source) => {
        expect(parsePage(source)).toEqual(parsePage(source));
        expect(parseMdxPage(source)).toEqual(parseMdxPage(source));
      }),
    );
  });

  it("is kept whole when it is words in paragraphs", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const paragraph = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(paragraph, { minLength: 1, maxLength: 8 }), (paragraphs) => {
        expect(proseOf(parsePage(paragraphs.join("\n\n")))).toEqual(paragraphs);
      }),
    );
  });
});
