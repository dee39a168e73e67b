/**
 * What source files export, by how much of the code leads there: for outlines of folders. Pure.
 */
import type { FileRecord, SymbolRecord } from "../../core/format/code-model.ts";
import { quoteSignature } from "./symbol-lines.ts";

/** An exported symbol of a folder. */
export interface ExportedSymbol {
  /** Document id of its file. */
  readonly file: string;
  readonly line: number;
  readonly rank: number;
  /** On one line, between backticks. */
  readonly signature: string;
}

/** The exported symbols at the top of a file. */
export function exportsOf(file: FileRecord): ExportedSymbol[] {
  return file.symbols.flatMap((symbol) => (isApi(symbol) ? [toExport(file, symbol)] : []));
}

/** One symbol as an export. */
export function toExport(file: FileRecord, { kind, name, at, rank, signature }: SymbolRecord): ExportedSymbol {
  return {
    file: file.id,
    line: at.line,
    rank,
    signature: quoteSignature(signature === "" ? `${kind} ${name}` : signature),
  };
}

/** The first `count` by rank, in the order of each file's source, by file. */
export function firstByRank(symbols: readonly ExportedSymbol[], count: number): ReadonlyMap<string, ExportedSymbol[]> {
  const best = [...symbols]
    .sort((a, b) => b.rank - a.rank || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
    .slice(0, count);
  const files = new Map<string, ExportedSymbol[]>();
  for (const symbol of best) {
    const own = files.get(symbol.file);
    if (own === undefined) files.set(symbol.file, [symbol]);
    else own.push(symbol);
  }
  for (const own of files.values()) own.sort((a, b) => a.line - b.line);
  return files;
}

function isApi({ parent, flags }: SymbolRecord): boolean {
  return parent < 0 && flags.includes("exported") && !flags.includes("test");
}
