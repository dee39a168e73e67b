/**
 * Packages with their neighbours, and what can be imported from them: names of modules, and the names that a module gives. Facts
 * of all packages are one range of the table `packages`; those of several access groups are put together.
 */
import { type ByteKey, textOfKey } from "../bytes/key.ts";
import { withoutOrdinal } from "../format/code-model.ts";
import { foldSymbolName } from "../format/name-list.ts";
import {
  type Bounded,
  decodeExports,
  decodeImported,
  decodePackage,
  type ExportEntry,
  keyOfExports,
  type ModuleEntry,
  PACKAGE_KEYS,
  type PackageEntry,
  type PackageKey,
} from "../format/package-entry.ts";
import { areFlatWithin } from "../format/table.ts";
import { entriesOf, findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { codeShards } from "../index/shards.ts";
import { nearestNames } from "../text/nearest.ts";
import { foldCase } from "../text/normalize.ts";
import { loadFiles, symbolAt } from "./load-files.ts";
import type { LoadedSymbol } from "./model.ts";

/** A package with the shard that says it. */
export interface PlacedPackage extends PackageEntry {
  readonly shard: number;
}

/** About what a package takes in memory beside the names of its neighbours. */
const PACKAGE_MEMORY = 600;
const NEIGHBOUR_MEMORY = 120;

/** What is read beside something else, so that `readPackages` has nothing left to read. */
export function readsOfPackages(reader: IndexReader): TableRead[] {
  return codeShards(reader).flatMap(({ index }) =>
    reader.recall(nameOf(index)) === undefined ? [{ shard: index, table: "packages", keys: PACKAGE_KEYS }] : [],
  );
}

/** Whether the table of packages has no more bytes than these. Reads nothing. */
export function arePackagesWithin(reader: IndexReader, maxBytes: number): boolean {
  return areFlatWithin(
    codeShards(reader).map(({ root }) => root.tables.packages),
    maxBytes,
  );
}

/** All packages, by module and name, of each shard. One wave, none where they are in memory. */
export async function readPackages(reader: IndexReader): Promise<PlacedPackage[]> {
  const reads = readsOfPackages(reader);
  const { tables } = await reader.read(reads);
  for (const [at, { shard }] of reads.entries()) {
    const packages: PlacedPackage[] = [];
    for (const [key, value] of entriesOf(tables[at] ?? [])) {
      if (key >= PACKAGE_KEYS.from && key < PACKAGE_KEYS.to) packages.push({ ...decodePackage(value), shard });
    }
    const neighbours = packages.reduce(
      (sum, { imports, importedBy, external }) =>
        sum + imports.list.length + importedBy.list.length + external.list.length,
      0,
    );
    reader.remember(nameOf(shard), packages, packages.length * PACKAGE_MEMORY + neighbours * NEIGHBOUR_MEMORY);
  }
  return codeShards(reader).flatMap(({ index }) => reader.recall(nameOf(index)) as readonly PlacedPackage[]);
}

type Counted = PackageEntry["external"]["list"][number];

/** Packages that are no mere tests, examples or the like; all where all are. */
export function productPackages<One extends PackageEntry>(packages: readonly One[]): readonly One[] {
  const own = packages.filter(({ files, aside }) => aside < files);
  return own.length > 0 ? own : packages;
}

/**
 * Neighbours of a package as the product has them, the heaviest first: what tests and the like alone import is left out, and its
 * imports are counted as `aside`. With `all`, and of a package that is beside the product itself, nothing is left out.
 */
export function neighboursOf(entry: PackageEntry, all: boolean) {
  const isWhole = all || entry.aside === entry.files;
  let aside = 0;
  const count = <One extends Counted>({ total, list }: Bounded<One>): Bounded<Omit<One, "aside">> => {
    const counted = list.map(({ aside: more, ...one }) => ({ ...one, weight: one.weight + (isWhole ? more : 0) }));
    const kept = counted.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
    aside += isWhole ? 0 : list.reduce((sum, one) => sum + one.aside, 0);
    return { total: total - (list.length - kept.length), list: kept };
  };
  const external = count(entry.external);
  aside = 0;
  return { external, imports: count(entry.imports), importedBy: count(entry.importedBy), aside };
}

/** A module that can be imported by a name. */
interface ImportedModule {
  readonly name: string;
  /** Document id. */
  readonly file: string;
  /** How many names it gives. */
  readonly total: number;
}

const ENTRIES = { from: "e" as ByteKey, to: "f" as ByteKey };
/** About what a module takes in memory. */
const MODULE_MEMORY = 300;

/** Modules of all packages, by name. One wave, none where they are in memory. @param beside What else is read in that wave. */
export async function readModules(
  reader: IndexReader,
  beside: readonly TableRead[] = [],
): Promise<readonly ImportedModule[]> {
  const missing = codeShards(reader).filter(({ index }) => reader.recall(`modules/${index}`) === undefined);
  const reads = missing.map(({ index }): TableRead => ({ shard: index, table: "exports", keys: ENTRIES }));
  const { tables } = await reader.read([...reads, ...beside]);
  for (const [at, { index }] of missing.entries()) {
    const modules = [...entriesOf(tables[at] ?? [])].flatMap(([key, value]): ImportedModule[] => {
      if (key >= ENTRIES.to) return [];
      const { files, total } = decodeImported(value);
      return files.map((file) => ({ name: textOfKey(key.slice(1) as ByteKey), file, total }));
    });
    reader.remember(`modules/${index}`, modules, modules.length * MODULE_MEMORY);
  }
  return codeShards(reader).flatMap(({ index }) => reader.recall(`modules/${index}`) as readonly ImportedModule[]);
}

/** Those of a package or module of that name: itself first, then what is below it (`zod`, `zod/mini`). */
export function modulesBelow(modules: readonly ImportedModule[], name: string): ImportedModule[] {
  const own = modules.filter((one) => one.name === name);
  return [...own, ...modules.filter((one) => one.name.startsWith(`${name}/`) || one.name.startsWith(`${name}.`))];
}

/** What of a text may be a module, with the names behind it. */
interface ModuleMember {
  /** Of a package (`@acme/core`), or as another module gives it (`z` of `export * as z`). */
  readonly module: string;
  readonly names: readonly string[];
  /** Document ids of modules that are called so: first those that packages give by that name. */
  readonly files: readonly string[];
}

/** Separators of a text behind which a module may end. */
const MAX_PARTS = 4;

/** Modules that a text begins with. One wave. */
async function findMembersOfModules(reader: IndexReader, text: string): Promise<ModuleMember[]> {
  const ends = [...text.matchAll(/::|[.#]/g)].slice(0, MAX_PARTS);
  const ways = ends.flatMap(({ 0: separator, index }) => {
    const module = text.slice(0, index);
    return module === "" ? [] : [{ module, names: text.slice(index + separator.length).split(/::|[.#]/) }];
  });
  const keys = ways.flatMap(({ module }) => [
    keyOfExports("entry", module),
    keyOfExports("namespace", foldSymbolName(module)),
  ]);
  if (keys.length === 0) return [];
  const { tables } = await reader.read(
    codeShards(reader).map(({ index }) => ({ shard: index, table: "exports", keys })),
  );
  return ways.flatMap((way, at) => {
    const values = tables.flatMap((chunks) =>
      [2 * at, 2 * at + 1].map((key) => findInChunks(chunks, keys[key] as ByteKey)),
    );
    const found = values.flatMap((value) => (value === undefined ? [] : [decodeImported(value)]));
    const main = found.flatMap(({ files, total }) => files.slice(0, total));
    const files = new Set(main.length > 0 ? main : found.flatMap((one) => one.files));
    return files.size === 0 ? [] : [{ ...way, files: [...files] }];
  });
}

/** Files and paths of the symbols that names behind a module lead to, members among them, and names of that module alike. */
export async function findGiven(reader: IndexReader, text: string) {
  const given: { readonly file: string; readonly path: string }[] = [];
  const nearest: string[] = [];
  for (const { names, before, depth, written } of await walkModules(reader, text)) {
    const name = written[depth] as string;
    const found = names.find((one) => one.name === name);
    if (found?.form === "value" || found?.form === "type") {
      const members = written.slice(depth + 1);
      const own = pathOfExport(found);
      given.push({
        file: found.target,
        path: members.length === 0 ? own : [withoutOrdinal(own), ...members].join("."),
      });
    } else {
      const alike = nearestNames(
        name,
        names.map((one) => one.name),
      );
      nearest.push(...alike.map((one) => `${before}.${one}`));
    }
  }
  return { given, nearest };
}

/** Exports that begin so: `zod.obj`, `z.obj`; the best first. */
export async function completeExports(reader: IndexReader, text: string, most: number): Promise<LoadedExport[]> {
  const found = (await walkModules(reader, text)).flatMap(({ names, depth, written }) => {
    const start = foldCase(written[depth] as string);
    return depth < written.length - 1 ? [] : names.filter(({ name }) => foldCase(name).startsWith(start));
  });
  return loadExports(reader, found.slice(0, most));
}

/** What modules give that a text begins with, modules in them gone into. One wave for each of these. */
async function walkModules(reader: IndexReader, text: string) {
  const starts = await findMembersOfModules(reader, text);
  return Promise.all(
    starts.flatMap(({ module, names: written, files }) =>
      files.map(async (file) => {
        for (let at = file, depth = 0, before = module; ; depth++) {
          const [{ names } = { names: [] }] = await readGiven(reader, [at]);
          const found = names.find(({ name, form }) => form === "module" && name === written[depth]);
          if (found === undefined || depth + 1 >= written.length) return { names, before, depth, written };
          at = found.target;
          before = `${before}.${found.name}`;
        }
      }),
    ),
  );
}

/** What files give, in the order asked for; nothing of those that no package names and that pass nothing on. One wave. */
export function readGiven(reader: IndexReader, files: readonly string[]): Promise<ModuleEntry[]> {
  return readExports(
    reader,
    files.map((file) => keyOfExports("module", file)),
  );
}

/** What a package that nothing says how to import gives. One wave. */
export async function readPackageNames(
  reader: IndexReader,
  { module, name }: PackageKey,
): Promise<ModuleEntry["names"]> {
  const [found] = await readExports(reader, [keyOfExports("package", module, name)]);
  return found?.names ?? [];
}

async function readExports(reader: IndexReader, keys: readonly ByteKey[]): Promise<ModuleEntry[]> {
  const reads = codeShards(reader).map(({ index }) => ({ shard: index, table: "exports", keys }) as const);
  const { tables } = await reader.read(reads);
  return keys.map((key) => {
    const value = tables.map((chunks) => findInChunks(chunks, key)).find((one) => one !== undefined);
    return value === undefined ? { names: [], outside: [] } : decodeExports(value);
  });
}

/** An exported name with its symbol, where that is one of the corpus. */
export interface LoadedExport extends ExportEntry {
  readonly symbol?: LoadedSymbol;
}

function pathOfExport({ name, path }: ExportEntry): string {
  return path === "" ? name : path;
}

/** Names with their symbols, in the order given. Their files are read as `loadPlaces` does. */
export async function loadExports(reader: IndexReader, names: readonly ExportEntry[]): Promise<LoadedExport[]> {
  const targets = names.flatMap(({ form, target }) => (form === "value" || form === "type" ? [target] : []));
  const loaded = (await loadFiles(reader, [...new Set(targets)])).filter((file) => file !== undefined);
  const files = new Map(loaded.map((file) => [file.record.id, file]));
  return names.map((one) => {
    const file = files.get(one.target);
    const index = file?.record.symbols.findIndex(({ path }) => path === pathOfExport(one)) ?? -1;
    return file === undefined || index < 0 ? one : { ...one, symbol: symbolAt(file, index) };
  });
}

/** What others declare of what a file gives, and how many files those are. One wave. */
export async function readPassedOn(reader: IndexReader, file: string) {
  const [{ names: all, outside } = { names: [], outside: [] }] = await readGiven(reader, [file]);
  const names = all.filter(({ target }) => target !== file);
  const files = new Set(names.map(({ target }) => target)).size;
  return { all, names, total: names.length, files, outside };
}

function nameOf(shard: number): string {
  return `packages/${shard}`;
}
