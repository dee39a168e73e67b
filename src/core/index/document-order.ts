/**
 * Order of documents across shards: the order of one index that holds them all.
 *
 * A delta's documents stand between those of its base, where their paths belong, so that equally good documents come in
 * the same order whether or not something was built on a base. Pure.
 */
import type { VisibleShard } from "./index-reader.ts";

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
