/**
 * Resident tables: small ones that are read whole once and kept decoded: locator, titles, facets.
 *
 * They are asked for together with whatever else the wave needs, so that a cold reader pays no wave of its own for
 * them.
 */
import type { Chunk } from "../format/chunk.ts";
import { decodeLocator, findBlock, type Locator, sizeOfLocator } from "../format/locator.ts";
import type { ShardRoot } from "../format/root.ts";
import { areFlatWithin } from "../format/table.ts";
import { type DocumentName, DocumentNames, decodeFacets, type FacetLists } from "./decode-tables.ts";
import { type BlockRead, entriesOf, type IndexReader, type TableRead } from "./index-reader.ts";

export type ResidentTable = "locator" | "titles" | "facets";

interface ResidentValues {
  readonly locator: Locator;
  readonly titles: DocumentNames;
  readonly facets: FacetLists;
}

/** Rough size in memory of a value of a facet, for the cache's budget. */
const FACET_BYTES = 100;

/** One wave: the reads asked for, and the resident tables of all visible shards that are not in memory yet. */
export async function readWithResident(
  reader: IndexReader,
  resident: readonly ResidentTable[],
  tables: readonly TableRead[] = [],
  blocks: readonly BlockRead[] = [],
  maxReads?: number,
) {
  const missing = listMissing(reader, resident);
  const wave = await reader.read([...tables, ...missing, ...listSmallTerms(reader, resident)], blocks, maxReads);
  for (const [at, { shard, table }] of missing.entries()) {
    const chunks = wave.tables[tables.length + at] as readonly Chunk[];
    const { value, bytes } = decodeResident(table, shard, chunks, reader);
    reader.remember(nameOf(table, shard), value, bytes);
  }
  return { tables: wave.tables.slice(0, tables.length), blocks: wave.blocks };
}

/** Reads of the resident tables of all visible shards that are not in memory yet. */
function listMissing(
  reader: IndexReader,
  resident: readonly ResidentTable[],
): { readonly shard: number; readonly table: ResidentTable; readonly keys: "all" }[] {
  return reader.shards.flatMap(({ index }) =>
    resident
      .filter((table) => reader.recall(nameOf(table, index)) === undefined)
      .map((table) => ({ shard: index, table, keys: "all" as const })),
  );
}

/** Terms of newer levels that are no more bytes are read with the locator, and later queries find theirs in memory. */
const SMALL_TERMS_BYTES = 16 * 1024;

function listSmallTerms(reader: IndexReader, resident: readonly ResidentTable[]): TableRead[] {
  if (!resident.includes("locator") || reader.residency === "shown") return [];
  return reader.shards
    .filter(({ root }) => root.newer === true && areFlatWithin([root.tables.terms], SMALL_TERMS_BYTES))
    .map(({ index }): TableRead => ({ shard: index, table: "terms", keys: "all" }))
    .filter((read) => !reader.holds([read]));
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
  return areFlatWithin(
    reader.shards.map(({ root }) => root.tables[table]),
    reader.index.wholeTableLimits[table],
  );
}

/** Path and title of a document where the titles are in memory. */
export function knownName(reader: IndexReader, shard: number, document: number): DocumentName | undefined {
  return (reader.recall(nameOf("titles", shard)) as ResidentValues["titles"] | undefined)?.at(document);
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
  const { slots: limit, packs } = reader.index.root.shards[shard] as ShardRoot;
  const deleted = reader.deletedIn(shard);
  if (table === "locator") {
    const value = decodeLocator(entriesOf(chunks), packs.length, limit, deleted);
    return { value, bytes: sizeOfLocator(value) };
  }
  if (table === "titles") {
    const value = new DocumentNames(chunks, limit, deleted);
    return { value, bytes: value.memoryBytes };
  }
  const value = decodeFacets(chunks, deleted, new Set(reader.index.root.facetKeys));
  const values = [...value.values()].reduce((sum, { size }) => sum + size * 4, 0);
  return { value, bytes: (values + 1) * FACET_BYTES };
}
