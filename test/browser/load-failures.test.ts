/** What a page loads on demand and did not get: the search goes on when it is there again, without a new page. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BODY, openBox, SOURCES, search } from "./box.ts";

/** What browsers say of requests that fail on purpose. */
const FAILED_REQUEST = [/^console: Failed to load (?:resource|module)/, /^request: .*INTERNET_DISCONNECTED/];

/** The next requests of a file fail, so many, or all until nothing more is refused; the result counts those that came. */
async function refuse(
  page: Page,
  name: string,
  times = Number.POSITIVE_INFINITY,
): Promise<{ asked: number; times: number }> {
  const seen = { asked: 0, times };
  await page.route(
    (url) => url.pathname.endsWith(`/${name}`),
    (route) => {
      seen.asked++;
      return seen.asked > seen.times ? route.continue() : route.fulfill({ status: 503 });
    },
  );
  return seen;
}

describe.each(SOURCES)("a search box with answers from %s", (source) => {
  it("goes on by itself when the browser is online again, where it was not before the first focus", async () => {
    const box = await openBox(source, { allow: FAILED_REQUEST });
    await box.page.context().setOffline(true);
    await box.button.click();
    await search(box, "lamp");
    await expect.poll(() => box.message.textContent()).toContain("You are offline");
    await box.page.context().setOffline(false);
    await box.options.first().waitFor();
  });
});

describe("a search box beside index files", () => {
  it("says that the search cannot be reached without its engine, and finds it when asked to try again", async () => {
    const box = await openBox("files", { allow: FAILED_REQUEST });
    const engine = await refuse(box.page, "engine.js");
    await box.button.click();
    // On focus, and for each question: one who types slowly asks several.
    await expect.poll(() => engine.asked).toBe(1);
    await search(box, "lamp");
    await expect.poll(() => box.message.textContent()).toContain("cannot be reached");
    const before = engine.asked;
    expect(before).toBeGreaterThan(1);
    engine.times = 0;
    await box.message.getByRole("button", { name: "Try again" }).click();
    await box.options.first().waitFor();
    expect(engine.asked).toBeGreaterThan(before);
  });

  it("asks again at once for a part of the engine that did not come", async () => {
    const box = await openBox("files", { allow: FAILED_REQUEST });
    const part = await refuse(box.page, "correct.js", 1);
    await box.button.click();
    await search(box, "lampp");
    await box.options.first().waitFor();
    await expect.poll(() => box.note.textContent()).toContain("No results for lampp");
    expect(part.asked).toBe(2);
  });

  it("says that the search cannot be reached without such a part, and goes on when it is there", async () => {
    const box = await openBox("files", { allow: FAILED_REQUEST });
    const part = await refuse(box.page, "correct.js");
    await box.button.click();
    await box.input.fill("lampp");
    await expect.poll(() => box.message.textContent()).toContain("cannot be reached");
    expect(part.asked).toBe(2);
    part.times = 0;
    await box.message.getByRole("button", { name: "Try again" }).click();
    await box.options.first().waitFor();
  });
});

describe("a search box", () => {
  it("has the words of its language though they did not come at once", async () => {
    const asked = { words: 0 };
    const box = await openBox("worker", {
      allow: FAILED_REQUEST,
      html: `lang="de"`,
      before: (page) =>
        page.route(/search-strings/, (route) =>
          asked.words++ === 0 ? route.fulfill({ status: 503 }) : route.continue(),
        ),
    });
    await expect.poll(() => box.button.textContent()).toContain("Suche");
    expect(asked.words).toBe(2);
  });

  it("asks for the client of index files again where the Worker's script did not get it", async () => {
    const files = await openBox("files");
    const body = BODY.replace("<treeline-search>", `<treeline-search mode="static" src="${files.site.url}index/">`);
    const box = await openBox("worker", {
      allow: [...FAILED_REQUEST, /Content Security Policy/, /ERR_BLOCKED_BY_CSP/],
      body,
    });
    const client = await refuse(box.page, "search-static-client.js", 2);
    await box.button.click();
    await search(box, "lamp");
    await expect.poll(() => client.asked).toBe(3);
  });
});
