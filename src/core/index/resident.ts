/**
 * Resident tables: small ones that are read whole once and kept decoded: locator, titles, facets, spelling.
 *
 * They are asked for together with whatever else the wave needs, so that a cold reader pays no wave of its own for
 * them. Pure apart from the reader's I/O.
 */
import { type ByteKey, KEY_SEPARATOR, keyOfNumber, numberOfKey, textOfKey } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { FormatError } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import { decodeLocator, findBlock, type Locator, sizeOfLocator } from "../format/locator.ts";
import { decodeNumbers } from "../format/postings.ts";
import { decodeLength } from "../format/quantize.ts";
import type { TableName } from "../format/table-names.ts";
import {
  type BlockRead,
  entriesOf,
  findInChunks,
  type IndexReader,
  type TableRead,
  type WaveResult,
} from "./index-reader.ts";

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
  readonly locator: Locator;
  readonly titles: readonly (DocumentName | undefined)[];
  readonly facets: FacetLists;
  readonly spelling: SpelledWords;
}

/** A directory chunk lists chunks of about this many times its own size. */
const DIRECTORY_SHARE = 300;
/** Rough size in memory of one entry, for the cache's budget. */
const ENTRY_BYTES = { titles: 200, facets: 100, spelling: 100 } as const;

/** Documents per value of the table `titles`. */
export const TITLE_SLOTS = 64;

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
    const { value, bytes } = decodeResident(table, shard, chunks, reader);
    reader.remember(nameOf(table, shard), value, bytes);
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

/**
 * What to read for the text of some units of a document. The locator must be resident; where the titles are, the text is
 * known by the path that they give the document.
 *
 * @throws {FormatError} for a unit that is not there.
 */
export function blockReads(
  reader: IndexReader,
  shard: number,
  document: number,
  units: readonly number[],
): BlockRead[] {
  const locator = residentTable(reader, shard, "locator");
  const path = knownName(reader, shard, document)?.path;
  return units.map((unit) => ({ shard, document, unit, place: findBlock(locator, document, unit), path }));
}

/**
 * Whether a table is in memory, or small enough to be read whole beside something else. Never to a reader that reads what
 * it shows, whatever others left in memory: equal requests get equal answers.
 */
export function isAtHand(reader: IndexReader, table: "titles" | "facets"): boolean {
  if (reader.residency === "shown") return false;
  if (reader.shards.every(({ index }) => reader.recall(nameOf(table, index)) !== undefined)) return true;
  const directories = reader.shards.map(({ root }) => root.tables[table]);
  const bytes = directories.reduce((sum, { entries }) => sum + entries.reduce((own, { length }) => own + length, 0), 0);
  return directories.every(({ height }) => height === 0) && bytes <= reader.index.wholeTableLimits[table];
}

/** Whether a table is so small that it is read whole. */
export function isSmallTable(reader: IndexReader, table: "spelling"): boolean {
  const isFlat = reader.shards.every(({ root }) => root.tables[table].height === 0);
  return isFlat && tableBytes(reader, table) <= reader.index.wholeTableLimits[table];
}

/** Bytes of a table in all visible shards; where its directory has two levels, about as many as there are. */
export function tableBytes(reader: IndexReader, table: TableName): number {
  return reader.shards.reduce((sum, { root }) => {
    const { height, entries } = root.tables[table];
    const bytes = entries.reduce((own, { length }) => own + length, 0);
    return sum + (height === 0 ? bytes : bytes * DIRECTORY_SHARE);
  }, 0);
}

/** What to read for the name of one document where the titles are not read whole. */
export function nameRead(shard: number, document: number): TableRead {
  return { shard, table: "titles", keys: [keyOfNumber(Math.floor(document / TITLE_SLOTS))] };
}

/** The name of a document in what `nameRead` gave. @throws {FormatError}. */
export function findName(chunks: readonly Chunk[], document: number): DocumentName | undefined {
  const bytes = findInChunks(chunks, keyOfNumber(Math.floor(document / TITLE_SLOTS)));
  return bytes === undefined ? undefined : decodeTitles(bytes)[document % TITLE_SLOTS];
}

/** Path and title of a document where the titles are in memory. */
export function knownName(reader: IndexReader, shard: number, document: number): DocumentName | undefined {
  return (reader.recall(nameOf("titles", shard)) as ResidentValues["titles"] | undefined)?.[document];
}

function nameOf(table: ResidentTable, shard: number): string {
  return `${table}/${shard}`;
}

function decodeResident(
  table: ResidentTable,
  shard: number,
  chunks: readonly Chunk[],
  reader: IndexReader,
): { value: ResidentValues[ResidentTable]; bytes: number } {
  const limit = reader.index.root.shards[shard]?.slots ?? 0;
  switch (table) {
    case "locator": {
      const value = decodeLocator(entriesOf(chunks), reader.index.root.packs.length, limit, reader.deletedIn(shard));
      return { value, bytes: sizeOfLocator(value) };
    }
    case "titles": {
      const value = decodeNames(chunks, limit);
      for (const number of reader.deletedIn(shard)) value[number] = undefined;
      return { value, bytes: (value.length + 1) * ENTRY_BYTES.titles };
    }
    case "facets": {
      const value = decodeFacets(chunks);
      const values = [...value.values()].reduce((sum, { size }) => sum + size * 4, 0);
      return { value, bytes: (values + 1) * ENTRY_BYTES.facets };
    }
    case "spelling": {
      const value = decodeSpelling(chunks);
      return { value, bytes: (value.size + 1) * ENTRY_BYTES.spelling };
    }
  }
}

function decodeNames(chunks: readonly Chunk[], limit: number): (DocumentName | undefined)[] {
  const slots: (DocumentName | undefined)[] = [];
  for (const [key, bytes] of entriesOf(chunks)) {
    if (key.length !== 4) throw new FormatError("table titles", { code: "malformed", reason: "a key is not a number" });
    const first = numberOfKey(key) * TITLE_SLOTS;
    const decoded = decodeTitles(bytes);
    const end = first + decoded.length;
    if (end > limit) throw new FormatError("table titles", { code: "out-of-range", what: "slots", got: end, limit });
    // Sorted keys come with gaps where no document of a block exists.
    while (slots.length < first) slots.push(undefined);
    for (const slot of decoded) slots.push(slot);
  }
  return slots;
}

function decodeTitles(bytes: Uint8Array): (DocumentName | undefined)[] {
  const reader = new ByteReader(bytes, "titles");
  const count = reader.readVarint();
  if (count > TITLE_SLOTS) {
    throw new FormatError(reader.what, { code: "out-of-range", what: "slots", got: count, limit: TITLE_SLOTS });
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
