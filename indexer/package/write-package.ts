/**
 * What `npm pack` puts into the package. npm calls this program twice:
 *
 *   prepack:  node indexer/package/write-package.ts          writes `dist/`, and the manifest that is published
 *   postpack: node indexer/package/write-package.ts restore  puts the clone's manifest back
 */

import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import ts from "typescript";
import { packageRoot } from "../base/installation.ts";
import { bundleForFiles, STAND_INS, writeAssets } from "../engine/bundle-pages.ts";
import { TREE_DIALECTS } from "../languages/languages.ts";
import {
  findReached,
  javascriptName,
  type Manifest,
  packageFolders,
  publishedManifest,
  restoreManifest,
  swapManifest,
  toJavascript,
  writeNotice,
} from "./manifest.ts";

const HEADER = `# Grammars

The files of this folder are parsers of [tree-sitter](https://tree-sitter.github.io), compiled to WebAssembly. They were copied
out of these packages, whose licences follow. Those of \`@repomix/tree-sitter-wasms\` were compiled from the packages
\`tree-sitter-LANGUAGE\` of their languages, which are under the MIT licence.
`;

/** The command line: what it reaches is installed. */
const PROGRAM = "indexer/cli/main.ts";
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

const [step] = process.argv.slice(2);
if (restoreManifest(packageRoot) && step === undefined) {
  console.error("Packing was interrupted before: package.json is what it was again.");
}
if (step === undefined) await writePackage(packageRoot);
else if (step !== "restore") throw new Error(`there is no step ${JSON.stringify(step)}`);

async function writePackage(root: string): Promise<void> {
  const dist = join(root, "dist");
  rmSync(dist, { recursive: true, force: true });
  const { files, packages } = await findReached(root, [PROGRAM]);
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

/** Bundle the Worker, minified. @param root Folder of the project. */
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
  const entries = [...Object.keys(ENGINE_TYPES), ...Object.keys(SEARCH_TYPES)];
  const declared = declare(root, entries);
  for (const path of reachedFrom(declared, entries.map(declarationName)))
    write(join(folder, "types", path), declared.get(path) ?? "");
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

function declarationName(path: string): string {
  return path.replace(/\.ts$/, ".d.ts");
}

/**
 * Declarations of modules and of all that they import, by path below the project.
 *
 * @throws {Error} for types that do not fit.
 */
function declare(root: string, entries: readonly string[]): ReadonlyMap<string, string> {
  const config = join(root, "src", "web", "tsconfig.json");
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
  );
  const program = ts.createProgram(
    entries.map((path) => join(root, path)),
    { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: root, outDir: root },
  );
  const declared = new Map<string, string>();
  const { diagnostics } = program.emit(
    undefined,
    (file, text) => {
      // Modules are named as they are called in the package.
      const named = text.replace(/(?<=(?:\bfrom |\bimport ?\(?)")(\.{1,2}\/[^"\n]+)\.ts(?=")/g, "$1.js");
      declared.set(relative(root, resolve(file)).replaceAll("\\", "/"), named);
    },
    undefined,
    true,
  );
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
  return declared;
}

/** Paths of declarations that others name, and of those themselves. */
function reachedFrom(declared: ReadonlyMap<string, string>, entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { fileName } of ts.preProcessFile(declared.get(path) ?? "").importedFiles) {
      if (fileName.startsWith("."))
        waiting.push(join(dirname(path), fileName).replaceAll("\\", "/").replace(/\.js$/, ".d.ts"));
    }
  }
  return reached;
}
