/**
 * Manifests of the packages that source files belong to: `package.json`, `tsconfig.json`, `go.mod` and the like. They
 * say how imports lead to files; they are read whether they are indexed or not.
 *
 * I/O: lists folders, reads files.
 */

import { isRecord, readJson } from "../../base/read-json.ts";
import type { CollectionConfig, TreelineConfig } from "../../config/config.ts";
import { isCodeManifest, isConfig, MANIFEST_GLOBS } from "../../languages/base/manifests.ts";
import type { ManifestText } from "../../languages/base/world.ts";
import { folderOfPlace } from "../../languages/base/world.ts";
import { configsBehind, type FindPackageFolder } from "../../languages/typescript/tsconfig.ts";
import { discoverFiles } from "../../sources/discover.ts";
import { readSourceFile } from "../../sources/read-file.ts";

/** Where manifests are looked for: a collection's root with its globs. */
type Place = Pick<CollectionConfig, "root" | "include" | "exclude">;

/** All manifests below a configuration's folder, each once, in the order of their paths. */
export async function readManifestFiles(dir: string, { collections, limits }: TreelineConfig): Promise<ManifestText[]> {
  const places: { readonly place: Place; readonly collection?: string }[] = [
    { place: { root: ".", include: MANIFEST_GLOBS, exclude: [] } },
    // A folder that is spelled out is read although it is ignored; so is the manifest in it.
    ...collections.map(({ name, root, include }) => ({
      place: { root, include: include.flatMap(besideGlob), exclude: [] },
      collection: name,
    })),
  ];
  const found = new Map<string, ManifestText>();
  const read = async (place: Place, collection: string | undefined, wants: (path: string) => boolean) => {
    if (place.include.length === 0) return;
    const { root, files } = await discoverFiles(place, dir, limits);
    for (const { path } of files) {
      const key = place.root === "." ? path : `${place.root}/${path}`;
      if (found.has(key) || !wants(path)) continue;
      const source = await readSourceFile(root, path, limits);
      if (!source.ok) continue;
      found.set(key, {
        collection: collection ?? ownerOf(key, collections),
        root: place.root,
        path,
        text: source.text,
      });
    }
  };
  for (const { place, collection } of places) await read(place, collection, isCodeManifest);
  // What a configuration extends may have any name, and may extend another one in turn.
  const asked = new Set<string>();
  let configs = [...found.keys()].filter(isConfig);
  while (configs.length > 0) {
    const folderOfPackage = findFolders(found);
    const behind = configs.flatMap((key) => configsBehind(key, parseObject(found.get(key)?.text), folderOfPackage));
    const wanted = new Set(behind.filter((key) => !found.has(key) && !asked.has(key) && isPlainPlace(key)));
    for (const key of wanted) asked.add(key);
    await read({ root: ".", include: [...wanted], exclude: [] }, undefined, (path) => wanted.has(path));
    configs = [...wanted].filter((key) => found.has(key));
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, manifest]) => manifest);
}

function parseObject(text = ""): Readonly<Record<string, unknown>> {
  const { value } = readJson(text.replace(/^\uFEFF/, ""));
  return isRecord(value) ? value : {};
}

/** Folders of the packages of the workspace, by name. */
function findFolders(found: ReadonlyMap<string, ManifestText>): FindPackageFolder {
  const folders = new Map<string, string>();
  for (const [key, { text }] of found) {
    if (key !== "package.json" && !key.endsWith("/package.json")) continue;
    const { name } = parseObject(text);
    if (typeof name === "string" && !folders.has(name)) folders.set(name, folderOfPlace(key));
  }
  return (name) => folders.get(name);
}

/** Whether a place is a JSON file below the folder, and none of its characters means something in a glob. */
function isPlainPlace(place: string): boolean {
  return place.endsWith(".json") && !/^\/|(?:^|\/)\.\.(?:\/|$)|[*?[\]{}()!\\\0]/.test(place);
}

/** Name of the collection that a file lies in: of source code before others, the innermost root before those around it. */
function ownerOf(path: string, collections: TreelineConfig["collections"]): string {
  const holds = ({ root }: CollectionConfig): boolean => root === "." || path.startsWith(`${root}/`);
  const weight = (one: CollectionConfig): number =>
    (holds(one) ? 2_000_000 : 0) + (one.kind === "code" ? 1_000_000 : 0) + (holds(one) ? one.root.length : 0);
  const [best] = [...collections].sort((a, b) => weight(b) - weight(a));
  return best?.name ?? "";
}

/** Globs of the manifests in the folders that a glob spells out. */
function besideGlob(glob: string): string[] {
  const literal = glob.split("/").slice(0, -1);
  const wild = literal.findIndex((segment) => /[*?[\]{}()!]/.test(segment));
  const folders = wild < 0 ? literal : literal.slice(0, wild);
  return folders.map((_, at) => `${folders.slice(0, at + 1).join("/")}/package.json`);
}
