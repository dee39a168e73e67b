/**
 * Configuration: `treeline.config.json`, checked and with every default filled in.
 *
 * `CONFIG` is the one statement of keys, types, bounds, defaults and descriptions. `schemas/config.schema.json` is made of
 * it (`npm run build:schemas`), and the types follow from it: one file, though it has more than 600 lines.
 *
 * I/O: reads the file, and `package.json` of a package that a collection names inside `node_modules`.
 */

import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { z } from "zod";
import { DERIVED_KEYS } from "../../src/core/docs/facets.ts";
import { ROLES } from "../../src/core/docs/roles.ts";
import { SYMBOL_KINDS } from "../../src/core/format/code-model.ts";
import type { Root } from "../../src/core/format/root.ts";
import { CATEGORY_SOURCES } from "../../src/core/format/topics.ts";
import { isRecord, parseJson } from "../../src/core/parse-text.ts";
import {
  RANKING_BOUNDS,
  RANKING_NAMES,
  RANKING_PRESETS,
  type RankingName,
} from "../../src/core/search/ranking-settings.ts";
import { CODE_ENDINGS } from "../../src/core/text/code-languages.ts";
import { LANGUAGES } from "../../src/core/text/language.ts";
import { nearestNames, quoteValue } from "../../src/core/text/nearest.ts";
import { isOneLine } from "../base/diagnostic.ts";
import { onFsError } from "../base/file-system.ts";
import { findGlobFault, literalPathOf } from "../base/globs.ts";
import { FAIL_ON_NAMES, isFailOnName } from "./fail-on.ts";
import { compileSelector } from "./selectors.ts";
import {
  CONFIG_FILE_NAME,
  checkSettings,
  isWhole,
  parseSyntax,
  readNamedConfig,
  readSettingsFile,
  suggest,
} from "./settings-file.ts";

/** Styles that a collection may name, `anchors` in the configuration. */
export const ANCHOR_STYLES = ["github", "mkdocs", "vitepress"] as const;

/** Frontmatter keys that are never facets: their values are searched instead. */
export const RESERVED_FACET_KEYS: readonly string[] = ["title", "description", "summary"];

/** Keys of facets that are kept however many values they have: those that the indexer derives itself, and what pages are tagged with. */
export const DERIVED_FACET_KEYS: ReadonlySet<string> = new Set([...DERIVED_KEYS, "tags"]);

const FACET_REASONS: Readonly<Record<string, string>> = {
  collection: "every document has the facet of its collection's name",
  title: "titles are searched, not filtered by",
  description: "descriptions are searched, not filtered by",
  summary: "summaries are searched, not filtered by",
};

const MAX_GLOB_LENGTH = 1000;
const MAX_FACET_LENGTH = 100;

/** Text that people write to be read, by names: not lists for programs, licences and answers for crawlers. */
const PLAIN_TEXT =
  "**/!(*requirements*|constraints*|robots|humans|ads|security|llms*|*LICEN[CS]E*|*licen[cs]e*|COPYING*|NOTICE*|CMakeLists|SOURCES|top_level|entry_points|dependency_links|*words*).txt";

/**
 * What collections of a kind have where they say nothing else. Source code weighs less than pages: names of symbols hold
 * the words of a question oftener than what answers it does. With 0.7, questions put to this project find its documents
 * before the code that they are about.
 */
export const KIND_DEFAULTS = {
  docs: {},
  code: { include: CODE_ENDINGS.map((ending) => `**/*.${ending}`), exclude: [], weight: 0.7 },
  site: { include: ["**/*.html"], exclude: ["**/404.html", "**/404/index.html", "**/pagefind/**", "**/.treeline/**"] },
} as const;

/** A check of a text. @param findFault What is wrong with it, as the end of a sentence that begins with the text. */
function faultless(findFault: (text: string) => string | undefined) {
  return (text: string, context: z.RefinementCtx<string>): void => {
    const fault = findFault(text);
    if (fault !== undefined) context.addIssue({ code: "custom", message: `${quoteValue(text)} ${fault}` });
  };
}

/** A text of a form that `words` describe. */
function formed(pattern: RegExp, words: string) {
  return z.string().regex(pattern, words).meta({ $comment: words });
}

const glob = z.string().min(1).max(MAX_GLOB_LENGTH);
const checkedGlob = glob.superRefine(faultless(findGlobFault));
const facetValue = z.string().min(1).max(MAX_FACET_LENGTH);
const whole = (minimum: number, maximum: number) => z.int("a whole number").min(minimum).max(maximum);
const selector = faultless((text) =>
  text === "" || compileSelector(text) !== undefined
    ? undefined
    : "is no selector that is known: it takes names, .classes, #ids, [attributes], their descendants and children (a b, a > b), lists with commas",
);
/** A file or folder relative to the configuration. */
const path = z.string().superRefine(faultless(findPathFault));
const namedFile = path.max(1000).transform((file) => (file === "" ? "" : normaliseFolder(file)));

const oneLine = formed(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "a text on one line");

const facetKey = (forbidden: readonly string[]) =>
  faultless((key) => {
    if (key === "" || key.trim() !== key) return "is empty or has spaces around it";
    return forbidden.includes(key) ? `cannot stand here: ${FACET_REASONS[key] ?? "it is no facet"}` : undefined;
  });
const facetKeys = (forbidden: readonly string[]) =>
  z.array(z.string().min(1).max(MAX_FACET_LENGTH).superRefine(facetKey(forbidden))).default([]);

const COLLECTION = z
  .strictObject({
    name: formed(
      /^[A-Za-z0-9][A-Za-z0-9._-]*$/u,
      "letters, digits, dots, hyphens and underscores, starting with a letter or a digit",
    )
      .max(100)
      .describe(
        "Name of the collection: first part of its document ids, and a value to filter by. Unique, whatever its case.",
      ),
    root: path
      .min(1)
      .transform(normaliseFolder)
      .prefault(".")
      .describe(
        "Folder that the collection's paths start from, relative to the folder of the configuration and inside it.",
      ),
    include: z
      .array(checkedGlob)
      .min(1)
      .default([
        "**/*.md",
        "**/*.mdx",
        "**/*.markdown",
        "**/*.rst",
        "**/*.adoc",
        "**/*.asciidoc",
        "**/*.ipynb",
        PLAIN_TEXT,
      ])
      .describe(
        "Globs of the files to index, relative to `root`. Left out of a collection of kind `code`, all source files of known languages; of kind `site`, `**/*.html`. A path or folder that is spelled out, without wildcards, is read even where an ignore file excludes it.",
      ),
    exclude: z
      .array(checkedGlob)
      .default(["**/{test,tests,testdata,fixtures,__snapshots__,data,vendor,third_party,requirements}/**/*.txt"])
      .describe(
        "Globs of files and folders to leave out, relative to `root`. They win over `include`. The default leaves out plain text that programs read. Left out of a collection of kind `code`, none; of kind `site`, pages called `404` and the folder `pagefind`.",
      ),
    kind: z
      .enum(["docs", "code", "site"])
      .default("docs")
      .describe(
        "What the files mostly are. It chooses what `include` is when left out. `site`: pages of a built site, whose HTML is read as docs/built-sites.md says; in the other kinds a file is parsed by its name's ending.",
      ),
    weight: z
      .number()
      .gt(0)
      .max(100)
      .default(1)
      .describe(
        "Factor on the scores of the collection's sections. Left out of a collection of kind `code` it is 0.7: a page that explains something comes before code that names it as often.",
      ),
    baseUrl: z
      .string()
      .default("")
      .describe(
        "Web address that page addresses start with. Empty when the pages are on no site. In a collection of kind `site` it may be a path such as `/docs/`; left out, it is `/`, or the folder that the site's links begin with.",
      ),
    version: formed(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, "a text on one line")
      .max(100)
      .default("")
      .describe(
        "Version label, a value to filter by. Left out, it is the version of the package when `include` spells out a folder inside `node_modules`, else empty.",
      ),
    repository: z
      .string()
      .superRefine(faultless(findAddressFault))
      .transform((address) => (address === "" ? "" : normaliseAddress(address).replace(/\.git$/, "")))
      .prefault("")
      .describe("Web address of the repository that the files come from, for links to one commit."),
    access: formed(
      /^[a-z][a-z0-9-]*$/u,
      '"public" or a group name: lower-case letters, digits and hyphens, starting with a letter',
    )
      .max(100)
      .default("public")
      .describe("Who may read the collection: `public`, or the name of one access group."),
    facets: z
      .record(
        z.string().superRefine(facetKey([...RESERVED_FACET_KEYS, "collection"])),
        z.union([facetValue, z.array(facetValue).min(1).max(50)]),
      )
      .default({})
      .describe("Facet values that every document of the collection gets; they win over frontmatter."),
    site: z
      .strictObject({
        root: z
          .string()
          .max(MAX_GLOB_LENGTH)
          .superRefine(selector)
          .default("")
          .describe(
            "Selector of the one element that is read, meta data and filters included. Empty: what holds the content by the custom of generators, else the whole page.",
          ),
        exclude: z
          .array(glob.superRefine(selector))
          .max(100)
          .default([])
          .describe("Selectors of elements that are left out, as if they had the attribute `data-pagefind-ignore`."),
        cleanUrls: z
          .enum(["auto", "yes", "no"])
          .default("auto")
          .describe(
            "Whether addresses of pages have no `.html` at their end: `yes`, `no`, or `auto` = as canonical addresses or links of most pages have them.",
          ),
      })
      .prefault({})
      .describe("How the pages of a collection of kind `site` are read."),
    anchors: z
      .enum(ANCHOR_STYLES)
      .default("github")
      .describe(
        "How the site makes a heading's anchor from its text: `github` as GitHub, Docusaurus, Starlight, Nextra, mdBook, Hugo and Jekyll do, `mkdocs` as Python-Markdown, `vitepress` as VitePress.",
      ),
    packages: z
      .union([
        formed(
          /^(?:auto|manifest|folders(?::[1-9])?)$/u,
          '"auto", "manifest", "folders", "folders:2", or globs by the name of the package',
        ) as z.ZodType<"auto" | "manifest" | "folders" | `folders:${number}`, string>,
        z.record(z.string(), z.array(glob).min(1).max(100)),
      ])
      .default("auto")
      .describe(
        "How the source files of the collection are grouped into packages: `auto` = by manifests, a workspace with one manifest by the folders below its source folder; `manifest` = by manifests alone; `folders` or `folders:2` = by folders so many levels deep; or globs over paths by the package's name, the first that matches.",
      ),
    outline: z
      .strictObject({
        ignoreKinds: z.array(z.enum(SYMBOL_KINDS)).default([]).describe("Kinds that are never shown."),
        stopKinds: z
          .array(z.enum(SYMBOL_KINDS))
          .default(["function", "method", "constructor"])
          .describe("Kinds that are never entered: what stands inside them is not shown."),
      })
      .prefault({})
      .describe(
        "Which symbols of source files are shown as their outline and become sections. Symbols that are not are found by name all the same.",
      ),
    language: z
      .enum(LANGUAGES)
      .default("english")
      .describe(
        "Language of the text, which chooses how words are reduced to stems and which words do not score. `none` takes words as they stand. Left out of a collection of kind `site`, it is that of `<html lang>`, and several make a collection for each.",
      ),
  })
  .superRefine(
    ({ kind, baseUrl }, context) => {
      if (typeof baseUrl !== "string") return;
      // Of a built site, a path is enough: `/docs/`.
      if (kind === "site" && /^\/(?![/\\])[^?#\s]*$/.test(baseUrl)) return;
      const fault = findAddressFault(baseUrl);
      if (fault === undefined) return;
      context.addIssue({ code: "custom", path: ["baseUrl"], message: `${quoteValue(baseUrl)} ${fault}` });
    },
    { when: isWhole },
  );

const RANKING_TEXTS: Readonly<Record<RankingName, string>> = {
  bm25_k1: "How little repeated words saturate: higher counts repetitions more (BM25 k1).",
  bm25_b: "How much long texts are discounted (BM25 b).",
  title_weight: "Weight of titles and headings.",
  code_weight: "Weight of code blocks inside the text.",
  description_weight: "Weight of descriptions.",
  term_proximity_bonus: "Weight of query words that stand side by side.",
  full_coverage_bonus: "Bonus of a section that holds all words of the query.",
  prefix_penalty: "How much a word that is only begun counts less than a whole one.",
};

function rankingSetting(name: RankingName) {
  const { minimum, maximum, default: usual } = RANKING_BOUNDS[name];
  return z
    .union([z.number().min(minimum).max(maximum), z.null()])
    .default(null)
    .describe(`${RANKING_TEXTS[name]} ${usual} unless the preset says otherwise.`);
}

const RANKING = Object.fromEntries(RANKING_NAMES.map((name) => [name, rankingSetting(name)])) as Record<
  RankingName,
  ReturnType<typeof rankingSetting>
>;

const COMPLEXITY = ["moderate", "complex", "veryComplex"] as const;

const GRAPH = z.strictObject({
  topHubs: whole(0, 50).default(10).describe("Files with the most connections that are shown."),
  hubMinConnections: whole(1, 1_000_000).default(1).describe("Connections that a file has at least to be a hub."),
  maxCycles: whole(0, 100).default(20).describe("Import cycles that are shown."),
  entryPoints: z
    .array(checkedGlob)
    .default([])
    .describe(
      "Globs of files that something starts at, relative to the root of their collection: they are in use without an import. Those of `package.json` and conventional names are known.",
    ),
  ignore: z
    .array(checkedGlob)
    .default([])
    .describe("Globs of files and pages that are no part of the graph, relative to the root of their collection."),
  complexity: z
    .strictObject({
      moderate: whole(1, 1e9).default(100).describe("Imports of a moderate graph."),
      complex: whole(1, 1e9).default(1000).describe("Imports of a complex graph."),
      veryComplex: whole(1, 1e9).default(10_000).describe("Imports of a very complex graph."),
    })
    .superRefine((complexity, context) => {
      for (const [at, key] of COMPLEXITY.entries()) {
        const before = COMPLEXITY[at - 1];
        if (before === undefined || complexity[key] > complexity[before]) continue;
        const message = `must be more than ${before}, which is ${complexity[before]}; found ${complexity[key]}`;
        context.addIssue({ code: "custom", path: [key], message });
      }
    })
    .prefault({})
    .describe(
      "From how many imports between files on a graph is called moderate, complex, very complex; below all of them it is simple. They ascend.",
    ),
});

export const CONFIG = z
  .strictObject({
    $schema: z.string().optional().describe("Address of this schema, for editors. Has no effect on the index."),
    collections: z
      .array(COLLECTION)
      .min(1)
      .superRefine(checkNames, { when: isWhole })
      .prefault([{ name: "docs" }])
      .describe(
        "Named parts of the corpus. Without this key, a collection `docs` holds every page below the configuration and a collection `code` every source file; of the two those that have files.",
      ),
    project: z
      .strictObject({
        name: oneLine
          .max(100)
          .default("")
          .describe("What the project is called. Empty: `name` of `package.json`, else the name of the repository."),
        description: oneLine
          .max(300)
          .default("")
          .describe("What it is, in a sentence. Empty: `description` of `package.json`."),
        logo: namedFile
          .superRefine(
            faultless((file) => (file === "" || /\.(?:svg|png)$/i.test(file) ? undefined : "is no .svg or .png file")),
          )
          .prefault("")
          .describe(
            "Picture beside the name: an SVG or PNG file of at most 32 kB, relative to the folder of the configuration.",
          ),
        accent: formed(/^(?:#(?:[0-9a-f]{3}|[0-9a-f]{6}))?$/iu, "a colour of 3 or 6 hexadecimal digits: #0b57c2")
          .default("")
          .describe(
            "Colour of links: three or six hexadecimal digits, `#0b57c2`. It is darkened or lightened where text in it could not be read.",
          ),
      })
      .prefault({})
      .describe("How pages present the project. Everybody who sees any page sees it."),
    limits: z
      .strictObject({
        maxFileBytes: whole(1, 268_435_456)
          .default(10_485_760)
          .describe("Largest file that is read, in bytes; larger ones are skipped and reported."),
        maxFiles: whole(1, 10_000_000)
          .default(200_000)
          .describe("Most files of one collection; those after it in path order are skipped and reported."),
      })
      .prefault({})
      .describe("Bounds on what one build reads."),
    facets: z
      .strictObject({
        include: facetKeys(RESERVED_FACET_KEYS).describe("Keys that are facets even with many values."),
        exclude: facetKeys(["collection"]).describe("Keys that are never facets."),
      })
      .superRefine(({ include, exclude }, context) => {
        for (const [at, key] of exclude.entries()) {
          if (!include.includes(key)) continue;
          const message = `${quoteValue(key)} is in facets.include as well`;
          context.addIssue({ code: "custom", path: ["exclude", at], message });
        }
      })
      .prefault({})
      .describe("Facet keys forced in or out, whatever their number of values."),
    ranking: z
      .strictObject({
        preset: z
          .enum(RANKING_PRESETS)
          .default("tutorials")
          .describe("Settings for one kind of corpus. `tutorials` is the default ranking."),
        ...RANKING,
      })
      .prefault({})
      .describe("How hits are ranked: a preset, and settings that differ from it."),
    precise: z
      .enum(["auto", "off"])
      .default("auto")
      .describe(
        "Whether a compiler's checker is asked what names in source files mean, where there is one: `auto` = TypeScript's own in TypeScript and JavaScript, see docs/compilers-and-linters.md. `off` = edges come from syntax, and from what `--scip` gives.",
      ),
    graph: GRAPH.prefault({}).describe("What the graph of imports and links is made of, and what its summary shows."),
    scan: z
      .strictObject({
        ignore: z
          .array(
            z.strictObject({
              rule: z
                .enum(["secret", "suspicious-instruction", "hidden-text"] as readonly string[])
                .default("")
                .describe("Rule whose findings are allowed. Left out: all of the scan."),
              path: checkedGlob.describe("Glob of files, relative to the root of their collection."),
            }),
          )
          .default([])
          .describe("Findings that are allowed and not reported."),
      })
      .prefault({})
      .describe("The scan for secrets, instructions to models and hidden text."),
    roles: z
      .record(checkedGlob, z.enum(ROLES))
      .default({})
      .describe(
        "What files are to somebody who looks for the product, by globs relative to the root of their collection; the last that fits decides. Lists show `production` first and count the others. Without an entry paths, `.gitattributes` and marks in the files tell.",
      ),
    failOn: z
      .array(z.string().min(1).max(200).superRefine(faultless(findFailOnFault)))
      .default([])
      .describe(
        "Findings that make `treeline build` exit with 1: rules, sources or severities. `warning` takes errors along, `info` all findings; `skipped` stands for files that were skipped.",
      ),
    glossary: namedFile
      .prefault("")
      .describe(
        "File with terms and their synonyms (`glossary.schema.json`), relative to the folder of the configuration. Empty: `glossary.json` where there is one.",
      ),
    thesaurus: z
      .boolean()
      .default(true)
      .describe(
        "Whether a search in English finds what docs call by another common word of developers, such as `loading indicator` for `spinner`: the thesaurus that is shipped.",
      ),
    expand: z
      .strictObject({
        command: z
          .array(z.string().min(1))
          .default([])
          .describe(
            "Program and arguments, run without a shell in the folder of the configuration, and only with `--allow-commands`. Empty: none.",
          ),
        seconds: whole(1, 86_400).default(600).describe("Longest time that it may take."),
        terms: whole(1, 64).default(16).describe("Most terms that a section gets."),
      })
      .prefault({})
      .describe("A command that adds terms to sections: what readers ask with and pages do not say."),
    categories: namedFile
      .prefault("")
      .describe(
        "File with categories (`categories.schema.json`), relative to the folder of the configuration. Empty: `categories.json` where there is one.",
      ),
    categoriesFrom: z
      .array(z.enum(CATEGORY_SOURCES))
      .min(1)
      .default([...CATEGORY_SOURCES])
      .describe(
        "What makes categories: the file with categories, names in frontmatter, folders, packages of source files. A document is also in a category that its folder or package is called like, whatever made that.",
      ),
  })
  .meta({
    title: CONFIG_FILE_NAME,
    description:
      "What Treeline indexes, and how. Comments and trailing commas are allowed. Every key has a default except a collection's name.",
  });

type Deep<T> = T extends object ? { readonly [Key in keyof T]: Deep<T[Key]> } : T;
type Written = Deep<Omit<z.output<typeof CONFIG>, "$schema">>;

export interface CollectionConfig extends Deep<z.output<typeof COLLECTION>> {
  /** Whether its pages may name symbols: set by `loadConfig` where a collection is of kind `code`. */
  readonly namesSymbols?: true;
  /** Whether minified files are skipped: set by `loadConfig` where it chose the collection. Others decide by `exclude`. */
  readonly skipsMinified?: true;
  /** Keys of a built site that the configuration gives: pages do not decide them. */
  readonly given?: readonly string[];
  /** Lines that most pages of a built site have, and the collection that its pages were one with: set by `findCorpus`. */
  readonly chrome?: readonly string[];
  readonly partOf?: string;
}

/** What the root says of the project, and its logo for the build log. */
export interface ProjectFace {
  readonly project: NonNullable<Root["project"]>;
  readonly picture?: { readonly logo: string };
}

export interface TreelineConfig extends Written {
  readonly collections: readonly CollectionConfig[];
  /** Whether commands run: set by the caller of a build, never by a file. */
  readonly commandsAllowed?: true;
  /** How pages present the project; set by `loadConfig`, absent where nothing is known of it. */
  readonly face?: ProjectFace;
  /** What collections that were chosen by what the folder holds leave out, in words; absent for nothing. */
  readonly leftOut?: string;
}

export type AnchorStyle = CollectionConfig["anchors"];
export type LimitsConfig = TreelineConfig["limits"];
export type GraphConfig = TreelineConfig["graph"];

/** The defaults of all settings, with one collection `docs` of the folder's Markdown. */
export function defaultConfig(): TreelineConfig {
  return parseConfig("{}");
}

/**
 * The configuration in `dir`, or the default one when there is no such file.
 *
 * @param file Another file that holds the configuration. What it names is relative to `dir` all the same.
 * @returns `isChosen`: it leaves the collections to be chosen. `describeFaults`: the error for values that only the folder shows to be wrong.
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export async function readConfig(dir: string, file?: string) {
  const text = file === undefined ? await readSettingsFile(dir, CONFIG_FILE_NAME) : await readNamedConfig(file);
  const { config, given, describeFaults } = parseGivenConfig(text ?? "{}", file);
  const collections = await Promise.all(
    config.collections.map(async (collection, at) =>
      given[at] === undefined || "version" in given[at]
        ? collection
        : { ...collection, version: await readPackageVersion(dir, collection) },
    ),
  );
  const found: TreelineConfig = { ...config, collections };
  return { config: found, isChosen: given.length === 0, describeFaults };
}

/**
 * The configuration in the text of a file. No disk is read: a version that comes from a package stays `""`.
 *
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export function parseConfig(text: string): TreelineConfig {
  return parseGivenConfig(text).config;
}

/** The configuration, and its collections as they were written. */
function parseGivenConfig(source: string, file: string = CONFIG_FILE_NAME) {
  const { value, given, describeFaults } = checkSettings(parseSyntax(source, file), CONFIG, file, "the configuration");
  const { $schema: _, ...config } = value;
  const collections = config.collections.map((collection, at) => {
    const said = given.collections?.[at] ?? {};
    const usual = Object.entries(KIND_DEFAULTS[collection.kind]).filter(([key]) => !(key in said));
    const written = collection.kind === "site" && { given: Object.keys(said) };
    return { ...collection, ...Object.fromEntries(usual), baseUrl: normaliseBase(collection), ...written };
  });
  return { config: { ...config, collections }, given: given.collections ?? [], describeFaults };
}

/** A folder in its shortest spelling: `docs/./api/../guide/` becomes `docs/guide`; what leads out keeps its leading `..`. */
export function normaliseFolder(folder: string): string {
  return posix.normalize(folder).replace(/\/$/, "") || ".";
}

/** Pages of a built site have addresses on it even where nothing says what site that is. */
function normaliseBase({ kind, baseUrl }: Pick<CollectionConfig, "kind" | "baseUrl">): string {
  if (kind === "site" && !/^https?:/i.test(baseUrl)) return `/${baseUrl.replace(/^\/+|\/+$/g, "")}/`.replace("//", "/");
  return baseUrl === "" ? "" : `${normaliseAddress(baseUrl)}/`;
}

function normaliseAddress(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** Names must differ in more than their case: documents and filters go by them. */
function checkNames(collections: readonly unknown[], context: z.RefinementCtx): void {
  const first = new Map<string, number>();
  for (const [at, collection] of (Array.isArray(collections) ? collections : []).entries()) {
    const name: unknown = typeof collection === "object" && collection !== null ? collection.name : undefined;
    if (typeof name !== "string") continue;
    const other = first.get(name.toLowerCase());
    if (other === undefined) first.set(name.toLowerCase(), at);
    else {
      const message = `${quoteValue(name)} is taken by collections[${other}]`;
      context.addIssue({ code: "custom", path: [at, "name"], message });
    }
  }
}

function findFailOnFault(name: string): string | undefined {
  if (isFailOnName(name)) return undefined;
  return `is no rule, source or severity${suggest(nearestNames(name, FAIL_ON_NAMES, 1), FAIL_ON_NAMES, "it takes")}`;
}

function findPathFault(path: string): string | undefined {
  if (path.includes("\\")) return 'holds a backslash; write "/" between folders';
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path) || path.startsWith("~/")) {
    return `is an absolute path; it must be relative to the folder of ${CONFIG_FILE_NAME}`;
  }
  if (normaliseFolder(path).split("/").includes("..")) return `leads out of the folder of ${CONFIG_FILE_NAME}`;
  return path.includes("\0") ? "holds a NUL character" : undefined;
}

function findAddressFault(address: string): string | undefined {
  if (address === "") return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(address)) {
    return "is not a web address; it starts with https:// or http://";
  }
  if (url.username !== "" || url.password !== "") return "holds a user name or password, which would be published";
  return url.search !== "" || url.hash !== "" ? "must end before ? and #" : undefined;
}

/** Longest version label; a longer text is not a version. */
const MAX_VERSION_LENGTH = 100;

/** The version of the one package that the collection reads, or `""`. */
async function readPackageVersion(
  dir: string,
  collection: { readonly root: string; readonly include: readonly string[] },
): Promise<string> {
  const packages = new Set(
    collection.include.map((glob) => findPackageFolder(`${collection.root}/${literalPathOf(glob)}`)),
  );
  const [folder] = packages;
  if (packages.size !== 1 || folder === undefined) return "";
  const manifest = parseJson(await readFile(join(dir, folder, "package.json"), "utf8").catch(onFsError(() => "")));
  const version = isRecord(manifest) ? manifest["version"] : "";
  return typeof version === "string" && version.length <= MAX_VERSION_LENGTH && isOneLine(version)
    ? version.trim()
    : "";
}

/** `node_modules/@scope/name/dist` gives `node_modules/@scope/name`; the innermost package counts. */
function findPackageFolder(path: string): string | undefined {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  const start = segments.lastIndexOf("node_modules");
  const name = segments[start + 1];
  const length = name?.startsWith("@") ? 2 : 1;
  if (start < 0 || segments.length < start + 1 + length) return undefined;
  return segments.slice(0, start + 1 + length).join("/");
}
