/** Built sites without a configuration: languages, addresses and what all pages share follow from the pages. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildCorpus } from "../../../indexer/index/build.ts";
import { loadLinks, loadOutline, readSections } from "../../../src/core/docs/documents.ts";
import type { IndexReader } from "../../../src/core/index/index-reader.ts";
import { readLog } from "../../../src/core/index/read-log.ts";
import { findPages } from "../../../src/core/search/find-pages.ts";
import { readPages } from "../../../src/core/search/read-pages.ts";
import { search } from "../../../src/core/search/search.ts";
import { openFiles } from "../../support/build-index.ts";
import { ask } from "../../support/small-corpora.ts";
import { type FileContents, makeFolder, readFolder, writeFiles } from "../../support/temporary-folder.ts";

async function open(dir: string, base?: string): Promise<IndexReader> {
  const outDir = join(dir, base === undefined ? ".out" : ".next");
  await buildCorpus({
    dir,
    outDir,
    ...(base !== undefined && { base: join(dir, base) }),
    cacheDir: join(dir, ".cache"),
  });
  return (await openFiles(await readFolder(outDir), "all")).reader;
}

async function build(files: FileContents, collection?: object): Promise<IndexReader> {
  const settings = { collections: [{ name: "site", kind: "site", ...collection }] };
  const config = collection === undefined ? {} : { "treeline.config.json": JSON.stringify(settings) };
  return open(await makeFolder({ ...files, ...config }));
}

const page = (text: string, { lang = "", head = "" } = {}): string =>
  `<html${lang === "" ? "" : ` lang="${lang}"`}><head>${head}</head><body>${text}</body></html>`;

async function urls(reader: IndexReader): Promise<Record<string, string>> {
  const { hits } = await search(reader, ask("word", { limit: 50 }));
  return Object.fromEntries(hits.map(({ path, url }) => [path, url]));
}

async function said(reader: IndexReader): Promise<string[]> {
  return (await readLog(reader)).diagnostics.flatMap((one) => (one.code === "site-read" ? [one.message] : []));
}

async function textOf(reader: IndexReader, id: string): Promise<string> {
  const outline = await loadOutline(reader, id);
  if (outline === undefined) throw new Error(`no ${id}`);
  const sections = await readSections(reader, outline, [...outline.sections.keys()]);
  return sections.map(({ text }) => text).join("");
}

describe("pages in several languages", () => {
  const files = {
    "index.html": page('<p>word houses <a href="/de/b/">b</a></p>', { lang: "en" }),
    "b/index.html": page("<p>word</p>", { lang: "en-GB" }),
    "c/index.html": page("<p>word</p>"),
    "d/index.html": page("<p>word</p>", { lang: "en" }),
    "de/index.html": page('<p>word Häuser <a href="/de/b/">b</a></p>', { lang: "de" }),
    "de/b/index.html": page("<p>word</p>", { lang: "de-AT" }),
    "ja/index.html": page("<p>word</p>", { lang: "ja" }),
  };

  it("are a collection for each language; the commonest keeps the name, and pages that name none", async () => {
    const reader = await build(files);
    expect(reader.collections.map(({ name, language, documents }) => [name, language, documents])).toEqual([
      ["site", "english", 4],
      ["site-de", "german", 2],
      ["site-ja", "none", 1],
    ]);
    expect(await said(reader)).toEqual([
      "its pages name 3 languages, each a collection: site in english (4), site-de in german (2), site-ja in none (1)",
    ]);
    const { hits } = await search(reader, ask("haus", { filter: { include: { language: ["de"] }, exclude: {} } }));
    expect(hits.map(({ id }) => id)).toEqual(["site-de:de/index.html"]);
  });

  it("link to each other as those of one site", async () => {
    const reader = await build(files);
    for (const id of ["site:index.html", "site-de:de/index.html"]) {
      const outline = await loadOutline(reader, id);
      const links = outline && (await loadLinks(reader, outline));
      expect(links?.out).toMatchObject([{ kind: "internal", toNodeId: "site-de:de/b/index.html" }]);
    }
  });

  it("keep the settings of their collection, and names of others", async () => {
    const settings = { weight: 2, baseUrl: "https://x.org/" };
    const reader = await build({ ...files, "more/a.md": "word" }, settings);
    expect(reader.collections.map(({ weight, baseUrl }) => [weight, baseUrl])).toEqual(
      Array.from({ length: 3 }, () => [2, "https://x.org/"]),
    );
    const dir = await makeFolder(files);
    const collections = [
      { name: "site", kind: "site", root: "." },
      { name: "Site-DE", root: "." },
    ];
    await writeFiles(dir, { "treeline.config.json": JSON.stringify({ collections }), "a.md": "word" });
    expect((await open(dir)).collections.map(({ name }) => name)).toEqual(["site", "site-de_", "site-ja", "Site-DE"]);
  });

  it("are one collection where the configuration says its language", async () => {
    const { collections } = await build(files, { language: "french" });
    expect(collections).toMatchObject([{ name: "site", language: "french", documents: 7 }]);
  });

  it("leave the name to the language of the page at the root, unless that is hardly any other", async () => {
    const names = async (root: string, others: Readonly<Record<string, string>>): Promise<string[]> => {
      const pages = Object.entries(others).map(([path, lang]) => [`${path}/index.html`, page("<p>word</p>", { lang })]);
      const { collections } = await build({
        "index.html": page("<p>word</p>", { lang: root }),
        ...Object.fromEntries(pages),
      });
      return collections.map(({ name, language }) => `${name} ${language}`);
    };
    expect(await names("en", { a: "en", b: "pt-BR", c: "pt-PT", d: "pt-BR" })).toEqual([
      "site english",
      "site-pt portuguese",
    ]);
    expect(await names("en", { a: "de", b: "de", c: "de", d: "de" })).toEqual(["site german", "site-en english"]);
  });

  it("of one language are analysed in it, under the name alone", async () => {
    const { collections } = await build({
      "a.html": page("<p>word</p>", { lang: "de" }),
      "b.html": page("<p>word</p>"),
    });
    expect(collections).toMatchObject([{ name: "site", language: "german", documents: 2 }]);
  });

  it("are the same whether built on a base or not", async () => {
    const dir = await makeFolder(files);
    await open(dir);
    await writeFiles(dir, { "fr/index.html": page("<p>word maisons</p>", { lang: "fr" }) });
    const next = await open(dir, ".out");
    await rm(join(dir, ".cache"), { recursive: true });
    await rm(join(dir, ".out"), { recursive: true });
    expect(next.collections).toEqual((await open(dir)).collections);
    expect(next.collections.map(({ name }) => name)).toContain("site-fr");
  });
});

describe("addresses of pages", () => {
  const pages = (links: readonly string[]): FileContents => ({
    "index.html": page(`<p>word</p>${links.map((href) => `<a href="${href}">x</a>`).join("")}`),
    "guide/start.html": page("<p>word</p>"),
    "guide/more.html": page("<p>word</p>"),
    "api/index.html": page("<p>word</p>"),
  });

  it.each([
    ["without .html", ["/guide/start", "/guide/more", "/api/"], ["/", "/guide/start", "/guide/more", "/api/"]],
    ["with it", ["/guide/start.html", "guide/more.html"], ["/", "/guide/start.html", "/guide/more.html", "/api/"]],
    ["with a slash", ["/guide/start/", "guide/more/"], ["/", "/guide/start/", "/guide/more/", "/api/"]],
    ["of folders without one", ["/guide/start", "/api"], ["/", "/guide/start", "/guide/more", "/api"]],
    [
      "below the folder of a project",
      ["/repo/guide/start", "/repo/api/", "/blog/guide/more"],
      ["/repo/", "/repo/guide/start", "/repo/guide/more", "/repo/api/"],
    ],
    [
      "that lead elsewhere",
      ["/other/x", "https://x.org/repo/api"],
      ["/", "/guide/start.html", "/guide/more.html", "/api/"],
    ],
  ])("are written as its links are: %s", async (_, links, wanted) => {
    const [index, start, more, api] = wanted;
    expect(await urls(await build(pages(links)))).toEqual({
      "index.html": index,
      "guide/start.html": start,
      "guide/more.html": more,
      "api/index.html": api,
    });
  });

  it("are those that the configuration says, and canonical ones come before links", async () => {
    const files = pages(["/repo/guide/start", "/repo/guide/more"]);
    const own = await build(files, { baseUrl: "/docs/", site: { cleanUrls: "no" } });
    expect(await urls(own)).toMatchObject({ "guide/start.html": "/docs/guide/start.html" });
    const head = (path: string) =>
      page("<p>word</p>", { head: `<link rel="canonical" href="https://x.org/repo/${path}">` });
    const named = {
      ...files,
      "guide/start.html": head("guide/start.html"),
      "guide/more.html": head("guide/more.html"),
    };
    expect(await urls(await build(named))).toMatchObject({ "guide/start.html": "/repo/guide/start.html" });
  });

  it("are said in a line", async () => {
    expect(await said(await build(pages(["/repo/guide/start", "/repo/api"])))).toEqual([
      "addresses are written below /repo/, without .html, without / at their ends, as its pages have them",
    ]);
    expect(await said(await build(pages([])))).toEqual([]);
  });

  it("resolve links below the folder of the site", async () => {
    const reader = await build(pages(["/repo/guide/start", "/repo/guide/more"]));
    const outline = await loadOutline(reader, "site:index.html");
    expect(outline && (await loadLinks(reader, outline)).out).toMatchObject([
      { kind: "internal", toNodeId: "site:guide/start.html" },
      { kind: "internal", toNodeId: "site:guide/more.html" },
    ]);
  });

  it("keep the name of a page called readme", async () => {
    const files = { "readme.html": page('<p>word</p><a href="/readme">x</a>') };
    expect(await urls(await build(files))).toEqual({ "readme.html": "/readme" });
  });
});

describe("what all pages of a site share", () => {
  const site = (count: number): FileContents =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `p${at}.html`,
        page(
          `<table><tr><td><a href="p1.html">Start</a></td><td>Menu of the site</td></tr></table><h1>Page ${at}</h1><p>word ${at}</p><p>Written by us</p>`,
        ),
      ]),
    );

  it("is no text of any of them, and depends on no order and no cache", async () => {
    const dir = await makeFolder(site(12));
    const reader = await open(dir);
    expect(await textOf(reader, "site:p3.html")).toBe("# Page 3\n\nword 3\n");
    expect((await search(reader, ask('"menu of the site"'))).hits).toEqual([]);
    await writeFiles(dir, { "p3.html": page("<h1>Other</h1><p>word</p><p>Written by us</p>") });
    const next = await open(dir, ".out");
    expect(await textOf(next, "site:p3.html")).toBe("# Other\n\nword\n");
    expect(await textOf(next, "site:p4.html")).toBe("# Page 4\n\nword 4\n");
  });

  it("is read where there are few pages, and where pages mark their text", async () => {
    expect(await textOf(await build(site(4)), "site:p3.html")).toContain("Written by us");
    const marked = Object.fromEntries(
      Object.entries(site(12)).map(([path, text]) => [
        path,
        String(text).replace("<body>", "<body data-pagefind-body>"),
      ]),
    );
    expect(await textOf(await build(marked), "site:p3.html")).toContain("Written by us");
  });
});

it("gives Pagefind's interface the id of the heading that is the title, and searches the page's address", async () => {
  const reader = await build({ "a.html": page('<main><h1 id="_top">Title</h1><p>word</p><h2 id="b">B</h2></main>') });
  const found = await findPages(reader, {
    ...{
      query: "word",
      filter: {},
      added: {},
      language: "",
      sort: undefined,
      withCounts: false,
      ranking: {},
      typing: false,
    },
  });
  const [read] = await readPages(reader, {
    generation: found.generation,
    keys: found.pages.map(({ key }) => key),
    terms: found.terms,
    clean: (text) => text,
  });
  expect(read?.anchors.map(({ id, level, at }) => [id, level, at])).toEqual([
    ["_top", 1, 0],
    ["b", 2, 2],
  ]);
  expect((await search(reader, ask("word"))).hits).toMatchObject([{ url: "/a.html", sections: [{ url: "/a.html" }] }]);
});
