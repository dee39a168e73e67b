/**
 * What a visitor does in each of Pagefind's interfaces, and sees: Default UI, the elements of Component UI, Modular UI, and the marks
 * of `pagefind-highlight.js`. They are the files that Pagefind's program writes, unchanged; what is asked behind them is another's
 * business. What is seen does not depend on the order of results.
 */
import type { Page } from "playwright-core";

/** A way through one interface. */
export interface Journey {
  readonly name: string;
  /** Address below the host, with a query where the journey begins with one. */
  readonly path: string;
  /** The page, which finds the interface in `/pagefind/`. */
  readonly html: string;
  /** What was seen on the way, as JSON. */
  readonly go: (page: Page) => Promise<unknown>;
}

/** A word that many pages of the made-up site hold, one that a single page holds, and one filter of theirs. */
const WORD = "apples";
/** Boxes that scroll load the first results alone, and which these are is the order's business. */
const RARE = "word24";
const [KEY, VALUE] = ["type", "guide"];
/** Characters that are typed one after another, with so many milliseconds between. */
const TYPING_MS = 30;

const STYLES = (name: string): string => `<link rel="stylesheet" href="/pagefind/pagefind-${name}.css">`;
const SCRIPT = (name: string): string => `<script src="/pagefind/pagefind-${name}.js"></script>`;

/** All of them. */
export const JOURNEYS: readonly Journey[] = [
  {
    name: "Default UI",
    path: "ui/default.html",
    html: `${STYLES("ui")}<div id="search"></div>${SCRIPT("ui")}
<script>new PagefindUI({ element: "#search", showSubResults: true, pageSize: 50 })</script>`,
    async go(page) {
      await page.locator(".pagefind-ui__search-input").pressSequentially(WORD, { delay: TYPING_MS });
      const found = await read(page, ".pagefind-ui__message", /result/);
      const links = await readLinks(page, ".pagefind-ui__result-link");
      await page.locator(`summary:has-text("${KEY}")`).click();
      const filters = await readTexts(page, ".pagefind-ui__filter-label");
      await page.locator(`label:has-text("${VALUE}")`).click();
      return { found, links, filters, filtered: await readOther(page, ".pagefind-ui__message", found) };
    },
  },
  {
    name: "Component UI: modal",
    path: "ui/modal.html",
    html: `${STYLES("component-ui")}${SCRIPT("component-ui")}<pagefind-modal-trigger></pagefind-modal-trigger><pagefind-modal></pagefind-modal>`,
    async go(page) {
      await page.locator("pagefind-modal-trigger button").click();
      await page.locator("pagefind-modal input").pressSequentially(WORD, { delay: TYPING_MS });
      const found = await read(page, "pagefind-summary", /result/);
      await page.locator("pagefind-modal input").fill(RARE);
      await read(page, "pagefind-summary", new RegExp(RARE));
      const links = await readLinks(page, "pagefind-modal .pf-result-link");
      const chips = await readLinks(page, "pagefind-modal .pf-heading-link");
      const marks = new Set((await readTexts(page, "pagefind-modal mark")).map((mark) => mark.toLowerCase()));
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => !url.pathname.startsWith("/ui/"));
      return { found, links, chips, marks: [...marks].sort(), led: links.includes(new URL(page.url()).pathname) };
    },
  },
  {
    name: "Component UI: search box",
    path: "ui/searchbox.html",
    html: `${STYLES("component-ui")}${SCRIPT("component-ui")}<pagefind-searchbox show-sub-results></pagefind-searchbox>`,
    async go(page) {
      const input = page.locator("pagefind-searchbox input");
      await input.pressSequentially(RARE, { delay: TYPING_MS });
      const links = await readLinks(page, ".pf-searchbox-result");
      const parts = await readLinks(page, ".pf-searchbox-subresult");
      await input.fill("zzzzqqqq");
      const empty = await read(page, "pagefind-searchbox .pf-searchbox-dropdown", /No results/i);
      await input.fill(RARE);
      await readLinks(page, ".pf-searchbox-result");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => !url.pathname.startsWith("/ui/"));
      return { links, parts, empty, led: links.includes(new URL(page.url()).pathname) };
    },
  },
  {
    name: "Component UI: elements on a page, every page listed, filters in two forms",
    path: "ui/page.html",
    html: `${STYLES("component-ui")}${SCRIPT("component-ui")}<pagefind-config faceted highlight-param="hl"></pagefind-config>
<pagefind-input></pagefind-input><pagefind-summary></pagefind-summary>
<pagefind-filter-pane expanded></pagefind-filter-pane><pagefind-filter-dropdown filter="color"></pagefind-filter-dropdown>
<pagefind-results></pagefind-results>`,
    async go(page) {
      await page.locator("pagefind-input input").focus();
      const all = await readTexts(page, "pagefind-filter-pane .pf-filter-checkbox");
      const listed = (await readLinks(page, "pagefind-results .pf-result-link")).length > 0;
      await page.locator("pagefind-input input").pressSequentially(WORD, { delay: TYPING_MS });
      const found = await read(page, "pagefind-summary", new RegExp(WORD));
      const links = await readLinks(page, "pagefind-results .pf-result-link");
      const counts = await readTexts(page, "pagefind-filter-pane .pf-filter-checkbox");
      await page.locator(`pagefind-filter-pane label:has-text("${VALUE}")`).first().click();
      const filtered = await readOther(page, "pagefind-summary", found);
      await page.locator("pagefind-filter-dropdown button").first().click();
      const options = await readTexts(page, "pagefind-filter-dropdown .pf-dropdown-option");
      return { all, listed, found, links, counts, filtered, options };
    },
  },
  {
    name: "Modular UI",
    path: "ui/modular.html",
    html: `${STYLES("modular-ui")}<div id="search"></div><div id="summary"></div><div id="pills"></div><div id="results"></div>${SCRIPT("modular-ui")}
<script>
const { Instance, Input, Summary, FilterPills, ResultList } = PagefindModularUI;
const instance = new Instance({ bundlePath: "/pagefind/" });
instance.add(new Input({ containerElement: "#search" }));
instance.add(new Summary({ containerElement: "#summary" }));
instance.add(new FilterPills({ containerElement: "#pills", filter: "${KEY}", alwaysShow: true }));
instance.add(new ResultList({ containerElement: "#results" }));
</script>`,
    async go(page) {
      await page.locator("#search input").pressSequentially(WORD, { delay: TYPING_MS });
      const found = await read(page, "#summary", /result/);
      const links = await readLinks(page, "#results .pagefind-modular-list-link");
      const pills = await readTexts(page, "#pills button");
      await page.locator(`#pills button:has-text("${VALUE}")`).click();
      const filtered = await readOther(page, "#summary", found);
      return { found, links, pills, filtered };
    },
  },
  {
    name: "PagefindHighlight",
    path: `ui/marked.html?highlight=${WORD}&highlight=pears`,
    html: `<main data-pagefind-body><p>Apples, <b>pears</b> and apples.</p><p data-pagefind-ignore>apples</p></main><p>apples</p>
<script type="module">await import("/pagefind/pagefind-highlight.js");
new PagefindHighlight({ highlightParam: "highlight" });</script>`,
    async go(page) {
      const marks = page.locator("mark.pagefind-highlight");
      await marks.first().waitFor();
      const color = await marks.first().evaluate((mark) => getComputedStyle(mark).backgroundColor);
      return { marks: await marks.allTextContents(), color };
    },
  },
];

/** The text of an element once it is like `pattern`. */
async function read(page: Page, selector: string, pattern: RegExp): Promise<string> {
  return settle(page, async () => {
    const text = fold((await page.locator(selector).first().textContent()) ?? "");
    return pattern.test(text) ? text : undefined;
  });
}

/** The text of an element once it is neither empty nor what it was. */
async function readOther(page: Page, selector: string, before: string): Promise<string> {
  return settle(page, async () => {
    const text = fold((await page.locator(selector).first().textContent()) ?? "");
    return text !== before && /\d/.test(text) ? text : undefined;
  });
}

/** Texts of elements, sorted, once there are some. */
async function readTexts(page: Page, selector: string): Promise<string[]> {
  return settle(page, async () => {
    const texts = (await page.locator(selector).allTextContents()).map(fold);
    return texts.length > 0 ? texts.sort() : undefined;
  });
}

/** Paths that links lead to, sorted, once there are some. */
async function readLinks(page: Page, selector: string): Promise<string[]> {
  return settle(page, async () => {
    const links = await page.locator(selector).evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    const own = links.filter((link) => link !== "").map((link) => link.replace(/^https?:\/\/[^/]+/, ""));
    return own.length > 0 ? own.sort() : undefined;
  });
}

/** How long something has to stay as it is until it counts as what is shown, and how long that may take to come. */
const CALM_MS = 700;
const PATIENCE_MS = 20_000;

/** What is there, and has not changed for a while. @throws {Error} where that does not come. */
async function settle<T>(page: Page, look: () => Promise<T | undefined>): Promise<T> {
  let seen = "";
  let since = Date.now();
  for (const start = since; Date.now() - start < PATIENCE_MS; await page.waitForTimeout(CALM_MS / 10)) {
    const value = await look();
    const text = JSON.stringify(value) ?? "";
    if (text !== seen) [seen, since] = [text, Date.now()];
    else if (value !== undefined && Date.now() - since >= CALM_MS) return value;
  }
  throw new Error(`nothing to be seen settled; last was ${seen.slice(0, 300)}`);
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
