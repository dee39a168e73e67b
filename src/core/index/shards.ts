/**
 * Shards with source code (index-format v1, section 7.8), and the order of documents across shards.
 *
 * A delta's documents go between those of its base, by their paths, so equally good documents come in the same order with
 * or without a base.
 */
import type { ShardRoot } from "../format/root.ts";
import { CODE_TABLE_NAMES } from "../format/table.ts";
import type { IndexReader, VisibleShard } from "./index-reader.ts";

/**
 * Of each access group that the caller may see, the last shard that has tables of code: they are written whole at each
 * build, so those of a base are out of date where a delta has any. Groups without code have none.
 */
export function codeShards(reader: IndexReader): VisibleShard[] {
  const byGroup = new Map<string, VisibleShard>();
  for (const shard of reader.shards) {
    if (hasCode(shard.root)) byGroup.set(shard.root.group, shard);
  }
  return [...byGroup.values()];
}

/** Whether a shard has tables of code: pages that name symbols of another group are reason enough. */
export function hasCode({ tables }: Pick<ShardRoot, "tables">): boolean {
  return CODE_TABLE_NAMES.some((name) => tables[name].entries.length > 0);
}

/** Compares two documents, each by the index of its shard among the visible ones and its number. */
export type CompareDocuments = (shardA: number, a: number, shardB: number, b: number) => number;

/** The order of a reader's documents. */
export function documentOrder(shards: readonly VisibleShard[]): CompareDocuments {
  const places = shards.map(({ root }, at) => {
    const base = root.delta === undefined ? -1 : shards.findIndex(({ index }) => index === root.delta?.base);
    return { group: base < 0 ? at : base, positions: root.delta?.positions };
  });
  // Between the base's documents before it and the next one.
  const positionOf = (shard: number, document: number): number => {
    const positions = places[shard]?.positions;
    return positions === undefined ? document : (positions[document] ?? 0) - 0.5;
  };
  return (shardA, a, shardB, b) =>
    (places[shardA]?.group ?? 0) - (places[shardB]?.group ?? 0) ||
    positionOf(shardA, a) - positionOf(shardB, b) ||
    a - b;
}
