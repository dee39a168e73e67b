/**
 * The `package.json` that is published, out of the one of a clone, and how it takes that one's place while `npm pack` runs. Packing that is
 * interrupted leaves it there; the next one begins by putting the clone's back. And licences of packages that are bundled, as one text:
 * bundling drops what they say of themselves.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { isRecord } from "../../src/core/parse-text.ts";
import { OLDEST_NODE } from "../cli/oldest-node.ts";

/** What is read of a manifest; the rest is passed on. */
export interface Manifest {
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

/** The clone's manifest while another one has its place, and what was put there: both where git does not look. */
function placesIn(root: string) {
  const folder = join(root, ".treeline", "package");
  return {
    manifest: join(root, "package.json"),
    kept: join(folder, "package.json"),
    published: join(folder, "published.json"),
  };
}

/** Puts a manifest in the place of the clone's. */
export function swapManifest(root: string, text: string): void {
  const { manifest, kept, published } = placesIn(root);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(published, text);
  // The copy is whole before the original goes.
  replace(kept, readFileSync(manifest, "utf8"));
  replace(manifest, text);
}

/**
 * Puts the clone's manifest back, where another one has its place; true where it had.
 *
 * @throws {Error} where somebody changed the one that was put there: the change would be lost.
 */
export function restoreManifest(root: string): boolean {
  const { manifest, kept, published } = placesIn(root);
  if (!existsSync(kept)) return false;
  const now = readFileSync(manifest, "utf8");
  const original = readFileSync(kept, "utf8");
  if (now !== original && now !== readFileSync(published, "utf8")) {
    throw new Error(
      `package.json changed while a package was made; the one from before is ${kept}: join the two, then remove it`,
    );
  }
  replace(manifest, original);
  rmSync(dirname(kept), { recursive: true });
  return now !== original;
}

/** In one step: whoever reads the file meanwhile sees the old text or the new one. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
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
  const { name, version, license } = readManifest(folder);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${name} says nothing about its licence`);
  const text = file === undefined ? "" : indent(readFileSync(join(folder, file), "utf8").trim());
  const parts = [`## ${name} ${version} (${license})`, files.join(", "), text];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function readManifest(folder: string): { readonly name: string; readonly version: string; readonly license?: string } {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const said = (key: string): string | undefined => {
    const value: unknown = isRecord(manifest) ? manifest[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const license = said("license");
  return {
    name: said("name") ?? basename(folder),
    version: said("version") ?? "",
    ...(license !== undefined && { license }),
  };
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ").replace(/[ \r]+$/gm, "");
}

/*
 * What the command line reaches: modules of the project, files that they read, and packages; and these modules as JavaScript: types and
 * comments gone, and every file that they name by `.ts` named by `.js`.
 *
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
