/** The box as a guest: what it does to the page around it, and what pages of all kinds do to it. */
import { describe, expect, inject, it } from "vitest";
import { BODY, type BoxPage, openBox, SOURCES, search } from "./box.ts";

/** As docs/search-box.md has them. */
const RESERVED = `<link rel="stylesheet" href="reserve.css">`;
const RULES = `treeline-search:not(:defined) { display: inline-block; overflow: hidden; vertical-align: middle; }
treeline-search:not(:defined) { inline-size: 13rem; block-size: 2.5rem; }
body { font-family: sans-serif }`;

describe("a page with a search box", () => {
  it.each(SOURCES)("does not move when the box comes, opens, answers from %s and closes", async (source) => {
    const box = await openBox(source, {
      body: `${RESERVED}${BODY}`,
      habits: { type: typeOf, before: (path) => (path === "reserve.css" ? Promise.resolve() : pause(50)) },
      before: async (page) => {
        await page.addInitScript(() => {
          const shifts: unknown[] = [];
          Object.defineProperty(window, "shifts", { value: shifts, enumerable: false });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) shifts.push(JSON.stringify(entry));
          }).observe({ type: "layout-shift", buffered: true });
        });
        await page.route("**/search.js", async (route) => {
          await pause(300);
          await route.continue();
        });
        await page.route("**/reserve.css", (route) => route.fulfill({ contentType: "text/css", body: RULES }));
      },
    });
    await box.page.evaluate(() => customElements.whenDefined("treeline-search"));
    await box.button.waitFor();
    await box.page.keyboard.press("Control+k");
    await search(box, "lamp");
    // Counts come after the rows, long after a key: what moves then is not what somebody waits for.
    await box.chips.first().waitFor();
    await pause(100);
    await box.page.keyboard.press("Escape");
    await pause(100);
    expect(await box.page.evaluate(() => Reflect.get(window, "shifts"))).toEqual([]);
  });

  it("gets no new globals, and no listeners stay when the box is gone", async () => {
    const box = await openBox("worker", {
      before: (page) =>
        page.addInitScript(() => {
          const counts = new Map<string, number>();
          const { addEventListener, removeEventListener } = EventTarget.prototype;
          // Of what outlives the box; a call without a target means the window.
          const count = (target: EventTarget | undefined, type: string, by: number): void => {
            if ([undefined, window, document, document.documentElement, document.body].includes(target as undefined))
              counts.set(type, (counts.get(type) ?? 0) + by);
          };
          EventTarget.prototype.addEventListener = function (type: string, ...rest: [never]) {
            count(this, type, 1);
            addEventListener.call(this ?? window, type, ...rest);
          };
          EventTarget.prototype.removeEventListener = function (type: string, ...rest: [never]) {
            count(this, type, -1);
            removeEventListener.call(this ?? window, type, ...rest);
          };
          Object.defineProperty(window, "counts", { value: counts, enumerable: false });
          Object.defineProperty(window, "before", { value: new Set(Reflect.ownKeys(window)), enumerable: false });
        }),
    });
    await box.page.keyboard.press("Control+k");
    await search(box, "lamp");
    const added = await box.page.evaluate(() => {
      const before = Reflect.get(window, "before") as ReadonlySet<unknown>;
      return Reflect.ownKeys(window)
        .filter((key) => !before.has(key) && key !== "before")
        .map(String);
    });
    // What playwright puts in to look around is its own.
    expect(added.filter((key) => !/^__playwright|^__pw/.test(key))).toEqual([]);
    const count = () =>
      box.page.evaluate(() => (Reflect.get(window, "counts") as ReadonlyMap<string, number>).get("keydown"));
    expect(await count()).toBe(1);
    await box.page.evaluate(() => document.querySelector("treeline-search")?.remove());
    const left = await box.page.evaluate(() =>
      [...(Reflect.get(window, "counts") as ReadonlyMap<string, number>)].filter(([, count]) => count !== 0),
    );
    expect(left).toEqual([]);
    await expect.poll(() => box.page.evaluate(() => document.documentElement.style.overflow)).toBe("");
    await box.page.keyboard.press("Control+k");
    expect(await box.dialog.count()).toBe(0);
  });

  it("lets go of boxes that were removed", async () => {
    const { page } = await openBox("worker");
    const boxes = await page.evaluateHandle(async () => {
      const made: WeakRef<Element>[] = [];
      for (let at = 0; at < 20; at++) {
        const box = document.createElement("treeline-search");
        document.body.append(box);
        (box as unknown as { open(): void }).open();
        box.remove();
        made.push(new WeakRef(box));
      }
      return made;
    });
    await page.requestGC();
    const alive = (): Promise<number> =>
      boxes.evaluate((made) => made.filter((reference) => reference.deref() !== undefined).length);
    await expect.poll(async () => page.requestGC().then(alive)).toBeLessThanOrEqual(1);
  });

  it("gets a box in the corner where it has none", async () => {
    const { button, dialog, page } = await openBox("worker", { body: "<main>Text</main>SCRIPT" });
    await button.click();
    await expect.poll(() => dialog.isVisible()).toBe(true);
    expect(await page.locator("treeline-search").count()).toBe(1);
  });

  it("has its one box in a shadow root, in the language of the page", async () => {
    const body = `<div><template shadowrootmode="open"><treeline-search></treeline-search></template></div>SCRIPT`;
    const { page, button } = await openBox("worker", { body, html: `lang="de"` });
    await expect.poll(() => button.textContent()).toContain("Suche");
    expect(await page.locator("treeline-search").count()).toBe(1);
  });

  it("keeps its own box alone where that comes later, in a shadow root", async () => {
    const { page } = await openBox("worker", { body: "<div></div>SCRIPT" });
    await page.locator("treeline-search[floating]").waitFor();
    await page.evaluate(() => {
      const root = (document.querySelector("div") as Element).attachShadow({ mode: "open" });
      root.append(document.createElement("treeline-search"));
    });
    expect(await page.locator("treeline-search").count()).toBe(1);
    expect(await page.locator("div > treeline-search").count()).toBe(1);
  });

  it("may set properties before the script has come", async () => {
    const box = await openBox("worker", {
      body: `<treeline-search src="/elsewhere" mode="worker"></treeline-search>SCRIPT`,
      before: (page) =>
        page.addInitScript(() => {
          document.addEventListener("readystatechange", () => {
            const early = document.querySelector("treeline-search");
            if (early === null || customElements.get("treeline-search") !== undefined) return;
            const search = async (query: string) => ({
              ...{ query, total: 0, pages: [], facetCounts: {}, corrections: [] },
              missingWords: ["early"],
            });
            Object.assign(early, { client: { prepare: async () => undefined, search }, strings: { search: "Find" } });
          });
        }),
    });
    await expect.poll(() => box.button.textContent()).toContain("Find");
    await box.button.click();
    await search(box, "early lamp");
    await expect.poll(() => box.note.textContent()).toContain("early");
  });

  it.each([
    ["oklch(0.2 0.02 250)", "dark"],
    ["color(display-p3 0.1 0.1 0.12)", "dark"],
    ["lab(95 0 0)", "light"],
    ["rgb(20 20 30)", "dark"],
    ["transparent", ""],
  ])("says by its background %s that it is %s", async (color, scheme) => {
    const box = await openBox("worker");
    await box.page.evaluate((wanted) => {
      document.body.style.backgroundColor = wanted;
    }, color);
    await box.button.click();
    expect(await box.dialog.evaluate((dialog) => dialog.style.colorScheme)).toBe(scheme);
  });

  it("keeps its own keys where somebody types", async () => {
    const { page, dialog } = await openBox("worker", { body: `<textarea id="own"></textarea>${BODY}` });
    await page.focus("#own");
    await page.keyboard.type("a/b");
    expect(await dialog.isVisible()).toBe(false);
    expect(await page.inputValue("#own")).toBe("a/b");
  });

  it("opens by its key where a switch of the page has the focus", async () => {
    const { page, dialog } = await openBox("worker", { body: `<input id="own" type="radio">${BODY}` });
    await page.focus("#own");
    await page.keyboard.press("Control+k");
    await dialog.waitFor();
    expect(await dialog.isVisible()).toBe(true);
  });
});

describe("a search box", () => {
  it.each([
    ["a narrow phone", { viewport: { width: 320, height: 568 }, isMobile: true, hasTouch: true }],
    ["a phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    // What a window of 1280 by 720 leaves at 200 %.
    ["a page at 200 %", { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }],
  ])("fits %s", async (_, window) => {
    const box = await openBox("worker", window);
    await box.button.click();
    await search(box, "lamp");
    await box.chips.first().waitFor();
    expect(await findOverflow(box)).toEqual([]);
    expect(await findSmall(box)).toEqual([]);
    await box.options.last().scrollIntoViewIfNeeded();
    expect(await box.options.last().isVisible()).toBe(true);
  });

  it("is laid out from right to left, in the language of the page", async () => {
    const box = await openBox("worker", { html: `lang="ar" dir="rtl"` });
    await expect.poll(() => box.button.textContent()).not.toContain("Search");
    await box.button.click();
    await search(box, "lamp");
    const field = await box.input.boundingBox();
    const close = await box.dialog.locator("[part=close]").boundingBox();
    expect(close?.x).toBeLessThan(field?.x ?? 0);
    expect(await findOverflow(box)).toEqual([]);
  });

  it("does not move where its reader wants no motion", async () => {
    const box = await openBox("worker", { reducedMotion: "reduce" });
    await box.button.click();
    const animations = await box.dialog.evaluate((dialog) =>
      dialog.getAnimations().map((animation) => (animation as CSSAnimation).animationName),
    );
    expect(animations).toEqual([]);
  });

  it("is a form that leads to a page of results where scripts do not run", async () => {
    const action = `${inject("workerUrl")}/handbook/explorer/search`;
    const form = `<form action="${action}"><input name="q" aria-label="Search"><button>Go</button></form>`;
    const { page } = await openBox("worker", {
      body: BODY.replace("></treeline-search>", `>${form}</treeline-search>`),
      javaScriptEnabled: false,
    });
    await page.getByLabel("Search").fill("lamp");
    await page.getByRole("button", { name: "Go" }).click();
    await page.waitForURL(`${action}?q=lamp`);
    expect(await page.getByRole("link", { name: /Recipe 12/ }).count()).toBeGreaterThan(0);
  });
});

/** Elements that are wider than the window. */
function findOverflow({ page }: BoxPage): Promise<readonly string[]> {
  return page.evaluate(() => {
    const root = document.querySelector("treeline-search")?.shadowRoot as ShadowRoot;
    const wide = [
      ...root.querySelectorAll("[part=dialog],[part=form],[part~=option],[part=list],[part=message]"),
    ].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -0.5 || right > innerWidth + 0.5 || element.scrollWidth > element.clientWidth + 1);
    });
    const isScrolled = document.documentElement.scrollWidth > innerWidth;
    return [...(isScrolled ? ["page"] : []), ...wide.map((element) => element.getAttribute("part") ?? "")];
  });
}

/** Things to press that are smaller than a finger needs: 24 pixels each way. */
function findSmall({ page }: BoxPage): Promise<readonly string[]> {
  return page.evaluate(() => {
    const root = document.querySelector("treeline-search")?.shadowRoot as ShadowRoot;
    return [...root.querySelectorAll("button,[role=option],input")]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
      .map(({ element, box }) => `${element.getAttribute("part")} ${box.width} x ${box.height}`);
  });
}

function typeOf(path: string): string {
  if (path.endsWith(".html")) return "text/html";
  return path.endsWith(".js") ? "text/javascript" : "text/css";
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
