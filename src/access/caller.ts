/**
 * Who asks, and what of an index they may see.
 *
 * An index holds one shard for each access group, so a group is the least that can be shown or hidden without leaving a
 * trace in counts and weights. A caller whose key lists collections sees the groups of which it lists every one.
 *
 * Pure: values in, values out.
 */
import type { CollectionInfo } from "../core/format/collection.ts";

/** Access group of what everybody may see in a deployment that is public. */
export const PUBLIC_GROUP = "public";

/** Who asks. */
export interface Caller {
  /** For logs and limits: `anonymous`, the name of a key's consumer, or the subject of a token. */
  readonly name: string;
  /** Collections that they may see: all, none but public ones, or those that a key lists. */
  readonly collections: "all" | "public" | readonly string[];
  /** Whether the group `public` is open to them whatever their key lists, as it is in a deployment that is public. */
  readonly seesPublic: boolean;
  /** Whether they may read what only a maintainer should: query insights. */
  readonly isAdmin: boolean;
}

/** Somebody who showed nothing, in a deployment that is public. */
export const ANONYMOUS: Caller = { name: "anonymous", collections: "public", seesPublic: true, isAdmin: false };

/** Access groups that a caller may see in an index with these collections, in the order of the collections. */
export function visibleGroups(caller: Caller, collections: readonly CollectionInfo[]): readonly string[] {
  const groups = [...new Set(collections.map(({ access }) => access))];
  return groups.filter((group) => {
    if (group === PUBLIC_GROUP && (caller.seesPublic || caller.collections === "public")) return true;
    if (caller.collections === "all") return true;
    if (caller.collections === "public") return false;
    const listed = new Set(caller.collections);
    return collections.every(({ access, name }) => access !== group || listed.has(name));
  });
}

/** Access groups of which a list names some collections and not all: who has that list does not see them. */
export function partlyListed(
  listed: readonly string[],
  collections: readonly CollectionInfo[],
): readonly { readonly group: string; readonly listed: readonly string[]; readonly missing: readonly string[] }[] {
  return [...new Set(collections.map(({ access }) => access))].flatMap((group) => {
    const names = collections.filter(({ access }) => access === group).map(({ name }) => name);
    const missing = names.filter((name) => !listed.includes(name));
    return missing.length > 0 && missing.length < names.length
      ? [{ group, listed: names.filter((name) => listed.includes(name)), missing }]
      : [];
  });
}
