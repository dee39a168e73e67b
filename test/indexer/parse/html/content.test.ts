import { describe, expect, it } from "vitest";
import { parsePage } from "./parsed-page.ts";

const CHROME = `<a class="VPSkipLink" href="#c">Skip to content</a><header><p>Site</p><button>Appearance</button></header>`;

describe("what is read of a page that says nothing of it", () => {
  it.each([
    ["VitePress", `${CHROME}<div class="VPDoc"><main><div class="vp-doc"><h1>T</h1><p>text</p></div></main></div>`],
    ["a VitePress home", `${CHROME}<div id="VPContent"><div class="VPHome"><h1>T</h1><p>text</p></div></div>`],
    [
      "Starlight",
      `${CHROME}<main><div class="content-panel"><h1 id="_top">T</h1></div><div class="sl-markdown-content"><p>text</p></div></main>`,
    ],
    [
      "Docusaurus",
      `${CHROME}<main><article><span class="theme-doc-version-badge">Version: 2</span>
      <div class="tocCollapsible_x theme-doc-toc-mobile"><button>On this page</button></div>
      <div class="theme-doc-markdown markdown"><h1>T</h1><p>text</p></div></article><div class="table-of-contents"><a href="#a">a</a></div></main>`,
    ],
    [
      "MkDocs Material",
      `${CHROME}<main class="md-main"><div>Sidebar</div><article class="md-content__inner"><h1>T</h1><p>text</p>
      <aside class="md-source-file">Last update</aside></article></main>`,
    ],
    [
      "Sphinx",
      `${CHROME}<div class="document"><div class="body" role="main"><h1>T</h1><p>text</p></div></div><div class="sphinxsidebar">Next topic</div>`,
    ],
    ["mdBook", `${CHROME}<div class="sidebar">1. T</div><div id="content"><main><h1>T</h1><p>text</p></main></div>`],
    ["one article", `${CHROME}<article><h1>T</h1><p>text</p></article>`],
  ])("is the content of %s", (_, html) => {
    expect(parsePage(html).text).toBe("# T\n\ntext\n");
  });

  it.each([
    ["without such an element", "<div><h1>T</h1><p>text</p></div>"],
    ["with several articles", "<article><h1>T</h1></article><article><p>text</p></article>"],
    ["where it is empty", "<div><h1>T</h1><p>text</p></div><main><nav>menu</nav></main>"],
  ])("is the page %s", (_, html) => {
    expect(parsePage(html).text).toBe("# T\n\ntext\n");
  });

  it("is what a page marks, or the configuration names, whatever is the custom", () => {
    const marked = '<p data-pagefind-body>marked <span class="edit-page">here</span></p><main>no</main>';
    expect(parsePage(marked).text).toBe("marked here\n");
    const named = '<div id="x">named <span class="edit-page">here</span></div><main>no</main>';
    expect(parsePage(named, { root: "#x" }).text).toBe("named here\n");
  });

  it("keeps title and meta data that stand outside", () => {
    const html = `<header><h1>T</h1><i data-pagefind-meta="by:A"></i></header><main><p>text</p></main>`;
    expect(parsePage(html)).toMatchObject({ title: "T", frontmatter: { by: "A" }, text: "text\n" });
  });
});

describe("lines that most pages have", () => {
  const chrome = ["[Home]", "- [All]", "Search", "Made with love", "In the middle"];
  const read = (html: string): string => parsePage(html, { chrome }).text;

  it("are left out before the title and at the end, and nowhere else", () => {
    const html = `<p><a href="../">Home</a></p><p>Search</p><p>Beta</p><h1>T</h1><p>Search</p><p>In the middle</p><p>text</p>
      <ul><li><a href="x">All</a></ul><p>Made with love</p>`;
    expect(read(html)).toBe("# T\n\nBeta\n\nSearch\n\nIn the middle\n\ntext\n");
  });

  it("take links before the title along, which are a menu", () => {
    expect(read('<ul><li><a href="a">Own</a> | <a href="b">Other</a></ul><h1>T</h1><p><a href="c">Own</a></p>')).toBe(
      "# T\n\n[Own](c)\n",
    );
  });

  it("stay where nothing else is on a page, and where they are headings", () => {
    expect(read("<p>Search</p><p>Made with love</p>")).toBe("Search\n\nMade with love\n");
    expect(read("<h1>T</h1><p>text</p><h2>Search</h2>")).toBe("# T\n\ntext\n\n## Search\n");
    expect(parsePage("<main><p>Search</p></main>", { chrome, root: "main" }).text).toBe("Search\n");
  });

  it("keep the weights of what stands behind them", () => {
    const page = parsePage('<p>Home</p><p data-pagefind-weight="3">Search</p><h1>T</h1><p>text</p>', { chrome });
    expect(page.sections.flatMap(({ blocks }) => blocks.map(({ text, weight = 1 }) => [text, weight]))).toEqual([
      ["Home", 1],
      ["Search", 3],
      ["text", 1],
    ]);
  });
});

describe("code with what is shown when somebody points at it", () => {
  it("is read as it is typed", () => {
    const popper = '<div class="v-popper__popper"><div></div><div></div></div>';
    const html = `<pre><code><span class="line">const <span class="twoslash-hover"><span>app</span>${popper}</span> = 1</span></code></pre>`;
    expect(parsePage(html).text).toBe("```\nconst app = 1\n```\n");
  });
});
