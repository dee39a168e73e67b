import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHtml } from "../../../../indexer/parse/html/parse.ts";
import { runs } from "../../../support/runs.ts";
import { findPartitionFaults } from "../markdown/parsed.ts";
import { parsePage, wordsOf } from "./parsed-page.ts";

describe("a page that asks to be left out", () => {
  const read = (text: string) => parseHtml({ path: "a.html", text, root: "", exclude: [] });

  it("says why", () => {
    expect(read('<meta name="robots" content="noindex, follow"><p>x')).toMatchObject({ ok: false, reason: "noindex" });
    expect(read('<meta http-equiv="refresh" content="0; url=/new/">')).toMatchObject({
      ok: false,
      reason: "redirect",
      message: "sends its visitors to /new/",
    });
  });

  it("is not one that reloads itself, or stays for a while", () => {
    expect(read('<meta http-equiv="refresh" content="300"><p>x').ok).toBe(true);
    expect(read('<meta http-equiv="refresh" content="60; url=/x"><p>x').ok).toBe(true);
    expect(read('<meta name="robots" content="index"><p>x').ok).toBe(true);
  });
});

describe("a page that no person writes", () => {
  it.each([
    ["a hundred thousand nested elements", "<div>".repeat(100_000)],
    ["a table that moves all of its text before itself", `<table>${"<b>x</b>".repeat(20_000)}`],
    [
      "formats that every paragraph repeats",
      `${Array.from({ length: 400 }, (_, n) => `<b x=${n}>`).join("")}${"<p>x".repeat(20_000)}`,
    ],
    ["nested quotes", `${"<blockquote>".repeat(300)}${"x<br>".repeat(2_000)}`],
    [
      "an attribute value in each of nested elements",
      `${"<div data-pagefind-meta=a>".repeat(400)}${"x ".repeat(20_000)}`,
    ],
  ])("with %s is read all the same", (_, html) => {
    const page = parsePage(`${html} word`);
    expect(wordsOf(page)).toContain("word");
    // What the parser makes of it does not outgrow it without bound.
    expect(page.text.length).toBeLessThan(30 * html.length);
  });

  it("keeps its title as plain text", () => {
    const page = parsePage(`<title>T</title><script>no</script><p>one</p>${"<i>".repeat(1_000)}two`);
    expect(page).toMatchObject({ title: "T", diagnostics: [{ code: "html-too-complex" }] });
    expect(page.text).toBe("one\n\ntwo\n");
  });
});

describe("any page", () => {
  const names =
    "p div span a b h1 h2 h3 ul ol li table tr td th pre code br hr img blockquote dl dt dd details summary main nav svg template select".split(
      " ",
    );
  const attributes = [
    "",
    " id=x",
    " class='line copy'",
    " href='#x'",
    " data-pagefind-body",
    " data-pagefind-ignore",
    " data-pagefind-ignore=all",
    " data-pagefind-weight=2",
    " data-pagefind-meta='a, b[id], c:d'",
    " data-pagefind-filter=f",
    " data-pagefind-sort=s",
    " data-pagefind-index-attrs=id",
  ];
  const tag = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...attributes), fc.boolean())
    .map(([name, attribute, isEnd]) => (isEnd ? `</${name}>` : `<${name}${attribute}>`));
  const text = fc.constantFrom(
    "word",
    " ",
    "\n",
    "é漢",
    "&lt;b&gt;",
    "<!--c-->",
    "# ",
    "- ",
    "`",
    "|",
    "\0",
    "\ud800",
    "&#0;",
    "<",
  );
  const html = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.oneof(tag, tag, text), { maxLength: 60 }).map((pieces) => pieces.join("")),
  );

  it("is parsed without an error into sections that share out the lines of its Markdown", () => {
    fc.assert(
      fc.property(html, (source) => {
        const page = parsePage(source);
        expect(findPartitionFaults(page, page.text)).toEqual([]);
        expect(page.diagnostics).toEqual([]);
        expect(new Set(page.sections.map(({ slugPath }) => slugPath)).size).toBe(page.sections.length);
      }),
      { numRuns: runs(300) },
    );
  });

  it("has text without tags, and gives the same document every time", () => {
    fc.assert(
      fc.property(html, (source) => {
        const page = parsePage(source);
        for (const { text } of page.sections.flatMap(({ blocks }) => blocks)) {
          expect(text).not.toMatch(/<(?:p|div|span|table|main)[ >]|data-pagefind/);
        }
        expect(parsePage(source)).toEqual(page);
      }),
      { numRuns: runs(100) },
    );
  });

  it("keeps its words when they stand in paragraphs", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(fc.array(fc.array(word, { minLength: 1 }), { minLength: 1 }), (paragraphs) => {
        const source = paragraphs.map((words) => `<div><p>${words.join(" <i></i>")}</p></div>`).join("");
        expect(wordsOf(parsePage(source))).toBe(paragraphs.map((words) => words.join(" ")).join(" "));
      }),
      { numRuns: runs(50) },
    );
  });
});

describe("titles of pages", () => {
  it.each([
    [
      "<title>Ownership - The Book</title><header><h1>The Book</h1></header><main><h1>Ownership</h1></main>",
      "Ownership",
    ],
    ["<title>Assert | Node v1 Docs</title><h1>Node v1 docs</h1><h2>Assert</h2>", "Assert"],
    ["<title>A - B | C - D</title><h1>C - D</h1>", "A - B"],
    ["<title>Datatypes</title><h1>1. Overview</h1><p>x<h1>2. Storage</h1>", "Datatypes"],
    ["<title>1. Overview - Guide</title><h1>1. Overview</h1><h1>2. More</h1>", "1. Overview"],
    ["<title>Guide | Site</title><meta property='og:site_name' content=Site><p>x", "Guide"],
    ["<title>Guide | Site</title><h1>The guide</h1>", "The guide"],
    ["<title>Site - Site</title><h1>Site</h1>", "Site"],
    ["<title>Guide | Site</title><h1>Site</h1><i data-pagefind-meta=title>Own</i>", "Own"],
    ["<body><svg><title>Icon</title></svg><title>Page</title>", "Page"],
  ])("of %s is %s", (html, title) => {
    expect(parsePage(html).title).toBe(title);
  });

  it("leave the site's name out, or as text of a page that is read as a whole, and no heading twice", () => {
    const html =
      "<title>Own - Site</title><header><h1>Site</h1></header><p>menu</p><h1 id=own>Own</h1><p>text<h2 id=a>A</h2>";
    expect(parsePage(html).sections.map(({ title }) => title)).toEqual(["Own", "A"]);
    expect(parsePage(html).text).toBe("# Own\n\nmenu\n\ntext\n\n## A\n");
    expect(parsePage(html, { root: "html" }).text).toBe("# Site\n\nmenu\n\n# Own\n\ntext\n\n## A\n");
    expect(parsePage("<title>T</title><h2>T</h2><p>x<h1>T</h1>").text).toBe("## T\n\nx\n");
  });
});

describe("what a page tells robots", () => {
  const read = (text: string) => parseHtml({ path: "a.html", text, root: "", exclude: [] }).ok;

  it.each([
    ["a directive that ends in none", "<meta name=robots content='index,follow,max-image-preview:none'>"],
    [
      "a redirect for browsers without scripts",
      "<noscript><meta http-equiv=refresh content='0;url=/nojs.html'></noscript>",
    ],
    ["a directive in the body", "<body><p>x<meta name=robots content=noindex>"],
    ["a redirect in the body", "<body><p>x<meta http-equiv=refresh content='0;url=/a'>"],
  ])("is no %s", (_, html) => {
    expect(read(`<html><head>${html}`)).toBe(true);
  });

  it.each(["noindex", "NoIndex, follow", "none", "nofollow , noindex"])("is %s", (content) => {
    expect(read(`<meta name=robots content="${content}">`)).toBe(false);
  });
});

describe("attributes of a page without bound", () => {
  const long = "y ".repeat(100_000);

  it("are read once each", () => {
    const page = parsePage(`<h1>I</h1><p data-pagefind-index-attrs="${"title,".repeat(20_000)}" title="${long}">x`);
    expect(page.text.length).toBeLessThan(2 * long.length);
    expect(wordsOf(page)).toContain("y y");
  });

  it.each(["meta", "filter", "sort"])("give few and short values for data-pagefind-%s", (name) => {
    const keys = Array.from({ length: 2_000 }, (_, at) => `k${at}[title],`).join("");
    const { site, frontmatter } = parsePage(`<h1>I</h1><p data-pagefind-${name}="${keys}k" title="${long}">x`);
    const held = name === "meta" ? frontmatter : name === "filter" ? site.filters : site.sort;
    expect(Object.keys(held).length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(held).length).toBeLessThan(2_000_000);
  });
});

describe("links of a page with a base", () => {
  const hrefs = (base: string, href: string) =>
    parsePage(`<head><base href="${base}"></head><p><a href="${href}">x</a>`, { path: "a/b/c.html" }).sections[0]
      ?.links;

  it.each([
    ["/", "x.html", "/x.html"],
    ["../", "x.html#y", "/a/x.html#y"],
    ["/docs/", "x/", "/docs/x/"],
    ["https://e.org/docs/", "x.html", "https://e.org/docs/x.html"],
    ["/", "https://other.org/", "https://other.org/"],
    ["http://[", "x.html", "x.html"],
    ["", "x.html", "x.html"],
  ])("%j lead from there on: %j", (base, href, found) => {
    expect(hrefs(base, href)).toMatchObject([{ href: found }]);
  });
});

it("a page that stands in a form as a whole is reported", () => {
  expect(parsePage("<form><h1>T</h1><p>text</form>").diagnostics).toMatchObject([{ code: "site-page-unread" }]);
  expect(parsePage("<form><p>text</form><p>x").diagnostics).toEqual([]);
});
