/**
 * Docusaurus: the docs of the preset or of plugins, each with its versions, and the blog.
 *
 * The newest version is served without a name in its address, the pages of the current folder as `next` beside it, as
 * Docusaurus does when nothing else is said. Anchors are GitHub's.
 */
import { readJson } from "../../base/read-json.ts";
import { addressSettings, type DocsTool, languageSetting, type PlannedCollection, scripts } from "./docs-tool.ts";
import { below, folderAt, type ProjectFolder, pick, textOf, textsOf, toSettings } from "./project-files.ts";
import type { Settings } from "./read-literals.ts";

const DOCS_PLUGINS = ["@docusaurus/plugin-content-docs", "content-docs"];
/** Docusaurus makes no pages of files and folders that begin with `_`. */
const PARTIALS = ["**/_*", "**/_*/**"];
/** Older versions say nearly the same as the newest, and come behind it. */
const OLD_WEIGHT = 0.5;
const MAX_VERSIONS = 5;

/** Rules for Docusaurus. */
export const docusaurus: DocsTool = {
  tool: "Docusaurus",
  files: scripts("docusaurus.config"),
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
    const locales = textsOf(pick(exported, "i18n", "locales"));
    if (locales.length > 1)
      notes.push(`Translations (${locales.slice(1).join(", ")}) are left out; they are folders below i18n.`);
    return { collections, notes };
  },
};

interface Site {
  readonly address: readonly [url: unknown, baseUrl: unknown];
  readonly language?: PlannedCollection["language"];
}

/** Collections of one docs plugin: one, or one for each version. */
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
  if (hasNumbers(project, root)) {
    notes.push(
      `Docusaurus leaves numbers out of addresses (01-intro.md is /intro); links to such pages in ${root} miss.`,
    );
  }
  if (newest === undefined) return [{ name, root, ...page(), ...shared }];
  const lastVersion = textOf(pick(options, "lastVersion")) ?? newest;
  const shown = versions.slice(0, MAX_VERSIONS);
  if (!shown.includes(lastVersion) && lastVersion !== "current") shown.push(lastVersion);
  if (shown.length < versions.length) {
    notes.push(
      `${versions.length - shown.length} older versions are left out: ${versions.slice(MAX_VERSIONS).join(", ")}.`,
    );
  }
  const pathOf = (version: string): string =>
    textOf(pick(options, "versions", version, "path")) ??
    (version === lastVersion ? "" : version === "current" ? "next" : version);
  const planned = shown.map(
    (version): PlannedCollection => ({
      name: version === lastVersion ? name : `${name}-${version}`,
      root: below(folder, `${prefix}versioned_docs/version-${version}`),
      ...page(pathOf(version)),
      version,
      ...(version !== lastVersion && { weight: OLD_WEIGHT }),
      ...shared,
    }),
  );
  if (pick(options, "includeCurrentVersion") === false) return planned;
  const current: PlannedCollection = {
    name: lastVersion === "current" ? name : `${name}-next`,
    root,
    ...page(pathOf("current")),
    version: "next",
    ...(lastVersion !== "current" && { weight: OLD_WEIGHT }),
    ...shared,
  };
  return [
    ...planned.filter(({ version }) => version === lastVersion),
    current,
    ...planned.filter(({ version }) => version !== lastVersion),
  ];
}

/** Options of the preset "classic": `presets: [["classic", {docs, blog}]]`. */
function presetOptions(exported: Settings): Settings {
  for (const preset of Array.isArray(exported.presets) ? exported.presets : []) {
    if (Array.isArray(preset) && /(^|\/)(preset-)?classic$/.test(textOf(preset[0]) ?? "")) return toSettings(preset[1]);
  }
  return {};
}

/** Options of further docs plugins. */
function pluginOptions(exported: Settings): unknown[] {
  const plugins: unknown[] = Array.isArray(exported.plugins) ? exported.plugins : [];
  return plugins.flatMap((plugin) =>
    Array.isArray(plugin) && DOCS_PLUGINS.includes(textOf(plugin[0]) ?? "") ? [plugin[1] as unknown] : [],
  );
}

function hasNumbers(project: ProjectFolder, root: string): boolean {
  return project.names(root).some((name) => /^\d+[-_. ]+\D/.test(name));
}
