/**
 * Tests of Markdown's own constructs: which headings open sections, and what text and code blocks hold.
 */
import { describe, expect, it } from "vitest";
import { codeOf, headingsOf, linksOf, parseMdxPage, parsePage, proseOf, textsOf } from "./parsed.ts";

describe("headings", () => {
  it("are ATX headings, with or without closing marks", () => {
    const document = parsePage("# T\n## A ##\n### B #\n#### C\n##### D\n###### E\n####### F\n#G\n");
    expect(headingsOf(document)).toEqual(["A", "B", "C", "D", "E"]);
    expect(document.sections.map((section) => section.level)).toEqual([0, 2, 3, 4, 5, 6]);
    expect(proseOf(document)).toEqual(["####### F #G"]);
  });

  it("are setext headings, on one line or several", () => {
    const document = parsePage("T\n===\n\nintro\n\nTwo\nlines\n---\ntext\n");
    expect(document.title).toBe("T");
    expect(document.sections[1]).toMatchObject({ title: "Two lines", level: 2, startLine: 6, endLine: 9 });
  });

  it("show their text without markup", () => {
    expect(headingsOf(parsePage("# T\n## A `b` **c** [d](e) &amp; \\* ![f](g)\n"))).toEqual(["A b c d & * f"]);
  });

  it("give their links to the section they open", () => {
    expect(parsePage("# T\n## [A](b)\n").sections[1]?.links).toEqual([{ href: "b", text: "A", line: 2 }]);
  });

  it("do not open sections inside quotes and list items, but keep their text", () => {
    const document = parsePage("# T\n\n> ## A\n> b\n\n- ## C\n  d\n");
    expect(headingsOf(document)).toEqual([]);
    expect(proseOf(document)).toEqual(["A", "b", "C", "d"]);
  });

  it("are not comments in code", () => {
    const fenced =
      "# T\n\n```sh\n# install\n## more\n```\n\n~~~~\n# a\n~~~\n# b\n~~~~\n\n    # indented\n\n`# inline`\n";
    const document = parsePage(fenced);
    expect(headingsOf(document)).toEqual([]);
    expect(codeOf(document)).toEqual(["# install\n## more", "# a\n~~~\n# b", "# indented"]);
  });

  it("are not lines of HTML comments", () => {
    expect(headingsOf(parsePage("# T\n<!--\n## A\n-->\n<!-- ## B -->\n## C\n"))).toEqual(["C"]);
  });
});

describe("prose", () => {
  it("is one block a paragraph, with its first line", () => {
    expect(parsePage("a\nb  \nc\\\nd\n\n\ne\n").sections[0]?.blocks).toEqual([
      { kind: "prose", text: "a b c d", line: 1 },
      { kind: "prose", text: "e", line: 7 },
    ]);
  });

  it("is one block a list item, at any depth", () => {
    const document = parsePage("- a\n  - b\n\n    c\n1. d\n   ```\n   e\n   ```\n");
    expect(proseOf(document)).toEqual(["a", "b", "c", "d"]);
    expect(codeOf(document)).toEqual(["e"]);
  });

  it("is the text of task list items without their boxes", () => {
    expect(proseOf(parsePage("- [ ] to do\n- [x] done\n- [X] also\n- [y] link?\n"))).toEqual([
      "to do",
      "done",
      "also",
      "[y] link?",
    ]);
  });

  it("is one block a table row, with the cells apart", () => {
    const document = parsePage("| a | `b` |\n| --- | :-: |\n| c **d** | e \\| f |\n| g |\n");
    expect(document.sections[0]?.blocks).toEqual([
      { kind: "prose", text: "a b", line: 1 },
      { kind: "prose", text: "c d e | f", line: 3 },
      { kind: "prose", text: "g", line: 4 },
    ]);
  });

  it("is the text of quotes, without the mark of an alert", () => {
    expect(proseOf(parsePage("> a\n> > b\n\n> [!NOTE]\n> c\n\n> [!WARNING] d\n"))).toEqual([
      "a",
      "b",
      "c",
      "[!WARNING] d",
    ]);
  });

  it("is struck text like any other", () => {
    expect(proseOf(parsePage("a ~~b~~ c\n"))).toEqual(["a b c"]);
  });

  it("is not the definitions of reference links", () => {
    const document = parsePage("[a][r] and [R] and [s]\n\n[r]: /url 'title'\n");
    expect(proseOf(document)).toEqual(["a and R and [s]"]);
    expect(linksOf(document)).toEqual([
      ["/url", "a"],
      ["/url", "R"],
    ]);
  });
});

describe("code", () => {
  it("is kept as written", () => {
    const code = "  a &amp; **b**  \n\n<Tag> {x} import y\n\\n";
    expect(codeOf(parsePage(`\`\`\`\n${code}\n\`\`\`\n`))).toEqual([code]);
    expect(codeOf(parseMdxPage(`\`\`\`\n${code}\n\`\`\`\n`))).toEqual([code]);
  });

  it("loses the indentation of its fence", () => {
    expect(codeOf(parsePage("1. a\n\n   ```js\n   b\n     c\n   ```\n"))).toEqual(["b\n  c"]);
  });

  it("goes on to the end of the file when its fence is never closed", () => {
    expect(codeOf(parsePage("```\na\n\n# b\n"))).toEqual(["a\n\n# b"]);
  });

  it("has its file name or title as prose before it", () => {
    expect(parsePage('```ts filename="a/b.ts" {1}\nc\n```\n').sections[0]?.blocks).toEqual([
      { kind: "prose", text: "a/b.ts", line: 1 },
      { kind: "code", text: "c", line: 1 },
    ]);
  });

  it("does not exist as indented text in MDX", () => {
    expect(codeOf(parseMdxPage("a\n\n    b\n"))).toEqual([]);
    expect(codeOf(parsePage("a\n\n    b\n      c\n"))).toEqual(["b\n  c"]);
  });
});

describe("links", () => {
  it("are inline links, reference links and autolinks, as written", () => {
    const text = '[a *b*](../c%20d.md#e "title") [f] <https://g.h/i?j=k&amp;l> <m@n.o>\n\n[f]: /g\n';
    expect(linksOf(parsePage(text))).toEqual([
      ["../c%20d.md#e", "a b"],
      ["/g", "f"],
      ["https://g.h/i?j=k&amp;l", "https://g.h/i?j=k&amp;l"],
      ["mailto:m@n.o", "m@n.o"],
    ]);
  });

  it("carry the line of their block", () => {
    const document = parsePage("# T\n\na\n[b](c)\n\n## D\n\n- e\n- [f](g)\n\n| [h](i) |\n|-|\n| [j](k) |\n");
    expect(document.sections.flatMap((section) => section.links.map((link) => [link.href, link.line]))).toEqual([
      ["c", 3],
      ["g", 9],
      ["i", 11],
      ["k", 13],
    ]);
  });

  it("are not images, but links around images are", () => {
    expect(linksOf(parsePage("![a](b) [![c](d)](e)\n"))).toEqual([["e", "c"]]);
  });

  it("keep their text but no destination when they run code or carry data", () => {
    const document = parsePage("[a](javascript:x) [b](data:text/html,c)\n");
    expect(linksOf(document)).toEqual([]);
    expect(proseOf(document)).toEqual(["a b"]);
  });
});

it("puts everything below a heading into its section", () => {
  const document = parsePage("# T\n\na\n\n## B\n\nc\n\n```\nd\n```\n\n## E\n\nf\n");
  expect(document.sections.map((section) => textsOf(section, "prose"))).toEqual([["a"], ["c"], ["f"]]);
  expect(document.sections.map((section) => textsOf(section, "code"))).toEqual([[], ["d"], []]);
});
