import { describe, expect, it } from "vitest";
import { parsePage, wordsOf } from "./parsed-page.ts";

const textOf = (html: string): string => parsePage(html).text;

describe("the Markdown of a page", () => {
  it.each([
    ["<p>One<br>two</p><p>three", "One\ntwo\n\nthree\n"],
    ["<ul><li>a<ul><li>b</ul><li><p>c<p>d</ul>", "- a\n  - b\n- c\n\n  d\n"],
    ["<ol start=3><li>a<li>b</ol><ul><li></ul>", "3. a\n4. b\n\n-\n"],
    ["<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"],
    ["<dl><dt>a<dd>b<dd>c</dl>", "a\n: b\n: c\n"],
    ["<details><summary>a</summary>b</details>", "a\n\nb\n"],
    ["<p>a<hr>b", "a\n\n---\n\nb\n"],
    ["<p><img src=a.png alt='An image'> <img src=b.png>", "![An image](a.png)\n"],
    ["<p><a href='x y(1)'>a <b>b</b></a>, <a href='javascript:f()'>c</a>", "[a b](<x%20y(1)>), c\n"],
    ["<p><code>a `b` &lt;c&gt;</code>", "``a `b` <c>``\n"],
    [
      "<p># a<p>- b<p>1. c<p>&lt;d&gt; *e* f_g __h__ `i` &amp;amp;",
      "\\# a\n\n\\- b\n\n1\\. c\n\n\\<d> \\*e\\* f_g \\_\\_h\\_\\_ \\`i\\` \\&amp;\n",
    ],
    [
      "<table><caption>t</caption><tr><th>a|b<th>c<tr><td><p>1<p>2<td><ul><li>3</ul></table>",
      "t\n\n| a\\|b | c |\n| --- | --- |\n| 1 2 | 3 |\n",
    ],
    ["<pre>a\n  b\n</pre>", "```\na\n  b\n```\n"],
    ["<pre>```</pre>", "````\n```\n````\n"],
    ["<svg><text>no</text></svg><template>no</template><noscript>no</noscript>", ""],
    ["", ""],
  ])("of %j is %j", (html, markdown) => {
    expect(textOf(html)).toBe(markdown);
  });

  it("is what sections, blocks and links count lines in", () => {
    const page = parsePage("<p>a<h2 id=x>B</h2><p>c</p><pre class=language-ts>d</pre><p><a href=e>f</a><h3>G</h3>");
    expect(page.text.split("\n")).toEqual([
      "a",
      "",
      "## B",
      "",
      "c",
      "",
      "```ts",
      "d",
      "```",
      "",
      "[f](e)",
      "",
      "### G",
      "",
    ]);
    expect(page.sections).toMatchObject([
      { title: "Page", startLine: 1, endLine: 2 },
      {
        title: "B",
        anchor: "x",
        startLine: 3,
        endLine: 12,
        blocks: [
          { text: "c", line: 5 },
          { kind: "code", text: "d", line: 7 },
          { text: "f", line: 11 },
        ],
        links: [{ href: "e", text: "f", line: 11 }],
        codeLanguages: ["ts"],
      },
      { title: "G", anchor: "x", startLine: 13, endLine: 13 },
    ]);
  });
});

describe("code", () => {
  const code = (html: string) => {
    const [section] = parsePage(html).sections;
    return [section?.blocks.find(({ kind }) => kind === "code")?.text, section?.codeLanguages[0]];
  };

  it.each([
    [
      "VitePress",
      '<div class="language-js vp"><button class=copy></button><span class=lang>js</span><pre class="shiki"><code><span class="line">a</span>\n<span class="line"></span>\n<span class="line">b</span></code></pre></div>',
    ],
    [
      "Docusaurus",
      '<div class="language-js codeBlockContainer_x"><pre class="prism-code language-js"><code><span class="token-line">a<br></span><span class="token-line"><span></span><br></span><span class="token-line">b<br></span></code></pre><button aria-label="Copy code to clipboard">c</button></div>',
    ],
    [
      "Expressive Code",
      '<div class="expressive-code"><pre data-language="js"><code><div class="ec-line"><div class="gutter"><div class="ln">1</div></div><div class="code">a</div></div><div class="ec-line"><div class="code">\n</div></div><div class="ec-line"><div class="code">b</div></div></code></pre></div>',
    ],
    [
      "Chroma",
      '<div class="highlight"><pre><code class="language-js" data-lang="js"><span class="line"><span class="ln">1</span><span class="cl">a\n</span></span><span class="line"><span class="cl">\n</span></span><span class="line"><span class="cl">b\n</span></span></code></pre></div>',
    ],
    [
      "Pygments with line numbers",
      '<div class="highlight-js"><table class="highlighttable"><tr><td class="linenos"><pre>1\n2\n3</pre></td><td class="code"><pre><span></span>a\n\nb\n</pre></td></tr></table></div>',
    ],
    [
      "rehype-pretty-code",
      '<pre data-language="js"><code><span data-line="">a</span>\n<span data-line=""> </span>\n<span data-line="">b</span></code></pre>',
    ],
  ])("of %s is its lines alone", (_, html) => {
    const [text, language] = code(html);
    expect(text?.replace(/ $/gm, "")).toBe("a\n\nb");
    expect(language).toBe("js");
    expect(textOf(html)).not.toMatch(/copy|^js$|^1$/im);
  });

  it.each([
    ['<pre class="sourceCode python"><code>x', "python"],
    ['<pre><code class="hljs rust">x', "rust"],
    ['<pre class="language-none">x', undefined],
    ["<pre>x", undefined],
  ])("%s says its language", (html, language) => {
    expect(code(html)[1]).toBe(language);
  });
});

describe("headings", () => {
  it.each([
    ['<h2 id="a">T <a class="header-anchor" href="#a" aria-label="Permalink">&ZeroWidthSpace;</a></h2>', "a"],
    ['<h2 id="a">T<a class="headerlink" href="#a" title="Link to this heading">¶</a></h2>', "a"],
    ['<h2 id="a"><a class="header" href="#a">T</a></h2>', "a"],
    [
      '<div class="sl-heading-wrapper"><h2 id="a">T</h2><a class="sl-anchor-link" href="#a"><span class="sr-only">Section titled T</span></a></div>',
      "a",
    ],
    ['<h2><a id="a"></a>T</h2>', "a"],
    ['<h2><a name="a">T</a></h2>', "a"],
    ['<a name="a"></a>\n<h2>T</h2>', "a"],
    ['<section id="a"><h2>T</h2></section>', "a"],
    ["<section id='a'><p>x</p><h2>T</h2></section>", "a"],
    ["<h2>T</h2>", ""],
  ])("%s has the title T and its id", (html, anchor) => {
    const { sections, text } = parsePage(`<p>before</p>${html}`);
    expect(sections[1]).toMatchObject({ title: "T", anchor });
    expect(text).toContain("## T\n");
  });

  it("of the page's title is the root section's; others in quotes, lists and notes without an id are text", () => {
    const { sections } = parsePage(
      "<h1>A</h1><ul><li><h2>B</h2></ul><table><tr><td><h3>C</h3></table><div class=note><h3>Note</h3>x</div><h1>D</h1>",
    );
    expect(sections.map(({ title, level }) => [title, level])).toEqual([
      ["A", 0],
      ["D", 1],
    ]);
  });

  it("with an id in quotes, lists and cells begin sections", () => {
    const { sections, text } = parsePage(
      "<h1>A</h1><ul><li><section id=b><h2>B</h2><ul><li>one</ul></section><li>two</ul><blockquote><h3 id=c>C</h3><p>q</blockquote>" +
        "<table><tr><td><h3 id=d>D</h3>left<td>right</table>",
    );
    expect(sections.map(({ title, anchor }) => `${title}#${anchor}`)).toEqual(["A#", "B#b", "C#c", "D#d"]);
    expect(text).toBe("# A\n\n## B\n\n- one\n- two\n\n> ### C\n>\n> q\n\n### D\n\nleft\n\nright\n");
  });

  it("take the id of the section that they are the first of, whatever links stand before them", () => {
    const rustdoc =
      "<details open><summary><section id=method.new><span class=rightside>1.0.0 · <a href=s>source</a></span><a class=anchor href=#method.new></a><h4>pub fn new()</h4></section></summary><p>Makes one.</details>";
    const docbook =
      "<div class=sect1 id=ddl><div class=titlepage><div><div><h2>Basics</h2></div></div></div><p>x</div>";
    expect(anchorsOf(rustdoc)).toEqual(["pub fn new()#method.new"]);
    expect(anchorsOf(docbook)).toEqual(["Basics#ddl"]);
  });

  it("take no id of the page, or of what holds another section before them", () => {
    expect(anchorsOf("<main id=x><div><h2>A</h2></div></main>")).toEqual(["A#"]);
    expect(anchorsOf("<div id=x><p>a<div class=note><h4>Note</h4>b</div><h2>A</h2></div>")).toEqual(["A#x"]);
    expect(anchorsOf("<div id=x><h2>A</h2><h2>B</h2></div>")).toEqual(["A#x", "B#"]);
  });

  it("that weigh nothing are shown, and are no sections", () => {
    const page = parsePage("<h1>A</h1><div data-pagefind-weight=0><h2 id=b>B</h2>x</div>");
    expect(page.sections).toHaveLength(1);
    expect(page.text).toContain("## B\n");
    expect(page.sections[0]?.blocks).toMatchObject([
      { text: "B", weight: 0 },
      { text: "x", weight: 0 },
    ]);
  });

  it("repeat ids and titles without sections losing their names", () => {
    const { sections } = parsePage("<h2 id=a>T</h2><p>x<h2 id=a>T</h2>");
    expect(sections.map(({ slugPath }) => slugPath)).toEqual(["", "t", "t~2"]);
  });
});

function anchorsOf(html: string): string[] {
  return parsePage(`<h1>Page</h1><p>before</p>${html}`)
    .sections.slice(1)
    .map(({ title, anchor }) => `${title}#${anchor}`);
}

it.each([
  [
    "<table><tr><th colspan=2>Both<th>C<tr><td rowspan=2>r<td>1<td>2<tr><td>3<td>4</table>",
    "| Both |  | C |\n| --- | --- | --- |\n| r | 1 | 2 |\n|  | 3 | 4 |\n",
  ],
  ["<table><tr><th>A<tr><td>1<td>2</table>", "| A |  |\n| --- | --- |\n| 1 | 2 |\n"],
  ["<table><tr><td rowspan=0>a<td colspan=x>b<tr><td>c</table>", "| a | b |\n| --- | --- |\n| c |\n"],
])("cells of %s stand in the columns that they are shown in", (html, text) => {
  expect(parsePage(html).text).toBe(text);
});

it("a table of cells that span all there is stays short", () => {
  const html = `<table>${"<tr><td rowspan=65534 colspan=1000>x".repeat(300)}</table>`;
  expect(parsePage(html).text.length).toBeLessThan(100_000);
});

it.each(["JaVa\nScRiPt:x", " javascript:x", "java\tscript:x", "vbscript:x", "data:text/html,x", "blob:x"])(
  "a link to %j is text",
  (href) => {
    const page = parsePage(`<p><a href="${href}">t</a><img alt=i src="${href}">`);
    expect(page.text).toBe("ti\n");
    expect(page.sections[0]?.links).toEqual([]);
  },
);

it("a link whose address holds a program is text", () => {
  expect(parsePage(`<p><a href="https://play.example.org/?code=${"x".repeat(400)}">Run</a>`).text).toBe("Run\n");
});

it("a formula is what its author wrote", () => {
  const katex =
    '<span class=katex><span class=katex-mathml><math><mi>x</mi><annotation encoding="application/x-tex">x^2_1</annotation></math></span><span class=katex-html aria-hidden=true>x2</span></span>';
  expect(parsePage(`<p>Let ${katex} be.<table><tr><td>${katex}</table>`).text).toContain(
    "Let $x^2_1$ be.\n\n| $x^2_1$ |",
  );
});

it.each([
  ["2,5", 1],
  ["5 5", 1],
  ["2.5", 2.5],
  ["", 1],
])("a weight of %j is %d", (written, weight) => {
  const [section] = parsePage(`<p data-pagefind-weight="${written}">x`).sections;
  expect(section?.blocks[0]?.weight ?? 1).toBe(weight);
});

it("text of a card that is a link as a whole stays text, and the link is kept", () => {
  const page = parsePage("<a href=x><h3>Card</h3><p>text</p></a>");
  expect(wordsOf(page)).toBe("text");
  expect(page.sections.flatMap(({ links }) => links)).toMatchObject([{ href: "x", text: "Cardtext" }]);
});
