/** Tools that make sites: how to recognise each by its files, and what of it to index. A further tool is an entry of `TOOLS`. */

import { posix } from "node:path";
import { isRecord, pick } from "../../../src/core/parse-text.ts";
import { type Language, languageOfCode } from "../../../src/core/text/language.ts";
import { readJson } from "../../base/file-system.ts";
import { type AnchorStyle, normaliseFolder } from "../../config/config.ts";
import {
  asCall,
  below,
  dependenciesOf,
  type ProjectFolder,
  readJsonSettings,
  readLiterals,
  readTomlSettings,
  readYamlSettings,
  type Settings,
  textOf,
  textsOf,
  toSettings,
} from "./project-files.ts";

export interface PlannedCollection {
  /** Name that is wished for; one that is taken gets a number. */
  readonly name: string;
  readonly kind?: "code" | "site";
  /** Folder from the project's folder, `""` for that itself. */
  readonly root: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly weight?: number;
  /** Address that pages start with; `""` where the site says none. Undefined where paths do not tell addresses. */
  readonly baseUrl?: string;
  /** What stands between the site's host and paths, `docs/`, for who knows the host. */
  readonly behind?: string;
  readonly version?: string;
  readonly anchors?: AnchorStyle;
  readonly language?: Language;
}

export interface DocsSite {
  readonly tool: string;
  readonly file: string;
  readonly collections: readonly PlannedCollection[];
  /** What its pages' addresses or parts need a person for, in sentences. */
  readonly notes?: readonly string[];
  /** Folder that holds nothing but the site; undefined where it shares its folder with the project. */
  readonly folder?: string;
  /** How its built pages are searched; undefined where a tool builds none on this machine. */
  readonly static?: StaticSite;
}

interface StaticSite extends Builds {
  readonly output: string;
  readonly base: string;
  readonly collection: PlannedCollection & { readonly files: number; readonly from: string; readonly file: string };
}

interface SitePlace {
  readonly project: ProjectFolder;
  readonly folder: string;
  /** The first of the tool's files that is there; `""` where a tool is recognised without. */
  readonly file: string;
  /** Data of that file: what is exported, of one in JavaScript. */
  readonly settings: Settings;
}

type FoundSite = Omit<DocsSite, "tool" | "file"> & Partial<Pick<DocsSite, "tool" | "file">>;

interface DocsTool {
  readonly tool: string;
  /** Paths of its configuration, the first that is there counts. */
  readonly files: readonly string[];
  /** Asks also where none of the files is there. */
  readonly needsNoFile?: true;
  /** How it builds: its command, the folder that it writes, and the lines that add Treeline's plugin. */
  readonly builds?: (settings: Settings, folder: string) => Builds;
  readonly find: (place: SitePlace) => FoundSite | undefined;
}

interface Builds {
  readonly build: string;
  readonly output: unknown;
  /** Name of the package's module, and lines for the tool's configuration, where there is a plugin. */
  readonly plugin?: { readonly module: string; readonly lines: readonly string[] };
}

/** Hosts that stand in templates, and those of one machine. */
const NO_SITE =
  /(^|\.)example(\.[a-z]+)?$|(^|\.)example\.(com|org|net)$|^localhost$|^127\.|^0\.0\.0\.0$|\.(local|test|invalid)$/;

/** Languages that are cut into words without a stemmer of their own; words of English in them are stemmed. */
const WITHOUT_SPACES = ["zh", "ja", "ko", "th", "lo", "km", "my"];

/** Setting for a language by its code: nothing for English, `none` for languages without a stemmer. */
function languageSetting(code: unknown): { readonly language?: Language } {
  const text = textOf(code)?.toLowerCase() ?? "";
  const language = languageOfCode(text) ?? (/^[a-z]{2}(?:[-_]|$)/.test(text) ? "none" : "english");
  return language === "english" || WITHOUT_SPACES.includes(text.slice(0, 2)) ? {} : { language };
}

const UNKNOWN_SITE = "https://site.org";

/** Address of a site's pages: its own, with paths behind it. `""` where none is said, or only that of a template. */
export function siteAddress(site: unknown, ...paths: readonly unknown[]): string {
  const text = textOf(site);
  if (text === undefined || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return "";
  const url = new URL(text);
  if (NO_SITE.test(url.hostname) || url.username !== "" || url.password !== "") return "";
  const parts = [url.pathname, ...paths.map((path) => textOf(path) ?? "")].flatMap((path) => path.split("/"));
  const kept = parts.filter((part) => part !== "" && part !== ".");
  return `${url.origin}/${kept.map((part) => `${part}/`).join("")}`;
}

/** Settings for addresses of pages: what is known of them, and the path behind the host where only that is. */
function addressSettings(site: unknown, ...paths: readonly unknown[]) {
  const baseUrl = siteAddress(site, ...paths);
  const behind = siteAddress(UNKNOWN_SITE, textOf(site)?.startsWith("/") === true ? site : "", ...paths);
  return { baseUrl, behind: behind.slice(UNKNOWN_SITE.length + 1) };
}

function findFile(project: ProjectFolder, folder: string, paths: readonly string[]): string | undefined {
  return paths.map((path) => below(folder, path)).find((path) => isFile(project, path));
}

function isFile(project: ProjectFolder, path: string): boolean {
  const cut = path.lastIndexOf("/");
  return project.names(path.slice(0, Math.max(cut, 0))).includes(path.slice(cut + 1)) && !project.isFolder(path);
}

function findFolder(project: ProjectFolder, folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => below(folder, name)).find((path) => project.isFolder(path));
}

function scripts(name: string, endings = ["ts", "mts", "js", "mjs", "cts", "cjs"]): string[] {
  return endings.map((ending) => `${name}.${ending}`);
}

function settingsFiles(name: string): string[] {
  return ["toml", "yaml", "yml", "json"].map((ending) => `${name}.${ending}`);
}

/** A note where a site's pages are at `/a.html` and results lead to `/a`, which many hosts take for the same. */
function describeEndings(because: string): string {
  return `${because}: its pages are at addresses with .html, and results lead to those without; look whether your host answers them.`;
}

/** Anchors are VitePress's own, addresses the paths. A site needs no configuration: the folder of what dev or build leave tells as much. */
const vitepress: DocsTool = {
  tool: "VitePress",
  files: [...scripts(".vitepress/config"), ...scripts(".vitepress/config/index")],
  needsNoFile: true,
  builds: ({ outDir }, folder) => ({
    build: `npx vitepress build${folder === "" ? "" : ` ${folder}`}`,
    output: outDir ?? ".vitepress/dist",
    plugin: { module: "vitepress", lines: ["vite: { plugins: [treeline()] },"] },
  }),
  find({ project, folder, file, settings }) {
    const own = below(folder, ".vitepress");
    if (file === "" && !project.isFolder(own)) return undefined;
    const exclude = textsOf(settings.srcExclude);
    const host = pick(settings, "sitemap", "hostname");
    return {
      file: file || own,
      collections: splitByLanguage(
        project,
        {
          name: "docs",
          root: folderAt(folder, settings.srcDir, ""),
          ...(exclude.length > 0 && { exclude }),
          ...addressSettings(host, baseBehind(host, settings.base)),
          anchors: "vitepress",
        },
        settings.locales,
        settings.lang,
      ),
      notes: [
        ...(settings.rewrites === undefined
          ? []
          : ["`rewrites` of VitePress change addresses of pages; links to those pages miss."]),
        ...(settings.cleanUrls === true ? [] : [describeEndings("VitePress has no `cleanUrls: true`")]),
      ],
    };
  },
};

const UNSTEMMED = /^(?:en|zh|ja|ko)\b/;
const LANGUAGE_FOLDER = /^[a-z]{2}(?:-[A-Za-z]{2,4})?$/;

/** A collection for each language of a site whose translations are folders: those of its settings, else those that are called like languages, where the site's own is one of them. */
function splitByLanguage(
  project: ProjectFolder,
  all: PlannedCollection,
  locales: unknown,
  own: unknown,
): PlannedCollection[] {
  const code = textOf(own) ?? "en";
  const there = project.names(all.root).filter((name) => project.isFolder(below(all.root, name)));
  const named = there.filter((name) => isRecord(locales) && Object.hasOwn(locales, name));
  const alike = there.filter(
    (name) => LANGUAGE_FOLDER.test(name) && (UNSTEMMED.test(name) || languageSetting(name).language !== undefined),
  );
  const folders = named.length > 0 ? named : alike.includes(code.split("-")[0] ?? "") ? alike : [];
  if (folders.length === 0 || (named.length === 0 && folders.length < 2)) return [{ ...all, ...languageSetting(code) }];
  const rest = { ...all, exclude: [...(all.exclude ?? []), ...folders.map((folder) => `${folder}/**`)] };
  return [
    { ...rest, ...languageSetting(code) },
    ...folders.map((folder) => ({
      ...all,
      name: `${all.name}-${folder}`,
      root: below(all.root, folder),
      ...(all.baseUrl && { baseUrl: `${all.baseUrl}${folder}/` }),
      ...(all.behind !== undefined && { behind: `${all.behind}${folder}/` }),
      ...languageSetting(pick(locales, folder, "lang") ?? folder),
    })),
  ];
}

/** `base`, where the name of the host does not end in it already, as some write it. */
function baseBehind(host: unknown, base: unknown): string {
  const path = typeof base === "string" ? base.replace(/^\/+|\/+$/g, "") : "";
  const ends = typeof host === "string" && host.replace(/\/+$/, "").endsWith(`/${path}`);
  return ends ? "" : path;
}

/** Anchors are those of Python-Markdown, unless the settings name another function for them: the one that is used (pymdownx) keeps all letters, as GitHub does. */
const mkdocs: DocsTool = {
  tool: "MkDocs",
  files: ["mkdocs.yml", "mkdocs.yaml"],
  builds: ({ site_dir }) => ({ build: "mkdocs build", output: site_dir ?? "site" }),
  find({ folder, settings }) {
    const isMaterial = settings.theme === "material" || pick(settings, "theme", "name") === "material";
    const extensions: unknown[] = [settings.markdown_extensions].flat();
    const hasOwnSlugs = extensions.some((one) =>
      ["toc", "markdown.extensions.toc"].some((name) => pick(one, name, "slugify") !== undefined),
    );
    return {
      tool: isMaterial ? "Material for MkDocs" : "MkDocs",
      collections: [
        {
          name: "docs",
          root: folderAt(folder, settings.docs_dir, "docs"),
          ...addressSettings(settings.site_url),
          ...(!hasOwnSlugs && { anchors: "mkdocs" as const }),
          ...languageSetting(pick(settings, "theme", "language") ?? pick(settings, "theme", "locale")),
        },
      ],
      ...(settings.use_directory_urls === false && {
        notes: [describeEndings("MkDocs has `use_directory_urls: false`")],
      }),
    };
  },
};

/** The folder of the chapters. Anchors are GitHub's; the host is in no setting. */
const mdbook: DocsTool = {
  tool: "mdBook",
  files: ["book.toml"],
  builds: (settings) => ({ build: "mdbook build", output: settings["build.build-dir"] ?? "book" }),
  find({ project, folder, settings }) {
    const root = folderAt(folder, settings["book.src"], "src");
    // The table of contents names every chapter and says nothing about any.
    const hasContents = isFile(project, below(root, "SUMMARY.md"));
    return {
      collections: [
        {
          name: "docs",
          root,
          ...(hasContents && { exclude: ["SUMMARY.md"] }),
          ...addressSettings(settings["output.html.site-url"]),
          ...languageSetting(settings["book.language"]),
        },
      ],
      notes: [describeEndings("mdBook makes a file of each chapter")],
    };
  },
};

/** The folder of `docs.json`, or of `mint.json` as it was called before. */
const mintlify: DocsTool = {
  tool: "Mintlify",
  files: ["docs.json", "mint.json"],
  find({ project, folder, file, settings }) {
    const isNamed = /mintlify/.test(textOf(settings.$schema) ?? "") || file.endsWith("mint.json");
    if (!isNamed || settings.navigation === undefined) return undefined;
    const hasSnippets = project.isFolder(below(folder, "snippets"));
    const exclude = hasSnippets && { exclude: ["snippets/**"] };
    return { collections: [{ name: "docs", root: folder, ...exclude, ...addressSettings(settings.url) }] };
  },
};

/** Starlight, the docs of Astro, and Astro with other pages of Markdown. Anchors are GitHub's. */
const astro: DocsTool = {
  tool: "Astro",
  files: scripts("astro.config", ["mjs", "ts", "mts", "js", "cjs", "cts"]),
  builds: ({ outDir }) => ({
    build: "npx astro build",
    output: outDir ?? "dist",
    plugin: { module: "astro", lines: ["integrations: [treeline()],"] },
  }),
  find({ project, folder, file, settings }) {
    const { calls } = readLiterals(project.read(file) ?? "");
    const source = folderAt(folder, settings.srcDir, "src");
    const packages = dependenciesOf(readJsonSettings(project, below(folder, "package.json")));
    const integrations: unknown[] = Array.isArray(settings.integrations) ? settings.integrations : [];
    const options =
      integrations.map(asCall).find((call) => call?.called === "starlight")?.given[0] ?? calls.get("starlight");
    if (options === undefined && !packages.has("@astrojs/starlight")) {
      const root = findFolder(project, source, ["content", "pages"]);
      return root === undefined ? undefined : { collections: [{ name: "docs", root }], folder: "" };
    }
    // The default locale is a code, or `root`, whose `lang` is the code.
    const locale = textOf(pick(options, "defaultLocale")) ?? "root";
    const code = textOf(pick(options, "locales", locale, "lang")) ?? (locale === "root" ? "en" : locale);
    const root = below(source, "content/docs");
    const address = addressSettings(settings.site, settings.base);
    const docs = { name: "docs", root, ...address };
    return { tool: "Starlight", collections: splitByLanguage(project, docs, pick(options, "locales"), code) };
  },
};

/**
 * Nextra, the docs of Next.js, and Next.js with pages of Markdown: the first of `content`, `pages` and `app` that is
 * there. Anchors are GitHub's. Addresses are in no setting but for the part behind the host.
 */
const next: DocsTool = {
  tool: "Next.js",
  files: scripts("next.config", ["js", "mjs", "ts", "cjs", "mts"]),
  needsNoFile: true,
  builds: () => ({ build: "npx next build", output: "out" }),
  find({ project, folder, file, settings }) {
    const manifest = below(folder, "package.json");
    const packages = dependenciesOf(readJsonSettings(project, manifest));
    const isNextra = packages.has("nextra");
    if (!isNextra && !packages.has("next") && file === "") return undefined;
    const shared = { file: file || manifest, ...(isNextra ? { tool: "Nextra" } : { folder: "" }) };
    const root = findFolder(project, folder, ["content", "src/content", "pages", "src/pages"]);
    if (root !== undefined) {
      const { calls } = readLiterals(project.read(file) ?? "");
      const behind = addressSettings("", settings.basePath, calls.get("nextra")?.contentDirBasePath);
      return { ...shared, collections: [{ name: "docs", root, ...behind }] };
    }
    // The address of `app/guide/page.mdx` is /guide: its path does not tell.
    const app = findFolder(project, folder, ["app", "src/app"]);
    return app === undefined ? undefined : { ...shared, collections: [{ name: "docs", root: app }] };
  },
};

/** The content folder. Anchors are GitHub's by default. A `config.toml` is Hugo's only beside such a folder. */
const hugo: DocsTool = {
  tool: "Hugo",
  files: [
    ...settingsFiles("hugo"),
    ...settingsFiles("config/_default/hugo"),
    ...settingsFiles("config/_default/config"),
    ...settingsFiles("config"),
  ],
  builds: ({ publishDir }) => ({ build: "hugo", output: publishDir ?? "public" }),
  find({ project, folder, settings }) {
    // Hugo takes keys whatever their case.
    const lower: Settings = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [key.toLowerCase(), value]),
    );
    const root = folderAt(folder, lower.contentdir, "content");
    if (!project.isFolder(root)) return undefined;
    const language = languageSetting(lower.defaultcontentlanguage ?? lower.languagecode);
    return {
      collections: [{ name: "docs", root, ...addressSettings(lower.baseurl), ...language }],
      notes: [
        "Pages of Hugo with `url`, `slug` or `permalinks`, and `_index.md`, have addresses that their paths do not tell.",
      ],
    };
  },
};

/** Sphinx, with pages of reStructuredText or Markdown (MyST). */
const sphinx: DocsTool = {
  tool: "Sphinx",
  files: ["conf.py"],
  builds: () => ({ build: "sphinx-build . _build/html", output: "_build/html" }),
  find({ project, folder, file }) {
    const settings = project.read(file) ?? "";
    if (!/^(?:extensions|html_theme|master_doc|root_doc)\s*=/m.test(settings)) return undefined;
    const isMyst = /["'](?:myst_parser|myst_nb)["']/.test(settings);
    return {
      collections: [{ name: "docs", root: folder, exclude: ["_build/**"], baseUrl: "" }],
      ...(isMyst && { notes: ["Anchors of headings in Markdown are those of `myst_heading_anchors`."] }),
    };
  },
};

/** Jekyll, as GitHub Pages run it: all Markdown of the folder; posts apart, their paths do not tell their addresses. */
const jekyll: DocsTool = {
  tool: "Jekyll",
  files: ["_config.yml", "_config.yaml"],
  builds: ({ destination }) => ({ build: "bundle exec jekyll build", output: destination ?? "_site" }),
  find({ project, folder, settings }) {
    // Jupyter Book has a file of the same name, and a table of contents that Jekyll has not.
    if (isFile(project, below(folder, "_toc.yml"))) return undefined;
    const posts = below(folder, "_posts");
    const language = languageSetting(settings.lang);
    const address = addressSettings(settings.url, settings.baseurl);
    // Jekyll makes no pages of these.
    const pages = { name: "docs", root: folder, exclude: ["_*/**", "vendor/**"], ...address, ...language };
    const blog = { name: "blog", root: posts, weight: 0.5, ...language };
    return { collections: project.isFolder(posts) ? [pages, blog] : [pages] };
  },
};

const DOCS_PLUGINS = ["@docusaurus/plugin-content-docs", "content-docs"];
/** Docusaurus makes no pages of files and folders that begin with `_`. */
const PARTIALS = ["**/_*", "**/_*/**"];
/** Older versions say nearly the same as the newest, and come behind it. */
const OLD_WEIGHT = 0.5;
const MAX_VERSIONS = 5;

const docusaurus: DocsTool = {
  tool: "Docusaurus",
  files: scripts("docusaurus.config"),
  builds: () => ({
    build: "npx docusaurus build",
    output: "build",
    plugin: { module: "docusaurus", lines: ['plugins: ["treeline/docusaurus"],'] },
  }),
  find({ project, folder, settings: exported }) {
    const site = {
      address: [exported.url, exported.baseUrl] as const,
      ...languageSetting(pick(exported, "i18n", "defaultLocale")),
    };
    const preset = presetOptions(exported);
    const notes: string[] = [];
    const collections: PlannedCollection[] = [];
    if (preset.docs !== false) collections.push(...docsOf(project, folder, preset.docs, "default", site, notes));
    for (const options of pluginOptions(exported)) {
      collections.push(...docsOf(project, folder, options, textOf(pick(options, "id")) ?? "docs", site, notes));
    }
    const blog = folderAt(folder, pick(preset.blog, "path"), "blog");
    if (preset.blog !== false && project.isFolder(blog)) {
      const { address: _, ...language } = site;
      collections.push({ name: "blog", root: blog, exclude: PARTIALS, weight: OLD_WEIGHT, ...language });
    }
    const usual = textOf(pick(exported, "i18n", "defaultLocale")) ?? "en";
    const locales = textsOf(pick(exported, "i18n", "locales")).filter((locale) => locale !== usual);
    collections.push(...locales.flatMap((locale) => translationsOf(project, folder, collections, locale, exported)));
    return { collections, notes };
  },
};

interface Site {
  readonly address: readonly [url: unknown, baseUrl: unknown];
  readonly language?: PlannedCollection["language"];
}

function docsOf(
  project: ProjectFolder,
  folder: string,
  options: unknown,
  id: string,
  { address, language }: Site,
  notes: string[],
): PlannedCollection[] {
  const name = id === "default" ? "docs" : id;
  const root = folderAt(folder, pick(options, "path"), "docs");
  const route = textOf(pick(options, "routeBasePath")) ?? "docs";
  const shared = { exclude: PARTIALS, ...(language !== undefined && { language }) };
  const page = (...parts: string[]) => addressSettings(...address, route, ...parts);
  const prefix = id === "default" ? "" : `${id}_`;
  const versions = textsOf(readJson(project.read(below(folder, `${prefix}versions.json`)) ?? "").value);
  const [newest] = versions;
  if (project.names(root).some((name) => /^\d+[-_. ]+\D/.test(name))) {
    notes.push(
      `Docusaurus leaves numbers out of addresses (01-intro.md is /intro); links to such pages in ${root} miss.`,
    );
  }
  if (newest === undefined) return [{ name, root, ...page(), ...shared }];
  const lastVersion = textOf(pick(options, "lastVersion")) ?? newest;
  const hasCurrent = lastVersion === "current" || pick(options, "includeCurrentVersion") !== false;
  const shown = new Set([lastVersion, ...(hasCurrent ? ["current"] : []), ...versions.slice(0, MAX_VERSIONS)]);
  const left = versions.filter((version) => !shown.has(version));
  if (left.length > 0) notes.push(`${left.length} older versions are left out: ${left.join(", ")}.`);
  return [...shown].map((version): PlannedCollection => {
    const label = version === "current" ? "next" : version;
    const isLast = version === lastVersion;
    return {
      name: isLast ? name : `${name}-${label}`,
      root: version === "current" ? root : below(folder, `${prefix}versioned_docs/version-${version}`),
      ...page(textOf(pick(options, "versions", version, "path")) ?? (isLast ? "" : label)),
      version: label,
      ...(!isLast && { weight: OLD_WEIGHT }),
      ...shared,
    };
  });
}

function translationsOf(
  project: ProjectFolder,
  folder: string,
  [docs]: readonly PlannedCollection[],
  locale: string,
  { url, baseUrl }: Settings,
): PlannedCollection[] {
  if (docs === undefined) return [];
  const version = docs.root.includes("versioned_docs/") ? `version-${docs.version}` : "current";
  const root = below(folder, `i18n/${locale}/docusaurus-plugin-content-docs/${version}`);
  if (!project.isFolder(root)) return [];
  const route = (docs.behind ?? "").slice(addressSettings("", baseUrl).behind.length);
  const { language: _, ...shared } = docs;
  const code = languageSetting(locale);
  return [
    { ...shared, name: `${docs.name}-${locale}`, root, ...addressSettings(url, baseUrl, locale, route), ...code },
  ];
}

function presetOptions(exported: Settings): Settings {
  for (const preset of Array.isArray(exported.presets) ? exported.presets : []) {
    if (Array.isArray(preset) && /(^|\/)(preset-)?classic$/.test(textOf(preset[0]) ?? "")) return toSettings(preset[1]);
  }
  return {};
}

function pluginOptions(exported: Settings): unknown[] {
  const plugins: unknown[] = Array.isArray(exported.plugins) ? exported.plugins : [];
  return plugins.flatMap((plugin) =>
    Array.isArray(plugin) && DOCS_PLUGINS.includes(textOf(plugin[0]) ?? "") ? [plugin[1] as unknown] : [],
  );
}

/** In order: those whose files can mean nothing else come first, one folder has one tool. */
const TOOLS: readonly DocsTool[] = [docusaurus, vitepress, mkdocs, mdbook, mintlify, astro, next, hugo, sphinx, jekyll];

/** The site in a folder of a project, of the first tool that has one with pages there. */
export function findSite(project: ProjectFolder, folder: string): DocsSite | undefined {
  for (const { tool, files, needsNoFile, builds, find } of TOOLS) {
    const file = findFile(project, folder, files);
    if (file === undefined && needsNoFile !== true) continue;
    const settings = file === undefined ? {} : readSettings(project, file);
    const found = find({ project, folder, file: file ?? "", settings });
    if (found?.collections.some(({ root }) => project.isFolder(root)) !== true) continue;
    const { folder: own = folder, ...rest } = found;
    const site = { tool, file: file ?? "", ...rest, ...(own !== "" && { folder: own }) };
    return builds === undefined ? site : { ...site, static: describeStatic(site, builds(settings, folder), folder) };
  }
  return undefined;
}

const STARLIGHT_PLUGIN = { module: "starlight", lines: ["starlight({ plugins: [treeline()] }),"] };

function describeStatic(
  { tool, file, collections }: DocsSite,
  { build, output, plugin }: Builds,
  folder: string,
): StaticSite {
  const { behind = "", baseUrl = "" }: Partial<PlannedCollection> = collections[0] ?? {};
  const base = baseUrl === "" ? `/${behind}` : new URL(baseUrl).pathname;
  const root = folderAt(folder, output, "dist");
  const shared = { name: "site", kind: "site" as const, root, files: 0, from: tool, file };
  const own = tool === "Starlight" ? STARLIGHT_PLUGIN : plugin;
  return {
    ...{ build, output: root, base },
    ...(own !== undefined && { plugin: own }),
    collection: { ...shared, ...(base !== "/" && { baseUrl: base }) },
  };
}

/** A folder that settings in `folder` name, as a path of the project; `usual` where they name none inside of it. */
function folderAt(folder: string, value: unknown, usual: string): string {
  const text = textOf(value);
  const isRelative = text !== undefined && !/^\/|[\\\0]|^[A-Za-z]:/.test(text);
  const path = normaliseFolder(posix.join(folder, isRelative ? text : usual));
  if (path.split("/")[0] === "..") return below(folder, usual);
  return path === "." ? "" : path;
}

/** Settings of a file by its ending: of a script, what it exports. */
function readSettings(folder: ProjectFolder, path: string): Settings {
  if (/\.[cm]?[jt]s$/.test(path)) return readLiterals(folder.read(path) ?? "").exported;
  if (path.endsWith(".toml")) return readTomlSettings(folder, path);
  if (path.endsWith(".json")) return readJsonSettings(folder, path);
  return /\.ya?ml$/.test(path) ? readYamlSettings(folder, path) : {};
}
