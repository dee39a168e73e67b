/**
 * Declarations of what programs may import from the package: the engine for pages and the search box out of their sources,
 * the Worker out of `worker.d.ts` beside this file.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { javascriptName } from "./to-javascript.ts";

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

/** Writes all declarations. @param root Folder of the project. @param folder Gets them. */
export function writeTypes(root: string, folder: string): void {
  const entries = [...Object.keys(ENGINE_TYPES), ...Object.keys(SEARCH_TYPES)];
  const declared = declare(root, entries);
  for (const path of reachedFrom(declared, entries.map(declarationName)))
    write(folder, join("types", path), declared.get(path) ?? "");
  const exports = Object.entries(ENGINE_TYPES).map(
    ([path, names]) => `export { ${names} } from "./types/${javascriptName(path)}";\n`,
  );
  write(folder, "engine.d.ts", exports.join(""));
  const searchTypes = Object.entries(SEARCH_TYPES).map(
    ([path, names]) => `export type { ${names} } from "./types/${javascriptName(path)}";\n`,
  );
  write(folder, "search.d.ts", [SEARCH_ELEMENT, ...searchTypes].join(""));
  copyFileSync(join(import.meta.dirname, "worker.d.ts"), join(folder, "worker.d.ts"));
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** `a.ts` is declared by `a.d.ts`. */
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
    (file, text) => declared.set(relative(root, resolve(file)).replaceAll("\\", "/"), text),
    undefined,
    true,
    { afterDeclarations: [renameImports] },
  );
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
  return declared;
}

/** Names modules as they are called in the package. */
function renameImports(context: ts.TransformationContext): ts.Transformer<ts.SourceFile | ts.Bundle> {
  const { factory } = context;
  const visit = (node: ts.Node): ts.Node => {
    if (ts.isStringLiteral(node) && isSpecifier(node)) return factory.createStringLiteral(javascriptName(node.text));
    return ts.visitEachChild(node, visit, context);
  };
  return (file) => (ts.isSourceFile(file) ? ts.visitEachChild(file, visit, context) : file);
}

function isSpecifier(node: ts.StringLiteral): boolean {
  return /^\.{1,2}\/.*\.ts$/.test(node.text);
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
