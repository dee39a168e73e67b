/**
 * The engine of a page as files for a browser: `engine.js`, and beside it the parts that it loads on demand.
 *
 * esbuild splits them into chunks by who needs what. Every part needs the whole engine, so that all that the engine holds is one chunk:
 * that becomes `engine.js`, or a page would fetch it a round later than the file that names it.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
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
  "suggest-in-page": "src/web/suggest-in-page.ts",
};
/** What browsers of the last three years understand. */
export const TARGET = "es2022";
/**
 * Smaller stand-ins for parts of packages in the Worker, by paths below the project; wrangler knows them by `[alias]` of `wrangler.toml`.
 * Suggestions use the index alone, which the smallest build of flexsearch has, too, in pages as well.
 */
export const STAND_INS = {
  flexsearch: "./node_modules/flexsearch/dist/flexsearch.light.module.min.js",
  "@modelcontextprotocol/server/_shims": "./src/worker/protocol-shims.ts",
};

export interface EngineFile {
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
    alias: { flexsearch: STAND_INS.flexsearch },
    bundle: true,
    charset: "utf8",
    format: "esm",
    legalComments: "none",
    metafile: true,
    minify: true,
    outdir: ROOT,
    platform: "browser",
    plugins: [makeEntries(), loadStemmer()],
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

/** The English stemmer is a CommonJS module of one function: as a module of ECMAScript it needs no code around it. */
function loadStemmer(): Plugin {
  return {
    name: "load-stemmer",
    setup(build) {
      build.onLoad({ filter: /\/porter2\/dist\/index\.js$/ }, ({ path }) => {
        const contents = readFileSync(path, "utf8")
          .replace(/^Object\.defineProperty\(exports, '__esModule'.*$/m, "")
          .replace(/^exports\.stem = /m, "export const stem = ");
        if (/\bexports\b/.test(contents)) throw new Error(`${path} exports something else than the function stem`);
        return { contents };
      });
    },
  };
}
