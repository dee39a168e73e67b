/** `highlight.js` on a page: what is marked, what never is, and how marks go away. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleForFiles } from "../../indexer/engine/bundle-pages.ts";
import { type StaticHost, serveFiles } from "../support/static-host.ts";
import { openPage } from "./browse.ts";

const PAGE = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; script-src 'self'">
<title>Page</title><h1>Server</h1><textarea>server</textarea><script type="application/json">"server"</script>
<p>First   <b>ser</b>ver
 text, and the observer.</p><p id="a">Do <i>install the</i> server, now. Servers too.</p>
<details><summary>More</summary><p id="hidden">A treasure.</p></details>
<p>日本語のテキスト</p>${"<p>Filler.</p>".repeat(80)}<p id="z">Last words.</p><a id="link" href="/other#:~:text=Last">on</a>
<script type="module" src="/highlight.js?parameters=highlight,pagefind-highlight,q"></script>`;

let host: StaticHost;
beforeAll(async () => {
  const script = (await bundleForFiles()).find(({ name }) => name === "highlight.js");
  const files = new Map([["highlight.js", script?.bytes ?? new Uint8Array()]]);
  host = await serveFiles((path) => files.get(path) ?? Buffer.from(PAGE), {
    type: (path) => (path.endsWith(".js") ? "text/javascript" : "text/html"),
  });
});
afterAll(() => host.close());

/** Texts that are marked. */
function listMarks(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [...(CSS.highlights.get("treeline-found") ?? [])].map(String));
}

describe("marks", () => {
  const open = (address: string): Promise<Page> => openPage(`${host.url}${address}`);

  it("stand on words of the query, whole, across elements, and nowhere else", async () => {
    const page = await open("?highlight=server&q=install");
    await expect.poll(async () => (await listMarks(page)).join("|")).toMatch(/Server/);
    expect((await listMarks(page)).join("").toLowerCase().replace("install", "")).toBe("serverserverserverservers");
    expect(await page.locator("textarea, script").locator("mark").count()).toBe(0);
    expect(await page.locator("textarea").inputValue()).toBe("server");
  });

  it("bring what was far down or folded into view, and go away by key and by event", async () => {
    const far = await open("?pagefind-highlight=words");
    await expect.poll(() => listMarks(far)).toEqual(["words"]);
    await expect
      .poll(() => far.locator("#z").evaluate((one) => one.getBoundingClientRect().top < innerHeight))
      .toBe(true);
    const text = await far.locator("body").innerText();
    await far.keyboard.press("Escape");
    expect(await listMarks(far)).toEqual([]);
    expect(await far.locator("body").innerText()).toBe(text);
    expect(await far.locator("#z").evaluate(({ childNodes }) => childNodes.length)).toBe(1);
    const folded = await open("?highlight=treasure");
    await expect.poll(() => folded.locator("#hidden").isVisible()).toBe(true);
    await folded.evaluate(() => document.dispatchEvent(new Event("treeline-unmark")));
    expect(await listMarks(folded)).toEqual([]);
  });

  it("stand on words of scripts without spaces", async () => {
    const page = await open(`?highlight=${encodeURIComponent("テキスト")}`);
    await expect.poll(() => listMarks(page)).toEqual(["テキスト"]);
  });

  it("come behind a link that a router follows in place", async () => {
    const page = await open("");
    await page.evaluate(() =>
      document.addEventListener("click", (event) => {
        event.preventDefault();
        history.pushState(null, "", "/other");
        document.querySelector("#a")?.replaceChildren("Last but one.");
      }),
    );
    await page.locator("#link").click();
    await expect.poll(() => listMarks(page)).toEqual(["Last"]);
    expect(new URL(page.url()).pathname).toBe("/other");
  });

  it("are none where nothing is named", async () => {
    const page = await open("?other=server");
    await page.waitForLoadState("networkidle");
    expect(await listMarks(page)).toEqual([]);
  });
});
