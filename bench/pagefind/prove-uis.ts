/** Proves that Pagefind's interfaces show the same on an index of Treeline as on one of their own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { bundleForFiles } from "../../indexer/engine/bundle-pages.ts";
import { chromiumOptions } from "../../test/support/find-chromium.ts";
import { serveFiles } from "../../test/support/static-host.ts";
import { JOURNEYS, type Journey } from "./ui-journeys.ts";

/** So tall that interfaces which load what is seen load everything. */
const VIEWPORT = { width: 1000, height: 8000 };
const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css" };

/** What both folders showed on the way through one interface. */
export interface Shown {
  readonly name: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

/**
 * Go all journeys on both.
 *
 * @param site Folder of the pages.
 * @param mine Folder of Treeline's index. Beside it are served the scripts of interfaces that Pagefind wrote, as where a site switches.
 * @param theirs Folder that Pagefind wrote.
 */
export async function showUis(site: string, mine: string, theirs: string): Promise<readonly Shown[]> {
  const modules = new Map((await bundleForFiles()).map(({ name, bytes }) => [name, bytes]));
  const ours = (name: string): Uint8Array | undefined =>
    modules.get(name) ??
    read(join(mine, name)) ??
    (/-ui\.(?:js|css)$/.test(name) ? read(join(theirs, name)) : undefined);
  const browser = await chromium.launch(chromiumOptions());
  try {
    const shown: Shown[] = [];
    for (const journey of JOURNEYS) {
      shown.push({
        name: journey.name,
        ours: await walk(browser, journey, site, ours),
        theirs: await walk(browser, journey, site, (name) => read(join(theirs, name))),
      });
    }
    return shown;
  } finally {
    await browser.close();
  }
}

/** What is shown, or what went wrong. */
async function walk(
  browser: Browser,
  { path, html, go }: Journey,
  site: string,
  index: (name: string) => Uint8Array | undefined,
): Promise<unknown> {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title><body>${html}`;
  const find = (asked: string): Uint8Array | undefined => {
    if (asked.startsWith("ui/")) return Buffer.from(page);
    if (asked.startsWith("pagefind/")) return index(asked.slice("pagefind/".length));
    return read(join(site, asked.endsWith("/") ? `${asked}index.html` : asked)) ?? Buffer.from("");
  };
  const type = (asked: string): string => TYPES[/\.(\w+)$/.exec(asked)?.[1] ?? "html"] ?? "application/octet-stream";
  const host = await serveFiles(find, { type });
  const window = await browser.newContext({ locale: "en-US", viewport: VIEWPORT });
  try {
    const opened = await window.newPage();
    const problems: string[] = [];
    opened.on("pageerror", (error) => problems.push(error.message));
    opened.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("404")) problems.push(message.text());
    });
    await opened.goto(`${host.url}${path}`);
    const seen = await go(opened).catch((error: unknown) => ({ failed: String(error).slice(0, 500) }));
    return problems.length === 0 ? seen : { seen, problems };
  } finally {
    await window.close();
    await host.close();
  }
}

function read(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
