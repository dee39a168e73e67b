/**
 * Starlight's own search, as its visitors use it: Pagefind's Default UI in a dialog, on whatever `pagefind/pagefind.js` the site has.
 */
import type { Page } from "playwright-core";
import { watchPage } from "./watch-page.ts";

const BUTTON = "site-search button[data-open-modal]";
const DIALOG = "site-search dialog";
const INPUT = ".pagefind-ui__search-input";
const RESULT = ".pagefind-ui__result";
/** Which of two indexes in the same folder answers: Treeline's begins with its pointer, Pagefind's with these. */
const POINTER = "/pagefind/treeline.pointer";
const OF_PAGEFIND = /\.pf_\w+$|\/wasm\.|pagefind-entry\.json$/;
const PATIENCE_MS = 10_000;
const KEY_MS = 40;

/** What is searched for, and the beginning of the path of the page that is to be found first. */
export interface StarlightVisit {
  readonly query: string;
  readonly leadsTo: string;
}

/**
 * Open the search by its button and by its key, search, look at what is found, follow a part of the first page. The result is what
 * went wrong: nothing where it works.
 */
export async function visitStarlightSearch(
  page: Page,
  url: string,
  { query, leadsTo }: StarlightVisit,
): Promise<readonly string[]> {
  const { problems, expect } = watchPage(page, PATIENCE_MS, ["error", "warning"]);
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(new URL(request.url()).pathname));
  await page.goto(url);
  await page.click(BUTTON);
  await page.locator(`${DIALOG}[open] ${INPUT}`).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(`${DIALOG}:not([open])`).waitFor({ state: "attached" });
  await page.keyboard.press("Control+k");
  await page.locator(`${DIALOG}[open] ${INPUT}`).waitFor();
  await page.keyboard.type(query, { delay: KEY_MS });
  const first = page.locator(RESULT).first();
  await first.locator("mark").first().waitFor();
  const links = await first.locator("a").all();
  const addresses = await Promise.all(
    links.map(async (link) => new URL((await link.getAttribute("href")) ?? "", url).href),
  );
  const [path = "", ...parts] = addresses;
  expect(asked.has(POINTER), `not answered by ${POINTER}`);
  const foreign = [...asked].filter((one) => OF_PAGEFIND.test(one));
  expect(foreign.length === 0, `answered by Pagefind's own ${foreign.join(", ")}`);
  expect(new URL(path).pathname.startsWith(leadsTo), `the first page is ${path}`);
  const part = parts.find((address) => address.includes("#"));
  expect(part !== undefined, "no part of the first page is shown");
  expect((await page.locator(RESULT).count()) > 1, "only one page is shown");
  expect(
    await page
      .locator(".pagefind-ui__filter-panel")
      .count()
      .then((count) => count === 0),
    "filters that the site has not made",
  );
  if (part === undefined) return problems;
  await first.locator(`a[href*="#"]`).first().click();
  await page.waitForURL(part);
  const id = decodeURIComponent(new URL(part).hash.slice(1));
  const isThere = await page.evaluate(`document.getElementById(${JSON.stringify(id)}) !== null`);
  expect(isThere === true, `${part} leads to nothing`);
  return problems;
}
