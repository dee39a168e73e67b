/**
 * Values of the tables `edges` (targets of a source file), `uses` (sources of a symbol, file or external thing) and
 * `mentions` (symbols named on a page, sections that name a symbol).
 *
 * Index-format v1, section 7.8. `edges` stores each target once. `uses` is cut into pieces: the first counts the places of
 * each piece by kind, so a page of a long list takes one more read. `mentions` holds ids, as both ends can be in different
 * access groups.
 */

import { type ByteKey, KEY_SEPARATOR, keyOfNumber } from "../bytes/key.ts";
import { unzigzag, zigzag } from "../bytes/numbers.ts";
import { ByteReader, expectRoom, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { malformed } from "../errors.ts";
import { EDGE_FORMS, EDGE_KINDS, EDGE_TIERS, type EdgeRecord, type EdgeTarget, type OtherName } from "./code-model.ts";
import {
  checkPlace,
  codec,
  differences,
  each,
  expectPlaces,
  keyOfId,
  list,
  mapped,
  numbers,
  places,
  record,
  running,
  texts,
  type ValueOf,
} from "./columns.ts";

const EDGES = "table edges";
const TIER_BITS = 2;
const TYPE_ONLY = 0x40;
const FORM_SHIFT = 7;
/** Codes of edges are below this. */
const EDGE_CODES = (EDGE_FORMS.length + 1) << FORM_SHIFT;
/** In the column of files: something external, something of another access group; from there on, differences of numbers. */
const EXTERNAL = 0;
const ELSEWHERE = 1;
const FIRST_FILE = 2;

type EdgeTraits = Pick<EdgeRecord, "kind" | "tier" | "typeOnly" | "form">;

/** Code of kind, tier, whether nothing is left at run time, and form; below 128 for those of no form. */
function codeOfEdge({ kind, tier, typeOnly, form }: EdgeTraits): number {
  const formNumber = form === undefined ? 0 : 1 + EDGE_FORMS.indexOf(form);
  const plain = (EDGE_KINDS.indexOf(kind) << TIER_BITS) | EDGE_TIERS.indexOf(tier) | (typeOnly ? TYPE_ONLY : 0);
  return plain | (formNumber << FORM_SHIFT);
}

/** What `codeOfEdge` made a code of. @throws {FormatError}. */
function edgeOfCode(code: number, what: string): EdgeTraits {
  const kind = EDGE_KINDS[(code & (TYPE_ONLY - 1)) >> TIER_BITS];
  const tier = EDGE_TIERS[code & ((1 << TIER_BITS) - 1)];
  if (kind === undefined || tier === undefined || code >= EDGE_CODES) {
    throw malformed(what, `no edge is of kind ${code}`);
  }
  const form = EDGE_FORMS[(code >> FORM_SHIFT) - 1];
  return { kind, tier, typeOnly: (code & TYPE_ONLY) !== 0, ...(form !== undefined && { form }) };
}

const codes = numbers("kind of an edge", EDGE_CODES - 1);
const storedEdges = record({
  code: codes,
  from: running("an edge out of symbol", -1, -1),
  line: running("a place at", 1, 1),
  column: places,
  target: numbers("target"),
});
/** Other names that edges give: few do. Lines are those behind that of the edge. */
const storedNames = list(
  record({ edge: running("another name of edge", 0, 0), name: texts, line: differences, column: places }),
);

/** Bytes of the edges of a file, by its number, as most targets lie near it. */
export function encodeEdges(file: number, edges: readonly EdgeRecord[]): Uint8Array {
  const indexes = new Map<string, number>();
  const targets: EdgeTarget[] = [];
  const rows = edges.map((edge) => {
    const { to, from, at } = edge;
    const key = "external" in to ? `e${to.external}` : "id" in to ? `i${to.id}` : `${to.file}.${to.symbol}`;
    const target = indexes.get(key) ?? targets.push(to) - 1;
    indexes.set(key, target);
    return { code: codeOfEdge(edge), from, line: at.line, column: at.column, target };
  });
  const names = edges.flatMap(({ otherName, at: { line } }, edge) =>
    otherName === undefined
      ? []
      : [{ edge, name: otherName.name, line: otherName.at.line - line, column: otherName.at.column }],
  );
  const writer = new ByteWriter(64 + edges.length * 8);
  writeTargets(writer, file, targets);
  list(storedEdges).write(writer, [rows]);
  storedNames.write(writer, [names]);
  return writer.finish();
}

/** The edges that these bytes are of a file, in the order of the source. @throws {FormatError}. */
export function decodeEdges(file: number, bytes: Uint8Array): EdgeRecord[] {
  const reader = new ByteReader(bytes, EDGES);
  const targets = readTargets(reader, file);
  const count = readCount(reader, storedEdges.least);
  const { code, from, line, column, target } = storedEdges.readColumns(reader, count);
  expectPlaces(reader, "target", target, targets.length);
  const otherNames = new Map<number, OtherName>();
  for (const { edge, name, line: below, column: start } of storedNames.read(reader, 1).flat()) {
    if (edge >= count) throw malformed(EDGES, `another name of edge ${edge}`);
    otherNames.set(edge, { name, at: { line: checkPlace((line[edge] as number) + below, EDGES), column: start } });
  }
  reader.expectEnd();
  return target.map((index, at) => {
    const otherName = otherNames.get(at);
    return {
      ...edgeOfCode(code[at] as number, EDGES),
      from: from[at] as number,
      at: { line: line[at] as number, column: column[at] as number },
      to: targets[index] as EdgeTarget,
      ...(otherName !== undefined && { otherName }),
    };
  });
}

function writeTargets(writer: ByteWriter, file: number, targets: readonly EdgeTarget[]): void {
  const heads = targets.map((target) =>
    "external" in target ? EXTERNAL : "id" in target ? ELSEWHERE : FIRST_FILE + zigzag(target.file - file),
  );
  list(numbers("target")).write(writer, [heads]);
  numbers("symbol").write(
    writer,
    targets.flatMap((target) => ("file" in target ? [target.symbol + 1] : [])),
  );
  texts.write(
    writer,
    targets.flatMap((target) => ("external" in target ? [target.external] : "id" in target ? [target.id] : [])),
  );
}

function readTargets(reader: ByteReader, file: number): EdgeTarget[] {
  const heads = list(numbers("target")).read(reader, 1).flat();
  const inGroup = heads.filter((head) => head >= FIRST_FILE).length;
  const symbols = numbers("symbol").read(reader, inGroup).values();
  const names = texts.read(reader, heads.length - inGroup).values();
  return heads.map((head): EdgeTarget => {
    if (head === EXTERNAL) return { external: names.next().value as string };
    if (head === ELSEWHERE) return { id: names.next().value as string };
    const target = file + unzigzag(head - FIRST_FILE);
    if (target < 0) throw malformed(EDGES, `an edge to file ${target}`);
    return { file: target, symbol: (symbols.next().value as number) - 1 };
  });
}

const USES = "table uses";
export const PIECE_PLACES = 1_024;

/** What the first of several pieces says of each: one count after another. */
const storedCounts = list(each(list(each(record({ code: codes, count: numbers("count") })))));
/** Places of one file in a row. */
const storedRuns = record({ file: running("a use in file", 0, 0), count: numbers("places of a file") });
/** Lines are those behind that of the place before in the same file. */
const storedPlaces = record({ code: codes, from: numbers("symbol"), line: differences, column: places });

export interface UseRecord extends Pick<EdgeRecord, "kind" | "tier" | "typeOnly" | "form" | "from" | "at"> {
  /** Number of its source file. */
  readonly file: number;
}

/** How many places of one kind a piece holds. */
export interface UseCount extends Pick<EdgeRecord, "kind" | "tier" | "typeOnly"> {
  readonly count: number;
}

interface UsePiece {
  /** For each piece what it holds, in the first of several; empty in others, and where there is one. */
  readonly pieces: readonly (readonly UseCount[])[];
  readonly uses: readonly UseRecord[];
}

/** Key of a piece of what leads to a symbol or file by its id, or to something external by its name; pieces from 0 on. */
export function keyOfUses(target: { readonly id: string } | { readonly external: string }, piece = 0): ByteKey {
  const key = "id" in target ? keyOfId("symbol", target.id) : keyOfId("external", target.external);
  return piece === 0 ? key : (`${key}${KEY_SEPARATOR}${keyOfNumber(piece)}` as ByteKey);
}

/** Bytes of the pieces of a list, one value each; places of one file in a row. */
export function encodeUses(uses: readonly UseRecord[]): Uint8Array[] {
  const pieces: (readonly UseRecord[])[] = [];
  for (let at = 0; at < uses.length; at += PIECE_PLACES) pieces.push(uses.slice(at, at + PIECE_PLACES));
  const counts = pieces.map((piece) => countUses(piece).map((count) => ({ code: codeOfEdge(count), ...count })));
  return pieces.map((piece, at) => {
    const writer = new ByteWriter(16 + piece.length * 8);
    storedCounts.write(writer, [at === 0 && pieces.length > 1 ? counts : []]);
    const runs: { readonly file: number; count: number }[] = [];
    for (const { file } of piece) {
      const last = runs.at(-1);
      if (last?.file === file) last.count++;
      else runs.push({ file, count: 1 });
    }
    list(storedRuns).write(writer, [runs]);
    const rows = piece.map((use, index) => {
      const { line, column } = use.at;
      const before = lineBefore(piece[index - 1], use.file);
      return { code: codeOfEdge(use), from: use.from + 1, line: line - before, column };
    });
    storedPlaces.write(writer, rows);
    return writer.finish();
  });
}

/** The piece that these bytes are. @throws {FormatError}. */
export function decodeUses(bytes: Uint8Array): UsePiece {
  const reader = new ByteReader(bytes, USES);
  const counts = storedCounts.read(reader, 1).flat();
  const runs = list(storedRuns).read(reader, 1).flat();
  const sum = runs.reduce((total, { count }) => total + count, 0);
  expectRoom(reader, sum, storedPlaces.least);
  const { code, from, line, column } = storedPlaces.readColumns(reader, sum);
  reader.expectEnd();
  if (sum === 0) throw malformed(USES, "a list of no places");
  const uses: UseRecord[] = [];
  for (const { file, count } of runs) {
    for (const end = uses.length + count; uses.length < end; ) {
      const at = uses.length;
      uses.push({
        file,
        ...edgeOfCode(code[at] as number, USES),
        from: (from[at] as number) - 1,
        at: {
          line: checkPlace(lineBefore(uses[at - 1], file) + (line[at] as number), USES),
          column: column[at] as number,
        },
      });
    }
  }
  const pieces = counts.map((own) => own.map((one) => ({ ...edgeOfCode(one.code, USES), count: one.count })));
  return { pieces, uses };
}

/** How many places there are of each kind, in the order in which the kinds come first. */
export function countUses(uses: readonly UseRecord[]): UseCount[] {
  const counts = new Map<number, number>();
  for (const { kind, tier, typeOnly } of uses) {
    const code = codeOfEdge({ kind, tier, typeOnly });
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].map(([code, count]) => ({ ...edgeOfCode(code, USES), count }));
}

function lineBefore(before: UseRecord | undefined, file: number): number {
  return before?.file === file ? before.at.line : 1;
}

const MENTIONS = "table mentions";
/** Most sections that a symbol lists; how many there are is said beside them. */
export const MAX_SYMBOL_MENTIONS = 500;
const mention = { line: places, nodeId: texts, text: texts };
/** What a page names, in the order of the page. */
const named = record({
  ...mention,
  /** Id of the symbol, or of a file as a whole. */
  symbolId: texts,
});
export type NamedSymbol = ValueOf<typeof named>;

/** Sections that name a symbol. */
const naming = record({
  /** How many there are. */
  total: numbers("total"),
  /** The first of them, by the order of their pages' ids and lines. */
  sections: list(record(mention)),
});
export const { encode: encodeNamingSections, decode: decodeNamingSections } = codec(MENTIONS, naming);

/** Bytes of what a page names. Ids of its sections begin with its own. */
export function encodeNamedSymbols(documentId: string, mentions: readonly NamedSymbol[]): Uint8Array {
  return namedOn(documentId).encode(mentions);
}

/** What a page names, in the order of the page. @throws {FormatError}. */
export function decodeNamedSymbols(documentId: string, bytes: Uint8Array): NamedSymbol[] {
  return [...namedOn(documentId).decode(bytes)];
}

function namedOn(documentId: string) {
  const own = mapped(
    named,
    (one: NamedSymbol) => ({ ...one, nodeId: one.nodeId.slice(documentId.length) }),
    (one) => ({ ...one, nodeId: documentId + one.nodeId }),
  );
  return codec(MENTIONS, list(own));
}
