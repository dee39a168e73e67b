/**
 * Source files that a `package.json` says are where a package or program begins: its `exports`, `main` and kin, `bin`, and
 * files that its scripts run. Pure.
 */
import type { CodeWorld } from "./code-world.ts";
import type { Manifest, Manifests } from "./manifests.ts";
import { findSource, leaves } from "./npm-packages.ts";
import { folderOfPlace, joinPlace } from "./places.ts";
import { createFindScript } from "./resolve-script.ts";

const ENTRY_KEYS = ["exports", "main", "module", "browser", "types", "typings", "source", "bin", "svelte", "worker"];
/** A path in the text of a script. */
const SCRIPT_FILE = /[\w@./-]+\.(?:[cm]?[jt]s|[jt]sx|py|sh)\b/g;

/** See the header; numbers of files, ascending. */
export function findEntryFiles(world: Pick<CodeWorld, "fileAt">, { list }: Pick<Manifests, "list">): number[] {
  const find = createFindScript(world);
  const found = new Set<number>();
  for (const { kind, folder, json = {} } of list) {
    if (kind !== "npm") continue;
    for (const target of ENTRY_KEYS.flatMap((key) => leaves(json[key]))) {
      if (target.includes("*")) for (const file of filesBelow(world, folder, target)) found.add(file);
      else found.add(findSource(folder, target, find));
    }
    for (const target of scriptsOf(json)) found.add(find(joinPlace(folder, target)));
  }
  found.delete(-1);
  return [...found].sort((a, b) => a - b);
}

/** Paths of files in the scripts of a package. */
function scriptsOf(json: NonNullable<Manifest["json"]>): string[] {
  return leaves(json.scripts).flatMap((script) => script.match(SCRIPT_FILE) ?? []);
}

/** Files that a pattern may mean: those in its folder, or in that of the sources it is built from. */
function* filesBelow({ fileAt }: Pick<CodeWorld, "fileAt">, folder: string, pattern: string): Generator<number> {
  const literal = joinPlace(".", folderOfPlace(pattern.slice(0, pattern.indexOf("*")).replace(/^\.\//, "") || "."));
  const [output = "", ...below] = literal.split("/");
  const places = [literal, ...["src", "source", "lib"].map((source) => [source, ...below].join("/"))];
  const own = output === "" ? places.slice(0, 1) : places;
  const prefixes = own.map((place) => joinPlace(folder, place)).map((place) => (place === "" ? "" : `${place}/`));
  for (const [place, file] of fileAt) if (prefixes.some((prefix) => place.startsWith(prefix))) yield file;
}
