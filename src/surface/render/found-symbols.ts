/** Lists of symbols, one block a file. */
import { pathOf } from "../../core/docs/node-id.ts";
import type { FileRecord, SymbolRecord } from "../../core/format/code-model.ts";
import { shortenQuery } from "../../core/text/nearest.ts";
import { type Answer, type JsonObject, listForms } from "./answer.ts";
import { formatCount } from "./numbers.ts";
import { type CodeNode, groupNodes, type PackageFacts, symbolLines, toCodeNode } from "./symbols.ts";
import { formatList } from "./text.ts";

interface ShownSymbol {
  readonly record: SymbolRecord;
  readonly inFile: FileRecord;
}

/** What is shown beside names. */
interface FoundOptions {
  readonly withSignature: boolean;
  /** More columns of a symbol's row: who calls it, whom it calls. */
  readonly columns?: (symbol: ShownSymbol) => Partial<CodeNode>;
  /** Facts of the packages that the symbols are of, for the tables; left out where they do not fit. */
  readonly packages: readonly PackageFacts[];
  /** Symbols before the first of these. */
  readonly offset: number;
  /** How many there are in all. */
  readonly total: number;
}

/** The answer with a page of symbols that a query found, given best first; JSON keeps that order. */
export function describeFound(query: string, symbols: readonly ShownSymbol[], options: FoundOptions): Answer {
  const { withSignature, columns, packages, offset, total } = options;
  const text = shortenQuery(query);
  const files = new Set(symbols.map(({ inFile }) => inFile.id)).size;
  const found = `Found ${formatCount(total, "match", "matches")} for ${JSON.stringify(text)}`;
  const full = { signature: withSignature, facts: packages };
  const names = { signature: false, facts: [] };
  const levels = [
    ...(packages.length > 0 ? [["all", full] as const] : []),
    ...(withSignature ? [["signatures", { signature: true, facts: [] }] as const] : []),
    ["names", names] as const,
  ];
  const toNode = (symbol: ShownSymbol, signature: boolean): CodeNode => ({
    ...toCodeNode(symbol.inFile, symbol.record, signature),
    ...columns?.(symbol),
  });
  return {
    summary: `${found}${formatPart(offset, symbols.length, total)} in ${formatCount(files, "file")}`,
    // A cut drops the last by rank, so the beginning of the list is shown.
    forms: listForms<ShownSymbol, typeof full>(symbols, levels, {
      blocks: (shown, { signature }) => groupByFile(shown).map((own) => fileBlock(own, signature, columns)),
      toJson: (shown, { signature }): JsonObject => ({
        query: text,
        total,
        symbols: shown.map((symbol) => toNode(symbol, signature)),
      }),
      toToon: (shown, { signature, facts }) => {
        const nodes = groupByFile(shown).flatMap((own) => own.map((symbol) => toNode(symbol, signature)));
        return groupNodes(nodes, { count: total, packages: facts });
      },
    }),
    page: { offset, total, items: "symbols" },
  };
}

/** `, 16–30 of them` where a page does not show all. */
export function formatPart(offset: number, shown: number, total: number): string {
  if (shown === total || shown === 0) return "";
  return `, ${shown === 1 ? offset + 1 : `${offset + 1}–${offset + shown}`} of them`;
}

/** Symbols of each file, in the order of the source. */
function groupByFile(symbols: readonly ShownSymbol[]): ShownSymbol[][] {
  return [...Map.groupBy(symbols, ({ inFile }) => inFile.id).values()].map((own) =>
    own.sort((a, b) => a.record.at.line - b.record.at.line || a.record.at.column - b.record.at.column),
  );
}

function fileBlock(symbols: readonly ShownSymbol[], withSignature: boolean, columns: FoundOptions["columns"]): string {
  const lines = symbols.flatMap((symbol) => {
    const { record, inFile } = symbol;
    const extra = columns?.(symbol);
    return [
      ...symbolLines(record, "", withSignature, inFile.symbols[record.parent]),
      ...(extra?.calls ? [`  calls ${extra.calls}`] : []),
      ...(extra?.calledBy ? [`  called by ${extra.calledBy}`] : []),
    ];
  });
  const path = pathOf(symbols[0]?.inFile.id ?? "");
  return formatList(`${path} (${formatCount(symbols.length, "result")})`, lines);
}
