/**
 * Manifests of the packages that source files belong to: `package.json`, `tsconfig.json`, `go.mod` and the like. They
 * say how imports lead to files; they are read whether they are indexed or not.
 *
 * I/O: lists folders, reads files.
 */
import type { CollectionConfig, TreelineConfig } from "../config.ts";
import type { ManifestText } from "../link/code/code-world.ts";
import { isCodeManifest, MANIFEST_GLOBS } from "../link/code/manifests.ts";
import { discoverFiles } from "./discover.ts";
import { readSourceFile } from "./read-file.ts";

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
  for (const { place, collection } of places) {
    if (place.include.length === 0) continue;
    const { root, files } = await discoverFiles(place, dir, limits);
    for (const { path } of files) {
      const key = place.root === "." ? path : `${place.root}/${path}`;
      if (found.has(key) || !isCodeManifest(path)) continue;
      const source = await readSourceFile(root, path, limits);
      if (!source.ok) continue;
      found.set(key, {
        collection: collection ?? ownerOf(key, collections),
        root: place.root,
        path,
        text: source.text,
      });
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, manifest]) => manifest);
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
