/**
 * Source files with their symbols, by id and by number; and the table `files`, looked up by id or read whole for filters by
 * path or language.
 */
import { keyOf, keyOfNumber, textOfKey } from "../bytes/key.ts";
import { countFirst } from "../bytes/numbers.ts";
import { FormatError, malformed } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import {
  type CodePosition,
  containerPath,
  type EdgeRecord,
  type FileRecord,
  makeSymbolId,
  type SymbolRecord,
} from "../format/code-model.ts";
import { decodeEdges } from "../format/edge-tables.ts";
import { decodeFileEntry, decodeFileRecord, type FileEntry } from "../format/file-tables.ts";
import { areFlatWithin } from "../format/table.ts";
import { entriesOf, findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { codeShards } from "../index/shards.ts";
import { type ByteRange, MAX_CONCURRENT_READS, measureReads } from "../index/waves.ts";
import { foldCase } from "../text/normalize.ts";
import type { FilePlace, LoadedFile, LoadedSymbol, SymbolPlace } from "./model.ts";

/** A source file without its symbols. */
export interface ListedFile extends FileEntry {
  /** Document id. */
  readonly id: string;
}

/** All source files of a shard, by number. */
export type FileList = readonly ListedFile[];

/** Reading through gaps costs less than a further round of reads, up to so many bytes that nobody asked for. */
const MAX_GAPS_BYTES = 256 * 1024;
/** About what a listed file takes in memory. */
const FILE_MEMORY = 240;

/**
 * One wave: the reads asked for, and the table `files` of each shard with code that is not in memory.
 *
 * @param isMerged Whether gaps are read through so that it is one round, where that costs little.
 */
export async function readWithFiles(reader: IndexReader, reads: readonly TableRead[], isMerged = false) {
  const shards = codeShards(reader).map(({ index }) => index);
  const missing = shards.filter((shard) => reader.recall(listNameOf(shard)) === undefined);
  const all = [...reads, ...missing.map((shard): TableRead => ({ shard, table: "files", keys: "all" }))];
  const { tables } = await reader.read(all, [], isMerged ? await roundOf(reader, all) : undefined);
  for (const [at, shard] of missing.entries()) {
    const list = decodeList(tables[reads.length + at] ?? []);
    reader.remember(listNameOf(shard), list, (list.length + 1) * FILE_MEMORY);
  }
  return {
    tables: tables.slice(0, reads.length),
    /** By shard. */
    lists: new Map(shards.map((shard) => [shard, reader.recall(listNameOf(shard)) as FileList])),
  };
}

/** Reads of one round, where reading through gaps to make do with it costs little; else undefined. */
async function roundOf(reader: IndexReader, reads: readonly TableRead[]): Promise<number | undefined> {
  await reader.locate(reads);
  const ranges = reader.knownRanges(reads);
  const wanted = ranges.reduce((sum, { length }) => sum + length, 0);
  const merged = measureReads(ranges, MAX_CONCURRENT_READS);
  return merged !== undefined && merged - wanted <= MAX_GAPS_BYTES ? MAX_CONCURRENT_READS : undefined;
}

/**
 * Whether the lists of files are in memory, or small enough to be read beside something else. Never to a reader that reads
 * what it shows: equal requests get equal answers.
 */
export function areFilesAtHand(reader: IndexReader): boolean {
  if (reader.residency === "shown") return false;
  const shards = codeShards(reader);
  if (shards.every(({ index }) => reader.recall(listNameOf(index)) !== undefined)) return true;
  return areFlatWithin(
    shards.map(({ root }) => root.tables.files),
    reader.index.wholeTableLimits.files,
  );
}

/** Where source files are, by document id; undefined where there is none of that id. One wave, none where lists are at hand. */
export async function findFiles(
  reader: IndexReader,
  documentIds: readonly string[],
): Promise<(FilePlace | undefined)[]> {
  if (documentIds.length === 0) return [];
  const keys = documentIds.map(keyOf);
  if (areFilesAtHand(reader)) {
    const { lists } = await readWithFiles(reader, []);
    return keys.map((key) => findInLists(lists, key));
  }
  const reads = codeShards(reader).map(({ index }): TableRead => ({ shard: index, table: "files", keys }));
  const { tables } = await reader.read(reads);
  return keys.map((key) => {
    for (const [at, chunks] of tables.entries()) {
      const value = findInChunks(chunks, key);
      if (value !== undefined) return { shard: (reads[at] as TableRead).shard, file: decodeFileEntry(value).number };
    }
    return undefined;
  });
}

/** Files of a text that is no id and no whole path. */
const MAX_NAMED = 10;

/** The file of that id, the files of that path in some collection, or those whose paths end so, with their ids. Waves as `findFiles`. */
export async function filesNamed(reader: IndexReader, text: string) {
  const ids = [text, ...reader.collections.map(({ name }) => `${name}:${text}`)];
  const places = await findFiles(reader, ids);
  const exact = places.flatMap((place, at) => (place === undefined ? [] : [{ ...place, id: ids[at] as string }]));
  if (exact.length > 0 || !areFilesAtHand(reader) || !/[./]/.test(text)) return exact;
  const { lists } = await readWithFiles(reader, []);
  return [...lists].flatMap(([shard, list]) =>
    list.flatMap(({ id, number }) => (id.endsWith(`/${text}`) ? [{ shard, file: number, id }] : [])),
  );
}

/** Files, and the symbols in them, that `file#path` names; undefined where there is no such file. */
export async function symbolsInFiles(reader: IndexReader, text: string) {
  const at = text.indexOf("#", 1);
  const places = at < 0 ? [] : await filesNamed(reader, text.slice(0, at));
  if (places.length === 0) return undefined;
  const files = [...(await loadPlaces(reader, places.slice(0, MAX_NAMED))).values()];
  return { files, symbols: files.flatMap((file) => symbolsNamed(file, text.slice(at + 1))) };
}

/** The symbol with that path; else all of that name, in any case where none is written so. */
function symbolsNamed(file: LoadedFile, wanted: string): LoadedSymbol[] {
  const folded = foldCase(wanted);
  const tests: ((symbol: SymbolRecord) => boolean)[] = [
    ({ path }) => path === wanted,
    ({ name }) => name === wanted,
    ({ name, path }) => [name, path].some((own) => foldCase(own) === folded),
  ];
  const { symbols } = file.record;
  const found = tests.map((isMeant) => symbols.flatMap((symbol, at) => (isMeant(symbol) ? [symbolAt(file, at)] : [])));
  return found.find(({ length }) => length > 0) ?? [];
}

function findInLists(lists: ReadonlyMap<number, FileList>, key: string): FilePlace | undefined {
  for (const [shard, list] of lists) {
    const keyAt = (at: number): string => keyOf(list[at]?.id ?? "");
    const file = countFirst(list.length, (at) => keyAt(at) < key);
    if (file < list.length && keyAt(file) === key) return { shard, file };
  }
  return undefined;
}

/** @throws {FormatError} where numbers are not those of the order of ids. */
function decodeList(chunks: readonly Chunk[]): FileList {
  const list: ListedFile[] = [];
  for (const [key, bytes] of entriesOf(chunks)) {
    const entry = decodeFileEntry(bytes);
    if (entry.number !== list.length) {
      throw malformed("table files", `file ${list.length} has the number ${entry.number}`);
    }
    list.push({ id: textOfKey(key), ...entry });
  }
  return list;
}

function listNameOf(shard: number): string {
  return `files/${shard}`;
}

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

/** Source files by their places, by `nameOf`. One wave for up to six chunks, and for more where they lie close together. */
export async function loadPlaces(
  reader: IndexReader,
  places: readonly FilePlace[],
): Promise<ReadonlyMap<string, LoadedFile>> {
  const reads = readsOf("symbols", places);
  const { tables } = await reader.read(reads, [], isCheapInOneWave(reader, reads) ? MAX_CONCURRENT_READS : undefined);
  const files = new Map<string, LoadedFile>();
  for (const place of places) {
    const name = nameOf(place);
    if (files.has(name)) continue;
    const at = reads.findIndex(({ shard }) => shard === place.shard);
    files.set(name, toFile(reader, place, findInChunks(tables[at] ?? [], keyOfNumber(place.file))));
  }
  return files;
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
) {
  const wanted = [...new Set(files)];
  const readsFor = (count: number): TableRead[] => [
    ...beside,
    ...readsOf(
      "symbols",
      wanted.slice(0, count).map((file) => ({ shard, file })),
    ),
  ];
  await reader.locate(readsFor(wanted.length));
  const count = countFirst(wanted.length, (at) => isCheap(reader.knownRanges(readsFor(at + 1))));
  const { tables } = await reader.read(readsFor(count), [], MAX_CONCURRENT_READS);
  const chunks = tables[beside.length] ?? [];
  return {
    files: new Map(
      wanted
        .slice(0, count)
        .map((file) => [file, toFile(reader, { shard, file }, findInChunks(chunks, keyOfNumber(file)))] as const),
    ),
    /** Of each read that went along. */
    tables: tables.slice(0, beside.length),
  };
}

/** Whether reading through gaps makes one wave of some keys at little cost. Not known where a directory has two levels. */
function isCheapInOneWave(reader: IndexReader, reads: readonly TableRead[]): boolean {
  const isFlat = reads.every(({ shard, table }) => reader.index.root.shards[shard]?.tables[table].height === 0);
  return isFlat && isCheap(reader.knownRanges(reads));
}

function isCheap(ranges: readonly ByteRange[]): boolean {
  const merged = measureReads(ranges, MAX_CONCURRENT_READS);
  return merged !== undefined && merged <= MAX_MERGED_BYTES;
}

/** Symbols by their places, in the order asked for. Their files are read as `loadPlaces` does. */
export async function loadSymbols(reader: IndexReader, places: readonly SymbolPlace[]): Promise<LoadedSymbol[]> {
  const files = await loadPlaces(reader, places);
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

const NOTHING_SAID = { signature: "", doc: "", type: "", flags: [], bases: [] } as const;

/** A file as a symbol: what stands at its top, outside of all symbols. @param at Place that is meant. */
export function fileSymbol(
  { shard, file, record: inFile }: LoadedFile,
  at: CodePosition = { line: 1, column: 1 },
): LoadedSymbol {
  const name = inFile.id.slice(inFile.id.lastIndexOf("/") + 1).replace(/^[^:]*:/, "");
  const place = { at, start: at, end: at, parent: -1, section: 0, rank: inFile.rank };
  const record: SymbolRecord = { kind: "file", name, path: name, ...place, ...NOTHING_SAID };
  return { shard, file, symbol: -1, id: inFile.id, record, inFile };
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
function readsOf(table: "symbols" | "edges" | "reach", places: readonly FilePlace[]): TableRead[] {
  const shards = [...new Set(places.map(({ shard }) => shard))];
  return shards.map((shard) => ({
    shard,
    table,
    keys: places.filter((place) => place.shard === shard).map(({ file }) => keyOfNumber(file)),
  }));
}

function toFile(reader: IndexReader, { shard, file }: FilePlace, value: Uint8Array | undefined): LoadedFile {
  if (value === undefined) throw malformed("table symbols", `there is no source file ${file}`);
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

/** All declarations of a symbol, itself included, in the order of the source: same name, kind and container. */
export function declarationsOf({ shard, file, record, inFile }: LoadedSymbol): LoadedSymbol[] {
  const container = containerPath(record);
  return inFile.symbols.flatMap((symbol, at) =>
    symbol.name === record.name &&
    symbol.kind === record.kind &&
    symbol.parent === record.parent &&
    // Members of two types of other files may stand side by side.
    containerPath(symbol) === container
      ? [symbolAt({ shard, file, record: inFile }, at)]
      : [],
  );
}
