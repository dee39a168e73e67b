/**
 * Manifests of the packages that source files belong to: `package.json`, `tsconfig.json`, `go.mod` and the like. They
 * say how imports lead to files; they are read whether they are indexed or not.
 */
import { isOneLine } from "../../base/diagnostic.ts";
import type { CollectionConfig, TreelineConfig } from "../../config/config.ts";
import {
  type ConfigFile,
  type LinkDiagnostic,
  type Manifest,
  type ManifestFormat,
  type Manifests,
  type ManifestText,
  readJsonObject,
} from "../../languages/base/manifests.ts";
import { baseName, folderOfPlace, placeOf } from "../../languages/base/world.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import { discoverFiles } from "../../sources/discover.ts";
import { readSourceFile } from "../../sources/read-file.ts";

const FORMATS = LANGUAGES.flatMap(({ manifests = [] }) => manifests);
const CONFIGS = LANGUAGES.flatMap(({ configs = [] }) => configs);
const GLOBS = [
  ...FORMATS.flatMap(({ files }) => files.map((name) => `**/${name}`)),
  ...CONFIGS.flatMap(({ globs }) => globs),
];

const BESIDE_GLOBS = FORMATS.filter(({ isReadBesideGlobs }) => isReadBesideGlobs).flatMap(({ files }) => files);

/** Whether linking wants the text of the file with this path. */
export function isCodeManifest(path: string): boolean {
  return formatOf(path) !== undefined || isConfig(path);
}

function isConfig(path: string): boolean {
  return CONFIGS.some((format) => format.isConfig(path));
}

function formatOf(path: string): ManifestFormat | undefined {
  const own = baseName(path);
  return FORMATS.find(({ files }) =>
    files.some((name) => (name.startsWith("*") ? own.endsWith(name.slice(1)) : own === name)),
  );
}

/** Read all manifests; of several of one kind in a folder the one that gives a name stands. */
export function readManifests(texts: readonly ManifestText[]): Manifests {
  const list: Manifest[] = [];
  const configs = new Map<string, ConfigFile>();
  const diagnostics: LinkDiagnostic[] = [];
  for (const given of texts) {
    const { collection, path } = given;
    const place = placeOf(given.root, path);
    const folder = folderOfPlace(place);
    const source = { ...given, text: given.text.replace(/^\uFEFF/, ""), folder, diagnostics };
    const format = formatOf(path);
    if (format === undefined) {
      // An empty configuration is one that says nothing.
      const json = source.text.trim() === "" ? {} : readJsonObject(source, "the paths it maps");
      if (!configs.has(place)) configs.set(place, { collection, path, json });
      continue;
    }
    const { kind, isOnlyNamed } = format;
    const facts = format.read(source);
    if (isOnlyNamed === true && facts.name === "") continue;
    // What has a line feed in it is no package's name, and would write lines of its own into answers.
    const manifest = { ...facts, kind, collection, path, folder, name: isOneLine(facts.name) ? facts.name : "" };
    const twin = list.findIndex((other) => other.kind === kind && other.folder === folder);
    if (twin < 0) list.push(manifest);
    else if ((list[twin] as Manifest).name === "") list[twin] = manifest;
  }
  list.sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : a.kind < b.kind ? -1 : 1));
  reportTwins(list, diagnostics);
  return { list, configs, diagnostics };
}

/** Names of packages are keys; two of one name would make every answer about them a guess. */
function reportTwins(list: readonly Manifest[], diagnostics: LinkDiagnostic[]): void {
  const known = new Map<string, Manifest>();
  for (const manifest of list) {
    if (manifest.name === "") continue;
    const key = `${manifest.kind} ${manifest.name}`;
    const other = known.get(key);
    if (other === undefined) {
      known.set(key, manifest);
      continue;
    }
    const { collection, path, name } = manifest;
    const message = `names its package "${name}", as ${other.path} does; imports of that name lead to ${other.path}`;
    diagnostics.push({ severity: "warning", code: "duplicate-package", message, path, line: 0, collection });
  }
}

/** Where manifests are looked for: a collection's root with its globs. */
type Place = Pick<CollectionConfig, "root" | "include" | "exclude">;

/** All manifests below a configuration's folder, each once, in the order of their paths. */
export async function readManifestFiles(dir: string, { collections, limits }: TreelineConfig): Promise<ManifestText[]> {
  const places: { readonly place: Place; readonly collection?: string }[] = [
    { place: { root: ".", include: GLOBS, exclude: [] } },
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
    const named = CONFIGS.flatMap(({ listFurther }) => listFurther(configs, found));
    const wanted = new Set(named.filter((key) => !found.has(key) && !asked.has(key) && isPlainPlace(key)));
    for (const key of wanted) asked.add(key);
    await read({ root: ".", include: [...wanted], exclude: [] }, undefined, (path) => wanted.has(path));
    configs = [...wanted].filter((key) => found.has(key));
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, manifest]) => manifest);
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
  return folders.flatMap((_, at) => BESIDE_GLOBS.map((name) => `${folders.slice(0, at + 1).join("/")}/${name}`));
}
