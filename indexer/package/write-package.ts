/**
 * What `npm pack` puts into the package. npm calls this program twice:
 *
 *   prepack:  node indexer/package/write-package.ts          writes `dist/`, and the manifest that is published
 *   postpack: node indexer/package/write-package.ts restore  puts the clone's manifest back
 */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import ts from "typescript";
import { packageRoot } from "../base/installation.ts";
import { OLDEST_NODE } from "../cli/oldest-node.ts";
import { bundleForFiles, STAND_INS, writeAssets } from "../engine/bundle-pages.ts";
import { TREE_DIALECTS } from "../languages/languages.ts";

const HEADER = `# Grammars

The files of this folder are parsers of [tree-sitter](https://tree-sitter.github.io), compiled to WebAssembly. They were copied
out of these packages, whose licences follow. Those of \`@repomix/tree-sitter-wasms\` were compiled from the packages
\`tree-sitter-LANGUAGE\` of their languages, which are under the MIT licence.
`;

/** The command line, and the program of the Action: what they reach is installed. */
const PROGRAM = "indexer/cli/main.ts";
const ACTION = "indexer/cli/action/main.ts";
/** Plugins of generators, by the names that projects import. */
const PLUGIN_FOLDER = "indexer/cli/plugins";
const PLUGINS = { vitepress: "vitepress", astro: "astro", starlight: "astro", docusaurus: "docusaurus" } as const;
const pluginFiles = [...new Set(Object.values(PLUGINS))].map((name) => `${PLUGIN_FOLDER}/${name}.ts`);
const NOTICE = `# Packages in the bundles

\`worker.js\` and the files of \`assets/\` and \`engine/\` hold code of these packages, whose licences follow.
`;

/** What the engine exports, by the module that declares it. */
const ENGINE_TYPES = {
  "src/web/static-index.ts":
    "openStaticIndex, type StaticIndex, type StaticIndexOptions, type StaticSearchOptions, type StaticSuggestOptions",
  "src/web/typing.ts": "searchAsTyped, type Typed, type TypingOptions",
  "src/web/host-error.ts": "HostError, type HostProblem",
};

/** What the module of the search box tells: it exports nothing that runs, importing it defines the element. */
const SEARCH_TYPES = {
  "src/web/box/search-element.ts": "TreelineSearch",
  "src/web/client/search-client.ts":
    "AskOptions, ClientError, ClientProblem, Found, FoundPage, FoundSection, SearchClient, SuggestedPage",
};
const SEARCH_ELEMENT = `import type { TreelineSearch } from "./types/src/web/box/search-element.js";
declare global {
  interface HTMLElementTagNameMap {
    "treeline-search": TreelineSearch;
  }
}
`;

async function writePackage(root: string): Promise<void> {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  const { files, packages } = await findReached(root, [PROGRAM, ACTION, ...pluginFiles]);
  for (const path of files) writeModule(root, dist, path);
  chmodSync(join(dist, javascriptName(PROGRAM)), 0o755);
  copyGrammars(join(dist, "grammars"));
  copyFileSync(join(root, "wrangler.toml"), join(dist, "wrangler.toml"));
  const worker = await bundleWorker(root);
  write(join(dist, "worker.js"), worker.bytes);
  const engine = await bundleForFiles();
  for (const { name, bytes } of engine) write(join(dist, "engine", name), bytes);
  const assets = await writeAssets(join(dist, "assets"));
  const bundled = [...worker.sources, ...[...engine, ...assets].flatMap(({ sources }) => sources)].sort();
  write(join(dist, "NOTICE.md"), writeNotice(NOTICE, packageFolders(bundled.map((path) => join(root, path)))));
  writeTypes(root, dist);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  swapManifest(root, `${JSON.stringify(publishedManifest(manifest, packages), null, 2)}\n`);
}

/** A module as JavaScript, any other file as it is. */
function writeModule(root: string, dist: string, path: string): void {
  const bytes = readFileSync(join(root, path));
  write(join(dist, javascriptName(path)), path.endsWith(".ts") ? toJavascript(bytes.toString("utf8"), path) : bytes);
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Copies all of them, with a notice of where they come from. @param folder Gets them. */
function copyGrammars(folder: string): void {
  const require = createRequire(import.meta.url);
  mkdirSync(folder, { recursive: true });
  const filesOf = new Map<string, string[]>();
  for (const { grammar } of TREE_DIALECTS.values()) {
    const file = require.resolve(grammar);
    copyFileSync(file, join(folder, basename(file)));
    const [source = ""] = packageFolders([file.replaceAll("\\", "/")]).keys();
    filesOf.set(source, [...(filesOf.get(source) ?? []), basename(file)]);
  }
  writeFileSync(join(folder, "NOTICE.md"), writeNotice(HEADER, filesOf));
}

async function bundleWorker(root: string) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    alias: STAND_INS,
    entryPoints: ["src/worker/worker.ts"],
    bundle: true,
    charset: "utf8",
    // Those that wrangler looks for; the runtime brings what is external.
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    format: "esm",
    legalComments: "none",
    metafile: true,
    minify: true,
    outfile: "worker.js",
    target: "es2024",
    write: false,
  });
  const [file] = outputFiles;
  const held = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  if (file === undefined) throw new Error("the Worker's bundle is empty");
  return { bytes: file.contents, sources: held };
}

/** Writes all declarations. @param root Folder of the project. @param folder Gets them. */
function writeTypes(root: string, folder: string): void {
  declare(root, "src/web", [...Object.keys(ENGINE_TYPES), ...Object.keys(SEARCH_TYPES)], join(folder, "types"));
  declare(root, "indexer", pluginFiles, join(folder, "types"));
  const exports = Object.entries(ENGINE_TYPES).map(
    ([path, names]) => `export { ${names} } from "./types/${javascriptName(path)}";\n`,
  );
  write(join(folder, "engine.d.ts"), exports.join(""));
  const searchTypes = Object.entries(SEARCH_TYPES).map(
    ([path, names]) => `export type { ${names} } from "./types/${javascriptName(path)}";\n`,
  );
  write(join(folder, "search.d.ts"), [SEARCH_ELEMENT, ...searchTypes].join(""));
  copyFileSync(join(import.meta.dirname, "worker.d.ts"), join(folder, "worker.d.ts"));
}

/**
 * Writes declarations of modules and of all that they import, by path below the project. @param room Folder with their settings.
 *
 * @throws {Error} for types that do not fit.
 */
function declare(root: string, room: string, entries: readonly string[], folder: string): void {
  const config = join(root, room, "tsconfig.json");
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  );
  const program = ts.createProgram(
    entries.map((path) => join(root, path)),
    { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: root, outDir: folder },
  );
  const { diagnostics } = program.emit(
    undefined,
    // Modules are named as they are called in the package.
    (file, text) => write(file, text.replace(/(?<=(?:\bfrom |\bimport ?\(?)")(\.{1,2}\/[^"\n]+)\.ts(?=")/g, "$1.js")),
    undefined,
    true,
  );
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
}

/** What is read of a manifest; the rest is passed on. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** Keys that are passed on as they are; all others are a clone's own. */
const KEPT = [
  "name",
  "version",
  "description",
  "keywords",
  "license",
  "repository",
  "homepage",
  "bugs",
  "type",
  "files",
  "publishConfig",
  "peerDependencies",
  "peerDependenciesMeta",
] as const;

/** Scripts that make the package: they stay, so that packing after one that was interrupted puts things right. */
const PACKING = ["prepack", "postpack"] as const;

/** What programs may import, and who runs the package from its command. */
const ENTRIES = {
  bin: { treeline: "dist/indexer/cli/main.js" },
  exports: {
    "./engine": { types: "./dist/engine.d.ts", default: "./dist/engine/engine.js" },
    "./engine/*": "./dist/engine/*",
    "./search": { types: "./dist/search.d.ts", default: "./dist/engine/search.js" },
    ...Object.fromEntries(
      Object.entries(PLUGINS).map(([name, file]) => [
        `./${name}`,
        { types: `./dist/types/${PLUGIN_FOLDER}/${file}.d.ts`, default: `./dist/${PLUGIN_FOLDER}/${file}.js` },
      ]),
    ),
    "./worker": { types: "./dist/worker.d.ts", default: "./dist/worker.js" },
    "./wrangler.toml": "./dist/wrangler.toml",
    "./schemas/*": "./schemas/*",
    "./package.json": "./package.json",
  },
} as const;

/**
 * The manifest of the package.
 *
 * @param packages Those that its modules import.
 * @throws {Error} for one that is no dependency: users would not get it.
 */
export function publishedManifest(manifest: Manifest, packages: readonly string[]): Record<string, unknown> {
  const lacking = packages.filter((name) => manifest.dependencies[name] === undefined);
  if (lacking.length > 0) throw new Error(`the command line imports ${lacking.join(", ")}, which are no dependencies`);
  return {
    ...pick(manifest, KEPT),
    engines: { node: `>=${OLDEST_NODE}` },
    ...ENTRIES,
    scripts: pick(manifest.scripts, PACKING),
    dependencies: pick(manifest.dependencies, [...packages].sort()),
  };
}

function pick(from: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));
}

/** Where the clone's manifest is while another one has its place: git does not look there. */
const KEPT_MANIFEST = ".treeline/package/package.json";

/** Puts a manifest in the place of the clone's. */
export function swapManifest(root: string, text: string): void {
  // The copy is whole before the original goes.
  replace(join(root, KEPT_MANIFEST), readFileSync(join(root, "package.json"), "utf8"));
  replace(join(root, "package.json"), text);
}

/** Puts the clone's manifest back, where another one has its place. */
export function restoreManifest(root: string): void {
  const kept = join(root, KEPT_MANIFEST);
  if (!existsSync(kept)) return;
  replace(join(root, "package.json"), readFileSync(kept, "utf8"));
  rmSync(dirname(kept), { recursive: true });
}

/** In one step: whoever reads the file meanwhile sees the old text or the new one. */
function replace(file: string, text: string): void {
  write(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/**
 * The licences of the packages that files belong to.
 *
 * @param header First lines.
 * @param files By the folder of each package, what was taken out of it.
 * @throws {Error} where a package has neither a licence nor a text of one.
 */
export function writeNotice(header: string, files: ReadonlyMap<string, readonly string[]>): string {
  return [header, ...[...files].map(([folder, names]) => describe(folder, names)).sort()].join("\n");
}

/** Folders of packages that paths of modules lie in. */
export function packageFolders(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return new Map(folders.map((folder) => [folder, []]));
}

function describe(folder: string, files: readonly string[]): string {
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  const { name, version, license } = JSON.parse(manifest) as Manifest & { readonly license?: string };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${name} says nothing about its licence`);
  const text = file === undefined ? "" : indent(readFileSync(join(folder, file), "utf8").trim());
  const parts = [`## ${name} ${version} (${license})`, files.join(", "), text];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ").replace(/[ \r]+$/gm, "");
}

/*
 * TypeScript renames what is imported (`rewriteRelativeImportExtensions`). What a module starts, it names as
 * `new URL("./file.ts", import.meta.url)`, and that is renamed here.
 */

/** A file that a module finds by its own address: a thread or a process that it starts, a text that it reads. */
const NAMED = /new URL\(\s*"(\.{1,2}\/[^"]+\.\w+)",\s*import\.meta\.url/g;

/**
 * Follows imports, on demand ones too, and files that modules find by `new URL("./file", import.meta.url)`, from
 * entries on. Paths below the project and names of packages are in order.
 *
 * @param root Folder of the project.
 * @param entries Paths below it.
 */
export async function findReached(root: string, entries: readonly string[]) {
  const files = new Set<string>();
  const packages = new Set<string>();
  for (let waiting = [...entries]; waiting.length > 0; ) {
    const { inputs } = await readGraph(root, waiting);
    const found = Object.keys(inputs).filter((path) => !files.has(path));
    for (const { imports } of Object.values(inputs)) {
      for (const { path, external } of imports) {
        if (external === true && !path.startsWith("node:")) packages.add(packageOf(path));
      }
    }
    for (const path of found) files.add(path);
    const named = new Set(found.flatMap((path) => listNamed(root, path)).filter((path) => !files.has(path)));
    waiting = [...named].filter((path) => path.endsWith(".ts"));
    for (const path of named) if (!path.endsWith(".ts")) files.add(path);
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}

async function readGraph(root: string, entries: readonly string[]) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    metafile: true,
    outdir: "dist",
    // What is on demand stays out of the file that is never written, but in the graph.
    splitting: true,
    write: false,
  });
  return metafile;
}

function listNamed(root: string, path: string): string[] {
  if (!path.endsWith(".ts")) return [];
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(NAMED)].map(([, file = ""]) =>
    relative(root, join(root, dirname(path), file)).replaceAll("\\", "/"),
  );
}

/** `@scope/name/path` is of the package `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  removeComments: true,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

function javascriptName(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

/**
 * The JavaScript of a module.
 *
 * @param path For messages.
 * @throws {Error} where it is no TypeScript.
 */
export function toJavascript(text: string, path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: OPTIONS,
    reportDiagnostics: true,
  });
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`);
  // Programs have a line of their own for the system, which knows no options of Node on every machine.
  return outputText
    .replace(/^#!.*\n/, "#!/usr/bin/env node\n")
    .replace(NAMED, (whole) => whole.replace(/\.ts"/, '.js"'));
}

if (import.meta.main) {
  restoreManifest(packageRoot);
  if (process.argv[2] !== "restore") await writePackage(packageRoot);
}
