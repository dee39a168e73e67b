/**
 * What the command line reaches: modules of the project, files that they read, and packages; and these modules as JavaScript: types and
 * comments gone, and every file that they name by `.ts` named by `.js`.
 *
 * TypeScript renames what is imported (`rewriteRelativeImportExtensions`). What a module starts, it names as
 * `new URL("./file.ts", import.meta.url)`, and that is renamed here.
 */
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import ts from "typescript";

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

/** What a module of the package is called. */
export function javascriptName(path: string): string {
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
