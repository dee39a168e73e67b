/**
 * Tool `inspect`: one symbol, with who uses it, what implements it, and the pages that name it.
 */
import type { EdgeKind } from "../../core/format/edge-kinds.ts";
import { declarationsOf, useTargetsOf } from "../../core/graph/declarations.ts";
import { countIncoming, incomingEdges } from "../../core/graph/incoming-edges.ts";
import { mentionsOf } from "../../core/graph/mentions.ts";
import { cardForms, summarizeSymbol } from "../../render/symbol-card.ts";
import { formatExample } from "../arguments.ts";
import { findSymbol, SYMBOL_PARAMETERS } from "../find-code.ts";
import { defineTool } from "../tool.ts";

const NAME = "inspect";
/** What is listed of implementations and of sections. */
const MAX_LISTED = 10;
const CALLS: readonly EdgeKind[] = ["calls", "instantiates"];
const IMPLEMENTS: readonly EdgeKind[] = ["extends", "implements", "overrides"];

/** The tool. */
export const inspectTool = defineTool({
  name: NAME,
  description:
    "One symbol whole: kind, signature, doc comment, container, exports, implementations, number of callers, sections of the docs that name it. Use before changing or calling it; next references or call_hierarchy.",
  parameters: SYMBOL_PARAMETERS,
  example: { symbol: "Store.open" },
  async run(args, { reader }) {
    const symbol = await findSymbol(reader, args, NAME);
    const declarations = declarationsOf(symbol);
    const targets = useTargetsOf(symbol);
    const [lists, implementing, naming] = await Promise.all([
      countIncoming(reader, targets),
      incomingEdges(reader, targets, { kinds: IMPLEMENTS }, { offset: 0, limit: MAX_LISTED }),
      mentionsOf(reader, (declarations[0] ?? symbol).id),
    ]);
    const counts = lists.flat();
    const sum = (isCounted: (count: (typeof counts)[number]) => boolean): number =>
      counts.filter(isCounted).reduce((total, { count }) => total + count, 0);
    const card = {
      id: symbol.id,
      symbol,
      implementations: implementing.edges.flatMap(({ from }) => (from === undefined ? [] : [from])),
      implementationCount: implementing.total,
      overloads: declarations.flatMap(({ id, record }) => (id === symbol.id ? [] : [record])),
      callers: sum(({ kind, tier }) => CALLS.includes(kind) && tier !== "name"),
      references: sum(({ kind, tier }) => !CALLS.includes(kind) && tier !== "name"),
      guesses: sum(({ tier }) => tier === "name"),
      mentions: naming.sections.slice(0, MAX_LISTED),
      mentionCount: naming.total,
      sourceCall: formatExample({ name: "get_node_content", example: { node_ids: [symbol.id] } }),
    };
    return { summary: summarizeSymbol(card), forms: cardForms(card) };
  },
});
