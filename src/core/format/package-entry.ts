/**
 * Values of the table `packages`: facts of a package with its neighbours, and what it exports.
 *
 * Layout: index-format v1, section 7.8. Facts of all packages stand one behind the other and make the graph of packages;
 * exports are read for one of them. Lists are bounded and say how many there are. Pure: bytes in, values out.
 */
import { hashKey } from "../bytes/checksum.ts";
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { FormatError } from "../errors.ts";
import { SYMBOL_KINDS } from "./code-model.ts";
import {
  bytes,
  type Column,
  choice,
  codec,
  list,
  mapped,
  numbers,
  places,
  record,
  sharedTexts,
  strings,
  texts,
  type ValueOf,
} from "./columns.ts";

const WHAT = "table packages";
/** Most neighbours, external names and exports that a value lists. */
export const MAX_NEIGHBOURS = 200;
export const MAX_EXPORTS = 500;
/** Names of exports beside the facts. */
export const MAX_EXPORT_NAMES = 20;
/** Longest signature of an export, in UTF-16 units. */
export const MAX_EXPORT_SIGNATURE = 160;
/** Bytes of a module's or package's name that stand in a key as they are. */
const MAX_NAME_BYTES = 400;
/** Tells packages apart. */
export interface PackageKey {
  readonly module: string;
  readonly name: string;
}

/** The first of a list, and how many it has. */
export interface Bounded<T> {
  readonly total: number;
  readonly list: readonly T[];
}

/** Lists of which not all is stored. */
function bounded<T>(item: Column<T>): Column<Bounded<T>> {
  return mapped(
    record<Bounded<T>>({ total: numbers("total"), list: list(item) }),
    (value: Bounded<T>) => value,
    (value, { what }) => {
      const { length: got } = value.list;
      if (got <= value.total) return value;
      throw new FormatError(what, { code: "out-of-range", what: "listed", got, limit: value.total });
    },
  );
}

/** Another package, and how many imports of a file by a file lead there: by files of the product, by tests and the like. */
const neighbour = record({ weight: numbers("weight"), aside: numbers("aside"), module: texts, name: texts });
export type PackageNeighbour = Omit<ValueOf<typeof neighbour>, "aside">;

/** Something outside of the corpus, and how many imports lead there. */
const external = record({ weight: numbers("weight"), aside: numbers("aside"), name: texts });
export type ExternalNeighbour = Omit<ValueOf<typeof external>, "aside">;

const facts = record({
  module: strings,
  name: strings,
  files: numbers("files"),
  /** Those of them that are beside the product: tests, examples and the like. */
  aside: numbers("aside"),
  symbols: numbers("symbols"),
  /** Neighbours, the heaviest first. */
  imports: bounded(neighbour),
  importedBy: bounded(neighbour),
  external: bounded(external),
  /** Names of exports, the highest rank first. */
  exports: bounded(texts),
});
export type PackageEntry = ValueOf<typeof facts>;

/** The module of most neighbours is that of the package: they are stored without it. */
function withModules(entry: PackageEntry, from: string, to: string): PackageEntry {
  const change = ({ total, list: own }: PackageEntry["imports"]): PackageEntry["imports"] => ({
    total,
    list: own.map((one) => (one.module === from ? { ...one, module: to } : one)),
  });
  return { ...entry, imports: change(entry.imports), importedBy: change(entry.importedBy) };
}

export const { encode: encodePackage, decode: decodePackage } = codec(
  WHAT,
  mapped(
    facts,
    (entry: PackageEntry) => withModules(entry, entry.module, ""),
    (stored) => withModules(stored, "", stored.module),
  ),
);

/** An exported symbol. */
const packageExport = record({
  /** Document id of its file. */
  file: sharedTexts("file"),
  kind: choice(SYMBOL_KINDS, "kind", bytes),
  at: record({ line: places, column: places }),
  path: texts,
  /** As in its record, cut. */
  signature: texts,
});
export type PackageExport = ValueOf<typeof packageExport>;
export const { encode: encodeExports, decode: decodeExports } = codec(WHAT, bounded(packageExport));

/** Where the facts of all packages begin, and the first key behind them. */
export const PACKAGE_KEYS = { from: "p" as ByteKey, to: "q" as ByteKey } as const;

/** Key of the facts of a package. */
export function keyOfPackage(key: PackageKey): ByteKey {
  return keyWith("p", key);
}

export function keyOfExports(key: PackageKey): ByteKey {
  return keyWith("s", key);
}

function keyWith(region: "p" | "s", { module, name }: PackageKey): ByteKey {
  return `${region}${boundName(module)}${KEY_SEPARATOR}${boundName(name)}` as ByteKey;
}

function boundName(name: string): string {
  const key = keyOf(name.replaceAll(KEY_SEPARATOR, " "));
  if (key.length <= MAX_NAME_BYTES) return key;
  return key.slice(0, MAX_NAME_BYTES) + hashKey(key).toString(16).padStart(8, "0");
}
