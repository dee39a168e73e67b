/**
 * Tool `inspect`: one symbol, with who uses it, what implements it, and the pages that name it.
 */
import {
  countIncoming,
  incomingEdges,
  type LoadedTarget,
  mentionsOf,
  type OutgoingEdge,
} from "../../core/code/edges.ts";
import { exportedNames } from "../../core/code/find-symbols.ts";
import { basesOf } from "../../core/code/hierarchy.ts";
import { declarationsOf } from "../../core/code/load-files.ts";
import { useTargetsOf } from "../../core/code/resolve-symbol.ts";
import type { EdgeKind } from "../../core/format/code-model.ts";
import { cardForms, type SymbolCard, summarizeSymbol } from "../../surface/render/symbol-card.ts";
import { formatExample } from "../arguments.ts";
import { findSymbol, SYMBOL_PARAMETERS } from "../find-code.ts";
import { defineTool } from "../tool.ts";

const NAME = "inspect";
/** What is listed of implementations and of sections. */
const MAX_LISTED = 10;
const CALLS: readonly EdgeKind[] = ["calls", "instantiates"];
const IMPLEMENTS: readonly EdgeKind[] = ["extends", "implements", "overrides"];

export const inspectTool = defineTool({
  name: NAME,
  description:
    "One symbol whole: kind, signature, doc comment, container, exports, implementations, number of callers, sections of the docs that name it. Use before changing or calling it; next references or call_hierarchy.",
  parameters: SYMBOL_PARAMETERS,
  example: { symbol: "Store.open" },
  isKept: true,
  quotes: true,
  async run(args, { reader }) {
    const symbol = await findSymbol(reader, args, NAME);
    const declarations = declarationsOf(symbol);
    const targets = useTargetsOf(symbol);
    const [lists, implementing, naming, exported, [bases = []]] = await Promise.all([
      countIncoming(reader, targets),
      incomingEdges(reader, targets, { kinds: IMPLEMENTS }, { offset: 0, limit: MAX_LISTED }),
      mentionsOf(reader, (declarations[0] ?? symbol).id),
      exportedNames(reader, declarations[0] ?? symbol, MAX_LISTED),
      symbol.record.bases.length === 0 ? [] : basesOf(reader, [symbol]),
    ]);
    const counts = lists.flat();
    const sum = (isCounted: (count: (typeof counts)[number]) => boolean): number =>
      counts.filter(isCounted).reduce((total, { count }) => total + count, 0);
    const card = {
      id: symbol.id,
      symbol,
      bases: sortBases(symbol.record.bases, bases),
      implementations: implementing.edges.flatMap(({ from }) => (from === undefined ? [] : [from])),
      implementationCount: implementing.total,
      exports: exported,
      overloads: declarations.flatMap(({ id, record }) => (id === symbol.id ? [] : [record])),
      callers: sum(({ kind, tier }) => CALLS.includes(kind) && tier !== "name"),
      references: sum(({ kind, tier }) => !CALLS.includes(kind) && tier !== "name"),
      guesses: sum(({ tier }) => tier === "name"),
      mentions: naming.sections.slice(0, MAX_LISTED),
      mentionCount: naming.total,
      sourceCall: formatExample({ name: "get_node_content", example: { node_ids: [symbol.id] } }),
    };
    return { summary: summarizeSymbol(card), forms: cardForms(card), notes: symbol.notes };
  },
});

/** Names of bases, as written, by what the edges to them say; those that nothing leads to apart. */
function sortBases(written: readonly string[], edges: readonly OutgoingEdge[]): SymbolCard["bases"] {
  const sorted = { extends: [] as string[], implements: [] as string[], either: [] as string[] };
  for (const [at, name] of written.entries()) {
    // Both stand in the order of the source; where some have no edge, names tell which do.
    const edge =
      edges.length === written.length ? edges[at] : edges.find(({ to }) => lastName(nameOf(to)) === lastName(name));
    const kind = edge?.kind;
    sorted[kind === "extends" || kind === "implements" ? kind : "either"].push(name);
  }
  return sorted;
}

function nameOf(target: LoadedTarget): string {
  if (target.kind === "external") return target.name;
  return target.kind === "symbol" ? target.symbol.record.name : "";
}

function lastName(qualified: string): string {
  return qualified.split(/[.:/#\\]+/).at(-1) ?? "";
}
