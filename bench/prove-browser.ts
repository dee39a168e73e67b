/**
 * Prove in a real browser what visitors get: what a page finds in static files, from any host and in few bytes, what the
 * Worker finds as well, and what typing costs, beside Pagefind's own box over the same pages.
 *
 *   npm run prove:browser -- DIR [COUNT] [WORKDIR]
 *
 * Builds an index of DIR and serves it with the engine as static hosts do, and from the Worker in workerd.
 *
 * 1. Hosts (`browser/prove-hosts.ts`): COUNT (60) searches, each answer compared with the core's in Node.
 * 2. Answers (`browser/ask-clients.ts`): COUNT titles of pages and as many with a slip, asked through both clients of the box.
 * 3. Typing (`browser/compare-boxes.ts`, `browser/ask-worker.ts`), 100 ms a request: rounds, bytes, the first result. Pagefind is fetched into
 *    WORKDIR.
 *
 * Ends with 1 when anything differs or a bar is missed. Installs Chromium by apt where there is none.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { bundleForFiles } from "../indexer/engine/bundle-pages.ts";
import { buildCorpus } from "../indexer/index/build.ts";
import { chromiumOptions } from "../test/support/find-chromium.ts";
import { serveFiles } from "../test/support/static-host.ts";
import { startWorker } from "../test/support/workerd.ts";
import { bundleClients, CLIENTS_FILE, compareClients, drawTitles } from "./browser/ask-clients.ts";
import { askWorker } from "./browser/ask-worker.ts";
import { makePagefindBox, makeTreelineBox } from "./browser/boxes.ts";
import { compareBoxes } from "./browser/compare-boxes.ts";
import { proveHosts } from "./browser/prove-hosts.ts";
import { drawQueries } from "./draw-queries.ts";
import { makeRandom } from "./random.ts";

const SEED = 1;
/** Queries that are typed into each box, cold and warm. */
const TYPED_QUERIES = 12;

const [dir, countText = "60", workDir = join(tmpdir(), "treeline-packages")] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run prove:browser -- DIR [COUNT] [WORKDIR]");
  process.exit(2);
}

const scratch = await mkdtemp(join(tmpdir(), "treeline-browser-"));
const closing: (() => unknown)[] = [() => rm(scratch, { recursive: true, force: true })];
try {
  process.exitCode = (await prove(dir, Number(countText))) ? 0 : 1;
} finally {
  for (const close of closing.reverse()) await close();
}

async function prove(folder: string, count: number): Promise<boolean> {
  const outDir = join(scratch, "index");
  await buildCorpus({ dir: folder, outDir });
  const index = new Map<string, Uint8Array>();
  for (const name of await readdir(outDir)) index.set(name, await readFile(join(outDir, name)));
  const browser = await chromium.launch(chromiumOptions());
  closing.push(() => browser.close());
  const worker = await startWorker();
  closing.push(() => worker.stop());
  await worker.publish("", outDir);
  console.log(`Chromium ${browser.version()}`);

  const results = [await proveHosts(browser, { folder, outDir, index, count })];
  const files = new Map([...index, ...(await bundleForFiles()).map(({ name, bytes }) => [name, bytes] as const)]);
  files.set(CLIENTS_FILE, await bundleClients());
  files.set("page.html", Buffer.from(`<!doctype html><link rel="icon" href="data:,"><title>Answers</title>`));
  const host = await serveFiles((path) => files.get(path), {
    type: (path) =>
      path.endsWith(".js") ? "text/javascript" : path.endsWith(".html") ? "text/html" : "application/octet-stream",
  });
  closing.push(() => host.close());
  const page = await browser.newPage();
  await page.goto(`${host.url}page.html`);
  for (const [name, questions] of Object.entries(drawTitles(folder, count, makeRandom(SEED)))) {
    const { differing, excerpts, mrr } = await compareClients(page, host.url, worker.url, questions);
    const isSame = differing.length === 0 && mrr.inPage === mrr.worker;
    const figures = `MRR@10 ${mrr.inPage.toFixed(4)} in the page, ${mrr.worker.toFixed(4)} from the Worker`;
    console.log(
      `${isSame ? "ok " : "BAD"} ${questions.length} ${name}: ${figures}; ${differing.length} answers differ, ${excerpts} excerpts${isSame ? "" : `, first: ${differing[0]}`}`,
    );
    results.push(isSame);
  }

  const drawn = drawQueries(folder, Math.ceil(TYPED_QUERIES / 3), SEED);
  const typed = (["single word", "two words", "heading"] as const).flatMap((name) => drawn.get(name) ?? []);
  results.push(await askWorker(browser, worker.url, typed));
  const pagefind = await makePagefindBox(folder, join(scratch, "peer"), workDir);
  results.push(await compareBoxes(browser, [await makeTreelineBox(index), pagefind], typed));
  return results.every((isGood) => isGood);
}
