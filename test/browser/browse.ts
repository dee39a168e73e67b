/**
 * Pages of the shared browser. A test fails when one of its pages says anything on its console, throws, or asks for what
 * it does not get, unless the test allowed just that.
 */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject, onTestFinished } from "vitest";

/** How a page is opened. */
export interface BrowseOptions extends BrowserContextOptions {
  /** Problems that belong to the test, as `watchPage` words them. */
  readonly allow?: readonly RegExp[];
  /** Called with the page before it loads anything. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Lets no time pass in a page but what `clock.runFor` says: `before` of a test that counts what happens when. */
export async function stopClock({ clock }: Page): Promise<void> {
  await clock.install({ time: 0 });
  await clock.pauseAt(1_000);
}

/** What a page gave up itself, to ask something else. */
const GIVEN_UP = "net::ERR_ABORTED";

/** Of a click, a key, an element that is to come: less than the runner gives a test, so that it says which it was. */
const PATIENCE_MS = 20_000;

/** One connection for all files that a process of the runner takes. */
let browser: Promise<Browser> | undefined;

/** Open an address in a window of its own, in English, which is closed with the test. */
export async function openPage(url: string, options: BrowseOptions = {}): Promise<Page> {
  const { allow = [], before, ...context } = options;
  browser ??= chromium.connect(inject("browserEndpoint"));
  const window = await (await browser).newContext({ locale: "en-US", ...context });
  const page = await window.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  window.on("page", (other) => watchPage(other, problems));
  watchPage(page, problems);
  onTestFinished(async () => {
    await window.close();
    expect(problems.filter((problem) => !allow.some((pattern) => pattern.test(problem)))).toEqual([]);
  });
  await before?.(page);
  await page.goto(url);
  return page;
}

/**
 * Collect what goes wrong in a page: `console: …` for errors and warnings, what a policy refused among them, `error: …` for
 * what its scripts throw, `request: …` for what never got an answer. What the page itself gave up is not wrong.
 */
export function watchPage(page: Page, problems: string[]): void {
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.stack ?? error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    if (why !== GIVEN_UP) problems.push(`request: ${request.url()} ${why}`);
  });
}
