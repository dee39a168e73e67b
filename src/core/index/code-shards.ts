/**
 * Which shards say what source code there is: index-format v1, section 7.8. The one place that knows. Pure.
 */
import type { ShardRoot } from "../format/root.ts";
import { CODE_TABLE_NAMES } from "../format/table-names.ts";
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
