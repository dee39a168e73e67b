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
import { ByteReader, readCount } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import {
  EDGE_FORMS,
  EDGE_KINDS,
  EDGE_TIERS,
  type EdgeRecord,
  type EdgeTarget,
  type MentionRecord,
  type OtherName,
} from "./code-model.ts";
import {
  checkPlace,
  keyOfId,
  readDifferences,
  readNumbers,
  readTexts,
  writeDifferences,
  writeNumbers,
  writeTexts,
} from "./columns.ts";

const EDGES = "table edges";
const TIER_BITS = 2;
const TYPE_ONLY = 0x40;
const FORM_SHIFT = 7;
/** Codes of edges are below this. */
const EDGE_CODES = (EDGE_FORMS.length + 1) << FORM_SHIFT;
/** An edge takes a byte in each column; a target one in the column of files. */
const MIN_EDGE_BYTES = 5;
const MIN_TARGET_BYTES = 1;
const MIN_OTHER_NAME_BYTES = 4;
/** In the column of files: something external, something of another access group; from there on, differences of numbers. */
const EXTERNAL = 0;
const ELSEWHERE = 1;
const FIRST_FILE = 2;

/** What the code of an edge says. */
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
    throw new FormatError(what, { code: "malformed", reason: `no edge is of kind ${code}` });
  }
  const form = EDGE_FORMS[(code >> FORM_SHIFT) - 1];
  return { kind, tier, typeOnly: (code & TYPE_ONLY) !== 0, ...(form !== undefined && { form }) };
}

/** Bytes of the edges of a file, by its number, as most targets lie near it. */
export function encodeEdges(file: number, edges: readonly EdgeRecord[]): Uint8Array {
  const indexes = new Map<string, number>();
  const targets: EdgeTarget[] = [];
  const targetOf = edges.map(({ to }) => {
    const key = "external" in to ? `e${to.external}` : "id" in to ? `i${to.id}` : `${to.file}.${to.symbol}`;
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, targets.length);
    targets.push(to);
    return targets.length - 1;
  });
  const writer = new ByteWriter(64 + edges.length * 8);
  writer.writeVarint(targets.length);
  for (const target of targets) {
    if ("external" in target) writer.writeVarint(EXTERNAL);
    else if ("id" in target) writer.writeVarint(ELSEWHERE);
    else writer.writeVarint(FIRST_FILE + zigzag(target.file - file));
  }
  writeNumbers(
    writer,
    targets.flatMap((target) => ("file" in target ? [target.symbol + 1] : [])),
  );
  writeTexts(
    writer,
    targets.flatMap((target) => ("external" in target ? [target.external] : "id" in target ? [target.id] : [])),
  );
  writer.writeVarint(edges.length);
  writeNumbers(writer, edges.map(codeOfEdge));
  writeDifferences(
    writer,
    edges.map(({ from }, at) => from - (edges[at - 1]?.from ?? -1)),
  );
  writeDifferences(
    writer,
    edges.map(({ at: { line } }, at) => line - (edges[at - 1]?.at.line ?? 1)),
  );
  writeNumbers(
    writer,
    edges.map(({ at }) => at.column),
  );
  writeNumbers(writer, targetOf);
  writeOtherNames(writer, edges);
  return writer.finish();
}

/** The edges that these bytes are of a file, in the order of the source. @throws {FormatError}. */
export function decodeEdges(file: number, bytes: Uint8Array): EdgeRecord[] {
  const reader = new ByteReader(bytes, EDGES);
  const targets = readTargets(reader, file);
  const count = readCount(reader, MIN_EDGE_BYTES);
  const codes = readNumbers(reader, count, "kind of an edge", EDGE_CODES - 1);
  const froms = readDifferences(reader, count);
  const lines = readDifferences(reader, count);
  const columns = readNumbers(reader, count, "column");
  const chosen = readNumbers(reader, count, "target", targets.length - 1);
  const otherNames = readOtherNames(reader, count, lines);
  reader.expectEnd();
  let from = -1;
  let line = 1;
  return chosen.map((target, at) => {
    from += froms[at] as number;
    line += lines[at] as number;
    if (from < -1) throw new FormatError(EDGES, { code: "malformed", reason: `an edge out of symbol ${from}` });
    const otherName = otherNames.get(at);
    return {
      ...edgeOfCode(codes[at] as number, EDGES),
      from,
      at: { line: checkPlace(line, EDGES), column: checkPlace(columns[at] as number, EDGES) },
      to: targets[target] as EdgeTarget,
      ...(otherName !== undefined && { otherName }),
    };
  });
}

/** Other names that edges give: few do. */
function writeOtherNames(writer: ByteWriter, edges: readonly EdgeRecord[]): void {
  const given = edges.flatMap(({ otherName, at: { line } }, at) =>
    otherName === undefined ? [] : [{ ...otherName, edge: at, line }],
  );
  writer.writeVarint(given.length);
  writeDifferences(
    writer,
    given.map(({ edge }, at) => edge - (given[at - 1]?.edge ?? 0)),
  );
  writeTexts(
    writer,
    given.map(({ name }) => name),
  );
  writeDifferences(
    writer,
    given.map(({ at, line }) => at.line - line),
  );
  writeNumbers(
    writer,
    given.map(({ at }) => at.column),
  );
}

/** By the indexes of their edges. */
function readOtherNames(reader: ByteReader, edges: number, lines: readonly number[]): ReadonlyMap<number, OtherName> {
  const count = readCount(reader, MIN_OTHER_NAME_BYTES);
  const steps = readDifferences(reader, count);
  const names = readTexts(reader, count);
  const lineSteps = readDifferences(reader, count);
  const columns = readNumbers(reader, count, "column");
  const found = new Map<number, OtherName>();
  let edge = 0;
  let line = 1;
  let before = 0;
  for (const [at, name] of names.entries()) {
    edge += steps[at] as number;
    if (edge < before || edge >= edges) {
      throw new FormatError(EDGES, { code: "malformed", reason: `another name of edge ${edge}` });
    }
    for (; before <= edge; before++) line += lines[before] as number;
    const place = {
      line: checkPlace(line + (lineSteps[at] as number), EDGES),
      column: checkPlace(columns[at] as number, EDGES),
    };
    found.set(edge, { name, at: place });
  }
  return found;
}

function readTargets(reader: ByteReader, file: number): EdgeTarget[] {
  const heads = readNumbers(reader, readCount(reader, MIN_TARGET_BYTES), "target");
  const inGroup = heads.filter((head) => head >= FIRST_FILE).length;
  const symbols = readNumbers(reader, inGroup, "symbol");
  const texts = readTexts(reader, heads.length - inGroup);
  let nextSymbol = 0;
  let nextText = 0;
  return heads.map((head): EdgeTarget => {
    if (head === EXTERNAL) return { external: texts[nextText++] as string };
    if (head === ELSEWHERE) return { id: texts[nextText++] as string };
    const target = file + unzigzag(head - FIRST_FILE);
    if (target < 0) throw new FormatError(EDGES, { code: "malformed", reason: `an edge to file ${target}` });
    return { file: target, symbol: (symbols[nextSymbol++] as number) - 1 };
  });
}

const USES = "table uses";
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
  const reader = new ByteReader(bytes, USES);
  const pieces = Array.from({ length: readCount(reader, 1) }, () =>
    Array.from({ length: readCount(reader, MIN_COUNT_BYTES) }, (): UseCount => {
      const edge = edgeOfCode(reader.readVarint(), USES);
      return { ...edge, count: reader.readVarint() };
    }),
  );
  const uses = readPlaces(reader);
  if (uses.length === 0) throw new FormatError(USES, { code: "malformed", reason: "a list of no places" });
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
  return [...counts].map(([code, count]) => ({ ...edgeOfCode(code, USES), count }));
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
    throw new FormatError(USES, { code: "truncated", need: sum * MIN_PLACE_BYTES, have: reader.remaining });
  }
  const codes = readNumbers(reader, sum, "kind of an edge", EDGE_CODES - 1);
  const froms = readNumbers(reader, sum, "symbol");
  const lines = readDifferences(reader, sum);
  const columns = readNumbers(reader, sum, "column");
  const uses: UseRecord[] = [];
  let file = 0;
  for (const [run, count] of counts.entries()) {
    file += differences[run] as number;
    if (file < 0) throw new FormatError(USES, { code: "malformed", reason: `a use in file ${file}` });
    for (let place = 0; place < count; place++) {
      const at = uses.length;
      const line = lineBefore(uses[at - 1], file) + (lines[at] as number);
      uses.push({
        file,
        ...edgeOfCode(codes[at] as number, USES),
        from: (froms[at] as number) - 1,
        at: { line: checkPlace(line, USES), column: checkPlace(columns[at] as number, USES) },
      });
    }
  }
  return uses;
}

function lineBefore(before: UseRecord | undefined, file: number): number {
  return before?.file === file ? before.at.line : 1;
}

const MENTIONS = "table mentions";
/** Most sections that a symbol lists; how many there are is said beside them. */
export const MAX_SYMBOL_MENTIONS = 500;
/** A mention takes a byte in each column. */
const MIN_PAGE_BYTES = 4;
const MIN_SYMBOL_BYTES = 3;

/** A symbol that a section names. */
export interface NamedSymbol extends Pick<MentionRecord, "nodeId" | "text" | "line"> {
  /** Id of the symbol, or of a file as a whole. */
  readonly symbolId: string;
}

/** Sections that name a symbol. */
export interface NamingSections {
  /** How many there are. */
  readonly total: number;
  /** The first of them, by the order of their pages' ids and lines. */
  readonly sections: readonly Pick<MentionRecord, "nodeId" | "text" | "line">[];
}

/** Key of what a page names. */
export function keyOfPage(documentId: string): ByteKey {
  return keyOfId("p", documentId);
}

/** Key of what names a symbol or a file. */
export function keyOfNamed(symbolId: string): ByteKey {
  return keyOfId("s", symbolId);
}

/** Bytes of what a page names. Ids of its sections begin with its own. */
export function encodeNamedSymbols(documentId: string, mentions: readonly NamedSymbol[]): Uint8Array {
  const writer = new ByteWriter(32 + mentions.length * 32);
  writer.writeVarint(mentions.length);
  writeNumbers(
    writer,
    mentions.map(({ line }) => line),
  );
  writeTexts(
    writer,
    mentions.map(({ nodeId }) => nodeId.slice(documentId.length)),
  );
  writeTexts(
    writer,
    mentions.map(({ text }) => text),
  );
  writeTexts(
    writer,
    mentions.map(({ symbolId }) => symbolId),
  );
  return writer.finish();
}

/** What a page names, in the order of the page. @throws {FormatError}. */
export function decodeNamedSymbols(documentId: string, bytes: Uint8Array): NamedSymbol[] {
  const reader = new ByteReader(bytes, MENTIONS);
  const count = readCount(reader, MIN_PAGE_BYTES);
  const lines = readNumbers(reader, count, "line");
  const sections = readTexts(reader, count);
  const texts = readTexts(reader, count);
  const symbolIds = readTexts(reader, count);
  reader.expectEnd();
  return lines.map((line, at) => ({
    nodeId: documentId + (sections[at] as string),
    text: texts[at] as string,
    line: checkPlace(line, MENTIONS),
    symbolId: symbolIds[at] as string,
  }));
}

/** Bytes of the sections that name a symbol. */
export function encodeNamingSections({ total, sections }: NamingSections): Uint8Array {
  const writer = new ByteWriter(32 + sections.length * 48);
  writer.writeVarint(total);
  writer.writeVarint(sections.length);
  writeNumbers(
    writer,
    sections.map(({ line }) => line),
  );
  writeTexts(
    writer,
    sections.map(({ nodeId }) => nodeId),
  );
  writeTexts(
    writer,
    sections.map(({ text }) => text),
  );
  return writer.finish();
}

/** The sections that name a symbol. @throws {FormatError}. */
export function decodeNamingSections(bytes: Uint8Array): NamingSections {
  const reader = new ByteReader(bytes, MENTIONS);
  const total = reader.readVarint();
  const count = readCount(reader, MIN_SYMBOL_BYTES);
  const lines = readNumbers(reader, count, "line");
  const nodeIds = readTexts(reader, count);
  const texts = readTexts(reader, count);
  reader.expectEnd();
  const sections = lines.map((line, at) => ({
    nodeId: nodeIds[at] as string,
    text: texts[at] as string,
    line: checkPlace(line, MENTIONS),
  }));
  return { total, sections };
}
