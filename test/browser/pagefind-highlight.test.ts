/** `pagefind-highlight.js` on a page, as Pagefind's documentation has pages use it. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleForFiles } from "../../indexer/engine/bundle-pages.ts";
import { type StaticHost, serveFiles } from "../support/static-host.ts";
import { openPage } from "./browse.ts";

/** What a page writes into its script, by the path of the page. */
const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ["plain", "new PagefindHighlight();"],
  ["named", 'new PagefindHighlight({ highlightParam: "highlight" });'],
  ["bare", 'new PagefindHighlight({ highlightParam: "highlight", addStyles: false, markOptions: { className: "" } });'],
  ["all", 'new PagefindHighlight({ markContext: "main, .in, #aside", markOptions: { exclude: [] } });'],
  [
    "again",
    `window.first = new PagefindHighlight({ highlightParam: "highlight" });
     window.second = new PagefindHighlight({ highlightParam: "highlight" });
     window.other = new PagefindHighlight({ highlightParam: "other", markOptions: { className: "other" } });`,
  ],
  ["element", 'new PagefindHighlight({ markContext: document.querySelector("#aside") });'],
  ["nodes", 'new PagefindHighlight({ markContext: document.querySelectorAll("#aside, footer") });'],
  ["em", 'new PagefindHighlight({ markOptions: { element: "em", className: "found here" } });'],
]);

function makePage(path: string): string {
  return `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>
<style>.styled .pagefind-highlight { color: rgb(1, 2, 3) }</style>
<main data-pagefind-body><p class="in">First apples, then <i>ap</i>plesauce and pineapples.</p>
<p data-pagefind-ignore>Ignored <b>apples</b>.</p><div class="styled"><p>Styled apples.</p></div></main>
<aside id="aside">Apples aside.</aside><footer>Apples below.</footer>
<script type="module">await import("/pagefind/pagefind-highlight.js");
${SCRIPTS.get(path)}
document.title = "ready";</script>`;
}

let host: StaticHost;
beforeAll(async () => {
  const script = (await bundleForFiles()).find(({ name }) => name === "pagefind-highlight.js");
  const files = new Map([["pagefind/pagefind-highlight.js", script?.bytes ?? new Uint8Array()]]);
  host = await serveFiles((path) => files.get(path) ?? Buffer.from(makePage(path)), {
    type: (path) => (path.endsWith(".js") ? "text/javascript" : "text/html"),
  });
});
afterAll(() => host.close());

async function open(address: string): Promise<Page> {
  const page = await openPage(`${host.url}${address}`);
  await expect.poll(() => page.title()).toBe("ready");
  return page;
}

/** Texts of marks, of any element that has been put around one. */
function listMarks(page: Page, selector = "mark"): Promise<readonly string[]> {
  return page.locator(selector).allTextContents();
}

describe("PagefindHighlight", () => {
  it("marks the words in the body that the page names, without what is ignored", async () => {
    const page = await open("plain?pagefind-highlight=apples&pagefind-highlight=then");
    expect(await listMarks(page, "mark.pagefind-highlight")).toEqual(["apples", "then", "ap", "plesauce", "apples"]);
    const colors = await page
      .locator("mark")
      .evaluateAll((all) => all.map((mark) => [getComputedStyle(mark).backgroundColor, getComputedStyle(mark).color]));
    expect(colors[0]).toEqual(["rgb(255, 255, 0)", "rgb(0, 0, 0)"]);
    expect(colors.at(-1)).toEqual(["rgb(255, 255, 0)", "rgb(1, 2, 3)"]);
  });

  it("takes the parameter that it is told, and no other", async () => {
    expect(await listMarks(await open("named?highlight=first"))).toEqual(["First"]);
    expect(await listMarks(await open("named?pagefind-highlight=first"))).toEqual([]);
    expect(await listMarks(await open("named"))).toEqual([]);
  });

  it("leaves out styles and class where the page wants none", async () => {
    const page = await open("bare?highlight=first");
    expect(await listMarks(page, "mark:not([class])")).toEqual(["First"]);
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
  });

  it("marks where it is told, each place once", async () => {
    expect(await listMarks(await open("all?pagefind-highlight=apples"))).toEqual([
      ...["apples", "ap", "plesauce", "apples", "apples", "Apples"],
    ]);
    expect(await listMarks(await open("element?pagefind-highlight=apples"))).toEqual(["Apples"]);
    expect(await listMarks(await open("nodes?pagefind-highlight=apples"))).toEqual(["Apples", "Apples"]);
  });

  it("begins anew when it is told to, with one sheet for each class", async () => {
    const page = await open("again?highlight=apples&other=first");
    const text = await page.locator("main").innerText();
    const marked = ["apples", "ap", "plesauce", "apples"];
    const look = async (): Promise<readonly unknown[]> => [
      await listMarks(page, "mark.pagefind-highlight"),
      await page.locator("mark mark").count(),
      await page.evaluate(() => document.adoptedStyleSheets.length),
    ];
    expect(await look()).toEqual([marked, 0, 2]);
    const tell = (address: string): Promise<void> =>
      page.evaluate((to) => {
        history.pushState(null, "", to);
        const { first, other } = window as unknown as Record<"first" | "other", { highlight(): void }>;
        for (const one of [first, first, other]) one.highlight();
      }, address);
    await tell("?highlight=apples&other=first");
    expect(await look()).toEqual([marked, 0, 2]);
    expect(await listMarks(page, "mark.other")).toEqual(["First"]);
    await tell("?highlight=then");
    expect(await look()).toEqual([["then"], 0, 2]);
    await tell("?");
    expect(await look()).toEqual([[], 0, 2]);
    expect(await page.locator("main").innerText()).toBe(text);
  });

  it("makes other elements", async () => {
    const page = await open("em?pagefind-highlight=then&pagefind-highlight=nowhere");
    expect(await listMarks(page, "em.found.here")).toEqual(["then"]);
  });
});
