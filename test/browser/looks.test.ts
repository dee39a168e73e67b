/** What pages may do to the looks of a box, and what they may not. */
import { expect, it } from "vitest";
import { BODY, type BoxOptions, type BoxPage, openBox, search } from "./box.ts";
import { fakeAnswers } from "./fake-client.ts";
import { findViolations } from "./find-violations.ts";

/** A box on a page with styles of its own, open. */
async function openStyled(css: string, options: BoxOptions = {}): Promise<BoxPage> {
  const box = await openBox("worker", options);
  await box.page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, css);
  await box.button.click();
  return box;
}

const styleOf = ({ dialog }: BoxPage, names: readonly string[]): Promise<readonly string[]> =>
  dialog.evaluate((element, wanted) => wanted.map((name) => getComputedStyle(element).getPropertyValue(name)), names);

it("text is as large as the page's, of its font, with room between lines", async () => {
  const box = await openStyled("html { font: 20px/1 Georgia }");
  expect(await styleOf(box, ["font-size", "line-height", "font-family"])).toEqual(["20px", "30px", "Georgia"]);
  expect(await box.button.evaluate((button) => getComputedStyle(button).fontSize)).toBe("18.75px");
  const other = await openStyled("html { font: 10px/1 Georgia } treeline-search { --treeline-font: monospace }");
  expect(await styleOf(other, ["font-size", "font-family", "width"])).toEqual(["16px", "monospace", "704px"]);
  expect(await other.button.evaluate((button) => getComputedStyle(button).fontSize)).toBe("15px");
});

it("what a page says of all that is in its header changes the dialog in nothing", async () => {
  const header = `header > * { white-space: nowrap; text-transform: uppercase; letter-spacing: 2px; word-spacing: 9px; line-height: 3;
    text-indent: 2em; font-style: italic; word-break: break-all; cursor: not-allowed; user-select: none; text-shadow: 1px 1px red }`;
  const box = await openStyled(header);
  const names = ["white-space", "text-transform", "letter-spacing", "word-spacing", "line-height", "text-indent"];
  names.push("font-style", "word-break", "cursor", "text-shadow");
  const plain = await openStyled("");
  expect(await styleOf(box, names)).toEqual(await styleOf(plain, names));
});

it("the dialog is as high as what is in it", async () => {
  const box = await openBox("worker");
  await fakeAnswers(box.page);
  await box.button.click();
  await box.dialog.and(box.page.locator(":not([data-part])")).waitFor();
  const [dialog, footer] = await Promise.all(
    [box.dialog, box.page.locator("[part=footer]")].map((part) => part.boundingBox()),
  );
  if (dialog === null || dialog === undefined || footer === null || footer === undefined)
    throw new Error("not to be seen");
  expect(footer.y + footer.height).toBeCloseTo(dialog.y + dialog.height - 1, 0);
  expect(dialog.height).toBeLessThan(300);
});

it("most of a low window, as at 400 % of a large one, is for rows", async () => {
  const box = await openBox("worker", { viewport: { width: 320, height: 256 } });
  await box.button.click();
  await search(box, "lamp");
  const list = await box.page.locator("[part=list]").boundingBox();
  expect(list?.height).toBeGreaterThan(256 * 0.6);
});

it("a key that opens nothing is not named on the button", async () => {
  const box = await openBox("worker");
  const shortcut = box.page.locator("[part=shortcut]");
  expect(await shortcut.isVisible()).toBe(true);
  await box.page.evaluate(() => document.querySelector("treeline-search")?.setAttribute("hotkeys", "off"));
  expect(await shortcut.isVisible()).toBe(false);
});

it("hints and lines are as clear as the text for who wants more contrast", async () => {
  const box = await openStyled("", { contrast: "more" });
  const [text, line] = await styleOf(box, ["color", "border-top-color"]);
  expect(line).toBe(text);
  expect(await box.page.locator("[part=footer]").evaluate((footer) => getComputedStyle(footer).color)).toBe(text);
});

it("boxes in a page, in a shadow root and in a dialog of the page work beside one another", async () => {
  const body = `<dialog id="own"><treeline-search id="inner"></treeline-search></dialog><div id="host"></div>${BODY}`;
  const box = await openBox("worker", { body });
  await box.page.evaluate(() => {
    const root = (document.querySelector("#host") as Element).attachShadow({ mode: "open" });
    root.append(document.createElement("treeline-search"));
    (document.querySelector("#own") as HTMLDialogElement).showModal();
  });
  await box.page.locator("#inner").getByRole("button").click();
  await box.page.keyboard.type("lamp");
  await box.page.locator("#inner").getByRole("option").first().waitFor();
  await box.page.keyboard.press("Escape");
  expect(await box.page.evaluate(() => (document.querySelector("#own") as HTMLDialogElement).open)).toBe(true);
  await box.page.keyboard.press("Escape");
  for (const selector of ["#host treeline-search", "header treeline-search"]) {
    await box.page.locator(selector).getByRole("button").click();
    await box.page.keyboard.type("lamp");
    await box.page.locator(selector).getByRole("option").first().waitFor();
    await box.page.keyboard.press("Escape");
  }
});

/** Custom properties of sites as their generators set them, by what the dialog makes of them. */
const SITES = {
  VitePress: "--vp-c-brand-1: ACCENT; --vp-c-bg: BG; --vp-c-text-1: TEXT",
  Starlight: "--sl-color-accent: ACCENT; --sl-color-bg: BG; --sl-color-text: TEXT",
  Docusaurus: "--ifm-color-primary: ACCENT; --ifm-background-surface-color: BG; --ifm-font-color-base: TEXT",
  "Material for MkDocs": "--md-typeset-a-color: ACCENT; --md-default-bg-color: BG; --md-typeset-color: TEXT",
  Furo: "--color-brand-primary: ACCENT; --color-background-primary: BG; --color-foreground-primary: TEXT",
};

it.each(Object.entries(SITES))("a box in a site by %s has its colours", async (_, properties) => {
  const [accent, bg, text] = ["rgb(230, 81, 0)", "rgb(255, 250, 240)", "rgb(60, 40, 30)"];
  const css = properties.replace("ACCENT", accent).replace("BG", bg).replace("TEXT", text);
  const box = await openStyled(`:root { ${css} }`);
  expect(await styleOf(box, ["background-color", "color"])).toEqual([bg, text]);
  await fakeAnswers(box.page, { pages: ["a"] });
  await box.input.fill("foo");
  await box.options.first().waitFor();
  expect(await box.options.first().evaluate((option) => getComputedStyle(option).boxShadow)).toContain(accent);
});

it("names that any page may use for something else are not taken for colours", async () => {
  const box = await openStyled(":root { --bg: 12px; --fg: url(a.png); --links: none }");
  expect((await styleOf(box, ["background-color"]))[0]).toBe("rgb(255, 255, 255)");
});

it.each([
  ["orange", "#e36002", "#ffffff", "#3c3c43"],
  ["light yellow", "#fde047", "#ffffff", "#1f2328"],
  ["light yellow in the dark", "#fde047", "#1b1b1f", "#dfdfd6"],
  ["black", "#000000", "#ffffff", "#1f2328"],
  ["dark blue in the dark", "#1e3a8a", "#17181c", "#c0c2c7"],
])("text can be read with an accent of %s", async (_, accent, bg, text) => {
  const css = `:root { --vp-c-brand-1: ${accent}; --vp-c-bg: ${bg}; --vp-c-text-1: ${text}; background: ${bg}; color: ${text} }`;
  const box = await openStyled(css);
  await fakeAnswers(box.page, {
    ...{ pages: ["a", "b"], brief: { pages: 2, heading: "Part foo" } },
    excerpt: [
      { text: "Some foo `code`", marked: false },
      { text: "foo", marked: true },
    ],
    counts: { category: { guide: 2, api: 1 } },
    changes: { nextOffset: 2 },
  });
  await box.input.fill("foo");
  await box.chips.first().click();
  await expect.poll(() => box.options.count()).toBe(5);
  await box.page.keyboard.press("ArrowDown");
  expect(await findViolations(box.page, ["color-contrast"])).toEqual([]);
});
