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
import type { EdgeRecord, EdgeTarget } from "./code-records.ts";
import {
  checkPlace,
  readDifferences,
  readNumbers,
  readTexts,
  writeDifferences,
  writeNumbers,
  writeTexts,
} from "./columns.ts";
import { EDGE_KINDS, EDGE_TIERS } from "./edge-kinds.ts";

const WHAT = "table edges";
const TIER_BITS = 2;
const TYPE_ONLY = 0x40;
/** An edge takes a byte in each column; a target one in the column of files. */
const MIN_EDGE_BYTES = 5;
const MIN_TARGET_BYTES = 1;
/** In the column of files: something external, something of another access group; from there on, differences of numbers. */
const EXTERNAL = 0;
const ELSEWHERE = 1;
const FIRST_FILE = 2;

/** Code of kind, tier and whether nothing is left at run time. */
export function codeOfEdge({ kind, tier, typeOnly }: Pick<EdgeRecord, "kind" | "tier" | "typeOnly">): number {
  return (EDGE_KINDS.indexOf(kind) << TIER_BITS) | EDGE_TIERS.indexOf(tier) | (typeOnly ? TYPE_ONLY : 0);
}

/** What `codeOfEdge` made a code of. @throws {FormatError}. */
export function edgeOfCode(code: number, what: string): Pick<EdgeRecord, "kind" | "tier" | "typeOnly"> {
  const kind = EDGE_KINDS[(code & (TYPE_ONLY - 1)) >> TIER_BITS];
  const tier = EDGE_TIERS[code & ((1 << TIER_BITS) - 1)];
  if (kind === undefined || tier === undefined || code >= 2 * TYPE_ONLY) {
    throw new FormatError(what, { code: "malformed", reason: `no edge is of kind ${code}` });
  }
  return { kind, tier, typeOnly: (code & TYPE_ONLY) !== 0 };
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
  for (const edge of edges) writer.writeByte(codeOfEdge(edge));
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
  return writer.finish();
}

/** The edges that these bytes are of a file, in the order of the source. @throws {FormatError}. */
export function decodeEdges(file: number, bytes: Uint8Array): EdgeRecord[] {
  const reader = new ByteReader(bytes, WHAT);
  const targets = readTargets(reader, file);
  const count = readCount(reader, MIN_EDGE_BYTES);
  const codes = reader.readBytes(count);
  const froms = readDifferences(reader, count);
  const lines = readDifferences(reader, count);
  const columns = readNumbers(reader, count, "column");
  const chosen = readNumbers(reader, count, "target", targets.length - 1);
  reader.expectEnd();
  let from = -1;
  let line = 1;
  return chosen.map((target, at) => {
    from += froms[at] as number;
    line += lines[at] as number;
    if (from < -1) throw new FormatError(WHAT, { code: "malformed", reason: `an edge out of symbol ${from}` });
    return {
      ...edgeOfCode(codes[at] as number, WHAT),
      from,
      at: { line: checkPlace(line, WHAT), column: checkPlace(columns[at] as number, WHAT) },
      to: targets[target] as EdgeTarget,
    };
  });
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
