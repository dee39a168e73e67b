/** What a page loads on demand and did not get: the search goes on when it is there again, without a new page. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { ClientError, SearchClient } from "../../src/web/client/search-client.ts";
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

/** The first requests of a file, so many, get no answer; the result has what stands behind the name in the address of each. */
async function hold(page: Page, name: string, times: number): Promise<readonly string[]> {
  const asked: string[] = [];
  await page.route(
    (url) => url.pathname.endsWith(`/${name}`),
    (route) => {
      const url = route.request().url();
      asked.push(url.slice(url.indexOf(name) + name.length));
      return asked.length > times ? route.continue() : undefined;
    },
  );
  return asked;
}

/** What a first search loads. */
const LOADED = ["engine.js", "search-static-client.js", "search-answer-rows.js"];

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
    // On focus and for each question, twice each: one who types slowly asks several.
    await expect.poll(() => engine.asked).toBe(2);
    await search(box, "lamp");
    await expect.poll(() => box.message.textContent()).toContain("cannot be reached");
    const before = engine.asked;
    expect(before).toBeGreaterThan(2);
    engine.times = 0;
    await box.message.getByRole("button", { name: "Try again" }).click();
    await box.options.first().waitFor();
    expect(engine.asked).toBeGreaterThan(before);
  });

  it("asks again at once for an engine that was cut on its way", async () => {
    const box = await openBox("files", { allow: [...FAILED_REQUEST, /ERR_FAILED|ERR_CONNECTION/] });
    const asked: string[] = [];
    await box.page.route(/\/engine\.js/, (route) => {
      asked.push(route.request().url().slice(box.site.url.length));
      return asked.length === 1 ? route.abort("connectionreset") : route.continue();
    });
    await box.button.click();
    await search(box, "lamp");
    await box.options.first().waitFor();
    // Under another address: some browsers remember that the first could not be loaded.
    expect(asked.slice(0, 2)).toEqual(["index/engine.js", "index/engine.js?"]);
    // Parts of the engine import it under its own address.
    expect(new Set(asked).size).toBe(2);
  });

  it.each(LOADED)("asks by itself under another address for %s that does not come at all", async (name) => {
    const box = await openBox("files", { before: (page) => page.clock.install() });
    const asked = await hold(box.page, name, 1);
    await box.button.click();
    await expect.poll(() => asked).toEqual([""]);
    await box.input.fill("lamp");
    await box.page.clock.fastForward("00:11");
    await box.options.first().waitFor();
    expect(asked).toEqual(["", "?"]);
  });

  it.each(LOADED)("offers to try again where %s does not come under another address either", async (name) => {
    const box = await openBox("files", { before: (page) => page.clock.install() });
    const asked = await hold(box.page, name, 2);
    await box.button.click();
    await box.input.fill("lamp");
    for (const addresses of [[""], ["", "?"]]) {
      await expect.poll(() => asked).toEqual(addresses);
      await box.page.clock.fastForward("00:11");
    }
    await box.message.getByRole("button", { name: "Try again" }).click();
    await box.options.first().waitFor();
    expect(asked).toEqual(["", "?", "??"]);
  });

  it("says that the engine belongs beside the index where the host has a page in its place", async () => {
    const box = await openBox("files", {
      allow: [...FAILED_REQUEST, /MIME type/],
      habits: { fallback: "<!doctype html><title>Not here</title>" },
    });
    box.files.delete("index/engine.js");
    const problem = await box.page.evaluate(() =>
      (document.querySelector("treeline-search") as unknown as { client: SearchClient }).client
        .search("lamp")
        .then(() => undefined)
        .catch(({ message, problem }: ClientError) => ({ message, problem })),
    );
    expect(problem?.problem).toBe("unreachable");
    expect(problem?.message).toContain("index/engine.js cannot be loaded: it belongs beside the index");
  });

  it("asks again at once for a part of the engine that did not come", async () => {
    const box = await openBox("files", { allow: FAILED_REQUEST });
    const part = await refuse(box.page, "rarer-functions.js", 1);
    await box.button.click();
    await search(box, "lampp");
    await box.options.first().waitFor();
    await expect.poll(() => box.note.textContent()).toContain("No results for lampp");
    expect(part.asked).toBe(2);
  });

  it("says that the search cannot be reached without such a part, and goes on when it is there", async () => {
    const box = await openBox("files", { allow: FAILED_REQUEST });
    const part = await refuse(box.page, "rarer-functions.js");
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
      allow: [...FAILED_REQUEST, /Content Security Policy/, /ERR_BLOCKED_BY_CSP|\bcsp$/],
      body,
    });
    const client = await refuse(box.page, "search-static-client.js", 2);
    await box.button.click();
    await expect.poll(() => client.asked).toBe(2);
    await search(box, "lamp");
    // What is typed before the second failure is known waits for that one, and fails with it.
    const retry = box.message.getByRole("button", { name: "Try again" });
    if (client.asked < 3 && (await retry.isVisible())) await retry.click();
    await expect.poll(() => client.asked).toBe(3);
  });
});
