/**
 * The modules that pages load, as files for a browser: the search box, the marks on the page that a hit led to, the
 * modules with Pagefind's interfaces, and the scripts of the explorer, which have no place beside an index.
 *
 * Each entry is one file with all that it needs at once. What it imports on demand, such as the words of another language, is a
 * file beside it, which holds a copy of what it imports in turn: such a module shares no state with its entry.
 */

import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, transform } from "esbuild";
import { GRAMMARS } from "../../src/core/text/code-languages.ts";
import { orAbsent } from "../base/file-system.ts";
import { assetsFolder } from "../base/installation.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Who hands the files out: a Worker, which then answers too, or a host of files, beside an index. */
type ServedBy = "worker" | "files";

interface PageEntry {
  /** Name of the file. What it loads on demand begins with the same word: `search-de.js`. */
  readonly name: string;
  readonly source: string;
  /** Folder below the Worker's address. Beside an index all lie in one folder. */
  readonly workerFolder: "" | "pagefind/" | "explorer/";
  /** Only for pages that the Worker itself writes. */
  readonly isForWorkerAlone?: boolean;
}

/** All of them: the one list. */
const PAGE_ENTRIES: readonly PageEntry[] = [
  { name: "search.js", source: "src/web/treeline-search.ts", workerFolder: "" },
  { name: "highlight.js", source: "src/web/highlight.ts", workerFolder: "" },
  { name: "pagefind.js", source: "src/web/pagefind/pagefind.ts", workerFolder: "pagefind/" },
  {
    name: "pagefind-highlight.js",
    source: "src/web/pagefind/pagefind-highlight.ts",
    workerFolder: "pagefind/",
  },
  {
    name: "script.js",
    source: "src/web/explorer/page-script.ts",
    workerFolder: "explorer/",
    isForWorkerAlone: true,
  },
  {
    name: "graph.js",
    source: "src/web/explorer/graph-script.ts",
    workerFolder: "explorer/",
    isForWorkerAlone: true,
  },
  // What colours code, and a grammar for each language.
  ...["core", ...GRAMMARS.map((name) => `languages/${name}`)].map(
    (path): PageEntry => ({
      name: `script-${basename(path)}.js`,
      source: `node_modules/highlight.js/es/${path}.js`,
      workerFolder: "explorer/",
      isForWorkerAlone: true,
    }),
  ),
];

/** What a Worker serves, by path below the address of a corpus. */
export async function bundleForWorker(): Promise<readonly EngineFile[]> {
  const bundled = await Promise.all(
    PAGE_ENTRIES.map(async (entry) =>
      (await bundleEntry(entry, "worker")).map((file) => ({ ...file, name: `${entry.workerFolder}${file.name}` })),
    ),
  );
  return checkNames(bundled.flat());
}

/** What lies beside an index: the engine and what it loads, and the modules that use it. */
export async function bundleForFiles(): Promise<readonly EngineFile[]> {
  const forFiles = PAGE_ENTRIES.filter(({ isForWorkerAlone }) => isForWorkerAlone !== true);
  const bundled = await Promise.all([bundleEngine(), ...forFiles.map((entry) => bundleEntry(entry, "files"))]);
  return checkNames(bundled.flat());
}

async function bundleEntry({ name, source }: PageEntry, servedBy: ServedBy): Promise<readonly EngineFile[]> {
  const family = name.replace(/\.js$/, "");
  const nameOf = (module: string): string =>
    `${module === family || module.startsWith(`${family}-`) ? "" : `${family}-`}${module}.js`;
  const files: EngineFile[] = [];
  const waiting = new Map([[name, join(ROOT, source)]]);
  for (const [file, path] of waiting)
    files.push({ name: file, ...(await bundleModule(path, servedBy, waiting, nameOf)) });
  return [...files.slice(0, 1), ...files.slice(1).sort((a, b) => (a.name < b.name ? -1 : 1))];
}

async function bundleModule(
  path: string,
  servedBy: ServedBy,
  onDemand: Map<string, string>,
  nameOf: (module: string) => string,
): Promise<Pick<EngineFile, "bytes" | "sources">> {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    absWorkingDir: ROOT,
    bundle: true,
    charset: "utf8",
    define: { SERVED_BY_WORKER: String(servedBy === "worker") },
    format: "esm",
    legalComments: "none",
    metafile: true,
    minify: true,
    outdir: ROOT,
    platform: "browser",
    plugins: [keepDynamicImports(onDemand, nameOf)],
    target: TARGET,
    write: false,
  });
  const [file] = outputFiles;
  const [output] = Object.values(metafile.outputs);
  if (file === undefined) throw new Error(`the bundle of ${path} is empty`);
  return { bytes: file.contents, sources: Object.keys(output?.inputs ?? {}) };
}

/** What is imported on demand is a file beside, of that name. @param found Gets the sources, by these names. */
function keepDynamicImports(found: Map<string, string>, nameOf: (module: string) => string): Plugin {
  return {
    name: "keep-dynamic-imports",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const name = nameOf(basename(path).replace(/\.\w+$/, ""));
        found.set(name, join(resolveDir, path));
        return { path: `./${name}`, external: true };
      });
    },
  };
}

/** @throws {Error} where two files would have one name. */
function checkNames(files: readonly EngineFile[]): readonly EngineFile[] {
  const names = files.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two modules become ${twice}: call one of them otherwise`);
  return files;
}

/** Writes the assets that changed and removes those that are no more. Programs that run at once write the same. */
export async function writeAssets(folder = assetsFolder): Promise<readonly Pick<EngineFile, "name" | "sources">[]> {
  const files = await bundleAssets();
  for (const { name, bytes } of files) await replace(join(folder, name), bytes, `${folder}.partial`);
  const names = new Set(files.map(({ name }) => name));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    if (entry.isFile() && !names.has(name)) await rm(path, { force: true });
  }
  return files;
}

async function bundleAssets(): Promise<readonly EngineFile[]> {
  const read = (path: string): Promise<string> => readFile(join(ROOT, path), "utf8");
  // By its path, as all sources that are bundled.
  const { EXPLORER_STYLE } = (await import(join(ROOT, "src/web/explorer/style.ts"))) as { EXPLORER_STYLE: string };
  const style = await transform(EXPLORER_STYLE, { loader: "css", minify: true, target: TARGET });
  const document: unknown = JSON.parse(await read("schemas/openapi.json"));
  const texts = {
    "explorer/style.css": style.code,
    "favicon.ico": await read("src/web/explorer/icon.svg"),
    "openapi.json": JSON.stringify(document),
  };
  const own = Object.entries(texts).map(([name, text]) => ({
    name,
    bytes: new TextEncoder().encode(text),
    sources: [],
  }));
  return [...(await bundleForWorker()), ...own];
}

/** In one step, and only where the bytes differ: a file that is rewritten is another version for browsers. */
async function replace(path: string, bytes: Uint8Array, beside: string): Promise<void> {
  if ((await readFile(path).catch(orAbsent))?.equals(bytes) === true) return;
  await mkdir(dirname(path), { recursive: true });
  const partial = `${beside}-${randomBytes(4).toString("hex")}`;
  await writeFile(partial, bytes);
  await rename(partial, path);
}

/*
 * The engine of a page as files for a browser: `engine.js`, and beside it the parts that it loads on demand.
 *
 * esbuild splits them into chunks by who needs what. Every part needs the whole engine, so that all that the engine holds is one chunk:
 * that becomes `engine.js`, or a page would fetch it a round later than the file that names it.
 */

/** Name of the file that a page imports. */
const ENGINE_FILE = "engine.js";
/** What a page may import of it. */
const ENGINE = `
export { HostError } from "./host-error.ts";
export { openStaticIndex } from "./static-index.ts";
export { searchAsTyped } from "./typing.ts";
`;
/** What the engine loads on demand, by the names under which `src/web` asks for it. */
const PARTS = {
  analyzers: "src/core/text/analyzers.ts",
  "rarer-functions": "src/web/rarer-functions.ts",
  "suggest-in-page": "src/core/search/suggest.ts",
};
/** What browsers of the last three years understand. */
const TARGET = "es2022";
/**
 * Smaller stand-ins for parts of packages in the Worker, by paths below the project; wrangler knows them by `[alias]` of `wrangler.toml`.
 */
export const STAND_INS = {
  "@modelcontextprotocol/server/_shims": "./src/worker/protocol-shims.ts",
};

interface EngineFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Sources that it holds, by path below the project. */
  readonly sources: readonly string[];
}

/** Bundles the engine, minified; `engine.js` first. */
export async function bundleEngine(): Promise<readonly EngineFile[]> {
  const { outputFiles, metafile } = await build({
    entryPoints: Object.fromEntries(["engine", ...Object.keys(PARTS)].map((name) => [name, `${ENTRY}:${name}`])),
    absWorkingDir: ROOT,
    bundle: true,
    charset: "utf8",
    format: "esm",
    legalComments: "none",
    metafile: true,
    minify: true,
    outdir: ROOT,
    platform: "browser",
    plugins: [makeEntries()],
    splitting: true,
    target: TARGET,
    write: false,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const [core = ""] = metafile.outputs[ENGINE_FILE]?.imports.map(({ path }) => path) ?? [];
  const sourcesOf = (name: string): string[] =>
    Object.keys(metafile.outputs[name]?.inputs ?? {}).filter((path) => !path.startsWith(`${ENTRY}:`));
  const engine = mergeInto(texts.get(core) ?? "", texts.get(ENGINE_FILE) ?? "");
  const names = Object.keys(PARTS).map((name) => `${name}.js`);
  // Of a chunk that parts share, a page would learn when it has one of them.
  if (texts.size !== names.length + 2) throw new Error(`parts of the engine share what it lacks: ${[...texts.keys()]}`);
  const parts = names.map((name): [string, string, string[]] => [name, texts.get(name) ?? "", sourcesOf(name)]);
  return [[ENGINE_FILE, engine, sourcesOf(core)] as const, ...parts].map(([name, text, sources]) => ({
    name,
    bytes: new TextEncoder().encode(text.replaceAll(core, ENGINE_FILE)),
    sources,
  }));
}

const ENTRY = "entry";

/** The engine as an entry, and each part with the engine. */
function makeEntries(): Plugin {
  const parts = new Map(Object.entries(PARTS).map(([name, path]) => [join(ROOT, path), name]));
  return {
    name: "entries",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice(ENTRY.length + 1), namespace: ENTRY }));
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        const name = parts.get(join(resolveDir, path));
        return kind === "dynamic-import" && name !== undefined ? { path: name, namespace: ENTRY } : undefined;
      });
      onLoad({ filter: /.*/, namespace: ENTRY }, ({ path }) => ({
        contents:
          path === "engine"
            ? ENGINE
            : `import "${ENTRY}:engine";export * from ${JSON.stringify(join(ROOT, PARTS[path as keyof typeof PARTS]))}`,
        loader: "ts",
        resolveDir: join(ROOT, "src", "web"),
      }));
    },
  };
}

/** A chunk that exports, beside what parts import of it, what an entry that only names the chunk exports. */
function mergeInto(chunk: string, entry: string): string {
  const [, imported, exported] = /^import\{([^}]*)\}from"[^"]*";export\{([^}]*)\};\s*$/.exec(entry) ?? [];
  const [whole, own] = /export\{([^}]*)\};\s*$/.exec(chunk) ?? [];
  if (imported === undefined || exported === undefined || whole === undefined || own === undefined) {
    throw new Error("esbuild writes entries in another way");
  }
  const clause = (text: string): [string, string][] =>
    text
      .split(",")
      .map((one) => one.split(" as "))
      .map(([name = "", as = name]) => [name, as]);
  const inChunk = new Map(clause(own).map(([name, as]) => [as, name]));
  const inEntry = new Map(clause(imported).map(([name, as]) => [as, inChunk.get(name)]));
  const added = clause(exported).map(([name, as]) => `${inEntry.get(name)} as ${as}`);
  return `${chunk.slice(0, -whole.length)}export{${own},${added}};\n`;
}

if (import.meta.main) await writeAssets();
