/**
 * Value of the table `edges`: what a source file leads to.
 *
 * Layout: index-format v1, section 7.8. Targets stand once each, edges name them. Pure: bytes in, values out.
 */
import { readCount } from "../bytes/read-count.ts";
import { ByteReader } from "../bytes/reader.ts";
import { unzigzag, zigzag } from "../bytes/signed.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import type { EdgeRecord, EdgeTarget, OtherName } from "./code-records.ts";
import {
  checkPlace,
  readDifferences,
  readNumbers,
  readTexts,
  writeDifferences,
  writeNumbers,
  writeTexts,
} from "./columns.ts";
import { EDGE_FORMS, EDGE_KINDS, EDGE_TIERS } from "./edge-kinds.ts";

const WHAT = "table edges";
const TIER_BITS = 2;
const TYPE_ONLY = 0x40;
const FORM_SHIFT = 7;
/** Codes of edges are below this. */
export const EDGE_CODES = (EDGE_FORMS.length + 1) << FORM_SHIFT;
/** An edge takes a byte in each column; a target one in the column of files. */
const MIN_EDGE_BYTES = 5;
const MIN_TARGET_BYTES = 1;
const MIN_OTHER_NAME_BYTES = 4;
/** In the column of files: something external, something of another access group; from there on, differences of numbers. */
const EXTERNAL = 0;
const ELSEWHERE = 1;
const FIRST_FILE = 2;

/** What the code of an edge says. */
export type EdgeTraits = Pick<EdgeRecord, "kind" | "tier" | "typeOnly" | "form">;

/** Code of kind, tier, whether nothing is left at run time, and form; below 128 for those of no form. */
export function codeOfEdge({ kind, tier, typeOnly, form }: EdgeTraits): number {
  const formNumber = form === undefined ? 0 : 1 + EDGE_FORMS.indexOf(form);
  const plain = (EDGE_KINDS.indexOf(kind) << TIER_BITS) | EDGE_TIERS.indexOf(tier) | (typeOnly ? TYPE_ONLY : 0);
  return plain | (formNumber << FORM_SHIFT);
}

/** What `codeOfEdge` made a code of. @throws {FormatError}. */
export function edgeOfCode(code: number, what: string): EdgeTraits {
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
  const reader = new ByteReader(bytes, WHAT);
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
    if (from < -1) throw new FormatError(WHAT, { code: "malformed", reason: `an edge out of symbol ${from}` });
    const otherName = otherNames.get(at);
    return {
      ...edgeOfCode(codes[at] as number, WHAT),
      from,
      at: { line: checkPlace(line, WHAT), column: checkPlace(columns[at] as number, WHAT) },
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
      throw new FormatError(WHAT, { code: "malformed", reason: `another name of edge ${edge}` });
    }
    for (; before <= edge; before++) line += lines[before] as number;
    const place = {
      line: checkPlace(line + (lineSteps[at] as number), WHAT),
      column: checkPlace(columns[at] as number, WHAT),
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
    if (target < 0) throw new FormatError(WHAT, { code: "malformed", reason: `an edge to file ${target}` });
    return { file: target, symbol: (symbols[nextSymbol++] as number) - 1 };
  });
}
