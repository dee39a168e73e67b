/**
 * Places that lead to a symbol, one block a file: position, what is done there, in which symbol, how sure it is, the line.
 * Pure.
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
import { groupRuns } from "../../core/group-runs.ts";
import type { AnswerForm, AnswerPage, JsonObject } from "./answer.ts";
import { previewSignature } from "./code-node.ts";
import { formatCount } from "./counts.ts";
import { formatPart } from "./found-symbols.ts";
import { formatPosition, quoteSignature } from "./symbol-lines.ts";

/** A place. */
export interface ShownReference {
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
  const blocks = (withText: boolean, shown: number): string[] =>
    groupRuns(references.slice(0, shown), ({ inFile }) => inFile.id).map((group) => blockOf(group, withText));
  const form = (withText: boolean, detail: string): AnswerForm => ({
    detail,
    blocks: () => blocks(withText, references.length),
    items: { count: references.length, blocks: (shown) => blocks(withText, shown) },
    json: (shown) => ({
      symbol: id,
      total,
      references: references.slice(0, shown).map((one) => toJson(one, withText)),
    }),
    toon: (shown) => ({ symbol: id, count: total, ...tablesOf(references.slice(0, shown), withText) }),
  });
  return [form(true, "lines"), { ...form(false, "positions"), keepAtLeast: 1 }];
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

function blockOf(group: readonly ShownReference[], withText: boolean): string {
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
