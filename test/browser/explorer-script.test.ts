/** What the explorer's script adds to its pages. That they work without it is told in explorer.test.ts. */
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { type BrowseOptions, openPage } from "./browse.ts";
import { findViolations } from "./find-violations.ts";

const open = (path: string, options: BrowseOptions = {}): Promise<Page> =>
  openPage(`${inject("workerUrl")}/workshop${path}`, options);
/** A page that needs no more than the script. */
async function openWritten(body: string, hash = ""): Promise<Page> {
  const script = `<script type="module" src="${inject("workerUrl")}/workshop/explorer/script.js"></script>`;
  return open(`/written${hash}`, {
    before: (page) =>
      page.route(/\/written/, (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><link rel="icon" href="data:,"><title>Page</title>${body}${script}`,
        }),
      ),
  });
}

describe("the box in the head", () => {
  it("opens by Ctrl K on every page, and leads to pages of the explorer", async () => {
    const page = await open("/documents/code:src/store/lamp.ts");
    await page.locator("treeline-search [part=button]").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("circle");
    const hits = page.locator("treeline-search a");
    await hits.first().waitFor();
    for (const hit of await hits.all()) expect(await hit.getAttribute("href")).toMatch(/\/workshop\/documents\//);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/workshop\/documents\/.*circle/);
  });
});

describe("source code", () => {
  it("is coloured, and stays as the server wrote it", async () => {
    const page = await open("/documents/code:src/store/lamp.ts");
    const before = await page.locator("pre.source").innerHTML();
    const painted = (): Promise<string[]> =>
      page.evaluate(() =>
        [...CSS.highlights].map(([name, own]) => {
          const [first] = own as unknown as Set<StaticRange>;
          const range = document.createRange();
          range.setStart(first?.startContainer as Node, first?.startOffset ?? 0);
          range.setEnd(first?.endContainer as Node, first?.endOffset ?? 0);
          return `${name} ${range.toString()}`;
        }),
      );
    await expect.poll(painted).toEqual(expect.arrayContaining([expect.stringMatching(/^code-keyword (?:im|ex)port$/)]));
    expect(await page.locator("pre.source").innerHTML()).toBe(before);
  });

  it("shows the uses of a declared name beside it, and gives the focus back", async () => {
    const page = await open("/documents/code:src/store/lamp.ts", { allow: [/Failed to load resource/] });
    const name = page.locator("a.own").first();
    await name.click();
    const panel = page.getByRole("dialog");
    await panel.getByRole("heading", { name: (await name.textContent()) ?? "" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await panel.getByRole("button", { name: "Close" }).press("Escape");
    expect(await panel.count()).toBe(0);
    expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.route(/symbol=/, (route) => route.fulfill({ status: 500, body: "no" }));
    await name.click();
    await page.waitForURL(/\/explorer\/outline\/.*symbol=/);
  });
});

describe("buttons that copy", () => {
  const permissions = ["clipboard-read", "clipboard-write"];

  it("copy the text beside them, and say so", async () => {
    const page = await open("/explorer/connect", { permissions });
    const button = page.locator("button[data-copy]").first();
    const id = (await button.getAttribute("data-copy")) ?? "";
    await button.click();
    await expect.poll(() => button.innerText()).toMatch(/^Copied/);
    expect(await page.locator("#status").textContent()).toBe("Copied.");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.locator(`[id="${id}"]`).textContent());
    expect(copied).not.toBe("");
  });

  it("stay hidden where a page may not write", async () => {
    const page = await open("/explorer/connect", {
      before: (opened) =>
        opened.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined })),
    });
    await page.waitForLoadState("networkidle");
    expect(await page.locator("button[data-copy]:visible").count()).toBe(0);
  });
});

describe("a graph", () => {
  const nodes = (page: Page): Promise<number> => page.locator(".node").count();
  /** How far the drawing reaches out of its frame, in pixels; 0 where all of it is inside. */
  const overhang = (page: Page): Promise<number> =>
    page.evaluate(() => {
      const frame = document.querySelector(".frame")?.getBoundingClientRect() ?? new DOMRect();
      const out = [...document.querySelectorAll(".node")].map((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return Math.max(frame.left - left, right - frame.right, frame.top - top, bottom - frame.bottom);
      });
      return Math.max(0, ...out);
    });
  const overlaps = (page: Page): Promise<number> =>
    page.evaluate(() => {
      const boxes = [...document.querySelectorAll(".node")].map((node) => node.getBoundingClientRect());
      return boxes.flatMap((a, at) =>
        boxes.slice(at + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
      ).length;
    });

  it("fits its frame, and grows from a click until a second one opens the page", async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 700 },
    ]) {
      const page = await open("/explorer/graph", { viewport });
      await page.locator(".node.open").waitFor();
      const before = await nodes(page);
      expect([await overhang(page), await overlaps(page)]).toEqual([0, 0]);
      const closed = page.locator(".node:not(.open)").first();
      const href = await closed.getAttribute("href");
      await closed.click();
      await expect.poll(() => page.locator(".node.open").count()).toBe(2);
      expect(new URL(page.url()).searchParams.getAll("focus")).toHaveLength(2);
      expect(await nodes(page)).toBeGreaterThanOrEqual(before);
      // Nodes move to their new places.
      await expect.poll(() => overlaps(page)).toBe(0);
      await page.getByRole("button", { name: "Fit" }).click();
      await expect.poll(() => overhang(page)).toBe(0);
      await page.goBack();
      await expect.poll(() => page.locator(".node.open").count()).toBe(1);
      await page.locator(`.node[href="${href}"]`).click();
      await page.locator(`.node.open[href="${href}"]`).click();
      await page.waitForURL(/\/documents\//);
    }
  });

  it("is zoomed by wheel and buttons, dragged, and grown by keyboard", async () => {
    const page = await open("/explorer/graph");
    const width = async (): Promise<number> => (await page.locator(".node.open").first().boundingBox())?.width ?? 0;
    await page.locator(".node.open").waitFor();
    const before = await width();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(async () => Math.abs((await width()) - before * 1.4)).toBeLessThan(2);
    await page.getByRole("button", { name: "Zoom out" }).click();
    await expect.poll(async () => Math.abs((await width()) - before * 0.98)).toBeLessThan(2);
    const frame = await page.locator(".frame").boundingBox();
    await page.mouse.move((frame?.x ?? 0) + 30, (frame?.y ?? 0) + 30);
    await page.mouse.wheel(0, -400);
    await expect.poll(width).toBeGreaterThan(before * 1.2);
    await page.mouse.down();
    const left = (await page.locator(".node.open").first().boundingBox())?.x ?? 0;
    await page.mouse.move((frame?.x ?? 0) + 90, (frame?.y ?? 0) + 30, { steps: 4 });
    await page.mouse.up();
    expect((await page.locator(".node.open").first().boundingBox())?.x).toBeCloseTo(left + 60, 0);
    const closed = page.locator(".node:not(.open)").first();
    const id = await closed.getAttribute("title");
    await closed.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".node.open").count()).toBe(2);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("title"))).not.toBe(id);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-expanded"))).toBe("true");
  });

  it("begins anew at a node that is found by name", async () => {
    const page = await open("/explorer/graph");
    const field = page.getByRole("combobox", { name: "Find a file" });
    await field.fill("lamp");
    await expect.poll(() => page.locator("#found option").count()).toBeGreaterThan(0);
    const name = (await page.locator("#found option").first().getAttribute("value")) ?? "";
    await page.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe("");
    const begun = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement } = document;
        const node = activeElement?.matches(".node") ? activeElement : document.querySelector(".node.open");
        return node?.querySelector("b")?.textContent ?? "?";
      });
    await expect.poll(async () => name.startsWith(await begun())).toBe(true);
  });

  it("says so when the server cannot be reached", async () => {
    const page = await open("/explorer/graph", { allow: [/ERR_FAILED/] });
    await page.route(/format=json/, (route) => route.abort());
    await page.locator(".node:not(.open)").first().click();
    await expect.poll(() => page.locator(".graph [role=status]").textContent()).toContain("cannot be reached");
  });
});

describe("an anchor", () => {
  const links = `<a data-part="far" href="/workshop/written?from=120">Far</a><p id="near">Near</p>`;

  it("on another part of a document leads there, once", async () => {
    const page = await openWritten(links, "#far");
    await page.waitForURL(/written\?from=120#far$/);
    await page.waitForTimeout(100);
    expect(page.url()).toMatch(/written\?from=120#far$/);
  });

  it("on the page, or on no part, leads nowhere else", async () => {
    const page = await openWritten(links, "#near");
    for (const hash of ["#near", "#nowhere", "#L7", "#%E0%A4%A"]) {
      await page.evaluate((wanted) => {
        location.hash = wanted;
      }, hash);
      await page.waitForTimeout(30);
      expect(new URL(page.url()).search, hash).toBe("");
    }
  });

  it("that is the number of a line leads to the part with that line", async () => {
    const page = await openWritten(`<div class="source"></div>`, "#L2000");
    await page.waitForURL(/written\?from=2000#L2000$/);
  });
});

describe("times", () => {
  it("say how long ago they were", async () => {
    const page = await open("/");
    expect(await page.locator("time").first().textContent()).toMatch(/\((just now|.* ago)\)$/);
  });
});

describe("query insights", () => {
  const INSIGHTS = /\/explorer\/insights$/;
  const REPORT = `<main><p>What.</p><div id="report"><p>Since 2026-01-01.</p><table><tr><td>&lt;b&gt;lamp&lt;/b&gt;</td><td>3</td></tr></table></div></main>`;

  it("are asked for with the key as a header, which then is nowhere else", async () => {
    const page = await open("/explorer/insights");
    const keys: (string | null)[] = [];
    await page.route(INSIGHTS, async (route) => {
      keys.push(await route.request().headerValue("authorization"));
      await route.fulfill({ contentType: "text/html", body: REPORT });
    });
    await page.getByLabel("Admin key").fill("secret-key");
    await page.getByRole("button", { name: "Show" }).click();
    await expect.poll(() => page.locator("[data-insights-status]").textContent()).toBe("Since 2026-01-01.");
    expect(await page.locator("#report td").allTextContents()).toEqual(["<b>lamp</b>", "3"]);
    expect(keys).toEqual(["Bearer secret-key"]);
    expect(await page.getByLabel("Admin key").inputValue()).toBe("");
    expect(
      page.url() + (await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))),
    ).not.toContain("secret");
  });

  it("are not shown for a key that is no admin's", async () => {
    const page = await open("/explorer/insights");
    await page.getByLabel("Admin key").fill("another");
    await page.route(INSIGHTS, (route) =>
      route.fulfill({ contentType: "text/html", body: `<main><p>What.</p><div id="report"></div></main>` }),
    );
    await page.getByRole("button", { name: "Show" }).click();
    await expect.poll(() => page.locator("[data-insights-status]").textContent()).toContain("not an admin's");
  });

  it("say what the server says of a wrong key", async () => {
    const page = await open("/explorer/insights", { allow: [/Failed to load resource/] });
    await page.route(INSIGHTS, (route) =>
      route.fulfill({ status: 401, contentType: "text/html", body: "<main><p>no such key</p></main>" }),
    );
    await page.getByLabel("Admin key").fill("wrong");
    await page.getByRole("button", { name: "Show" }).click();
    await expect.poll(() => page.locator("[data-insights-status]").textContent()).toBe("no such key");
  });
});
