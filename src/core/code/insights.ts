/**
 * Insights into the graphs of files and pages, of one collection or of all that the caller may see. One round of reads.
 *
 * Links lead from no access group into another, so counts add up, and the first entries of a merged list are among the first
 * of each.
 */
import { type ByteKey, keyOf } from "../bytes/key.ts";
import {
  type BrokenLink,
  type CutList,
  decodeInsight,
  type Hub,
  type ImportCycle,
  INSIGHT_NAMES,
  type InsightName,
  type InsightValues,
  keyOfInsight,
} from "../format/insights.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { groupShards } from "../index/shards.ts";
import { compareNames } from "../text/names.ts";

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

/** One insight of several groups as one; of none what is said of nothing. */
export const MERGES: Merges = {
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

function mergeFileMetrics(values: readonly InsightValues["fileMetrics"][]): InsightValues["fileMetrics"] {
  return {
    fileCount: sum(values, ({ fileCount }) => fileCount),
    dependencyCount: sum(values, ({ dependencyCount }) => dependencyCount),
    fileTypeBreakdown: addCounts(values.map(({ fileTypeBreakdown }) => fileTypeBreakdown)),
    aside: addCounts(values.map(({ aside }) => aside)),
    asideDependencyCount: sum(values, ({ asideDependencyCount }) => asideDependencyCount),
    thresholds: values[0]?.thresholds ?? [],
  };
}

/** Counts by name added up, the highest first. */
export function addCounts(values: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const [name, count] of values.flatMap((value) => Object.entries(value))) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries([...sums].sort(([a, m], [b, n]) => n - m || compareNames(a, b)));
}

function sum<T>(values: readonly T[], count: (value: T) => number): number {
  return values.reduce((total, value) => total + count(value), 0);
}

/** The order of keys: by the bytes of their UTF-8. */
function compareIds(a: string, b: string): number {
  return compareNames(keyOf(a), keyOf(b));
}

/** A shard with the part of its keys that says which collection they are of. */
interface Place {
  readonly shard: number;
  readonly collection: string;
}

/**
 * @param collection Name of a collection that the caller sees; all of them when absent.
 * @param all Whether files beside the product count, too.
 */
export async function readInsights(reader: IndexReader, collection?: string, all = false) {
  const places = findPlaces(reader, collection);
  const before = reader.cost.reads;
  // Where nothing is beside the product, nothing is written of it.
  const keysOf = (own: string, name: InsightName): ByteKey[] =>
    (all ? [true, false] : [false]).map((withAside) => keyOfInsight(own, name, withAside));
  const { tables } = await reader.read(
    places.map(({ shard, collection: own }): TableRead => {
      return { shard, table: "insights", keys: INSIGHT_NAMES.flatMap((name) => keysOf(own, name)) };
    }),
  );
  const take = <Name extends InsightName>(name: Name): InsightValues[Name] =>
    MERGES[name](
      places.flatMap(({ collection: own }, at) => {
        const values = keysOf(own, name).map((key) => findInChunks(tables[at] ?? [], key));
        const bytes = values.find((one) => one !== undefined);
        return bytes === undefined ? [] : [decodeInsight(name, bytes)];
      }),
    );
  return {
    values: Object.fromEntries(INSIGHT_NAMES.map((name) => [name, take(name)])) as unknown as InsightValues,
    /** Whether nothing had to be read from storage. */
    fromMemory: reader.cost.reads === before,
  };
}

function findPlaces(reader: IndexReader, collection: string | undefined): Place[] {
  const shards = groupShards(reader);
  if (collection === undefined) return shards.map(({ index }) => ({ shard: index, collection: "" }));
  const group = reader.collections.find(({ name }) => name === collection)?.access;
  const isAlone = reader.collections.filter(({ access }) => access === group).length === 1;
  return shards
    .filter(({ root }) => root.group === group)
    .map(({ index }) => ({ shard: index, collection: isAlone ? "" : collection }));
}
