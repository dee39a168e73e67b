/** How browsers read parts of files: what their caches make of it shows in a browser alone. */
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import type { createFetchSource } from "../../src/web/fetch-source.ts";
import { projectRoot } from "../support/environment.ts";
import { type StaticHost, serveFiles } from "../support/static-host.ts";
import { openPage } from "./browse.ts";

const PARTS = 4;
/** Long enough to be kept by the browser for the next page. */
const PART_BYTES = 8_000;
/** A browser that waits for the first part before it asks for the next is not waited for longer. */
const PATIENCE_MS = 20_000;

it("asks for parts of one file side by side, though the browser may keep them", async () => {
  // No part is answered before all were asked for.
  const all = Promise.withResolvers<void>();
  let asked = 0;
  let atFirstAnswer: number | undefined;
  const host = await serve(async () => {
    if (++asked === PARTS) all.resolve();
    await Promise.race([all.promise, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
    atFirstAnswer ??= asked;
  });
  const page = await openPage(`${host.url}page.html`);
  expect(await readParts(page, host, PARTS)).toEqual(Array.from({ length: PARTS }, () => PART_BYTES));
  expect(atFirstAnswer).toBe(PARTS);
});

it("takes a long part from the browser's cache on the next page of a site", async () => {
  const host = await serve();
  const page = await openPage(`${host.url}page.html`);
  await readParts(page, host, 1);
  await page.goto(`${host.url}page.html?next`);
  expect(await readParts(page, host, 1)).toEqual([PART_BYTES]);
  expect(host.requests.filter(({ path }) => path.endsWith(".pack"))).toHaveLength(1);
});

/** A host of a page, of the source as a module, and of a file to be read in parts. */
async function serve(beforePart: () => Promise<void> = async () => undefined): Promise<StaticHost> {
  const { outputFiles } = await build({
    entryPoints: [join(projectRoot, "src", "web", "fetch-source.ts")],
    bundle: true,
    format: "esm",
    write: false,
  });
  const files = new Map<string, Uint8Array>([
    ["page.html", Buffer.from(`<!doctype html><link rel="icon" href="data:,"><title>Parts</title>`)],
    ["source.js", outputFiles[0]?.contents ?? Buffer.alloc(0)],
    ["index/x.pack", Buffer.alloc(100_000)],
  ]);
  const host = await serveFiles((path) => files.get(path), {
    cacheControl: "public, max-age=31536000, immutable",
    type: (path) => (path.endsWith(".js") ? "text/javascript" : path.endsWith(".html") ? "text/html" : "x/y"),
    before: async (path) => {
      if (path.endsWith(".pack")) await beforePart();
    },
  });
  onTestFinished(() => host.close());
  return host;
}

/** Lengths of so many parts, which the page reads at once. */
async function readParts(page: Page, { url }: StaticHost, parts: number): Promise<number[]> {
  const module = await page.evaluateHandle(`import("./source.js")`);
  return module.evaluate(
    async (loaded, { folder, count, bytes }) => {
      const source = (loaded as { createFetchSource: typeof createFetchSource }).createFetchSource(folder);
      const reads = Array.from({ length: count }, (_, at) => source.readRange("x.pack", at * 10_000, bytes));
      return (await Promise.all(reads)).map(({ length }) => length);
    },
    { folder: `${url}index/`, count: parts, bytes: PART_BYTES },
  );
}
