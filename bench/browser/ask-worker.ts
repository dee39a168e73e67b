/** The box with a Worker, in a browser: requests between the last key and the first result, and bytes of an answer. */
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { percentileOf } from "../../indexer/cli/commands/eval.ts";
import { serveFiles } from "../../test/support/static-host.ts";

const MOST_BYTES = 5_000;

/** Ask a Worker by typing, and print what it cost. True where each query is one request, and the median answer small. */
export async function askWorker(browser: Browser, worker: string, queries: readonly string[]): Promise<boolean> {
  const body = `<!doctype html><link rel="icon" href="data:,"><treeline-search></treeline-search><script type="module" src="${worker}/search.js"></script>`;
  const host = await serveFiles(() => Buffer.from(body), { type: "text/html" });
  const page = await browser.newPage();
  const requests: number[] = [];
  const bytes: number[] = [];
  try {
    await page.goto(host.url, { waitUntil: "networkidle" });
    await page.keyboard.press("Control+k");
    const field = page.locator("[part=input]");
    await field.waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    for (const query of queries) {
      await field.fill("");
      asked.length = 0;
      const answering = page.waitForResponse(/\/search\?/);
      await page.keyboard.insertText(query);
      const answer = await answering;
      await page.locator("treeline-search dialog:not([data-busy])").waitFor();
      requests.push(asked.length);
      // As it goes over the wire: Cloudflare compresses what it sends.
      bytes.push(gzipSync(await answer.body()).length);
    }
  } finally {
    await page.close();
    await host.close();
  }
  const most = Math.max(...requests);
  const isGood = most === 1 && percentileOf(bytes, 0.5) <= MOST_BYTES;
  console.log(
    `${isGood ? "ok " : "BAD"} with a Worker (${queries.length} queries): ${most} request each, answers of ${percentileOf(bytes, 0.5)} bytes with gzip, worst ${Math.max(...bytes)}`,
  );
  return isGood;
}
