/**
 * What parsing made of a source file as bytes: what threads hand over and the parse cache keeps.
 *
 * Two parts: symbols and imports, which linking needs of all files at once, and uses, which it goes through file by file and which
 * are most of it. Each has a table of its references: a reference is written once, after those that it is built on.
 */
import { deserialize, serialize } from "node:v8";
import { EDGE_KINDS } from "../../../src/core/format/code-model.ts";
import type {
  CodeFile,
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

/** A symbol with something in place of each reference. */
type SymbolOf<T> = Omit<CodeSymbol, "type" | "element" | "gives"> & {
  readonly type?: T;
  readonly element?: T;
  readonly gives?: readonly (Omit<GivenType, "type"> & { readonly type: T })[];
};

interface OutlineRows {
  readonly file: Omit<CodeFile, "uses" | "symbols">;
  readonly symbols: readonly SymbolOf<number>[];
  readonly sectionOf: readonly number[];
}

/** Names as which uses are exported; few are. */
type ExportedNames = readonly (readonly [use: number, name: NonNullable<CodeUse["exportedName"]>])[];

/** JSON, but for the numbers. */
interface CodeParts {
  readonly outline: string;
  readonly outlineReferences: string;
  /** Of each use in a row: kind, symbol, line, column, reference, bits. */
  readonly uses: Int32Array;
  readonly usedReferences: string;
  readonly exportedNames: string;
}

const USE_NUMBERS = 6;
const TYPE_ONLY = 1;
const SHORTS = [undefined, "key", "value"] as const;

/** Bytes of a source file. */
export function encodeCode({ file, sectionOf }: PreparedCode): Uint8Array {
  const { uses, symbols, ...rest } = file;
  const table = new ReferenceTable();
  const outline: OutlineRows = {
    file: rest,
    symbols: symbols.map((symbol) => mapSymbol(symbol, (reference) => table.add(reference))),
    sectionOf,
  };
  const used = new ReferenceTable();
  const numbers = new Int32Array(uses.length * USE_NUMBERS);
  for (const [use, { kind, from, at, target, typeOnly, short }] of uses.entries()) {
    const bits = (typeOnly ? TYPE_ONLY : 0) | (SHORTS.indexOf(short) << 1);
    numbers.set([EDGE_KINDS.indexOf(kind), from, at.line, at.column, used.add(target), bits], use * USE_NUMBERS);
  }
  const exportedNames: ExportedNames = uses.flatMap(({ exportedName }, use) =>
    exportedName === undefined ? [] : [[use, exportedName]],
  );
  const parts: CodeParts = {
    outline: JSON.stringify(outline),
    outlineReferences: table.toJson(),
    uses: numbers,
    usedReferences: used.toJson(),
    exportedNames: JSON.stringify(exportedNames),
  };
  return serialize(parts);
}

/** All but the uses of what `encodeCode` wrote. */
export function decodeOutline(bytes: Uint8Array): CodeOutline {
  const { outline, outlineReferences } = deserialize(bytes) as CodeParts;
  const { file, symbols, sectionOf } = JSON.parse(outline) as OutlineRows;
  const references = readReferences(outlineReferences);
  return {
    file: {
      ...file,
      symbols: symbols.map((symbol) => mapSymbol(symbol, (number) => references[number] as Reference)),
    },
    sectionOf,
  };
}

/** The uses of what `encodeCode` wrote. Equal references are one object. */
export function decodeCodeUses(bytes: Uint8Array): CodeUse[] {
  const { uses, usedReferences, exportedNames } = deserialize(bytes) as CodeParts;
  const references = readReferences(usedReferences);
  const named = new Map(JSON.parse(exportedNames) as ExportedNames);
  return Array.from({ length: uses.length / USE_NUMBERS }, (_, use): CodeUse => {
    const start = use * USE_NUMBERS;
    const [kind = 0, from = 0, line = 0, column = 0, target = 0, bits = 0] = uses.subarray(start, start + USE_NUMBERS);
    const short = SHORTS[bits >> 1];
    const exportedName = named.get(use);
    return {
      kind: EDGE_KINDS[kind] as CodeUse["kind"],
      from,
      at: { line, column },
      target: references[target] as Reference,
      typeOnly: (bits & TYPE_ONLY) !== 0,
      ...(short !== undefined && { short }),
      ...(exportedName !== undefined && { exportedName }),
    };
  });
}

function mapSymbol<From, To>(
  { type, element, gives, ...symbol }: SymbolOf<From>,
  replace: (reference: From) => To,
): SymbolOf<To> {
  return {
    ...symbol,
    ...(type !== undefined && { type: replace(type) }),
    ...(element !== undefined && { element: replace(element) }),
    ...(gives !== undefined && { gives: gives.map((given) => ({ ...given, type: replace(given.type) })) }),
  };
}

/** Where a root holds another reference. */
const INNER = ["type", "of", "by", "otherwise", "to", "within"] as const;

/** A root as far as it is built on other references; in the table, numbers stand for these. */
type RootOf<T> = { readonly kind: string } & Partial<Readonly<Record<(typeof INNER)[number], T>>>;

interface ReferenceRow {
  readonly root: RootOf<number>;
  readonly members: readonly string[];
}

/** References, each once and after those that it is built on. */
class ReferenceTable {
  /** By their JSON. */
  readonly #rows = new Map<string, number>();
  /** Parsers share what several references are built on. */
  readonly #known = new Map<Reference, number>();

  /** Number of a reference. */
  add(reference: Reference): number {
    // Not recursive: a chain of calls may be as long as the file.
    const open = [reference];
    for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
      const root: RootOf<Reference> = part.root;
      const inner = INNER.flatMap((field) => root[field] ?? []).filter((one) => !this.#known.has(one));
      open.push(...inner);
      if (inner.length > 0) continue;
      this.#known.set(part, this.#known.get(part) ?? this.#addRow(part));
      open.pop();
    }
    return this.#known.get(reference) as number;
  }

  toJson(): string {
    return `[${[...this.#rows.keys()].join(",")}]`;
  }

  #addRow({ root, members }: Reference): number {
    const row = JSON.stringify({ root: mapInner(root, (inner: Reference) => this.#known.get(inner)), members });
    const number = this.#rows.get(row) ?? this.#rows.size;
    this.#rows.set(row, number);
    return number;
  }
}

function readReferences(json: string): Reference[] {
  const references: Reference[] = [];
  for (const { root, members } of JSON.parse(json) as readonly ReferenceRow[]) {
    const own = mapInner(root, (number: number) => references[number]) as ReferenceRoot;
    references.push({ root: own, members });
  }
  return references;
}

/** A copy of a root with something else in place of each reference that it is built on. */
function mapInner<From, To>(root: RootOf<From>, replace: (inner: From) => To): object {
  const copy: Record<string, unknown> = { ...root };
  for (const field of INNER) if (root[field] !== undefined) copy[field] = replace(root[field]);
  return copy;
}
