/** Collections that `treeline init` proposes: the sites that it finds in a project, else its Markdown, and its source code. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import picomatch from "picomatch";
import { InputError } from "../../../src/core/errors.ts";
import { pick } from "../../../src/core/parse-text.ts";
import { codeLanguageOf } from "../../../src/core/text/code-languages.ts";
import { type CollectionConfig, defaultConfig, KIND_DEFAULTS } from "../../config/config.ts";
import { discoverFiles } from "../../sources/discover.ts";
import { collectionName } from "../plugins/build-site.ts";
import { type DocsSite, findSite, type PlannedCollection } from "./docs-tools.ts";
import { below, type ProjectFolder, readJsonSettings, readYamlSettings, textsOf } from "./project-files.ts";

/** Folders in which sites lie beside a project's code. */
const USUAL_FOLDERS = ["docs", "doc", "documentation", "website", "site", "www", "web", "guide", "book", "docs/source"];
const MAX_FOLDERS = 300;
const MAX_SITES = 5;

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
  readonly files: number;
  /** What was found, and the file that told: `VitePress`, `docs/.vitepress/config.ts`. */
  readonly from: string;
  readonly file: string;
}

const PLAIN: DocsSite = { tool: "Markdown", file: "", collections: [{ name: "docs", root: "" }] };

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
  return { collections: nameApart(collections), notes, sites: used.map(({ site }) => site) };
}

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

function nameApart(collections: readonly ChosenCollection[]): ChosenCollection[] {
  const taken = new Set<string>();
  return collections.map((collection) => {
    const wished = collectionName(collection.name).slice(0, 90) || "docs";
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

function findSource(project: ProjectFolder, names: readonly string[]): string | undefined {
  const own = names.find((name) => codeLanguageOf(name) !== undefined && !/\.config\.\w+$/.test(name));
  if (own !== undefined) return own;
  for (const folder of ["src", "lib", "cmd", "app", "packages"].filter((name) => names.includes(name))) {
    const inside = project.names(folder).find((name) => codeLanguageOf(name) !== undefined);
    if (inside !== undefined) return `${folder}/${inside}`;
  }
  return undefined;
}

interface ScipIndexer {
  readonly program: string;
  readonly languages: string;
  readonly endings: readonly string[];
  /** Arguments up to the path of the index. */
  readonly args: readonly string[];
  readonly needs?: string;
}

const SCIP_INDEXERS: readonly ScipIndexer[] = [
  { program: "scip-python", languages: "Python", endings: ["py"], args: ["index", ".", "--output"] },
  { program: "scip-go", languages: "Go", endings: ["go"], args: ["--output"] },
  { program: "rust-analyzer", languages: "Rust", endings: ["rs"], args: ["scip", ".", "--output"] },
  {
    program: "scip-java",
    languages: "Java, Kotlin, Scala",
    endings: ["java", "kt", "scala"],
    args: ["index", "--output"],
  },
  {
    ...{ program: "scip-clang", languages: "C, C++", endings: ["c", "cc", "cpp", "cxx"] },
    ...{ args: ["--compdb-path=compile_commands.json", "--index-output-path"], needs: "compile_commands.json" },
  },
  { program: "scip-ruby", languages: "Ruby", endings: ["rb"], args: [".", "--index-file"] },
  { program: "scip-php", languages: "PHP", endings: ["php"], args: ["--output"] },
  { program: "scip-dotnet", languages: "C#", endings: ["cs"], args: ["index", "--output"] },
];

const TIMEOUT_MS = 20 * 60_000;
const MAX_OUTPUT_BYTES = 50_000_000;
const LIMITS = { maxFileBytes: 10_485_760, maxFiles: 200_000 };
/** Variables that no program of a project needs to see. */
const SECRET = /^INPUT_|SECRET|TOKEN|PASSWORD|CREDENTIAL|_KEY/i;

export async function findIndexers(dir: string): Promise<readonly ScipIndexer[]> {
  const include = SCIP_INDEXERS.flatMap(({ endings }) => endings.map((ending) => `**/*.${ending}`));
  const { files } = await discoverFiles({ root: ".", include, exclude: [] }, dir, LIMITS);
  const found = new Set(files.map(({ path }) => path.slice(path.lastIndexOf(".") + 1)));
  return SCIP_INDEXERS.filter(({ endings }) => endings.some((ending) => found.has(ending)));
}

/**
 * Runs those indexers that are installed, one after the other. The result are the indexes that they wrote; one that fails is a
 * warning.
 *
 * @param into Folder that the indexes are written into.
 */
export async function runIndexers(
  dir: string,
  into: string,
  environment: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Promise<readonly string[]> {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !SECRET.test(name)));
  const written: string[] = [];
  for (const { program, args, needs } of await findIndexers(dir)) {
    if (needs !== undefined && !existsSync(join(dir, needs))) continue;
    const file = join(into, `${program}.scip`);
    const [last = ""] = args.slice(-1);
    const output = last.startsWith("--index-output") ? [...args.slice(0, -1), `${last}=${file}`] : [...args, file];
    try {
      const limits = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, killSignal: "SIGKILL" } as const;
      await promisify(execFile)(program, output, { cwd: dir, env, ...limits });
      if (!existsSync(file)) throw new Error("it wrote no index");
      written.push(file);
    } catch (error) {
      // It is not installed.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") continue;
      const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
      warn(`${program} failed, and its languages keep the edges of their syntax: ${reason}`);
    }
  }
  return written;
}
