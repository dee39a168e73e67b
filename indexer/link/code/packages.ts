/**
 * Module and package of each file, and the graph of packages.
 *
 * The module is the name in the manifest at the top of a collection, or in its only one, else the collection. The
 * package is the nearest manifest below that. Files below no further manifest are cut into folders: each folder
 * directly below a source root (`src`, `lib`, a build tool's folder for a language and the path that all classes share) is a
 * package; files directly in it are `main`; outside of the source root the folder on top names the package.
 */
import picomatch from "picomatch";
import { isAsideFile } from "../../../src/core/code/source-paths.ts";
import { type EdgeRecord, type EdgeTarget, type FileRecord, isTopExport } from "../../../src/core/format/code-model.ts";
import { compareNames } from "../../../src/core/text/names.ts";
import type { Bindings, CodeWorld, Entity, PackageModule } from "../../languages/base/language.ts";
import type { Manifest, Manifests } from "../../languages/base/manifests.ts";
import {
  addToList,
  baseName,
  folderOfPlace,
  foldersAround,
  isOnlyType,
  NOTHING,
  placeOf,
} from "../../languages/base/world.ts";
import { LANGUAGES, NO_FAMILY } from "../../languages/languages.ts";
import { makeTarget } from "./link-edges.ts";
import type { Ranks } from "./page-rank.ts";

/**
 * How a collection is cut: as the header says (undefined), by manifests alone, by folders so many levels deep, or by
 * globs over paths, by the name of the package; the first that matches, `main` for what none does.
 */
export type PackageRule =
  | "manifest"
  | "folders"
  | `folders:${number}`
  | Readonly<Record<string, readonly string[]>>
  | undefined;

interface PackageName {
  readonly module: string;
  readonly package: string;
}

/** Package of files that no folder or manifest names. */
const MAIN_PACKAGE = "main";

const SOURCE_FOLDERS = ["src", "lib", "source", "Sources"];
/** Folders in which build tools expect the sources of a language. */
const LANGUAGE_FOLDERS = new RegExp(
  `^src/[^/]+/(?:${LANGUAGES.flatMap(({ sourceFolder = [] }) => sourceFolder).join("|")})(?=/)`,
);

/** Files that make a folder at the top a package. */
const PACKAGE_FILES = LANGUAGES.flatMap(({ family: { packageFile = [] } }) => packageFile);

const INSTALLED = LANGUAGES.flatMap(({ family: { installed = [] } }) => installed);

/** Names for all files, by their numbers. */
export function namePackages(
  world: CodeWorld,
  { list }: Pick<Manifests, "list">,
  ruleOf: (collection: string) => PackageRule,
): PackageName[] {
  const names: PackageName[] = new Array(world.files.length);
  const collections = new Map<string, number[]>();
  for (const [file, { collection }] of world.files.entries()) addToList(collections, collection, file);
  for (const [collection, files] of collections) {
    const top = placeOf(world.files[files[0] as number]?.root, ".").replace(/^\.$/, "");
    const own = list.filter((manifest) => manifest.collection === collection && !isAsideFile(manifest.path));
    nameFiles(world, { collection, top, files, manifests: own, rule: ruleOf(collection) }, names);
  }
  return names;
}

interface Collection {
  readonly collection: string;
  /** Its folder. */
  readonly top: string;
  readonly files: readonly number[];
  readonly manifests: readonly Manifest[];
  readonly rule: PackageRule;
}

function nameFiles(world: CodeWorld, workspace: Collection, names: PackageName[]): void {
  const { collection, files, manifests, rule } = workspace;
  const folders = [...new Set(manifests.map(({ folder }) => folder))];
  const rootFolder = folders.includes(workspace.top)
    ? workspace.top
    : folders.length === 1
      ? (folders[0] as string)
      : undefined;
  const root = named(manifests.filter(({ folder }) => folder === rootFolder));
  const module = root?.name || collection;
  const byFolder = new Map(folders.map((folder) => [folder, named(manifests.filter((it) => it.folder === folder))]));
  const depth = typeof rule === "string" ? Number(rule.split(":")[1] ?? 1) : 1;
  const matchers =
    typeof rule === "object"
      ? Object.entries(rule).map(([name, globs]) => [name, picomatch([...globs], { dot: true })] as const)
      : [];
  const cut: number[] = [];
  for (const file of files) {
    if (typeof rule === "object") {
      const path = world.files[file]?.path ?? "";
      names[file] = { module, package: matchers.find(([, matches]) => matches(path))?.[0] ?? MAIN_PACKAGE };
      continue;
    }
    const folder = folderOfPlace(world.places[file] as string);
    const installed = INSTALLED.map((name) => name.exec(folder)?.[1]).find((name) => name !== undefined);
    if (installed !== undefined && (rule === undefined || rule === "manifest")) {
      names[file] = { module: installed, package: installed };
      continue;
    }
    const around = foldersWith(byFolder, folder);
    const nearest = around[0];
    const folderPackages = world.families[file]?.folderPackages;
    if (rule === undefined && folderPackages !== undefined) {
      const top = around.find((it) => it.kind === folderPackages)?.folder ?? rootFolder ?? workspace.top;
      names[file] = { module, package: below(folder, top) || MAIN_PACKAGE };
    } else if (rule === "manifest" || (rule === undefined && nearest !== undefined && nearest.folder !== rootFolder)) {
      names[file] = {
        module,
        package: nearest === undefined ? MAIN_PACKAGE : nearest.name || baseName(nearest.folder),
      };
    } else cut.push(file);
  }
  cutByFolders(world, cut, rootFolder ?? workspace.top, depth, (file, name) => {
    names[file] = { module, package: name };
  });
}

/** Manifests of the folders around, the innermost first. */
function foldersWith(byFolder: ReadonlyMap<string, Manifest | undefined>, folder: string): Manifest[] {
  const found: Manifest[] = [];
  for (const around of foldersAround(folder)) {
    const manifest = byFolder.get(around);
    if (manifest !== undefined) found.push(manifest);
  }
  return found;
}

/** Of several manifests in one folder the one that gives a name. */
function named(manifests: readonly Manifest[]): Manifest | undefined {
  return manifests.find(({ name }) => name !== "") ?? manifests[0];
}

function cutByFolders(
  world: CodeWorld,
  files: readonly number[],
  base: string,
  depth: number,
  name: (file: number, name: string) => void,
): void {
  const paths = files.map((file) => below(world.places[file] as string, base));
  const sources = paths.filter((_, at) => world.families[files[at] as number] !== NO_FAMILY);
  const roots = findSourceRoots(sources);
  const inside = new Set<string>();
  const rest: number[] = [];
  for (const [at, file] of files.entries()) {
    const path = paths[at] as string;
    const root = roots.find((folder) => path.startsWith(`${folder}/`) || folder === "");
    if (root === undefined) {
      rest.push(at);
      continue;
    }
    const folders = below(path, root).split("/").slice(0, -1).slice(0, depth);
    const found = folders.join("/") || MAIN_PACKAGE;
    inside.add(found);
    name(file, found);
  }
  for (const at of rest) {
    const path = paths[at] as string;
    const slash = path.indexOf("/");
    const top = slash < 0 ? MAIN_PACKAGE : path.slice(0, slash);
    // `test/` beside `src/test/` is another package.
    name(files[at] as number, slash >= 0 && inside.has(top) ? `/${top}` : top);
  }
}

/** Folders whose folders are packages; `""` for the top where no folder is made for sources. */
function findSourceRoots(paths: readonly string[]): string[] {
  const byLanguage = new Set(paths.map((path) => LANGUAGE_FOLDERS.exec(path)?.[0]).filter((it) => it !== undefined));
  if (byLanguage.size > 0) return [...byLanguage].map((folder) => descend(folder, paths));
  const folder = SOURCE_FOLDERS.find((name) => paths.some((path) => path.startsWith(`${name}/`)));
  if (folder !== undefined) return [descend(folder, paths)];
  const packages = paths.filter((path) => PACKAGE_FILES.some((file) => file.test(path)) && !isAsideFile(path));
  return packages.length === 1 ? packages.map(folderOfPlace) : [""];
}

/** The folder itself, or where it holds one folder and nothing else, that one: `src/com/acme`, `src/package`. */
function descend(folder: string, paths: readonly string[]): string {
  const inside = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  const tops = new Set(inside.map((path) => path.split("/")[0]));
  const [only] = tops;
  const isOneFolder = tops.size === 1 && inside.every((path) => path.includes("/"));
  return isOneFolder ? descend(`${folder}/${only}`, paths) : folder;
}

function below(place: string, folder: string): string {
  return folder === "" ? place : place.slice(folder.length + 1);
}

export interface PackageRecord {
  readonly module: string;
  readonly name: string;
  readonly files: number;
  /** Those of them that are beside the product. */
  readonly aside: number;
  readonly symbols: number;
  /** Packages that its files import, the heaviest first. */
  readonly imports: readonly PackageLink[];
  /** Packages whose files import it, the heaviest first. */
  readonly importedBy: readonly PackageLink[];
  /** What it imports from outside of the corpus: `npm:react`, the heaviest first. */
  readonly external: readonly (Weight & { readonly name: string })[];
  /** Names of the modules that others import it by. */
  readonly modules: readonly string[];
  /** What those give; without any, exported symbols at the top of its files that are no tests. The best first. */
  readonly exports: readonly ExportedName[];
}

/** A name that can be imported. */
export interface ExportedName {
  readonly name: string;
  /** Whether nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** A symbol, a file as a module, or something outside; undefined where that is not known. */
  readonly to: EdgeTarget | undefined;
}

interface ModuleExports {
  readonly file: number;
  /** What is more than a type first, then by rank in steps of 16, so that the order stays, then by name. */
  readonly names: readonly ExportedName[];
  /** Modules outside that it passes on with all their names. */
  readonly outside: readonly string[];
}

export interface PublicApi {
  /** By name. */
  readonly entries: readonly PackageModule[];
  /** Of entries, and of files that pass on what others declare, in the order of the files. */
  readonly modules: readonly ModuleExports[];
}

/** @param found Modules of packages. @param mainOf The main declaration of a symbol. */
export function listPublicApi(
  world: CodeWorld,
  bindings: Pick<Bindings, "namesOf" | "exported">,
  found: Iterable<PackageModule>,
  ranks: Ranks,
  mainOf: (entity: Entity) => Entity,
): PublicApi {
  const entries = new Map<string, PackageModule>();
  for (const entry of found) if (!entries.has(entry.name)) entries.set(entry.name, entry);
  const read = (file: number): ModuleExports => {
    const { names, outside } = bindings.namesOf(file);
    const list = [...names].map(([name, typeOnly]) => {
      const value = bindings.exported(world.fileEntity(file), name, false);
      const entity = mainOf(value === NOTHING ? bindings.exported(world.fileEntity(file), name, true) : value);
      const isSymbol = world.isSymbol(entity);
      // So much leads to files that modules as names would come before all others.
      const rank = isSymbol ? ranks.symbols[entity] : (ranks.files[world.asFile(entity)] ?? 0) >> 1;
      const isType = typeOnly || (isSymbol && isOnlyType(world.symbol(entity)));
      return { name, typeOnly: isType, to: makeTarget(world, entity), step: (rank ?? 0) >> 4 };
    });
    list.sort((a, b) => Number(a.typeOnly) - Number(b.typeOnly) || b.step - a.step || compareNames(a.name, b.name));
    return { file, names: list, outside: [...outside].sort(compareNames) };
  };
  const wanted = new Set([...entries.values()].map(({ file }) => file));
  for (const [file, { code }] of world.files.entries())
    if (code.imports.some(({ kind }) => kind === "reexports")) wanted.add(file);
  const modules: ModuleExports[] = [];
  // Grows by modules that some give as a namespace.
  for (const file of wanted) {
    const module = read(file);
    modules.push(module);
    for (const { to } of module.names) if (to !== undefined && "file" in to && to.symbol < 0) wanted.add(to.file);
  }
  return {
    entries: [...entries.values()].sort((a, b) => compareNames(a.name, b.name)),
    modules: modules.sort((a, b) => a.file - b.file),
  };
}

/** Numbers of the symbols that importing a package can give, namespaces gone through; members are left out. */
export function listPublicSymbols(world: CodeWorld, { entries, modules }: PublicApi): ReadonlySet<number> {
  const found = new Set<number>();
  const given = new Map(modules.map(({ file, names }) => [file, names]));
  const reached = new Set(entries.map(({ file }) => file));
  for (const module of reached) {
    for (const { to } of given.get(module) ?? []) {
      if (to === undefined || !("file" in to)) continue;
      const { file, symbol } = to;
      const name = world.codeOf(file).symbols[symbol]?.name;
      if (name === undefined) reached.add(file);
      // Overloads and parts of one name are given together.
      else for (const one of world.names(file).top.get(name) ?? []) found.add(one);
    }
  }
  return found;
}

interface Weight {
  readonly weight: number;
  readonly aside: number;
}

/** Another package, and how many imports of a file by a file lead there. */
interface PackageLink extends Weight {
  readonly module: string;
  readonly name: string;
}

/** A package while it is counted: how many imports lead to others, from others, and outside. */
interface Draft {
  readonly module: string;
  readonly name: string;
  readonly imports: Map<Draft, Weight>;
  readonly importedBy: Map<Draft, Weight>;
  readonly external: Map<string, Weight>;
  readonly exports: { name: string; file: number; symbol: number; rank: number; aside: number }[];
  readonly modules: PackageModule[];
  files: number;
  aside: number;
  symbols: number;
}

/** Packages in the order of their module's and their own name. @param isAside Whether a document is beside the product. */
export function graphPackages(
  files: readonly FileRecord[],
  edges: readonly (readonly EdgeRecord[])[],
  isAside: (id: string) => boolean,
  api: PublicApi = { entries: [], modules: [] },
): PackageRecord[] {
  const drafts = new Map<string, Draft>();
  const ofFile = files.map(({ module, package: name }) => {
    const key = `${module}\n${name}`;
    const counts = { imports: new Map(), importedBy: new Map(), external: new Map(), exports: [], modules: [] };
    const draft: Draft = drafts.get(key) ?? { module, name, ...counts, files: 0, aside: 0, symbols: 0 };
    drafts.set(key, draft);
    return draft;
  });
  for (const [number, file] of files.entries()) {
    const draft = ofFile[number] as Draft;
    const aside = Number(isAside(file.id));
    draft.files++;
    draft.aside += aside;
    draft.symbols += file.symbols.length;
    for (const [symbol, one] of file.symbols.entries())
      if (isTopExport(one)) draft.exports.push({ name: one.name, file: number, symbol, rank: one.rank, aside });
    for (const { kind, to } of edges[number] ?? []) {
      if (kind !== "imports" && kind !== "reexports") continue;
      if ("external" in to) count(draft.external, to.external, aside);
      if (!("file" in to) || to.symbol >= 0) continue;
      const other = ofFile[to.file] as Draft;
      if (other === draft) continue;
      count(draft.imports, other, aside);
      count(other.importedBy, draft, aside);
    }
  }
  for (const entry of api.entries) {
    const draft = ofFile[entry.file];
    // What a whole repository gives is not given by the folder that it begins in.
    const isWhole = entry.name === draft?.module && draft.name !== MAIN_PACKAGE && draft.name !== entry.name;
    if (!isWhole) draft?.modules.push(entry);
  }
  return [...drafts.values()].sort(compare).map((draft) => ({
    ...draft,
    imports: toLinks(draft.imports),
    importedBy: toLinks(draft.importedBy),
    external: [...draft.external]
      .map(([name, weight]) => ({ name, ...weight }))
      .sort((a, b) => compareWeights(a, b) || compareNames(a.name, b.name)),
    modules: draft.modules.map(({ name }) => name),
    exports: draft.modules.length > 0 ? exportsOfModules(draft.modules, api) : exportsOfFiles(draft.exports),
  }));
}

/** Names of all modules, those of the one with the shortest name first. */
function exportsOfModules(own: readonly PackageModule[], { modules }: PublicApi): ExportedName[] {
  const shortest = [...own].sort((a, b) => a.name.length - b.name.length);
  return shortest.flatMap(({ file }) => modules.find((module) => module.file === file)?.names ?? []);
}

/** Those beside the product only where nothing else is. */
function exportsOfFiles(all: Draft["exports"]): ExportedName[] {
  const product = all.filter(({ aside }) => aside === 0);
  return [...(product.length > 0 ? product : all)]
    .sort((a, b) => b.rank - a.rank || a.file - b.file || a.symbol - b.symbol)
    .map(({ name, file, symbol }) => ({ name, typeOnly: false, to: { file, symbol } }));
}

function count<Key>(counts: Map<Key, Weight>, key: Key, isAside: number): void {
  const { weight = 0, aside = 0 } = counts.get(key) ?? {};
  counts.set(key, { weight: weight + 1 - isAside, aside: aside + isAside });
}

function toLinks(counts: ReadonlyMap<Draft, Weight>): PackageLink[] {
  const links = [...counts].map(([{ module, name }, weight]) => ({ module, name, ...weight }));
  return links.sort((a, b) => compareWeights(a, b) || compare(a, b));
}

/** What the product imports most comes first. */
function compareWeights(a: Weight, b: Weight): number {
  return b.weight - a.weight || b.aside - a.aside;
}

function compare(a: Pick<PackageLink, "module" | "name">, b: Pick<PackageLink, "module" | "name">): number {
  return compareNames(a.module, b.module) || compareNames(a.name, b.name);
}
