/** Questions and answers while somebody types: how many, in which order, and what is typed in unusual ways. */
import type { Request } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { bundleClients, CLIENTS_FILE, compareClients } from "../../bench/browser/ask-clients.ts";
import { type BoxPage, openBox, readIndex, SOURCES, search } from "./box.ts";

const ANSWERS = /\/search\?/;

describe("a search box with a Worker", () => {
  it("paints the first result after one round trip", async () => {
    const box = await openBox("worker");
    await box.button.click();
    const asked = watch(box.page);
    await box.input.fill("lamp");
    await box.options.first().waitFor();
    expect(asked.map((request) => new URL(request.url()).searchParams.get("q"))).toEqual(["lamp"]);
    // An answer is small enough for the first packets of a connection.
    const response = await asked[0]?.response();
    expect((await response?.body())?.length).toBeLessThan(16_000);
  });

  it("asks for what stands still, and gives up what was typed over", async () => {
    const box = await openBox("worker");
    await box.button.click();
    const givenUp = Promise.withResolvers<void>();
    await box.page.route(ANSWERS, async (route) => {
      if (route.request().url().includes("q=lam&")) await givenUp.promise;
      await route.continue().catch(() => undefined);
    });
    box.page.once("requestfailed", () => givenUp.resolve());
    const asked = watch(box.page);
    await box.input.fill("lam");
    await expect.poll(() => asked.length).toBe(1);
    await box.page.keyboard.type("p");
    await expect.poll(() => box.options.first().textContent()).toContain("lamp");
    expect(asked.length).toBe(2);
    expect(asked[0]?.failure()?.errorText).toBe("net::ERR_ABORTED");
  });

  it("shows the answer to what stands there, whichever comes last", async () => {
    const box = await openBox("worker");
    // Answers of a client that does not care whether anybody still waits, each given when the test says so.
    await box.page.evaluate(() => {
      const answers = new Map<string, () => void>();
      Reflect.set(window, "answers", answers);
      const page = (query: string) => ({
        ...{ id: query, url: `/${query}`, title: `Answer to ${query}`, description: "", collection: "docs" },
        ...{ path: query, meta: {}, facets: {}, score: 1, sections: [] },
      });
      const client = {
        prepare: () => Promise.resolve(),
        suggest: () => Promise.resolve([]),
        search: (query: string) =>
          new Promise((resolve) => {
            const found = { query, total: 1, pages: [page(query)], facetCounts: {}, corrections: [], missingWords: [] };
            answers.set(query, () => resolve(found));
          }),
      };
      Reflect.set(document.querySelector("treeline-search") as Element, "client", client);
    });
    await box.button.click();
    const answers = await box.page.evaluateHandle(() => Reflect.get(window, "answers") as Map<string, () => void>);
    const ask = async (query: string): Promise<void> => {
      await box.input.fill(query);
      await expect.poll(() => answers.evaluate((given, asked) => given.has(asked), query)).toBe(true);
    };
    const give = (query: string): Promise<void> => answers.evaluate((given, asked) => given.get(asked)?.(), query);
    await ask("first");
    await ask("second");
    await give("second");
    await expect.poll(() => box.options.allTextContents()).toEqual(["Answer to second"]);
    await give("first");
    for (let looks = 0; looks < 5; looks++) {
      expect(await box.options.allTextContents()).toEqual(["Answer to second"]);
      await box.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  });
});

describe.each(SOURCES)("a search box with answers from %s", (source) => {
  it("takes 10,000 pasted characters", async () => {
    const box = await openBox(source, { permissions: ["clipboard-read", "clipboard-write"] });
    await box.button.click();
    await box.page.evaluate(() => navigator.clipboard.writeText("lamp relay ".repeat(910)));
    await box.page.keyboard.press("Control+v");
    await expect.poll(() => box.note.textContent()).toContain("Only the first 2000 characters");
    expect((await box.input.inputValue()).length).toBe(2_000);
    await box.options.first().waitFor();
  });

  it("waits for the end of a composition", async () => {
    const box = await openBox(source);
    await box.button.click();
    const asked = watch(box.page);
    const session = await box.page.context().newCDPSession(box.page);
    for (const text of ["l", "la", "lam"]) {
      await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
      await box.page.waitForTimeout(150);
    }
    expect(await box.input.inputValue()).toBe("lam");
    expect(asked).toEqual([]);
    // Pages to begin with, and no results.
    expect(await box.dialog.locator("mark").count()).toBe(0);
    // Keys that choose among words of the input method choose no rows.
    await session.send("Input.insertText", { text: "lamp" });
    await expect.poll(() => box.options.first().textContent()).toContain("lamp");
  });

  it("finds the same words marked and corrected", async () => {
    const box = await openBox(source);
    await box.button.click();
    await search(box, "instal lnatern");
    await expect.poll(() => box.note.textContent()).toContain("lantern");
    await expect
      .poll(() => box.options.first().locator("[part=title] mark").allTextContents())
      .toEqual(["Install", "Lantern"]);
  });
});

describe("both sources", () => {
  it("give the same pages, sections and excerpts", async () => {
    // A page that may ask the Worker as well.
    const { page, site, files } = await openBox("files", { habits: { headers: {} } });
    files.set(`index/${CLIENTS_FILE}`, await bundleClients());
    const queries = ["lamp", "install", "lnatern", "dim the wire", "proxy", "version", "lam", "odd name", "zzyzzy"];
    const questions = queries.map((query) => ({ query, path: "" }));
    const worker = `${inject("workerUrl")}/handbook`;
    const { differing, excerpts } = await compareClients(page, `${site.url}index/`, worker, questions);
    expect(excerpts).toBeGreaterThan(queries.length);
    expect(differing).toEqual([]);
  });
});

describe("an index that is published anew while a page is open", () => {
  it("answers from the new one, though its old files are gone", async () => {
    const box = await openBox("files", { allow: [/^console: Failed to load resource.* 404/] });
    await box.button.click();
    await search(box, "lamp");
    for (const path of box.files.keys()) if (path.startsWith("index/")) box.files.delete(path);
    for (const [name, bytes] of readIndex("hostile")) box.files.set(`index/${name}`, bytes);
    await search(box, "plain");
    await expect.poll(() => box.options.first().textContent()).toContain("Plain");
  });
});

/** Questions that a page sends from now on. */
function watch(page: BoxPage["page"]): readonly Request[] {
  const asked: Request[] = [];
  page.on("request", (request) => {
    if (ANSWERS.test(request.url())) asked.push(request);
  });
  return asked;
}
