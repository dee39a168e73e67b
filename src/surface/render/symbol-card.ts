/**
 * One symbol: its card, and its callers or callees as an indented tree. Over the budget the deepest levels go first.
 */

import type { ExportedName } from "../../core/code/find-symbols.ts";
import { splitDocumentId } from "../../core/docs/node-id.ts";
import {
  type EdgeTier,
  type FileRecord,
  isExported,
  SYMBOL_KIND_NAMES,
  type SymbolRecord,
  withoutOrdinal,
} from "../../core/format/code-model.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import type { ShownSymbol } from "./found-symbols.ts";
import { formatCount, formatLines } from "./numbers.ts";
import { fence } from "./passages.ts";
import { formatPosition, formatSymbol, symbolLines, toCodeNode } from "./symbols.ts";

/** A symbol of the tree. */
export interface ShownCall {
  readonly id: string;
  readonly record: SymbolRecord;
  readonly inFile: FileRecord;
  readonly calls: number;
  readonly tier: EdgeTier;
  readonly isRepeated: boolean;
  readonly children: readonly ShownCall[];
  readonly more: number | undefined;
}

/** The tree from all levels down to the first. */
export function callTreeForms(root: ShownCall, depth: number): [AnswerForm, ...AnswerForm[]] {
  const form = (levels: number): AnswerForm => ({
    detail: levels === 1 ? "the first level" : `the first ${levels} levels`,
    blocks: () => linesBelow(root, 1, levels),
    json: (shown) => rootToJson(firstOf(root, levels, shown), levels),
    toon: (shown) => toTable(firstOf(root, levels, shown), levels),
    joined: true,
  });
  return [form(depth), ...Array.from({ length: depth - 1 }, (_, at) => form(depth - 1 - at))];
}

function linesBelow(node: ShownCall, level: number, levels: number): string[] {
  if (level > levels) return [];
  const indent = "  ".repeat(level);
  const lines = node.children.flatMap((child) => [
    `${indent}${lineOf(child, node)}`,
    ...linesBelow(child, level + 1, levels),
  ]);
  return node.more !== undefined && node.more > 0 ? [...lines, `${indent}… ${node.more} more`] : lines;
}

/** `src/b.ts @10:1 Function - main (2 calls, receiver)`; the path left out where it is that of the line above. */
function lineOf({ record, inFile, calls, tier, isRepeated }: ShownCall, above: ShownCall): string {
  const path = inFile.id === above.inFile.id ? "" : `${splitDocumentId(inFile.id).path} `;
  const container = inFile.symbols[record.parent];
  return `${path}${formatSymbol(record, container)} (${formatCount(calls, "call")}, ${tier}${isRepeated ? ", shown above" : ""})`;
}

/** The tree without what a cut of its only level leaves out: a line is a symbol there. */
function firstOf(root: ShownCall, levels: number, shown: number): ShownCall {
  return levels > 1 ? root : { ...root, children: root.children.slice(0, shown) };
}

function rootToJson(root: ShownCall, levels: number): JsonObject {
  const { calls: _, tier: __, ...json } = callToJson(root, levels);
  return json;
}

/** The tree as one table: what stands below a row has the next level and follows it. */
function toTable(root: ShownCall, levels: number): JsonObject {
  const rows = (node: ShownCall, level: number): Readonly<Record<string, unknown>>[] =>
    level > levels
      ? []
      : node.children.flatMap((child) => [
          {
            level,
            symbol: child.record.path,
            kind: child.record.kind,
            file: splitDocumentId(child.inFile.id).path,
            line: child.record.at.line,
            calls: child.calls,
            tier: child.tier,
            more: child.more ?? 0,
          },
          ...rows(child, level + 1),
        ]);
  return { symbol: root.id, more: root.more ?? 0, calls: rows(root, 1) };
}

function callToJson(
  { id, record, inFile, calls, tier, isRepeated, children, more }: ShownCall,
  levels: number,
): Readonly<Record<string, unknown>> {
  return {
    id,
    kind: record.kind,
    name: record.name,
    filePath: splitDocumentId(inFile.id).path,
    line: record.at.line,
    column: record.at.column,
    calls,
    tier,
    ...(isRepeated && { isRepeated }),
    ...(levels > 0 && { children: children.map((child) => callToJson(child, levels - 1)) }),
    ...(more !== undefined && more > 0 && { more }),
  };
}

/** A section of a page that names the symbol. */
interface NamingSection {
  readonly nodeId: string;
  readonly text: string;
  readonly line: number;
}

/** What is known of a symbol. */
export interface SymbolCard {
  readonly id: string;
  readonly symbol: ShownSymbol;
  /** Names of what it extends and implements, as written; of which it is not known which of the two. */
  readonly bases: Readonly<Record<"extends" | "implements" | "either", readonly string[]>>;
  /** What extends, implements or overrides it, and how many there are. */
  readonly implementations: readonly ShownSymbol[];
  readonly implementationCount: number;
  /** Under which names it is exported, where not by its own name from its file. */
  readonly exports: readonly ExportedName[];
  /** Other declarations of the same name in the same container. */
  readonly overloads: readonly SymbolRecord[];
  /** Places that call it, without guesses; places that use it otherwise; places that may mean it. */
  readonly callers: number;
  readonly references: number;
  readonly guesses: number;
  readonly mentions: readonly NamingSection[];
  readonly mentionCount: number;
  /** One call that gives its source. */
  readonly sourceCall: string;
}

/** First line: `Method - open [Store, Class]`, and where it stands. */
export function summarizeSymbol({ symbol: { record, inFile } }: SymbolCard): string {
  const container = inFile.symbols[record.parent];
  const name = formatSymbol(record, container).replace(/^@\S+ /, "");
  const { start, end } = record;
  const lines = `${start.line === end.line ? "line" : "lines"} ${formatLines(start.line, end.line)}`;
  return `${name}\n${splitDocumentId(inFile.id).path} ${formatPosition(record.at)}, ${lines}`;
}

/** Forms from everything to the signature alone. */
export function cardForms(card: SymbolCard): [AnswerForm, ...AnswerForm[]] {
  const all = blocksOf(card);
  const form = (count: number, detail: string): AnswerForm => ({
    detail,
    blocks: () => all.slice(0, count),
    json: () => cardToJson(card, count === all.length),
  });
  const { id, symbol, sourceCall } = card;
  const place = { kind: symbol.record.kind, name: symbol.record.name, line: symbol.record.at.line };
  const barest: AnswerForm = {
    detail: "the id",
    blocks: () => [`id ${id}`],
    json: (shown) => (shown > 0 ? { id, ...place } : { id }),
    keepAtLeast: 1,
    more: `Its source: ${sourceCall}.`,
  };
  return [form(all.length, "all of it"), form(1, "the declaration"), barest];
}

function blocksOf(card: SymbolCard): string[] {
  const { id, symbol, implementations, implementationCount, overloads, mentions, mentionCount } = card;
  const { record, inFile } = symbol;
  const own = [
    `id ${id}`,
    ...(record.signature === "" ? [] : [fence(record.signature, inFile.language)]),
    ...(record.doc === "" ? [] : [record.doc]),
    `${describeFlags(symbol)}; module ${inFile.module}, package ${inFile.package}`,
    ...(record.bases.length === 0 ? [] : [describeBases(card.bases)]),
    ...(record.type === "" ? [] : [`type ${record.type}`]),
    describeUses(card),
    `Its source: ${card.sourceCall}`,
  ];
  const blocks = [own.join("\n")];
  if (card.exports.length > 0) blocks.push(["Exported", ...card.exports.map(describeExport)].join("\n"));
  if (overloads.length > 0) {
    blocks.push(
      [
        `${formatCount(overloads.length, "other declaration")}`,
        ...overloads.flatMap((one) => symbolLines(one, "  ", true)),
      ].join("\n"),
    );
  }
  if (implementationCount > 0) {
    blocks.push(
      [
        formatCount(implementationCount, "implementation"),
        ...implementations.map(
          ({ record: one, inFile: file }) =>
            `  ${splitDocumentId(file.id).path} ${formatSymbol(one, file.symbols[one.parent])}`,
        ),
        ...more(implementationCount - implementations.length),
      ].join("\n"),
    );
  }
  if (mentionCount > 0) {
    blocks.push(
      [
        `Named in ${formatCount(mentionCount, "section")} of pages`,
        ...mentions.map(({ nodeId, line }) => `  ${nodeId} line ${line}`),
        ...more(mentionCount - mentions.length),
      ].join("\n"),
    );
  }
  return blocks;
}

/** `exported, async`; of a member `exported with Store, static`; `private`, `inside openStore`, or `not exported`. */
function describeFlags({ record, inFile }: ShownSymbol): string {
  const container = inFile.symbols[record.parent];
  const containerName = withoutOrdinal(container?.path ?? "");
  const others = record.flags.filter((flag) => flag !== "inner" && flag !== "exported" && flag !== "shorthand");
  const isHidden = others.some((flag) => flag === "private" || flag === "protected");
  const reach = record.flags.includes("exported")
    ? ["exported"]
    : isExported(inFile.language, inFile.symbols, record)
      ? [`exported with ${containerName}`]
      : record.flags.includes("inner")
        ? [container === undefined ? "inside of other code" : `inside ${containerName}`]
        : isHidden
          ? []
          : ["not exported"];
  return [...reach, ...others.map((flag) => (flag === "defaultExport" ? "default export" : flag))].join(", ");
}

/** `  as Shop by src/index.ts line 3`. */
function describeExport({ name, file, at }: ExportedName): string {
  return `  as ${name} by ${splitDocumentId(file).path} line ${at.line}`;
}

/** `extends BaseStore; implements Closable`. */
function describeBases(bases: SymbolCard["bases"]): string {
  const parts = [
    ["extends", bases.extends],
    ["implements", bases.implements],
    ["extends or implements", bases.either],
  ] as const;
  return parts.flatMap(([verb, names]) => (names.length === 0 ? [] : [`${verb} ${names.join(", ")}`])).join("; ");
}

function more(count: number): string[] {
  return count > 0 ? [`  … ${count} more`] : [];
}

function describeUses({ callers, references, guesses }: SymbolCard): string {
  const places = `${formatCount(callers, "call")} and ${formatCount(references, "other reference")} found`;
  const guessed = guesses > 0 ? `, ${guesses} more by name alone` : "";
  const limit = callers + references === 0 ? "; that does not mean that it is unused" : "";
  return `${places}${guessed}${limit}`;
}

function cardToJson(card: SymbolCard, isWhole: boolean) {
  const { id, symbol, implementations, mentions, overloads } = card;
  const { record, inFile } = symbol;
  const node = toCodeNode(inFile, record, false);
  return {
    ...node,
    id,
    signature: record.signature,
    doc: record.doc,
    kindLabel: SYMBOL_KIND_NAMES[record.kind].label,
    flags: record.flags.filter((flag) => flag !== "shorthand"),
    bases: record.bases,
    type: record.type,
    line: record.at.line,
    column: record.at.column,
    callerCount: card.callers,
    referenceCount: card.references,
    guessCount: card.guesses,
    implementationCount: card.implementationCount,
    mentionCount: card.mentionCount,
    ...(isWhole && {
      exports: card.exports.map(({ name, file, at }) => ({
        name,
        filePath: splitDocumentId(file).path,
        line: at.line,
      })),
      overloads: overloads.map((one) => toCodeNode(inFile, one, true)),
      implementations: implementations.map((one) => toCodeNode(one.inFile, one.record, false)),
      mentions,
    }),
  };
}
