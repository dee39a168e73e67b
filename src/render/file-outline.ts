/**
 * A source file as tool `read` shows it: names, signatures, or the code of what has no members.
 *
 * One block for each symbol at the top of the file, its members indented below it. Over the budget code goes first,
 * then signatures, then the deepest levels. Pure.
 */
import type { FileRecord, SymbolRecord } from "../core/format/code-records.ts";
import { linesOf } from "../core/text/lines.ts";
import type { AnswerForm } from "./answer.ts";
import { symbolId, toCodeNode } from "./code-node.ts";
import { groupNodes } from "./code-tables.ts";
import { formatCount } from "./counts.ts";
import { formatBreakdown, symbolLines } from "./symbol-lines.ts";

/** What is shown of each symbol. */
export const PREVIEW_MODES = ["none", "signature", "expanded"] as const;
export type PreviewMode = (typeof PREVIEW_MODES)[number];

/** Languages whose comments begin otherwise than with `//`. */
const COMMENT_STARTS: Readonly<Record<string, string>> = { python: "#", ruby: "#", bash: "#" };

/** What to show of a file. */
export interface FileOutlineOptions {
  readonly mode: PreviewMode;
  /** Levels below the top of the file. */
  readonly maxDepth: number;
  /** Lines of code of one symbol. */
  readonly maxLines: number;
  readonly showContainer: boolean;
  /** Text of the file from its first line on; needed for `expanded` alone. */
  readonly text?: string;
}

/** A symbol with its members, as far as they are shown. */
interface OutlineNode {
  readonly symbol: SymbolRecord;
  readonly depth: number;
  /** Whether the file has members of it that an outline can show. */
  readonly isLeaf: boolean;
  readonly members: readonly OutlineNode[];
}

/** First lines of the answer: how many symbols, and of which kinds. */
export function summarizeFile(path: string, symbols: readonly SymbolRecord[], maxDepth: number): string {
  const found = `Found ${formatCount(symbols.length, "symbol")} in file: ${path} (max depth ${maxDepth})`;
  return symbols.length === 0 ? found : `${found}\nSymbol breakdown: ${formatBreakdown(symbols)}`;
}

/**
 * Symbols that are shown, in the order of the source. `isShown` says which an outline has at all.
 */
export function listShown(
  file: FileRecord,
  isShown: (symbol: SymbolRecord) => boolean,
  maxDepth: number,
): SymbolRecord[] {
  return flatten(toTree(file, isShown, maxDepth)).map(({ symbol }) => symbol);
}

/** The file from the fullest form that was asked for down to the names of its first level. */
export function fileForms(
  file: FileRecord,
  isShown: (symbol: SymbolRecord) => boolean,
  options: FileOutlineOptions,
): [AnswerForm, ...AnswerForm[]] {
  const tree = toTree(file, isShown, options.maxDepth);
  const deepest = flatten(tree).reduce((most, { depth }) => Math.max(most, depth), 0);
  const lines = options.mode === "expanded" ? linesOf(options.text ?? "") : [];
  const form = (mode: PreviewMode, depth: number, detail: string): AnswerForm => {
    const roots = toTree(file, isShown, depth);
    return {
      detail,
      blocks: () => roots.map((root) => blockOf(file, root, { ...options, mode }, lines).join("\n")),
      json: (shown) => ({
        file: file.id,
        language: file.language,
        symbols: flatten(roots.slice(0, shown)).map(({ symbol, isLeaf }) => ({
          ...toCodeNode(file, symbol, mode !== "none"),
          line: symbol.at.line,
          column: symbol.at.column,
          ...(mode === "expanded" &&
            isLeaf && { code: codeOf(symbol, lines, options.maxLines, file.language).join("\n") }),
        })),
      }),
      toon: (shown) => ({
        file: file.id,
        ...groupNodes(flatten(roots.slice(0, shown)).map(({ symbol }) => toCodeNode(file, symbol, mode !== "none"))),
      }),
      more: `One symbol whole: get_node_content with node_ids ["${firstId(file, roots)}"].`,
    };
  };
  const modes = PREVIEW_MODES.slice(0, PREVIEW_MODES.indexOf(options.mode) + 1).reverse();
  const levels = Array.from({ length: deepest }, (_, index) => deepest - 1 - index);
  const narrow = levels.map((depth) =>
    form("none", depth, depth === 0 ? "names of the first level" : `names of ${depth + 1} levels`),
  );
  const [first, ...rest] = [...modes.map((mode) => form(mode, options.maxDepth, DETAILS[mode])), ...narrow];
  const forms: [AnswerForm, ...AnswerForm[]] = [first as AnswerForm, ...rest];
  forms[forms.length - 1] = { ...(forms.at(-1) as AnswerForm), keepAtLeast: 1 };
  return forms;
}

const DETAILS: Readonly<Record<PreviewMode, string>> = { none: "names", signature: "signatures", expanded: "code" };

function firstId(file: FileRecord, roots: readonly OutlineNode[]): string {
  const [root] = roots;
  return root === undefined ? file.id : symbolId(file, root.symbol);
}

/** Symbols of a file as trees, in the order of the source. */
function toTree(file: FileRecord, isShown: (symbol: SymbolRecord) => boolean, maxDepth: number): OutlineNode[] {
  const children = new Map<number, number[]>();
  for (const [index, symbol] of file.symbols.entries()) {
    if (!isShown(symbol)) continue;
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
            return { symbol, depth, isLeaf: !children.has(index), members: build(index, depth + 1) };
          })
          .sort((a, b) => a.symbol.at.line - b.symbol.at.line || a.symbol.at.column - b.symbol.at.column);
  return build(-1, 0);
}

function flatten(nodes: readonly OutlineNode[]): OutlineNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.members)]);
}

function blockOf(
  file: FileRecord,
  { symbol, depth, isLeaf, members }: OutlineNode,
  options: FileOutlineOptions,
  lines: readonly string[],
): string[] {
  const indent = "  ".repeat(depth);
  const container = options.showContainer ? file.symbols[symbol.parent] : undefined;
  const withCode = options.mode === "expanded" && isLeaf;
  const own = symbolLines(symbol, indent, options.mode !== "none" && !withCode, container);
  if (withCode) own.push(...fence(codeOf(symbol, lines, options.maxLines, file.language), file.language, indent));
  return [...own, ...members.flatMap((member) => blockOf(file, member, options, lines))];
}

/** Lines of a symbol's source, of a long one the first and how many more there are. */
function codeOf({ start, end }: SymbolRecord, lines: readonly string[], maxLines: number, language: string): string[] {
  const code = lines.slice(start.line - 1, end.line).map((line) => line.replace(/\r$/, ""));
  if (code.length <= maxLines) return code;
  const left = formatCount(code.length - maxLines, "more line");
  return [...code.slice(0, maxLines), `${COMMENT_STARTS[language] ?? "//"} ... ${left}`];
}

/** Code in a fence that no run of backticks in it can close. */
function fence(code: readonly string[], language: string, indent: string): string[] {
  const longest =
    code
      .join("\n")
      .match(/`{3,}/g)
      ?.reduce((most, run) => Math.max(most, run.length), 0) ?? 0;
  const marks = "`".repeat(Math.max(3, longest + 1));
  return [`${indent}${marks}${language}`, ...code.map((line) => `${indent}${line}`), `${indent}${marks}`];
}
