/**
 * What the graph of files and pages shows, of all that the caller may see or of one collection. One round of reads.
 *
 * Each insight is decoded by itself: one that is damaged is missing, and the others are there.
 */
import { FormatError } from "../errors.ts";
import {
  decodeInsight,
  INSIGHT_NAMES,
  type InsightName,
  type InsightValues,
  keyOfInsight,
} from "../format/insights.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { mergeInsights } from "./merge-insights.ts";

/** The insights as far as they could be read. */
export interface ReadInsights {
  readonly values: InsightValues;
  /** Insights of which something could not be read: their values are those of nothing, or of the groups that could be. */
  readonly failed: readonly InsightName[];
  /** Whether nothing had to be read from storage. */
  readonly fromMemory: boolean;
}

/** A shard with the part of its keys that says which collection they are of. */
interface Place {
  readonly shard: number;
  readonly collection: string;
}

/** @param collection Name of a collection that the caller sees; all of them when absent. */
export async function readInsights(reader: IndexReader, collection?: string): Promise<ReadInsights> {
  const places = findPlaces(reader, collection);
  const before = reader.cost.reads;
  const found = new Map<InsightName, (Uint8Array | undefined)[]>();
  const failed = new Set<InsightName>();
  const whole = await valuesOf(reader, places, INSIGHT_NAMES);
  for (const name of INSIGHT_NAMES) {
    // Insights share chunks: where they cannot be read together, those of other chunks may be.
    const values = whole?.get(name) ?? (await valuesOf(reader, places, [name]))?.get(name);
    if (values === undefined) failed.add(name);
    else found.set(name, values);
  }
  const take = <Name extends InsightName>(name: Name): InsightValues[Name] => {
    const values: InsightValues[Name][] = [];
    for (const bytes of found.get(name) ?? []) {
      if (bytes === undefined) continue;
      try {
        values.push(decodeInsight(name, bytes));
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        failed.add(name);
      }
    }
    return mergeInsights(name, values);
  };
  const values: InsightValues = {
    fileMetrics: take("fileMetrics"),
    topHubs: take("topHubs"),
    circularDependencies: take("circularDependencies"),
    orphanFiles: take("orphanFiles"),
    noImporters: take("noImporters"),
    possiblyUnused: take("possiblyUnused"),
    entryPoints: take("entryPoints"),
    pageMetrics: take("pageMetrics"),
    linkHubs: take("linkHubs"),
    unlinkedPages: take("unlinkedPages"),
    brokenLinks: take("brokenLinks"),
  };
  return {
    values,
    failed: INSIGHT_NAMES.filter((name) => failed.has(name)),
    fromMemory: reader.cost.reads === before,
  };
}

/** Values of some insights, of each place one; undefined where damage keeps them from being read. */
async function valuesOf(
  reader: IndexReader,
  places: readonly Place[],
  names: readonly InsightName[],
): Promise<Map<InsightName, (Uint8Array | undefined)[]> | undefined> {
  const reads = places.map(({ shard, collection }): TableRead => {
    return { shard, table: "insights", keys: names.map((name) => keyOfInsight(collection, name)) };
  });
  try {
    const { tables } = await reader.read(reads);
    return new Map(
      names.map((name) => [
        name,
        places.map(({ collection }, at) => findInChunks(tables[at] ?? [], keyOfInsight(collection, name))),
      ]),
    );
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Bases alone have the table; what a delta changes of it comes with their chunks. */
function findPlaces(reader: IndexReader, collection: string | undefined): Place[] {
  const bases = reader.shards.filter(({ root }) => root.delta === undefined);
  if (collection === undefined) return bases.map(({ index }) => ({ shard: index, collection: "" }));
  const group = reader.collections.find(({ name }) => name === collection)?.access;
  const isAlone = reader.collections.filter(({ access }) => access === group).length === 1;
  return bases
    .filter(({ root }) => root.group === group)
    .map(({ index }) => ({ shard: index, collection: isAlone ? "" : collection }));
}
