/**
 * A chunk of a base as it is to be read: without what was deleted, and with what its delta says of single values.
 *
 * index-format v1, section 5. Done where chunks come in, so that whoever reads tables needs to know nothing of it.
 * Titles and locator, which are read whole, lose deleted documents when they are decoded. Pure.
 */
import type { ByteKey } from "../bytes/key.ts";
import { type Chunk, makeChunk, type TableEntry, valueAt } from "../format/chunk.ts";
import { decodePatch, type Patch, withoutDocuments } from "../format/delta.ts";
import type { TableName } from "../format/table.ts";

/** What changed in a base since it was written. */
export interface BaseChanges {
  readonly deleted: ReadonlySet<number>;
  /** By table, keys ascending. */
  readonly patches: ReadonlyMap<TableName, readonly (readonly [ByteKey, Patch])[]>;
}

/** Keys of a chunk: from its prefix on, below that of the next one. */
interface ChunkSpan {
  readonly from: ByteKey;
  /** Undefined for the last chunk of a table. */
  readonly to: ByteKey | undefined;
}

/** All patches of a delta. @throws {FormatError}. */
export function readPatches(chunks: readonly Chunk[]): BaseChanges["patches"] {
  const patches = new Map<TableName, (readonly [ByteKey, Patch])[]>();
  for (const chunk of chunks) {
    for (const [at, key] of chunk.keys.entries()) {
      const { table, key: own, patch } = decodePatch(key, valueAt(chunk, at));
      const list = patches.get(table) ?? [];
      patches.set(table, list);
      list.push([own, patch]);
    }
  }
  return patches;
}

/** The chunk as it is to be read. @throws {FormatError} on values that are none. */
export function toLiveChunk(table: TableName, chunk: Chunk, changes: BaseChanges, span: ChunkSpan): Chunk {
  const patches = inSpan(changes.patches.get(table) ?? [], span);
  const isRemoved = (document: number): boolean => changes.deleted.has(document);
  const entries: TableEntry[] = [];
  const add = (key: ByteKey, value: Uint8Array | undefined): void => {
    if (value !== undefined) entries.push({ key, value });
  };
  let next = 0;
  const addPatchesBelow = (key: ByteKey | undefined): void => {
    for (; next < patches.length; next++) {
      const [own, patch] = patches[next] as readonly [ByteKey, Patch];
      if (key !== undefined && own >= key) return;
      if (patch.kind === "value") add(own, patch.value);
    }
  };
  for (const [at, key] of chunk.keys.entries()) {
    addPatchesBelow(key);
    const value = valueAt(chunk, at);
    const [patched, patch] = patches[next] ?? [];
    if (patched !== key || patch === undefined) {
      add(key, changes.deleted.size === 0 ? value : withoutDocuments(table, key, value, isRemoved));
      continue;
    }
    next++;
    if (patch.kind === "value") add(key, patch.value);
    else if (patch.kind === "stated") add(key, withoutDocuments(table, key, value, isRemoved, patch.frequencies));
  }
  addPatchesBelow(undefined);
  return makeChunk(entries, chunk.inflatedBytes);
}

function inSpan(
  patches: readonly (readonly [ByteKey, Patch])[],
  { from, to }: ChunkSpan,
): readonly (readonly [ByteKey, Patch])[] {
  return patches.filter(([key]) => key >= from && (to === undefined || key < to));
}
