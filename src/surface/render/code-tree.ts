/**
 * The outline of a source file for tool `get_tree`: each symbol with its lines, id, kind and signature, never its body.
 *
 * Over the budget signatures go first, then the deepest levels. Pure.
 */

import type { DocumentEntry } from "../../core/docs/model.ts";
import { type FileRecord, makeSymbolId, SYMBOL_KIND_NAMES, type SymbolRecord } from "../../core/format/code-model.ts";
import type { AnswerForm } from "./answer.ts";
import { toCodeNode } from "./code-node.ts";
import { groupNodes } from "./code-tables.ts";
import { formatCount, formatLines } from "./counts.ts";
import { formatBreakdown, formatSymbol, quoteSignature } from "./symbol-lines.ts";
import { foldLine } from "./text.ts";

const MAX_SUMMARY_LENGTH = 200;

/** What to outline. */
export interface CodeTreeOptions {
  readonly document: DocumentEntry;
  /** Index of the symbol whose members are outlined, -1 for the file. */
  readonly root: number;
  /** First sentence of the file. */
  readonly summary: string;
  /** Levels that are shown. */
  readonly maxDepth: number;
  /** One call that outlines a symbol. */
  readonly outlineCall: (id: string) => string;
}

interface TreeLine {
  readonly symbol: SymbolRecord;
  /** 0 for the first level. */
  readonly depth: number;
  readonly path: string;
  /** Symbols below it. */
  readonly below: number;
}

const NOTHING = { path: "", below: 0 };

/** First lines: the file with the number of its symbols, or the symbol whose members are shown. */
export function summarizeCodeTree(file: FileRecord, { document, root, summary }: CodeTreeOptions): string {
  const all = linesBelow(file, root).map(({ symbol }) => symbol);
  const symbol = file.symbols[root];
  const about =
    symbol === undefined
      ? `${file.id} (${file.language}, ${formatCount(document.lines, "line")})`
      : `${makeSymbolId(file, symbol)} ${formatSymbol(symbol)}, lines ${formatLines(symbol.start.line, symbol.end.line)}`;
  const breakdown = all.length === 0 ? "" : `: ${formatBreakdown(all)}`;
  const address = symbol === undefined ? document.url : "";
  return [
    `${about}, ${formatCount(all.length, "symbol")}${breakdown}`,
    ...(symbol === undefined && summary !== "" ? [foldLine(summary, MAX_SUMMARY_LENGTH)] : []),
    ...(address === "" ? [] : [address]),
  ].join("\n");
}

/** The outline from all levels with signatures down to the names of the first. */
export function codeTreeForms(file: FileRecord, options: CodeTreeOptions): [AnswerForm, ...AnswerForm[]] {
  const all = linesBelow(file, options.root);
  const deepest = Math.min(
    options.maxDepth - 1,
    all.reduce((most, { depth }) => Math.max(most, depth), 0),
  );
  const largest = all.reduce<Pick<TreeLine, "path" | "below">>(
    (most, line) => (line.below > most.below ? line : most),
    all[0] ?? NOTHING,
  );
  const form = (depth: number, withSignature: boolean, detail: string): AnswerForm => {
    const shown = all.filter((line) => line.depth <= depth);
    const nodes = (count: number) => shown.slice(0, count).map(({ symbol }) => toCodeNode(file, symbol, withSignature));
    return {
      detail,
      blocks: () => shown.map((line) => formatLine(line, depth, withSignature)),
      json: (count) => ({ document: options.document, symbols: nodes(count) }),
      toon: (count) => ({ document: file.id, ...groupNodes(nodes(count), { count: all.length }) }),
      joined: true,
      ...(largest.below > 0 && { more: `One part: ${options.outlineCall(makeSymbolId(file, largest))}.` }),
    };
  };
  const barest = {
    ...form(0, false, "names of the first level"),
    json: (count: number) => ({
      document: { id: options.document.id, title: options.document.title },
      symbols: all
        .filter(({ depth }) => depth === 0)
        .slice(0, count)
        .map(({ symbol }) => toCodeNode(file, symbol, false)),
    }),
    keepAtLeast: 1,
  };
  const levels = Array.from({ length: Math.max(0, deepest) }, (_, index) => deepest - index);
  const names = levels.map((depth) => form(depth, false, depth === deepest ? "names" : `names of ${depth + 1} levels`));
  return [form(deepest, true, "signatures"), ...names, barest];
}

/** Symbols below one, in the order of the source. What stands inside functions is no part of an outline. */
function linesBelow(file: FileRecord, root: number): TreeLine[] {
  const children = new Map<number, { readonly symbol: SymbolRecord; readonly index: number }[]>();
  for (const [index, symbol] of file.symbols.entries()) {
    if (symbol.flags.includes("inner")) continue;
    const siblings = children.get(symbol.parent);
    if (siblings === undefined) children.set(symbol.parent, [{ symbol, index }]);
    else siblings.push({ symbol, index });
  }
  const lines: TreeLine[] = [];
  const addBelow = (parent: number, depth: number): void => {
    const own = children.get(parent) ?? [];
    own.sort((a, b) => a.symbol.at.line - b.symbol.at.line || a.symbol.at.column - b.symbol.at.column);
    for (const { symbol, index } of own) {
      const at = lines.push({ symbol, depth, path: symbol.path, below: 0 });
      addBelow(index, depth + 1);
      lines[at - 1] = { symbol, depth, path: symbol.path, below: lines.length - at };
    }
  };
  addBelow(root, 0);
  return lines;
}

/** ``@29-96 #Store Class `export class Store` ``. */
function formatLine({ symbol, depth, below }: TreeLine, shownDepth: number, withSignature: boolean): string {
  const { kind, path, start, end } = symbol;
  const signature = withSignature ? quoteSignature(symbol.signature) : "";
  const hidden = depth === shownDepth && below > 0 ? ` (+${formatCount(below, "member")})` : "";
  const line = `@${formatLines(start.line, end.line)} #${path} ${SYMBOL_KIND_NAMES[kind].label}`;
  return `${"  ".repeat(depth)}${line}${hidden}${signature === "" ? "" : ` ${signature}`}`;
}
