/**
 * Tool `call_hierarchy`: who calls a symbol, or whom it calls, level by level.
 */
import { type CallNode, callTree } from "../../core/code/call-tree.ts";
import { formatCount } from "../../surface/render/numbers.ts";
import { callTreeForms, type ShownCall } from "../../surface/render/symbol-card.ts";
import { findSymbol, SYMBOL_PARAMETERS } from "../find-code.ts";
import { defineTool } from "../tool.ts";

const NAME = "call_hierarchy";
const DIRECTIONS = ["callers", "callees"] as const;

export const callHierarchyTool = defineTool({
  name: NAME,
  description:
    "Tree of the callers of a symbol, or of what it calls, up to five levels. Use to trace how code is reached; next inspect or get_node_content.",
  parameters: {
    ...SYMBOL_PARAMETERS,
    direction: { kind: "choice", values: DIRECTIONS, default: "callers" },
    depth: { kind: "integer", default: 1, maximum: 5, aliases: ["max_depth"] },
  },
  example: { symbol: "Store.open", direction: "callers" },
  isKept: true,
  async run({ direction, depth, ...args }, { reader }) {
    const symbol = await findSymbol(reader, args, NAME);
    const root = toShown(await callTree(reader, symbol, { direction, depth }));
    const found = root.children.length + (root.more ?? 0);
    const one = direction.slice(0, -1);
    const deeper = depth > 1 && found > 0 ? ` and up to ${formatCount(depth - 1, "further level")}` : "";
    return {
      summary: `${formatCount(found, one)} of ${symbol.id}${deeper}`,
      forms: callTreeForms(root, depth),
      notes: [
        ...symbol.notes,
        ...(found === 0 ? [`No ${one} was found; calls that depend on run-time values are not followed.`] : []),
      ],
    };
  },
});

function toShown({ symbol, children, ...node }: CallNode): ShownCall {
  return { ...node, id: symbol.id, record: symbol.record, inFile: symbol.inFile, children: children.map(toShown) };
}
