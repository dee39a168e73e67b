/**
 * Tests of HTML in pages: headings written as tags, and the text of blocks.
 */
import { describe, expect, it } from "vitest";
import { codeOf, headingsOf, linksOf, parseMdxPage, parsePage, proseOf } from "./parsed.ts";

describe("headings written as tags", () => {
  it("open sections, with their id for an anchor", () => {
    const document = parsePage('# T\n\n<h2 class="a" id="b">C &amp; <em>d</em></h2>\n\ntext\n\n## E\n');
    expect(document.sections[1]).toMatchObject({
      title: "C & d",
      level: 2,
      anchor: "b",
      slugPath: "c--d",
      startLine: 3,
    });
    expect(proseOf(document)).toEqual(["text"]);
  });

  it("may go over several lines and begin with a link", () => {
    const document = parsePage('# T\n\n<h3\n  align="center"\n>\n  <a href="f">One</a>\n  two\n</h3>\n');
    expect(document.sections[1]).toMatchObject({ title: "One two", level: 3, startLine: 3, endLine: 8 });
    expect(linksOf(document)).toEqual([["f", "One"]]);
  });

  it("may stand inside other elements, at any indentation", () => {
    const document = parsePage(
      '# T\n\n<div align="center">\n      <h2>A</h2>\n  <p>b</p>\n  <h2>C</h2> d\n</div>\n\n- e\n',
    );
    expect(document.sections.map(({ title, startLine }) => [title, startLine])).toEqual([
      ["T", 1],
      ["A", 4],
      ["C", 6],
    ]);
    expect(proseOf(document)).toEqual(["b", "d", "e"]);
  });

  it("may stand behind other tags on their line", () => {
    expect(headingsOf(parsePage("# T\n\n<div><center><h2>A</h2></center></div>\n"))).toEqual(["A"]);
  });

  it("may be the title of the page, with an image for it", () => {
    const document = parsePage('<h1 align="center">\n  <img alt="Logo" src="a.png">\n</h1>\n\n## B\n');
    expect(document.title).toBe("Logo");
    expect(headingsOf(document)).toEqual(["B"]);
  });

  it("may stand between the tags of components, in Markdown and MDX", () => {
    const text = '# T\n\n<Tabs>\n  <Tab>\n    <h2 id="x">A</h2>\n    b\n  </Tab>\n</Tabs>\n\n<Box><h3>C</h3></Box>\n';
    for (const document of [parsePage(text), parseMdxPage(text)]) {
      expect(headingsOf(document)).toEqual(["A", "C"]);
      expect(document.sections[1]?.anchor).toBe("x");
      expect(proseOf(document)).toEqual(["b"]);
    }
  });

  it("open one section a line", () => {
    const document = parsePage("# T\n\n<h2>A</h2><h2>B</h2>\n");
    expect(headingsOf(document)).toEqual(["A"]);
    expect(proseOf(document)).toEqual(["B"]);
  });

  it("are text when they are never closed, in comments and in code", () => {
    expect(headingsOf(parsePage("# T\n\n<h2>A\n\nb\n"))).toEqual([]);
    expect(headingsOf(parsePage("# T\n\n<!--\n<h2>A</h2>\n-->\n\n<pre>\n<h2>B</h2>\n</pre>\n"))).toEqual([]);
    expect(headingsOf(parsePage("# T\n\n```\n<h2>A</h2>\n```\n\n`<h2>B</h2>`\n"))).toEqual([]);
  });
});

describe("blocks of HTML", () => {
  it("show their text with the tags stripped, a block for each paragraph, item and row", () => {
    const html = [
      "<div>",
      "<p>one <b>two</b>three",
      "four</p>",
      "<ul><li>five</li><li>six</li></ul>",
      "<table><tr><th>a</th><th>b</th></tr>",
      "<tr><td>c</td><td>d</td></tr></table>",
      "</div>",
    ].join("\n");
    expect(parsePage(html).sections[0]?.blocks).toEqual([
      { kind: "prose", text: "one twothree four", line: 2 },
      { kind: "prose", text: "five", line: 4 },
      { kind: "prose", text: "six", line: 4 },
      { kind: "prose", text: "a b", line: 5 },
      { kind: "prose", text: "c d", line: 6 },
    ]);
  });

  it("show entities decoded and attributes that people read", () => {
    expect(proseOf(parsePage('<p title="t">&lt;a&gt; C:\\*</p>\n<img alt="b &amp; c">\n'))).toEqual([
      "t <a> C:\\*",
      "b & c",
    ]);
  });

  it("show nothing of scripts, styles and comments", () => {
    const html =
      "<script>\na < b;\n\nc\n</script>\n\n<style>p {}</style>\n\n<!-- d\n\ne -->\n\n<div><style>f</style>g</div>\n";
    expect(proseOf(parsePage(html))).toEqual(["g"]);
  });

  it("show preformatted text as code, with blank lines and without tags", () => {
    const html = "<pre><code>a\n\n  &lt;b&gt; <i>c</i>\n</code></pre>\n\ntext\n";
    expect(codeOf(parsePage(html))).toEqual(["a\n\n  <b> c"]);
    expect(codeOf(parseMdxPage(html))).toEqual(["a\n\n  <b> c"]);
    expect(proseOf(parsePage(html))).toEqual(["text"]);
  });

  it("have links", () => {
    const html =
      '<p align="center">\n  <a href="/a">\n    <img alt="B" src="c">\n  </a> |\n  <a href="/d">e</a>\n</p>\n';
    expect(linksOf(parsePage(html))).toEqual([
      ["/a", "B"],
      ["/d", "e"],
    ]);
  });

  it("have links around whole paragraphs", () => {
    expect(linksOf(parsePage('<a href="/a">\n<p>b</p>\n</a>\n'))).toEqual([["/a", "b"]]);
  });

  it("end at a blank line, after which there is Markdown again", () => {
    const document = parsePage("<details>\n<summary>**a**</summary>\n\n## B\n\n**c**\n\n</details>\n");
    expect(headingsOf(document)).toEqual(["B"]);
    expect(proseOf(document)).toEqual(["**a**", "c"]);
  });

  it("keep a lone angle bracket and survive tags that never end", () => {
    expect(proseOf(parsePage("<div>\na < b\n<p class='\n"))).toEqual(["a < b <p class='"]);
  });
});
