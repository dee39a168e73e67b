/**
 * Values of the tables `files` (a source file without its symbols) and `symbols` (with them).
 *
 * Index-format v1, section 7.8. Symbols are stored by column; a path that follows from names takes one byte.
 */

import { formatHex } from "../bytes/encodings.ts";
import { ByteReader, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import { type FileRecord, SYMBOL_FLAGS, SYMBOL_KINDS, type SymbolFlag, type SymbolRecord } from "./code-model.ts";
import {
  checkPlace,
  readDifferences,
  readNumbers,
  readTexts,
  writeDifferences,
  writeNumbers,
  writeTexts,
} from "./columns.ts";

/** A source file as the table `files` has it. */
export interface FileEntry extends Pick<FileRecord, "language" | "module" | "package"> {
  /** Its number among the source files of its access group. */
  readonly number: number;
}

/** Bytes of a file's entry. */
export function encodeFileEntry(entry: FileEntry): Uint8Array {
  const writer = new ByteWriter(32);
  writer.writeVarint(entry.number);
  writer.writeString(entry.language);
  writer.writeString(entry.module);
  writer.writeString(entry.package);
  return writer.finish();
}

/** The entry that these bytes are. @throws {FormatError}. */
export function decodeFileEntry(bytes: Uint8Array): FileEntry {
  const reader = new ByteReader(bytes, "table files");
  const number = reader.readVarint();
  const entry = {
    number,
    language: reader.readString(),
    module: reader.readString(),
    package: reader.readString(),
  };
  reader.expectEnd();
  return entry;
}

const WHAT = "table symbols";
const HASH_BYTES = 8;
/** A symbol takes a byte at least in each of its columns of numbers and in those of the lengths of its texts. */
const MIN_SYMBOL_BYTES = 17;

type Named = Pick<SymbolRecord, "name" | "parent" | "path">;

/** Bytes of a file's record. */
export function encodeFileRecord(file: FileRecord): Uint8Array {
  const { symbols } = file;
  const writer = new ByteWriter(256 + symbols.length * 128);
  for (const text of [file.id, file.language, file.module, file.package]) writer.writeString(text);
  for (let at = 0; at < HASH_BYTES; at++) writer.writeByte(Number.parseInt(file.hash.slice(2 * at, 2 * at + 2), 16));
  writer.writeByte(file.rank);
  writer.writeVarint(file.errors);
  writer.writeVarint(symbols.length);
  for (const { kind } of symbols) writer.writeByte(SYMBOL_KINDS.indexOf(kind));
  for (const { rank } of symbols) writer.writeByte(rank);
  writeNumbers(
    writer,
    symbols.map(({ flags }) => maskOf(flags)),
  );
  writeNumbers(
    writer,
    symbols.map(({ parent }, at) => (parent < 0 ? 0 : at - parent)),
  );
  writeDifferences(
    writer,
    symbols.map(({ section }, at) => section - (symbols[at - 1]?.section ?? 0)),
  );
  writeDifferences(
    writer,
    symbols.map(({ start }, at) => start.line - (symbols[at - 1]?.start.line ?? 1)),
  );
  writeDifferences(
    writer,
    symbols.map(({ start, at }) => at.line - start.line),
  );
  writeDifferences(
    writer,
    symbols.map(({ start, end }) => end.line - start.line),
  );
  for (const place of ["start", "at", "end"] as const) {
    writeNumbers(
      writer,
      symbols.map((symbol) => symbol[place].column),
    );
  }
  writeTexts(
    writer,
    symbols.map(({ name }) => name),
  );
  const expected = new ExpectedPaths();
  writeTexts(
    writer,
    symbols.map((symbol) => (expected.next(symbol, symbols) === symbol.path ? "" : symbol.path)),
  );
  for (const text of ["signature", "type", "doc"] as const) {
    writeTexts(
      writer,
      symbols.map((symbol) => symbol[text]),
    );
  }
  writeNumbers(
    writer,
    symbols.map(({ bases }) => bases.length),
  );
  writeTexts(
    writer,
    symbols.flatMap(({ bases }) => bases),
  );
  return writer.finish();
}

/** The record that these bytes are. @throws {FormatError}. */
export function decodeFileRecord(bytes: Uint8Array): FileRecord {
  const reader = new ByteReader(bytes, WHAT);
  const id = reader.readString();
  const language = reader.readString();
  const module = reader.readString();
  const packageName = reader.readString();
  const hash = formatHex(reader.readBytes(HASH_BYTES));
  const rank = reader.readByte();
  const errors = reader.readVarint();
  const symbols = readSymbols(reader);
  reader.expectEnd();
  return { id, language, module, package: packageName, hash, rank, errors, symbols };
}

function readSymbols(reader: ByteReader): SymbolRecord[] {
  const count = readCount(reader, MIN_SYMBOL_BYTES);
  const kinds = reader.readBytes(count);
  const ranks = reader.readBytes(count);
  const flags = readNumbers(reader, count, "flags", 2 ** SYMBOL_FLAGS.length - 1);
  const parents = readNumbers(reader, count, "distance of a container");
  const sections = readDifferences(reader, count);
  const startLines = readDifferences(reader, count);
  const atLines = readDifferences(reader, count);
  const endLines = readDifferences(reader, count);
  const columns = { start: readColumn(reader, count), at: readColumn(reader, count), end: readColumn(reader, count) };
  const names = readTexts(reader, count);
  const paths = readTexts(reader, count);
  const signatures = readTexts(reader, count);
  const types = readTexts(reader, count);
  const docs = readTexts(reader, count);
  const baseCounts = readNumbers(reader, count, "bases", reader.remaining);
  const sumOfBases = baseCounts.reduce((sum, bases) => sum + bases, 0);
  if (sumOfBases > reader.remaining) {
    throw new FormatError(WHAT, { code: "truncated", need: sumOfBases, have: reader.remaining });
  }
  const bases = readTexts(reader, sumOfBases);
  const symbols: SymbolRecord[] = [];
  const expected = new ExpectedPaths();
  let line = 1;
  let section = 0;
  let firstBase = 0;
  for (let at = 0; at < count; at++) {
    line = checkPlace(line + (startLines[at] as number), WHAT);
    section += sections[at] as number;
    if (section < 0) throw new FormatError(WHAT, { code: "malformed", reason: `section ${section}` });
    const name = names[at] as string;
    const parent = parentAt(at, parents[at] as number);
    const own = { name, parent, path: paths[at] as string };
    const path = expected.next(own, symbols);
    const place = (which: "start" | "at" | "end", difference: number): { line: number; column: number } => ({
      line: checkPlace(line + difference, WHAT),
      column: columns[which][at] as number,
    });
    symbols.push({
      kind: kindAt(kinds[at] as number),
      name,
      path: own.path === "" ? path : own.path,
      parent,
      at: place("at", atLines[at] as number),
      start: place("start", 0),
      end: place("end", endLines[at] as number),
      signature: signatures[at] as string,
      doc: docs[at] as string,
      flags: flagsOf(flags[at] as number),
      type: types[at] as string,
      bases: bases.slice(firstBase, firstBase + (baseCounts[at] as number)),
      rank: ranks[at] as number,
      section,
    });
    firstBase += baseCounts[at] as number;
  }
  return symbols;
}

/** Paths as they are mostly: the container's, a dot, the name, and `~2` and so on for the further ones of that path. */
class ExpectedPaths {
  readonly #counts = new Map<string, number>();

  /** @param before The symbols before it, with their paths. */
  next({ name, parent }: Named, before: readonly Named[]): string {
    const container = before[parent]?.path;
    const path = container === undefined ? name : `${container}.${name}`;
    const count = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, count);
    return count === 1 ? path : `${path}~${count}`;
  }
}

function readColumn(reader: ByteReader, count: number): number[] {
  return readNumbers(reader, count, "column").map((column) => checkPlace(column, WHAT));
}

function parentAt(at: number, distance: number): number {
  if (distance === 0) return -1;
  if (distance > at) {
    throw new FormatError(WHAT, { code: "out-of-range", what: "distance of a container", got: distance, limit: at });
  }
  return at - distance;
}

function kindAt(code: number): SymbolRecord["kind"] {
  const kind = SYMBOL_KINDS[code];
  if (kind === undefined) {
    throw new FormatError(WHAT, { code: "out-of-range", what: "kind", got: code, limit: SYMBOL_KINDS.length - 1 });
  }
  return kind;
}

function maskOf(flags: readonly SymbolFlag[]): number {
  return flags.reduce((mask, flag) => mask | (1 << SYMBOL_FLAGS.indexOf(flag)), 0);
}

function flagsOf(mask: number): SymbolFlag[] {
  return SYMBOL_FLAGS.filter((_, bit) => (mask & (1 << bit)) !== 0);
}
