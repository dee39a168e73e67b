/**
 * Which entries of the tables that levels overlay a level holds: those that are not as older levels say. Weights and counts of
 * concepts that other documents bear on lag until a level is written with the documents themselves.
 */
import type { ByteKey } from "../../../src/core/bytes/key.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import { OVERLAY_TABLE_NAMES, type OverlayTableName } from "../../../src/core/format/table.ts";
import { decodeConcept, decodeMembers, decodeTopics } from "../../../src/core/format/topics.ts";
import { entriesOf, IndexReader } from "../../../src/core/index/index-reader.ts";
import type { GroupOverlays } from "../write-generation.ts";
import { sortEntries } from "../write-table.ts";
import type { BaseIndex, BaseLevel } from "./open-base.ts";

const NO_BYTES = new Uint8Array();

/** Entries that some levels of a group, the oldest of it first, do not have so; what they have and is not there is empty. */
export async function findChanges(
  base: BaseIndex,
  levels: readonly BaseLevel[],
  overlays: GroupOverlays,
): Promise<Record<OverlayTableName, TableEntry[]>> {
  const { index } = base.reader;
  const shards = levels.map(({ level }) => level);
  const reader = new IndexReader({ ...index, root: { ...index.root, shards } }, "all");
  const changed = {} as Record<OverlayTableName, TableEntry[]>;
  for (const table of OVERLAY_TABLE_NAMES) {
    const { tables } = await reader.read([{ shard: 0, table, keys: "all" }]);
    const gone = new Map(entriesOf(tables[0] ?? []));
    const others = [...overlays[table]].filter(({ key, value }) => {
      const known = gone.get(key);
      gone.delete(key);
      return known === undefined || !isAlike(table, key, value, known);
    });
    changed[table] = sortEntries([...others, ...[...gone.keys()].map((key) => ({ key, value: NO_BYTES }))]);
  }
  return changed;
}

function isAlike(table: OverlayTableName, key: ByteKey, value: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(value, other) === 0) return true;
  if (table !== "categories" && table !== "concepts") return false;
  const [now, before] = [substanceOf(key, value), substanceOf(key, other)];
  return now !== undefined && JSON.stringify(now) === JSON.stringify(before);
}

/** What may not lag of an entry of `categories` or `concepts`; undefined where nothing may. */
export function substanceOf(key: ByteKey, value: Uint8Array): unknown {
  return SUBSTANCE[key[0] ?? ""]?.(value);
}

/** By the first letter of keys. */
const SUBSTANCE: Readonly<Record<string, (value: Uint8Array) => unknown>> = {
  m: (value) => decodeMembers(value).documents,
  n: (value) => {
    const { name, type, places } = decodeConcept(value);
    return [name, type, places.map(({ documentId }) => documentId).sort()];
  },
  d: (value) => {
    const { preview, categories, concepts } = decodeTopics(value);
    return [preview, categories, concepts.map(({ name }) => name).sort()];
  },
};
