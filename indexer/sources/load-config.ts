/**
 * The configuration of a folder, its collections chosen by what the folder holds where it names none.
 */

import { PAGE_ENDING } from "../../src/core/docs/node-id.ts";
import { InputError } from "../../src/core/errors.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { nodeFileSystem } from "../base/file-system.ts";
import {
  type CollectionConfig,
  defaultConfig,
  KIND_DEFAULTS,
  readConfig,
  type TreelineConfig,
} from "../config/config.ts";
import { discoverFiles, openCollectionRoot } from "./discover.ts";
import { isMinified } from "./read-file.ts";

/**
 * Load the configuration in `dir` or in `file`, or the default one. Without collections of its own it gets one of pages, one of
 * source files, or both: those that have files.
 *
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export async function loadConfig(dir: string, file?: string): Promise<TreelineConfig> {
  const read = await readConfig(dir, file);
  const { config, isChosen } = read;
  if (!isChosen) await checkRoots(dir, read);
  const chosen = isChosen ? await chooseCollections(dir, config) : config;
  const { collections } = chosen;
  if (!collections.some(({ kind }) => kind === "code")) return { ...config, ...chosen };
  return {
    ...config,
    ...chosen,
    collections: collections.map((collection) => ({ ...collection, namesSymbols: true })),
  };
}

/** A collection of pages, one of source files, or both; of a built site its pages. */
async function chooseCollections(
  dir: string,
  config: TreelineConfig,
): Promise<Pick<TreelineConfig, "collections" | "leftOut">> {
  const [docs] = defaultConfig().collections as [CollectionConfig];
  const code: CollectionConfig = { ...docs, name: "code", kind: "code", ...KIND_DEFAULTS.code, skipsMinified: true };
  const site: CollectionConfig = { ...docs, name: "site", kind: "site", ...KIND_DEFAULTS.site, baseUrl: "/" };
  // One walk for both: a running server goes this way at every change.
  const both = {
    ...docs,
    include: [...docs.include, ...KIND_DEFAULTS.code.include, ...KIND_DEFAULTS.site.include, ...MANIFESTS],
  };
  const { files: all } = await discoverFiles(both, dir, { ...config.limits, maxFiles: Number.POSITIVE_INFINITY });
  const counts = countFiles(all.map(({ path }) => path));
  if (isBuiltSite(counts)) return withLeftOut([site], describeMarkdown(counts));
  const files = all.filter(({ path }) => isPage(path) || codeLanguageOf(path) !== undefined);
  const isSource = files.filter(({ path }) => !isMinified(path)).map(({ path }) => codeLanguageOf(path) !== undefined);
  const filled = [...(isSource.includes(false) ? [docs] : []), ...(isSource.includes(true) ? [code] : [])];
  return withLeftOut(filled.length === 0 ? [docs] : filled, describePages(counts));
}

function withLeftOut(
  collections: readonly CollectionConfig[],
  leftOut: string,
): Pick<TreelineConfig, "collections" | "leftOut"> {
  return { collections, ...(leftOut !== "" && { leftOut }) };
}

interface FileCounts {
  readonly pages: number;
  readonly markdown: number;
  /** Source files, scripts left out. */
  readonly sources: number;
  readonly hasManifest: boolean;
}

function countFiles(paths: readonly string[]): FileCounts {
  const count = (fits: (path: string) => boolean): number => paths.filter(fits).length;
  return {
    pages: count((path) => path.endsWith(".html")),
    // Sphinx lays the text of each page beside its HTML.
    markdown: count((path) => isPage(path) && !path.endsWith(".txt")),
    sources: count((path) => !/\.(?:html|json|css|[cm]?js)$/.test(path) && codeLanguageOf(path) !== undefined),
    hasManifest: paths.some((path) => MANIFESTS.includes(path)),
  };
}

function describeMarkdown({ pages, markdown }: FileCounts): string {
  if (markdown === 0) return "";
  return `taken for a built site: its ${pages} pages of HTML are read, and ${countOf(markdown, "other page", "other pages")} left out; a collection of kind "docs" reads them`;
}

function describePages({ pages, hasManifest }: FileCounts): string {
  if (pages === 0 || hasManifest) return "";
  return `not taken for a built site: ${countOf(pages, "page of HTML", "pages of HTML")} left out; a collection of kind "site" reads them`;
}

function countOf(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one} is` : `${count} ${many} are`;
}

/** What a folder of source code has and a built site has not. */
const MANIFESTS: readonly string[] = [
  "package.json",
  "pyproject.toml",
  "Cargo.toml",
  "go.mod",
  "pom.xml",
  "composer.json",
];

/** A built site may hold a licence, or notes, in Markdown: so many pages of HTML to each of them. */
const PAGES_TO_MARKDOWN = 5;

/**
 * Whether a folder is a built site: pages of HTML, hardly any Markdown, no manifest, and of source files, scripts aside, which sites bring
 * in numbers, fewer than pages.
 */
function isBuiltSite({ pages, markdown, sources, hasManifest }: FileCounts): boolean {
  return pages > sources && pages >= markdown * PAGES_TO_MARKDOWN && !hasManifest;
}

/** Whether a file is a page of a collection of kind `docs`. */
function isPage(path: string): boolean {
  return (PAGE_ENDING.test(path) || path.endsWith(".txt")) && !/\.html?$/i.test(path);
}

/**
 * Looks up the folders that collections name before a build begins: a missing one is a mistake in the configuration, reported with its
 * line like all others.
 *
 * @throws {InputError} with one line `file:line:column: message` for every root that cannot be read.
 */
async function checkRoots(
  dir: string,
  { config: { collections }, describeFaults }: Awaited<ReturnType<typeof readConfig>>,
): Promise<void> {
  const faults: (readonly [place: readonly (string | number)[], message: string])[] = [];
  for (const [index, collection] of collections.entries()) {
    // Without the folder of the configuration itself there is nothing to say about what it names.
    if (collection.root === ".") continue;
    await openCollectionRoot(collection, dir, nodeFileSystem).catch((error: unknown) => {
      if (!(error instanceof InputError)) throw error;
      const [near] = error.nearest;
      const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
      faults.push([["collections", index, "root"], `collections[${index}].root: ${error.message}${hint}`]);
    });
  }
  if (faults.length > 0) throw describeFaults(faults);
}
