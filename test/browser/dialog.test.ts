/** The dialog through what happens to it: opened and closed in any order, hidden, changed while it is open, refused. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BODY, type BoxPage, openBox, search } from "./box.ts";
import { stopClock } from "./browse.ts";
import { call, fakeAnswers, listAsked, listSuggested, releaseAnswers } from "./fake-client.ts";

/** Whether the page behind the dialog is held. */
const overflow = ({ page }: BoxPage): Promise<string> => page.evaluate(() => document.documentElement.style.overflow);
/** Part of the box that has the focus. */
const focused = ({ page }: BoxPage): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("part"));
/** Change attributes of the box, all in one task. */
const set = ({ page }: BoxPage, attributes: Readonly<Record<string, string>>): Promise<void> =>
  page.evaluate((wanted) => {
    const box = document.querySelector("treeline-search") as Element;
    for (const [name, value] of Object.entries(wanted)) box.setAttribute(name, value);
  }, attributes);
/** Remembers what is followed, and leaves the way there to the test. */
const listenForChoice = ({ page }: BoxPage): Promise<void> =>
  page.evaluate(() => {
    addEventListener("treeline-search:select", (event) => {
      event.preventDefault();
      Reflect.set(window, "chosen", (event as CustomEvent).detail.url);
    });
  });
const chosen = ({ page }: BoxPage): Promise<unknown> => page.evaluate(() => Reflect.get(window, "chosen"));
const FACETS = { facetCounts: { type: { guide: 10, api: 5 } } };

describe("a dialog", () => {
  it("closes at once, so that it can be opened again at once", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page);
    await box.button.click();
    await box.input.fill("foo");
    await box.options.first().waitFor();
    await box.page.evaluate(() => {
      const made = document.querySelector("treeline-search") as unknown as Record<"open" | "close", () => void>;
      made.close();
      made.open();
    });
    await box.input.fill("bar");
    await expect.poll(async () => (await listAsked(box)).map(({ query }) => query)).toEqual(["foo", "bar"]);
    await expect.poll(() => box.dialog.getAttribute("data-busy")).toBeNull();
    expect(await overflow(box)).toBe("hidden");
    await box.page.keyboard.press("Escape");
    await expect.poll(() => overflow(box)).toBe("");
  });

  it("shows the rest of a brief answer below its rows, and keeps the chosen one", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { pages: ["a", "b", "c"], brief: { pages: 2, heading: "Part" } });
    await box.button.click();
    // The second row is chosen as soon as it is there, before the rest can come.
    await box.page.evaluate(() => {
      const root = document.querySelector("treeline-search")?.shadowRoot as ShadowRoot;
      const arrow = new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true });
      const watch = new MutationObserver(() => {
        if (root.querySelectorAll("[role=option]").length !== 2) return;
        watch.disconnect();
        root.querySelector("[part=input]")?.dispatchEvent(arrow);
      });
      watch.observe(root, { childList: true, subtree: true });
    });
    await box.input.fill("foo");
    await expect.poll(() => box.options.count()).toBe(6);
    const titles = await box.options.locator("[part=title]").allTextContents();
    expect(titles).toEqual(["Title a", "Part", "Title b", "Part", "Title c", "Part"]);
    const chosen = await box.options.evaluateAll((rows) =>
      rows.flatMap((row, at) => (row.getAttribute("aria-selected") === "true" ? [at] : [])),
    );
    expect(chosen).toEqual([2]);
  });

  it("brings no rest in under a mouse, so that a click is of the row that was pressed", async () => {
    const box = await openBox("worker", { before: stopClock });
    const { page } = box;
    await listenForChoice(box);
    await fakeAnswers(page, {
      pages: ["a", "b", "c"],
      brief: { pages: 2, heading: "Part" },
      changes: { nextOffset: 3 },
    });
    await box.button.click();
    await box.input.fill("foo");
    await page.clock.runFor(400);
    // Further pages are offered when the rest is there, or is not to come.
    await expect.poll(() => box.options.allTextContents()).toEqual(["Title a", "Title b"]);
    await box.options.nth(1).hover();
    await expect.poll(() => box.options.allTextContents()).toEqual(["Title a", "Title b", "More results"]);
    await page.mouse.down();
    await page.clock.runFor(2_000);
    await page.mouse.up();
    expect(await chosen(box)).toBe(`${box.site.url}b`);
    expect((await listAsked(box)).length).toBe(1);
    await call(page, "open");
    await page.clock.runFor(1_000);
    await expect.poll(() => box.options.count()).toBe(7);
  });

  it("brings no rest in under a finger", async () => {
    const box = await openBox("worker", { before: stopClock });
    const { page } = box;
    await fakeAnswers(page, { pages: ["a", "b"], brief: { pages: 2, heading: "Part" } });
    await box.button.click();
    await box.input.fill("foo");
    await page.clock.runFor(400);
    await expect.poll(() => box.options.count()).toBe(2);
    await box.options.nth(1).dispatchEvent("pointerdown", { pointerType: "touch", bubbles: true });
    await page.clock.runFor(2_000);
    expect(await box.options.count()).toBe(2);
  });

  it("leaves rows where they are when counts come after a brief answer, and when its rest does", async () => {
    const box = await openBox("worker", { before: stopClock });
    const { page } = box;
    const values = Array.from({ length: 6 }, (_, at) => [`a rather long name of a value ${at}`, 2] as const);
    await fakeAnswers(page, {
      ...{ pages: ["a", "b", "c"], brief: { pages: 2, heading: "Part" } },
      counts: { type: Object.fromEntries(values), version: { "1": 2, "2": 3 } },
    });
    await box.button.click();
    await box.input.fill("foo");
    await page.clock.runFor(400);
    await box.chips.first().waitFor();
    const place = () => box.options.first().boundingBox();
    const before = await place();
    expect(await box.options.count()).toBe(2);
    await page.clock.runFor(1_000);
    await expect.poll(() => box.options.count()).toBe(6);
    expect(await place()).toEqual(before);
  });

  it("shows the same rows when a letter is typed and taken back", async () => {
    const box = await openBox("worker", { before: stopClock });
    const { page } = box;
    await fakeAnswers(page, { pages: ["a", "b", "c"], brief: { pages: 2, heading: "Part" } });
    await box.button.click();
    await box.input.fill("foo");
    await page.clock.runFor(400);
    await expect.poll(() => box.options.count()).toBe(2);
    await page.clock.runFor(1_000);
    await expect.poll(() => box.options.count()).toBe(6);
    await page.keyboard.press("ArrowDown");
    for (const key of ["b", "Backspace"]) await page.keyboard.press(key);
    await page.clock.runFor(1_000);
    expect((await listAsked(box)).length).toBe(2);
    expect(await box.options.nth(1).getAttribute("aria-selected")).toBe("true");
    expect(await box.dialog.getAttribute("data-busy")).toBeNull();
  });

  it("lets the page go when the last of several is closed, in whichever order", async () => {
    const box = await openBox("worker", { body: `<treeline-search id="other"></treeline-search>${BODY}` });
    for (const order of [
      ["#other", "header *"],
      ["header *", "#other"],
    ]) {
      for (const selector of ["#other", "header *"]) await call(box.page, "open", selector);
      await call(box.page, "close", order[0]);
      expect(await overflow(box)).toBe("hidden");
      await call(box.page, "close", order[1]);
      expect(await overflow(box)).toBe("");
    }
  });

  it("stays open while the page is printed, and is not on the paper", async () => {
    const box = await openBox("worker");
    await box.button.click();
    await box.page.emulateMedia({ media: "print" });
    expect(await box.dialog.isVisible()).toBe(false);
    // Two frames: what watches its size has seen it.
    await box.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await box.page.emulateMedia({ media: "screen" });
    expect(await box.dialog.isVisible()).toBe(true);
  });

  it("is closed where the page hides what it is in", async () => {
    const box = await openBox("worker");
    await box.button.click();
    await box.page.evaluate(() => {
      (document.querySelector("header") as HTMLElement).hidden = true;
    });
    await expect.poll(() => overflow(box)).toBe("");
    expect(await box.dialog.evaluate((dialog: HTMLDialogElement) => dialog.open)).toBe(false);
    const under = await box.page.evaluate(() => document.elementFromPoint(40, 100)?.localName);
    expect(under).not.toBe("html");
  });

  it("asks, opened again, with the filter that was pressed before it was closed", async () => {
    const box = await openBox("worker");
    await set(box, { facets: "type" });
    await fakeAnswers(box.page, { pages: ["a", "b"], changes: FACETS });
    await box.button.click();
    await box.input.fill("foo");
    await box.chips.first().waitFor();
    await fakeAnswers(box.page, { held: true });
    await box.chips.first().click();
    await box.page.keyboard.press("Escape");
    await fakeAnswers(box.page, { pages: ["narrowed"], changes: { facetCounts: { type: { guide: 10 } } } });
    await call(box.page, "open");
    await expect.poll(() => box.options.allTextContents()).toEqual(["Title narrowed"]);
    expect((await listAsked(box)).at(-1)?.filters).toEqual({ type: ["guide"] });
    // Counts of other words are none of these.
    await box.input.fill("bar");
    await expect.poll(() => box.chips.allTextContents()).toEqual(["guide 10", "api"]);
  });

  it("forgets everything with its source, also while it is closed", async () => {
    const box = await openBox("worker");
    await set(box, { facets: "type" });
    await fakeAnswers(box.page, { changes: FACETS });
    await box.button.click();
    await box.input.fill("foo");
    await box.chips.first().waitFor();
    await box.page.keyboard.press("Escape");
    await set(box, { collections: "docs" });
    await fakeAnswers(box.page, { held: true });
    await call(box.page, "open");
    expect([await box.chips.count(), await box.options.count()]).toEqual([0, 0]);
    expect(await box.input.getAttribute("aria-expanded")).toBe("false");
    expect(await box.input.getAttribute("aria-activedescendant")).toBeNull();
  });
});

describe("an attribute that changes while the dialog is open", () => {
  it("asks once where answers depend on it, and not where it stays the same", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page);
    await box.button.click();
    await box.input.fill("foo");
    await box.options.first().waitFor();
    await set(box, { collections: "docs" });
    await expect.poll(async () => (await listAsked(box)).length).toBe(2);
    await set(box, { collections: "docs", theme: "dark", placeholder: "Find", lang: "de", src: "/other" });
    await box.page.waitForTimeout(150);
    expect((await listAsked(box)).length).toBe(2);
    // The client that the page has set stays.
    expect(await box.options.allTextContents()).toEqual(["Title a"]);
  });

  it("is heeded by the rows that are there", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { pages: ["a", "b"] });
    await box.button.click();
    await box.input.fill("foo");
    await box.options.first().waitFor();
    await box.page.keyboard.press("ArrowDown");
    await set(box, { target: "_blank", facets: "constructor __proto__" });
    expect(await box.options.first().getAttribute("target")).toBe("_blank");
    expect(await box.options.nth(1).getAttribute("aria-selected")).toBe("true");
  });
});

describe("a server that is asked too much", () => {
  it("is not asked before the time that it says, and then when somebody says so", async () => {
    const box = await openBox("worker", { before: stopClock });
    const { page, message } = box;
    await fakeAnswers(page, { error: { problem: "too-many", retryAfter: 3_600 } });
    await box.button.click();
    await box.input.fill("foo");
    await page.clock.runFor(400);
    await expect.poll(() => message.textContent()).toContain("Too many searches right now. Try again in 60 min.");
    const again = message.getByRole("button", { name: "Try again" });
    await page.keyboard.type("b");
    await page.clock.runFor(3_590_000);
    await again.click();
    await page.clock.runFor(1_000);
    await expect.poll(() => message.textContent()).toContain("Try again in 1 min.");
    expect(await listAsked(box)).toHaveLength(1);
    await page.clock.runFor(10_000);
    await fakeAnswers(page);
    await again.click();
    await page.clock.runFor(500);
    await expect.poll(() => box.options.allTextContents()).toEqual(["Title a"]);
    expect((await listAsked(box)).at(-1)?.query).toBe("foob");
  });
});

describe("rows that could not be loaded", () => {
  it("are a reason to try again, and come then", async () => {
    let refused = 0;
    let isServed = false;
    const box = await openBox("worker", {
      allow: [/Failed to load/],
      before: (page) =>
        page.route("**/search-answer-rows.js*", (route) => {
          if (isServed) return route.continue();
          refused++;
          return route.fulfill({ status: 503 });
        }),
    });
    await fakeAnswers(box.page);
    await call(box.page, "open");
    // Somebody is about to search: once, and once more at once.
    await expect.poll(() => refused).toBe(2);
    await box.input.fill("foo");
    await expect.poll(() => box.message.textContent()).toContain("cannot be reached");
    isServed = true;
    await box.message.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => box.options.allTextContents()).toEqual(["Title a"]);
  });
});

describe("the focus", () => {
  it("goes to the field where what had it goes away", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { error: { problem: "unreachable" } });
    await box.button.click();
    await box.input.fill("foo");
    await box.message.getByRole("button").focus();
    expect(await focused(box)).toBe("action");
    await fakeAnswers(box.page);
    await box.page.evaluate(() => dispatchEvent(new Event("online")));
    await box.options.first().waitFor();
    expect(await focused(box)).toBe("input");
  });

  it("does not stop at the list, where keys would do nothing", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { pages: Array.from({ length: 30 }, (_, at) => `page ${at}`) });
    await box.button.click();
    await box.input.fill("foo");
    await box.options.first().waitFor();
    const stops: unknown[] = [];
    for (let presses = 0; presses < 4; presses++) {
      await box.page.keyboard.press("Tab");
      stops.push(await focused(box));
    }
    expect(stops).toContain("close");
    expect(stops).not.toContain("list");
  });

  it("goes round by the Tab key, both ways, and stops at nothing but what is seen", async () => {
    const box = await openBox("worker");
    await set(box, { facets: "type" });
    await fakeAnswers(box.page, { pages: ["a", "b"], changes: FACETS });
    await box.button.click();
    await box.input.fill("foo");
    await box.chips.first().waitFor();
    const press = async (key: string): Promise<unknown[]> => {
      const stops: unknown[] = [];
      for (let presses = 0; presses < 4; presses++) {
        await box.page.keyboard.press(key);
        stops.push(await focused(box));
      }
      return stops;
    };
    expect(await press("Tab")).toEqual(["close", "chip", "chip", "input"]);
    expect(await press("Shift+Tab")).toEqual(["chip", "chip", "close", "input"]);
  });

  it("comes back to the field with a key, after a click on a place of the dialog that does nothing", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { pages: ["a", "b"], changes: FACETS });
    await box.button.click();
    await box.input.fill("foo");
    await box.options.first().waitFor();
    const total = box.page.locator("treeline-search [part=total]");
    await total.click();
    await box.page.keyboard.press("ArrowDown");
    await expect.poll(() => box.options.nth(1).getAttribute("aria-selected")).toBe("true");
    expect(await focused(box)).toBe("input");
    await total.click();
    await box.page.keyboard.press("b");
    await expect.poll(() => box.input.inputValue()).toBe("foob");
    // What is drawn anew is no longer selected.
    await expect.poll(async () => (await listAsked(box)).at(-1)?.query).toBe("foob");
    await expect.poll(() => box.dialog.getAttribute("data-busy")).toBeNull();
    // Words of the dialog can be copied.
    await total.dblclick();
    await box.page.keyboard.press("Control+c");
    expect(await focused(box)).not.toBe("input");
    expect(await box.page.evaluate(() => `${getSelection()}`)).not.toBe("");
  });
});

describe("what found nothing", () => {
  it("shows titles that come near, none of them chosen, and keeps no search", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { pages: [], near: ["food", "foot"] });
    await box.button.click();
    await box.input.fill("fooq");
    await expect.poll(() => box.options.allTextContents()).toEqual(["Title foodfood.md", "Title footfoot.md"]);
    const head = box.page.locator("[part=head]:visible");
    expect(await head.textContent()).toBe("Did you mean");
    expect(await box.input.getAttribute("aria-activedescendant")).toBeNull();
    await expect
      .poll(() => box.page.locator("[part=status]").textContent())
      .toContain(
        "No results for fooq. Check the spelling, or try fewer or different words. Did you mean: Title food, Title foot",
      );
    // The Enter key follows what was chosen alone.
    await box.page.keyboard.press("Enter");
    expect(await box.dialog.isVisible()).toBe(true);
    await box.page.keyboard.press("ArrowDown");
    await listenForChoice(box);
    await box.page.keyboard.press("Enter");
    expect(await chosen(box)).toBe(`${box.site.url}food`);
    expect(await box.page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    await call(box.page, "open");
    await fakeAnswers(box.page, { near: ["food"] });
    await box.input.fill("foo");
    await expect.poll(() => box.options.allTextContents()).toEqual(["Title a"]);
    expect(await head.isVisible()).toBe(false);
  });

  it("is looked for near by once, when nobody types on, and not behind a dialog that is closed", async () => {
    const box = await openBox("worker", { before: stopClock });
    const { page } = box;
    await fakeAnswers(page, { pages: [], near: ["food"] });
    await box.button.click();
    await box.input.focus();
    for (const letter of "fooqq") {
      await page.keyboard.press(letter);
      await page.clock.runFor(200);
    }
    await expect.poll(async () => (await listAsked(box)).length).toBeGreaterThan(2);
    expect(await listSuggested(box)).toEqual([]);
    await call(page, "close");
    await page.clock.runFor(2_000);
    expect(await listSuggested(box)).toEqual([]);
    await call(page, "open");
    await page.clock.runFor(1_000);
    await expect.poll(() => box.options.count()).toBe(1);
    expect(await listSuggested(box)).toEqual(["fooqq"]);
    await call(page, "close");
    await call(page, "open");
    await page.clock.runFor(1_000);
    expect(await listSuggested(box)).toEqual(["fooqq"]);
  });

  it("keeps the near title that was chosen while the answer to the next text is slow", async () => {
    const box = await openBox("worker", { before: stopClock });
    const { page } = box;
    await fakeAnswers(page, { pages: [], near: ["food", "foot"] });
    await box.button.click();
    await box.input.fill("fooq");
    await page.clock.runFor(400);
    await box.message.getByText("No results").waitFor();
    await page.clock.runFor(600);
    await expect.poll(() => box.options.count()).toBe(2);
    await fakeAnswers(page, { held: true });
    await page.keyboard.press("q");
    await page.clock.runFor(400);
    for (let presses = 0; presses < 2; presses++) await page.keyboard.press("ArrowDown");
    await page.clock.runFor(4_000);
    await expect.poll(() => box.note.textContent()).toContain("Still searching");
    expect(await box.options.nth(1).getAttribute("aria-selected")).toBe("true");
  });

  it("names words that were not found, and no pairs of letters where nobody puts blanks", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { changes: { missingWords: ["索設", "fooq"] } });
    await box.button.click();
    await box.input.fill("検索設定 fooq");
    await expect.poll(() => box.note.textContent()).toBe("Not found anywhere: fooq.");
  });

  it("offers titles of the collections that are searched, and none where a filter left nothing", async () => {
    const box = await openBox("worker");
    await set(box, { facets: "type" });
    await set(box, { collections: "blog" });
    await fakeAnswers(box.page, {
      pages: [],
      near: ["food"],
      changes: { facetCounts: { type: { guide: 1, api: 1 } } },
    });
    await box.button.click();
    await box.input.fill("fooq");
    await expect.poll(() => listSuggested(box)).toEqual(["fooq"]);
    expect(await box.options.count()).toBe(0);
    await set(box, { collections: "blog docs" });
    await expect.poll(() => box.options.count()).toBe(1);
    await stopClock(box.page);
    await box.chips.first().click();
    await box.page.clock.runFor(2_000);
    await box.message.getByRole("button", { name: "Search without filters" }).waitFor();
    expect(await box.options.count()).toBe(0);
    expect((await listSuggested(box)).length).toBe(2);
  });
});

describe("what is heard of rows", () => {
  it("is the page that a section is of, and the place in the whole list", async () => {
    const box = await openBox("worker");
    await box.button.click();
    await search(box, "lamp");
    const rows = await box.options.evaluateAll((all) =>
      all.map((row) => [row.getAttribute("aria-posinset"), row.getAttribute("aria-setsize")]),
    );
    expect(rows).toEqual(rows.map((_, at) => [String(at + 1), String(rows.length)]));
    const group = box.page
      .getByRole("group")
      .filter({ has: box.page.locator("[part~=section]") })
      .first();
    const section = group.locator("[part~=section]").first();
    const title = await group.locator("[part~=page] [part=title] > bdi").first().textContent();
    expect(await section.locator("[part=page-name]").textContent()).toBe(title);
    expect(await section.locator("[part=page-name]").boundingBox()).toMatchObject({ width: 1, height: 1 });
  });
});

describe("what is done with rows", () => {
  it("opens a tab for Ctrl Enter before the answer, and follows nothing once another row is chosen", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { pages: ["a", "b"] });
    await box.button.click();
    await box.input.fill("foo");
    await box.options.first().waitFor();
    await fakeAnswers(box.page, { pages: ["c", "d"], held: true });
    await box.input.fill("bar");
    await box.page.keyboard.press("Enter");
    await box.page.keyboard.press("ArrowDown");
    // Enter asks at once, and a pause between two keys may have asked before: each question has its answer.
    const afterAnswers = <T>(look: () => T) => releaseAnswers(box.page).then(look);
    await expect.poll(() => afterAnswers(() => box.options.allTextContents())).toEqual(["Title c", "Title d"]);
    expect(await box.dialog.isVisible()).toBe(true);
    const target = `<!doctype html><link rel="icon" href="data:,"><title>Target</title>`;
    await box.page.context().route(/\/c$/, (route) => route.fulfill({ contentType: "text/html", body: target }));
    const tabs: Page[] = [];
    box.page.context().on("page", (tab) => tabs.push(tab));
    await box.input.fill("baz");
    await box.page.keyboard.press("Control+Enter");
    await expect.poll(() => afterAnswers(() => tabs.map((tab) => new URL(tab.url()).pathname))).toEqual(["/c"]);
    await tabs[0]?.close();
    expect(box.page.url()).toMatch(/page\.html$/);
  });

  it("remembers a search that was followed, and none of which a menu was opened", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page);
    await box.button.click();
    await box.input.fill("foo");
    await box.options.first().click({ button: "right" });
    // The page itself answers.
    const kept = () => box.page.evaluate(() => localStorage.getItem("treeline-search"));
    expect(await kept()).toBeNull();
    await box.options.first().evaluate((row) => row.addEventListener("auxclick", (event) => event.preventDefault()));
    await box.options.first().click({ button: "middle" });
    expect(await kept()).toBe(`["foo"]`);
  });

  it("reads out what was searched for in place of what was typed, as sentences", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page, { changes: { corrections: [{ from: "foo", to: "food" }] } });
    await box.button.click();
    await box.input.fill("foo");
    const status = box.page.locator("[part=status]");
    await expect.poll(() => status.textContent()).toBe("Showing results for food. No results for foo. 1 page found");
    await fakeAnswers(box.page, { pages: [], changes: { missingWords: ["bar"] } });
    await box.input.fill('bar "the cable"');
    await expect
      .poll(() => status.textContent())
      .toBe(
        'Not found anywhere: bar. No results for bar "the cable". Check the spelling, or try fewer or different words.',
      );
    // Nothing is said twice.
    await box.input.fill("bar");
    await expect
      .poll(() => status.textContent())
      .toBe("No results for bar. Check the spelling, or try fewer or different words.");
  });
});

describe("results that somebody keeps", () => {
  const kept = ({ page }: BoxPage): Promise<readonly string[]> =>
    page.evaluate(() =>
      Object.keys(localStorage).flatMap((key) =>
        key.includes("favourites")
          ? JSON.parse(localStorage.getItem(key) ?? "").map(({ title }: { title: string }) => title)
          : [],
      ),
    );

  it("are starred by key and by pointer, shown where nothing is typed, followed, and let go", async () => {
    const box = await openBox("worker");
    const { page, options, input } = box;
    await listenForChoice(box);
    await fakeAnswers(page, { pages: ["a", "b", "c"] });
    await page.keyboard.press("Control+k");
    await input.fill("foo");
    await options.nth(2).waitFor();
    await page.keyboard.press("Control+d");
    await options.nth(1).hover();
    await options.nth(1).locator("[part~=star]").click();
    expect(await kept(box)).toEqual(["Title b", "Title a"]);
    await expect.poll(() => options.locator("[part~=starred]").count()).toBe(2);
    expect(await chosen(box)).toBeUndefined();
    await input.fill("");
    await expect.poll(() => options.locator("[part=title]").allTextContents()).toEqual(["Title b", "Title a"]);
    for (const key of ["ArrowDown", "Shift+Delete", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    expect(await kept(box)).toEqual(["Title a"]);
    expect(await chosen(box)).toBe(`${box.site.url}a`);
    await page.keyboard.press("Control+k");
    await options.locator("[part~=starred]").click();
    expect(await kept(box)).toEqual([]);
    await expect.poll(() => options.count()).toBe(0);
  });

  it("are none where the browser keeps nothing", async () => {
    const box = await openBox("worker", {
      before: (page) =>
        page.addInitScript(() => {
          Object.defineProperty(window, "localStorage", {
            get: () => {
              throw new DOMException("denied", "SecurityError");
            },
          });
        }),
    });
    await fakeAnswers(box.page, { pages: ["a"], home: ["guide"] });
    await box.button.click();
    await expect.poll(() => box.options.locator("[part=title]").allTextContents()).toEqual(["Title guide"]);
    await box.input.fill("foo");
    await expect.poll(() => box.options.allTextContents()).toEqual(["Title a"]);
    await box.page.keyboard.press("Control+d");
    expect(await box.dialog.locator("[part~=star]").count()).toBe(0);
  });
});

describe("a dialog where nothing is typed", () => {
  it("offers pages to begin with, below recent searches", async () => {
    const box = await openBox("worker");
    await listenForChoice(box);
    await fakeAnswers(box.page, { home: ["guide", "api"] });
    await box.button.click();
    await expect
      .poll(() => box.options.locator("[part=title]").allTextContents())
      .toEqual(["Title guide", "Title api"]);
    expect(await box.message.isVisible()).toBe(false);
    await box.options.nth(1).click();
    expect(await chosen(box)).toBe(`${box.site.url}api/`);
  });

  it.each(["worker", "files"] as const)("has them of the index, from %s", async (source) => {
    const box = await openBox(source);
    box.files.set(
      "index/llms.txt",
      Buffer.from(
        "# docs\n\n- [Guide](/guide/): `docs:guide/index.md`, first of 3 pages in guide/\n- [Api](/api): `docs:api/a.md`, first of 1 page in api/\n",
      ),
    );
    await box.page.keyboard.press("Control+k");
    const places = box.options.locator("[part=path]");
    await expect.poll(() => places.count()).toBeGreaterThan(1);
    if (source === "files") expect(await places.allTextContents()).toEqual(["guide", "api"]);
    for (const option of await box.options.all()) expect(await option.getAttribute("href")).toMatch(/^http/);
  });
});

describe("the language and version of the page", () => {
  it("narrow what is asked for, with a chip that can be taken away and put back", async () => {
    const body = `<meta name="docsearch:version" content="2.x">${BODY}`;
    const box = await openBox("worker", { html: `lang="de"`, body });
    await fakeAnswers(box.page, { changes: { preferred: { language: "de" }, facetCounts: { language: { de: 1 } } } });
    await box.button.click();
    await box.input.fill("foo");
    await expect.poll(() => box.chips.allTextContents()).toEqual(["Deutsch 1"]);
    expect((await listAsked(box)).at(-1)).toMatchObject({ filters: {}, prefer: { language: "de", version: "2.x" } });
    await fakeAnswers(box.page, { pages: ["a", "b"], changes: { facetCounts: { language: { de: 1, en: 4 } } } });
    await box.chips.first().click();
    await expect.poll(() => box.chips.allTextContents()).toEqual(["English 4", "Deutsch 1"]);
    expect((await listAsked(box)).at(-1)).toMatchObject({ filters: {}, prefer: { version: "2.x" } });
    await box.chips.first().click();
    await expect
      .poll(async () => (await listAsked(box)).at(-1))
      .toMatchObject({ filters: { language: ["en"] }, prefer: { version: "2.x" } });
  });

  it("are given up with one button where nothing of them is found", async () => {
    const box = await openBox("worker", { html: `lang="de"` });
    await fakeAnswers(box.page, { pages: [], changes: { preferred: { language: "de" } } });
    await box.button.click();
    await box.input.fill("foo");
    await box.message.getByRole("button").click();
    await expect.poll(async () => (await listAsked(box)).at(-1)?.prefer).toEqual({});
  });

  it("are those of the page that a router has led to", async () => {
    const box = await openBox("worker");
    await fakeAnswers(box.page);
    await box.button.click();
    await box.input.fill("foo");
    await box.options.first().waitFor();
    await box.page.keyboard.press("Escape");
    await box.page.evaluate(() => {
      document.documentElement.lang = "fr";
    });
    await box.page.keyboard.press("Control+k");
    await expect.poll(async () => (await listAsked(box)).map(({ prefer }) => prefer["language"])).toEqual(["en", "fr"]);
  });
});

describe("rows", () => {
  it("begin with the page whose title has the words that were searched for in place of others", async () => {
    const box = await openBox("worker");
    const corrections = [{ from: "midleware", to: "middleware" }];
    await fakeAnswers(box.page, { pages: ["middleware"], section: "Something else", changes: { corrections } });
    await box.button.click();
    await box.input.fill("midleware");
    await expect.poll(() => box.options.count()).toBe(2);
    expect(await box.options.first().getAttribute("aria-selected")).toBe("true");
  });

  it("show code as code, without its backticks", async () => {
    const box = await openBox("worker");
    const excerpt = [
      { text: "Use `app.", marked: false },
      { text: "get", marked: true },
      { text: "()` or `` a ` b `` here", marked: false },
    ];
    await fakeAnswers(box.page, { brief: { pages: 1, heading: "Part" }, excerpt });
    await box.button.click();
    await box.input.fill("get");
    const shown = box.dialog.locator("[part=excerpt]");
    await expect.poll(() => shown.textContent()).toBe("Use app.get() or a ` b here");
    expect(await shown.locator("code").allTextContents()).toEqual(["app.get()", "a ` b"]);
    expect(await shown.locator("code mark").textContent()).toBe("get");
    expect(
      await shown.evaluate((element) => getComputedStyle(element.querySelector("code") as Element).fontFamily),
    ).toContain("monospace");
  });
});
