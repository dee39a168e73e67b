/** TypeScript and JavaScript, which share their modules. */
import { builtinModules } from "node:module";
import { isSampleFile } from "../../../src/core/code/source-paths.ts";
import { isRecord } from "../../../src/core/parse-text.ts";
import type { CodeFile } from "../base/code-file.ts";
import { pickOnly } from "../base/imports.ts";
import type { CodeWorld, Entity, Family, Language, Linking, PackageModule, ResolveImport } from "../base/language.ts";
import { type Manifest, type Manifests, readJsonManifest } from "../base/manifests.ts";
import { addToList, folderOfPlace, foldersAround, joinPlace, NOTHING } from "../base/world.ts";
import { makeGlobals } from "./globals.ts";
import { createTsconfigs, mapPath, TSCONFIGS } from "./tsconfigs.ts";

/** What stands for an ending that only a build makes, in the order it is tried. */
const SWAPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["js", ["ts", "tsx", "d.ts", "js", "jsx"]],
  ["jsx", ["tsx", "ts", "d.ts", "jsx"]],
  ["mjs", ["mts", "d.mts", "mjs"]],
  ["cjs", ["cts", "d.cts", "cjs"]],
  ["ts", ["ts", "d.ts"]],
  ["mts", ["mts", "d.mts"]],
  ["cts", ["cts", "d.cts"]],
]);
const ADDED = ["ts", "tsx", "d.ts", "js", "jsx", "mts", "d.mts", "cts", "d.cts", "mjs", "cjs", "json", "vue", "svelte"];

const NODE_MODULES: ReadonlySet<string> = new Set(builtinModules);

const ENTRY_KEYS = ["exports", "main", "module", "browser", "types", "typings", "source", "bin", "svelte", "worker"];

/** A path in the text of a script. */
const SCRIPT_FILE = /[\w@./-]+\.(?:[cm]?[jt]s|[jt]sx|py|sh)\b/g;

/** Resolve imports of all scripts. Faults of configurations are added to the diagnostics of `manifests`. */
function createScriptResolver({ world, manifests }: Linking): ResolveImport {
  const find = createFindScript(world);
  const packages = createNpmPackages(manifests, find);
  const mappingsOf = createTsconfigs(manifests, packages.folderOf);
  const asEntity = (file: number): Entity => (file < 0 ? NOTHING : world.fileEntity(file));
  const resolveBare = (folder: string, name: string): Entity => {
    for (const mapping of mappingsOf(folder)) {
      for (const place of mapPath(mapping, name)) {
        const file = find(place);
        if (file >= 0) return world.fileEntity(file);
      }
    }
    const inside = packages.resolve(name);
    if (inside !== undefined) return inside < 0 ? world.external(`npm:${packageName(name)}`) : world.fileEntity(inside);
    if (NODE_MODULES.has(name.split("/")[0] as string)) return world.external(`node:${name}`);
    return world.external(`npm:${packageName(name)}`);
  };
  return (file, specifier) => {
    const folder = folderOfPlace(world.places[file] as string);
    // Bundlers read what stands behind `?` and before `!`.
    const name = specifier.replace(/^.*!/, "").replace(/[?].*$/, "");
    if (/^\.{0,2}\//.test(name) || name === "." || name === "..") {
      const isAbsolute = name.startsWith("/");
      return asEntity(find(isAbsolute ? name.slice(1) : joinPlace(folder, name), name.endsWith("/")));
    }
    if (name === "") return NOTHING;
    if (name.startsWith("npm:")) return world.external(`npm:${packageName(name.slice(4)).replace(/(?<=.)@.*$/, "")}`);
    if (/^[a-z][a-z0-9+.-]*:/i.test(name)) return world.external(name);
    if (name.startsWith("#")) {
      const target = packages.resolveImports(folder, name);
      if (typeof target === "string") return resolveBare(folder, target);
      if (target !== undefined && target >= 0) return world.fileEntity(target);
    }
    return resolveBare(folder, name);
  };
}

/** Finds the file that a path without certain ending means: itself, its source, with an ending, the index of a folder. */
function createFindScript({ fileAt }: Pick<CodeWorld, "fileAt">): (place: string, isFolder?: boolean) => number {
  const findFile: FindScript = (place) => {
    const dot = place.lastIndexOf(".");
    const swaps = dot < 0 ? undefined : SWAPS.get(place.slice(dot + 1));
    if (swaps !== undefined) {
      const bare = place.slice(0, dot + 1);
      for (const ending of swaps) {
        const file = fileAt.get(bare + ending);
        if (file !== undefined) return file;
      }
    }
    const itself = fileAt.get(place);
    if (itself !== undefined) return itself;
    for (const ending of ADDED) {
      const file = fileAt.get(`${place}.${ending}`);
      if (file !== undefined) return file;
    }
    return -1;
  };
  return (place, isFolder = false) => {
    const file = isFolder ? -1 : findFile(place);
    return file >= 0 ? file : findFile(joinPlace(place, "index"));
  };
}

/** A source file for a path without certain ending; -1 where there is none. */
type FindScript = (place: string) => number;

/** Folders that builds write into; sources lie beside them in one of `SOURCES`. */
const OUTPUTS = /^(?:dist|lib|build|out|output|es|esm|cjs|umd|types|typings|module|modules|node|browser|mjs)$/;
const SOURCES = ["src", "source", "lib", "", "src/public", "src/entrypoints", "src/entries"];

/** Packages by name; of two with one name the first by place. */
function createNpmPackages({ list }: Pick<Manifests, "list">, find: FindScript) {
  const byName = new Map<string, Manifest>();
  const byFolder = new Map<string, Manifest>();
  const found = new Map<string, number>();
  for (const manifest of list) {
    if (!isOfScripts(manifest)) continue;
    if (!byFolder.has(manifest.folder)) byFolder.set(manifest.folder, manifest);
    if (manifest.name !== "" && !byName.has(manifest.name)) byName.set(manifest.name, manifest);
  }
  return {
    folderOf: (name: string): string | undefined => byName.get(name)?.folder,
    /** File that a bare specifier leads to: -1 inside a package of the workspace that has no such file, undefined outside. */
    resolve: (specifier: string): number | undefined => {
      const name = packageName(specifier);
      const manifest = byName.get(name);
      if (manifest === undefined) return undefined;
      const file = found.get(specifier) ?? findPart(manifest, specifier.slice(name.length), find);
      found.set(specifier, file);
      return file;
    },
    /** File that `#part` leads to from a folder, or the name of a package that it stands for; undefined where none is given. */
    resolveImports: (folder: string, specifier: string): number | string | undefined => {
      for (const around of foldersAround(folder)) {
        const manifest = byFolder.get(around);
        if (manifest === undefined) continue;
        const { imports } = manifest.json ?? {};
        if (!isRecord(imports)) return undefined;
        let foreign: string | undefined;
        for (const target of matchKeys(imports, specifier)) {
          if (!target.startsWith(".")) foreign ??= target;
          const file = target.startsWith(".") ? findSource(around, target, find) : -1;
          if (file >= 0) return file;
        }
        return foreign ?? -1;
      }
      return undefined;
    },
  };
}

function isOfScripts({ kind }: Manifest): boolean {
  return kind === "npm" || kind === "npm-jsr";
}

/** Name of the package in a bare specifier: its first part, with a scope its first two. */
function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]*/.exec(specifier)?.[0] ?? specifier;
}

function findPart({ json = {}, folder }: Manifest, part: string, find: FindScript): number {
  const { exports } = json;
  if (exports !== undefined && exports !== null) {
    const keyed = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."));
    const targets = keyed ? matchKeys(exports, `.${part}`) : part === "" ? leaves(exports) : [];
    const built = targets.filter(isOutput);
    // What lies beside a build of another name than its source is a stub.
    const rest = targets.filter((target) => !isOutput(target));
    const ordered = part === "" && built.length > 0 ? [...built, "src/index", ...rest] : targets;
    for (const target of ordered) {
      const file = findSource(folder, target, find);
      if (file >= 0) return file;
    }
  }
  const mains = part === "" ? ["source", "types", "typings", "module", "main"].map((key) => json[key]) : [part];
  for (const main of [...mains, part === "" ? "index" : part]) {
    const file = typeof main === "string" ? findSource(folder, main, find) : -1;
    if (file >= 0) return file;
  }
  return -1;
}

/** Whether a path begins with a folder that builds write into. */
function isOutput(path: string): boolean {
  return OUTPUTS.test(joinPlace(".", path).split("/", 1)[0] as string);
}

/** Targets of the key that fits a subpath, in the order of their conditions, `*` filled in. */
function matchKeys(keys: Readonly<Record<string, unknown>>, subpath: string): string[] {
  if (Object.hasOwn(keys, subpath)) return leaves(keys[subpath]);
  let best: { readonly key: string; readonly rest: string } | undefined;
  for (const key of Object.keys(keys)) {
    const star = key.indexOf("*");
    if (star < 0 || !subpath.startsWith(key.slice(0, star)) || !subpath.endsWith(key.slice(star + 1))) continue;
    if (subpath.length < key.length - 1 || (best !== undefined && best.key.indexOf("*") >= star)) continue;
    best = { key, rest: subpath.slice(star, subpath.length - (key.length - star - 1)) };
  }
  if (best === undefined) return [];
  const { rest } = best;
  return leaves(keys[best.key]).map((target) => target.replaceAll("*", () => rest));
}

/** All texts in a value of a manifest, in their order. */
function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isRecord(value) ? Object.values(value).flatMap(leaves) : [];
}

/** The source of a file that a manifest names: itself, or what it was built from; -1 where there is none. */
function findSource(folder: string, target: string, find: FindScript): number {
  const itself = find(joinPlace(folder, target));
  if (itself >= 0) return itself;
  const parts = joinPlace(".", target).split("/");
  for (
    let dropped = 0;
    dropped < parts.length && (dropped === 0 || OUTPUTS.test(parts[dropped - 1] as string));
    dropped++
  ) {
    const rest = parts.slice(dropped).join("/");
    for (const source of SOURCES) {
      const file = find(joinPlace(folder, source, rest));
      if (file >= 0) return file;
    }
  }
  return -1;
}

/** Files that manifests and their scripts name. */
function findEntries(world: Pick<CodeWorld, "fileAt">, { list }: Pick<Manifests, "list">): Iterable<number> {
  const find = createFindScript(world);
  const found = new Set<number>();
  for (const { kind, folder, json = {} } of list) {
    if (kind !== "npm") continue;
    for (const target of ENTRY_KEYS.flatMap((key) => leaves(json[key]))) {
      if (target.includes("*")) for (const { file } of filesBelow(world, folder, target)) found.add(file);
      else found.add(findSource(folder, sourceOfTypes(target), find));
    }
    for (const target of scriptsOf(json)) found.add(find(joinPlace(folder, target)));
  }
  found.delete(-1);
  return found;
}

/** What a package's `exports` name, patterns filled in; of a package without, the file that its name leads to. */
function* listModules(world: Pick<CodeWorld, "fileAt">, { list }: Pick<Manifests, "list">): Generator<PackageModule> {
  const find = createFindScript(world);
  for (const manifest of list) {
    const { name, path, folder, json = {} } = manifest;
    if (!isOfScripts(manifest) || name === "" || isSampleFile(path)) continue;
    const keys = isRecord(json.exports) ? Object.keys(json.exports).filter((key) => key.startsWith(".")) : [];
    const exports = keys.length > 0 ? (json.exports as Readonly<Record<string, unknown>>) : { ".": json.exports ?? "" };
    for (const [key, value] of Object.entries(exports)) {
      const targets = leaves(value);
      const parts = key.includes("*")
        ? targets.flatMap((target) => [...partsBelow(world, folder, key, target)])
        : targets.map(() => key);
      for (const part of new Set(parts)) {
        const file = findPart(manifest, part.slice(1), find);
        if (file >= 0) yield { name: joinPlace(name, part), file };
      }
    }
  }
}

/** What a pattern may mean: a part for each file, without what the pattern ends with. */
function* partsBelow(
  world: Pick<CodeWorld, "fileAt">,
  folder: string,
  key: string,
  pattern: string,
): Generator<string> {
  // `./dist/*`, and `./*` of the whole package, give files and no modules.
  if (isOutput(key) || /^\.\/(?:src\/|\*)/.test(pattern)) return;
  const end = /\*\/index\.\w+$/.test(pattern) ? "/index" : "";
  for (const { rest } of filesBelow(world, folder, pattern)) {
    const bare = rest.replace(/(?:\.d)?\.[^./]+$/, "");
    if (!isSampleFile(rest) && bare.endsWith(end))
      yield key.replace("*", () => bare.slice(0, bare.length - end.length));
  }
}

/** What declarations are made of: `./dist/a.d.ts` and `./dist/a.js` come from one source. */
function sourceOfTypes(target: string): string {
  return target.replace(/\.d\.([cm]?)ts$/, ".$1js");
}

/** Paths of files in the scripts of a package. */
function scriptsOf(json: NonNullable<Manifest["json"]>): string[] {
  return leaves(json.scripts).flatMap((script) => script.match(SCRIPT_FILE) ?? []);
}

/** Files that a pattern may mean with the rest of their paths: those in its folder, or in that of the sources it is built from. */
function* filesBelow({ fileAt }: Pick<CodeWorld, "fileAt">, folder: string, pattern: string) {
  const literal = joinPlace(".", folderOfPlace(pattern.slice(0, pattern.indexOf("*")).replace(/^\.\//, "") || "."));
  const [output = "", ...below] = literal.split("/");
  const places = [literal, ...["src", "source", "lib"].map((source) => [source, ...below].join("/"))];
  const own = output === "" ? places.slice(0, 1) : places;
  const prefixes = own.map((place) => joinPlace(folder, place)).map((place) => (place === "" ? "" : `${place}/`));
  for (const [place, file] of fileAt) {
    const prefix = prefixes.find((one) => place.startsWith(one));
    if (prefix !== undefined) yield { file, rest: place.slice(prefix.length) };
  }
}

const FAMILY: Family = {
  name: "script",
  hasExports: true,
  declaresDefault: (language) => /^(?:typescript|tsx|vue|svelte|astro)$/.test(language),
  importsAssets: true,
  globals: makeGlobals(),
  installed: /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^@/.][^/]*)(?!.*\/node_modules\/)/,
  createModules: (linking) => {
    let declared: ReadonlyMap<string, number> | undefined;
    return {
      resolve: createScriptResolver(linking),
      declared: (specifier) => {
        declared ??= readDeclaredModules(linking.world);
        return declared.get(specifier) ?? NOTHING;
      },
    };
  },
  createNames: ({ world }) => {
    const globals = readGlobals(world);
    return { resolveFree: (_, name, wantType) => pickOnly(world, globals.get(name), wantType) };
  },
};

/** Whether a file imports or exports, so that its names are its own. */
function isModule({ imports, symbols }: CodeFile): boolean {
  return imports.some(({ from }) => from === -1) || symbols.some(({ exportedAs }) => exportedAs.length > 0);
}

/** Modules that scripts declare; what a module declares adds to one that is elsewhere. */
function readDeclaredModules(world: CodeWorld): ReadonlyMap<string, number> {
  const declared = new Map<string, number>();
  for (const [file, { code }] of world.files.entries()) {
    if (world.families[file] !== FAMILY || isModule(code)) continue;
    for (const [index, { kind, name, parent }] of code.symbols.entries()) {
      if (kind !== "module" || parent >= 0 || declared.has(name)) continue;
      declared.set(name, (world.first[file] as number) + index);
    }
  }
  return declared;
}

/** Kinds of declarations that add to one of the same name in another file. */
const MERGED: ReadonlySet<string> = new Set(["interface", "function", "variable", "namespace"]);

/** Names at the top of scripts that import and export nothing: those are seen everywhere. */
function readGlobals(world: CodeWorld): Map<string, number[]> {
  const globals = new Map<string, number[]>();
  for (const [file, { code }] of world.files.entries()) {
    if (world.families[file] !== FAMILY) continue;
    const hasOwnNames = isModule(code);
    const names = world.names(file);
    const top = hasOwnNames ? (names.members.get(names.top.get("global")?.[0] ?? NOTHING) ?? []) : names.top;
    // What declares the platform again adds to the platform's own declarations, or gives way to them.
    const isPlatform = !hasOwnNames && PLATFORM.some((name) => names.top.has(name));
    for (const [name, symbols] of top) {
      if (isPlatform && !symbols.every((symbol) => MERGED.has(world.symbol(symbol).kind))) continue;
      for (const symbol of symbols) addToList(globals, name, symbol);
    }
  }
  return globals;
}

/** Names that declarations of a platform have among others. */
const PLATFORM: readonly string[] = ["Array", "Promise", "Response", "HTMLElement", "console", "setTimeout"];

export const TYPESCRIPT: Language = {
  parser: {
    languages: ["typescript", "tsx", "javascript", "jsx"],
    load: async () => (await import("./parse.ts")).parseTypeScript,
  },
  checker: {
    languages: ["typescript", "tsx", "javascript", "jsx"],
    program: new URL("./checker.ts", import.meta.url),
  },
  family: FAMILY,
  manifests: [
    { kind: "npm", files: ["package.json"], isReadBesideGlobs: true, read: readJsonManifest },
    // Behind those of npm, whose names stand where a folder has both.
    { kind: "npm-jsr", files: ["jsr.json", "deno.json", "deno.jsonc"], isOnlyNamed: true, read: readJsonManifest },
  ],
  configs: TSCONFIGS,
  constructors: ["constructor"],
  findEntries,
  listModules,
  globals: [
    "Array ArrayBuffer AsyncFunction AsyncGenerator AsyncIterable AsyncIterator Atomics BigInt Boolean DataView Date Function",
    "Generator Infinity Intl Iterable Iterator JSON Map Math NaN Number Object Promise PromiseLike Proxy ReadonlyArray",
    "ReadonlyMap ReadonlySet Reflect RegExp Set SharedArrayBuffer String Symbol WeakMap WeakRef WeakSet WebAssembly",
    "Float32Array Float64Array Int8Array Int16Array Int32Array Uint8Array Uint8ClampedArray Uint16Array Uint32Array BigInt64Array",
    "Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ReturnType InstanceType Awaited ThisType",
    "AbortController AbortSignal Blob BroadcastChannel Cache CacheStorage CloseEvent CompressionStream Crypto CryptoKey CustomEvent",
    "DOMException DecompressionStream Document Element Event EventEmitter EventSource EventTarget File FileList FileReader",
    "FormData HTMLElement Headers IntersectionObserver MessageChannel MessageEvent MessagePort MutationObserver Navigator Node",
    "NodeList Performance PerformanceObserver ReadableStream Request ResizeObserver Response Storage SubtleCrypto TextDecoder",
    "TextEncoder TransformStream URL URLSearchParams WebSocket Window Worker WritableStream XMLHttpRequest Buffer Process",
    "Duplex Readable Writable Transform PassThrough Stream Server Socket Agent IncomingMessage ServerResponse ClientRequest",
    "addEventListener removeEventListener dispatchEvent clearImmediate clearInterval clearTimeout cancelAnimationFrame",
    "requestAnimationFrame requestIdleCallback setImmediate setInterval setTimeout queueMicrotask structuredClone decodeURI",
    "decodeURIComponent encodeURI encodeURIComponent globalThis hasOwnProperty isFinite isNaN isPrototypeOf parseFloat parseInt",
    "innerHTML localStorage sessionStorage toLocaleString toString valueOf constructor prototype __proto__ __dirname __filename",
    "FinalizationRegistry AbortError OmitThisParameter fetch node_modules package_json diagnostics_channel child_process",
    "worker_threads async_hooks string_decoder perf_hooks async_local_storage AsyncLocalStorage AsyncResource",
    "JavaScript TypeScript CoffeeScript NodeJS",
  ],
};
