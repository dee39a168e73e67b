/** The other tests rest on this: what goes wrong in a page is seen, and the Worker of all tests answers. */
import { expect, inject, it } from "vitest";
import { serveFiles } from "../support/static-host.ts";
import { openPage, watchPage } from "./browse.ts";
import { findViolations } from "./find-violations.ts";

const PAGE = (body: string): string => `<!doctype html><link rel="icon" href="data:,"><title>Page</title>${body}`;

it.each([
  ["an error on the console", `<script>console.error("bad")</script>`, /^console: bad/],
  ["a warning", `<script>console.warn("beware")</script>`, /^console: beware/],
  ["an exception", `<script>throw new Error("thrown")</script>`, /^error: Error: thrown/],
  ["a promise that nobody takes", `<script>Promise.reject(new Error("left"))</script>`, /^error: Error: left/],
  ["a file that is missing", `<script>fetch("gone")</script>`, /^console: Failed to load resource.* 404 .*\/gone/],
  [
    "no server",
    `<script>fetch("http://127.0.0.1:1/").catch(() => {})</script>`,
    /^request: http:\/\/127\.0\.0\.1:1\/ net::/,
  ],
  [
    "what a policy refuses",
    `<meta http-equiv="content-security-policy" content="script-src 'none'"><script>1</script>`,
    /^console: .*Content Security Policy/,
  ],
])("sees %s", async (_, body, expected) => {
  const host = await serveFiles((path) => (path === "" ? Buffer.from(PAGE(body)) : undefined), { type: "text/html" });
  const problems: string[] = [];
  const page = await openPage(host.url, { allow: [/./], before: async (opened) => watchPage(opened, problems) });
  await expect.poll(() => problems).toContainEqual(expect.stringMatching(expected));
  await page.close();
  await host.close();
});

it("sees nothing wrong in a question that the page gives up", async () => {
  const body = `<script>const end = new AbortController(); fetch("slow", { signal: end.signal }).catch(() => {});</script>`;
  const asked = Promise.withResolvers<void>();
  const host = await serveFiles((path) => (path === "" ? Buffer.from(PAGE(body)) : undefined), {
    type: "text/html",
    before: async (path, gone) => {
      if (path !== "slow") return;
      asked.resolve();
      await gone;
    },
  });
  const page = await openPage(host.url);
  await asked.promise;
  await page.evaluate("end.abort()");
  await expect.poll(() => host.requests).toContainEqual(expect.objectContaining({ path: "slow", aborted: true }));
  await host.close();
});

it.each(["", "/handbook"])("finds the handbook with %s/search of the Worker", async (corpus) => {
  const page = await openPage(`${inject("workerUrl")}${corpus}/search?q=lamp`);
  expect(await page.textContent("body")).toContain('"path":"guide/configure.md"');
});

it("finds what keeps people from using a page, in shadow roots as well", async () => {
  const page = await openPage("about:blank");
  await page.setContent(`<html lang="en"><title>Page</title><main><h1>Page</h1><div></div></main>`);
  expect(await findViolations(page)).toEqual([]);
  await page.evaluate(() => {
    const field = document.createElement("input");
    document.querySelector("div")?.attachShadow({ mode: "open" }).append(field);
  });
  expect(await findViolations(page)).toEqual([expect.stringMatching(/^label: <input>/)]);
});
