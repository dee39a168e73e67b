/**
 * What the bytes of an index are: where each table's chunks lie in its packs.
 */

import { decodeChunk, keyAt, keyOfPack } from "../src/core/format/chunk.ts";
import { fromDirectoryChunk, type Place, TABLE_NAMES, type TableName } from "../src/core/format/table.ts";
import type { IndexReader, VisibleShard } from "../src/core/index/index-reader.ts";
import type { ByteRange } from "../src/core/index/waves.ts";

/** A table, or the text of sections. */
export type ByteKind = TableName | "text";

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly table: TableName;
}

/** Says what bytes are. */
export interface ByteKinds {
  /** Bytes of each table, in all shards. */
  readonly tableBytes: ReadonlyMap<TableName, number>;
  /** Bytes of each kind inside a range. What lies in no table is text. */
  readonly count: (range: ByteRange) => ReadonlyMap<ByteKind, number>;
}

/** Read the directories of an index. */
export async function readByteKinds(reader: IndexReader): Promise<ByteKinds> {
  const stretches = new Map<string, Stretch[]>();
  const tableBytes = new Map<TableName, number>(TABLE_NAMES.map((table) => [table, 0]));
  for (const shard of reader.shards) {
    for (const table of TABLE_NAMES) {
      for (const place of await listPlaces(reader, table, shard)) {
        const { file, offset, length } = reader.rangeOf(shard.index, place);
        const list = stretches.get(file) ?? [];
        stretches.set(file, list);
        list.push({ start: offset, end: offset + length, table });
        tableBytes.set(table, (tableBytes.get(table) ?? 0) + length);
      }
    }
  }
  for (const [file, list] of stretches) stretches.set(file, joinNeighbours(list));
  return { tableBytes, count: (range) => countKinds(stretches.get(range.file) ?? [], range) };
}

/** Places of a table's chunks, those of its directory among them. */
async function listPlaces(
  reader: IndexReader,
  table: TableName,
  { index: shard, root }: VisibleShard,
): Promise<Place[]> {
  const { height, entries } = root.tables[table];
  const places: Place[] = [...entries];
  if (height === 0) return places;
  const { source } = reader.index;
  for (const entry of entries) {
    const { file, offset, length } = reader.rangeOf(shard, entry);
    const bytes = await source.readRange(file, offset, length);
    const key = keyAt(keyOfPack(root.packs[entry.pack] ?? ""), entry.offset);
    const chunk = await decodeChunk(`${table}/directory`, entry.prefix, bytes, root.inflate, key);
    places.push(...fromDirectoryChunk(chunk, table, root.packs.length));
  }
  return places;
}

function joinNeighbours(list: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const stretch of [...list].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && last.table === stretch.table && last.end === stretch.start) {
      joined[joined.length - 1] = { ...last, end: stretch.end };
    } else joined.push(stretch);
  }
  return joined;
}

function countKinds(stretches: readonly Stretch[], { offset, length }: ByteRange): Map<ByteKind, number> {
  const counts = new Map<ByteKind, number>();
  let text = length;
  for (const { start, end, table } of stretches) {
    const shared = Math.min(end, offset + length) - Math.max(start, offset);
    if (shared <= 0) continue;
    counts.set(table, (counts.get(table) ?? 0) + shared);
    text -= shared;
  }
  if (text > 0) counts.set("text", text);
  return counts;
}
