/** Files that pages load, beside an index: written out of the package or freshly bundled, and copied from one index to another. */

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { CollectionInfo } from "../../../src/core/format/root.ts";
import { parseJson } from "../../../src/core/parse-text.ts";
import { PUBLIC_GROUP } from "../../../src/surface/access/caller.ts";
import { toPrintable } from "../../base/diagnostic.ts";
import { failWith, orAbsent } from "../../base/file-system.ts";
import { assetsFolder, codeRoot, isPackaged } from "../../base/installation.ts";
import { nodeDisk, type OutputDisk, replaceFile } from "../../index/output-folder.ts";
import { openIndexAt } from "../../open/open-index.ts";
import type { CommandInput, Terminal } from "../run-cli.ts";

interface PageFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const PACKAGED = "engine";

/** All files that lie beside an index for pages to load. */
export async function readPageFiles(): Promise<readonly PageFile[]> {
  if (!isPackaged) return (await loadBundler()).bundleForFiles();
  const folder = join(codeRoot, PACKAGED);
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
}

/** Makes sure that the Worker's static assets are those of the sources. The result is their folder. */
export async function readyAssets(): Promise<string> {
  if (!isPackaged) await (await loadBundler()).writeAssets();
  return assetsFolder;
}

interface PageBundler {
  readonly bundleForFiles: () => Promise<readonly PageFile[]>;
  readonly writeAssets: () => Promise<unknown>;
}

/** The bundler is for developers: the package has none, so nothing in it may name the module. */
function loadBundler(): Promise<PageBundler> {
  return import(join(codeRoot, "indexer", "engine", "bundle-pages.ts")) as Promise<PageBundler>;
}

/** The line of HTML that puts the search box into a page. @param path Where the index is on the site. */
export function scriptLine(path: string): string {
  return `<script type="module" src="${path}/search.js"></script>`;
}

/** How the search box comes into pages: the line for their `<head>`, with the path of the index on the site as far as it is known. */
export async function describeLine(indexFolder: string): Promise<string[]> {
  const folder = resolve(indexFolder);
  let site = dirname(folder);
  while (!existsSync(join(site, "index.html")) && site !== dirname(site)) site = dirname(site);
  const below = relative(site === dirname(site) ? dirname(folder) : site, folder).replaceAll("\\", "/");
  const { collections } = await openIndexAt(indexFolder);
  const { baseUrl = "" } = collections.find(({ kind }) => kind === "site") ?? {};
  const base = baseUrl.replace(/^https?:\/\/[^/]+/, "") || "/";
  const note = base === "/" ? " (a site below a path has that path before it)" : "";
  return [`For the <head> of each page${note}:`, `  ${scriptLine(`${base.replace(/\/$/, "")}/${below}`)}`];
}

/** Names of the files for pages that lie in a folder, as a JSON list. */
const PAGE_LIST_FILE = "treeline-pages.json";
/** What the folder is, for who finds it on a host. */
const README_FILE = "README.txt";
const README = `An index of this site, written by \`treeline build --browser\`. It can be made again at any time.

*.pointer, *.root, *.level, *.pack, *.manifest, *.log  the index
search.js     the search box:  <script type="module" src=".../search.js"></script>
engine.js     the engine of searches in a page
highlight.js  marks on the page that a hit leads to
pagefind.js   the same answers through Pagefind's interface
Other *.js are loaded by these. llms.txt is a map of the site for agents.
`;
/** What such a file may be called: a list from elsewhere leads to nothing else. */
const PAGE_FILE = /^(?:[a-z][a-z0-9-]*\.js|README\.txt)$/;

/** Put what pages load beside an index. The result is the number of files. @throws {InputError} where it cannot be written. */
export async function writePagesFor(indexFolder: string): Promise<number> {
  const files = await readPageFiles();
  const own = { name: README_FILE, bytes: new TextEncoder().encode(README) };
  await writePageFiles(indexFolder, [...files, own]).catch(failWith(`cannot write to ${JSON.stringify(indexFolder)}`));
  return files.length;
}

/** Copy the files for pages that lie in one folder to another, their number is the result; 0 where there are none. */
export async function copyPageFiles(from: string, to: string): Promise<number> {
  const files: PageFile[] = [];
  for (const name of await listPageFiles(from)) files.push({ name, bytes: await nodeDisk.read(join(from, name)) });
  if (files.length > 0) await writePageFiles(to, files);
  return files.length;
}

/** Put files for pages into a folder, in place of those that were written there before. Whatever else lies there stays, also where it has a name that an earlier list has not. */
export async function writePageFiles(
  folder: string,
  files: readonly PageFile[],
  disk: OutputDisk = nodeDisk,
): Promise<void> {
  await disk.makeFolder(folder);
  const before = await listPageFiles(folder, disk);
  const names = files.map(({ name }) => name).sort();
  // Listed before they are written: what a build that is killed leaves is known to the next one.
  await replaceFile(join(folder, PAGE_LIST_FILE), encodeList([...new Set([...before, ...names])].sort()), disk);
  for (const { name, bytes } of files) await replaceFile(join(folder, name), bytes, disk);
  for (const name of before) if (!names.includes(name)) await disk.remove(join(folder, name));
  if (before.some((name) => !names.includes(name))) {
    await replaceFile(join(folder, PAGE_LIST_FILE), encodeList(names), disk);
  }
}

/** Names of the files for pages that a build wrote into a folder; none where it wrote none. */
export async function listPageFiles(folder: string, disk: OutputDisk = nodeDisk): Promise<readonly string[]> {
  const bytes = await disk.read(join(folder, PAGE_LIST_FILE)).catch(orAbsent);
  const listed = parseJson(new TextDecoder().decode(bytes));
  return Array.isArray(listed) ? listed.filter((name) => typeof name === "string" && PAGE_FILE.test(name)) : [];
}

function encodeList(names: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(names, null, 2)}\n`);
}

/**
 * Warns of each public collection of an index whose hits have no address, with what to set: last, or nobody would see it.
 *
 * @throws {InputError} where there is no index in the folder.
 */
export async function warnOfLostHits(
  indexFolder: string,
  { has }: Pick<CommandInput, "has">,
  { warn }: Pick<Terminal, "warn">,
): Promise<void> {
  if (has("quiet")) return;
  for (const collection of (await openIndexAt(indexFolder)).collections) {
    const { baseUrl, access, documents } = collection;
    if (baseUrl === "" && access === PUBLIC_GROUP && documents > 0) warn(toPrintable(describe(collection)));
  }
}

function describe({ name, kind }: CollectionInfo): string {
  const lost = `Warning: what is found in the collection ${JSON.stringify(name)} has no address, so no hit leads to it.`;
  return kind === "code"
    ? `${lost} Set its "baseUrl" in treeline.config.json to where the files can be read (https://github.com/OWNER/NAME/blob/main/), or name the others on the box: collections="docs".`
    : `${lost} Set its "baseUrl" in treeline.config.json to where the pages are on the web, or index the folder of the built site in place of its sources.`;
}
