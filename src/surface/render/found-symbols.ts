/**
 * Lists of symbols and of references to a symbol, one block a file.
 */
import { splitDocumentId } from "../../core/docs/node-id.ts";
import {
  type CodePosition,
  type EdgeKind,
  type EdgeTier,
  type FileRecord,
  makeSymbolId,
  type SymbolRecord,
} from "../../core/format/code-model.ts";
import { shortenQuery } from "../../core/text/nearest.ts";
import type { AnswerForm, AnswerPage, JsonObject } from "./answer.ts";
import { formatCount } from "./numbers.ts";
import {
  type CodeNode,
  formatPosition,
  groupNodes,
  type PackageFacts,
  previewSignature,
  quoteSignature,
  symbolLines,
  toCodeNode,
} from "./symbols.ts";
import { groupRuns } from "./text.ts";

/** A symbol with its file. */
export interface ShownSymbol {
  readonly record: SymbolRecord;
  readonly inFile: FileRecord;
}

/** What is shown beside names. */
interface FoundOptions {
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
function formatPart(offset: number, shown: number, total: number): string {
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
    return {
      detail,
      // A cut drops the last by rank, so the beginning of the list is shown.
      count: symbols.length,
      blocks: (shown) =>
        toFileGroups(symbols.slice(0, shown)).map((group) => symbolBlock(group, withSignature, options)),
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
  const names = form(false, "names");
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

function symbolBlock({ file, symbols }: FileGroup, withSignature: boolean, options: FoundOptions): string {
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

/** A place. */
interface ShownReference {
  readonly inFile: FileRecord;
  readonly at: CodePosition;
  readonly kind: EdgeKind;
  readonly tier: EdgeTier;
  readonly typeOnly: boolean;
  /** The symbol that it lies in. */
  readonly from: SymbolRecord | undefined;
  /** Its line, where that was read. */
  readonly text?: string;
}

/** `Found 13 references to code:src/a.ts#open in 4 files`. */
export function summarizeReferences(
  id: string,
  references: readonly ShownReference[],
  { offset, total }: Pick<AnswerPage, "offset" | "total">,
): string {
  const files = new Set(references.map(({ inFile }) => inFile.id)).size;
  const part = formatPart(offset, references.length, total);
  return `Found ${formatCount(total, "reference")} to ${id}${part} in ${formatCount(files, "file")}`;
}

/** Forms of the places, in the order given, files together. */
export function referenceForms(
  id: string,
  total: number,
  references: readonly ShownReference[],
): [AnswerForm, ...AnswerForm[]] {
  const form = (withText: boolean, detail: string): AnswerForm => ({
    detail,
    count: references.length,
    blocks: (shown) =>
      groupRuns(references.slice(0, shown), ({ inFile }) => inFile.id).map((group) => referenceBlock(group, withText)),
    json: (shown) => ({
      symbol: id,
      total,
      references: references.slice(0, shown).map((one) => toJson(one, withText)),
    }),
    toon: (shown) => ({ symbol: id, count: total, ...tablesOf(references.slice(0, shown), withText) }),
  });
  return [form(true, "lines"), form(false, "positions")];
}

/** One table a file: sure places and guesses of a file come apart, and are one table. */
function tablesOf(references: readonly ShownReference[], withText: boolean): JsonObject {
  const tables = Map.groupBy(references, ({ inFile }) => inFile.id);
  const paths = [...tables.keys()].map((id) => splitDocumentId(id).path);
  const isUnique = (path: string): boolean => paths.indexOf(path) === paths.lastIndexOf(path);
  return Object.fromEntries(
    [...tables].map(([id, own]) => {
      const { path } = splitDocumentId(id);
      return [isUnique(path) ? path : id, own.map((one) => toRow(one, withText))];
    }),
  );
}

function pathOf(group: readonly ShownReference[]): string {
  return splitDocumentId(group[0]?.inFile.id ?? "").path;
}

function referenceBlock(group: readonly ShownReference[], withText: boolean): string {
  const lines = group.flatMap((reference) => {
    const { at, from, text } = reference;
    const inside = from === undefined ? "" : ` in ${from.path}`;
    const line = withText && text !== undefined ? quoteSignature(text) : "";
    return [`  ${formatPosition(at)} ${describe(reference)}${inside}`, ...(line === "" ? [] : [`    ${line}`])];
  });
  return [`${pathOf(group)} (${formatCount(group.length, "result")})`, ...lines].join("\n");
}

/** `calls [receiver]`, for a place that leaves nothing at run time `type-only imports [scope]`. */
function describe({ kind, tier, typeOnly }: ShownReference): string {
  return `${typeOnly && kind !== "type" ? "type-only " : ""}${kind} [${tier}]`;
}

function toRow({ at, kind, tier, from, text }: ShownReference, withText: boolean) {
  const row = { line: at.line, column: at.column, kind, tier, in: from?.path ?? "" };
  return withText ? { ...row, text: text === undefined ? "" : previewSignature(text) } : row;
}

function toJson(reference: ShownReference, withText: boolean) {
  const { inFile, at, kind, tier, typeOnly, from, text } = reference;
  return {
    file: inFile.id,
    filePath: splitDocumentId(inFile.id).path,
    line: at.line,
    column: at.column,
    kind,
    tier,
    typeOnly,
    ...(from !== undefined && { in: makeSymbolId(inFile, from) }),
    ...(withText && text !== undefined && { text: text.trim() }),
  };
}
