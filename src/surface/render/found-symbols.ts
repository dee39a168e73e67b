/**
 * Symbols that were found, one block a file: files in the order of their best symbol, symbols in the order of the source.
 *
 * Over the budget signatures go first, then the end of the list. Pure.
 */
import { splitDocumentId } from "../../core/docs/node-id.ts";
import type { FileRecord, SymbolRecord } from "../../core/format/code-model.ts";
import { shortenQuery } from "../../core/text/nearest.ts";
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
  /** Facts of the packages that the symbols are of, for the tables; left out where they do not fit. */
  readonly packages?: readonly PackageFacts[];
  /** More members of the JSON answer, in front. */
  readonly json?: JsonObject;
  /** Symbols before the first of these. */
  readonly offset: number;
  /** How many there are in all. */
  readonly total: number;
}

interface FileGroup {
  readonly file: FileRecord;
  /** In the order of the source. */
  readonly symbols: readonly ShownSymbol[];
}

/** `Found 13 matches for "create" in 8 files`; of a page of them `…, 1–15 of them in 8 files`. */
export function summarizeFound(
  query: string,
  symbols: readonly ShownSymbol[],
  { offset, total }: Pick<FoundOptions, "offset" | "total">,
): string {
  const files = new Set(symbols.map(({ inFile }) => inFile.id)).size;
  const found = `Found ${formatCount(total, "match", "matches")} for ${JSON.stringify(shortenQuery(query))}`;
  return `${found}${formatPart(offset, symbols.length, total)} in ${formatCount(files, "file")}`;
}

/** `, 16–30 of them` where a page does not show all. */
export function formatPart(offset: number, shown: number, total: number): string {
  if (shown === total || shown === 0) return "";
  return `, ${shown === 1 ? offset + 1 : `${offset + 1}–${offset + shown}`} of them`;
}

/** Forms of the symbols, given best first; JSON keeps that order. */
export function foundForms(symbols: readonly ShownSymbol[], options: FoundOptions): [AnswerForm, ...AnswerForm[]] {
  const form = (withSignature: boolean, detail: string, packages?: readonly PackageFacts[]): AnswerForm => {
    const toNode = (symbol: ShownSymbol): CodeNode => ({
      ...toCodeNode(symbol.inFile, symbol.record, withSignature),
      ...options.columns?.(symbol),
    });
    const grouped = (shown: number): CodeNode[] =>
      toFileGroups(symbols.slice(0, shown)).flatMap(({ symbols: own }) => own.map(toNode));
    const blocks = (shown: number): string[] =>
      toFileGroups(symbols.slice(0, shown)).map((group) => blockOf(group, withSignature, options));
    return {
      detail,
      blocks: () => blocks(symbols.length),
      // A cut leaves out the last by rank, so that what is shown is the beginning of the list.
      items: { count: symbols.length, blocks },
      json: (shown) => ({
        ...options.json,
        total: options.total,
        symbols: symbols.slice(0, shown).map(toNode),
      }),
      toon: (shown) =>
        groupNodes(grouped(shown), { count: options.total, ...(packages !== undefined && { packages }) }),
    };
  };
  const { packages } = options;
  const full = packages !== undefined && packages.length > 0 ? [form(options.withSignature, "all", packages)] : [];
  const signatures = options.withSignature ? [form(true, "signatures")] : [];
  const names: AnswerForm = { ...form(false, "names"), keepAtLeast: 1 };
  const [first = names, ...rest] = [...full, ...signatures, names];
  return [first, ...rest];
}

/** The page of such an answer. */
export function foundPage({ offset, total }: Pick<FoundOptions, "offset" | "total">): AnswerPage {
  return { offset, total, items: "symbols" };
}

function toFileGroups(symbols: readonly ShownSymbol[]): FileGroup[] {
  return [...Map.groupBy(symbols, ({ inFile }) => inFile.id).values()].map((own) => ({
    file: (own[0] as ShownSymbol).inFile,
    symbols: own.sort((a, b) => a.record.at.line - b.record.at.line || a.record.at.column - b.record.at.column),
  }));
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
