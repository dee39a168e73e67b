/** The two boxes that are compared, each on a page of its own over the same pages: Treeline's, and Pagefind's own. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleForFiles } from "../../indexer/engine/bundle-pages.ts";
import { listPages } from "../edits.ts";
import { fetchPagefind, isPagefindIndexFile, pagefindArguments } from "../pagefind/program.ts";
import { renderSite } from "../pagefind/render-site.ts";
import type { TypedBox } from "./type-queries.ts";

const runFile = promisify(execFile);
const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>`;

/** Treeline's box over index files. */
export async function makeTreelineBox(index: ReadonlyMap<string, Uint8Array>): Promise<TypedBox> {
  const body = `<treeline-search></treeline-search><script type="module" src="index/search.js"></script>`;
  return {
    name: "Treeline",
    files: new Map([
      ["page.html", Buffer.from(HEAD + body)],
      ...[...index, ...(await bundleForFiles()).map(({ name, bytes }) => [name, bytes] as const)].map(
        ([name, bytes]): [string, Uint8Array] => [`index/${name}`, bytes],
      ),
    ]),
    focus: async (page) => {
      await page.keyboard.press("Control+k");
      await page.locator("[part=input]:focus").waitFor();
    },
    field: "[part=input]",
    result: "[part~=page],[part~=section]",
    isIndex: (path) => path.startsWith("index/") && !path.endsWith(".js"),
  };
}

/** Pagefind's box over the same pages, as HTML. @param scratch A new folder. @param packages Where its program is kept. */
export async function makePagefindBox(dir: string, scratch: string, packages: string): Promise<TypedBox> {
  const [site, out] = [join(scratch, "site"), join(scratch, "pagefind")];
  for (const folder of [site, out]) mkdirSync(folder, { recursive: true });
  // Edits are for others: the pages as they are.
  cpSync(dir, join(scratch, "pages"), { recursive: true });
  renderSite(join(scratch, "pages"), listPages(join(scratch, "pages")), site);
  await runFile(await fetchPagefind(packages), pagefindArguments(site, out));
  const names = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const body = `<link rel="stylesheet" href="pagefind/pagefind-ui.css"><script src="pagefind/pagefind-ui.js"></script>
<div id="search"></div><script>new PagefindUI({ element: "#search", showImages: false });</script>`;
  return {
    name: "Pagefind",
    files: new Map([
      ["page.html", Buffer.from(HEAD + body)],
      ...names.map(({ parentPath, name }): [string, Uint8Array] => {
        const path = join(parentPath, name);
        return [`pagefind${path.slice(out.length).replaceAll("\\", "/")}`, readFileSync(path)];
      }),
    ]),
    focus: (page) => page.locator(".pagefind-ui__search-input").focus(),
    field: ".pagefind-ui__search-input",
    result: ".pagefind-ui__result-link",
    isIndex: isPagefindIndexFile,
  };
}
