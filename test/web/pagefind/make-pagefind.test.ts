import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createStaticSource, makePagefind, type Pagefind } from "../../../src/web/pagefind/make-pagefind.ts";
import type { PagefindSearchOptions, ResultData } from "../../../src/web/pagefind/one-index.ts";
import type { PagefindOptions } from "../../../src/web/pagefind/options.ts";
import { openStaticIndex } from "../../../src/web/static-index.ts";
import { type BuiltIndex, buildPages } from "../../support/build-index.ts";
import { type StaticHost, serveFiles } from "../../support/static-host.ts";

const PAGES = {
  "index.md":
    "# Welcome to Widgets\n\nIntro about apples & widgets. See &lt;script>alert(1)&lt;/script>.\n\n## Install the widget\n\nInstall widgets with care. Apples help to install.\n\n## Using\n\nUse a widget.",
  "guide/index.md":
    "---\nkind: guide\ncolor: [red, blue]\nrank: 2\nimage: javascript:alert(1)\nauthor: Ann\n---\n# Guide\n\nApples in guide.\n\n## Again\n\nApples again.\n",
  "api/x.md": "---\nkind: api\ncolor: red\nrank: 10\nimage: /x.png\n---\n# API X\n\nWidget api. Only apples.\n",
  "api/y.md": "---\nkind: api\ncolor: green\nrank: 1\n---\n# API Y\n\nWidget api. Pears.\n",
  "ends.md":
    "# Ends\n\nA paragraph\nof two lines\n\nIs it?\n\n**sentences**\n\n- first item\n- `second item`\n\n> a quote\n> of two lines\n\n```js\nlet code = 1\n\nlet more = 2\n```\n\n| A cell. | B cell |\n| --- | --- |\n" +
    "\n## Code\n\nFirst verbatim\n\n    run()\n\n    go()\n\nWords\n    of one paragraph\n\n1. An item\n\n    goes on\n\nA fence\n\n```\n```js\nlet a = 1\n\nlet b = 2\n```\n\nLast\n\n- one\n",
  "zh.md": "# 安装\n\n本指南说明如何安装软件以及如何配置搜索引擎，请按照以下步骤操作。\n",
};
const OTHER = { "other.md": "---\nkind: guide\n---\n# Other site\n\nApples, apples, apples of another site.\n" };

let built: BuiltIndex;
let other: BuiltIndex;
beforeAll(async () => {
  [built, other] = await Promise.all([buildPages(PAGES), buildPages(OTHER)]);
});

const hosts: StaticHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function serve(before?: (path: string) => Promise<void>): Promise<StaticHost> {
  const folders = new Map([
    ["docs/pagefind/", built.files],
    ["other/pagefind/", other.files],
  ]);
  const find = (path: string): Uint8Array | undefined => {
    if (path === "real/pagefind/pagefind-entry.json") return Buffer.from('{"version":"1.6.0","languages":{"en":{}}}');
    const [folder = ""] = /^\w+\/pagefind\//.exec(path) ?? [];
    return folders.get(folder)?.get(path.slice(folder.length));
  };
  const host = await serveFiles(find, before === undefined ? {} : { before });
  hosts.push(host);
  return host;
}

/**
 * @param check What an index waits for before it says that it is there.
 * @param onQuery Is told what is searched for.
 */
async function open(
  folder = "docs/pagefind/",
  language = "",
  check: (index: string) => Promise<void> | undefined = () => undefined,
  onQuery: (query: string) => void = () => undefined,
): Promise<{ pagefind: Pagefind; host: StaticHost }> {
  const host = await serve();
  const openSource = (index: string): ReturnType<typeof createStaticSource> => {
    const source = createStaticSource(new URL(index, host.url).href, async () => ({ openStaticIndex }));
    return {
      ...source,
      check: async () => (await check(index)) ?? source.check(),
      find: (request) => {
        onQuery(request.query ?? "");
        return source.find(request);
      },
    };
  };
  const place = { folder: `${host.url}${folder}`, origin: host.url.slice(0, -1), language: () => language };
  return { pagefind: makePagefind(openSource, place), host };
}

async function urls(
  pagefind: Pick<Pagefind, "search">,
  term: string | null,
  options: PagefindSearchOptions = {},
): Promise<string[]> {
  const { results } = await pagefind.search(term, options);
  return Promise.all(results.map(async (result) => (await result.data()).url));
}

describe("search", () => {
  it("gives a result for each page that was found, best first, and reads nothing of them", async () => {
    const { pagefind, host } = await open();
    const { results, unfilteredResultCount, filters, totalFilters, timings } = await pagefind.search("apples");
    const asked = host.requests.length;
    expect(results).toHaveLength(3);
    expect(unfilteredResultCount).toBe(3);
    expect([filters, totalFilters]).toEqual([{}, {}]);
    expect(timings).toEqual([{ preload: 0, search: expect.any(Number), total: expect.any(Number) }]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(3);
    expect(results.map(({ score }) => score)).toEqual(results.map(({ score }) => score).sort((a, b) => b - a));
    expect(host.requests.length).toBe(asked);
  });

  it("reads results that are asked for at once together, and each once", async () => {
    const { pagefind, host } = await open();
    const { results } = await pagefind.search("apples");
    const before = host.requests.length;
    const [first, second] = await Promise.all(results.map((result) => result.data()));
    expect(first).not.toEqual(second);
    const taken = host.requests.length - before;
    // Beside their texts, what pages say of themselves.
    expect(taken).toBeLessThanOrEqual(results.length + 1);
    expect(await results[0]?.data()).toBe(first);
    expect(host.requests.length).toBe(before + taken);
  });

  it("takes whatever it is given", async () => {
    const { pagefind } = await open();
    const odd = [7, true, {}, [], "🍎", "\ud83c", "((", "a:b:c", "-", '"', "apples ".repeat(5000), "x".repeat(100_000)];
    for (const term of odd) expect(await pagefind.search(term as string), String(term).slice(0, 20)).toBeDefined();
    expect((await pagefind.search("apples ".repeat(5000))).results).toHaveLength(3);
    for (const options of [null, 7, { filters: null }, { filters: 7, sort: 7 }, { filters: { kind: 7 }, sort: null }]) {
      const { results } = await pagefind.search("apples", options as unknown as PagefindSearchOptions);
      expect(results, JSON.stringify(options)).toHaveLength(3);
    }
  });

  it("cuts a question that is too long between characters", async () => {
    const asked: string[] = [];
    const { pagefind } = await open("docs/pagefind/", "", undefined, (query) => asked.push(query));
    await pagefind.search(`${"a".repeat(1999)}🍎`);
    expect(asked).toEqual(["a".repeat(1999)]);
  });

  it("finds pages of which only the beginning of a word was typed, or a word with a slip", async () => {
    const { pagefind } = await open();
    expect((await urls(pagefind, "pea"))[0]).toBe("/docs/api/y");
    expect((await urls(pagefind, "widgtes")).length).toBeGreaterThan(0);
  });

  it("finds a phrase in quotes alone, and nothing where no page holds it", async () => {
    const { pagefind } = await open();
    expect(await urls(pagefind, '"apples again"')).toEqual(["/docs/guide/"]);
    expect(await urls(pagefind, '"care widgets"')).toEqual([]);
  });

  it.each(["", "   ", "zzzz", undefined])("finds nothing for %j", async (term) => {
    const { pagefind } = await open();
    const answer = await pagefind.search(term as string);
    expect(answer).toMatchObject({ results: [], unfilteredResultCount: 0 });
  });

  it("lists every page where the term is null", async () => {
    const { pagefind } = await open();
    expect((await urls(pagefind, null)).sort()).toEqual([
      "/docs/",
      "/docs/api/x",
      "/docs/api/y",
      "/docs/ends",
      "/docs/guide/",
      "/docs/zh",
    ]);
  });

  it("filters by all that is asked for, and counts with and without", async () => {
    const { pagefind } = await open();
    const { results, ...answer } = await pagefind.search("apples", { filters: { color: ["red", "blue"] } });
    expect(results).toHaveLength(1);
    expect(answer).toMatchObject({
      unfilteredResultCount: 3,
      filters: { color: { blue: 1, green: 0, red: 1 }, kind: { api: 0, guide: 1 } },
      totalFilters: { color: { blue: 1, green: 0, red: 2 }, kind: { api: 1, guide: 1 } },
    });
    expect(await urls(pagefind, null, { filters: { none: [{ color: "red" }, { kind: "api" }] } })).toEqual([
      "/docs/ends",
      "/docs/",
      "/docs/zh",
    ]);
  });

  it("sorts numbers as numbers, and leaves out what has none", async () => {
    const { pagefind } = await open();
    expect(await urls(pagefind, null, { sort: { rank: "asc" } })).toEqual([
      "/docs/api/y",
      "/docs/guide/",
      "/docs/api/x",
    ]);
    expect(await urls(pagefind, "apples", { sort: { rank: "desc" } })).toEqual(["/docs/api/x", "/docs/guide/"]);
    expect(await urls(pagefind, "apples", { sort: { nothing: "desc" } })).toEqual(await urls(pagefind, "apples"));
  });
});

describe("data", () => {
  async function read(term: string, options: PagefindOptions = {}): Promise<ResultData> {
    const { pagefind } = await open();
    await pagefind.options(options);
    const { results } = await pagefind.search(term);
    return (await results[0]?.data()) as ResultData;
  }

  it("is a page with its text, where the words stand in it, and its headings", async () => {
    const data = await read("install");
    expect(data.content).toBe(
      "Welcome to Widgets. Intro about apples & widgets. See <script>alert(1)</script>. Install the widget. Install widgets with care. Apples help to install. Using. Use a widget.",
    );
    expect(data.raw_content).toContain("apples &amp; widgets. See &lt;script&gt;alert(1)&lt;/script&gt;.");
    const words = data.content.split(/\s+/);
    expect(data.locations.map((at) => words[at])).toEqual(["Install", "Install", "install."]);
    expect(data.weighted_locations.map(({ weight }) => weight)).toEqual([6, 1, 1]);
    expect(data.anchors).toEqual([
      { element: "h2", id: "install-the-widget", text: "Install the widget", location: words.indexOf("Install") },
      { element: "h2", id: "using", text: "Using", location: words.indexOf("Using.") },
    ]);
    expect(data).toMatchObject({ url: "/docs/", raw_url: "/", meta: { title: "Welcome to Widgets" }, filters: {} });
    expect(data.word_count).toBeGreaterThan(15);
  });

  it("ends paragraphs and list items, and neither lines of a paragraph nor code", async () => {
    expect((await read("sentences")).content).toContain(
      "Ends. A paragraph of two lines. Is it? sentences. first item. second item. a quote of two lines. let code = 1 let more = 2 A cell. B cell",
    );
  });

  it("takes indented lines for code where they are, and ends a fence with nothing but its marks", async () => {
    expect((await read("verbatim")).content).toContain(
      " Code. First verbatim. run() go() Words of one paragraph. An item. goes on. A fence. ```js let a = 1 let b = 2 Last. one",
    );
  });

  it("has the parts of the page that hold the words, the page itself first", async () => {
    const { sub_results: parts } = await read("apples install");
    expect(parts.map(({ title, url, anchor }) => [title, url, anchor?.id])).toEqual([
      ["Welcome to Widgets", "/docs/", undefined],
      ["Install the widget", "/docs/#install-the-widget", "install-the-widget"],
    ]);
    expect(parts[0]).not.toHaveProperty("anchor");
    expect(parts[1]?.excerpt).toBe(
      "<mark>Install</mark> the widget. <mark>Install</mark> widgets with care. <mark>Apples</mark> help to <mark>install.</mark>",
    );
  });

  it("has excerpts of the length that was asked for, with what stands for the rest", async () => {
    const { excerpt, plain_excerpt: plain } = await read("install", { excerptLength: 4, excerptEllipsis: "…" });
    expect(plain.replaceAll("…", "").trim().split(" ")).toHaveLength(4);
    expect(excerpt).toContain("<mark>Install</mark> the widget.");
    expect(excerpt).toMatch(/^… .* …$/);
  });

  it("marks single words of a script without blanks", async () => {
    const { raw_content: raw, excerpt, content } = await read("安装");
    expect(content).toContain("本指南说明如何安装软件以及如何配置搜索引擎");
    expect(raw.split("\u200b").length).toBeGreaterThan(20);
    expect(excerpt).toContain("<mark>安</mark><mark>装</mark>软件");
  });

  it("has meta data without what runs in a browser, and filters apart from them", async () => {
    const { pagefind } = await open();
    const { results } = await pagefind.search(null, { sort: { rank: "asc" } });
    const [y, guide, x] = await Promise.all(results.map((result) => result.data()));
    expect(y?.meta).toEqual({ title: "API Y" });
    expect(guide?.meta).not.toHaveProperty("image");
    expect(x?.meta).toEqual({ title: "API X" });
    expect(guide?.filters).toMatchObject({ color: ["blue", "red"], kind: ["guide"] });
    expect(guide?.filters).not.toHaveProperty("collection");
  });

  it("leads to where the site stands, with the words that are to be marked", async () => {
    const { url, sub_results: parts } = await read("Install, apples", {
      baseUrl: "https://e.org/x",
      highlightParam: "hl",
    });
    expect(url).toBe("https://e.org/x/?hl=install&hl=apples");
    expect(parts[1]?.url).toBe("https://e.org/x/?hl=install&hl=apples#install-the-widget");
  });
});

describe("filters", () => {
  it("are all there are, and from then on searches count them", async () => {
    const { pagefind } = await open();
    expect(await pagefind.filters()).toMatchObject({
      color: { blue: 1, green: 1, red: 2 },
      kind: { api: 2, guide: 1 },
    });
    const { filters, totalFilters } = await pagefind.search("pears");
    expect(filters).toMatchObject({ color: { blue: 0, green: 1, red: 0 } });
    expect(totalFilters).toEqual(filters);
  });
});

describe("other indexes", () => {
  it("are searched together, with weights, filters of their own and ids that differ", async () => {
    const { pagefind, host } = await open();
    await pagefind.options({ mergeFilter: { site: "Docs" } });
    await pagefind.mergeIndex(`${host.url}other/pagefind`, { mergeFilter: { site: "Other" }, indexWeight: 100 });
    const { results, unfilteredResultCount, timings } = await pagefind.search("apples");
    expect(unfilteredResultCount).toBe(4);
    expect(timings).toHaveLength(2);
    expect(new Set(results.map(({ id }) => id)).size).toBe(4);
    expect((await results[0]?.data())?.url).toBe("/other/other");
    expect(await pagefind.filters()).toMatchObject({ site: { Docs: 6, Other: 1 }, kind: { api: 2, guide: 2 } });
    expect(await urls(pagefind, "apples", { filters: { site: "Other" } })).toEqual(["/other/other"]);
    expect((await pagefind.search("apples", { filters: { site: "Docs" } })).results).toHaveLength(3);
    await pagefind.options({ indexWeight: 1e6 });
    expect((await urls(pagefind, "apples"))[3]).toBe("/other/other");
  });

  it("are not added twice, however they are named", async () => {
    const { pagefind, host } = await open();
    for (const own of [`${host.url}docs/pagefind`, "/docs/pagefind/"]) await pagefind.mergeIndex(own);
    expect((await pagefind.search("apples")).timings).toHaveLength(1);
    await Promise.all(["/other/pagefind", `${host.url}other/pagefind/`].map((other) => pagefind.mergeIndex(other)));
    expect((await pagefind.search("apples")).timings).toHaveLength(2);
  });

  it("are searched by what is asked before they are there", async () => {
    const { pagefind } = await open();
    const merging = pagefind.mergeIndex("/other/pagefind");
    expect((await pagefind.search("apples")).results).toHaveLength(4);
    await merging;
  });

  it("are in the language, and have the options, that they are added with", async () => {
    const { pagefind } = await open("docs/pagefind/", "en");
    await pagefind.mergeIndex("/other/pagefind", {
      language: "pt-br",
      baseUrl: "https://o.example/",
      excerptLength: 2,
    });
    const { results } = await pagefind.search("another");
    const data = await results[0]?.data();
    expect(results[0]?.id).toMatch(/^pt-br_/);
    expect(data?.url).toBe("https://o.example/other");
    expect(data?.plain_excerpt.split(" ")).toHaveLength(2);
  });

  it("are refused where they are Pagefind's own, or none, and the others are searched on", async () => {
    const { pagefind, host } = await open();
    await expect(pagefind.mergeIndex(`${host.url}real/pagefind`)).rejects.toThrow(/is Pagefind's own.*treeline build/);
    await expect(pagefind.mergeIndex(`${host.url}nowhere/pagefind`)).rejects.toThrow(/there is no index at/);
    expect((await pagefind.search("apples")).timings).toHaveLength(1);
  });

  it("are refused to all who add the same at once, and looked for again by who adds it later", async () => {
    const { pagefind, host } = await open();
    const twice = ["real/pagefind", "real/pagefind/"].map((path) => pagefind.mergeIndex(`${host.url}${path}`));
    const outcomes = await Promise.allSettled(twice);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const before = host.requests.length;
    await expect(pagefind.mergeIndex(`${host.url}real/pagefind`)).rejects.toThrow(/is Pagefind's own/);
    expect(host.requests.length).toBeGreaterThan(before);
  });

  it("are there for all who add the same at once", async () => {
    const checks: (() => void)[] = [];
    const { pagefind } = await open("docs/pagefind/", "", (folder) => {
      if (folder.startsWith("/other")) return new Promise((resolve) => checks.push(resolve));
      return undefined;
    });
    const done: string[] = [];
    const twice = ["first", "second"].map((name) => pagefind.mergeIndex("/other/pagefind").then(() => done.push(name)));
    const searching = pagefind.search("apples");
    expect(done).toEqual([]);
    for (const check of checks) check();
    await Promise.all([...twice, searching]);
    expect(checks).toHaveLength(1);
  });

  it("do not fail a search that is asked while they are refused", async () => {
    const { pagefind, host } = await open();
    const merging = expect(pagefind.mergeIndex(`${host.url}real/pagefind`)).rejects.toThrow(/is Pagefind's own/);
    expect((await pagefind.search("apples")).results).toHaveLength(3);
    await merging;
    const again = expect(pagefind.mergeIndex(`${host.url}real/pagefind`)).rejects.toThrow(/is Pagefind's own/);
    expect(Object.keys(await pagefind.filters())).toContain("kind");
    await again;
  });
});

describe("instances", () => {
  it("have options of their own", async () => {
    const { pagefind, host } = await open();
    const own = pagefind.createInstance({ basePath: `${host.url}other/pagefind/`, baseUrl: "/mine/" });
    await own.init();
    expect(await urls(own, "apples")).toEqual(["/mine/other"]);
    expect(await urls(pagefind, "apples")).not.toContain("/mine/other");
  });

  it("forget their options when they are destroyed", async () => {
    const { pagefind } = await open();
    await pagefind.options({ baseUrl: "/mine/" });
    await pagefind.init();
    expect(await urls(pagefind, "pears")).toEqual(["/mine/api/y"]);
    await pagefind.destroy();
    expect(await urls(pagefind, "pears")).toEqual(["/docs/api/y"]);
  });
});

describe("a debounced search", () => {
  it("is null for all but the last", async () => {
    const { pagefind } = await open();
    const [first, second] = await Promise.all([
      pagefind.debouncedSearch("wid", {}, 1),
      pagefind.debouncedSearch("widget", {}, 1),
    ]);
    expect(first).toBeNull();
    expect(second?.results.length).toBeGreaterThan(0);
  });

  it("preloads no texts, not even those that tell whether a phrase is there", async () => {
    const { pagefind, host } = await open();
    await pagefind.preload("apples");
    const words = host.requests.length;
    await pagefind.preload('"apples again"');
    await pagefind.preload(null, { filters: { kind: "guide" } });
    expect((await pagefind.search(null, { filters: { kind: "guide" } })).results).toHaveLength(1);
    const asked = host.requests.length;
    expect(asked - words).toBeLessThanOrEqual(2);
    expect((await pagefind.search('"apples again"')).results).toHaveLength(1);
    expect(host.requests.length).toBeGreaterThan(asked);
  });

  it("finds in memory what was preloaded", async () => {
    const { pagefind, host } = await open();
    expect(await pagefind.preload("widget")).toBeUndefined();
    const asked = host.requests.length;
    await pagefind.search("widget");
    expect(host.requests.length).toBe(asked);
  });
});

describe("an index that is not there", () => {
  it("rejects what asks it, with words that say so, and nothing else", async () => {
    const { pagefind } = await open("nowhere/pagefind/");
    await pagefind.init();
    await pagefind.preload("x");
    for (const ask of [() => pagefind.search("apples"), () => pagefind.filters()]) {
      await expect(ask()).rejects.toThrow(/there is no index at .*\/nowhere\/pagefind\//);
    }
  });

  it("is asked again when it has come", async () => {
    const { pagefind } = await open();
    const files = new Map(built.files);
    built.files.clear();
    await expect(pagefind.search("apples")).rejects.toThrow(/no index/);
    for (const [name, bytes] of files) built.files.set(name, bytes);
    expect((await pagefind.search("apples")).results).toHaveLength(3);
  });
});
