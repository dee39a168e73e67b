/**
 * Orders of the lists of insights, and what the insights of several access groups are together. Pure.
 *
 * Links and imports lead from no group into another, so counts add up, and the first entries of all lists together are
 * among the first of each.
 */
import { keyOf } from "../bytes/key.ts";
import type {
  BrokenLink,
  CutList,
  FileMetrics,
  Hub,
  ImportCycle,
  InsightName,
  InsightValues,
} from "../format/insights.ts";
import { compareNames } from "../text/compare-names.ts";

/** Negative where `a` comes first. */
type Compare<T> = (a: T, b: T) => number;

/** Orders of lists, by the names of their insights. Each is total. */
export const INSIGHT_ORDERS = {
  /** Most connections first, then what more of the graph leads to. */
  hubs: (a: Hub, b: Hub): number =>
    b.fanIn + b.fanOut - (a.fanIn + a.fanOut) || b.rank - a.rank || compareIds(a.id, b.id),
  /** What exists at run time first, then the largest set. */
  cycles: (a: ImportCycle, b: ImportCycle): number =>
    Number(a.typeOnly) - Number(b.typeOnly) || b.size - a.size || compareIds(a.path[0] ?? "", b.path[0] ?? ""),
  ids: compareIds,
  brokenLinks: (a: BrokenLink, b: BrokenLink): number => compareIds(a.id, b.id) || compareIds(a.href, b.href),
} as const;

type Merges = { readonly [Name in InsightName]: (values: readonly InsightValues[Name][]) => InsightValues[Name] };

const MERGES: Merges = {
  fileMetrics: mergeFileMetrics,
  topHubs: (lists) => mergeLists(lists, INSIGHT_ORDERS.hubs),
  circularDependencies: (lists) => ({
    ...mergeLists(lists, INSIGHT_ORDERS.cycles),
    typeOnlyTotal: sum(lists, ({ typeOnlyTotal }) => typeOnlyTotal),
  }),
  orphanFiles: (lists) => mergeLists(lists, compareIds),
  noImporters: (lists) => mergeLists(lists, compareIds),
  possiblyUnused: (lists) => mergeLists(lists, compareIds),
  entryPoints: (lists) => mergeLists(lists, compareIds),
  pageMetrics: (values) => ({
    pageCount: sum(values, ({ pageCount }) => pageCount),
    linkCount: sum(values, ({ linkCount }) => linkCount),
  }),
  linkHubs: (lists) => mergeLists(lists, INSIGHT_ORDERS.hubs),
  unlinkedPages: (lists) => mergeLists(lists, compareIds),
  brokenLinks: (lists) => mergeLists(lists, INSIGHT_ORDERS.brokenLinks),
};

/** One insight of several groups as one; of none what is said of nothing. */
export function mergeInsights<Name extends InsightName>(
  name: Name,
  values: readonly InsightValues[Name][],
): InsightValues[Name] {
  return MERGES[name](values);
}

/** The first of some entries in an order, and how many there are. */
export function cutList<T>(items: readonly T[], limit: number, compare: Compare<T>): CutList<T> {
  return { limit, total: items.length, items: [...items].sort(compare).slice(0, limit) };
}

function mergeLists<T>(lists: readonly CutList<T>[], compare: Compare<T>): CutList<T> {
  const limit = lists.reduce((most, list) => Math.max(most, list.limit), 0);
  const items = lists
    .flatMap((list) => list.items)
    .sort(compare)
    .slice(0, limit);
  return { limit, total: sum(lists, ({ total }) => total), items };
}

function mergeFileMetrics(values: readonly FileMetrics[]): FileMetrics {
  const types = new Map<string, number>();
  for (const { fileTypeBreakdown } of values) {
    for (const [type, count] of Object.entries(fileTypeBreakdown)) types.set(type, (types.get(type) ?? 0) + count);
  }
  return {
    fileCount: sum(values, ({ fileCount }) => fileCount),
    dependencyCount: sum(values, ({ dependencyCount }) => dependencyCount),
    fileTypeBreakdown: Object.fromEntries([...types].sort(([a, m], [b, n]) => n - m || compareNames(a, b))),
    thresholds: values[0]?.thresholds ?? [],
  };
}

function sum<T>(values: readonly T[], count: (value: T) => number): number {
  return values.reduce((total, value) => total + count(value), 0);
}

/** The order of keys: by the bytes of their UTF-8. */
function compareIds(a: string, b: string): number {
  return compareNames(keyOf(a), keyOf(b));
}
