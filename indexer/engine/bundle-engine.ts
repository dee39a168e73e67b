/**
 * The engine of a page as files for a browser: `engine.js`, and beside it one file for each module that the engine loads
 * on demand.
 *
 * esbuild's own splitting would cut what these share into a dozen files, which a page would fetch one after another. So
 * what the engine holds stays in it whatever else wants it: it hands that to the other files, which are functions of it
 * (`load-part.ts`), under the short names that it has there. Codecs that the engine itself has no use for are copied into each instead.
 */
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build as bundle, type Plugin } from "esbuild";
import { keepOnDemand, type Loader } from "./keep-on-demand.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ELEMENT = join(ROOT, "src", "web");
/** What a page may import, by the module that defines it. */
const PUBLIC = { "static-index.ts": "openStaticIndex", "typing.ts": "searchAsTyped", "host-error.ts": "HostError" };
/** Name of the file that a page imports. */
export const ENGINE_FILE = "engine.js";
/** Loads a part of the engine; the name by which that function knows what the engine hands over. */
const LOAD_PART: Loader = { file: "load-part.ts", name: "loadPart" };
const HANDED_OVER = "$engine";
/** What browsers of the last three years understand. */
export const TARGET = "es2022";
/** Suggestions use the index alone, which the smallest build of flexsearch has, too. */
const SMALL_FLEXSEARCH = join(ROOT, "node_modules", "flexsearch", "dist", "flexsearch.light.module.min.js");

/** A file for a browser. */
export interface EngineFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Sources that it holds, by path below the project. */
  readonly sources: readonly string[];
}

/** Bundle the engine, minified; `engine.js` first. */
export async function bundleEngine(): Promise<readonly EngineFile[]> {
  const onDemand = new Map<string, string>();
  const draft = await build(exportsFor(new Map()), [keepParts(onDemand)]);
  const { text } = await build(exportsFor(new Map()), [keepParts(new Map())], { minify: false });
  const held = new Map(draft.sources.map((path) => [join(ROOT, path), listHeld(join(ROOT, path), text)]));
  // What the other files want of the engine, and which they load in turn, shows when they are bundled without it.
  const imports = new Map<string, readonly string[]>();
  for (const [name, path] of onDemand) {
    const plugins = [keepParts(onDemand), leaveOut(held)];
    imports.set(name, findImports((await build(entryOf(path), plugins, { minify: false })).text));
  }
  // Modules are met in any order; files and short names have the same one in every build.
  const names = [...imports.keys()].sort();
  const wanted = new Map<string, string>();
  for (const name of new Set(names.flatMap((file) => imports.get(file) ?? []))) {
    wanted.set(name, `$${wanted.size.toString(36)}`);
  }
  const engine = handOver(await build(exportsFor(wanted), [keepParts(onDemand)]), wanted);
  const files = [{ name: ENGINE_FILE, ...engine }];
  for (const name of names) {
    const plugins = [keepParts(onDemand), takeFromEngine(held, wanted)];
    files.push({ name, ...toFunction(await build(entryOf(onDemand.get(name) as string), plugins)) });
  }
  return files.map(({ name, text, sources }) => ({ name, bytes: new TextEncoder().encode(text), sources }));
}

async function build(
  contents: string,
  plugins: readonly Plugin[],
  changes: Pick<BuildOptions, "minify"> = {},
): Promise<Bundle> {
  const { outputFiles, metafile } = await bundle({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    absWorkingDir: ROOT,
    alias: { flexsearch: SMALL_FLEXSEARCH },
    bundle: true,
    charset: "utf8",
    format: "esm",
    legalComments: "none",
    metafile: true,
    minify: true,
    platform: "browser",
    plugins: [...plugins, loadStemmer()],
    target: TARGET,
    write: false,
    ...changes,
  });
  const [output] = Object.values(metafile.outputs);
  const sources = Object.keys(output?.inputs ?? {}).filter((path) => path !== "<stdin>" && !path.startsWith("engine:"));
  return { text: outputFiles[0]?.text ?? "", sources };
}

interface Bundle {
  readonly text: string;
  readonly sources: readonly string[];
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

/** Parts of the engine stay files of their own. */
function keepParts(found: Map<string, string>): Plugin {
  return keepOnDemand(found, undefined, LOAD_PART);
}

/** The names of a clause of imports or exports, each with the one that stands behind `as`. */
function readClause(clause: string): readonly (readonly [name: string, as: string])[] {
  return clause
    .split(",")
    .map((one) => one.trim().split(/\s+as\s+/))
    .flatMap(([name = "", as = name]) => (name === "" ? [] : [[name, as] as const]));
}

/** The clause of exports at the end of a bundle, and what stands before it. */
function cutExports(text: string): { readonly before: string; readonly exported: ReturnType<typeof readClause> } {
  const [whole = "", clause = ""] = /export\s*\{([^{}]*)\};?\s*$/.exec(text) ?? [];
  return { before: text.slice(0, text.length - whole.length), exported: readClause(clause) };
}

/**
 * The engine, which has what is wanted of it as an object in place of exports, under the names that it has inside; `wanted` gets those
 * names.
 */
function handOver({ text, sources }: Bundle, wanted: Map<string, string>): Bundle {
  const { before, exported } = cutExports(text);
  const inner = new Map(exported.map(([own, name]) => [name, own]));
  for (const [name, short] of wanted) wanted.set(name, inner.get(short) ?? short);
  const open = exported.filter(([, name]) => !name.startsWith("$"));
  const handed = [...new Set(wanted.values())];
  return { text: `${before}var ${HANDED_OVER}={${handed}};export{${writeNames(open, " as ")}};\n`, sources };
}

/** A bundle that imports from the engine as a function of what the engine hands over, which gives the exports. */
function toFunction({ text, sources }: Bundle): Bundle {
  const imported: (readonly [string, string])[] = [];
  const { before, exported } = cutExports(text);
  const body = before.replace(IMPORT_FROM_ENGINE, (_, clause: string) => {
    imported.push(...readClause(clause));
    return "";
  });
  const given = exported.map(([own, name]) => [name, own] as const);
  return {
    text: `export default({${writeNames(imported, ":")}})=>{${body.trim()}return{${writeNames(given, ":")}}};\n`,
    sources,
  };
}

const IMPORT_FROM_ENGINE = /\bimport\{([^{}]*)\}from"\.\/engine\.js";/g;

function writeNames(names: readonly (readonly [string, string])[], between: string): string {
  return names.map(([name, as]) => (name === as ? name : `${name}${between}${as}`)).join(",");
}

function entryOf(path: string): string {
  return `export * from ${quote(path)};`;
}

function quote(path: string): string {
  return JSON.stringify(path);
}

/** Modules of small functions that share nothing: of these a file has a copy of what the engine does not hold. */
const COPIED = /\/core\/(?:bytes|format)\//;

/** Names that a module exports and that bundled code holds; of a module that is never copied, all. */
function listHeld(path: string, text: string): readonly string[] {
  const source = readFileSync(path, "utf8");
  const exported = [...source.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
  if (!COPIED.test(path)) return exported;
  return exported.filter((name) => new RegExp(`\\b(?:function\\*?|class|const|let|var) ${name}\\b`).test(text));
}

/** What the engine holds is imported by its path below the project. */
function leaveOut(held: ReadonlyMap<string, readonly string[]>): Plugin {
  return replaceHeld("leave-out", held, (path) =>
    (held.get(join(ROOT, path)) ?? []).map((name) => `export { ${name} } from "engine:${path}";`),
  );
}

/** What the engine holds is imported from it. */
function takeFromEngine(held: ReadonlyMap<string, readonly string[]>, wanted: ReadonlyMap<string, string>): Plugin {
  return replaceHeld("take-from-engine", held, (path) =>
    (held.get(join(ROOT, path)) ?? []).flatMap((name) => {
      const short = wanted.get(`${path}#${name}`);
      if (short !== undefined) return [`export { ${short} as ${name} } from "./${ENGINE_FILE}";`];
      // An import that no bundled code uses has to resolve all the same; a copied module exports it itself.
      return COPIED.test(path) ? [] : [`export const ${name} = undefined;`];
    }),
  );
}

/** Modules that the engine holds become those exports, and for all else a copy of themselves. */
function replaceHeld(
  name: string,
  held: ReadonlyMap<string, readonly string[]>,
  exportsOf: (path: string) => readonly string[],
): Plugin {
  return {
    name,
    setup(build) {
      build.onResolve({ filter: /^engine:|^\.\/engine\.js$/ }, ({ path }) => ({
        path,
        external: true,
        sideEffects: false,
      }));
      build.onResolve({ filter: /^copy:/ }, ({ path }) => ({ path: join(ROOT, path.slice("copy:".length)) }));
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const target = resolve(resolveDir, path);
        return held.has(target) ? { path: relative(ROOT, target), namespace: "engine", sideEffects: false } : undefined;
      });
      build.onLoad({ filter: /.*/, namespace: "engine" }, ({ path }) => ({
        contents: [...exportsOf(path), ...(COPIED.test(path) ? [`export * from "copy:${path}";`] : [])].join("\n"),
        resolveDir: ROOT,
      }));
    },
  };
}

/** `path#name` of everything that bundled code imports from the engine. */
function findImports(text: string): string[] {
  return [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*"engine:([^"]+)"/g)].flatMap(([, names = "", path]) =>
    readClause(names).map(([name]) => `${path}#${name}`),
  );
}

function exportsFor(wanted: ReadonlyMap<string, string>): string {
  const own = Object.entries(PUBLIC).map(([file, name]) => `export { ${name} } from ${quote(join(ELEMENT, file))};`);
  const lines = [...wanted].map(([name, short]) => {
    const [path = "", exported] = name.split("#");
    return `export { ${exported} as ${short} } from ${quote(join(ROOT, path))};`;
  });
  return [...own, ...lines].join("\n");
}
