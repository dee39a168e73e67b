/** A box that the script puts into a place of the page, which its address names. */
import { describe, expect, it } from "vitest";
import { type BoxPage, openBox } from "./box.ts";
import { stopClock } from "./browse.ts";

/** Where the box is: the tag of what it is in, or that it is in the corner. */
const where = ({ page }: Pick<BoxPage, "page">): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("treeline-search")].map((box) =>
      box.hasAttribute("floating") ? "corner" : (box.parentElement?.localName ?? ""),
    ),
  );
/** A page whose script is named with parameters. */
const openWith = (body: string, parameters: string): Promise<BoxPage> =>
  openBox("worker", { body: `${body}SCRIPT`, parameters });

describe("a script with ?place=", () => {
  it("puts the box there, with its other parameters as attributes", async () => {
    const box = await openWith("<nav></nav><main>Text</main>", "place=nav&theme=dark&onclick=x");
    await expect.poll(() => where(box)).toEqual(["nav"]);
    const names = await box.page.locator("treeline-search").evaluate((made) => made.getAttributeNames());
    expect(names.filter((name) => name !== "style")).toEqual(["theme"]);
  });

  it("stays in sight in the corner of a page that is wider than a phone", async () => {
    const box = await openBox("worker", {
      body: `<meta name="viewport" content="width=device-width, initial-scale=1"><canvas width="700" height="3000"></canvas>SCRIPT`,
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    expect(await box.page.evaluate(() => innerWidth)).toBeGreaterThan(600);
    await expect
      .poll(async () => {
        const button = await box.button.boundingBox();
        return button !== null && button.x + button.width <= 390 && button.y + button.height <= 844;
      })
      .toBe(true);
    await box.button.tap();
    await box.dialog.waitFor();
    expect(await box.dialog.boundingBox()).toMatchObject({ x: 0, width: 390 });
  });

  it("opens the box when it comes where its key was pressed before", async () => {
    const box = await openBox("worker", {
      body: "<main>Text</main>SCRIPT",
      parameters: "place=nav",
      before: stopClock,
    });
    await expect.poll(() => box.page.evaluate(() => customElements.get("treeline-search") !== undefined)).toBe(true);
    await box.page.keyboard.press("Control+k");
    expect(await where(box)).toEqual([]);
    await box.page.evaluate(() => document.body.prepend(document.createElement("nav")));
    await expect
      .poll(async () => {
        await box.page.clock.runFor(200);
        return (await where(box)).length > 0 && (await box.dialog.isVisible());
      })
      .toBe(true);
  });

  it("waits until the page says that its framework has taken it over, as Docusaurus does", async () => {
    const box = await openBox("worker", {
      body: "<nav></nav><main>Text</main>SCRIPT",
      parameters: `place=${encodeURIComponent("[data-has-hydrated=true] nav")}`,
      before: stopClock,
    });
    const isPut = async (): Promise<readonly string[]> => {
      await box.page.clock.runFor(100);
      return where(box);
    };
    await expect.poll(() => box.page.evaluate(() => customElements.get("treeline-search") !== undefined)).toBe(true);
    for (let looks = 0; looks < 3; looks++) expect(await isPut()).toEqual([]);
    await box.page.evaluate(() => document.documentElement.setAttribute("data-has-hydrated", "true"));
    await expect.poll(isPut).toEqual(["nav"]);
  });

  it("waits for a place that comes later, and comes back into one that is replaced", async () => {
    const box = await openBox("worker", {
      body: "<main>Text</main>SCRIPT",
      parameters: "place=nav",
      before: stopClock,
    });
    const addPlace = () => box.page.evaluate(() => document.body.prepend(document.createElement("nav")));
    const isPut = async (): Promise<readonly string[]> => {
      await box.page.clock.runFor(100);
      return where(box);
    };
    await expect.poll(() => box.page.evaluate(() => customElements.get("treeline-search") !== undefined)).toBe(true);
    for (let looks = 0; looks < 3; looks++) expect(await isPut()).toEqual([]);
    await addPlace();
    await expect.poll(isPut).toEqual(["nav"]);
    await box.page.evaluate(() => document.querySelector("nav")?.remove());
    await addPlace();
    await expect.poll(isPut).toEqual(["nav"]);
  });

  it.each([
    ["is missing", "aside"],
    ["is no selector", "]["],
  ])("puts it into the corner where the place %s, until it comes", async (_, place) => {
    const box = await openBox("worker", {
      body: "<main>Text</main>SCRIPT",
      parameters: `place=${encodeURIComponent(place)}`,
      before: (page) => page.clock.install(),
    });
    await expect
      .poll(async () => {
        await box.page.clock.runFor(1_000);
        return where(box);
      })
      .toEqual(["corner"]);
    if (place !== "aside") return;
    await box.page.evaluate(() => document.body.append(document.createElement("aside")));
    await box.page.clock.runFor(500);
    expect(await where(box)).toEqual(["aside"]);
  });

  it("yields to a box of the page's own", async () => {
    const box = await openWith("<nav></nav><main>Text</main>", "place=nav");
    await expect.poll(() => where(box)).toEqual(["nav"]);
    await box.page.evaluate(() => document.querySelector("main")?.append(document.createElement("treeline-search")));
    await expect.poll(() => where(box)).toEqual(["main"]);
  });
});
