/**
 * The table `files`: looked up by id, or read whole where something asks for all files at once, a filter by path or by
 * language. Pure apart from the reader's I/O.
 */
import { keyOf, textOfKey } from "../bytes/key.ts";
import { FormatError } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import { decodeFileEntry, type FileEntry } from "../format/file-entry.ts";
import { codeShards } from "../index/code-shards.ts";
import { entriesOf, findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { MAX_CONCURRENT_READS, measureReads } from "../index/waves.ts";
import type { FilePlace } from "./model.ts";

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

/** What one wave gave, and the lists of files of all shards with code. */
export interface ReadWithFiles {
  readonly tables: readonly (readonly Chunk[])[];
  /** By shard. */
  readonly lists: ReadonlyMap<number, FileList>;
}

/**
 * One wave: the reads asked for, and the table `files` of each shard with code that is not in memory.
 *
 * @param isMerged Whether gaps are read through so that it is one round, where that costs little.
 */
export async function readWithFiles(
  reader: IndexReader,
  reads: readonly TableRead[],
  isMerged = false,
): Promise<ReadWithFiles> {
  const shards = codeShards(reader).map(({ index }) => index);
  const missing = shards.filter((shard) => reader.recall(nameOf(shard)) === undefined);
  const all = [...reads, ...missing.map((shard): TableRead => ({ shard, table: "files", keys: "all" }))];
  const { tables } = await reader.read(all, [], isMerged ? await roundOf(reader, all) : undefined);
  for (const [at, shard] of missing.entries()) {
    const list = decodeList(tables[reads.length + at] ?? []);
    reader.remember(nameOf(shard), list, (list.length + 1) * FILE_MEMORY);
  }
  return {
    tables: tables.slice(0, reads.length),
    lists: new Map(shards.map((shard) => [shard, reader.recall(nameOf(shard)) as FileList])),
  };
}

/** Reads of one round, where reading through gaps to make do with it costs little; else undefined. */
async function roundOf(reader: IndexReader, reads: readonly TableRead[]): Promise<number | undefined> {
  const ranges = (await reader.locate(reads)).flat().map((entry) => reader.rangeOf(entry));
  const wanted = ranges.reduce((sum, { length }) => sum + length, 0);
  const merged = measureReads(ranges, MAX_CONCURRENT_READS);
  return merged !== undefined && merged - wanted <= MAX_GAPS_BYTES ? MAX_CONCURRENT_READS : undefined;
}

/**
 * Whether the lists of files are in memory, or small enough to be read beside something else. Never to a reader that reads
 * what it shows: equal requests get equal answers. Ids of files weigh what titles of pages do, so they share a limit.
 */
export function areFilesAtHand(reader: IndexReader): boolean {
  if (reader.residency === "shown") return false;
  const shards = codeShards(reader);
  if (shards.every(({ index }) => reader.recall(nameOf(index)) !== undefined)) return true;
  const directories = shards.map(({ root }) => root.tables.files);
  const bytes = directories.reduce((sum, { entries }) => sum + entries.reduce((own, { length }) => own + length, 0), 0);
  return directories.every(({ height }) => height === 0) && bytes <= reader.index.wholeTableLimits.titles;
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

function findInLists(lists: ReadonlyMap<number, FileList>, key: string): FilePlace | undefined {
  for (const [shard, list] of lists) {
    // In the order of keys.
    let low = 0;
    let high = list.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = keyOf((list[middle] as ListedFile).id) as string;
      if (found === key) return { shard, file: middle };
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
  }
  return undefined;
}

/** @throws {FormatError} where numbers are not those of the order of ids. */
function decodeList(chunks: readonly Chunk[]): FileList {
  const list: ListedFile[] = [];
  for (const [key, bytes] of entriesOf(chunks)) {
    const entry = decodeFileEntry(bytes);
    if (entry.number !== list.length) {
      const reason = `file ${list.length} has the number ${entry.number}`;
      throw new FormatError("table files", { code: "malformed", reason });
    }
    list.push({ id: textOfKey(key), ...entry });
  }
  return list;
}

function nameOf(shard: number): string {
  return `files/${shard}`;
}
