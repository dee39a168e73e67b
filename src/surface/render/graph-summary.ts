/**
 * The summary of a graph: a sentence, bars and short lists for readers, one JSON object for programs.
 */

import { utf8Length } from "../../core/bytes/encodings.ts";
import type { CutList, Hub, InsightName, InsightValues } from "../../core/format/insights.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { ageSeconds, formatCount, formatList, formatNumber } from "./text.ts";

/** Characters of the longest bar. */
const WIDTH = 12;

interface SummaryMetadata {
  /** How long the build took; 0 where the index does not say. */
  readonly scanDurationMs: number;
  /** Whether nothing was read from storage. */
  readonly cacheUsed: boolean;
  readonly cacheReason: "memory" | "read" | "forced";
  readonly commit: string;
  readonly builtAt: string;
  readonly ageSeconds: number | null;
  /** None at present. */
  readonly warnings: readonly string[];
}

/** What an answer about a generation says of itself. */
export function describeSummary(
  { commit, builtAt }: Pick<SummaryMetadata, "commit" | "builtAt">,
  buildMs: number | undefined,
  cacheReason: SummaryMetadata["cacheReason"],
  now: number,
): SummaryMetadata {
  return {
    scanDurationMs: buildMs ?? 0,
    cacheUsed: cacheReason === "memory",
    cacheReason,
    commit,
    builtAt,
    ageSeconds: ageSeconds(builtAt, now) ?? null,
    warnings: [],
  };
}

/** Words for graphs with fewer connections than the first threshold, than the second, and so on. */
const COMPLEXITY_WORDS = ["simple", "moderate", "complex", "very complex"];

interface ListLengths {
  readonly hubs: number;
  readonly linkHubs: number;
  readonly cycles: number;
  readonly ids: number;
}

/** In JSON all that the index keeps; text is to be read at a glance. */
const WHOLE: ListLengths = { hubs: 50, linkHubs: 50, cycles: 100, ids: 50 };
const IN_TEXT: ListLengths = { hubs: 10, linkHubs: 5, cycles: 5, ids: 5 };
const LESS_IN_TEXT: ListLengths = { hubs: 10, linkHubs: 5, cycles: 3, ids: 3 };
/** With the sentences in front 6 kB; long paths leave room for fewer. */
const MAX_TEXT_BYTES = 5400;
const SHORT: ListLengths = { hubs: 10, linkHubs: 5, cycles: 5, ids: 10 };
const SHORT_IN_TEXT: ListLengths = { hubs: 3, linkHubs: 3, cycles: 2, ids: 2 };
const NO_LISTS: ListLengths = { hubs: 1, linkHubs: 1, cycles: 0, ids: 0 };
/** Kinds of files that have a bar. */
const SHOWN_TYPES = 8;
/** Files of a cycle that a line names. */
const SHOWN_IN_CYCLE = 4;

/** The forms of a summary, from the fullest to the barest. */
export function summaryForms(values: InsightValues, metadata: SummaryMetadata, mark: BarMark = "#"): AnswerForm[] {
  const form = (detail: string, inJson: ListLengths, inText: ListLengths): AnswerForm => ({
    detail,
    blocks: () => boundedBlocks(values, inText, mark),
    json: () => summaryJson(values, metadata, inJson),
    perItem: false,
    more: "Ask for one collection.",
  });
  return [form("lists", WHOLE, IN_TEXT), form("short lists", SHORT, SHORT_IN_TEXT), form("counts", NO_LISTS, NO_LISTS)];
}

/** The summary as one object; lists as the index keeps them, or their first entries. */
export function summaryJson(values: InsightValues, metadata: SummaryMetadata, lengths = WHOLE): JsonObject {
  const { thresholds: _, ...metrics } = values.fileMetrics;
  const cycles = values.circularDependencies.items.slice(0, lengths.cycles);
  const lists = {
    topHubs: values.topHubs.items.slice(0, lengths.hubs).map(hubJson),
    circularDependencies: cycles.map(({ path }) => path),
    orphanFiles: values.orphanFiles.items.slice(0, lengths.ids),
    noImporters: values.noImporters.items.slice(0, lengths.ids),
    possiblyUnused: values.possiblyUnused.items.slice(0, lengths.ids),
    entryPoints: values.entryPoints.items.slice(0, lengths.ids),
    linkHubs: values.linkHubs.items.slice(0, lengths.linkHubs).map(hubJson),
    unlinkedPages: values.unlinkedPages.items.slice(0, lengths.ids),
    brokenLinks: values.brokenLinks.items.slice(0, lengths.ids),
  };
  const omitted = Object.entries(lists).flatMap(([name, list]) => {
    const left = (values[name as InsightName] as CutList<unknown>).total - list.length;
    // Hubs are the best of all files: none is left out.
    return left > 0 && !name.endsWith("Hubs") ? [[name, left]] : [];
  });
  return {
    summary: summarize(values, metadata),
    metrics,
    insights: {
      ...lists,
      cycleDetails: cycles.map(({ size, typeOnly }) => ({ size, typeOnly })),
      pages: values.pageMetrics,
      omitted: Object.fromEntries(omitted),
    },
    metadata,
  };
}

/** Files, connections, duration, how complex, the top hub and cycles in a few sentences; of pages the like. */
export function summarize(values: InsightValues, { scanDurationMs }: Pick<SummaryMetadata, "scanDurationMs">): string {
  const { fileMetrics, topHubs, circularDependencies, pageMetrics, linkHubs, unlinkedPages, brokenLinks } = values;
  const duration = scanDurationMs > 0 ? `, built in ${formatSeconds(scanDurationMs)}` : "";
  const parts: string[] = [];
  if (fileMetrics.fileCount > 0) {
    const { fileCount, dependencyCount, thresholds, aside } = fileMetrics;
    const word = COMPLEXITY_WORDS[thresholds.filter((threshold) => dependencyCount >= threshold).length];
    const others = Object.entries(aside).map(([role, count]) => `${formatNumber(count)} ${role}`);
    const beside = others.length > 0 ? ` (beside ${others.join(", ")})` : "";
    parts.push(
      `${formatCount(fileCount, "source file")}${beside} with ${formatCount(dependencyCount, "connection")}${duration}: a ${word} graph.`,
      ...hubSentence("Top hub", topHubs),
      cycleSentence(circularDependencies),
    );
  }
  if (pageMetrics.pageCount > 0) {
    const { pageCount, linkCount } = pageMetrics;
    const ownDuration = fileMetrics.fileCount > 0 ? "" : duration;
    const flaws = [
      ...(unlinkedPages.total > 0 ? [`${formatCount(unlinkedPages.total, "page")} that no other links to`] : []),
      ...(brokenLinks.total > 0 ? [formatCount(brokenLinks.total, "broken link")] : []),
    ];
    parts.push(
      `${formatCount(pageCount, "page")} with ${formatCount(linkCount, "link")} between them${ownDuration}.`,
      ...hubSentence("Most linked", linkHubs),
      ...(flaws.length > 0 ? [`${flaws.join(", ")}.`] : []),
    );
  }
  return parts.length > 0 ? parts.join(" ") : "There are no source files and no pages in the graph.";
}

/** The blocks, shorter where they take too much. */
function boundedBlocks(values: InsightValues, lengths: ListLengths, mark: BarMark): string[] {
  for (const tried of [lengths, LESS_IN_TEXT, SHORT_IN_TEXT]) {
    const blocks = summaryBlocks(values, tried, mark);
    if (blocks.reduce((sum, block) => sum + utf8Length(block), 0) <= MAX_TEXT_BYTES) return blocks;
  }
  return summaryBlocks(values, NO_LISTS, mark);
}

/** Blocks of text: bars of kinds and hubs, then lists. What is empty has none. */
function summaryBlocks(values: InsightValues, lengths: ListLengths, mark: BarMark): string[] {
  const { fileMetrics, topHubs, circularDependencies, noImporters, linkHubs } = values;
  const types = Object.entries(fileMetrics.fileTypeBreakdown);
  const shownTypes = types.slice(0, SHOWN_TYPES).map(([label, value]) => ({ label, value }));
  const cycles = circularDependencies.items.slice(0, lengths.cycles).map(cycleLine);
  const broken = values.brokenLinks.items.slice(0, lengths.ids).map(({ id, href }) => `${id} → ${href}`);
  const ids = (name: "orphanFiles" | "possiblyUnused" | "unlinkedPages"): string[] => [
    ...values[name].items.slice(0, lengths.ids),
  ];
  return [
    titled("Files by type", formatBars(shownTypes, mark), types.length - shownTypes.length),
    titled("Hubs, by imports in and out", hubBars(topHubs, lengths.hubs, mark), 0),
    listed("Import cycles, a shortest one of each set of files", cycles, circularDependencies.total),
    listed("Files without any import in or out", ids("orphanFiles"), values.orphanFiles.total),
    noImporters.total === 0 ? "" : `Files that no other imports: ${formatNumber(noImporters.total)}`,
    listed(
      "Possibly unused: no importer, no entry point, no test or config",
      ids("possiblyUnused"),
      values.possiblyUnused.total,
    ),
    titled("Pages, by links in and out", hubBars(linkHubs, lengths.linkHubs, mark), 0),
    listed("Pages that no other links to", ids("unlinkedPages"), values.unlinkedPages.total),
    listed("Broken links", broken, values.brokenLinks.total),
  ].filter((block) => block !== "");
}

function titled(title: string, lines: readonly string[], left: number): string {
  return lines.length === 0 ? "" : formatList(title, lines, left);
}

function listed(title: string, lines: readonly string[], total: number): string {
  if (total === 0) return "";
  const head = `${title}: ${formatNumber(total)}`;
  return lines.length === 0 ? head : titled(head, lines, total - lines.length);
}

function hubBars({ items }: CutList<Hub>, length: number, mark: BarMark): string[] {
  return formatBars(
    items.slice(0, length).map(({ id, fanIn, fanOut }) => ({
      label: `${id} (${formatNumber(fanIn)} in, ${formatNumber(fanOut)} out)`,
      value: fanIn + fanOut,
    })),
    mark,
  );
}

function cycleLine({ path, size, typeOnly }: InsightValues["circularDependencies"]["items"][number]): string {
  const named = path.slice(0, -1);
  const left = named.length - SHOWN_IN_CYCLE;
  const way = [...named.slice(0, SHOWN_IN_CYCLE), ...(left > 0 ? [`… ${left} more`] : []), path.at(-1)].join(" → ");
  return `${formatCount(size, "file")}${typeOnly ? ", types alone" : ""}: ${way}`;
}

function hubSentence(title: string, { items }: CutList<Hub>): string[] {
  const [hub] = items;
  return hub === undefined ? [] : [`${title}: ${hub.id} (${formatCount(hub.fanIn + hub.fanOut, "connection")}).`];
}

function cycleSentence({ total, typeOnlyTotal }: InsightValues["circularDependencies"]): string {
  if (total === 0) return "No import cycles.";
  const ofTypes = typeOnlyTotal === 0 ? "" : `, ${typeOnlyTotal} of ${total === 1 ? "it" : "them"} of types alone`;
  return `${formatCount(total, "import cycle")}${total === 1 && typeOnlyTotal === 1 ? ", of types alone" : ofTypes}.`;
}

function hubJson({ id, fanIn, fanOut }: Hub): JsonObject {
  return { id, connectionCount: fanIn + fanOut, fanIn, fanOut };
}

function formatSeconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** What bars are drawn with: a byte each where a model reads them, blocks on a terminal. */
type BarMark = "#" | "█";

/** A line for each bar, the longest of `WIDTH` characters; a value above 0 has one at least. */
export function formatBars(
  bars: readonly { readonly label: string; readonly value: number }[],
  mark: BarMark,
): string[] {
  const most = bars.reduce((max, { value }) => Math.max(max, value), 0);
  const digits = formatNumber(most).length;
  return bars.map(({ label, value }) => {
    const length = value === 0 ? 0 : Math.max(1, Math.round((value / most) * WIDTH));
    return `${mark.repeat(length).padEnd(WIDTH)} ${formatNumber(value).padStart(digits)} ${label}`;
  });
}
