/** A visit that goes on: somebody searches, follows a hit, then a link of the site, searches again, goes back. */
import type { Page } from "playwright-core";
import { watchPage } from "./watch-page.ts";

/** What is done on a site. */
export interface LongVisit {
  /** Words to search for, of which the best hit leads to `leadsTo`. */
  readonly query: string;
  /** Beginning of the path, behind the site's address, of the page that is found. */
  readonly leadsTo: string;
  /** Selector of a link of the site itself that the visitor follows then. */
  readonly link: string;
  /** Whether the site changes its pages in place. */
  readonly isInPlace: boolean;
}

/** What went wrong; empty where nothing did. */
export type Problems = readonly string[];

const BOX = "treeline-search";
const HAS_BOX = `document.querySelector("${BOX}")?.shadowRoot != null`;
/** By the box where the page was changed in place. Where it was loaded the browser does it, and tells nobody: then it has scrolled. */
const IS_MARKED = `(CSS.highlights.get("treeline-found")?.size ?? 0) > 0 || scrollY > 0`;
const OPTION = `${BOX} [part~=option]`;
const PATIENCE_MS = 10_000;
/** Of keys, as somebody types who knows what he wants. */
const KEY_MS = 40;

/** Search from a page on, follow the best hit, and so on. */
export async function visitSite(page: Page, url: string, visit: LongVisit): Promise<Problems> {
  const { problems, expect } = watchPage(page, PATIENCE_MS, ["error"]);
  await page.goto(url);
  await page.waitForFunction(HAS_BOX);
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));

  await search(page, visit.query);
  await page.keyboard.press("Enter");
  await page.waitForURL((address) => address.pathname.startsWith(visit.leadsTo));
  expect(
    (await isSameDocument(page)) === visit.isInPlace,
    `followed a hit ${visit.isInPlace ? "by loading" : "in place"}`,
  );
  expect(await isMarked(page), "nothing is marked on the page that the hit leads to");
  const [found, title] = [page.url(), await page.title()];

  await page.locator(visit.link).first().click();
  await page.waitForURL((address) => address.href !== found);
  expect((await isSameDocument(page)) === visit.isInPlace, "the site itself moves otherwise than was thought");

  await search(page, visit.query);
  expect((await page.locator(BOX).count()) === 1, "not one box after a link of the site");
  await page.keyboard.press("Escape");
  await page.goBack();
  await page.waitForFunction(`document.title === ${JSON.stringify(title)}`);
  await search(page, visit.query);
  return problems;
}

/** Open the box by its key, type, and wait for an answer. */
async function search(page: Page, query: string): Promise<void> {
  await page.waitForFunction(HAS_BOX);
  // A page that is changed in place may take the box with it once more, just when it is opened.
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("Control+k");
  await page.locator(`${BOX} input`).fill("");
  await page.keyboard.type(query, { delay: KEY_MS });
  await page.locator(OPTION).first().waitFor();
  // The answer to all of it, not to its beginning.
  await page.waitForLoadState("networkidle");
}

function isSameDocument(page: Page): Promise<boolean> {
  return page.evaluate(() => "isSameDocument" in globalThis);
}

async function isMarked(page: Page): Promise<boolean> {
  return page
    .waitForFunction(IS_MARKED)
    .then(() => true)
    .catch(() => false);
}
