/**
 * Symbols that were found, one block a file: files in the order of their best symbol, symbols in the order of the source.
 *
 * Over the budget signatures go first, then the end of the list. Pure.
 */
import type { FileRecord, SymbolRecord } from "../core/format/code-records.ts";
import { splitDocumentId } from "../core/tree/node-id.ts";
import type { AnswerForm, AnswerPage, JsonObject } from "./answer.ts";
import { type CodeNode, toCodeNode } from "./code-node.ts";
import { groupNodes, type PackageFacts } from "./code-tables.ts";
import { formatCount } from "./counts.ts";
import { symbolLines } from "./symbol-lines.ts";

/** A symbol with its file. */
export interface ShownSymbol {
  readonly record: SymbolRecord;
  readonly inFile: FileRecord;
}

/** What is shown beside names. */
export interface FoundOptions {
  readonly withSignature: boolean;
  /** More columns of a symbol's row: who calls it, whom it calls. */
  readonly columns?: (symbol: ShownSymbol) => Partial<CodeNode>;
  /** Facts of the packages that the symbols are of. */
  readonly packages?: readonly PackageFacts[];
  /** More members of the JSON answer, in front. */
  readonly json?: JsonObject;
  /** How many there are in all. */
  readonly total: number;
}

interface FileGroup {
  readonly file: FileRecord;
  /** In the order of the source. */
  readonly symbols: readonly ShownSymbol[];
  /** Place of the group's first symbol in the order of rank. */
  readonly first: number;
}

/** `Found 13 matches for "create" in 8 files`. */
export function summarizeFound(total: number, query: string, symbols: readonly ShownSymbol[]): string {
  const files = new Set(symbols.map(({ inFile }) => inFile.id)).size;
  const shown = total > symbols.length ? `, the first ${symbols.length} of them` : "";
  return `Found ${formatCount(total, "match", "matches")} for ${JSON.stringify(query)}${shown} in ${formatCount(files, "file")}`;
}

/** Forms of the symbols, given best first. */
export function foundForms(symbols: readonly ShownSymbol[], options: FoundOptions): [AnswerForm, ...AnswerForm[]] {
  const groups = groupByFile(symbols);
  const form = (withSignature: boolean, detail: string): AnswerForm => {
    const nodesOf = (shown: number): CodeNode[] =>
      groups.slice(0, shown).flatMap(({ symbols: own }) =>
        own.map((symbol) => ({
          ...toCodeNode(symbol.inFile, symbol.record, withSignature),
          ...options.columns?.(symbol),
        })),
      );
    return {
      detail,
      blocks: () => groups.map((group) => blockOf(group, withSignature, options)),
      json: (shown) => ({
        ...options.json,
        total: options.total,
        symbols: nodesOf(shown),
        ...(options.packages !== undefined && { packages: options.packages }),
      }),
      toon: (shown) => groupNodes(nodesOf(shown), { count: options.total, packages: options.packages ?? [] }),
    };
  };
  const names: AnswerForm = { ...form(false, "names"), keepAtLeast: 1 };
  return options.withSignature ? [form(true, "signatures"), names] : [names];
}

/** The page of an answer whose blocks are files. What a cut leaves out is on the next page, and nothing is lost. */
export function foundPage(symbols: readonly ShownSymbol[], offset: number, total: number): AnswerPage {
  const groups = groupByFile(symbols);
  const positions = groups.map((_, at) => offset + Math.min(...groups.slice(at).map(({ first }) => first)));
  return {
    offset,
    total,
    items: "symbols",
    sizes: groups.map((group) => group.symbols.length),
    positions: [...positions, offset + symbols.length],
  };
}

function groupByFile(symbols: readonly ShownSymbol[]): FileGroup[] {
  const groups = new Map<string, { file: FileRecord; symbols: ShownSymbol[]; first: number }>();
  for (const [first, symbol] of symbols.entries()) {
    const group = groups.get(symbol.inFile.id);
    if (group === undefined) groups.set(symbol.inFile.id, { file: symbol.inFile, symbols: [symbol], first });
    else group.symbols.push(symbol);
  }
  for (const group of groups.values()) {
    group.symbols.sort((a, b) => a.record.at.line - b.record.at.line || a.record.at.column - b.record.at.column);
  }
  return [...groups.values()];
}

function blockOf({ file, symbols }: FileGroup, withSignature: boolean, options: FoundOptions): string {
  const header = `${splitDocumentId(file.id).path} (${formatCount(symbols.length, "result")})`;
  const lines = symbols.flatMap((symbol) => {
    const container = symbol.inFile.symbols[symbol.record.parent];
    const extra = options.columns?.(symbol);
    return [
      ...symbolLines(symbol.record, "  ", withSignature, container),
      ...(extra?.calls ? [`    calls ${extra.calls}`] : []),
      ...(extra?.calledBy ? [`    called by ${extra.calledBy}`] : []),
    ];
  });
  return [header, ...lines].join("\n");
}
