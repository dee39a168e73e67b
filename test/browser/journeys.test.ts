/** What visitors do with the box: by keyboard alone, with a pointer, with fingers. */
import { describe, expect, it } from "vitest";
import { BODY, type BoxPage, openBox, SOURCES, search, serveTargets } from "./box.ts";

describe.each(SOURCES)("a search box with answers from %s", (source) => {
  it("is used by keyboard alone", async () => {
    const box = await openBox(source, { before: serveTargets });
    const { page, dialog, input, options, chips } = box;
    await page.keyboard.press("Control+k");
    await expect.poll(() => dialog.isVisible()).toBe(true);
    expect(await focused(box)).toBe("input");
    await search(box, "lamp");
    expect(await input.getAttribute("aria-expanded")).toBe("true");
    const first = await chosen(box);
    await page.keyboard.press("ArrowDown");
    expect(await chosen(box)).not.toBe(first);
    await page.keyboard.press("ArrowUp");
    expect(await chosen(box)).toBe(first);
    // Round to the last row, which brings more; it comes when an answer that was shown in part is whole.
    await options.filter({ hasText: "More results" }).waitFor();
    const few = await options.count();
    await page.keyboard.press("ArrowUp");
    if ((await chosen(box)) !== "More results") await page.keyboard.press("ArrowUp");
    expect(await chosen(box)).toBe("More results");
    await page.keyboard.press("Enter");
    await expect.poll(() => options.count()).toBeGreaterThan(few);
    expect(await focused(box)).toBe("input");
    // By Tab to the chips and back.
    await pressUntil(box, "Tab", "chip");
    const name = await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent ?? "");
    await page.keyboard.press("Space");
    await expect.poll(() => chips.first().getAttribute("aria-pressed")).toBe("true");
    expect(await focused(box)).toMatch(/^chip/);
    const [, count] = /(\d+)$/.exec(name) ?? [];
    await expect.poll(() => page.locator("[part=status]").textContent()).toMatch(new RegExp(`^${count} pages? found$`));
    await pressUntil(box, "Shift+Tab", "input");
    await page.keyboard.press("Enter");
    await page.waitForURL(/^https:\/\/example\.org\/docs\//);
  });

  it("gives the focus back where it came from", async () => {
    const box = await openBox(source, { body: `<button id="own">Own</button>${BODY}` });
    const { page, dialog, button } = box;
    await page.focus("#own");
    await page.keyboard.press("Control+k");
    await expect.poll(() => dialog.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("own");
    await button.click();
    expect(await focused(box)).toBe("input");
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(box)).toBe("button");
    await page.keyboard.press("/");
    await expect.poll(() => dialog.isVisible()).toBe(true);
    await page.keyboard.press("Control+k");
    await expect.poll(() => dialog.isVisible()).toBe(false);
  });

  it("keeps the focus inside while it is open", async () => {
    const box = await openBox(source, { body: `<a href="#x">Before</a>${BODY}<a href="#y">Behind</a>` });
    await box.button.click();
    await search(box, "lamp");
    for (let presses = 0; presses < 25; presses++) {
      await box.page.keyboard.press("Tab");
      expect(await box.page.evaluate(() => document.activeElement?.tagName)).toBe("TREELINE-SEARCH");
    }
  });

  it("is used with a pointer", async () => {
    // A page in a tab of its own asks for the real address.
    const box = await openBox(source, { before: serveTargets, allow: [/^request: https:\/\/example\.org/] });
    const { page, button, dialog, options, chips } = box;
    await button.click();
    await search(box, "lamp");
    await options.nth(1).hover();
    await expect.poll(() => options.nth(1).getAttribute("aria-selected")).toBe("true");
    await chips.first().click();
    await expect.poll(() => chips.first().getAttribute("aria-pressed")).toBe("true");
    await chips.first().click();
    await expect.poll(() => chips.first().getAttribute("aria-pressed")).toBe("false");
    const [other] = await Promise.all([
      page.context().waitForEvent("page"),
      options.first().click({ modifiers: ["Control"] }),
    ]);
    await other.close();
    await page.mouse.click(5, 5);
    await expect.poll(() => dialog.isVisible()).toBe(false);
    await button.click();
    await options.first().click();
    await page.waitForURL(/^https:\/\/example\.org\/docs\//);
  });

  it("is used with fingers", async () => {
    const box = await openBox(source, {
      before: serveTargets,
      viewport: { width: 390, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    const { page, button, input, options, chips } = box;
    await button.tap();
    await search(box, "lamp");
    // The key of a keyboard on the screen shows what is behind it.
    await page.keyboard.press("Enter");
    await expect(input.evaluate((field) => field.matches(":focus"))).resolves.toBe(false);
    await chips.first().tap();
    await expect.poll(() => chips.first().getAttribute("aria-pressed")).toBe("true");
    await options.first().tap();
    await page.waitForURL(/^https:\/\/example\.org\/docs\//);
  });

  it("remembers what led somewhere", async () => {
    const box = await openBox(source, { before: serveTargets });
    const { page, button, options, input, site, script } = box;
    await button.click();
    await search(box, "dim the lamp");
    await options.first().click();
    await page.waitForURL(/^https:\/\/example\.org\/docs\//);
    await page.goto(`${site.url}page.html`);
    await button.click();
    const recent = options.and(page.locator("[part~=recent]"));
    await expect.poll(() => recent.allTextContents()).toEqual(["dim the lamp"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => input.inputValue()).toBe("dim the lamp");
    await expect.poll(() => options.count()).toBeGreaterThan(2);
    // Another source of answers knows nothing of it.
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([
      `treeline-search ${new URL(".", script).href}`,
    ]);
    await input.fill("");
    await page.getByRole("button", { name: "Remove dim the lamp" }).click();
    await expect.poll(() => recent.count()).toBe(0);
    expect(await focused(box)).toBe("input");
  });
});

/** Press a key until a part has the focus. */
async function pressUntil(box: BoxPage, key: string, part: string): Promise<void> {
  for (let presses = 0; presses < 10 && (await focused(box)) !== part; presses++) await box.page.keyboard.press(key);
  expect(await focused(box)).toBe(part);
}

/** Part of the element that has the focus in the box. */
function focused({ page }: BoxPage): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("part") ?? undefined);
}

/** Text of the row that the field points at. */
function chosen({ input }: BoxPage): Promise<string> {
  return input.evaluate((field) => {
    const root = field.getRootNode() as ShadowRoot;
    const row = root.getElementById(field.getAttribute("aria-activedescendant") ?? "");
    return row?.getAttribute("aria-selected") === "true" ? (row.textContent ?? "") : "";
  });
}
