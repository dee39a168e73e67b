/** What pages may do to the looks of a box, and what they may not. */
import { expect, it } from "vitest";
import { BODY, type BoxOptions, type BoxPage, openBox, search } from "./box.ts";

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
  expect(await styleOf(other, ["font-size", "font-family"])).toEqual(["16px", "monospace"]);
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
  const box = await openStyled("");
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
  expect(await box.message.evaluate((message) => getComputedStyle(message).color)).toBe(text);
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
