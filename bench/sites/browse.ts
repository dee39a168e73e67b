/** What visitors do with both search boxes, in Chromium. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { SiteHost } from "./host.ts";

const BOX = "treeline-search";
const INPUT = `${BOX} input`;
/** Rows that lead somewhere. */
const ROW = `${BOX} [part~=option][href]`;
const PEER_INPUT = ".pagefind-ui__search-input";
const PEER_ROW = ".pagefind-ui__result-link";
const PATIENCE_MS = 15_000;
/** How long rows have to stay as they are: both boxes show more half a second after the last key. */
const CALM_MS = 900;
/** How long nothing has to be shown until that is the answer: a busy machine takes its time. */
const NOTHING_MS = 6000;
const LOOK_MS = 60;

/** Page with Pagefind's Default UI and nothing else. @param base Of the site. @param language Its pages' language. */
export function peerPage(base: string, language: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Search</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}pagefind/pagefind-ui.css"></head><body><div id="search"></div>
<script src="${base}pagefind/pagefind-ui.js"></script>
<script>new PagefindUI({ element: "#search", showSubResults: true, pageSize: 5 })</script></body></html>
`;
}

/** A window of a visitor, who reaches nobody but the host. */
export async function openWindow(
  browser: Browser,
  host: SiteHost,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<BrowserContext> {
  const window = await browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 }, ...options });
  window.setDefaultTimeout(PATIENCE_MS);
  await window.route(
    (url) => url.origin !== new URL(host.url).origin && url.protocol.startsWith("http"),
    (route) => route.abort(),
  );
  return window;
}

/** Open Treeline's box by its key. */
export async function openBox(page: Page): Promise<void> {
  await page.waitForFunction(`document.querySelector("${BOX}")?.shadowRoot != null`);
  await page.keyboard.press("Control+k");
  await page.locator(INPUT).waitFor({ state: "visible" });
}

/** One of the two boxes. */
export interface Box {
  readonly name: "Treeline" | "Pagefind";
  readonly input: string;
  readonly row: string;
  /** Folder of its index and code. */
  readonly folder: string;
  /** True for files that are code, not index. */
  readonly isCode: (path: string) => boolean;
}

/** Treeline's. */
export const OURS: Box = {
  name: "Treeline",
  input: INPUT,
  row: ROW,
  folder: "treeline/",
  isCode: (path) => path.endsWith(".js"),
};
/** Pagefind's Default UI. */
export const THEIRS: Box = {
  name: "Pagefind",
  input: PEER_INPUT,
  row: PEER_ROW,
  folder: "pagefind/",
  isCode: (path) => /\.(?:js|css)$|wasm\.\w+\.pagefind$/.test(path),
};

/** Addresses of the rows, in their order, once they stay as they are; none where nothing is found. */
export async function readRows(page: Page, box: Box): Promise<readonly string[]> {
  return settle(page, box, "[]");
}

/** Ask a query in place of what was there, at once, as from the clipboard. The result is as of `readRows`. */
export async function ask(page: Page, box: Box, query: string): Promise<readonly string[]> {
  const input = page.locator(box.input).first();
  // What is shown for no query, so that no row of the query before is taken for an answer.
  await input.fill("");
  await page.waitForTimeout(CALM_MS / 2);
  const idle = JSON.stringify(await listRows(page, box));
  await input.fill(query);
  return settle(page, box, idle);
}

/** Rows that have stayed as they are. @param idle What is shown where nothing was asked. */
async function settle(page: Page, box: Box, idle: string): Promise<readonly string[]> {
  let seen = "";
  let since = Date.now();
  for (const start = since; Date.now() - start < PATIENCE_MS; await page.waitForTimeout(LOOK_MS)) {
    const rows = await listRows(page, box);
    const text = JSON.stringify(rows);
    if (text !== seen) [seen, since] = [text, Date.now()];
    const isAnswer = rows.length > 0 && text !== idle;
    if (Date.now() - since >= (isAnswer ? CALM_MS : NOTHING_MS)) return isAnswer ? rows : [];
  }
  throw new Error(`${box.name}: results do not come to rest`);
}

/** Address that Enter follows: that of the chosen row. */
export async function readChosen(page: Page): Promise<string | undefined> {
  const chosen = page.locator(`${ROW}[aria-selected=true]`).first();
  return (await chosen.count()) === 0
    ? undefined
    : ((await chosen.evaluate((link: HTMLAnchorElement) => link.href)) ?? undefined);
}

/**
 * Ask a query where nothing was asked before. The result is the milliseconds until its first row is painted; undefined where
 * none comes.
 */
export async function timeFirst(page: Page, box: Box, query: string): Promise<number | undefined> {
  const shown = page.evaluate(
    ({ row, patience }) => {
      const prefix = "treeline-search ";
      const addresses = (): string => {
        const root = row.startsWith(prefix) ? document.querySelector(prefix)?.shadowRoot : document;
        const links = root?.querySelectorAll<HTMLAnchorElement>(
          row.startsWith(prefix) ? row.slice(prefix.length) : row,
        );
        return [...(links ?? [])].map(({ href }) => href).join(" ");
      };
      const before = addresses();
      return new Promise<number | undefined>((resolve) => {
        let typed = 0;
        const look = (): void => {
          const now = addresses();
          if (now !== "" && now !== before) setTimeout(() => resolve(performance.now() - typed));
          else requestAnimationFrame(look);
        };
        const begin = (): void => {
          typed = performance.now();
          requestAnimationFrame(look);
        };
        addEventListener("input", begin, { capture: true, once: true });
        setTimeout(() => resolve(undefined), patience);
      });
    },
    { row: box.row, patience: PATIENCE_MS },
  );
  await page.locator(box.input).first().fill(query);
  return shown;
}

async function listRows(page: Page, box: Box): Promise<readonly string[]> {
  return page.locator(box.row).evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
}
