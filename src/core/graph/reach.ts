/**
 * What leads where among the source files of a shard, without places: the table `reach`, both ways.
 *
 * Where the tables of all shards are small they are read whole, beside whatever else is read, and kept decoded; walks then
 * read nothing. Else what a walk needs is read level by level, bounded, and what was not read is told. Which of the two
 * it is follows from the index alone. Pure apart from the reader's I/O.
 */

import { codeShards } from "../index/code-shards.ts";
import type { IndexReader, TableRead, VisibleShard } from "../index/index-reader.ts";
import { LevelReach } from "./level-reach.ts";
import type { Reach } from "./reach-model.ts";
import { decodeWholeReach, type WholeReach } from "./whole-reach.ts";

/** Tables of more bytes, of all shards together, are read level by level. */
const MAX_WHOLE_BYTES = 2 * 1024 * 1024;
/** Reads that they may take: the others of a round are for what is looked up beside them. */
const MAX_WHOLE_READS = 4;

/** How to read. */
export interface ReachOptions {
  /** Level by level, however small the table is. */
  readonly isByLevel?: boolean;
  /** Reads of a walk that goes level by level; 12 when absent. */
  readonly maxReads?: number;
}

/** Whether the tables are read whole. */
export function isReachWhole(reader: IndexReader): boolean {
  if (reader.residency === "shown") return false;
  const shards = codeShards(reader);
  const bytes = shards.reduce((sum, { root }) => sum + bytesOf(root), 0);
  return (
    shards.every(({ root }) => root.tables.reach.height === 0) &&
    bytes <= MAX_WHOLE_BYTES &&
    reader.countReads(allOf(shards)) <= MAX_WHOLE_READS
  );
}

/** What is read beside something else, so that `openReach` has nothing left to read; none where it goes level by level. */
export function readsOfReach(reader: IndexReader): TableRead[] {
  if (!isReachWhole(reader)) return [];
  return allOf(codeShards(reader).filter(({ index }) => reader.recall(nameOf(index)) === undefined));
}

/** What leads where in a shard. One wave where it is read whole and not in memory, else none. */
export async function openReach(reader: IndexReader, shard: number, options: ReachOptions = {}): Promise<Reach> {
  if (options.isByLevel === true || !isReachWhole(reader)) return new LevelReach(reader, shard, options.maxReads);
  const known = reader.recall(nameOf(shard)) as WholeReach | undefined;
  if (known !== undefined) return known;
  const { tables } = await reader.read(readsOfReach(reader).filter((read) => read.shard === shard));
  const reach = decodeWholeReach(shard, tables[0] ?? []);
  reader.remember(nameOf(shard), reach, reach.memoryBytes);
  return reach;
}

function allOf(shards: readonly VisibleShard[]): TableRead[] {
  return shards.map(({ index }) => ({ shard: index, table: "reach", keys: "all" }));
}

function bytesOf({ tables }: VisibleShard["root"]): number {
  return tables.reach.entries.reduce((sum, { length }) => sum + length, 0);
}

function nameOf(shard: number): string {
  return `reach/${shard}`;
}
