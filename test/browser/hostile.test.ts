/** An index in which every text means harm: scripts in titles and excerpts, addresses that run, characters that turn text around. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openBox, SOURCES, search } from "./box.ts";

/** Characters that hide text or turn it around. */
const UNSEEN = /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
/** Addresses that would do something in the page that has a link to them. */
const HARMFUL = [
  "javascript:ran.push(1)",
  " java\nscript:ran.push(2)",
  "data:text/html,<script>parent.ran.push(3)</script>",
  "vbscript:x",
  "blob:http://127.0.0.1/x",
  "file:///etc/hosts",
];

describe.each(SOURCES)("a search box with hostile answers from %s", (source) => {
  it("shows them as text and runs nothing", async () => {
    const box = await openBox(source, { corpus: "hostile", before: watchHarm });
    const { page, options } = box;
    await box.button.click();
    for (const query of ["evil word", "harm", "evilword"]) {
      await search(box, query);
      expect((await options.allTextContents()).join("")).not.toMatch(UNSEEN);
      expect(await listNodes(page)).toEqual({ names: [], handlers: [], protocols: [] });
    }
    await search(box, "harm");
    expect((await options.allTextContents()).join(" ")).toContain("<script>");
    expect(await page.evaluate(() => Reflect.get(globalThis, "ran"))).toEqual([]);
  });
});

describe("a search box", () => {
  it("has no link to an address that would do something in the page", async () => {
    const box = await openBox("worker", { before: watchHarm });
    const { page, options } = box;
    await page.evaluate((urls) => {
      const section = (url: string) => ({
        ...{ nodeId: `${url}#section`, url, heading: "Section", headingPath: ["Page", "Section"], score: 1 },
        excerpt: [{ text: "<b>bold</b>", marked: true }],
      });
      const pages = urls.map((url) => ({
        ...{ id: url, url, title: "Page", description: "", collection: "docs", path: url, meta: {}, facets: {} },
        ...{ score: 1, sections: [section(url)] },
      }));
      const found = { query: "x", total: 1, pages, facetCounts: {}, corrections: [], missingWords: [], nextOffset: 6 };
      const client = { prepare: async () => undefined, suggest: async () => [], search: async () => found };
      Reflect.set(document.querySelector("treeline-search") as Element, "client", client);
    }, HARMFUL);
    await box.button.click();
    await search(box, "harm");
    // And one row that brings more.
    expect(await options.count()).toBe(2 * HARMFUL.length + 1);
    expect(await options.evaluateAll((rows) => rows.filter((row) => row.hasAttribute("href")).length)).toBe(0);
    expect(await listNodes(page)).toEqual({ names: [], handlers: [], protocols: [] });
    for (const option of await options.all()) await option.click();
    expect(page.url()).toBe(`${box.site.url}page.html`);
    expect(await page.evaluate(() => Reflect.get(globalThis, "ran"))).toEqual([]);
  });
});

/** Where scripts that run leave their mark. */
async function watchHarm(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.set(globalThis, "ran", []));
}

/** What no answer may bring into the box: elements that load or run, handlers, links to anything but pages. */
function listNodes(page: Page): Promise<Readonly<Record<"names" | "handlers" | "protocols", readonly string[]>>> {
  return page.evaluate(() => {
    const { shadowRoot } = document.querySelector("treeline-search") as Element;
    const all = [...(shadowRoot?.querySelectorAll("*") ?? [])];
    const links = all.filter((element): element is HTMLAnchorElement => element.localName === "a");
    return {
      names: all
        .map(({ localName }) => localName)
        .filter((name) => /^(script|img|iframe|object|style|base)$/.test(name)),
      // `createElement` makes none: this is a guard, should rows ever come about in another way.
      handlers: all.flatMap((element) => element.getAttributeNames().filter((name) => name.startsWith("on"))),
      protocols: links.flatMap(({ href, protocol }) => (href === "" || /^https?:$/.test(protocol) ? [] : [protocol])),
    };
  });
}
