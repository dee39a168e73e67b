/**
 * Reference pictures of the search box and of the explorer, over the docs and the sources of this project, for docs/images.
 *
 *   npm run screenshots [-- NAME…]
 *
 * The same window, pages and words each time. Look at them before you commit them.
 */
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { buildCorpus } from "../indexer/index/build.ts";
import { projectRoot } from "../test/support/environment.ts";
import { chromiumOptions } from "../test/support/find-chromium.ts";
import { serveFiles } from "../test/support/static-host.ts";
import { startWorker } from "../test/support/workerd.ts";

const IMAGES = join(projectRoot, "docs", "images");
const MAX_BYTES = 180_000;
const DESKTOP = { viewport: { width: 840, height: 600 }, reducedMotion: "reduce" } as const;
const PHONE = { ...DESKTOP, viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
/** What stands behind the box. */
const PAGE = `<style>:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif } body { margin: 1.5rem; max-width: 60rem }</style>
<treeline-search></treeline-search><h1>Treeline</h1><p>Search and navigation over a project's documentation and source code.</p>`;

interface Picture {
  readonly name: string;
  readonly window: BrowserContextOptions;
  /** Attributes of the page. */
  readonly html?: string;
  readonly query?: string;
  /** Path below the Worker; the page with a box where absent. */
  readonly path?: string;
  /** What stands at the top of the window. */
  readonly from?: string;
  /** What is clicked on, and what comes then. */
  readonly click?: readonly [string, string];
}

const PICTURES: readonly Picture[] = [
  { name: "search-desktop", window: DESKTOP, query: "publish index" },
  { name: "search-phone", window: PHONE, query: "publish index" },
  { name: "search-dark", window: { ...DESKTOP, colorScheme: "dark" }, query: "sesions" },
  { name: "search-rtl", window: DESKTOP, html: `lang="ar" dir="rtl"`, query: "publish index" },
  { name: "explorer", window: { ...DESKTOP, viewport: { width: 840, height: 640 } }, path: "/" },
  {
    name: "explorer-graph",
    window: { ...DESKTOP, viewport: { width: 1080, height: 620 } },
    path: "/explorer/graph?of=links",
    from: ".frame",
  },
];

/** A window in which pages are read. */
const READING = { ...DESKTOP, viewport: { width: 1210, height: 560 } } as const;
const READING_PICTURES: readonly Picture[] = [
  { name: "explorer-page", window: READING, path: "/documents/docs:static-hosting.md" },
  {
    name: "explorer-code",
    window: READING,
    path: "/documents/code:core/search/search.ts",
    click: ["a.own >> text=/^search$/", "dialog.panel"],
  },
  { name: "explorer-phone", window: { ...PHONE, colorScheme: "dark" }, path: "/documents/code:core/search/suggest.ts" },
];
const wanted = process.argv.slice(2);

const scratch = await mkdtemp(join(tmpdir(), "treeline-screenshots-"));
const worker = await startWorker();
const browser = await chromium.launch(chromiumOptions());
try {
  // Copies: in the checkout every commit of the project would be a new commit of the index.
  for (const folder of ["docs", "src"])
    await cp(join(projectRoot, folder), join(scratch, "project", folder), { recursive: true });
  await rm(join(scratch, "project", "docs", "images"), { recursive: true, force: true });
  const outDir = join(scratch, "index");
  const config = {
    collections: [
      { name: "docs", root: "docs" },
      { name: "code", root: "src", kind: "code" },
    ],
  };
  await writeFile(join(scratch, "project", "treeline.config.json"), JSON.stringify(config));
  await buildCorpus({ dir: join(scratch, "project"), outDir });
  await worker.publish("", outDir);
  await mkdir(IMAGES, { recursive: true });
  for (const picture of [...PICTURES, ...READING_PICTURES]) {
    if (wanted.length === 0 || wanted.includes(picture.name)) await take(browser, picture);
  }
} finally {
  await browser.close();
  await worker.stop();
  await rm(scratch, { recursive: true, force: true });
}
for (const name of (await readdir(IMAGES)).sort()) {
  const { size } = await stat(join(IMAGES, name));
  console.log(`${size <= MAX_BYTES ? "ok " : "BAD"} docs/images/${name}: ${size} bytes`);
  if (size > MAX_BYTES) process.exitCode = 1;
}

async function take(browser: Browser, picture: Picture): Promise<void> {
  const { name, window, html = `lang="en"`, query, path, from, click } = picture;
  const text = `<!doctype html><html ${html}><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Treeline</title>${PAGE}<script type="module" src="${worker.url}/search.js"></script>`;
  const host = await serveFiles(() => Buffer.from(text), { type: "text/html" });
  const context = await browser.newContext({ deviceScaleFactor: 1, locale: "en-US", ...window });
  try {
    const page = await context.newPage();
    await page.goto(path === undefined ? host.url : `${worker.url}${path}`, { waitUntil: "networkidle" });
    if (query !== undefined) await search(page, query);
    if (click !== undefined) {
      await page.locator(click[0]).first().click();
      await page.locator(click[1]).waitFor();
    }
    if (from !== undefined)
      await page
        .locator(from)
        .first()
        .evaluate((element) => element.scrollIntoView());
    await page.screenshot({ path: join(IMAGES, `${name}.png`), animations: "disabled", caret: "hide" });
  } finally {
    await context.close();
    await host.close();
  }
}

async function search(page: Page, query: string): Promise<void> {
  await page.locator("treeline-search").click();
  await page.locator("[part=input]").fill(query);
  await page.locator("[part~=page]").first().waitFor();
  await page.locator("[part~=chip]").first().waitFor();
  await page.waitForLoadState("networkidle");
}
