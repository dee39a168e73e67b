/**
 * Source files as outlines: for tool `read` with names, signatures or code, for `get_tree` with lines, ids and signatures.
 *
 * For agents a line for each symbol with the lines where it stands, as few as fit into a number of lines:
 *
 * ```
 * 81-97 class PydanticErrorMixin
 *  89-91 def __init__(self, message: str, *, code: PydanticErrorCodes | None) -> None
 * 100-101 class PydanticUserError(PydanticErrorMixin, RuntimeError)
 * ```
 */

import type { DocumentEntry } from "../../core/docs/model.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import {
  type FileRecord,
  makeSymbolId,
  SYMBOL_KIND_NAMES,
  type SymbolKind,
  type SymbolRecord,
} from "../../core/format/code-model.ts";
import { factsOf } from "../../core/text/code-languages.ts";
import { linesOf, withoutMark } from "../../core/text/lines.ts";
import type { Answer, AnswerForm } from "./answer.ts";
import { fence } from "./passages.ts";
import {
  formatSymbol,
  groupNodes,
  previewSignature,
  quoteSignature,
  signatureLength,
  symbolLines,
  toCodeNode,
  VALUE_KINDS,
} from "./symbols.ts";
import { foldLine, formatCount, formatLines } from "./text.ts";

/** What may stand behind a declaration on its last line and is shown with it: no bracket, as that closes what is around. */
const LINE_REST = /^\s*[;,]*\s*(?:(?:\/\/|#|\/\*).*)?$/;
/** Kinds of types. */
const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set(
  "class interface struct trait record enum union typeAlias".split(" ") as SymbolKind[],
);
/** Symbols that are shown with signatures; of more the names. */
const MAX_SIGNED = 25;

/** What is shown of each symbol. */
export const PREVIEW_MODES = ["none", "signature", "expanded"] as const;
type PreviewMode = (typeof PREVIEW_MODES)[number];

interface FileOutlineOptions {
  readonly mode: PreviewMode;
  /** Levels below the top of the file. */
  readonly maxDepth: number;
  /** Lines of code of one symbol. */
  readonly maxLines: number;
  readonly showContainer: boolean;
  /** 1-based lines: symbols that lie in none of them are left out. */
  readonly startLine: number;
  readonly endLine: number;
  /** Text of the file from its first line on; needed for `expanded` alone. */
  readonly text?: string;
}

type OutlineRange = Pick<FileOutlineOptions, "maxDepth" | "startLine" | "endLine">;

/** A symbol with its members, as far as they are shown. */
interface OutlineNode {
  readonly symbol: SymbolRecord;
  readonly depth: number;
  /** Whether an outline has no members of it, shown or not. */
  readonly isLeaf: boolean;
  /** How many named functions and types stand inside of it as a function, which only its own outline has. */
  readonly inside: number;
  readonly members: readonly OutlineNode[];
}

/** The symbols that are shown, and the file from the fullest form that was asked for down to the names of its first level. */
export function describeFile(file: FileRecord, options: FileOutlineOptions) {
  const tree = toTree(file, options);
  const symbols = flatten(tree).map(({ symbol }) => symbol);
  const path = pathOf(file.id);
  const found = `Found ${formatCount(symbols.length, "symbol")} in file: ${path} (max depth ${options.maxDepth})`;
  const deepest = flatten(tree).reduce((most, { depth }) => Math.max(most, depth), 0);
  const lines = options.mode === "expanded" ? linesOf(withoutMark(options.text ?? "")) : [];
  const form = (mode: PreviewMode, maxDepth: number, detail: string, maxLines = options.maxLines): AnswerForm => {
    const roots = toTree(file, { ...options, maxDepth });
    const length = signatureLength(flatten(roots).length);
    const own = { ...options, mode, maxLines, length };
    return {
      detail,
      blocks: () => roots.map((root) => blockOf(file, root, own, lines).join("\n")),
      json: (shown) => ({
        file: file.id,
        language: file.language,
        symbols: flatten(roots.slice(0, shown)).map(({ symbol, isLeaf }) => ({
          ...toCodeNode(file, symbol, mode !== "none", length),
          line: symbol.at.line,
          column: symbol.at.column,
          ...(mode === "expanded" &&
            isLeaf && { code: codeOf(symbol, lines, { ...own, language: file.language }).join("\n") }),
        })),
      }),
      toon: (shown) => ({
        file: file.id,
        ...groupNodes(
          flatten(roots.slice(0, shown)).map(({ symbol }) => toCodeNode(file, symbol, mode !== "none")),
          { isOfFile: true },
        ),
      }),
      more: `One symbol whole: get_node_content with node_ids ["${roots[0] === undefined ? file.id : makeSymbolId(file, roots[0].symbol)}"]; a part of the file: start_line and end_line.`,
    };
  };
  const inside = describeInside(file, flatten(tree));
  const modes = PREVIEW_MODES.slice(0, PREVIEW_MODES.indexOf(options.mode) + 1).reverse();
  const levels = Array.from({ length: deepest }, (_, index) => deepest - 1 - index);
  const narrow = levels.map((depth) =>
    form("none", depth, depth === 0 ? "names of the first level" : `names of ${depth + 1} levels`),
  );
  const full = modes.flatMap((mode) => [
    form(mode, options.maxDepth, DETAILS[mode]),
    ...(mode === "expanded" ? fewerLines(options.maxLines) : []).map((count) =>
      form(mode, options.maxDepth, `${formatCount(count, "line")} of code each`, count),
    ),
  ]);
  return {
    symbols,
    summary: symbols.length === 0 ? found : `${found}\nSymbol breakdown: ${formatBreakdown(symbols)}${inside}`,
    forms: [...full, ...narrow],
  };
}

/** That symbols stand inside functions, and the call that lists those of the function with the most; "" without any. */
function describeInside(file: FileRecord, nodes: readonly OutlineNode[]): string {
  const [most] = [...nodes].sort((a, b) => b.inside - a.inside);
  if (most === undefined || most.inside === 0) return "";
  const total = nodes.reduce((sum, { inside }) => sum + inside, 0);
  const call = `get_tree {"node_id":${JSON.stringify(makeSymbolId(file, most.symbol))}}`;
  const lists = total === most.inside ? "them" : `the ${most.inside} of ${most.symbol.name}`;
  return `\n${formatCount(total, "more symbol")} inside functions; ${call} lists ${lists}.`;
}

/** `27 methods, 21 properties, 2 classes`: how many of each kind, most first, equal counts in the order of kinds. */
function formatBreakdown(symbols: readonly SymbolRecord[]): string {
  return [...Map.groupBy(symbols, ({ kind }) => kind)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([kind, own]) => formatCount(own.length, ...wordsOfKind(kind)))
    .join(", ");
}

/** One and several of a kind; what is more than one word as rows have it. */
function wordsOfKind(kind: SymbolKind): [string, string] {
  const { plural, label } = SYMBOL_KIND_NAMES[kind];
  return /[A-Z]/.test(kind) ? [label, `${label}${plural.slice(kind.length)}`] : [kind, plural];
}

/** Code of fewer lines says no more than a signature. */
const LEAST_LINES = 3;

const DETAILS: Readonly<Record<PreviewMode, string>> = { none: "names", signature: "signatures", expanded: "code" };

/** Lines a symbol that are tried where its code does not fit: half of them, a quarter … */
function fewerLines(maxLines: number): number[] {
  const fewer: number[] = [];
  for (let count = maxLines >> 1; count >= LEAST_LINES; count >>= 1) fewer.push(count);
  return fewer;
}

/** The function that a symbol stands in directly, or as a part of a type that does; -1 outside of functions. */
function ownerOf({ symbols }: Pick<FileRecord, "symbols">, index: number): number {
  const symbol = symbols[index];
  if (symbol?.flags.includes("inner") !== true) return -1;
  const around = symbols[symbol.parent];
  const isPart = around?.flags.includes("inner") === true && TYPE_KINDS.has(around.kind);
  return isPart ? ownerOf({ symbols }, symbol.parent) : symbol.parent;
}

/** Symbols below one (-1: the file) as trees, in the order of the source, without those inside functions below it. */
function toTree(file: FileRecord, { maxDepth, startLine, endLine }: OutlineRange, root = -1): OutlineNode[] {
  const owners = file.symbols.map((_, index) => ownerOf(file, index));
  const isHidden = (index: number): boolean => ![-1, root, owners[root]].includes(owners[index]);
  const inside = new Map<number, number>();
  for (const [index, { parent }] of file.symbols.entries()) {
    if (owners[index] === parent) inside.set(parent, (inside.get(parent) ?? 0) + 1);
  }
  const children = new Map<number, number[]>();
  const containers = new Set<number>();
  const inRange = new Set<number>();
  // Members may stand outside of what they are members of, as in Go; a container stands before them in the list.
  for (let index = file.symbols.length - 1; index >= 0; index--) {
    const { start, end, parent } = file.symbols[index] as SymbolRecord;
    if (isHidden(index)) continue;
    containers.add(parent);
    if ((start.line > endLine || end.line < startLine) && !inRange.has(index)) continue;
    inRange.add(index);
    inRange.add(parent);
  }
  for (const [index, symbol] of file.symbols.entries()) {
    if (!inRange.has(index) || isHidden(index)) continue;
    const siblings = children.get(symbol.parent) ?? [];
    siblings.push(index);
    children.set(symbol.parent, siblings);
  }
  const build = (parent: number, depth: number): OutlineNode[] =>
    depth > maxDepth
      ? []
      : (children.get(parent) ?? [])
          .map((index): OutlineNode => {
            const symbol = file.symbols[index] as SymbolRecord;
            const own = { isLeaf: !containers.has(index), inside: inside.get(index) ?? 0 };
            return { symbol, depth, ...own, members: build(index, depth + 1) };
          })
          .sort((a, b) => a.symbol.at.line - b.symbol.at.line || a.symbol.at.column - b.symbol.at.column);
  return build(root, 0);
}

/** All symbols below one (-1: the file) that outlines have, each container before its members. */
function listSymbols(file: FileRecord, root: number): readonly OutlineNode[] {
  return flatten(toTree(file, WHOLE, root));
}

function flatten(nodes: readonly OutlineNode[]): OutlineNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.members)]);
}

/** Number of symbols below one, on all levels. */
function countBelow({ members }: OutlineNode): number {
  return members.reduce((sum, member) => sum + 1 + countBelow(member), 0);
}

function blockOf(
  file: FileRecord,
  { symbol, depth, isLeaf, inside, members }: OutlineNode,
  options: FileOutlineOptions & { readonly length: number },
  lines: readonly string[],
): string[] {
  const indent = "  ".repeat(depth);
  const container = options.showContainer ? file.symbols[symbol.parent] : undefined;
  const code =
    options.mode === "expanded" && isLeaf ? codeOf(symbol, lines, { ...options, language: file.language }) : [];
  const withSignature = options.mode !== "none" && code.length === 0;
  const own = symbolLines(symbol, indent, withSignature, container, options.length);
  if (inside > 0) own[0] = `${own[0]} (${inside} inside)`;
  if (code.length > 0) {
    const fenced = fence(code.join("\n"), file.language).split("\n");
    own.push(...fenced.map((line) => (line === "" ? "" : `${indent}${line}`)));
  }
  return [...own, ...members.flatMap((member) => blockOf(file, member, options, lines))];
}

interface CodeOptions {
  readonly language: string;
  /** Lines that are shown; of a longer symbol the first, and a comment that says how many more there are. */
  readonly maxLines: number;
  /** 1-based lines of the file outside of which nothing is shown. */
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * The lines of a symbol without the indentation that they share. A declaration that shares its first or last line with
 * others is cut out of it.
 *
 * @param lines Lines of the file, as far as it was read; empty where the symbol lies behind them.
 */
export function codeOf(
  { start, end }: Pick<SymbolRecord, "start" | "end">,
  lines: readonly string[],
  { language, maxLines, startLine, endLine }: CodeOptions,
): string[] {
  const first = Math.max(start.line, startLine);
  const last = Math.min(end.line, endLine);
  const code = lines.slice(first - 1, last).map((line) => line.replace(/\r?\n$|\r$/, ""));
  if (code.length < last - first + 1) return [];
  if (last === end.line) code[code.length - 1] = cutBehind(code.at(-1) as string, end.column - 1);
  const before = code[0]?.slice(0, start.column - 1) ?? "";
  if (first === start.line && before.trim() !== "") {
    const indent = before.match(/^\s*/)?.[0] ?? "";
    code[0] = `${indent}${code[0]?.slice(start.column - 1)}`;
  }
  const shown = dedent(code.length > maxLines ? code.slice(0, maxLines) : code);
  if (code.length <= maxLines) return shown;
  const indent = shown.at(-1)?.match(/^\s*/)?.[0] ?? "";
  return [
    ...shown,
    `${indent}${factsOf(language).lexis.slashes ? "//" : "#"} ... ${formatCount(code.length - maxLines, "more line")}`,
  ];
}

/** The line without what belongs to another declaration. */
function cutBehind(line: string, end: number): string {
  return LINE_REST.test(line.slice(end)) ? line : line.slice(0, end);
}

/** Lines without the white space that all of them begin with; blank ones do not count. */
export function dedent(lines: readonly string[]): string[] {
  const written = lines.filter((line) => line.trim() !== "");
  let shared = written[0]?.match(/^\s*/)?.[0] ?? "";
  for (const line of written) {
    while (!line.startsWith(shared)) shared = shared.slice(0, -1);
  }
  return lines.map((line) => (line.startsWith(shared) ? line.slice(shared.length) : ""));
}

const MAX_SUMMARY_LENGTH = 200;

interface CodeTreeOptions {
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

/** All symbols, on every level. */
const WHOLE: OutlineRange = { maxDepth: Number.POSITIVE_INFINITY, startLine: 1, endLine: Number.POSITIVE_INFINITY };

/** First lines: the file with the number of its symbols, or the symbol whose members are shown. */
function summarizeCodeTree(
  file: FileRecord,
  { document, root, summary }: CodeTreeOptions,
  all: readonly OutlineNode[],
): string {
  const symbol = file.symbols[root];
  const about =
    symbol === undefined
      ? `${file.id} (${file.language}, ${formatCount(document.lines, "line")})`
      : `${makeSymbolId(file, symbol)} ${formatSymbol(symbol)}, lines ${formatLines(symbol.start.line, symbol.end.line)}`;
  const breakdown = all.length === 0 ? "" : `: ${formatBreakdown(all.map((node) => node.symbol))}`;
  const address = symbol === undefined ? document.url : "";
  return [
    `${about}, ${formatCount(all.length, "symbol")}${breakdown}`,
    ...(symbol === undefined && summary !== "" ? [foldLine(summary, MAX_SUMMARY_LENGTH)] : []),
    ...(address === "" ? [] : [address]),
  ].join("\n");
}

/** The outline from all levels with signatures down to the names of the first. */
export function describeCodeTree(file: FileRecord, options: CodeTreeOptions): Answer {
  const all = listSymbols(file, options.root);
  const deepest = Math.min(
    options.maxDepth - 1,
    all.reduce((most, { depth }) => Math.max(most, depth), 0),
  );
  const [largest] = [...all].sort((a, b) => countBelow(b) - countBelow(a));
  const form = (depth: number, withSignature: boolean, detail: string): AnswerForm => {
    const shown = all.filter((line) => line.depth <= depth);
    const nodes = (count: number) => shown.slice(0, count).map(({ symbol }) => toCodeNode(file, symbol, withSignature));
    return {
      detail,
      blocks: () => shown.map((line) => formatLine(line, depth, withSignature)),
      json: (count) => ({ document: options.document, symbols: nodes(count) }),
      toon: (count) => ({ document: file.id, ...groupNodes(nodes(count), { count: all.length, isOfFile: true }) }),
      joined: true,
      ...(largest !== undefined &&
        countBelow(largest) > 0 && { more: `One part: ${options.outlineCall(makeSymbolId(file, largest.symbol))}.` }),
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
  };
  const levels = Array.from({ length: Math.max(0, deepest) }, (_, index) => deepest - index);
  const names = levels.map((depth) => form(depth, false, depth === deepest ? "names" : `names of ${depth + 1} levels`));
  return {
    summary: summarizeCodeTree(file, options, all),
    forms: [form(deepest, true, "signatures"), ...names, barest],
  };
}

/** ``@29-96 #Store Class `export class Store` ``. */
function formatLine(node: OutlineNode, shownDepth: number, withSignature: boolean): string {
  const { symbol, depth } = node;
  const below = countBelow(node);
  const { kind, path, start, end } = symbol;
  const signature = withSignature ? quoteSignature(symbol.signature) : "";
  const hidden =
    depth === shownDepth && below > 0
      ? ` (+${formatCount(below, "member")})`
      : node.inside > 0
        ? ` (${node.inside} inside)`
        : "";
  const line = `@${formatLines(start.line, end.line)} #${path} ${SYMBOL_KIND_NAMES[kind].label}`;
  return `${"  ".repeat(depth)}${line}${hidden}${signature === "" ? "" : ` ${signature}`}`;
}

/**
 * The symbols of a file, or below one of its symbols. Of more than `most` members are only counted; values are left out
 * before, and those that a constructor sets in any case.
 */
export function outlineSymbols(file: FileRecord, root: number, most: number): string[] {
  const listed = listSymbols(file, root);
  const isValue = ({ symbol }: (typeof listed)[number]): boolean => VALUE_KINDS.has(symbol.kind);
  const all = listed.filter((one, at) => {
    const before = listed.slice(0, at).findLast((other) => other.depth === one.depth && !isValue(other))?.symbol;
    return !isValue(one) || before === undefined || before.end.line < one.symbol.start.line;
  });
  const callable = all.filter((one) => (one.depth === 0 && root < 0) || !isValue(one));
  const top = all.filter(({ depth }) => depth === 0);
  const isSigned = Math.min(all.length, callable.length) <= MAX_SIGNED;
  const limit = isSigned ? MAX_SIGNED : most;
  const shown = [all, callable].find(({ length }) => length <= limit) ?? top;
  return shown.map(({ symbol, depth, members, inside }) => {
    const { start, end, signature, name } = symbol;
    const count = inside + (shown === top ? members.length : 0);
    const hidden = count > 0 ? ` (+${count})` : "";
    const written = isSigned ? previewSignature(signature).replace(/^export (?:default )?/, "") : "";
    return `${" ".repeat(depth)}${formatLines(start.line, end.line)} ${written || name}${hidden}`;
  });
}
