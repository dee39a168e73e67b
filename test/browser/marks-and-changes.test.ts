/** Marks on pages that move on: by anchors, by routers, by scripts that never rest, and on pages that are one long text. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleForFiles } from "../../indexer/engine/bundle-pages.ts";
import { withTextFragment } from "../../src/web/text-fragment.ts";
import { type StaticHost, serveFiles } from "../support/static-host.ts";
import { type BoxPage, openBox } from "./box.ts";
import { openPage, stopClock } from "./browse.ts";
import { fakeAnswers } from "./fake-client.ts";

const FILLER = "<p>Filler.</p>".repeat(80);
const MODULE = `<script type="module" src="/highlight.js"></script>`;
/** Characters of a page that is one text node. */
const LONG = 300_000;
const LONG_TEXT = "server  worker\n  cache index engine query answer page ".repeat(LONG / 50).slice(0, LONG);

const PAGES: Readonly<Record<string, string>> = {
  "": `<p>The server.</p><a href="#z">down</a>${FILLER}<p id="z">Last words.</p>${FILLER}${MODULE}`,
  japanese: `${FILLER}<p id="ja">アプリケーションの検索インデックスを静的なファイルとして公開します。</p>${FILLER}<p id="zh">本指南说明如何安装软件以及如何配置搜索引擎，请按照以下步骤操作。</p>${FILLER}`,
  long: `<pre>${LONG_TEXT}</pre>${MODULE}`,
  clock: `<p id="clock"></p>${MODULE}<script>setInterval(() => { document.querySelector("#clock").textContent += "."; }, 20)</script>`,
  // A router that changes the address first and the page later.
  routed: `<main><p>Old lamp.</p></main><a href="/routed?id=b#:~:text=lamp">b</a>${MODULE}<script>
    document.addEventListener("click", (event) => {
      event.preventDefault();
      history.pushState(null, "", "/routed?id=b");
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => {
        document.querySelector("main").innerHTML = "<p id='new'>New lamp.</p>";
      })));
    });</script>`,
};

let host: StaticHost;
beforeAll(async () => {
  const script = (await bundleForFiles()).find(({ name }) => name === "highlight.js");
  const files = new Map([["highlight.js", script?.bytes ?? new Uint8Array()]]);
  const page = (path: string): Uint8Array =>
    Buffer.from(`<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>t</title>${PAGES[path]}`);
  host = await serveFiles((path) => files.get(path) ?? page(path), {
    type: (path) => (path.endsWith(".js") ? "text/javascript" : "text/html"),
  });
});
afterAll(() => host.close());

const open = (path: string, before?: (page: Page) => Promise<unknown>): Promise<Page> =>
  openPage(`${host.url}${path}`, { reducedMotion: "reduce", ...(before !== undefined && { before }) });

/** Texts that are marked, each with whether it stands in the element. */
function listMarks(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(CSS.highlights.get("treeline-found") ?? [])].map(String));
}

function isInView(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

/** Enough frames for whatever is done in the next one. */
function passFrames(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
  });
}

describe("marks of a page's address", () => {
  it("do not draw a reader back who follows an anchor", async () => {
    const page = await open("?highlight=server");
    await expect.poll(() => listMarks(page)).toEqual(["server"]);
    await page.getByRole("link").click();
    await passFrames(page);
    expect(await isInView(page, "#z")).toBe(true);
    expect(await listMarks(page)).toEqual(["server"]);
  });

  it("leave the page at the anchor that the address names", async () => {
    const page = await open("?highlight=server#z");
    await expect.poll(() => listMarks(page)).toEqual(["server"]);
    await passFrames(page);
    expect(await isInView(page, "#z")).toBe(true);
  });

  it("are found on one long text in steps that do not grow with the words", async () => {
    const words = ["server", "worker", "cache", "index", "engine", "query", "answer", "page"];
    const page = await open(`long?${words.map((word) => `highlight=${word}`).join("&")}`, (page) =>
      page.addInitScript(() => {
        const { exec } = RegExp.prototype;
        Object.assign(globalThis, { steps: 0 });
        RegExp.prototype.exec = function count(text) {
          (globalThis as unknown as { steps: number }).steps++;
          return exec.call(this, text);
        };
      }),
    );
    await expect.poll(async () => new Set(await listMarks(page)).size).toBe(words.length);
    const marks = await listMarks(page);
    expect(marks.filter((text) => !words.includes(text))).toEqual([]);
    expect(await page.evaluate(() => (globalThis as unknown as { steps: number }).steps)).toBeLessThan(2 * LONG);
    // All words together: a page with some thousands is not read any better.
    expect(marks.length).toBeLessThanOrEqual(200);
  });

  it("are looked for some times only on a page that never rests", async () => {
    const page = await open("clock?highlight=missing", async (page) => {
      await stopClock(page);
      await page.addInitScript(() => {
        const make = Document.prototype.createTreeWalker;
        Object.assign(globalThis, { walks: 0 });
        Document.prototype.createTreeWalker = function count(...all) {
          (globalThis as unknown as { walks: number }).walks++;
          return make.apply(this, all);
        };
      });
    });
    for (let part = 0; part < 50; part++) await page.clock.runFor(100);
    expect(await page.locator("#clock").textContent()).toMatch(/^\.{100,}$/);
    const walks = await page.evaluate(() => (globalThis as unknown as { walks: number }).walks);
    expect(walks).toBeGreaterThan(1);
    expect(walks).toBeLessThanOrEqual(17);
  });

  it("stand on the new page of a router that shows the old one for a while", async () => {
    const page = await open("routed?id=a");
    await page.getByRole("link").click();
    await page.locator("#new").waitFor();
    await expect.poll(() => listMarks(page)).toEqual(["lamp"]);
  });
});

describe("marks behind a hit that the page follows itself", () => {
  it("stand on the heading of a section where nothing else was found", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { brief: { pages: 1, heading: "Lamps" } });
    await box.page.evaluate(() =>
      addEventListener("treeline-search:select", (event) => {
        event.preventDefault();
        history.pushState(null, "", (event as CustomEvent).detail.url);
        document.querySelector("pre")?.replaceChildren("Lamps are lit.");
      }),
    );
    await box.button.click();
    await box.input.fill("foo");
    await box.options.filter({ hasText: "Lamps" }).click();
    await expect.poll(() => listMarks(box.page)).toEqual(["Lamps"]);
    expect(new URL(box.page.url()).hash).toBe("#Lamps");
  });
});

describe("marks behind a hit of a site whose router shows it without its ending", () => {
  const routed = async (change: "later" | "transition", ends = "/jwt"): Promise<BoxPage> => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { pages: ["jwt.html"], brief: { pages: 1, heading: "Lamps" } });
    await box.page.evaluate(
      ([how, path]) => {
        // As VitePress does it: the address changes with the click, the page when its script has come.
        document.addEventListener("click", (event) => {
          if (!(event.target instanceof HTMLAnchorElement)) return;
          event.preventDefault();
          history.pushState(null, "", path + new URL(event.target.href).hash);
          const show = (): void => document.querySelector("pre")?.replaceChildren("Lamps are lit.");
          if (how === "transition") document.startViewTransition(show);
          else setTimeout(show, 300);
        });
      },
      [change, ends] as const,
    );
    await box.page.keyboard.press("Control+k");
    await box.input.fill("foo");
    await box.options.filter({ hasText: "Lamps" }).waitFor();
    return box;
  };

  it.each(["later", "transition"] as const)("stand there, followed by mouse, shown %s", async (change) => {
    const box = await routed(change);
    await box.options.filter({ hasText: "Lamps" }).click();
    await expect.poll(() => listMarks(box.page)).toEqual(["Lamps"]);
    expect(new URL(box.page.url()).pathname).toBe("/jwt");
  });

  it.each(["/jwt", "/jwt/", "/elsewhere"])("stand there, followed by keyboard to %s", async (ends) => {
    const box = await routed("later", ends);
    await box.page.keyboard.press("ArrowDown");
    await box.page.keyboard.press("Enter");
    await expect.poll(() => listMarks(box.page)).toEqual(["Lamps"]);
  });
});

describe("addresses of hits", () => {
  it.each([
    ["ja", "アプリケーションの", "検索", "インデックスを静的なファイルとして公開します。"],
    ["zh", "本指南说明如何", "安装", "软件以及如何配置搜索引擎，请按照以下步骤操作。"],
  ])("are found by the browser in %s, where no blanks stand between words", async (id, before, marked, behind) => {
    const excerpt = [before, marked, behind].map((text, at) => ({ text, marked: at === 1 }));
    const address = withTextFragment("japanese", excerpt);
    expect(address).toMatch(new RegExp(`[=,]${encodeURIComponent(marked)}(?:,|$)`));
    const page = await open(address);
    await expect.poll(() => isInView(page, `#${id}`)).toBe(true);
  });
});
