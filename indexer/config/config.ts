/**
 * Configuration: `treeline.config.json`, checked and with every default filled in.
 *
 * The file is JSON with comments and trailing commas (`config-syntax.ts`). `schemas/config.schema.json` says what may
 * stand in it (`config-schema.ts`); what a schema cannot say is checked in `config-checks.ts`. Everything that is wrong
 * is reported at once, by line and column.
 *
 * I/O: reads the file, and `package.json` of a package that a collection names inside `node_modules`.
 */

import type { SymbolKind } from "../../src/core/format/code-model.ts";
import type { RankingName, RankingPreset } from "../../src/core/search/ranking-settings.ts";
import { CODE_ENDINGS } from "../../src/core/text/code-languages.ts";
import type { Language } from "../../src/core/text/language.ts";
import { readPackageVersion } from "../base/package-version.ts";
import { checkMeaning, lacksCollections, listUnversioned, listWithout, normaliseFolder } from "./config-checks.ts";
import { CONFIG_FILE_NAME, type ConfigProblem, createConfigError } from "./config-problems.ts";
import { CONFIG_SCHEMA, checkValue, fillDefaults } from "./config-schema.ts";
import { parseConfigSyntax } from "./config-syntax.ts";
import { readNamedConfig, readSettingsFile } from "./settings-file.ts";

/** Styles that a collection may name, `anchors` in the configuration. */
export const ANCHOR_STYLES = ["github", "mkdocs", "vitepress"] as const;

/** One of them. */
export type AnchorStyle = (typeof ANCHOR_STYLES)[number];

/** Kinds that an outline does not show and does not enter. */
export interface OutlineRules {
  readonly ignoreKinds: readonly SymbolKind[];
  readonly stopKinds: readonly SymbolKind[];
}

/** One collection, every key present. */
export interface CollectionConfig {
  readonly name: string;
  /** Folder relative to the configuration's folder, `/` as separator, `.` for that folder itself. */
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly kind: "docs" | "code" | "site";
  readonly weight: number;
  /** `""`, or an http(s) address that ends in one `/`. */
  readonly baseUrl: string;
  readonly version: string;
  /** `""`, or an http(s) address without `/` at the end. */
  readonly repository: string;
  /** `public`, or the name of an access group. */
  readonly access: string;
  /** Values that every document of the collection gets. */
  readonly facets: Readonly<Record<string, string | readonly string[]>>;
  /** How the site makes anchors of headings. */
  readonly anchors: AnchorStyle;
  /** How source files are grouped into packages. */
  readonly packages:
    | "auto"
    | "manifest"
    | "folders"
    | `folders:${number}`
    | Readonly<Record<string, readonly string[]>>;
  /** Which symbols of source files become sections. */
  readonly outline: OutlineRules;
  /** Whether its pages may name symbols: set by `loadConfig` where a collection is of kind `code`. */
  readonly namesSymbols?: true;
  /** Whether minified files are skipped: set by `loadConfig` where it chose the collection. Others decide by `exclude`. */
  readonly skipsMinified?: true;
  /** How pages of a collection of kind `site` are read. */
  readonly site: SiteConfig;
  /** Language of the text: chooses stems and stop words. */
  readonly language: Language;
}

/** How pages of a built site are read. */
export interface SiteConfig {
  /** Selector of the element that is read; `""` = the whole page. */
  readonly root: string;
  /** Selectors of elements that are left out. */
  readonly exclude: readonly string[];
  /** Whether addresses are those of the files without `.html`. `auto`: as most pages say by their canonical address. */
  readonly cleanUrls: "auto" | "yes" | "no";
}

/** Globs of the pages of a built site, and of those that are no pages to find. */
export const SITE_INCLUDE: readonly string[] = ["**/*.html"];
export const SITE_EXCLUDE: readonly string[] = [
  "**/404.html",
  "**/404/index.html",
  "**/pagefind/**",
  "**/.treeline/**",
];

/**
 * Weight of source code beside pages where none is given: names of symbols hold the words of a question oftener than what
 * answers it does. With it, questions put to this project find its documents before the code that they are about.
 */
export const CODE_WEIGHT = 0.7;
/** Globs of all source files of known languages. */
export const CODE_INCLUDE: readonly string[] = CODE_ENDINGS.map((ending) => `**/*.${ending}`);

/** Bounds on what one build reads. */
export interface LimitsConfig {
  readonly maxFileBytes: number;
  readonly maxFiles: number;
}

/** Facet keys forced in or out. */
export interface FacetsConfig {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** How hits are ranked: a preset, and settings that differ from it. `null` leaves a setting to the preset. */
export type RankingConfig = Readonly<Record<RankingName, number | null> & { preset: RankingPreset }>;

/** What the graph of files and pages is made of, and what its summary shows. */
export interface GraphConfig {
  /** Hubs that are shown at most. */
  readonly topHubs: number;
  /** Connections that a hub has at least. */
  readonly hubMinConnections: number;
  /** Import cycles that are shown at most. */
  readonly maxCycles: number;
  /** Globs of files that something starts at, relative to their collection's root. */
  readonly entryPoints: readonly string[];
  /** Globs of files and pages that are left out. */
  readonly ignore: readonly string[];
  /** From so many imports on a graph is called moderate, complex, very complex. */
  readonly complexity: { readonly moderate: number; readonly complex: number; readonly veryComplex: number };
}

/** What the scan for instructions, hidden text and secrets leaves out. */
export interface ScanConfig {
  /** Findings that are allowed: of a rule (`""` = of all), in files that a glob matches, relative to their collection's root. */
  readonly ignore: readonly { readonly rule: string; readonly path: string }[];
}

/** The whole configuration. */
export interface TreelineConfig {
  readonly collections: readonly CollectionConfig[];
  /** What collections that were chosen by what the folder holds leave out, in words; absent for nothing. */
  readonly leftOut?: string;
  readonly limits: LimitsConfig;
  readonly facets: FacetsConfig;
  readonly ranking: RankingConfig;
  readonly graph: GraphConfig;
  readonly scan: ScanConfig;
  /** Rules, sources and severities of findings that make a build fail. */
  readonly failOn: readonly string[];
  /** File of the glossary, relative to the configuration's folder; `""` = `glossary.json` where there is one. */
  readonly glossary: string;
  /** File of the categories, likewise; `""` = `categories.json` where there is one. */
  readonly categories: string;
}

/** The defaults of all settings, with one collection `docs` of the folder's Markdown. */
export function defaultConfig(): TreelineConfig {
  return narrowConfig(fillDefaults({}, CONFIG_SCHEMA));
}

/** A configuration as it was found. */
export interface FoundConfig {
  readonly config: TreelineConfig;
  /** Whether it leaves the collections to be chosen. */
  readonly isChosen: boolean;
}

/**
 * The configuration in `dir`, or the default one when there is no such file.
 *
 * @param file Another file that holds the configuration. What it names is relative to `dir` all the same.
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export async function readConfig(dir: string, file?: string): Promise<FoundConfig> {
  const text = file === undefined ? await readSettingsFile(dir, CONFIG_FILE_NAME) : await readNamedConfig(file);
  if (text === undefined) {
    return { config: defaultConfig(), isChosen: true };
  }
  const { config, unversioned, isChosen } = parseVersionedConfig(text, file);
  const collections = await Promise.all(
    config.collections.map(async (collection) =>
      unversioned.has(collection.name)
        ? { ...collection, version: await readPackageVersion(dir, collection) }
        : collection,
    ),
  );
  return { config: { ...config, collections }, isChosen };
}

/**
 * The configuration in the text of a file. No disk is read: a version that comes from a package stays `""`.
 *
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export function parseConfig(text: string): TreelineConfig {
  return parseVersionedConfig(text).config;
}

/** The configuration, and the names of the collections that give no version of their own. */
function parseVersionedConfig(
  source: string,
  file: string = CONFIG_FILE_NAME,
): FoundConfig & { readonly unversioned: ReadonlySet<string> } {
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  const tree = parseConfigSyntax(text, file);
  const problems: ConfigProblem[] = [];
  const value = checkValue(tree, CONFIG_SCHEMA, "", problems);
  checkMeaning(tree, problems);
  if (problems.length > 0) {
    throw createConfigError(text, problems, file);
  }
  const config = normalise(narrowConfig(value));
  const withoutInclude = new Set(listWithout(tree, "include", "code"));
  const withoutWeight = new Set(listWithout(tree, "weight", "code"));
  const sitesWithoutInclude = new Set(listWithout(tree, "include", "site"));
  const sitesWithoutExclude = new Set(listWithout(tree, "exclude", "site"));
  const collections = config.collections.map((collection) => ({
    ...collection,
    ...(withoutInclude.has(collection.name) && { include: CODE_INCLUDE }),
    ...(withoutWeight.has(collection.name) && { weight: CODE_WEIGHT }),
    ...(sitesWithoutInclude.has(collection.name) && { include: SITE_INCLUDE }),
    ...(sitesWithoutExclude.has(collection.name) && { exclude: SITE_EXCLUDE }),
  }));
  return {
    config: { ...config, collections },
    unversioned: new Set(listUnversioned(tree)),
    isChosen: lacksCollections(tree),
  };
}

function normalise(config: TreelineConfig): TreelineConfig {
  return {
    ...config,
    glossary: config.glossary === "" ? "" : normaliseFolder(config.glossary),
    categories: config.categories === "" ? "" : normaliseFolder(config.categories),
    collections: config.collections.map((collection) => ({
      ...collection,
      root: normaliseFolder(collection.root),
      baseUrl: normaliseBase(collection),
      repository: collection.repository === "" ? "" : normaliseAddress(collection.repository).replace(/\.git$/, ""),
    })),
  };
}

/** Pages of a built site have addresses on it even where nothing says what site that is. */
function normaliseBase({ kind, baseUrl }: CollectionConfig): string {
  if (kind === "site" && !/^https?:/i.test(baseUrl)) return `/${baseUrl.replace(/^\/+|\/+$/g, "")}/`.replace("//", "/");
  return baseUrl === "" ? "" : `${normaliseAddress(baseUrl)}/`;
}

function normaliseAddress(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** `checkValue` and `fillDefaults` have made the value what the schema says; a test holds schema and type together. */
function narrowConfig(value: unknown): TreelineConfig {
  const { collections, limits, facets, ranking, graph, scan, failOn, glossary, categories } = value as TreelineConfig;
  return { collections, limits, facets, ranking, graph, scan, failOn, glossary, categories };
}
