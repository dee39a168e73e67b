/**
 * Values of the table `uses`: the places that lead to a symbol, a file or something external, in pieces.
 *
 * Layout: index-format v1, section 7.8. What is used everywhere has lists that no reader wants whole: the first piece says
 * how many places of which kind each piece holds, so that a page of them takes one more. Pure: bytes in, values out.
 */
import { type ByteKey, KEY_SEPARATOR, keyOfNumber } from "../bytes/key.ts";
import { readCount } from "../bytes/read-count.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import type { EdgeRecord } from "./code-records.ts";
import { checkPlace, readDifferences, readNumbers, writeDifferences, writeNumbers } from "./columns.ts";
import { codeOfEdge, EDGE_CODES, edgeOfCode } from "./edge-list.ts";
import { keyOfId } from "./id-key.ts";

const WHAT = "table uses";
/** Places of a piece. */
export const PIECE_PLACES = 1_024;
/** A file of a piece takes a byte in each of two columns, a place one in each of four, a count of a kind two. */
const MIN_FILE_BYTES = 2;
const MIN_PLACE_BYTES = 4;
const MIN_COUNT_BYTES = 2;

/** A place that leads somewhere. */
export interface UseRecord extends Pick<EdgeRecord, "kind" | "tier" | "typeOnly" | "form" | "from" | "at"> {
  /** Number of its source file. */
  readonly file: number;
}

/** How many places of one kind a piece holds. */
export interface UseCount extends Pick<EdgeRecord, "kind" | "tier" | "typeOnly"> {
  readonly count: number;
}

/** A piece. */
export interface UsePiece {
  /** For each piece what it holds, in the first of several; empty in others, and where there is one. */
  readonly pieces: readonly (readonly UseCount[])[];
  readonly uses: readonly UseRecord[];
}

/** Key of a piece of what leads to a symbol or file by its id, or to something external by its name; pieces from 0 on. */
export function keyOfUses(target: { readonly id: string } | { readonly external: string }, piece = 0): ByteKey {
  const key = "id" in target ? keyOfId("i", target.id) : keyOfId("e", target.external);
  return piece === 0 ? key : (`${key}${KEY_SEPARATOR}${keyOfNumber(piece)}` as ByteKey);
}

/** Bytes of the pieces of a list, one value each; places of one file in a row. */
export function encodeUses(uses: readonly UseRecord[]): Uint8Array[] {
  const pieces: (readonly UseRecord[])[] = [];
  for (let at = 0; at < uses.length; at += PIECE_PLACES) pieces.push(uses.slice(at, at + PIECE_PLACES));
  return pieces.map((piece, at) => {
    const writer = new ByteWriter(16 + piece.length * 8);
    const heads = at === 0 && pieces.length > 1 ? pieces.map(countUses) : [];
    writer.writeVarint(heads.length);
    for (const counts of heads) {
      writer.writeVarint(counts.length);
      for (const count of counts) {
        writer.writeVarint(codeOfEdge(count));
        writer.writeVarint(count.count);
      }
    }
    writePlaces(writer, piece);
    return writer.finish();
  });
}

/** The piece that these bytes are. @throws {FormatError}. */
export function decodeUses(bytes: Uint8Array): UsePiece {
  const reader = new ByteReader(bytes, WHAT);
  const pieces = Array.from({ length: readCount(reader, 1) }, () =>
    Array.from({ length: readCount(reader, MIN_COUNT_BYTES) }, (): UseCount => {
      const edge = edgeOfCode(reader.readVarint(), WHAT);
      return { ...edge, count: reader.readVarint() };
    }),
  );
  const uses = readPlaces(reader);
  if (uses.length === 0) throw new FormatError(WHAT, { code: "malformed", reason: "a list of no places" });
  reader.expectEnd();
  return { pieces, uses };
}

/** How many places there are of each kind, in the order in which the kinds come first. */
export function countUses(uses: readonly UseRecord[]): UseCount[] {
  const counts = new Map<number, number>();
  for (const { kind, tier, typeOnly } of uses) {
    const code = codeOfEdge({ kind, tier, typeOnly });
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => ({ ...edgeOfCode(code, WHAT), count }));
}

function writePlaces(writer: ByteWriter, uses: readonly UseRecord[]): void {
  const runs: { readonly file: number; count: number }[] = [];
  for (const { file } of uses) {
    const last = runs.at(-1);
    if (last?.file === file) last.count++;
    else runs.push({ file, count: 1 });
  }
  writer.writeVarint(runs.length);
  writeDifferences(
    writer,
    runs.map(({ file }, at) => file - (runs[at - 1]?.file ?? 0)),
  );
  writeNumbers(
    writer,
    runs.map(({ count }) => count),
  );
  writeNumbers(writer, uses.map(codeOfEdge));
  writeNumbers(
    writer,
    uses.map(({ from }) => from + 1),
  );
  writeDifferences(
    writer,
    uses.map(({ file, at: { line } }, at) => line - lineBefore(uses[at - 1], file)),
  );
  writeNumbers(
    writer,
    uses.map(({ at }) => at.column),
  );
}

function readPlaces(reader: ByteReader): UseRecord[] {
  const runs = readCount(reader, MIN_FILE_BYTES);
  const differences = readDifferences(reader, runs);
  const counts = readNumbers(reader, runs, "places of a file", reader.remaining);
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum * MIN_PLACE_BYTES > reader.remaining) {
    throw new FormatError(WHAT, { code: "truncated", need: sum * MIN_PLACE_BYTES, have: reader.remaining });
  }
  const codes = readNumbers(reader, sum, "kind of an edge", EDGE_CODES - 1);
  const froms = readNumbers(reader, sum, "symbol");
  const lines = readDifferences(reader, sum);
  const columns = readNumbers(reader, sum, "column");
  const uses: UseRecord[] = [];
  let file = 0;
  for (const [run, count] of counts.entries()) {
    file += differences[run] as number;
    if (file < 0) throw new FormatError(WHAT, { code: "malformed", reason: `a use in file ${file}` });
    for (let place = 0; place < count; place++) {
      const at = uses.length;
      const line = lineBefore(uses[at - 1], file) + (lines[at] as number);
      uses.push({
        file,
        ...edgeOfCode(codes[at] as number, WHAT),
        from: (froms[at] as number) - 1,
        at: { line: checkPlace(line, WHAT), column: checkPlace(columns[at] as number, WHAT) },
      });
    }
  }
  return uses;
}

function lineBefore(before: UseRecord | undefined, file: number): number {
  return before?.file === file ? before.at.line : 1;
}
