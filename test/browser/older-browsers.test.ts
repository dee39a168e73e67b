/** Browsers that lack what the box needs: pages keep what they have without it, and nothing fails. */
import { describe, expect, it } from "vitest";
import { BODY, openBox, SOURCES } from "./box.ts";

const FORM = `<form action="/explorer/search"><input name="q" aria-label="Search"></form>`;

describe.each(SOURCES)("a search box with answers from %s in an older browser", (source) => {
  it("leaves the form that the page has put inside", async () => {
    const { page } = await openBox(source, {
      body: BODY.replace("></treeline-search>", `>${FORM}</treeline-search>`),
      // What Safari 17.4 and Chrome 122 say.
      before: (opened) =>
        opened.addInitScript(() => {
          const known = CSS.supports.bind(CSS) as (...asked: string[]) => boolean;
          CSS.supports = (...asked: string[]) => !`${asked}`.includes("light-dark") && known(...asked);
        }),
    });
    expect(await page.evaluate(() => customElements.get("treeline-search") === undefined)).toBe(true);
    await page.getByRole("textbox", { name: "Search" }).fill("lamp");
    await page.keyboard.press("Control+k");
    expect(await page.getByRole("textbox").inputValue()).toBe("lamp");
  });

  it("gets no button where the page has none", async () => {
    const { page } = await openBox(source, {
      body: "<p>Text.</p>SCRIPT",
      before: (opened) => opened.addInitScript(() => Object.assign(CSS, { supports: () => false })),
    });
    expect(await page.locator("treeline-search").count()).toBe(0);
  });
});
