/**
 * Rows of numbers with the texts and references that they name: what the parse cache keeps of a source file is made of.
 *
 * Texts stand in a table, as one text, and so do references, each once: those that are built on others behind them.
 * Of a reference there are the kind of its root, what the root is made of, and the members. Encoder and decoder stay in this one file. Pure.
 */
import { ByteReader } from "../../../src/core/bytes/reader.ts";
import { unzigzag, zigzag } from "../../../src/core/bytes/signed.ts";
import { ByteWriter, encodeUtf8 } from "../../../src/core/bytes/writer.ts";
import type { CodePosition } from "../../../src/core/format/code-records.ts";
import type { Reference, ReferenceRoot } from "../../languages/base/code-file.ts";

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
export class RowWriter {
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
export class RowReader {
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
