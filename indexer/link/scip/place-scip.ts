/**
 * SCIP indexes against the files that are indexed: which document is which file, and whether it still is of that text.
 *
 * I/O: reads the files that a SCIP index covers once more, as parsing keeps no texts.
 */

import { posix } from "node:path";
import { ByteReader, decodeUtf8 } from "../../../src/core/bytes/reader.ts";
import { FormatError, InputError, malformed } from "../../../src/core/errors.ts";
import { type CodePosition, isBefore } from "../../../src/core/format/code-model.ts";
import { unescapeText } from "../../../src/core/parse-text.ts";
import { withoutMark } from "../../../src/core/text/lines.ts";
import type { LimitsConfig } from "../../config/config.ts";
import type {
  LinkFile,
  PreciseDefinition,
  PreciseDocument,
  PreciseFacts,
  PreciseReference,
} from "../../languages/base/language.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import { addToList, folderOfPlace, foldersAround } from "../../languages/base/world.ts";
import { readSourceFile } from "../../sources/read-file.ts";

/** A SCIP index, as it was read. */
interface ScipFile {
  /** What to call it in errors. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A source file that was parsed; the path of the collection's folder is absolute. */
export type SourceFile = Required<Pick<LinkFile, "id" | "collection" | "path" | "root" | "hash">>;

/** What compilers know of the files that are indexed, and what of it was left out. */
interface PlacedScip extends PreciseFacts {
  readonly diagnostics: readonly LinkDiagnostic[];
}

const SHOWN_PATHS = 3;
/** Folders of an index's address that are tried in front of its documents. */
const MAX_DEPTH = 12;

/**
 * Place the documents of all indexes.
 *
 * @param findSource Finds a source file by its path from the configuration's folder.
 * @param collection To whom findings about no file are said.
 * @throws {InputError} where a file is no SCIP index.
 */
export async function placeScip(
  files: readonly ScipFile[],
  findSource: (path: string) => SourceFile | undefined,
  limits: Pick<LimitsConfig, "maxFileBytes">,
  collection: string,
): Promise<PlacedScip> {
  const documents: PreciseDocument[] = [];
  const diagnostics: LinkDiagnostic[] = [];
  const leftOut = new Set<string>();
  for (const [number, { name, bytes }] of files.entries()) {
    const index = readScip(bytes, name);
    const toPath = chooseFolder(index.projectRoot, index.documents, (path) => findSource(path) !== undefined);
    const elsewhere: string[] = [];
    for (const document of index.documents) {
      const path = isPlainPath(document.path) ? toPath(document.path) : undefined;
      const source = path === undefined ? undefined : findSource(path);
      if (source === undefined) {
        elsewhere.push(document.path);
        continue;
      }
      const placed = await placeSource(document, source, limits, `${number} ${source.id}`);
      if ("id" in placed) {
        documents.push(placed);
        continue;
      }
      for (const { symbol, roles } of document.occurrences) {
        if ((roles & SCIP_ROLE.definition) !== 0) leftOut.add(symbol);
      }
      const message = `${name} does not match this file: ${placed.reason}; its edges are left out until the SCIP index is made again`;
      const { collection: own, path: ownPath } = source;
      const place = { path: ownPath, line: placed.line, collection: own };
      diagnostics.push({ severity: "warning", code: "stale-scip", message, ...place });
    }
    if (elsewhere.length > 0) {
      const message = describeElsewhere(name, elsewhere, index.documents.length);
      diagnostics.push({ severity: "info", code: "scip-elsewhere", message, path: "", line: 0, collection });
    }
  }
  return { documents, leftOut, diagnostics };
}

async function placeSource(
  document: ScipDocument,
  { id, root, path, hash }: SourceFile,
  limits: Pick<LimitsConfig, "maxFileBytes">,
  scope: string,
): Promise<ReturnType<typeof placeDocument>> {
  const source = await readSourceFile(root, path, limits);
  // Symbols and texts must be of one state of the file.
  if (!source.ok || source.contentHash !== hash) return { reason: "the file changed during this build", line: 0 };
  return placeDocument(document, id, source.text, scope);
}

function describeElsewhere(name: string, paths: readonly string[], total: number): string {
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => JSON.stringify(path));
  const more = paths.length > SHOWN_PATHS ? ", …" : "";
  return `${paths.length} of ${total} documents of ${name} are no indexed source files: ${shown.join(", ")}${more}`;
}

/** Whether a document's path is as the format demands: relative, with `/`, leading nowhere else. */
function isPlainPath(path: string): boolean {
  const isNormal = posix.normalize(path) === path && !posix.isAbsolute(path) && !path.startsWith("..");
  return path !== "" && isNormal && !/^[a-z]:|\\/i.test(path);
}

/**
 * From paths of an index to paths from the configuration's folder. The index may be of a folder below that or above, and
 * made on another machine: of the last folders of its address in front and of the first folders of its documents taken
 * away, that way is used in which most documents are found; the least change of several.
 */
function chooseFolder(
  projectRoot: string,
  documents: readonly ScipDocument[],
  isFound: (path: string) => boolean,
): (path: string) => string | undefined {
  const plain = documents.map(({ path }) => path).filter(isPlainPath);
  const above = unescapeText(projectRoot.replace(/^[a-z][a-z0-9+.-]+:\/\/[^/]*/i, ""))
    .split("/")
    .filter((part) => part !== "")
    .slice(-MAX_DEPTH);
  const fronts = above.map((_, at) => `${above.slice(at).join("/")}/`).reverse();
  const offs = new Set(plain.flatMap((path) => [...foldersAround(folderOfPlace(path))].slice(0, -1)));
  // Each way from the paths of the SCIP index to ours either puts folders in front or takes folders off.
  const ways = [
    { front: "", off: "" },
    ...fronts.map((front) => ({ front, off: "" })),
    ...[...offs].sort((a, b) => a.length - b.length).map((off) => ({ front: "", off: `${off}/` })),
  ].map(({ front, off }) => ({
    front,
    off,
    found: plain.filter((path) => path.startsWith(off) && isFound(front + path.slice(off.length))).length,
  }));
  const { front, off } = ways.reduce((best, next) => (next.found > best.found ? next : best));
  return (path) => (path.startsWith(off) ? front + path.slice(off.length) : undefined);
}

/*
 * A document of a SCIP index in lines and columns of this index, with the file's text at hand.
 *
 * The text also tells whether the index is of this text: where a name that is defined does not stand at its place, or a
 * place is not in the text, the file was changed after it was indexed, and nothing of it can be trusted.
 */

type Range = Omit<PreciseDefinition, "symbol">;

/** Why a document is left out. */
interface UnplacedDocument {
  readonly reason: string;
  /** 1-based line, 0 where none is to blame. */
  readonly line: number;
}

/** By the number that stands for them. */
const UNITS: Readonly<Record<number, ColumnUnit>> = { 1: "utf-8", 2: "utf-16", 3: "code-points" };
const UNSAID = 0;
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Places of a document.
 *
 * @param id Document id of the file.
 * @param scope What tells local symbols of this document from those of others.
 */
export function placeDocument(
  document: ScipDocument,
  id: string,
  text: string,
  scope: string,
): PreciseDocument | UnplacedDocument {
  const lines = withoutMark(text).split("\n");
  const unit = document.encoding === UNSAID ? guessUnit(document, lines) : UNITS[document.encoding];
  if (unit === undefined) return { reason: `columns are in the unknown unit ${document.encoding}`, line: 0 };
  if (document.text !== "" && withoutMark(document.text) !== withoutMark(text))
    return { reason: "the text that was indexed is another", line: 0 };
  const definitions: PreciseDefinition[] = [];
  const references: PreciseReference[] = [];
  /** Places of names that are bound. */
  const bound = new Set<string>();
  /** By place, the name that should stand there; `""` where one of the definitions there fits or has no name to check. */
  const missing = new Map<string, { readonly name: string; readonly line: number }>();
  for (const occurrence of document.occurrences) {
    if (occurrence.symbol === "" || occurrence.range.length === 0) continue;
    const name = nameOfSymbol(occurrence.symbol);
    const range = placeRange(lines, occurrence.range, unit);
    if (range === undefined) {
      const line = occurrence.range[0] as number;
      const isThere = line < lines.length;
      return { reason: "a place is not in the text", line: isThere ? line + 1 : 0 };
    }
    const symbol = isLocalSymbol(occurrence.symbol) ? `${occurrence.symbol} ${scope}` : occurrence.symbol;
    const { start } = range;
    if ((occurrence.roles & SCIP_ROLE.definition) === 0) {
      const isWrite = (occurrence.roles & SCIP_ROLE.write) !== 0;
      references.push({ symbol, at: start, isWrite });
      continue;
    }
    definitions.push({ symbol, ...range });
    const key = `${start.line}:${start.column}`;
    if (BOUND.test(symbol)) bound.add(key);
    const fits = name === undefined || holdsName(sliceOf(lines, range), name);
    if (fits) missing.set(key, { name: "", line: start.line });
    else if (!missing.has(key)) missing.set(key, { name: name as string, line: start.line });
  }
  for (const { name, line } of missing.values()) {
    if (name !== "") return { reason: `${JSON.stringify(name)} is not where it should be defined`, line };
  }
  const implementations = document.implementations.map(({ symbol, of }) => ({
    symbol: isLocalSymbol(symbol) ? `${symbol} ${scope}` : symbol,
    of,
  }));
  // Where a name is bound that names something else as well, it stands for both: `const { open } = store`.
  const sided = references.map((reference): PreciseReference => {
    const { line, column } = reference.at;
    return bound.has(`${line}:${column}`) ? { ...reference, short: "key" } : reference;
  });
  return { id, definitions, references: sided, implementations };
}

/** The unit in which most names stand at their places, UTF-16 where all do as well: lines of ASCII say nothing. */
function guessUnit({ occurrences }: ScipDocument, lines: readonly string[]): ColumnUnit {
  const telling = occurrences.filter(({ range: [line = 0] }) => NOT_ASCII.test(lines[line] ?? ""));
  const countFits = (unit: ColumnUnit): number =>
    telling.filter(({ range, symbol }) => {
      const name = nameOfSymbol(symbol);
      const placed = name === undefined ? undefined : placeRange(lines, range, unit);
      return placed !== undefined && holdsName(sliceOf(lines, placed), name as string);
    }).length;
  const candidates = (["utf-16", "utf-8", "code-points"] as const).map((unit) => ({ unit, fits: countFits(unit) }));
  return candidates.reduce((best, next) => (next.fits > best.fits ? next : best)).unit;
}

/** A stored range in the text; undefined where it is none or lies outside. */
function placeRange(lines: readonly string[], numbers: readonly number[], unit: ColumnUnit): Range | undefined {
  const [startLine, startColumn, third, fourth] = numbers;
  if (startLine === undefined || startColumn === undefined || third === undefined || numbers.length > 4)
    return undefined;
  const [endLine, endColumn] = fourth === undefined ? [startLine, third] : [third, fourth];
  const start = placeAt(lines, startLine, startColumn, unit);
  const end = placeAt(lines, endLine, endColumn, unit);
  if (start === undefined || end === undefined || isBefore(end, start)) return undefined;
  return { start, end };
}

function placeAt(lines: readonly string[], line: number, column: number, unit: ColumnUnit): CodePosition | undefined {
  const text = lines[line];
  const at = text === undefined ? undefined : toUtf16Column(text, column, unit);
  return at === undefined ? undefined : { line: line + 1, column: at + 1 };
}

function sliceOf(lines: readonly string[], { start, end }: Range): string {
  return start.line === end.line ? (lines[start.line - 1] ?? "").slice(start.column - 1, end.column - 1) : "";
}

/** Whether the source has the name there, in quotes or behind a mark of its own (`#hidden`, `@field`, `r#type`) or not. */
function holdsName(source: string, name: string): boolean {
  return source === name || bare(source) === bare(name);
}

function bare(name: string): string {
  return name.replace(/^(?:r#|[#@$~:]{1,2})/, "").replace(/^(["'`])(.*)\1$/, "$2");
}

type ColumnUnit = "utf-8" | "utf-16" | "code-points";

/**
 * Column in units of UTF-16 of a column in another unit, both 0-based; undefined behind the end of the line and inside of
 * a character.
 */
function toUtf16Column(line: string, column: number, unit: ColumnUnit): number | undefined {
  if (unit === "utf-16") return column <= line.length ? column : undefined;
  let rest = column;
  let at = 0;
  while (rest > 0 && at < line.length) {
    const point = line.codePointAt(at) as number;
    rest -= unit === "utf-8" ? utf8Length(point) : 1;
    at += point > 0xffff ? 2 : 1;
  }
  return rest === 0 ? at : undefined;
}

function utf8Length(point: number): number {
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/*
 * SCIP indexes, which indexers on top of compilers write: documents, the ranges in them that name symbols, and which symbol
 * implements which. Everything else (hover texts, kinds, diagnostics) is passed over.
 *
 * Field numbers and the grammar of symbols: https://github.com/sourcegraph/scip/blob/main/scip.proto. The wire format:
 * https://protobuf.dev/programming-guides/encoding/. Lengths are checked before anything is read; groups, long out of use, are
 * rejected.
 */

/** A place that names a symbol. */
interface ScipOccurrence {
  /** As stored: start line, start column, end line (left out where it is the same), end column; 0-based. */
  readonly range: readonly number[];
  readonly symbol: string;
  /** Bits of `SCIP_ROLE`. */
  readonly roles: number;
}

/** Bits of an occurrence's roles. */
const SCIP_ROLE = { definition: 1, write: 4 } as const;

/** One source file. */
export interface ScipDocument {
  /** From the folder that was indexed. */
  readonly path: string;
  /** Text that was indexed; `""` where it is not stored, as is usual. */
  readonly text: string;
  /** Unit of columns: 1 bytes of UTF-8, 2 units of UTF-16, 3 code points; 0 where the indexer does not say. */
  readonly encoding: number;
  readonly occurrences: readonly ScipOccurrence[];
  /** Symbols with those that they implement or override. */
  readonly implementations: readonly { readonly symbol: string; readonly of: readonly string[] }[];
}

interface ScipIndex {
  /** Address of the folder that was indexed, on the machine where it was: `file:///home/me/project`; `""` for none. */
  readonly projectRoot: string;
  readonly documents: readonly ScipDocument[];
}

type Intern = (text: string) => string;

/**
 * Read an index.
 *
 * @param name What the file is called, for errors.
 * @throws {InputError} where the bytes are no SCIP index, or not all of one.
 */
export function readScip(bytes: Uint8Array, name: string): ScipIndex {
  try {
    return readIndex(bytes);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const example = "npx @sourcegraph/scip-typescript index --output index.scip";
    throw new InputError(`${JSON.stringify(name)} is no SCIP index: ${error.message}`, [], example);
  }
}

function readIndex(bytes: Uint8Array): ScipIndex {
  const what = "index";
  // A symbol is named at many places: one text for all of them.
  const known = new Map<string, string>();
  const intern: Intern = (text) => {
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
  const index = new Message(bytes, what);
  const metadata = index.messages(1, "metadata").at(-1);
  if (metadata === undefined) throw malformed(what, "it has no metadata");
  return {
    projectRoot: metadata.text(3),
    documents: index.messages(2, "document").map((document) => readDocument(document, intern)),
  };
}

function readDocument(document: Message, intern: Intern): ScipDocument {
  return {
    path: document.text(1),
    text: document.text(5),
    encoding: document.number(6),
    occurrences: document.messages(2, "occurrence").map((occurrence) => ({
      range: occurrence.numbers(1),
      symbol: intern(occurrence.text(2)),
      roles: occurrence.number(3),
    })),
    implementations: document.messages(3, "symbol").flatMap((symbol) => {
      // Of relationships those that say "implements".
      const relationships = symbol.messages(4, "relationship").filter((one) => one.number(3) !== 0);
      const of = relationships.map((one) => intern(one.text(1)));
      return of.length === 0 ? [] : [{ symbol: intern(symbol.text(1)), of }];
    }),
  };
}

/** The name at the end of the symbol of a type, a value, a method or a macro. Inside of backticks two of them stand for one. */
const NAME = /(?:`((?:[^`]|``)+)`|([\w+$-]+))(?:[#.!]|\([\w+$-]*\)\.)$/;
/** Longer names are none of a source. */
const MAX_NAME = 1000;
/** A local symbol, or a value that is no method. */
const BOUND = /^local |[^)]\.$/;

/** Whether the symbol is known inside of its document alone. */
function isLocalSymbol(symbol: string): boolean {
  return symbol.startsWith("local ");
}

/**
 * The name that the source has where the symbol is defined; undefined where it may have another: of a file, a package, a
 * parameter, of what indexers make up (`<constructor>`, `kids0:`) and of local symbols.
 */
export function nameOfSymbol(symbol: string): string | undefined {
  if (isLocalSymbol(symbol)) return undefined;
  const [, quoted, plain] = NAME.exec(symbol.slice(-MAX_NAME)) ?? [];
  const name = quoted?.replaceAll("``", "`") ?? plain;
  return name === undefined || /[<>\s]/.test(name) ? undefined : name;
}

/** A varint, or the bytes of a text, a message or packed numbers. */
type FieldValue = number | Uint8Array;

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** A message: its fields by number, of which fixed-width ones are passed over. Of a field that is there once the last counts. */
class Message {
  readonly #what: string;
  readonly #fields = new Map<number, FieldValue[]>();

  /**
   * @param what What is read, for errors.
   * @throws {FormatError} where the bytes are no message; so do its methods where a field is of another type.
   */
  constructor(bytes: Uint8Array, what: string) {
    this.#what = what;
    const reader = new ByteReader(bytes, what);
    while (reader.remaining > 0) {
      const tag = reader.readVarint();
      const field = Math.floor(tag / 8);
      if (field === 0) throw malformed(what, "no field has the number 0");
      const type = tag % 8;
      if (type === VARINT) addToList(this.#fields, field, reader.readVarint());
      else if (type === BYTES) addToList(this.#fields, field, reader.readBytes(reader.readVarint()));
      else if (type === FIXED_64) reader.readBytes(8);
      else if (type === FIXED_32) reader.readBytes(4);
      else throw malformed(what, `field ${field} has wire type ${type}`);
    }
  }

  messages(field: number, what: string): Message[] {
    return this.#valuesOf(field).map((value) => new Message(this.#bytesOf(value), what));
  }

  /** `""` without one. */
  text(field: number): string {
    const value = this.#valuesOf(field).at(-1);
    return value === undefined ? "" : decodeUtf8(this.#bytesOf(value), this.#what);
  }

  /** 0 without one. */
  number(field: number): number {
    const value = this.#valuesOf(field).at(-1) ?? 0;
    if (typeof value !== "number") throw malformed(this.#what, "bytes stand where a number belongs");
    return value;
  }

  /** Numbers of a repeated field, packed or one by one. */
  numbers(field: number): number[] {
    return this.#valuesOf(field).flatMap((value) => {
      if (typeof value === "number") return [value];
      const numbers: number[] = [];
      const reader = new ByteReader(value, this.#what);
      while (reader.remaining > 0) numbers.push(reader.readVarint());
      return numbers;
    });
  }

  #valuesOf(field: number): readonly FieldValue[] {
    return this.#fields.get(field) ?? [];
  }

  #bytesOf(value: FieldValue): Uint8Array {
    if (typeof value === "number") throw malformed(this.#what, "a number stands where bytes belong");
    return value;
  }
}
