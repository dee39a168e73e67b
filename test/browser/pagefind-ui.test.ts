/**
 * Pagefind's own Default UI, as npm has it, on index files: it runs unchanged, and shows no tag of what the pages hold.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleForFiles } from "../../indexer/engine/bundle-pages.ts";
import { buildCorpus } from "../../indexer/index/build.ts";
import { buildPages } from "../support/build-index.ts";
import { projectRoot } from "../support/environment.ts";
import { type StaticHost, serveFiles } from "../support/static-host.ts";
import { readFolder, writeFiles } from "../support/temporary-folder.ts";
import { openPage } from "./browse.ts";

/** More than one page of results for `apples`, one of them hostile. */
const PAGES = {
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `guide/page-${at}.md`,
      `---\nkind: guide\ncolor: ${at % 3 === 0 ? "[red, blue]" : "[red]"}\nauthor: Ann\n---\n# Page ${at}\n\nApples on page ${at}.\n\n## Peel ${at}\n\nPeel the apples ${at}.\n`,
    ]),
  ),
  "pears.md": "---\ncolor: [green]\n---\n# Pears\n\nNothing but pears.\n",
  "hostile.md":
    "---\ncolor: ['<img src=x onerror=document.title=1>']\nurl: 'javascript:document.title=2'\nimage: 'javascript:document.title=3'\n---\n" +
    "# `<img src=x onerror=document.title=4>` nasturtium\n\nnasturtium &lt;script>document.title=5&lt;/script> `<img src=x onerror=document.title=6>`\n",
};

/** A built site whose pages have a heading with an id above all others, as Starlight makes them. */
const SITE = {
  "deno.html":
    '<main data-pagefind-body><h1 id="_top">Deploy</h1><p>Deploy with quinces.</p><h2 id="b">Again</h2><p>More quinces.</p></main>',
};

let host: StaticHost;

beforeAll(async () => {
  const resolveDir = projectRoot;
  const contents = `import { PagefindUI } from "@pagefind/default-ui"; window.PagefindUI = PagefindUI;`;
  const dir = await mkdtemp(join(tmpdir(), "treeline-site-"));
  await writeFiles(dir, SITE);
  const [built, site, files, ui] = await Promise.all([
    buildPages(PAGES),
    buildCorpus({ dir, outDir: join(dir, "pagefind") }).then(() => readFolder(join(dir, "pagefind"))),
    bundleForFiles(),
    build({ stdin: { contents, resolveDir }, bundle: true, write: false, format: "iife", logLevel: "error" }),
  ]);
  await rm(dir, { recursive: true });
  const styles = readFileSync(join(projectRoot, "node_modules", "@pagefind", "default-ui", "css", "ui.css"), "utf8");
  const pageOf = (options: string): Buffer =>
    Buffer.from(`<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Site</title><style>${styles}</style>
<div id="search"></div><script src="/ui.js"></script><script>
new PagefindUI({ element: "#search", bundlePath: "/docs/pagefind/", showSubResults: true, ${options} });</script>`);
  const found = new Map<string, Uint8Array>([
    ["docs/index.html", pageOf("")],
    [
      "docs/words.html",
      pageOf("translations: { many_results: '[COUNT] Treffer für [SEARCH_TERM]' }, highlightParam: 'hl'"),
    ],
    ["docs/none.html", Buffer.from(pageOf("").toString().replace("/docs/pagefind/", "/docs/pagefind/none/"))],
    ["docs/site.html", Buffer.from(pageOf("").toString().replace("/docs/pagefind/", "/site/pagefind/"))],
    ...[...site].map(([name, bytes]): [string, Uint8Array] => [`site/pagefind/${name}`, bytes]),
    ["docs/pears", Buffer.from('<!doctype html><link rel="icon" href="data:,"><title>Pears</title>')],
    ["ui.js", ui.outputFiles[0]?.contents as Uint8Array],
    ...[...built.files].map(([name, bytes]): [string, Uint8Array] => [`docs/pagefind/${name}`, bytes]),
    ...files.flatMap(({ name, bytes }): [string, Uint8Array][] => [
      [`docs/pagefind/${name}`, bytes],
      [`docs/pagefind/none/${name}`, bytes],
      [`site/pagefind/${name}`, bytes],
    ]),
  ]);
  const types: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript" };
  host = await serveFiles((path) => found.get(path), {
    type: (path) =>
      (path.includes(".") ? types[path.split(".").at(-1) ?? ""] : types["html"]) ?? "application/octet-stream",
  });
});

afterAll(() => host.close());

async function type(page: Page, text: string): Promise<void> {
  await page.click(".pagefind-ui__search-input");
  await page.keyboard.type(text);
}

describe("Default UI", () => {
  it("searches, filters, shows more, and clears", async () => {
    const page = await openPage(`${host.url}docs/index.html`);
    await type(page, "apples");
    const results = page.locator(".pagefind-ui__result");
    const message = page.locator(".pagefind-ui__message");
    await expect.poll(() => message.textContent()).toContain("12 results for apples");
    await expect.poll(() => results.count()).toBe(5);
    const first = results.first();
    await expect.poll(() => first.locator("mark").count()).toBeGreaterThan(0);
    expect(await first.locator("mark").first().textContent()).toMatch(/^apples/i);
    const links = await first.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links[0]).toMatch(/^\/docs\/guide\/page-\d+$/);
    expect(links[1]).toMatch(/^\/docs\/guide\/page-\d+#peel-\d+$/);
    // What can be filtered by is no further line of a result.
    expect(await first.locator(".pagefind-ui__result-tags").count()).toBe(0);

    await page.click(".pagefind-ui__results-area .pagefind-ui__button");
    await expect.poll(() => results.count()).toBe(10);

    await page.click("summary:has-text('Color')");
    const labels = page.locator(".pagefind-ui__filter-label");
    expect(await labels.allTextContents()).toContain("blue (4)");
    await page.click("label:has-text('blue (4)')");
    await expect.poll(() => message.textContent()).toContain("4 results for apples");
    await expect.poll(() => labels.allTextContents()).toContain("red (4)");

    await page.click(".pagefind-ui__search-clear");
    expect(await page.inputValue(".pagefind-ui__search-input")).toBe("");
    await expect.poll(() => page.isVisible(".pagefind-ui__drawer")).toBe(false);
  });

  it("says what finds nothing, and follows a result by keyboard", async () => {
    const page = await openPage(`${host.url}docs/index.html`);
    await type(page, "zzzzqqqq");
    await expect.poll(() => page.textContent(".pagefind-ui__message")).toContain("No results for zzzzqqqq");
    await page.keyboard.press("Escape");
    await type(page, "pears");
    await expect.poll(() => page.textContent(".pagefind-ui__message")).toContain("1 result for pears");
    await expect.poll(() => page.locator(".pagefind-ui__result-link").count()).toBeGreaterThan(0);
    await page.focus(".pagefind-ui__result-link");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${host.url}docs/pears`);
    expect(await page.title()).toBe("Pears");
  });

  it("says what it is told to say, and sends words along", async () => {
    const page = await openPage(`${host.url}docs/words.html`);
    await type(page, "peel apples");
    await expect.poll(() => page.textContent(".pagefind-ui__message")).toContain("12 Treffer für peel apples");
    await expect
      .poll(() => page.locator(".pagefind-ui__result-link").first().getAttribute("href"))
      .toMatch(/\?hl=peel&hl=apples(?:#|$)/);
  });

  it("shows the part below a page's title as one of its parts, and no excerpt beside them", async () => {
    const page = await openPage(`${host.url}docs/site.html`);
    await type(page, "quinces");
    const nested = page.locator(".pagefind-ui__result-nested a");
    await expect.poll(() => nested.count()).toBe(2);
    const links = await nested.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links).toEqual(["/site/deno.html#_top", "/site/deno.html#b"]);
    expect(await page.locator(".pagefind-ui__result-inner > .pagefind-ui__result-excerpt").count()).toBe(0);
  });

  it("runs nothing of what pages hold", async () => {
    const page = await openPage(`${host.url}docs/index.html`);
    await type(page, "nasturtium");
    await expect.poll(() => page.locator(".pagefind-ui__result mark").count()).toBeGreaterThan(0);
    await page.click("summary:has-text('Color')");
    const inner = await page.innerHTML("#search");
    expect(inner).toContain("&lt;script&gt;");
    expect(inner).toContain("&lt;img src=x onerror=document.title=1&gt;");
    expect(await page.locator("#search script, #search img[src=x]").count()).toBe(0);
    const links = await page
      .locator("#search a")
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
    expect(new Set(links)).toEqual(new Set(["http:"]));
    await page.click("label:has-text('onerror')");
    await expect.poll(() => page.textContent(".pagefind-ui__message")).toContain("1 result");
    expect(await page.title()).toBe("Site");
  });

  it("is told where there is no index", async () => {
    const page = await openPage(`${host.url}docs/none.html`, {
      allow: [/404.*treeline\.pointer/, /there is no index at/],
    });
    const failed = page.waitForEvent("pageerror");
    await page.click(".pagefind-ui__search-input");
    expect((await failed).message).toContain("there is no index at");
  });
});
