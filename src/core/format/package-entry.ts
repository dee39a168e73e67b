/**
 * Values of the table `packages`: facts of a package with its neighbours, and what it exports.
 *
 * Layout: index-format v1, section 7.8. Facts of all packages stand one behind the other and make the graph of packages;
 * exports are read for one of them. Lists are bounded and say how many there are. Pure: bytes in, values out.
 */
import { hashKey } from "../bytes/checksum.ts";
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { ByteReader, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { type CodePosition, SYMBOL_KINDS, type SymbolKind } from "./code-model.ts";
import { checkPlace, readNumbers, readTexts, writeNumbers, writeTexts } from "./columns.ts";

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
/** A neighbour takes a byte in each of three columns, something external in two, an export in six. */
const MIN_NEIGHBOUR_BYTES = 3;
const MIN_EXTERNAL_BYTES = 2;
const MIN_EXPORT_BYTES = 6;

/** Tells packages apart. */
export interface PackageKey {
  readonly module: string;
  readonly name: string;
}

/** Another package, and how many imports of a file by a file lead there. */
export interface PackageNeighbour extends PackageKey {
  readonly weight: number;
}

/** Something outside of the corpus, and how many imports lead there. */
export interface ExternalNeighbour {
  readonly name: string;
  readonly weight: number;
}

/** The first of a list, and how many it has. */
export interface Bounded<T> {
  readonly total: number;
  readonly list: readonly T[];
}

/** A package with its neighbours, the heaviest first. */
export interface PackageEntry extends PackageKey {
  readonly files: number;
  readonly symbols: number;
  readonly imports: Bounded<PackageNeighbour>;
  readonly importedBy: Bounded<PackageNeighbour>;
  readonly external: Bounded<ExternalNeighbour>;
  /** Names of exports, the highest rank first. */
  readonly exports: Bounded<string>;
}

/** An exported symbol. */
export interface PackageExport {
  /** Document id of its file. */
  readonly file: string;
  readonly path: string;
  readonly kind: SymbolKind;
  readonly at: CodePosition;
  /** As in its record, cut. */
  readonly signature: string;
}

/** Where the facts of all packages begin, and the first key behind them. */
export const PACKAGE_KEYS = { from: "p" as ByteKey, to: "q" as ByteKey } as const;

/** Key of the facts of a package. */
export function keyOfPackage(key: PackageKey): ByteKey {
  return keyWith("p", key);
}

/** Key of what a package exports. */
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

/** Bytes of the facts of a package. */
export function encodePackage(entry: PackageEntry): Uint8Array {
  const writer = new ByteWriter(256);
  writer.writeString(entry.module);
  writer.writeString(entry.name);
  writer.writeVarint(entry.files);
  writer.writeVarint(entry.symbols);
  for (const { total, list } of [entry.imports, entry.importedBy]) {
    writer.writeVarint(total);
    writer.writeVarint(list.length);
    writeNumbers(
      writer,
      list.map(({ weight }) => weight),
    );
    writeTexts(
      writer,
      // Most neighbours are of the same module.
      list.map(({ module }) => (module === entry.module ? "" : module)),
    );
    writeTexts(
      writer,
      list.map(({ name }) => name),
    );
  }
  writer.writeVarint(entry.external.total);
  writer.writeVarint(entry.external.list.length);
  writeNumbers(
    writer,
    entry.external.list.map(({ weight }) => weight),
  );
  writeTexts(
    writer,
    entry.external.list.map(({ name }) => name),
  );
  writer.writeVarint(entry.exports.total);
  writer.writeVarint(entry.exports.list.length);
  writeTexts(writer, entry.exports.list);
  return writer.finish();
}

/** The facts that these bytes are. @throws {FormatError}. */
export function decodePackage(bytes: Uint8Array): PackageEntry {
  const reader = new ByteReader(bytes, WHAT);
  const module = reader.readString();
  const entry = {
    module,
    name: reader.readString(),
    files: reader.readVarint(),
    symbols: reader.readVarint(),
    imports: readNeighbours(reader, module),
    importedBy: readNeighbours(reader, module),
    external: readExternals(reader),
    exports: readNames(reader),
  };
  reader.expectEnd();
  return entry;
}

function readNeighbours(reader: ByteReader, home: string): Bounded<PackageNeighbour> {
  const { total, count } = readBound(reader, MIN_NEIGHBOUR_BYTES);
  const weights = readNumbers(reader, count, "weight");
  const modules = readTexts(reader, count);
  const names = readTexts(reader, count);
  const list = weights.map((weight, at) => ({
    module: modules[at] === "" ? home : (modules[at] as string),
    name: names[at] as string,
    weight,
  }));
  return { total, list };
}

function readExternals(reader: ByteReader): Bounded<ExternalNeighbour> {
  const { total, count } = readBound(reader, MIN_EXTERNAL_BYTES);
  const weights = readNumbers(reader, count, "weight");
  const names = readTexts(reader, count);
  return { total, list: weights.map((weight, at) => ({ name: names[at] as string, weight })) };
}

function readNames(reader: ByteReader): Bounded<string> {
  const { total, count } = readBound(reader, 1);
  return { total, list: readTexts(reader, count) };
}

/** Bytes of what a package exports. */
export function encodeExports({ total, list }: Bounded<PackageExport>): Uint8Array {
  const files = [...new Set(list.map(({ file }) => file))];
  const writer = new ByteWriter(64 + list.length * 64);
  writer.writeVarint(total);
  writer.writeVarint(list.length);
  writer.writeVarint(files.length);
  writeTexts(writer, files);
  writeNumbers(
    writer,
    list.map(({ file }) => files.indexOf(file)),
  );
  for (const { kind } of list) writer.writeByte(SYMBOL_KINDS.indexOf(kind));
  writeNumbers(
    writer,
    list.map(({ at }) => at.line),
  );
  writeNumbers(
    writer,
    list.map(({ at }) => at.column),
  );
  writeTexts(
    writer,
    list.map(({ path }) => path),
  );
  writeTexts(
    writer,
    list.map(({ signature }) => signature),
  );
  return writer.finish();
}

/** The exports that these bytes are. @throws {FormatError}. */
export function decodeExports(bytes: Uint8Array): Bounded<PackageExport> {
  const reader = new ByteReader(bytes, WHAT);
  const { total, count } = readBound(reader, MIN_EXPORT_BYTES);
  const files = readTexts(reader, readCount(reader, 1));
  const fileOf = readNumbers(reader, count, "file", files.length - 1);
  const kinds = reader.readBytes(count);
  const lines = readNumbers(reader, count, "line");
  const columns = readNumbers(reader, count, "column");
  const paths = readTexts(reader, count);
  const signatures = readTexts(reader, count);
  reader.expectEnd();
  const list = fileOf.map((file, at): PackageExport => {
    const kind = SYMBOL_KINDS[kinds[at] as number];
    if (kind === undefined) {
      const limit = SYMBOL_KINDS.length - 1;
      throw new FormatError(WHAT, { code: "out-of-range", what: "kind", got: kinds[at] as number, limit });
    }
    return {
      file: files[file] as string,
      path: paths[at] as string,
      kind,
      at: { line: checkPlace(lines[at] as number, WHAT), column: checkPlace(columns[at] as number, WHAT) },
      signature: signatures[at] as string,
    };
  });
  return { total, list };
}

/** How many there are, and how many of them are listed. */
function readBound(reader: ByteReader, bytesEach: number): { readonly total: number; readonly count: number } {
  const total = reader.readVarint();
  const count = readCount(reader, bytesEach);
  if (count > total) throw new FormatError(WHAT, { code: "out-of-range", what: "listed", got: count, limit: total });
  return { total, count };
}
