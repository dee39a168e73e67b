/**
 * Values of the tables `packages` (facts of a package with its neighbours) and `exports` (what can be imported from where).
 *
 * Layout: index-format v1, section 7.8. Facts of all packages stand one behind the other and make the graph of packages. What a
 * module exports is read for one of them; a name stands there without the place of its symbol, so that edits which leave
 * names alone leave the bytes alone. Pure: bytes in, values out.
 */
import { hashKey } from "../bytes/checksum.ts";
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { FormatError } from "../errors.ts";
import {
  bytes,
  type Column,
  choice,
  codec,
  list,
  mapped,
  numbers,
  record,
  sharedTexts,
  strings,
  texts,
  type ValueOf,
} from "./columns.ts";

const WHAT = "table packages";
/** Most neighbours and external names that a value lists. */
export const MAX_NEIGHBOURS = 200;
/** Names of exports and of modules beside the facts. */
export const MAX_EXPORT_NAMES = 20;
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

/** Something outside of the corpus, and how many imports lead there. */
const external = record({ weight: numbers("weight"), aside: numbers("aside"), name: texts });

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
  /** Names under which others import it. */
  modules: bounded(texts),
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

/** What an exported name leads to: `type` is a symbol of which nothing is left at run time, `module` all that a file exports. */
const EXPORT_FORMS = ["value", "type", "module", "outside", "unknown"] as const;

const exportedName = record({
  form: choice(EXPORT_FORMS, "form", bytes),
  name: texts,
  /** Document id of the file; of what is outside its name (`npm:react`), else `""`. */
  target: sharedTexts("target"),
  /** Path of the symbol, `""` where it is the name. */
  path: texts,
});
export type ExportEntry = ValueOf<typeof exportedName>;

const moduleExports = record({
  /** What lies outside and is passed on with all its names. */
  outside: list(texts),
  names: list(exportedName),
});
export type ModuleEntry = ValueOf<typeof moduleExports>;
export const { encode: encodeExports, decode: decodeExports } = codec("table exports", moduleExports);

/**
 * The files that are imported by a name. `total`: of the name of a package how many names the file gives; of a namespace how many
 * of the first files packages give by that name, without naming a part of theirs.
 */
const imported = record({ total: numbers("total"), files: list(texts) });
export const { encode: encodeImported, decode: decodeImported } = codec("table exports", imported);

/** Where the facts of all packages begin, and the first key behind them. */
export const PACKAGE_KEYS = { from: "p" as ByteKey, to: "q" as ByteKey } as const;

/** Key of the facts of a package. */
export function keyOfPackage({ module, name }: PackageKey): ByteKey {
  return `p${boundName(module)}${KEY_SEPARATOR}${boundName(name)}` as ByteKey;
}

/** What keys of the table `exports` are made of. */
const EXPORT_KEYS = {
  /** The name by which a module of a package is imported. */
  entry: "e",
  /** The id of a file. */
  module: "m",
  /** The name by which some module gives all names of another, in lower case. */
  namespace: "n",
  /** Module and name of a package that nothing says how to import. */
  package: "s",
} as const;

export function keyOfExports(kind: keyof typeof EXPORT_KEYS, ...names: readonly string[]): ByteKey {
  return (EXPORT_KEYS[kind] + names.map(boundName).join(KEY_SEPARATOR)) as ByteKey;
}

function boundName(name: string): string {
  const key = keyOf(name.replaceAll(KEY_SEPARATOR, " "));
  if (key.length <= MAX_NAME_BYTES) return key;
  return key.slice(0, MAX_NAME_BYTES) + hashKey(key).toString(16).padStart(8, "0");
}
