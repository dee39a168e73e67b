/**
 * Callers or callees of a symbol, indented, a line a symbol. Over the budget the deepest levels go first. Pure.
 */

import { splitDocumentId } from "../../core/docs/node-id.ts";
import type { EdgeTier, FileRecord, SymbolRecord } from "../../core/format/code-model.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatCount } from "./counts.ts";
import { formatSymbol } from "./symbol-lines.ts";

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
  const forms = Array.from({ length: depth }, (_, at) => form(depth - at));
  const [first, ...rest] = forms;
  const all: [AnswerForm, ...AnswerForm[]] = [first as AnswerForm, ...rest];
  all[all.length - 1] = { ...(all.at(-1) as AnswerForm), keepAtLeast: 1 };
  return all;
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
  const { calls: _, tier: __, ...json } = toJson(root, levels);
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

function toJson(
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
    ...(levels > 0 && { children: children.map((child) => toJson(child, levels - 1)) }),
    ...(more !== undefined && more > 0 && { more }),
  };
}
