/**
 * Packages with their neighbours, and what they export. Facts of all packages are one range of the table `packages`; those of
 * several access groups are put together. Pure apart from the reader's I/O.
 */
import {
  type Bounded,
  decodeExports,
  decodePackage,
  keyOfExports,
  PACKAGE_KEYS,
  type PackageEntry,
  type PackageExport,
  type PackageKey,
} from "../format/package-entry.ts";
import { areFlatWithin } from "../format/table.ts";
import { entriesOf, findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { codeShards } from "../index/shards.ts";

/** A package with the shard that says it. */
export interface PlacedPackage extends PackageEntry {
  readonly shard: number;
}

/** About what a package takes in memory beside the names of its neighbours. */
const PACKAGE_MEMORY = 600;
const NEIGHBOUR_MEMORY = 120;
/** More bytes are not read beside something else that can do without them. */
const MAX_BYTES_BESIDE = 64 * 1024;

/** What is read beside something else, so that `readPackages` has nothing left to read. */
export function readsOfPackages(reader: IndexReader): TableRead[] {
  return codeShards(reader).flatMap(({ index }) =>
    reader.recall(nameOf(index)) === undefined ? [{ shard: index, table: "packages", keys: PACKAGE_KEYS }] : [],
  );
}

/** Whether packages are in memory, or small enough to be read beside symbols that are shown with them. */
export function arePackagesAtHand(reader: IndexReader): boolean {
  return arePackagesWithin(reader, MAX_BYTES_BESIDE);
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

/** What a package exports, the highest rank first. One wave. */
export async function readExports(
  reader: IndexReader,
  key: PackageKey & { readonly shard: number },
): Promise<Bounded<PackageExport>> {
  const byteKey = keyOfExports(key);
  const { tables } = await reader.read([{ shard: key.shard, table: "packages", keys: [byteKey] }]);
  const value = findInChunks(tables[0] ?? [], byteKey);
  return value === undefined ? { total: 0, list: [] } : decodeExports(value);
}

function nameOf(shard: number): string {
  return `packages/${shard}`;
}
