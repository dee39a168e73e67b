/**
 * Imports of TypeScript and JavaScript: relative paths, `paths` and `baseUrl`, `#imports`, packages of the workspace,
 * Node's own modules (`node:fs`), and for all else the name of the package (`npm:react`).
 *
 * As TypeScript resolves them: `./a.js` is first `a.ts`; a path without ending is a file before it is a folder. Pure.
 */
import { type CodeWorld, type Entity, NOTHING } from "./code-world.ts";
import type { Manifests } from "./manifests.ts";
import { createNpmPackages, type FindScript, packageName } from "./npm-packages.ts";
import { folderOfPlace, joinPlace } from "./places.ts";
import { createTsconfigs, mapPath } from "./tsconfig.ts";

/** What a specifier leads to from a file; `NOTHING` for a path at which there is no file. */
export type ResolveImport = (file: number, specifier: string) => Entity;

/** What stands for an ending that only a build makes, in the order it is tried. */
const SWAPS: Readonly<Record<string, readonly string[]>> = {
  js: ["ts", "tsx", "d.ts", "js", "jsx"],
  jsx: ["tsx", "ts", "d.ts", "jsx"],
  mjs: ["mts", "d.mts", "mjs"],
  cjs: ["cts", "d.cts", "cjs"],
};
const ADDED = ["ts", "tsx", "d.ts", "js", "jsx", "mts", "d.mts", "cts", "d.cts", "mjs", "cjs", "json"];

const NODE_MODULES: ReadonlySet<string> = new Set(
  (
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain " +
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl " +
    "stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
  ).split(" "),
);

/** Resolve imports of all scripts. Faults of configurations are added to the diagnostics of `manifests`. */
export function createScriptResolver(world: CodeWorld, manifests: Manifests): ResolveImport {
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
export function createFindScript({ fileAt }: Pick<CodeWorld, "fileAt">): (place: string, isFolder?: boolean) => number {
  const findFile: FindScript = (place) => {
    const dot = place.lastIndexOf(".");
    const swaps = dot < 0 ? undefined : SWAPS[place.slice(dot + 1)];
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
