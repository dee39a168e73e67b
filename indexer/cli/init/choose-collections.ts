/**
 * Collections that `treeline init` proposes: the sites that it finds in a project, else its Markdown, and its source code.
 */

import picomatch from "picomatch";
import { InputError } from "../../../src/core/errors.ts";
import { pick } from "../../../src/core/parse-text.ts";
import { codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import { type CollectionConfig, defaultConfig, KIND_DEFAULTS } from "../../config/config.ts";
import { discoverFiles } from "../../sources/discover.ts";
import type { DocsSite, PlannedCollection } from "./docs-tools.ts";
import { findSite } from "./docs-tools.ts";
import { below, type ProjectFolder, readJsonSettings, readYamlSettings, textsOf } from "./project-files.ts";

/** Folders in which sites lie beside a project's code. */
const USUAL_FOLDERS = ["docs", "doc", "documentation", "website", "site", "www", "web", "guide", "book", "docs/source"];
/** Folders looked at; a project with more packages names its sites itself. */
const MAX_FOLDERS = 300;
const MAX_SITES = 5;

/** The sites of a project, those nearest to its top first. */
function findSites(project: ProjectFolder): DocsSite[] {
  const sites: DocsSite[] = [];
  for (const folder of listFolders(project)) {
    if (sites.length === MAX_SITES) break;
    // What lies inside a site that was found is a part of it.
    if (sites.some((site) => site.collections.some(({ root }) => root === folder && root !== ""))) continue;
    const site = findSite(project, folder);
    if (site !== undefined) sites.push(site);
  }
  return sites;
}

/** Folders of packages that a workspace names, as far as one wildcard a level says. */
function listWorkspaceFolders(project: ProjectFolder): string[] {
  const { workspaces } = readJsonSettings(project, "package.json");
  const globs = [
    ...textsOf(workspaces),
    ...textsOf(pick(workspaces, "packages")),
    ...textsOf(readYamlSettings(project, "pnpm-workspace.yaml").packages),
  ];
  const named = globs.filter((glob) => !glob.startsWith("!") && glob.length <= 200).slice(0, MAX_FOLDERS);
  return [...new Set(named.flatMap((glob) => expand(project, glob)))].sort().slice(0, MAX_FOLDERS);
}

function listFolders(project: ProjectFolder): string[] {
  return [...new Set(["", ...USUAL_FOLDERS, ...listWorkspaceFolders(project)])]
    .filter((folder) => project.isFolder(folder))
    .slice(0, MAX_FOLDERS);
}

/** The folders that a glob names; `**` stands for one level. */
function expand(project: ProjectFolder, glob: string): readonly string[] {
  let folders: readonly string[] = [""];
  for (const part of glob.split("/").filter((one) => one !== "" && one !== ".")) {
    const matches = picomatch(part === "**" ? "*" : part);
    const namesIn = (folder: string) =>
      project.names(folder).filter((name) => name !== "node_modules" && matches(name));
    folders = folders
      .flatMap((folder) => namesIn(folder).map((name) => below(folder, name)))
      .filter((path) => project.isFolder(path))
      .slice(0, MAX_FOLDERS);
  }
  return folders;
}

/** Manifests that say: this folder is a program or a library. */
const MANIFESTS: readonly (string | RegExp)[] = [
  "go.mod",
  "Cargo.toml",
  "pyproject.toml",
  "setup.py",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "build.sbt",
  "composer.json",
  "Package.swift",
  "CMakeLists.txt",
  /\.(?:sln|csproj|gemspec)$/,
];

/** Keys of a `package.json` that only a package has which others use, or one that holds others. */
const PACKAGE_KEYS = ["main", "module", "exports", "bin", "types", "workspaces"];

/** Folders of what was made, or of others, which are committed in some projects. */
const NOT_OWN = ["dist", "build", "out", "target", "coverage", "vendor", "third_party"];

export interface ChosenCollection extends PlannedCollection {
  /** Files that it holds now. */
  readonly files: number;
  /** What was found, and the file that told: `VitePress`, `docs/.vitepress/config.ts`. */
  readonly from: string;
  readonly file: string;
}

const PLAIN: DocsSite = { tool: "Markdown", file: "", collections: [{ name: "docs", root: "" }] };

/** Look at a project. @param dir Its absolute path. */
export async function chooseCollections(project: ProjectFolder, dir: string) {
  const sites = findSites(project);
  const filled = await fillSites(sites, dir);
  const used = filled.length > 0 ? filled : await fillSites([PLAIN], dir);
  const collections = used.flatMap(({ found }) => found);
  const code = findCode(
    project,
    filled.map(({ site }) => site),
  );
  if (code !== undefined) {
    const files = await countFiles(code.collection, dir);
    if (files > 0) collections.push({ ...code.collection, files, from: "source code", file: code.file });
  }
  const notes = used.flatMap(({ site }) => site.notes ?? []);
  return { collections: nameApart(collections), notes };
}

/** Sites with those of their collections that hold files. */
async function fillSites(sites: readonly DocsSite[], dir: string) {
  const filled: { readonly site: DocsSite; readonly found: readonly ChosenCollection[] }[] = [];
  for (const site of sites) {
    const found: ChosenCollection[] = [];
    for (const collection of site.collections) {
      const files = await countFiles(collection, dir);
      if (files > 0) found.push({ ...collection, files, from: site.tool, file: site.file });
    }
    if (found.length > 0) filled.push({ site, found });
  }
  return filled;
}

async function countFiles({ kind, root, include, exclude = [] }: PlannedCollection, dir: string): Promise<number> {
  const { collections, limits } = defaultConfig();
  const [docs] = collections as [CollectionConfig];
  const wanted = include ?? (kind === "code" ? KIND_DEFAULTS.code.include : docs.include);
  try {
    return (await discoverFiles({ root: root === "" ? "." : root, include: wanted, exclude }, dir, limits)).files
      .length;
  } catch (error) {
    // A folder that a tool's settings name and that is not there, or leads out.
    if (error instanceof InputError) return 0;
    throw error;
  }
}

/** Names as a configuration takes them, each once. */
function nameApart(collections: readonly ChosenCollection[]): ChosenCollection[] {
  const taken = new Set<string>();
  return collections.map((collection) => {
    const wished =
      collection.name
        .replace(/[^A-Za-z0-9._-]+/g, "-")
        .replace(/^[^A-Za-z0-9]+/, "")
        .slice(0, 90) || "docs";
    const folder = collection.root.split("/").filter((part) => /^[A-Za-z0-9][\w.-]*$/.test(part) && part.length < 40);
    const spellings = [
      wished,
      ...folder
        .slice(0, 2)
        .reverse()
        .map((part) => (part === wished ? part : `${part}-${wished}`)),
    ];
    let name = spellings.find((one) => !taken.has(one.toLowerCase()));
    for (let at = 2; name === undefined; at++)
      if (!taken.has(`${wished}-${at}`.toLowerCase())) name = `${wished}-${at}`;
    taken.add(name.toLowerCase());
    return { ...collection, name };
  });
}

/** The source code of a project with these sites; undefined where it is only a site. */
function findCode(project: ProjectFolder, sites: readonly DocsSite[]) {
  const file = findManifest(project, sites);
  if (file === undefined) return undefined;
  const there = new Set(project.names(""));
  const exclude = [
    ...NOT_OWN.filter((name) => there.has(name)).map((name) => `${name}/**`),
    // The folder of a site holds its theme, not the project.
    ...new Set(sites.flatMap(({ folder }) => (folder === undefined ? [] : [`${folder}/**`]))),
    "**/*.min.js",
  ];
  const collection: PlannedCollection = { name: "code", kind: "code", root: "", exclude };
  return { file, collection };
}

function findManifest(project: ProjectFolder, sites: readonly DocsSite[]): string | undefined {
  const names = project.names("");
  const manifest = names.find((name) =>
    MANIFESTS.some((one) => (typeof one === "string" ? one === name : one.test(name))),
  );
  if (manifest !== undefined) return manifest;
  // A `package.json` beside a site at the top may be that site's own.
  const isSite = sites.some(({ folder }) => folder === undefined);
  if (names.includes("package.json")) {
    const settings = readJsonSettings(project, "package.json");
    if (!isSite || PACKAGE_KEYS.some((key) => settings[key] !== undefined)) return "package.json";
  }
  if (listWorkspaceFolders(project).length > 0) return "pnpm-workspace.yaml";
  return isSite ? undefined : findSource(project, names);
}

/** A source file at the top or in one of the folders there. */
function findSource(project: ProjectFolder, names: readonly string[]): string | undefined {
  const own = names.find((name) => codeLanguageOf(name) !== undefined && !/\.config\.\w+$/.test(name));
  if (own !== undefined) return own;
  for (const folder of ["src", "lib", "cmd", "app", "packages"].filter((name) => names.includes(name))) {
    const inside = project.names(folder).find((name) => codeLanguageOf(name) !== undefined);
    if (inside !== undefined) return `${folder}/${inside}`;
  }
  return undefined;
}
