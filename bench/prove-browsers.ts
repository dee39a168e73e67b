/**
 * Prove that the search box works in other browsers than Chromium, in which the tests run: Firefox, and WebKit as GTK has it, each
 * where the machine has it (Debian's packages firefox-esr; webkit2gtk-driver and xvfb).
 *
 *   npm run prove:browsers
 *
 * Pages under a strict policy, with the box out of index files and out of the Worker; what is done there is in
 * `browsers/visit-page.ts`. Ends with 1 where anything is otherwise, or no browser is there.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import axe from "axe-core";
import { bundleForFiles } from "../indexer/engine/bundle-pages.ts";
import { buildCorpus } from "../indexer/index/build.ts";
import { serveFiles } from "../test/support/static-host.ts";
import { startWorker } from "../test/support/workerd.ts";
import type { Browser } from "./browsers/browser.ts";
import { startFirefox } from "./browsers/firefox.ts";
import { visitPage } from "./browsers/visit-page.ts";
import { findMiniBrowser, startWebKit } from "./browsers/webkit.ts";

const PAGES = 30;
const QUERY = "lantern filter";
const SLIP = "lantrn";
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };
/** In the page before all else: what fails, and what a policy refuses. */
const WATCH = `window.problems = [];
addEventListener("error", ({ message, target }) => problems.push("error: " + (message ?? target.outerHTML)), true);
addEventListener("unhandledrejection", ({ reason }) => problems.push("rejection: " + reason));
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => problems.push("policy: " + violatedDirective + " " + blockedURI));
for (const name of ["error", "warn"]) console[name] = (...said) => problems.push(name + ": " + said.join(" "));`;

let failures = 0;
const closing: (() => unknown)[] = [];
try {
  await prove();
} finally {
  for (const close of closing.reverse()) await close();
}
process.exitCode = failures === 0 ? 0 : 1;

async function prove(): Promise<void> {
  const starts = listBrowsers();
  if (starts.length === 0) {
    console.error("neither firefox-esr (or firefox) nor WebKitWebDriver with xvfb-run is there");
    failures++;
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), "treeline-browsers-"));
  closing.push(() => rmSync(scratch, { recursive: true, force: true }));
  const [site, index] = [join(scratch, "site"), join(scratch, "index")];
  writePages(site);
  await buildCorpus({ dir: site, outDir: index });
  const worker = await startWorker();
  closing.push(() => worker.stop());
  await worker.publish("", index);

  const files = new Map<string, Uint8Array>([["watch.js", Buffer.from(WATCH)]]);
  for (const name of readdirSync(index)) files.set(`index/${name}`, readFileSync(join(index, name)));
  for (const { name, bytes } of await bundleForFiles()) files.set(`index/${name}`, bytes);
  for (const name of readdirSync(site)) files.set(name, readFileSync(join(site, name)));
  for (const [source, script] of Object.entries({ files: "/index/search.js", worker: `${worker.url}/search.js` })) {
    const host = await serveFiles(
      (path) => {
        const bytes = files.get(path);
        return bytes && path.endsWith(".html") ? Buffer.from(`${Buffer.from(bytes)}`.replace("SCRIPT", script)) : bytes;
      },
      {
        type: (path) => TYPES[extname(path)] ?? "application/octet-stream",
        headers: {
          "content-security-policy": `default-src 'none'; img-src data:; form-action *; script-src 'self' ${worker.url}; connect-src 'self' ${worker.url}; require-trusted-types-for 'script'`,
        },
      },
    );
    closing.push(() => host.close());
    for (const start of starts) {
      await visitWith(start, source, { url: `${host.url}index.html`, query: QUERY, slip: SLIP, axe: axe.source });
    }
  }
}

async function visitWith(
  start: () => Promise<Browser>,
  source: string,
  plan: Parameters<typeof visitPage>[1],
): Promise<void> {
  const browser = await start();
  const note = (isRight: boolean, what: string): void => {
    if (!isRight) failures++;
    console.log(`${isRight ? "ok " : "BAD"} ${browser.name} ${browser.version}, ${source}: ${what}`);
  };
  try {
    await visitPage(browser, plan, note);
  } catch (error) {
    note(false, String(error));
  } finally {
    for (const line of browser.said()) note(false, line);
    await browser.close();
  }
}

/** How to start each browser that is there. */
function listBrowsers(): readonly (() => Promise<Browser>)[] {
  const isThere = (program: string): boolean => spawnSync("which", [program]).status === 0;
  const firefox = ["firefox-esr", "firefox"].find(isThere);
  const miniBrowser = ["WebKitWebDriver", "xvfb-run"].every(isThere) ? findMiniBrowser() : undefined;
  return [
    ...(firefox === undefined ? [] : [() => startFirefox(firefox)]),
    ...(miniBrowser === undefined ? [] : [() => startWebKit("WebKitWebDriver", miniBrowser)]),
  ];
}

/** Pages of a built site, with the box in their header and enough text to scroll. */
function writePages(site: string): void {
  mkdirSync(site);
  const write = (name: string, title: string, kind: string, text: string): void =>
    writeFileSync(
      join(site, name),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><title>${title}</title><script src="/watch.js"></script><script type="module" src="SCRIPT"></script></head>
<body><header data-pagefind-ignore><treeline-search facets="kind"></treeline-search></header><main data-pagefind-body><h1>${title}</h1><p data-pagefind-filter="kind">${kind}</p>${text}</main></body></html>`,
    );
  const filler = "<p>Trim the wick, then close the door.</p>".repeat(80);
  write("index.html", "Start", "start", `<p>Welcome.</p>${filler}`);
  for (let at = 0; at < PAGES; at++) {
    const text = `${filler}<h2 id="filter">The filter ${at}</h2><p>A lantern has a filter, number ${at}, that is washed.</p>${filler}`;
    write(`page-${at}.html`, `Part ${at}`, ["guide", "reference", "recipe"][at % 3] ?? "", text);
  }
}
