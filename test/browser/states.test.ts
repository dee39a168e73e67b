/** Every state of the box can be used by everybody: axe finds nothing severe, in light and in dark. */
import { describe, expect, it } from "vitest";
import { openBox, search } from "./box.ts";
import { inspect } from "./find-violations.ts";

/** What browsers say of requests that fail on purpose. */
const FAILED_REQUEST = [/^console: Failed to load resource/, /^request: .*(INTERNET_DISCONNECTED|CONNECTION_REFUSED)/];
/** Nothing moves while it is looked at. */
const CALM = { allow: FAILED_REQUEST, reducedMotion: "reduce" } as const;
/** How to fail, by the box that says so. */
const ANSWERS = "**/search?*";

// Rows are the same, wherever the answers come from.
describe("a search box with answers", () => {
  it("has nothing severe in any state that an answer brings", async () => {
    const box = await openBox("worker", CALM);
    const { page, button, input, options, chips, message, note } = box;
    const { look, seen } = inspect(page);
    await look("closed");
    await button.click();
    await options.first().waitFor();
    await look("empty");
    await search(box, "lamp");
    await chips.first().waitFor();
    await look("results");
    await chips.first().click();
    await page.locator("[part~=chip-chosen]").waitFor();
    await look("filtered");
    await chips.first().click();
    await search(box, "lampp");
    await expect.poll(() => note.textContent()).toContain("No results for lampp");
    await look("corrected");
    await search(box, "zzyzzy qqfoo");
    await expect.poll(() => message.textContent()).toContain("No results for zzyzzy qqfoo");
    await look("nothing found");
    await page.evaluate(
      (address) => localStorage.setItem(`treeline-search ${address}`, JSON.stringify(["dim the lamp", "install"])),
      new URL(".", box.script).href,
    );
    await input.fill("");
    await expect.poll(() => options.and(box.page.locator("[part~=recent]")).count()).toBe(2);
    await look("recent");
    expect(seen).toEqual([]);
  });
});

describe("a search box that gets no answer", () => {
  it("says why, offers what can be done, and has nothing severe", async () => {
    const box = await openBox("worker", CALM);
    const { page, button, message, note } = box;
    const { look, seen } = inspect(page);
    await button.click();
    await page.context().setOffline(true);
    await search(box, "lamp");
    await expect.poll(() => message.textContent()).toContain("You are offline");
    await look("offline");
    await page.context().setOffline(false);
    // It goes on by itself.
    await box.options.first().waitFor();
    const refuse = (status: number, headers: Readonly<Record<string, string>> = {}) =>
      page.route(ANSWERS, (route) =>
        route.fulfill({
          status,
          json: { error: "no" },
          headers: { "access-control-allow-origin": "*", "access-control-expose-headers": "Retry-After", ...headers },
        }),
      );
    await refuse(429, { "retry-after": "2" });
    await search(box, "install");
    await expect.poll(() => message.textContent()).toContain("Too many searches right now");
    await look("too many");
    await page.unroute(ANSWERS);
    await page.waitForTimeout(2_000);
    await message.getByRole("button").click();
    await box.options.first().waitFor();
    await refuse(500);
    await search(box, "house");
    await expect.poll(() => message.textContent()).toContain("Search failed");
    await look("failed");
    await page.unroute(ANSWERS);
    await page.route(ANSWERS, (route) => route.abort("connectionrefused"));
    await search(box, "relay");
    await expect.poll(() => message.textContent()).toContain("cannot be reached");
    await look("unreachable");
    await page.unroute(ANSWERS);
    await message.getByRole("button", { name: "Try again" }).click();
    await box.options.first().waitFor();
    const looked = Promise.withResolvers<void>();
    await page.route(ANSWERS, async (route) => {
      await looked.promise;
      await route.continue();
    });
    await box.input.fill("meter");
    await expect.poll(() => note.textContent()).toContain("Still searching");
    await look("slow");
    looked.resolve();
    await expect.poll(() => box.options.first().textContent()).toContain("meter");
    expect(await note.isVisible()).toBe(false);
    expect(seen).toEqual([]);
  });

  it("says so where index files are gone, and finds them when they are back", async () => {
    const box = await openBox("files", { allow: FAILED_REQUEST });
    const pages = [...box.files].filter(([path]) => path.startsWith("index/") && !path.endsWith(".js"));
    for (const [path] of pages) box.files.delete(path);
    await box.button.click();
    await search(box, "lamp");
    await expect.poll(() => box.message.textContent()).toContain("nothing to search here yet");
    for (const [path, bytes] of pages) box.files.set(path, bytes);
    await box.message.getByRole("button", { name: "Try again" }).click();
    await box.options.first().waitFor();
  });

  it("goes on with what is in memory, and says that it is offline for what is not, with index files", async () => {
    const box = await openBox("files", { allow: FAILED_REQUEST });
    await box.button.click();
    const list = () => box.options.evaluateAll((rows) => rows.map((row) => row.getAttribute("href")));
    // More is offered once the answer is whole.
    const more = box.page.locator("treeline-search [part~=more]");
    await search(box, "lamp");
    await more.waitFor();
    const shown = await list();
    await search(box, "zzyzzy");
    await box.page.context().setOffline(true);
    await search(box, "lamp");
    await more.waitFor();
    expect(await list()).toEqual(shown);
    // A page that was never opened knows nothing of it.
    await box.page.context().setOffline(false);
    await box.page.reload();
    await box.page.context().setOffline(true);
    await box.button.click();
    await search(box, "lamp");
    expect(await box.message.textContent()).toContain("You are offline");
    expect(await box.options.count()).toBe(0);
    await box.page.context().setOffline(false);
    await box.options.first().waitFor();
  });
});
