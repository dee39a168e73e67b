/**
 * What typing a query costs in a browser, through the box that a visitor uses: requests that the host waits with for a while,
 * in how many rounds, bytes, and the time until the first result is painted.
 *
 * A round is what is asked before the host answers the first of it. Times run from the last key to the first frame with a
 * result of that query, so they have the pause in them for which a box waits before it asks.
 */
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { type HostRequest, serveFiles } from "../../test/support/static-host.ts";

/** A box on a page. */
export interface TypedBox {
  readonly name: string;
  /** The page, and the files beside it, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Makes the field ready for a visitor's keys. */
  readonly focus: (page: Page) => Promise<void>;
  /** Selector of what is there once a result is painted, and of the field. */
  readonly result: string;
  readonly field: string;
  /** Files of the index; all else is code. */
  readonly isIndex: (path: string) => boolean;
}

/** What one query cost. */
export interface TypedCost {
  /** Rounds of all requests before the first result was there, and of those for index files. */
  readonly rounds: number;
  readonly indexRounds: number;
  /** Requests, and bytes, with what came after the first result. */
  readonly requests: number;
  readonly indexBytes: number;
  /** Scripts and styles, as gzip: so hosts send them. */
  readonly codeBytes: number;
  /** From the last key to the first painted result. */
  readonly milliseconds: number;
}

/** What was measured with one query: on a visitor's first page, again on that page, and on the next page of the site. */
export interface TypedQuery {
  readonly query: string;
  readonly cold: TypedCost;
  readonly warm: TypedCost;
  readonly next: TypedCost;
}

interface Arrival {
  readonly path: string;
  readonly at: number;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
  wasm: "application/wasm",
};
/** Files that are named by their content, in either index: hosts let browsers keep them. */
const NAMED_BY_CONTENT = /\.(?:pack|root|pf_\w+)$/;
/** Nothing more comes when nothing came for so long: a box asks for the rest of an answer when its text has stood for half a second. */
const QUIET_MS = 1_000;
const PATIENCE_MS = 15_000;
const NOT_MODIFIED = 304;

/**
 * Type queries into a box, each on a page of its own: all at once, as pasted, so that no answer to a part of it counts.
 *
 * @param delayMs How long the host waits before each answer.
 */
export async function typeQuery(
  browser: Browser,
  box: TypedBox,
  queries: { readonly query: string; readonly other: string; readonly next: string },
  delayMs: number,
): Promise<TypedQuery> {
  const host = await watchHost(box, delayMs);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  try {
    await page.goto(`${host.url}page.html`, { waitUntil: "networkidle" });
    host.reset();
    await box.focus(page);
    const coldTime = await paint(page, box, queries.other);
    host.mark();
    await page.waitForTimeout(QUIET_MS);
    const cold = host.cost(coldTime);
    await page.locator(box.field).fill("");
    await page.locator(box.result).first().waitFor({ state: "detached" });
    await page.waitForTimeout(QUIET_MS);
    host.reset();
    const warmTime = await paint(page, box, queries.query);
    host.mark();
    await page.waitForTimeout(QUIET_MS);
    const warm = host.cost(warmTime);
    await page.goto(`${host.url}page.html?next`, { waitUntil: "networkidle" });
    host.reset();
    await box.focus(page);
    const nextTime = await paint(page, box, queries.next);
    host.mark();
    await page.waitForTimeout(QUIET_MS);
    return { query: queries.query, cold, warm, next: host.cost(nextTime) };
  } finally {
    await page.close();
    await host.close();
  }
}

/** Bytes of index files that typing a word letter by letter takes, on a page that is ready. @param keyMs Between two keys. */
export async function typeLetters(
  browser: Browser,
  box: TypedBox,
  word: string,
  { keyMs, delayMs, other }: { readonly keyMs: number; readonly delayMs: number; readonly other: string },
): Promise<TypedCost> {
  const host = await watchHost(box, delayMs);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  try {
    await page.goto(`${host.url}page.html`, { waitUntil: "networkidle" });
    await box.focus(page);
    await paint(page, box, other);
    await page.locator(box.field).fill("");
    await page.waitForTimeout(QUIET_MS);
    host.reset();
    await page.keyboard.type(word, { delay: keyMs });
    await page.locator(box.result).first().waitFor();
    await page.waitForTimeout(QUIET_MS + delayMs);
    host.mark();
    return host.cost(0);
  } finally {
    await page.close();
    await host.close();
  }
}

/** Put text into the field that has the focus; milliseconds until a result is painted. */
async function paint(page: Page, { result }: TypedBox, text: string): Promise<number> {
  // Set up before the keys come: what the page is asked meanwhile may come after them.
  const watch = await page.evaluateHandle((selector) => {
    return {
      painted: new Promise<number>((resolve) => {
        let typed = 0;
        addEventListener("input", () => (typed = performance.now()), { capture: true });
        const roots = (): ParentNode[] => {
          const hosts = [...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
          return [document, ...hosts];
        };
        const look = (): void => {
          const isThere = typed > 0 && roots().some((root) => root.querySelector(selector) !== null);
          // The frame after the one in which it is there has it on the screen.
          requestAnimationFrame(isThere ? () => resolve(performance.now() - typed) : look);
        };
        requestAnimationFrame(look);
      }),
    };
  }, result);
  await page.keyboard.insertText(text);
  return watch.evaluate(({ painted }) => painted);
}

async function watchHost(
  { files, isIndex }: TypedBox,
  delayMs: number,
): Promise<{
  readonly url: string;
  readonly reset: () => void;
  /** The first result is there: what comes now belongs to no round. */
  readonly mark: () => void;
  readonly cost: (milliseconds: number) => TypedCost;
  readonly close: () => Promise<void>;
}> {
  const arrivals: Arrival[] = [];
  let answered: Arrival[] = [];
  let before: readonly Arrival[] = [];
  const host = await serveFiles((path) => files.get(path), {
    cacheControl: (path) => (NAMED_BY_CONTENT.test(path) ? "public, max-age=31536000, immutable" : "no-cache"),
    type: (path) => TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    before: async (path) => {
      const arrival = { path, at: performance.now() };
      arrivals.push(arrival);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      answered.push(arrival);
    },
  });
  return {
    url: host.url,
    close: host.close,
    mark() {
      // What was asked and not yet answered brought no result.
      before = [...answered];
    },
    reset() {
      arrivals.length = 0;
      answered = [];
      host.reset();
    },
    cost: (milliseconds) => ({
      rounds: countRounds(before, delayMs),
      indexRounds: countRounds(
        before.filter(({ path }) => isIndex(path)),
        delayMs,
      ),
      requests: arrivals.length,
      indexBytes: addUp(host.requests.filter(({ path }) => isIndex(path))),
      codeBytes: host.requests
        .filter(({ path, status }) => !isIndex(path) && status !== NOT_MODIFIED)
        .reduce((sum, { path }) => sum + gzipSync(files.get(path) ?? new Uint8Array()).length, 0),
      milliseconds,
    }),
  };
}

/** Whatever arrives before the host has answered the first request of a round belongs to it. */
function countRounds(arrivals: readonly Arrival[], delayMs: number): number {
  let rounds = 0;
  let ends = Number.NEGATIVE_INFINITY;
  for (const { at } of arrivals) {
    if (at < ends) continue;
    rounds++;
    ends = at + delayMs;
  }
  return rounds;
}

function addUp(requests: readonly HostRequest[]): number {
  return requests.reduce((sum, { bytes }) => sum + bytes, 0);
}
