/**
 * Values of the tables `files` (a source file without its symbols) and `symbols` (with them).
 *
 * Index-format v1, section 7.8. Symbols are stored by column; a path that follows from names takes one byte.
 */

import { readCount } from "../bytes/reader.ts";
import { checkLimit } from "../errors.ts";
import {
  type FileRecord,
  SYMBOL_FLAGS,
  SYMBOL_KINDS,
  type SymbolFlag,
  type SymbolKind,
  type SymbolRecord,
} from "./code-model.ts";
import {
  bytes,
  checkPlace,
  choice,
  codec,
  differences,
  hashes,
  list,
  mapped,
  numbers,
  places,
  record,
  running,
  single,
  strings,
  texts,
  type ValueOf,
} from "./columns.ts";

/** A source file as the table `files` has it. */
const fileEntry = record({
  /** Its number among the source files of its access group. */
  number: numbers("number"),
  language: strings,
  module: strings,
  package: strings,
});
export type FileEntry = ValueOf<typeof fileEntry>;
export const { encode: encodeFileEntry, decode: decodeFileEntry } = codec("table files", fileEntry);

const WHAT = "table symbols";

const storedSymbols = record({
  kind: choice(SYMBOL_KINDS, "kind", bytes),
  rank: bytes,
  flags: mapped(numbers("flags", 2 ** SYMBOL_FLAGS.length - 1), maskOf, flagsOf),
  /** How far the container stands before it; 0 without one. */
  distance: numbers("distance of a container"),
  section: running("section", 0, 0),
  startLine: running("a place at", 1, 1),
  /** Lines behind the first. */
  atLine: differences,
  endLine: differences,
  startColumn: places,
  atColumn: places,
  endColumn: places,
  name: texts,
  /** `""` where it is the expected one. */
  path: texts,
  signature: texts,
  type: texts,
  doc: texts,
  bases: list(texts),
});

const symbols = single(
  1,
  (writer, own: readonly SymbolRecord[]) => {
    const expected = new ExpectedPaths();
    const rows = own.map((symbol, index) => {
      const { start, at, end, parent, path } = symbol;
      return {
        ...symbol,
        distance: parent < 0 ? 0 : index - parent,
        startLine: start.line,
        atLine: at.line - start.line,
        endLine: end.line - start.line,
        startColumn: start.column,
        atColumn: at.column,
        endColumn: end.column,
        path: expected.next(symbol, own) === path ? "" : path,
      };
    });
    list(storedSymbols).write(writer, [rows]);
  },
  (reader) => {
    const own: SymbolRecord[] = [];
    const expected = new ExpectedPaths();
    const count = readCount(reader, storedSymbols.least);
    const stored = storedSymbols.readColumns(reader, count);
    const { startLine, atLine, endLine, startColumn, atColumn, endColumn } = stored;
    for (let index = 0; index < count; index++) {
      const line = startLine[index] as number;
      const name = stored.name[index] as string;
      const parent = parentAt(index, stored.distance[index] as number);
      const path = stored.path[index] as string;
      const expectedPath = expected.next({ name, parent, path }, own);
      own.push({
        kind: stored.kind[index] as SymbolKind,
        name,
        path: path === "" ? expectedPath : path,
        parent,
        at: { line: checkPlace(line + (atLine[index] as number), WHAT), column: atColumn[index] as number },
        start: { line, column: startColumn[index] as number },
        end: { line: checkPlace(line + (endLine[index] as number), WHAT), column: endColumn[index] as number },
        signature: stored.signature[index] as string,
        doc: stored.doc[index] as string,
        flags: stored.flags[index] as readonly SymbolFlag[],
        type: stored.type[index] as string,
        bases: stored.bases[index] as readonly string[],
        rank: stored.rank[index] as number,
        section: stored.section[index] as number,
      });
    }
    return own;
  },
);

const fileRecord = record<FileRecord>({
  id: strings,
  language: strings,
  module: strings,
  package: strings,
  hash: hashes,
  rank: bytes,
  errors: numbers("errors"),
  symbols,
});
export const { encode: encodeFileRecord, decode: decodeFileRecord } = codec(WHAT, fileRecord);

type Named = Pick<SymbolRecord, "name" | "parent" | "path">;

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

function parentAt(at: number, distance: number): number {
  if (distance === 0) return -1;
  checkLimit(WHAT, "distance of a container", distance, at);
  return at - distance;
}

function maskOf(flags: readonly SymbolFlag[]): number {
  return flags.reduce((mask, flag) => mask | (1 << SYMBOL_FLAGS.indexOf(flag)), 0);
}

function flagsOf(mask: number): readonly SymbolFlag[] {
  return SYMBOL_FLAGS.filter((_, bit) => (mask & (1 << bit)) !== 0);
}
