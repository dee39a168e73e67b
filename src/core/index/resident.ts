/**
 * Resident tables: small ones that are read whole once and kept decoded: locator, titles, facets, spelling.
 *
 * They are asked for together with whatever else the wave needs, so that a cold reader pays no wave of its own for
 * them. Pure apart from the reader's I/O.
 */
import { type ByteKey, KEY_SEPARATOR, numberOfKey, textOfKey } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { FormatError } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import { decodeLocator, LOCATOR_SLOTS, type LocatedDocument } from "../format/locator.ts";
import { decodeNumbers } from "../format/postings.ts";
import { decodeLength } from "../format/quantize.ts";
import { type BlockRead, entriesOf, type IndexReader, type TableRead, type WaveResult } from "./index-reader.ts";

/** Tables that are kept whole. */
export type ResidentTable = "locator" | "titles" | "facets" | "spelling";

/** Path and title of a document, by number. */
export interface DocumentName {
  readonly path: string;
  readonly title: string;
}

/** Facets of a shard: key → value → document numbers, ascending. */
export type FacetLists = ReadonlyMap<string, ReadonlyMap<string, Uint32Array>>;

/** Words as they are written, with the number of documents that have them. */
export type SpelledWords = ReadonlyMap<string, number>;

interface ResidentValues {
  readonly locator: readonly (LocatedDocument | undefined)[];
  readonly titles: readonly (DocumentName | undefined)[];
  readonly facets: FacetLists;
  readonly spelling: SpelledWords;
}

/** Rough size in memory of one entry, for the cache's budget. */
const ENTRY_BYTES = { locator: 400, titles: 200, facets: 100, spelling: 100 } as const;

/** One wave: the reads asked for, and the resident tables of all visible shards that are not in memory yet. */
export async function readWithResident(
  reader: IndexReader,
  resident: readonly ResidentTable[],
  tables: readonly TableRead[] = [],
  blocks: readonly BlockRead[] = [],
): Promise<WaveResult> {
  const missing = reader.shards.flatMap(({ index }) =>
    resident
      .filter((table) => reader.recall(nameOf(table, index)) === undefined)
      .map((table) => ({ shard: index, table })),
  );
  const wave = await reader.read([...tables, ...missing.map((read): TableRead => ({ ...read, keys: "all" }))], blocks);
  for (const [at, { shard, table }] of missing.entries()) {
    const chunks = wave.tables[tables.length + at] as readonly Chunk[];
    const { value, entries } = decodeResident(table, shard, chunks, reader);
    reader.remember(nameOf(table, shard), value, (entries + 1) * ENTRY_BYTES[table]);
  }
  return { tables: wave.tables.slice(0, tables.length), blocks: wave.blocks };
}

/** A resident table of a shard that `readWithResident` was asked for before. */
export function residentTable<T extends ResidentTable>(
  reader: IndexReader,
  shard: number,
  table: T,
): ResidentValues[T] {
  const value = reader.recall(nameOf(table, shard));
  if (value === undefined) throw new Error(`table ${table} of shard ${shard} was not asked for`);
  return value as ResidentValues[T];
}

function nameOf(table: ResidentTable, shard: number): string {
  return `${table}/${shard}`;
}

function decodeResident(
  table: ResidentTable,
  shard: number,
  chunks: readonly Chunk[],
  reader: IndexReader,
): { value: ResidentValues[ResidentTable]; entries: number } {
  if (table === "facets") {
    const value = decodeFacets(chunks);
    return { value, entries: [...value.values()].reduce((sum, values) => sum + values.size * 4, 0) };
  }
  if (table === "spelling") {
    const value = decodeSpelling(chunks);
    return { value, entries: value.size };
  }
  const packs = reader.index.root.packs.length;
  const limit = reader.index.root.shards[shard]?.slots ?? 0;
  const value =
    table === "locator"
      ? decodeSlots(table, chunks, limit, (bytes) => decodeLocator(bytes, packs))
      : decodeSlots(table, chunks, limit, decodeTitles);
  return { value, entries: value.length };
}

function decodeSlots<T>(
  table: string,
  chunks: readonly Chunk[],
  limit: number,
  decode: (bytes: Uint8Array) => (T | undefined)[],
): (T | undefined)[] {
  const slots: (T | undefined)[] = [];
  for (const [key, bytes] of entriesOf(chunks)) {
    if (key.length !== 4)
      throw new FormatError(`table ${table}`, { code: "malformed", reason: "a key is not a number" });
    const first = numberOfKey(key) * LOCATOR_SLOTS;
    const decoded = decode(bytes);
    const end = first + decoded.length;
    if (end > limit) throw new FormatError(`table ${table}`, { code: "out-of-range", what: "slots", got: end, limit });
    // Sorted keys come with gaps where no document of a block exists.
    while (slots.length < first) slots.push(undefined);
    for (const slot of decoded) slots.push(slot);
  }
  return slots;
}

function decodeTitles(bytes: Uint8Array): (DocumentName | undefined)[] {
  const reader = new ByteReader(bytes, "titles");
  const count = reader.readVarint();
  if (count > LOCATOR_SLOTS) {
    throw new FormatError(reader.what, { code: "out-of-range", what: "slots", got: count, limit: LOCATOR_SLOTS });
  }
  const names = Array.from({ length: count }, () => {
    const path = reader.readString();
    const title = reader.readString();
    return path === "" ? undefined : { path, title };
  });
  reader.expectEnd();
  return names;
}

/** Words of some chunks of a spelling table. @throws {FormatError}. */
export function decodeSpelling(chunks: readonly Chunk[]): SpelledWords {
  const words = new Map<string, number>();
  for (const [key, bytes] of entriesOf(chunks)) {
    const reader = new ByteReader(bytes, "spelling");
    words.set(textOfKey(key), decodeLength(reader.readByte()));
    reader.expectEnd();
  }
  return words;
}

function decodeFacets(chunks: readonly Chunk[]): FacetLists {
  const facets = new Map<string, Map<string, Uint32Array>>();
  for (const [name, bytes] of entriesOf(chunks)) {
    const at = name.indexOf(KEY_SEPARATOR);
    if (at < 0)
      throw new FormatError("table facets", { code: "malformed", reason: `no value in key ${JSON.stringify(name)}` });
    const key = textOfKey(name.slice(0, at) as ByteKey);
    const values = facets.get(key) ?? new Map<string, Uint32Array>();
    values.set(textOfKey(name.slice(at + 1) as ByteKey), decodeNumbers(bytes, "facet"));
    facets.set(key, values);
  }
  return facets;
}
