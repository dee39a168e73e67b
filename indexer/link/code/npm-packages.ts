/**
 * Packages of the workspace as npm sees them: what `name`, `name/part` and `#part` lead to, by `exports`, `imports`,
 * `main` and their kin, mapped from what a build would write back to the sources. Pure.
 */

import { isRecord } from "../../base/read-json.ts";
import type { Manifest, Manifests } from "./manifests.ts";
import { foldersAround, joinPlace } from "./places.ts";

/** A source file for a path without certain ending; -1 where there is none. */
export type FindScript = (place: string) => number;

/** See the header. */
export interface NpmPackages {
  readonly folderOf: (name: string) => string | undefined;
  /** File that a bare specifier leads to: -1 inside a package of the workspace that has no such file, undefined outside. */
  readonly resolve: (specifier: string) => number | undefined;
  /** File that `#part` leads to from a folder, or the name of a package that it stands for; undefined where none is given. */
  readonly resolveImports: (folder: string, specifier: string) => number | string | undefined;
}

/** Folders that builds write into; sources lie beside them in one of `SOURCES`. */
const OUTPUTS = /^(?:dist|lib|build|out|output|es|esm|cjs|umd|types|typings|module|modules|node|browser|mjs)$/;
const SOURCES = ["src", "source", "lib", ""];

/** Packages by name; of two with one name the first by place. */
export function createNpmPackages({ list }: Pick<Manifests, "list">, find: FindScript): NpmPackages {
  const byName = new Map<string, Manifest>();
  const byFolder = new Map<string, Manifest>();
  for (const manifest of list) {
    if (manifest.kind !== "npm") continue;
    byFolder.set(manifest.folder, manifest);
    if (manifest.name !== "" && !byName.has(manifest.name)) byName.set(manifest.name, manifest);
  }
  return {
    folderOf: (name) => byName.get(name)?.folder,
    resolve: (specifier) => {
      const name = packageName(specifier);
      const manifest = byName.get(name);
      return manifest === undefined ? undefined : findPart(manifest, specifier.slice(name.length), find);
    },
    resolveImports: (folder, specifier) => {
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

/** Name of the package in a bare specifier: its first part, with a scope its first two. */
export function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]*/.exec(specifier)?.[0] ?? specifier;
}

function findPart({ json = {}, folder }: Manifest, part: string, find: FindScript): number {
  const { exports } = json;
  if (exports !== undefined && exports !== null) {
    const keyed = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."));
    const targets = keyed ? matchKeys(exports, `.${part}`) : part === "" ? leaves(exports) : [];
    for (const target of targets) {
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
export function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(leaves);
  return isRecord(value) ? Object.values(value).flatMap(leaves) : [];
}

/** The source of a file that a manifest names: itself, or what it was built from; -1 where there is none. */
export function findSource(folder: string, target: string, find: FindScript): number {
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
