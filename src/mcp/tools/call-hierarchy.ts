/**
 * Tool `call_hierarchy`: who calls a symbol, or whom it calls, level by level. Over the budget the deepest levels go first.
 */
import { type CallNode, callTree } from "../../core/code/call-tree.ts";
import { countIncoming } from "../../core/code/edges.ts";
import type { LoadedSymbol } from "../../core/code/model.ts";
import { useTargetsOf } from "../../core/code/resolve-symbol.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { AnswerForm, JsonObject } from "../../surface/render/answer.ts";
import { formatSymbol } from "../../surface/render/symbols.ts";
import { formatCount } from "../../surface/render/text.ts";
import { findSymbol, SYMBOL_PARAMETERS } from "../find-named.ts";
import { asideFilesOf } from "../find-target.ts";
import { defineTool } from "../tool.ts";
import { openPlacesNotes } from "../word-places.ts";

const NAME = "call_hierarchy";
const DIRECTIONS = ["callers", "callees"] as const;
/** What editors and other tools call the same. */
const SYNONYMS = { incoming: "callers", in: "callers", outgoing: "callees", out: "callees" };

export const callHierarchyTool = defineTool({
  name: NAME,
  description:
    "Tree of the callers of a symbol, or of what it calls, up to five levels. Use to trace how code is reached; next inspect or get_node_content.",
  parameters: {
    ...SYMBOL_PARAMETERS,
    direction: { kind: "choice", values: DIRECTIONS, default: "callers", synonyms: SYNONYMS },
    depth: { kind: "integer", default: 1, maximum: 5, aliases: ["max_depth"] },
  },
  example: { symbol: "Store.open", direction: "callers" },
  isKept: true,
  async run({ direction, depth, ...args }, { reader }) {
    const symbol = await findSymbol(reader, args, NAME);
    const isLast = await asideFilesOf(reader, symbol.shard);
    const root = await callTree(reader, symbol, { direction, depth, isLast });
    const found = root.children.length + (root.more ?? 0);
    const one = direction.slice(0, -1);
    const deeper = depth > 1 && found > 0 ? ` and up to ${formatCount(depth - 1, "further level")}` : "";
    return {
      summary: `${formatCount(found, one)} of ${symbol.id}${deeper}`,
      forms: Array.from({ length: depth }, (_, at) => toForm(root, depth - at)),
      notes: [
        ...symbol.notes,
        ...(direction === "callers"
          ? [...(await readsNotes(reader, symbol)), ...(await openPlacesNotes(reader, symbol))]
          : []),
        ...(found === 0 ? [`No ${one} was found; calls that depend on run-time values are not followed.`] : []),
      ],
    };
  },
});

/** Places that hand a function on, which calls it later, or call it by `call` and `apply`. */
async function readsNotes(reader: IndexReader, symbol: LoadedSymbol): Promise<string[]> {
  if (!["function", "method"].includes(symbol.record.kind)) return [];
  const counts = (await countIncoming(reader, useTargetsOf(symbol))).flat();
  const reads = counts.reduce((sum, { kind, count }) => sum + (kind === "reads" ? count : 0), 0);
  return reads === 0
    ? []
    : [`${formatCount(reads, "place")} beside these may pass it on; references shows what uses it.`];
}

/** So many levels of the tree. */
function toForm(root: CallNode, levels: number): AnswerForm {
  // A line is a symbol where there is one level: that can be cut between them.
  const first = (shown: number): CallNode => (levels > 1 ? root : { ...root, children: root.children.slice(0, shown) });
  return {
    detail: levels === 1 ? "the first level" : `the first ${levels} levels`,
    blocks: () => linesBelow(root, 1, levels),
    json: (shown) => {
      const { calls: _, tier: __, ...json } = toJson(first(shown), levels);
      return json;
    },
    toon: (shown) => ({ symbol: root.symbol.id, more: root.more ?? 0, calls: rowsBelow(first(shown), 1, levels) }),
    joined: true,
  };
}

function linesBelow(node: CallNode, level: number, levels: number): string[] {
  if (level > levels) return [];
  const indent = "  ".repeat(level);
  const lines = node.children.flatMap((child) => [
    `${indent}${lineOf(child)}`,
    ...linesBelow(child, level + 1, levels),
  ]);
  return node.more !== undefined && node.more > 0 ? [...lines, `${indent}… ${node.more} more`] : lines;
}

/** `src/b.ts @10:1 Function - main (2 calls, receiver)` */
function lineOf(node: CallNode): string {
  const { record, inFile } = node.symbol;
  const note = `${formatCount(node.calls, "call")}, ${node.tier}${node.isRepeated ? ", shown above" : ""}`;
  return `${pathOf(inFile.id)} ${formatSymbol(record, inFile.symbols[record.parent])} (${note})`;
}

/** The tree as one table: what stands below a row has the next level and follows it. */
function rowsBelow(node: CallNode, level: number, levels: number): JsonObject[] {
  if (level > levels) return [];
  return node.children.flatMap((child) => {
    const { symbol, calls, tier, more = 0 } = child;
    const { path, kind, at } = symbol.record;
    const row = { level, symbol: path, kind, file: pathOf(child.symbol.inFile.id), line: at.line, calls, tier, more };
    return [row, ...rowsBelow(child, level + 1, levels)];
  });
}

function toJson(node: CallNode, levels: number): JsonObject {
  const { symbol, calls, tier, isRepeated, children, more } = node;
  const { kind, name, at } = symbol.record;
  return {
    id: symbol.id,
    kind,
    name,
    filePath: pathOf(node.symbol.inFile.id),
    line: at.line,
    column: at.column,
    calls,
    tier,
    ...(isRepeated && { isRepeated }),
    ...(levels > 0 && { children: children.map((child) => toJson(child, levels - 1)) }),
    ...(more !== undefined && more > 0 && { more }),
  };
}
