/**
 * Tool `references`: the places that lead to a symbol, one block a file.
 */

import { incomingEdges } from "../../core/code/edges.ts";
import { useTargetsOf } from "../../core/code/resolve-symbol.ts";
import { readSourceLines } from "../../core/docs/documents.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import {
  type EdgeKind,
  type EdgeRecord,
  type FileRecord,
  IMPORT_KINDS,
  makeSymbolId,
  type SymbolRecord,
} from "../../core/format/code-model.ts";
import { type JsonObject, listForms } from "../../surface/render/answer.ts";
import { formatPart, formatPosition, previewSignature, quoteSignature } from "../../surface/render/symbols.ts";
import { formatCount, formatList, groupRuns } from "../../surface/render/text.ts";
import { findSymbol, SYMBOL_PARAMETERS } from "../find-named.ts";
import { defineTool } from "../tool.ts";
import { openPlacesNotes } from "../word-places.ts";

const NAME = "references";
/** Kinds of edges by what callers ask for. */
const KINDS_OF = {
  calls: ["calls", "instantiates", "decorates"],
  reads: ["reads", "writes"],
  types: ["type", "extends", "implements", "overrides", "declares"],
  imports: IMPORT_KINDS,
} as const satisfies Readonly<Record<string, readonly EdgeKind[]>>;
const INCLUDES = Object.keys(KINDS_OF) as readonly (keyof typeof KINDS_OF)[];

export const referencesTool = defineTool({
  name: NAME,
  description:
    "Places that lead to a symbol, by file: calls, reads, types, imports, each with its line and how sure it is (precise, scope, receiver, name = a guess). Use before changing it; next call_hierarchy or rename.",
  parameters: {
    ...SYMBOL_PARAMETERS,
    include: { kind: "choices", values: INCLUDES },
    limit: { kind: "integer", default: 50, maximum: 200 },
  },
  pages: true,
  example: { symbol: "Store.open", include: ["calls"] },
  isKept: true,
  async run({ include, limit, ...args }, { reader, offset }) {
    const symbol = await findSymbol(reader, args, NAME);
    const kinds = include?.flatMap((name): readonly EdgeKind[] => KINDS_OF[name]);
    const targets = useTargetsOf(symbol);
    const found = await incomingEdges(reader, targets, kinds === undefined ? {} : { kinds }, {
      offset,
      limit,
    });
    const lines = await readSourceLines(
      reader,
      found.edges.map(({ file, at }) => ({ file: file.record.id, start: at.line, end: at.line })),
    );
    const references = found.edges.map(({ file, from, kind, tier, typeOnly, at }, index) => {
      return { inFile: file.record, from: from?.record, kind, tier, typeOnly, at, text: lines[index] };
    });
    const { id } = symbol;
    const { total } = found;
    const files = new Set(references.map(({ inFile }) => inFile.id)).size;
    const part = formatPart(offset, references.length, total);
    return {
      summary: `Found ${formatCount(total, "reference")} to ${id}${part} in ${formatCount(files, "file")}`,
      forms: listForms(references, [["lines", true] as const, ["positions", false] as const], {
        blocks: (shown, withText) =>
          groupRuns(shown, ({ inFile }) => inFile.id).map((group) => fileBlock(group, withText)),
        toJson: (shown, withText) => ({ symbol: id, total, references: shown.map((one) => toJson(one, withText)) }),
        toToon: (shown, withText) => ({ symbol: id, count: total, ...tablesOf(shown, withText) }),
      }),
      page: { offset, total, items: "references" },
      notes: [
        ...symbol.notes,
        ...(offset === 0 ? await openPlacesNotes(reader, symbol) : []),
        ...(total === 0 ? ["No place was found; calls that depend on run-time values are not followed."] : []),
      ],
    };
  },
});

/** A place. */
interface ShownReference extends Pick<EdgeRecord, "at" | "kind" | "tier" | "typeOnly"> {
  readonly inFile: FileRecord;
  /** The symbol that it lies in. */
  readonly from: SymbolRecord | undefined;
  /** Its line, where that was read. */
  readonly text: string | undefined;
}

/** One table a file: sure places and guesses of a file come apart, and are one table. */
function tablesOf(references: readonly ShownReference[], withText: boolean): JsonObject {
  const tables = Map.groupBy(references, ({ inFile }) => inFile.id);
  const paths = [...tables.keys()].map((id) => pathOf(id));
  const isUnique = (path: string): boolean => paths.indexOf(path) === paths.lastIndexOf(path);
  return Object.fromEntries(
    [...tables].map(([id, own]) => {
      const path = pathOf(id);
      return [isUnique(path) ? path : id, own.map((one) => toRow(one, withText))];
    }),
  );
}

function fileBlock(group: readonly ShownReference[], withText: boolean): string {
  const lines = group.flatMap((reference) => {
    const { at, from, text } = reference;
    const inside = from === undefined ? "" : ` in ${from.path}`;
    const line = withText && text !== undefined ? quoteSignature(text) : "";
    return [`${formatPosition(at)} ${describe(reference)}${inside}`, ...(line === "" ? [] : [`  ${line}`])];
  });
  const path = pathOf(group[0]?.inFile.id ?? "");
  return formatList(`${path} (${formatCount(group.length, "result")})`, lines);
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
    filePath: pathOf(inFile.id),
    line: at.line,
    column: at.column,
    kind,
    tier,
    typeOnly,
    ...(from !== undefined && { in: makeSymbolId(inFile, from) }),
    ...(withText && text !== undefined && { text: text.trim() }),
  };
}
