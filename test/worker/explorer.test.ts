/** The explorer's pages as the Worker serves them: for browsers and for programs, of the root and of a corpus with a name. */
import { beforeAll, describe, expect, it } from "vitest";
import { NAVIGATION } from "../../src/http/explorer/links.ts";
import { get, send } from "./ask.ts";
import { FIXTURES, publishCorpus } from "./corpus-files.ts";
import { publishServedIndex } from "./served-index.ts";

/** What Chromium sends when it opens a page. */
const BROWSER = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8" };
const DOCUMENT = "docs:guide/install.md";
const PAGES = [...NAVIGATION.map(({ path }) => path), "/explorer/search?q=install&explain=1"];

let document = "";

const page = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  get(path, { ...BROWSER, ...headers });

beforeAll(async () => {
  await publishServedIndex();
  await publishCorpus("v2", FIXTURES.handbook);
  const found = (await (await get("/search?q=install")).json()) as { results: { id: string }[] };
  document = found.results[0]?.id ?? DOCUMENT;
});

describe("every page", () => {
  it.each([...PAGES, ...PAGES.map((path) => `/v2${path === "/" ? "" : path}`), "/v2/"])(
    "%s is whole HTML under a policy of its own",
    async (path) => {
      const response = await page(path);
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      const policy = response.headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(text).toContain("</html>");
      expect(text.match(/<h1[ >]/g)).toHaveLength(1);
      // What the policy would not let run or show is not there.
      expect(text).not.toMatch(/<script(?![^>]* src="\/)|<style|\sstyle=|\son[a-z]+="|href="javascript:/i);
      // Nothing that is a value of the program's own.
      expect(text).not.toMatch(/undefined|\[object|NaN|Infinity/);
    },
  );

  it("of a corpus leads to pages of that corpus alone, but for the choice of another", async () => {
    const text = await (await page("/v2/explorer/search?q=lamp")).text();
    const [, choice = ""] = /<details class="corpora">(.*?)<\/details>/s.exec(text) ?? [];
    expect(choice).toContain(`href="/v2" aria-current="true"`);
    expect(choice).toContain(`href="/"`);
    const others = text.replace(choice, "").matchAll(/(?:href|action)="(\/[^"]*)"/g);
    for (const [, address = ""] of others)
      expect(address).toMatch(/^\/v2(\/|$)|^\/favicon\.ico|^\/explorer\/style\.css/);
  });

  it("is confirmed by a 304 that says the policy again, and is another one for another generation or frame", async () => {
    const first = await page("/");
    await first.text();
    const etag = first.headers.get("ETag") ?? "";
    expect(first.headers.get("Cache-Control")).toBe("public, no-cache");
    expect(first.headers.get("Vary")).toContain("Accept");
    const again = await page("/", { "If-None-Match": etag });
    expect(again.status).toBe(304);
    expect(again.headers.get("Content-Security-Policy")).toBe(first.headers.get("Content-Security-Policy"));
    expect((await page("/v2", { "If-None-Match": etag })).status).toBe(200);
    expect((await get("/documents/guide/install.md", { "If-None-Match": etag })).status).not.toBe(304);
  });

  it("answers HEAD as GET without a body, and nothing that changes", async () => {
    for (const path of ["/", "/explorer/search?q=install", "/explorer/connect", "/explorer/style.css"]) {
      const response = await send("HEAD", path, BROWSER);
      expect(response.status).toBe(200);
      expect(await response.text()).toBe("");
      const refused = await send("POST", path, BROWSER);
      expect(refused.status).toBe(405);
      expect(refused.headers.get("Allow")).toBe("GET, HEAD");
    }
  });

  it("is small", async () => {
    for (const path of PAGES) {
      const body = (await page(path)).body as ReadableStream<Uint8Array>;
      const packed = await new Response(body.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
      expect(packed.byteLength, path).toBeLessThan(15_000);
    }
  });
});

describe("files of pages", () => {
  it.each(["style.css", "script.js"])(
    "%s is kept for ever under the address that pages name, 5 kB at most",
    async (name) => {
      const text = await (await page("/")).text();
      const [address = ""] = new RegExp(`/explorer/${name}\\?v=[0-9a-f]+`).exec(text) ?? [];
      const named = await get(address);
      expect(named.headers.get("Cache-Control")).toContain("immutable");
      const packed = await new Response(named.body?.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
      expect(packed.byteLength).toBeGreaterThan(100);
      expect(packed.byteLength).toBeLessThan(5000);
      const other = await get(`/explorer/${name}?v=0`);
      expect(other.headers.get("Cache-Control")).toBe("public, no-cache");
      expect((await get(address, { "If-None-Match": other.headers.get("ETag") ?? "" })).status).toBe(304);
    },
  );

  it("have an icon, where browsers look for it, too", async () => {
    const [, address = ""] = /<link rel="icon" [^>]*href="([^"]+)"/.exec(await (await page("/")).text()) ?? [];
    for (const path of [address, "/favicon.ico"]) {
      const icon = await get(path);
      expect(icon.headers.get("Content-Type")).toBe("image/svg+xml");
      expect(await icon.text()).toContain("<svg ");
    }
  });
});

describe("the tree", () => {
  it("opens the only collection at once, and counts words as the overview does", async () => {
    for (const base of ["", "/v2"]) {
      const [, words = "none"] = /<dt>words<\/dt><dd>([\d,]+)<\/dd>/.exec(await (await page(base || "/")).text()) ?? [];
      const { collections } = (await (await get(`${base}/status`)).json()) as { collections: { name: string }[] };
      const text = await (await page(`${base}/explorer/tree`)).text();
      const isAll = collections.length > 1;
      expect(text.includes('<nav class="place"')).toBe(!isAll);
      const whole = isAll ? text : await (await page(`${base}/explorer/tree?folder=${collections[0]?.name}:`)).text();
      expect(whole).toMatch(new RegExp(`<p class="soft">[\\d,]+ documents, ${words} words\\.`));
      expect(text).toContain('<tr><th scope="row"><a href=');
    }
  });
});

describe("the first address", () => {
  it.each([
    ["/explorer", "/"],
    ["/explorer/", "/"],
    ["/v2/explorer", "/v2"],
    ["/v2/explorer/", "/v2"],
  ])("is where %s leads", async (path, first) => {
    const response = await page(path);
    expect(response.redirected).toBe(true);
    expect(new URL(response.url).pathname).toBe(first);
    expect(await response.text()).toContain("<h2>Collections</h2>");
  });

  it("tells programs what there is to ask, of the root and of a corpus", async () => {
    for (const [path, base] of [
      ["/", ""],
      ["/v2", "/v2"],
      ["/v2/", "/v2"],
    ] as const) {
      const response = await get(path, { Accept: "*/*" });
      expect(response.headers.get("Content-Type")).toContain("application/json");
      const { addresses } = (await response.json()) as { addresses: string[] };
      expect(addresses).toContain(`http://localhost:8787${base}/mcp`);
      expect(addresses).toContain(`http://localhost:8787${base}/search?q=…`);
      expect(addresses.some((address) => address.endsWith("/corpora"))).toBe(base === "");
    }
  });
});

describe("results", () => {
  it("have marks, links to the text here, chips that narrow, and how scores came about", async () => {
    const text = await (await page("/explorer/search?q=install&explain=1")).text();
    expect(text).toMatch(/<mark>[Ii]nstall/);
    expect(text).toContain(`href="/documents/`);
    expect(text).toMatch(/class="chip" href="\/explorer\/search\?q=install&amp;explain=1&amp;f\.[a-z_]+=/);
    expect(text).toContain("part by part");
    expect(text).toMatch(/part by part<\/summary><pre class="wrap">score = /);
  });

  it("say what is wrong with a question in the page, and keep what was typed", async () => {
    for (const [query, words] of [
      ["q=install&sort=size", "sort must be one of"],
      ["q=install&collection=nothing", "There is no collection"],
      [`q=${"x".repeat(3000)}`, "at most 2000"],
    ] as const) {
      const response = await page(`/explorer/search?${query}`);
      expect(response.status).toBe(400);
      const text = await response.text();
      expect(text).toContain(words);
      expect(text).toContain(`<input id="q"`);
    }
  });

  it("show a hostile question as the text that it is", async () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e`;
    const text = await (
      await page(`/explorer/search?q=${encodeURIComponent(hostile)}&f.x=${encodeURIComponent(hostile)}`)
    ).text();
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain("<img");
    expect(text).not.toContain("\u202e");
    expect(text).toContain("&lt;script&gt;alert(1)");
  });

  it("go on page by page", async () => {
    const text = await (await page("/explorer/search?q=install&limit=1")).text();
    const [, next = ""] = /rel="next" href="([^"]+)"/.exec(text) ?? [];
    expect(next).toContain("offset=1");
    const second = await (await page(next.replaceAll("&amp;", "&"))).text();
    expect(second).toContain(`rel="prev"`);
    expect(second).toMatch(/2 to 2 of \d+ documents/);
  });
});

describe("a document", () => {
  it("is a page for browsers, and what it was for all others", async () => {
    const response = await page(`/documents/${document}`);
    expect(response.headers.get("Content-Type")).toContain("text/html");
    expect(response.headers.get("Vary")).toContain("Accept");
    const text = await response.text();
    expect(text).toContain(`<nav class="outline"`);
    const sections = [...text.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    expect(sections.length).toBeGreaterThan(0);
    const { sections: listed } = (await (await get(`/documents/${document}`)).json()) as {
      sections: { nodeId: string }[];
    };
    expect(sections).toEqual(listed.slice(1).map(({ nodeId }) => nodeId.slice(nodeId.indexOf("#") + 1)));
    const markdown = await page(`/documents/${document}?format=markdown`);
    expect(markdown.headers.get("Content-Type")).toContain("text/markdown");
    const json = await get(`/documents/${document}`, { Accept: "application/json, text/html;q=0.5" });
    expect(json.headers.get("Content-Type")).toContain("application/json");
  });

  it("that is not there is a page that names those near it", async () => {
    const response = await page(`/documents/${document}x`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain(`href="/documents/${document}"`);
    expect((await page("/documents/%E0%A4%A")).status).toBe(400);
  });
});

describe("an address that is no page", () => {
  it("is a page for browsers and JSON for others", async () => {
    for (const path of ["/explorer/nothing", "/v2/explorer/x/y"]) {
      const response = await page(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain("No such page");
      expect(await (await get(path)).json()).toHaveProperty("nearest");
    }
    const missing = await page("/v3/explorer/search?q=x");
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain("There is no corpus");
  });
});
