/**
 * Tool `inspect`: one symbol, with who uses it, what implements it, and the pages that name it. Over the budget the declaration
 * alone is left, then the id.
 */
import { countIncoming, incomingEdges, mentionsOf } from "../../core/code/edges.ts";
import { exportedNames } from "../../core/code/find-symbols.ts";
import { declarationsOf } from "../../core/code/load-files.ts";
import type { LoadedSymbol } from "../../core/code/model.ts";
import { useTargetsOf } from "../../core/code/resolve-symbol.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import {
  CALL_KINDS,
  type EdgeKind,
  isExported,
  SYMBOL_KIND_NAMES,
  withoutOrdinal,
} from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { AnswerForm } from "../../surface/render/answer.ts";
import { fence } from "../../surface/render/passages.ts";
import { formatPosition, formatSymbol, splitBases, symbolLines, toCodeNode } from "../../surface/render/symbols.ts";
import { formatCount, formatLines, formatList } from "../../surface/render/text.ts";
import { findSymbol, SYMBOL_PARAMETERS } from "../find-named.ts";
import { defineTool, formatExample } from "../tool.ts";
import { openPlacesNotes } from "../word-places.ts";

const NAME = "inspect";
/** What is listed of implementations and of sections. */
const MAX_LISTED = 10;
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
    const { record, inFile } = symbol;
    const name = formatSymbol(record, inFile.symbols[record.parent]).replace(/^@\S+ /, "");
    const { start, end } = record;
    const lines = `${start.line === end.line ? "line" : "lines"} ${formatLines(start.line, end.line)}`;
    return {
      summary: `${name}\n${pathOf(symbol.inFile.id)} ${formatPosition(record.at)}, ${lines}`,
      forms: toForms(await readCard(reader, symbol)),
      notes: [...symbol.notes, ...(await openPlacesNotes(reader, symbol))],
    };
  },
});

/** What is known of a symbol. Counts are of all that there is, lists of the first. */
async function readCard(reader: IndexReader, symbol: LoadedSymbol) {
  const declarations = declarationsOf(symbol);
  const targets = useTargetsOf(symbol);
  const [lists, implementing, naming, exports] = await Promise.all([
    countIncoming(reader, targets),
    incomingEdges(reader, targets, { kinds: IMPLEMENTS }, { offset: 0, limit: MAX_LISTED }),
    mentionsOf(reader, (declarations[0] ?? symbol).id),
    exportedNames(reader, declarations[0] ?? symbol, MAX_LISTED),
  ]);
  const counts = lists.flat();
  const sum = (isCounted: (count: (typeof counts)[number]) => boolean): number =>
    counts.filter(isCounted).reduce((total, { count }) => total + count, 0);
  return {
    symbol,
    implementations: implementing.edges.flatMap(({ from }) => (from === undefined ? [] : [from])),
    implementationCount: implementing.total,
    exports,
    overloads: declarations.flatMap(({ id, record }) => (id === symbol.id ? [] : [record])),
    callers: sum(({ kind, tier }) => CALL_KINDS.includes(kind) && tier !== "name"),
    references: sum(({ kind, tier }) => !CALL_KINDS.includes(kind) && tier !== "name"),
    guesses: sum(({ tier }) => tier === "name"),
    mentions: naming.sections.slice(0, MAX_LISTED),
    mentionCount: naming.total,
    sourceCall: formatExample("get_node_content", { node_ids: [symbol.id] }),
  };
}

type SymbolCard = Awaited<ReturnType<typeof readCard>>;

/** Everything, the declaration, the id. */
function toForms(card: SymbolCard): AnswerForm[] {
  const all = blocksOf(card);
  const form = (count: number, detail: string): AnswerForm => ({
    detail,
    blocks: () => all.slice(0, count),
    json: () => toJson(card, count === all.length),
  });
  const { id, record } = card.symbol;
  const place = { kind: record.kind, name: record.name, line: record.at.line };
  const barest: AnswerForm = {
    detail: "the id",
    blocks: () => [`id ${id}`],
    json: (shown) => (shown > 0 ? { id, ...place } : { id }),
    keepAtLeast: 1,
    more: `Its source: ${card.sourceCall}.`,
  };
  return [form(all.length, "all of it"), form(1, "the declaration"), barest];
}

function blocksOf(card: SymbolCard): string[] {
  const { symbol, implementations, implementationCount, overloads, mentions, mentionCount } = card;
  const { record, inFile } = symbol;
  const own = [
    `id ${symbol.id}`,
    ...(record.signature === "" ? [] : [fence(record.signature, inFile.language)]),
    ...(record.doc === "" ? [] : [record.doc]),
    `${describeFlags(symbol)}; module ${inFile.module}, package ${inFile.package}`,
    ...(record.bases.length === 0 ? [] : [describeBases(record)]),
    ...(record.type === "" ? [] : [`type ${record.type}`]),
    describeUses(card),
    `Its source: ${card.sourceCall}`,
  ];
  const list = (head: string, lines: readonly string[], total: number): string[] =>
    total === 0 ? [] : [formatList(head, lines, total - lines.length)];
  const exported = card.exports.map(({ name, file, at }) => `as ${name} by ${pathOf(file)} line ${at.line}`);
  const others = overloads.flatMap((one) => symbolLines(one, "", true));
  const implementing = implementations.map(
    (one) => `${pathOf(one.inFile.id)} ${formatSymbol(one.record, one.inFile.symbols[one.record.parent])}`,
  );
  const naming = mentions.map(({ nodeId, line }) => `${nodeId} line ${line}`);
  return [
    own.join("\n"),
    ...list("Exported", exported, exported.length),
    ...list(formatCount(overloads.length, "other declaration"), others, others.length),
    ...list(formatCount(implementationCount, "implementation"), implementing, implementationCount),
    ...list(`Named in ${formatCount(mentionCount, "section")} of pages`, naming, mentionCount),
  ];
}

/** `exported, async`; of a member `exported with Store, static`; `private`, `inside openStore`, or `not exported`. */
function describeFlags({ record, inFile }: LoadedSymbol): string {
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

/** `extends BaseStore; implements Closable`. */
function describeBases(record: LoadedSymbol["record"]): string {
  const { extended, implemented } = splitBases(record);
  // `class Store : Base, Closable` does not tell which are which.
  const isOpen = implemented.length === 0 && / : /.test(record.signature);
  return [
    ...(extended.length === 0 ? [] : [`${isOpen ? "extends or implements" : "extends"} ${extended.join(", ")}`]),
    ...(implemented.length === 0 ? [] : [`implements ${implemented.join(", ")}`]),
  ].join("; ");
}

function describeUses({ callers, references, guesses }: SymbolCard): string {
  const places = `${formatCount(callers, "call")} and ${formatCount(references, "other reference")} found`;
  const guessed = guesses > 0 ? `, ${guesses} more by name alone` : "";
  const limit = callers + references === 0 ? "; that does not mean that it is unused" : "";
  return `${places}${guessed}${limit}`;
}

function toJson(card: SymbolCard, isWhole: boolean) {
  const { symbol, overloads, implementations, exports, mentions } = card;
  const { record, inFile } = symbol;
  return {
    ...toCodeNode(inFile, record, false),
    id: symbol.id,
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
      exports: exports.map(({ name, file, at }) => ({ name, filePath: pathOf(file), line: at.line })),
      overloads: overloads.map((one) => toCodeNode(inFile, one, true)),
      implementations: implementations.map((one) => toCodeNode(one.inFile, one.record, false)),
      mentions,
    }),
  };
}
