/** Pages of the explorer: usable by everybody, with and without scripts, on a narrow screen, and with texts that mean harm. */
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { openPage } from "./browse.ts";
import { inspect } from "./find-violations.ts";
import type { CorpusName } from "./start-browser.ts";

/** One of each kind, by corpus. */
const PAGES = {
  workshop: [
    "/",
    "/explorer/search?q=lamp",
    "/explorer/search?q=lamp&explain=true",
    "/explorer/search?q=zzyzzy",
    "/explorer/tree",
    "/explorer/outline/code:src/store/lamp.ts",
    "/explorer/graph",
    "/explorer/categories",
    "/explorer/diagnostics",
    "/explorer/insights",
    "/explorer/connect",
    "/documents/docs:index.md",
    "/documents/code:src/store/lamp.ts",
  ],
  hostile: [
    "/",
    "/explorer/search?q=evil+word",
    "/explorer/search?q=harm",
    "/explorer/tree",
    "/explorer/graph",
    "/explorer/categories",
    "/explorer/diagnostics",
    "/documents/docs:script.md",
  ],
} as const;

describe("the explorer's pages", () => {
  it("have nothing severe", async () => {
    const { page, visit } = await openNarrow("workshop");
    const { look, seen } = inspect(page);
    for (const address of PAGES.workshop) {
      await visit(address);
      await look(address);
    }
    expect(seen).toEqual([]);
  });

  it("run nothing that stands in texts", async () => {
    const { page, visit } = await openNarrow("hostile");
    await page.addInitScript(() => Reflect.set(globalThis, "ran", []));
    for (const address of PAGES.hostile) {
      await visit(address);
      expect(await page.evaluate(() => Reflect.get(globalThis, "ran"))).toEqual([]);
      expect(await page.locator("[href^='javascript:' i],[onerror],[onload],[onmouseover],main script").count()).toBe(
        0,
      );
    }
  });

  it.each(["workshop", "hostile"] as const)("have all their content without scripts: %s", async (corpus) => {
    const { visit } = await openNarrow(corpus, false);
    for (const address of PAGES[corpus]) await visit(address);
  });
});

describe("the explorer", () => {
  it("leads from a search to the section that was found, by keyboard alone", async () => {
    const page = await openPage(`${inject("workerUrl")}/workshop/`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/Skip/);
    await page.getByRole("searchbox").first().focus();
    await page.keyboard.type("lamp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/explorer\/search\?q=lamp/);
    const hit = page.locator("main a[href*='/documents/']").filter({ hasText: /lamp/i }).first();
    await hit.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/documents\//);
    expect(await page.locator("main").innerText()).toMatch(/lamp/i);
  });

  it("says that there is no such page, as a page", async () => {
    const page = await openPage(`${inject("workerUrl")}/workshop/explorer/nothing`, { allow: [/ 404 /] });
    expect(await page.locator("h1").textContent()).toBe("No such page");
  });
});

/** A window as wide as a small phone, and how to go to a page in it that has to be in order. */
async function openNarrow(
  corpus: CorpusName,
  javaScriptEnabled = true,
): Promise<{ readonly page: Page; readonly visit: (address: string) => Promise<void> }> {
  const base = `${inject("workerUrl")}/${corpus}`;
  const page = await openPage("about:blank", { javaScriptEnabled, viewport: { width: 320, height: 640 } });
  const visit = async (address: string): Promise<void> => {
    const response = await page.goto(`${base}${address}`);
    expect(response?.status(), address).toBe(200);
    expect(await page.locator("h1").count(), address).toBe(1);
    expect(await page.locator("main").innerText(), address).not.toBe("");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, address).toBeLessThanOrEqual(320);
  };
  return { page, visit };
}
