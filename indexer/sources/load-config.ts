/**
 * The configuration of a folder, its collections chosen by what the folder holds where it names none.
 */

import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PAGE_ENDING } from "../../src/core/docs/node-id.ts";
import { InputError } from "../../src/core/errors.ts";
import { isRecord, parseJson } from "../../src/core/parse-text.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { isOneLine } from "../base/diagnostic.ts";
import { nodeFileSystem, onFsError } from "../base/file-system.ts";
import {
  type CollectionConfig,
  defaultConfig,
  KIND_DEFAULTS,
  type ProjectFace,
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
  const { isChosen } = read;
  if (!isChosen) await checkRoots(dir, read);
  const face = await readFace(dir, read);
  const config = { ...read.config, ...(face !== undefined && { face }) };
  const chosen = isChosen ? await chooseCollections(dir, config) : config;
  const { collections } = chosen;
  if (!collections.some(({ kind }) => kind === "code")) return { ...config, ...chosen };
  return {
    ...config,
    ...chosen,
    collections: collections.map((collection) => ({ ...collection, namesSymbols: true })),
  };
}

const MAX_LOGO_BYTES = 32 * 1024;
/** Grounds that text in the accent stands on, see `src/web/explorer/style.ts`, and what it is mixed with to be read there. */
const GROUNDS = [
  ["#f5f7f9", "#000000"],
  ["#1d2127", "#ffffff"],
] as const;
/** Contrast of text by WCAG 2, level AA. */
const LEAST_CONTRAST = 4.5;

/** How pages present the project: by the configuration, else by `package.json` and the repository. @throws {InputError} for a logo that is none. */
async function readFace(dir: string, { config, describeFaults }: ReadConfig): Promise<ProjectFace | undefined> {
  const { name, description, logo, accent } = config.project;
  const manifest = parseJson(await readFile(join(dir, "package.json"), "utf8").catch(onFsError(() => "")));
  const fromManifest = (key: string): string => {
    const value = isRecord(manifest) ? manifest[key] : undefined;
    return typeof value === "string" && isOneLine(value) ? value.trim().slice(0, MAX_MANIFEST_TEXT) : "";
  };
  const repository = config.collections.find((one) => one.repository !== "")?.repository ?? "";
  const picture = logo === "" ? undefined : await readLogo(join(dir, logo));
  if (typeof picture === "string") throw describeFaults([[["project", "logo"], `project.logo: ${logo} ${picture}`]]);
  const project = {
    name: name || fromManifest("name") || repository.slice(repository.lastIndexOf("/") + 1),
    description: description || fromManifest("description"),
    ...(accent !== "" && { accent: GROUNDS.map(([ground, mixed]) => makeReadable(accent, ground, mixed)) }),
    ...(picture !== undefined && { logo: createHash("sha1").update(picture.logo).digest("hex").slice(0, 8) }),
  };
  const said = Object.entries(project).filter(([, value]) => value !== "");
  return said.length === 0 ? undefined : { project: Object.fromEntries(said), ...(picture && { picture }) };
}

const MAX_MANIFEST_TEXT = 300;

type ReadConfig = Awaited<ReturnType<typeof readConfig>>;

/** The logo as a data URL, or what is wrong with it. A link may lead to a file that is not of the project. */
async function readLogo(file: string): Promise<{ readonly logo: string } | string> {
  const entry = await lstat(file).catch(onFsError(() => undefined));
  if (entry?.isFile() !== true) return "is no file";
  if (entry.size > MAX_LOGO_BYTES) return `has ${entry.size} bytes; at most ${MAX_LOGO_BYTES} are taken`;
  const type = /\.svg$/i.test(file) ? "svg+xml" : "png";
  return { logo: `data:image/${type};base64,${(await readFile(file)).toString("base64")}` };
}

/** A colour, mixed with another one until text in it can be read on a ground. */
function makeReadable(accent: string, ground: string, mixed: string): string {
  const [from, to] = [channelsOf(accent), channelsOf(mixed)];
  for (let part = 0; ; part += 0.05) {
    const channels = from.map((channel, at) =>
      Math.round(channel + ((to[at] as number) - channel) * Math.min(1, part)),
    );
    const [a, b] = [luminanceOf(channels), luminanceOf(channelsOf(ground))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast >= LEAST_CONTRAST || part >= 1)
      return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
  }
}

function channelsOf(colour: string): number[] {
  const digits = colour.length === 4 ? colour.slice(1).replace(/./g, "$&$&") : colour.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
}

/** Relative luminance by WCAG 2. */
function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
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
async function checkRoots(dir: string, { config: { collections }, describeFaults }: ReadConfig): Promise<void> {
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
