/**
 * Symbols, edges and imports of an index as JSON lines, all positions 1-based.
 */

import { keyOfNumber } from "../../../src/core/bytes/key.ts";
import type { EdgeRecord, FileRecord } from "../../../src/core/format/code-records.ts";
import { decodeEdges } from "../../../src/core/format/edge-list.ts";
import { decodeFileRecord } from "../../../src/core/format/file-record.ts";
import { isExported } from "../../../src/core/format/is-exported.ts";
import { makeSymbolId, withoutOrdinal } from "../../../src/core/format/symbol-id.ts";
import { codeShards } from "../../../src/core/index/code-shards.ts";
import { entriesOf, type IndexReader } from "../../../src/core/index/index-reader.ts";
import { splitDocumentId } from "../../../src/core/tree/node-id.ts";
import type { Terminal } from "../command.ts";

/** What can be dumped. */
export const CODE_DUMPS = ["symbols", "edges", "imports"] as const;
export type CodeDump = (typeof CODE_DUMPS)[number];

/** Print one kind of lines for all source files, in the order of their ids. */
export async function dumpCode(reader: IndexReader, kind: CodeDump, terminal: Terminal): Promise<void> {
  for (const { index } of codeShards(reader)) {
    const { tables } = await reader.read([
      { shard: index, table: "symbols", keys: "all" },
      { shard: index, table: "edges", keys: "all" },
    ]);
    const files = [...entriesOf(tables[0] ?? [])].map(([, bytes]) => decodeFileRecord(bytes));
    const edges = new Map(entriesOf(tables[1] ?? []));
    for (const [number, file] of files.entries()) {
      const bytes = edges.get(keyOfNumber(number));
      const own = bytes === undefined ? [] : decodeEdges(number, bytes);
      for (const line of linesOf(kind, file, own, files)) terminal.print(JSON.stringify(line));
    }
  }
}

function linesOf(
  kind: CodeDump,
  file: FileRecord,
  edges: readonly EdgeRecord[],
  files: readonly FileRecord[],
): object[] {
  switch (kind) {
    case "symbols":
      return symbolLines(file);
    case "edges":
      return edges.map((edge) => edgeLine(file, edge, files));
    case "imports":
      return edges
        .filter((edge) => edge.kind === "imports" || edge.kind === "reexports")
        .map((edge) => edgeLine(file, edge, files));
  }
}

function symbolLines(file: FileRecord): object[] {
  return file.symbols.map((symbol) => ({
    file: pathOf(file),
    kind: symbol.kind,
    name: symbol.name,
    container: withoutOrdinal(file.symbols[symbol.parent]?.path ?? ""),
    line: symbol.at.line,
    column: symbol.at.column,
    startLine: symbol.start.line,
    endLine: symbol.end.line,
    exported: isExported(file.language, file.symbols, symbol),
    signature: symbol.signature,
    id: makeSymbolId(file, symbol),
    flags: symbol.flags,
  }));
}

function edgeLine(
  file: FileRecord,
  { kind, tier, typeOnly, from, at, to }: EdgeRecord,
  files: readonly FileRecord[],
): object {
  return {
    from: { file: pathOf(file), symbol: file.symbols[from]?.path ?? "", line: at.line, column: at.column },
    to: targetLine(to, files),
    kind,
    tier,
    typeOnly,
  };
}

function targetLine(to: EdgeRecord["to"], files: readonly FileRecord[]): object {
  if ("external" in to) return { external: to.external };
  if ("id" in to) return { id: to.id };
  const file = files[to.file];
  const symbol = file?.symbols[to.symbol];
  return {
    file: file === undefined ? "" : pathOf(file),
    symbol: symbol?.path ?? "",
    ...(symbol !== undefined && { line: symbol.at.line }),
  };
}

function pathOf({ id }: FileRecord): string {
  return splitDocumentId(id).path;
}
