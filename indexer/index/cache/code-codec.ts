/**
 * What parsing made of a source file as bytes: what threads hand over and the parse cache keeps.
 *
 * Two parts: symbols and imports, which linking needs of all files at once, and uses, which it goes through file by file and which
 * are most of it. Each is rows of numbers, with a table of its texts, as one text, and one of its references, each written once
 * and after those that it is built on: a tenth of what general formats take.
 */

import { unzigzag, zigzag } from "../../../src/core/bytes/numbers.ts";
import { ByteReader } from "../../../src/core/bytes/reader.ts";
import { ByteWriter, encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import {
  type CodePosition,
  EDGE_KINDS,
  type EdgeKind,
  SYMBOL_FLAGS,
  SYMBOL_KINDS,
  type SymbolFlag,
  type SymbolKind,
} from "../../../src/core/format/code-model.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type {
  CodeFile,
  CodeImport,
  CodeSymbol,
  CodeUse,
  GivenType,
  Reference,
  ReferenceRoot,
} from "../../languages/base/code-file.ts";
import type { PreparedCode } from "../prepared-document.ts";

/** A source file without its uses. */
interface CodeOutline {
  readonly file: Omit<CodeFile, "uses">;
  /** By symbol: ordinal of the section that shows it. */
  readonly sectionOf: readonly number[];
}

const WHAT = "cached source file";
const KIND_NUMBERS: ReadonlyMap<string, number> = numbersOf(SYMBOL_KINDS);
const USE_NUMBERS: ReadonlyMap<string, number> = numbersOf(EDGE_KINDS);
const FLAG_NUMBERS: ReadonlyMap<string, number> = numbersOf(SYMBOL_FLAGS);
/** Bits of what few symbols have. */
const HAS_MEMBER_OF = 1;
const HAS_TYPE = 2;
const HAS_ELEMENT = 4;
const HAS_GIVES = 8;
const STANDS_FOR_ARGUMENT = 16;
const IS_PROTOTYPE = 32;
/** Bits of an import; the first of a use, too. */
const TYPE_ONLY = 1;
const REEXPORTS = 2;
const HAS_LOCAL_PLACE = 4;
const RENAMED = 8;
/** Bits of a use, in front of its kind. */
const SHORT_KEY = 2;
const SHORT_VALUE = 4;
const HAS_EXPORTED_NAME = 8;
const USE_BITS = 4;
/** By their bits: symbols share their lists. */
const flagLists = new Map<number, readonly SymbolFlag[]>();

/** Bytes of a source file. Flags come back in the order of the format. */
export function encodeCode({ file, sectionOf }: PreparedCode): Uint8Array {
  const outline = encodeOutline(file, sectionOf);
  const uses = encodeUses(file.uses);
  const writer = new ByteWriter(outline.length + uses.length + 8);
  writer.writeVarint(outline.length);
  writer.writeBytes(outline);
  writer.writeBytes(uses);
  return writer.finish();
}

/** All but the uses of what `encodeCode` wrote. @throws {FormatError} */
export function decodeOutline(bytes: Uint8Array): CodeOutline {
  const whole = new ByteReader(bytes, WHAT);
  const reader = new RowReader(whole.readBytes(whole.readVarint()), WHAT);
  const file = {
    language: reader.text(),
    namespace: reader.text(),
    doc: reader.text(),
    errors: reader.number(),
    diagnostics: JSON.parse(reader.text()) as Diagnostic[],
    symbols: readSymbols(reader),
    imports: readImports(reader),
  };
  return { file, sectionOf: reader.numbers() };
}

/** The uses of what `encodeCode` wrote. Equal references are one object. @throws {FormatError} */
export function decodeCodeUses(bytes: Uint8Array): CodeUse[] {
  const whole = new ByteReader(bytes, WHAT);
  whole.readBytes(whole.readVarint());
  return readUses(new RowReader(whole.readBytes(whole.remaining), WHAT));
}

function encodeOutline(file: CodeFile, sectionOf: readonly number[]): Uint8Array {
  const part = new RowWriter();
  part.text(file.language);
  part.text(file.namespace);
  part.text(file.doc);
  part.number(file.errors);
  part.text(JSON.stringify(file.diagnostics));
  part.number(file.symbols.length);
  let line = 0;
  for (const symbol of file.symbols) {
    const { start, end, at } = symbol;
    part.number(KIND_NUMBERS.get(symbol.kind) as number);
    part.number(symbol.flags.reduce((bits, flag) => bits | (1 << (FLAG_NUMBERS.get(flag) as number)), 0));
    part.number(symbol.parent + 1);
    part.text(symbol.name);
    part.place(start, line);
    part.place(end, start.line);
    part.place(at, start.line);
    part.signed(start.line - symbol.leadLine);
    for (const text of [symbol.signature, symbol.doc, symbol.typeText]) part.text(text);
    part.texts(symbol.exportedAs);
    part.texts(symbol.bases);
    writeMore(part, symbol);
    line = start.line;
  }
  part.number(file.imports.length);
  for (const { kind, typeOnly, specifier, imported, local, from, at, localAt, renamed } of file.imports) {
    part.number(
      (typeOnly ? TYPE_ONLY : 0) |
        (kind === "reexports" ? REEXPORTS : 0) |
        (localAt === undefined ? 0 : HAS_LOCAL_PLACE) |
        (renamed === true ? RENAMED : 0),
    );
    for (const text of [specifier, imported, local]) part.text(text);
    part.number(from + 1);
    part.place(at, 0);
    if (localAt !== undefined) part.place(localAt, at.line);
  }
  part.number(sectionOf.length);
  for (const section of sectionOf) part.number(section);
  return part.finish();
}

function writeMore(part: RowWriter, { memberOf, type, element, gives, ...symbol }: CodeSymbol): void {
  part.number(
    (memberOf === undefined ? 0 : HAS_MEMBER_OF) |
      (type === undefined ? 0 : HAS_TYPE) |
      (element === undefined ? 0 : HAS_ELEMENT) |
      (gives === undefined ? 0 : HAS_GIVES) |
      (symbol.standsForArgument === true ? STANDS_FOR_ARGUMENT : 0) |
      (symbol.isPrototype === true ? IS_PROTOTYPE : 0),
  );
  if (memberOf !== undefined) part.text(memberOf);
  if (type !== undefined) part.reference(type);
  if (element !== undefined) part.reference(element);
  if (gives === undefined) return;
  part.number(gives.length);
  for (const given of gives) {
    part.number(given.argument);
    part.number(given.parameter);
    part.reference(given.type);
  }
}

function encodeUses(uses: readonly CodeUse[]): Uint8Array {
  const part = new RowWriter();
  part.number(uses.length);
  let line = 0;
  for (const { kind, typeOnly, from, at, target, short, exportedName } of uses) {
    part.number(
      ((USE_NUMBERS.get(kind) as number) << USE_BITS) |
        (typeOnly ? TYPE_ONLY : 0) |
        (short === "key" ? SHORT_KEY : short === "value" ? SHORT_VALUE : 0) |
        (exportedName === undefined ? 0 : HAS_EXPORTED_NAME),
    );
    part.number(from + 1);
    part.place(at, line);
    part.reference(target);
    if (exportedName !== undefined) {
      part.text(exportedName.name);
      part.place(exportedName.at, at.line);
    }
    line = at.line;
  }
  return part.finish();
}

function readSymbols(rows: RowReader): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  let line = 0;
  for (let left = rows.number(); left > 0; left--) {
    const kind = SYMBOL_KINDS[rows.number()] as SymbolKind;
    const flags = flagsOf(rows.number());
    const parent = rows.number() - 1;
    const name = rows.text();
    const start = rows.place(line);
    line = start.line;
    const end = rows.place(line);
    const at = rows.place(line);
    const leadLine = line - rows.signed();
    const [signature, doc, typeText] = [rows.text(), rows.text(), rows.text()];
    const exportedAs = rows.texts();
    const bases = rows.texts();
    const lists = { flags, exportedAs, bases };
    const symbol = { kind, name, parent, at, start, end, leadLine, signature, doc, typeText, ...lists };
    const has = rows.number();
    symbols.push(has === 0 ? symbol : { ...symbol, ...readMore(rows, has) });
  }
  return symbols;
}

function readMore(rows: RowReader, has: number): Partial<CodeSymbol> {
  return {
    ...((has & HAS_MEMBER_OF) !== 0 && { memberOf: rows.text() }),
    ...((has & HAS_TYPE) !== 0 && { type: rows.reference() }),
    ...((has & HAS_ELEMENT) !== 0 && { element: rows.reference() }),
    ...((has & HAS_GIVES) !== 0 && { gives: readGives(rows) }),
    ...((has & STANDS_FOR_ARGUMENT) !== 0 && { standsForArgument: true as const }),
    ...((has & IS_PROTOTYPE) !== 0 && { isPrototype: true as const }),
  };
}

function readGives(rows: RowReader): GivenType[] {
  const gives: GivenType[] = [];
  for (let left = rows.number(); left > 0; left--) {
    gives.push({ argument: rows.number(), parameter: rows.number(), type: rows.reference() });
  }
  return gives;
}

function readImports(rows: RowReader): CodeImport[] {
  const imports: CodeImport[] = [];
  for (let left = rows.number(); left > 0; left--) {
    const bits = rows.number();
    const [specifier, imported, local] = [rows.text(), rows.text(), rows.text()];
    const from = rows.number() - 1;
    const kind = (bits & REEXPORTS) !== 0 ? "reexports" : "imports";
    const at = rows.place(0);
    const typeOnly = (bits & TYPE_ONLY) !== 0;
    imports.push({
      ...{ kind, specifier, imported, local, typeOnly, from, at },
      ...((bits & HAS_LOCAL_PLACE) !== 0 && { localAt: rows.place(at.line) }),
      ...((bits & RENAMED) !== 0 && { renamed: true as const }),
    });
  }
  return imports;
}

function readUses(rows: RowReader): CodeUse[] {
  const uses: CodeUse[] = [];
  let line = 0;
  for (let left = rows.number(); left > 0; left--) {
    const bits = rows.number();
    const from = rows.number() - 1;
    const at = rows.place(line);
    line = at.line;
    const target = rows.reference();
    const typeOnly = (bits & TYPE_ONLY) !== 0;
    const use: CodeUse = { kind: useKindOf(EDGE_KINDS[bits >> USE_BITS]), from, at, target, typeOnly };
    uses.push(hasMore(bits) ? { ...use, ...readUseMore(rows, bits, line) } : use);
  }
  return uses;
}

function hasMore(bits: number): boolean {
  return (bits & (SHORT_KEY | SHORT_VALUE | HAS_EXPORTED_NAME)) !== 0;
}

/** What few uses have. */
function readUseMore(rows: RowReader, bits: number, line: number): Partial<CodeUse> {
  return {
    ...((bits & SHORT_KEY) !== 0 && { short: "key" as const }),
    ...((bits & SHORT_VALUE) !== 0 && { short: "value" as const }),
    ...((bits & HAS_EXPORTED_NAME) !== 0 && { exportedName: { name: rows.text(), at: rows.place(line) } }),
  };
}

/** What was written is a kind of uses. */
function useKindOf(kind: EdgeKind | undefined): CodeUse["kind"] {
  return kind as CodeUse["kind"];
}

function flagsOf(bits: number): readonly SymbolFlag[] {
  const known = flagLists.get(bits);
  if (known !== undefined) return known;
  const flags = SYMBOL_FLAGS.filter((_, at) => (bits & (1 << at)) !== 0);
  flagLists.set(bits, flags);
  return flags;
}

function numbersOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, number) => [name, number]));
}

const ROOT_KINDS = [
  "symbol",
  "import",
  "self",
  "super",
  "value",
  "result",
  "element",
  "given",
  "applied",
  "free",
  "unknown",
] as const satisfies readonly ReferenceRoot["kind"][];
const ROOT_NUMBERS: ReadonlyMap<string, number> = new Map(ROOT_KINDS.map((kind, number) => [kind, number]));
/** Most lists are empty: one for all of them. */
const NO_TEXTS: readonly string[] = [];
const NO_REFERENCES: readonly Reference[] = [];

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Writes rows, and the tables that they refer to. */
class RowWriter {
  readonly #rows = new ByteWriter(1024);
  readonly #references = new ByteWriter(256);
  readonly #texts = new Map<string, number>();
  readonly #referenceNumbers = new Map<string, number>();
  /** Parsers share what several references are built on. */
  readonly #written = new Map<Reference, number>();

  number(value: number): void {
    this.#rows.writeVarint(value);
  }

  signed(value: number): void {
    this.#rows.writeVarint(zigzag(value));
  }

  text(text: string): void {
    this.number(this.#numberOf(text));
  }

  texts(list: readonly string[]): void {
    this.number(list.length);
    for (const text of list) this.text(text);
  }

  /** Its line from another on. */
  place({ line, column }: CodePosition, from: number): void {
    this.signed(line - from);
    this.number(column);
  }

  reference(reference: Reference): void {
    this.number(this.#numberOfReference(reference));
  }

  /** All of it: the tables, then the rows. */
  finish(): Uint8Array {
    const texts = [...this.#texts.keys()];
    const joined = encodeUtf8(texts.join(""));
    const whole = new ByteWriter(joined.length + this.#rows.length + this.#references.length + 256);
    whole.writeVarint(texts.length);
    for (const text of texts) whole.writeVarint(text.length);
    whole.writeVarint(joined.length);
    whole.writeBytes(joined);
    whole.writeVarint(this.#referenceNumbers.size);
    whole.writeBytes(this.#references.view());
    whole.writeBytes(this.#rows.view());
    return whole.finish();
  }

  #numberOf(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, this.#texts.size);
    return this.#texts.size - 1;
  }

  #numberOfReference(reference: Reference): number {
    const known = this.#written.get(reference);
    if (known !== undefined) return known;
    // Not recursive: a chain of calls may be as long as the file.
    const open = [reference];
    for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
      const inner = innerOf(part).filter((it) => !this.#written.has(it));
      open.push(...inner);
      if (inner.length > 0) continue;
      this.#written.set(part, this.#writeReference(part));
      open.pop();
    }
    return this.#written.get(reference) as number;
  }

  /** Its number. Those that it is built on are written. */
  #writeReference({ root, members }: Reference): number {
    const head = [ROOT_NUMBERS.get(root.kind) as number, ...this.#rootOf(root)];
    const row = [...head, members.length, ...members.map((name) => this.#numberOf(name))];
    const key = row.join(" ");
    const known = this.#referenceNumbers.get(key);
    if (known !== undefined) return known;
    const number = this.#referenceNumbers.size;
    this.#referenceNumbers.set(key, number);
    for (const value of row) this.#references.writeVarint(value);
    return number;
  }

  #rootOf(root: ReferenceRoot): readonly number[] {
    const numberOf = (inner: Reference) => this.#written.get(inner) as number;
    switch (root.kind) {
      case "symbol":
      case "self":
      case "super":
        return [root.symbol];
      case "import":
        return [root.import];
      case "value":
        return [numberOf(root.type)];
      case "result":
      case "element":
        return [numberOf(root.of)];
      case "given": {
        const { by, argument, parameter, otherwise } = root;
        return [numberOf(by), argument, parameter, otherwise === undefined ? 0 : 1 + numberOf(otherwise)];
      }
      case "applied":
        return [numberOf(root.type), numberOf(root.to)];
      case "free":
        return [this.#numberOf(root.name), root.within === undefined ? 0 : 1 + numberOf(root.within)];
      case "unknown":
        return [];
    }
  }
}

/** The references that a reference is built on. */
function innerOf({ root }: Reference): readonly Reference[] {
  switch (root.kind) {
    case "value":
      return [root.type];
    case "result":
    case "element":
      return [root.of];
    case "given":
      return root.otherwise === undefined ? [root.by] : [root.by, root.otherwise];
    case "applied":
      return [root.type, root.to];
    case "free":
      return root.within === undefined ? NO_REFERENCES : [root.within];
    default:
      return NO_REFERENCES;
  }
}

/** Reads what a `RowWriter` wrote, in its order. Equal references are one object. @throws {FormatError} */
class RowReader {
  readonly #reader: ByteReader;
  readonly #texts: readonly string[];
  readonly #references: readonly Reference[];

  constructor(bytes: Uint8Array, what: string) {
    const reader = new ByteReader(bytes, what);
    this.#reader = reader;
    const lengths = this.numbers();
    const joined = utf8.decode(reader.readBytes(reader.readVarint()));
    let end = 0;
    this.#texts = lengths.map((length) => {
      end += length;
      return joined.slice(end - length, end);
    });
    const references: Reference[] = [];
    for (let left = reader.readVarint(); left > 0; left--) {
      const kind = ROOT_KINDS[reader.readVarint()] as ReferenceRoot["kind"];
      const root = this.#rootOf(kind, references);
      references.push({ root, members: this.texts() });
    }
    this.#references = references;
  }

  number(): number {
    return this.#reader.readVarint();
  }

  numbers(): number[] {
    const list: number[] = [];
    for (let left = this.number(); left > 0; left--) list.push(this.number());
    return list;
  }

  text(): string {
    return this.#texts[this.number()] as string;
  }

  texts(): readonly string[] {
    let left = this.number();
    if (left === 0) return NO_TEXTS;
    const list: string[] = [];
    for (; left > 0; left--) list.push(this.text());
    return list;
  }

  reference(): Reference {
    return this.#references[this.number()] as Reference;
  }

  /** A place whose line was written from another on. */
  place(from: number): CodePosition {
    return { line: from + this.signed(), column: this.number() };
  }

  signed(): number {
    return unzigzag(this.number());
  }

  /** What stands in front in the order of the table is known. */
  #rootOf(kind: ReferenceRoot["kind"], references: readonly Reference[]): ReferenceRoot {
    const reference = () => references[this.number()] as Reference;
    switch (kind) {
      case "symbol":
      case "self":
      case "super":
        return { kind, symbol: this.number() };
      case "import":
        return { kind, import: this.number() };
      case "value":
        return { kind, type: reference() };
      case "result":
      case "element":
        return { kind, of: reference() };
      case "given": {
        const root = { kind, by: reference(), argument: this.number(), parameter: this.number() };
        const otherwise = references[this.number() - 1];
        return otherwise === undefined ? root : { ...root, otherwise };
      }
      case "applied":
        return { kind, type: reference(), to: reference() };
      case "free": {
        const name = this.text();
        const within = references[this.number() - 1];
        return within === undefined ? { kind, name } : { kind, name, within };
      }
      case "unknown":
        return { kind };
    }
  }
}
