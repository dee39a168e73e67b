/** Levels that answer for their access group. */
import type { ShardRoot } from "../format/root.ts";
import { CODE_TABLE_NAMES } from "../format/table.ts";
import type { IndexReader, VisibleShard } from "./index-reader.ts";

/**
 * Of each access group that the caller may see, the oldest level. Tables that levels overlay are read of it: what newer
 * levels say comes with its chunks.
 */
export function groupShards({ shards }: IndexReader): VisibleShard[] {
  return shards.filter(({ root }, at) => shards[at - 1]?.root.group !== root.group);
}

/**
 * Of each access group that the caller may see, the newest level that has tables of code: they are written whole at each
 * build. Groups without code have none.
 */
export function codeShards(reader: IndexReader): VisibleShard[] {
  const byGroup = new Map<string, VisibleShard>();
  for (const shard of reader.shards) {
    if (hasCode(shard.root)) byGroup.set(shard.root.group, shard);
    else if (shard.root.withoutCode === true) byGroup.delete(shard.root.group);
  }
  return [...byGroup.values()];
}

/** Whether a shard has tables of code: pages that name symbols of another group are reason enough. */
export function hasCode({ tables }: Pick<ShardRoot, "tables">): boolean {
  return CODE_TABLE_NAMES.some((name) => tables[name].entries.length > 0);
}
