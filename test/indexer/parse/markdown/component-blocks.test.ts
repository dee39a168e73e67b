/**
 * Tests of components in pages: tags stripped, Markdown between them parsed, indentation taken away.
 */
import { describe, expect, it } from "vitest";
import { codeOf, headingsOf, linksOf, parseMdxPage, parsePage, proseOf } from "./parsed.ts";

const BOTH = [
  ["Markdown", parsePage],
  ["MDX", parseMdxPage],
] as const;

describe.each(BOTH)("components in %s", (_kind, parse) => {
  it("are stripped, with Markdown between their tags", () => {
    const document = parse("<AppOnly>\n\n## A\n\n- b\n\n</AppOnly>\n\n<PagesOnly>\n\nc\n\n</PagesOnly>\n");
    expect(headingsOf(document)).toEqual(["A"]);
    expect(proseOf(document)).toEqual(["b", "c"]);
  });

  it("need no blank lines around their content", () => {
    const document = parse("text\n<Note>\nText with **bold**\n## A\n- b\n</Note>\nmore\n");
    expect(headingsOf(document)).toEqual(["A"]);
    expect(proseOf(document)).toEqual(["text", "Text with bold", "b", "more"]);
  });

  it("may have indented content with headings, lists, fences and tables", () => {
    const document = parse(
      [
        "<Tabs>",
        '  <Tab title="One">',
        "    ## A",
        "",
        "    1. b",
        "",
        "       ```js",
        "       if (c) {",
        "         d();",
        "       }",
        "       ```",
        "    2. e",
        "",
        "    | f | g |",
        "    | - | - |",
        "    | h | i |",
        "  </Tab>",
        "",
        "  <Tab>",
        "    ```sh",
        "    # j",
        "    <Tab>",
        "    ```",
        "  </Tab>",
        "</Tabs>",
        "",
        "## K",
      ].join("\n"),
    );
    expect(headingsOf(document)).toEqual(["A", "K"]);
    expect(document.sections.map((section) => section.startLine)).toEqual([1, 3, 27]);
    expect(proseOf(document)).toEqual(["One", "b", "e", "f g", "h i"]);
    expect(codeOf(document)).toEqual(["if (c) {\n  d();\n}", "# j\n<Tab>"]);
  });

  it("may be indented with tabs", () => {
    const document = parse("<Tabs>\n\t<Tab>\n\t\t## C\n\n\t\td\n\t</Tab>\n</Tabs>\n");
    expect(headingsOf(document)).toEqual(["C"]);
    expect(proseOf(document)).toEqual(["d"]);
  });

  it("may stand in list items and quotes", () => {
    const document = parse("- a\n\n  <Note>\n    b\n  </Note>\n\n- c\n\n> <Tip>\n> d\n> </Tip>\n");
    expect(proseOf(document)).toEqual(["a", "b", "c", "d"]);
    expect(codeOf(document)).toEqual([]);
  });

  it("do not push content out of the list that holds them", () => {
    const text =
      "1. a\n\n    <Tabs>\n      <Tab>\n        ```js\n        b\n    ```\n      </Tab>\n    </Tabs>\n\n2. c\n\n## D\n";
    const document = parse(text);
    expect(headingsOf(document)).toEqual(["D"]);
    expect(proseOf(document)).toEqual(["a", "c"]);
  });

  it("may have tags over several lines, with braces and blank lines in them", () => {
    const document = parse('<Image\n  alt="a"\n  src={b ? "c" : "d"}\n  data={{ e: 1,\n\n  f: ">" }}\n/>\n\ng\n');
    expect(document.sections[0]?.blocks).toEqual([
      { kind: "prose", text: "a", line: 1 },
      { kind: "prose", text: "g", line: 9 },
    ]);
  });

  it("may have text behind a tag of several lines", () => {
    expect(proseOf(parse("<Tip\n  b='c'\n>d **e**</Tip>\n"))).toEqual(["d e"]);
  });

  it("may stand within a line", () => {
    expect(proseOf(parse('a <B c="d">**e**</B> f <G.H />\n<Tab label="i">j</Tab>\n'))).toEqual(["a e f i j"]);
  });

  it("show title, label, alt, summary and description", () => {
    const tag = '<Card title="a" label="b" alt="c" summary="d" description="e" icon="f" className="g">';
    expect(proseOf(parse(`${tag}\n</Card>\n`))).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("are links when they lead somewhere", () => {
    const document = parse(
      '<Card href="/a" title="b" />\n\n<Card href="/c">\n  **d** e\n\n  f\n</Card>\n\n<Link to={"/g"}>h</Link>\n',
    );
    expect(linksOf(document)).toEqual([
      ["/a", "b"],
      ["/c", "d e f"],
      ["/g", "h"],
    ]);
  });

  it("may be left open or closed too often", () => {
    const document = parse("<Tabs>\n<Tab>\n\n## C\n\nd\n</Tabs>\n</Tabs>\n\n    <Tip>\n\n## F\n\n<Box\n\nh\n");
    expect(headingsOf(document)).toEqual(["C", "F"]);
    expect(proseOf(document)).toContain("d");
    expect(proseOf(document).join(" ")).toContain("h");
  });

  it("are not looked for in code", () => {
    const document = parse("`<Tip>` b\n\n```\n<Tab>\n</Tabs>\n```\n\n    <Box>\n");
    expect(proseOf(document)[0]).toBe("<Tip> b");
    expect(codeOf(document)[0]).toBe("<Tab>\n</Tabs>");
  });
});

describe("elements", () => {
  it("are components in MDX, with Markdown inside", () => {
    const document = parseMdxPage(
      "<div>\n  ## A\n\n  **b**\n</div>\n<details>\n<summary>c</summary>\n```js\nd\n```\n</details>\n",
    );
    expect(headingsOf(document)).toEqual(["A"]);
    expect(proseOf(document)).toEqual(["b", "c"]);
    expect(codeOf(document)).toEqual(["d"]);
  });

  it("are HTML in Markdown, unless an attribute is written in braces", () => {
    expect(proseOf(parsePage("<div>\n**a**\n</div>\n"))).toEqual(["**a**"]);
    expect(proseOf(parsePage("<div style={{ b: 'c' }}>\n| **a** |\n| - |\n</div>\n"))).toEqual(["a"]);
  });

  it("are HTML when their name is in capitals", () => {
    expect(proseOf(parsePage("<TABLE>\n<TR><TD>a</TD><TD>b</TD></TR>\n</TABLE>\n"))).toEqual(["a b"]);
  });
});

describe("indentation in MDX", () => {
  it("makes no code of headings, fences and lists", () => {
    const document = parseMdxPage(
      "1. a\n\n          b\n\n        ```js\n        c\n        ```\n\n## D\n\n      ## E\n",
    );
    expect(headingsOf(document)).toEqual(["D", "E"]);
    expect(proseOf(document)).toEqual(["a", "b"]);
    expect(codeOf(document)).toEqual(["c"]);
  });
});
