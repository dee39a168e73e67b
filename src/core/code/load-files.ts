/**
 * Source files with their symbols, by id and by number. Pure apart from the reader's I/O.
 */

import { type ByteKey, keyOfNumber } from "../bytes/key.ts";
import { FormatError } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import type { EdgeRecord, FileRecord, SymbolRecord } from "../format/code-records.ts";
import { findEntry } from "../format/directory.ts";
import { decodeEdges } from "../format/edge-list.ts";
import { decodeFileRecord } from "../format/file-record.ts";
import { makeSymbolId } from "../format/symbol-id.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { type ByteRange, MAX_CONCURRENT_READS, measureReads } from "../index/waves.ts";
import { findFiles } from "./file-list.ts";
import type { FilePlace, LoadedFile, LoadedSymbol, SymbolPlace } from "./model.ts";

/** Reading through gaps costs less than a further round of reads, up to about so many bytes in all. */
const MAX_MERGED_BYTES = 384 * 1024;

/** About what a decoded symbol and edge take in memory beside their texts, in bytes. */
const SYMBOL_BYTES = 500;
const EDGE_BYTES = 160;

/** A source file with what it leads to. */
export interface FileWithEdges extends LoadedFile {
  readonly edges: readonly EdgeRecord[];
}

/** The source file with an id, or undefined. Two waves; one where the list of files is in memory. */
export async function loadFile(reader: IndexReader, documentId: string): Promise<LoadedFile | undefined> {
  const [file] = await loadFiles(reader, [documentId]);
  return file;
}

/** Source files by their ids, in the order asked for; undefined where there is none of that id. */
export async function loadFiles(
  reader: IndexReader,
  documentIds: readonly string[],
): Promise<(LoadedFile | undefined)[]> {
  const places = await findFiles(reader, documentIds);
  const files = await loadPlaces(
    reader,
    places.filter((place) => place !== undefined),
  );
  return places.map((place) => (place === undefined ? undefined : files.get(nameOf(place))));
}

/** A source file with its edges, in one wave behind that which finds it. */
export async function loadFileWithEdges(reader: IndexReader, documentId: string): Promise<FileWithEdges | undefined> {
  const [place] = await findFiles(reader, [documentId]);
  if (place === undefined) return undefined;
  const [file] = await loadPlacesWithEdges(reader, [place]);
  return file;
}

/** Source files by their places, with what they lead to, in the order asked for. One round of reads for each six chunks. */
export async function loadPlacesWithEdges(reader: IndexReader, places: readonly FilePlace[]): Promise<FileWithEdges[]> {
  const symbols = readsOf("symbols", places);
  const edges = readsOf("edges", places);
  const { tables } = await reader.read([...symbols, ...edges]);
  return places.map((place) => {
    const at = symbols.findIndex(({ shard }) => shard === place.shard);
    const key = keyOfNumber(place.file);
    const value = findInChunks(tables[symbols.length + at] ?? [], key);
    return {
      ...toFile(reader, place, findInChunks(tables[at] ?? [], key)),
      edges: value === undefined ? [] : toEdges(reader, place, value),
    };
  });
}

/**
 * Source files by their places, by `nameOf`. One wave for up to six chunks, and for more where they lie close together.
 *
 * @param beside What else goes along in that wave: it is in memory then.
 */
export async function loadPlaces(
  reader: IndexReader,
  places: readonly FilePlace[],
  beside: readonly TableRead[] = [],
): Promise<ReadonlyMap<string, LoadedFile>> {
  const reads = readsOf("symbols", places);
  const tables = await readTogether(reader, [...reads, ...beside]);
  const files = new Map<string, LoadedFile>();
  for (const place of places) {
    const name = nameOf(place);
    if (files.has(name)) continue;
    const at = reads.findIndex(({ shard }) => shard === place.shard);
    files.set(name, toFile(reader, place, findInChunks(tables[at] ?? [], keyOfNumber(place.file))));
  }
  return files;
}

/** Source files of one shard that were loaded, by number, and what was read beside them. */
export interface LoadedBeside {
  readonly files: ReadonlyMap<number, LoadedFile>;
  /** Of each read that went along. */
  readonly tables: readonly (readonly Chunk[])[];
}

/**
 * As many of some files of a shard, from the first on, as one wave brings beside some other reads, reading through gaps
 * where that is cheap. One wave; one before it where a directory of two levels is not in memory.
 */
export async function loadFirst(
  reader: IndexReader,
  shard: number,
  files: readonly number[],
  beside: readonly TableRead[],
): Promise<LoadedBeside> {
  const wanted = [...new Set(files)];
  const readsFor = (count: number): TableRead[] => [
    ...beside,
    ...readsOf(
      "symbols",
      wanted.slice(0, count).map((file) => ({ shard, file })),
    ),
  ];
  let low = 0;
  let high = wanted.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const found = await reader.locate(readsFor(middle));
    const ranges = found.flat().map((entry) => reader.rangeOf(entry));
    const merged = measureReads(ranges, MAX_CONCURRENT_READS);
    if (merged !== undefined && merged <= MAX_MERGED_BYTES) low = middle;
    else high = middle - 1;
  }
  const { tables } = await reader.read(readsFor(low), [], MAX_CONCURRENT_READS);
  const chunks = tables[beside.length] ?? [];
  return {
    files: new Map(
      wanted
        .slice(0, low)
        .map((file) => [file, toFile(reader, { shard, file }, findInChunks(chunks, keyOfNumber(file)))] as const),
    ),
    tables: tables.slice(0, beside.length),
  };
}

type TablesOfShard = IndexReader["index"]["root"]["shards"][number]["tables"];

/** Some keys of tables, in one wave where reading through gaps does it at little cost. */
export async function readTogether(
  reader: IndexReader,
  reads: readonly TableRead[],
): Promise<readonly (readonly Chunk[])[]> {
  const isOneWave = isCheapInOneWave(reader, reads);
  return (await reader.read(reads, [], isOneWave ? MAX_CONCURRENT_READS : undefined)).tables;
}

/** Whether reading through gaps makes one wave of some keys at little cost. Not known where a directory has two levels. */
export function isCheapInOneWave(reader: IndexReader, reads: readonly TableRead[]): boolean {
  const ranges: ByteRange[] = [];
  for (const { shard, table, keys } of reads) {
    const { height, entries } = (reader.index.root.shards[shard] as { tables: TablesOfShard }).tables[table];
    if (height > 0) return false;
    for (const index of new Set((keys as readonly ByteKey[]).map((key) => findEntry(entries, key)))) {
      const entry = entries[index];
      if (entry !== undefined) ranges.push(reader.rangeOf(entry));
    }
  }
  const merged = measureReads(ranges, MAX_CONCURRENT_READS);
  return merged !== undefined && merged <= MAX_MERGED_BYTES;
}

/** Symbols by their places, in the order asked for. Their files, and what is `beside` them, are read as `loadPlaces` does. */
export async function loadSymbols(
  reader: IndexReader,
  places: readonly SymbolPlace[],
  beside: readonly TableRead[] = [],
): Promise<LoadedSymbol[]> {
  const files = await loadPlaces(reader, places, beside);
  return places.map((place) => symbolAt(files.get(nameOf(place)) as LoadedFile, place.symbol));
}

/** A symbol of a file. @throws {FormatError} where the file has none of that index. */
export function symbolAt({ shard, file, record: inFile }: LoadedFile, symbol: number): LoadedSymbol {
  const record = inFile.symbols[symbol];
  if (record === undefined) {
    const limit = inFile.symbols.length - 1;
    throw new FormatError("table symbols", { code: "out-of-range", what: "symbol", got: symbol, limit });
  }
  return { shard, file, symbol, id: idOf(inFile, symbol), record, inFile };
}

/** Id of a symbol of a file, of the file itself for -1. */
export function idOf(file: FileRecord, symbol: number): string {
  return symbol < 0 ? file.id : makeSymbolId(file, file.symbols[symbol] as SymbolRecord);
}

/** Tells places of files apart. */
export function nameOf({ shard, file }: FilePlace): string {
  return `${shard}/${file}`;
}

/** What is read of a table whose keys are numbers of files. */
export function readsOf(table: "symbols" | "edges" | "reach", places: readonly FilePlace[]): TableRead[] {
  const shards = [...new Set(places.map(({ shard }) => shard))];
  return shards.map((shard) => ({
    shard,
    table,
    keys: places.filter((place) => place.shard === shard).map(({ file }) => keyOfNumber(file)),
  }));
}

function toFile(reader: IndexReader, { shard, file }: FilePlace, value: Uint8Array | undefined): LoadedFile {
  if (value === undefined) {
    throw new FormatError("table symbols", { code: "malformed", reason: `there is no source file ${file}` });
  }
  const name = `record/${shard}/${file}`;
  const known = reader.recall(name) as FileRecord | undefined;
  if (known !== undefined) return { shard, file, record: known };
  const record = decodeFileRecord(value);
  reader.remember(name, record, 2 * value.length + SYMBOL_BYTES * (1 + record.symbols.length));
  return { shard, file, record };
}

/** Decoded once for as long as there is room: what a call leads to is what the next one asks about. */
function toEdges(reader: IndexReader, { shard, file }: FilePlace, value: Uint8Array): readonly EdgeRecord[] {
  const name = `edges/${shard}/${file}`;
  const known = reader.recall(name) as readonly EdgeRecord[] | undefined;
  if (known !== undefined) return known;
  const edges = decodeEdges(file, value);
  reader.remember(name, edges, 2 * value.length + EDGE_BYTES * (1 + edges.length));
  return edges;
}
