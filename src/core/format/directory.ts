/**
 * Directory of a table: from a key to the place of the chunk that would hold it.
 *
 * Layout: index-format v1, section 3.3. A small table has one directory in the root; a large one has a directory over
 * directory chunks, which are chunks like any other.
 *
 * Pure: bytes in, values out.
 */
import type { ByteKey } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { FormatError } from "../errors.ts";
import {
  type Chunk,
  countShared,
  MAX_SEALED_BYTES,
  readFrontCoded,
  type TableEntry,
  valueAt,
  writeFrontCoded,
} from "./chunk.ts";

/** Where some bytes lie: in which pack of the root's list, from where, how many. */
export interface Place {
  readonly pack: number;
  readonly offset: number;
  readonly length: number;
}

/** One chunk as the directory lists it. */
export interface DirectoryEntry extends Place {
  /** Shortest prefix that tells the chunk's first key from the last key before it. */
  readonly prefix: ByteKey;
}

/** A decoded directory. */
export interface Directory {
  /** 0: the entries name chunks of the table; 1: they name directory chunks. */
  readonly height: number;
  readonly entries: readonly DirectoryEntry[];
}

/** Heights a reader knows. */
const MAX_HEIGHT = 1;

/** Bytes of a directory. @throws {FormatError} `keys-out-of-order`. */
export function encodeDirectory(directory: Directory): Uint8Array {
  const writer = new ByteWriter(1024);
  writer.writeVarint(directory.height);
  writer.writeVarint(directory.entries.length);
  let before: DirectoryEntry | undefined;
  for (const entry of directory.entries) {
    if (before !== undefined && entry.prefix <= before.prefix) {
      throw new FormatError("directory", { code: "keys-out-of-order", key: entry.prefix });
    }
    writeFrontCoded(writer, before?.prefix ?? ("" as ByteKey), entry.prefix);
    writer.writeVarint(entry.length);
    writePlace(writer, before, entry);
    before = entry;
  }
  return writer.finish();
}

/** The directory that these bytes are; `packs` is the number of packs the root lists. @throws {FormatError}. */
export function decodeDirectory(bytes: Uint8Array, table: string, packs: number): Directory {
  const reader = new ByteReader(bytes, `directory of table ${table}`);
  const height = reader.readVarint();
  if (height > MAX_HEIGHT) {
    throw new FormatError(reader.what, { code: "out-of-range", what: "height", got: height, limit: MAX_HEIGHT });
  }
  const count = reader.readVarint();
  const entries: DirectoryEntry[] = [];
  let before: DirectoryEntry | undefined;
  for (let i = 0; i < count; i++) {
    const prefix = readFrontCoded(reader, before?.prefix ?? ("" as ByteKey));
    if (before !== undefined && prefix <= before.prefix) {
      throw new FormatError(reader.what, { code: "keys-out-of-order", key: prefix });
    }
    const length = readLength(reader);
    const place = readPlace(reader, before, packs);
    before = { prefix, length, ...place };
    entries.push(before);
  }
  reader.expectEnd();
  return { height, entries };
}

/** Write where bytes lie, in one byte when they follow the ones before. */
export function writePlace(writer: ByteWriter, before: Place | undefined, place: Omit<Place, "length">): void {
  if (before !== undefined && place.pack === before.pack && place.offset === before.offset + before.length) {
    writer.writeVarint(0);
    return;
  }
  writer.writeVarint(place.pack + 1);
  writer.writeVarint(place.offset);
}

/** Read what `writePlace` wrote. @throws {FormatError} when it names a pack that is not there. */
function readPlace(reader: ByteReader, before: Place | undefined, packs: number): { pack: number; offset: number } {
  const place = reader.readVarint();
  if (place === 0) {
    if (before === undefined)
      throw new FormatError(reader.what, { code: "malformed", reason: "the first place follows nothing" });
    return { pack: before.pack, offset: before.offset + before.length };
  }
  if (place > packs)
    throw new FormatError(reader.what, { code: "out-of-range", what: "pack", got: place - 1, limit: packs - 1 });
  return { pack: place - 1, offset: reader.readVarint() };
}

/** Read how many bytes a chunk or block takes. @throws {FormatError} when none can take so many. */
export function readLength(reader: ByteReader): number {
  const length = reader.readVarint();
  if (length > MAX_SEALED_BYTES) {
    throw new FormatError(reader.what, { code: "out-of-range", what: "length", got: length, limit: MAX_SEALED_BYTES });
  }
  return length;
}

/** Index of the entry whose chunk would hold `key`, or -1 in an empty directory. */
export function findEntry(entries: readonly DirectoryEntry[], key: ByteKey): number {
  let low = 0;
  let high = entries.length - 1;
  let found = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as DirectoryEntry).prefix <= key) {
      found = middle;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}

/** The prefix to list a chunk under that begins with `first` and follows a chunk that ends with `lastBefore`. */
export function separatingPrefix(lastBefore: ByteKey | undefined, first: ByteKey): ByteKey {
  if (lastBefore === undefined) return "" as ByteKey;
  return first.slice(0, countShared(lastBefore, first) + 1) as ByteKey;
}

/** A directory entry as an entry of a directory chunk. */
export function toTableEntry(entry: DirectoryEntry): TableEntry {
  const writer = new ByteWriter(16);
  writer.writeVarint(entry.length);
  writer.writeVarint(entry.pack);
  writer.writeVarint(entry.offset);
  return { key: entry.prefix, value: writer.finish() };
}

/** Directory entries of a directory chunk. @throws {FormatError}. */
export function fromDirectoryChunk(chunk: Chunk, table: string, packs: number): DirectoryEntry[] {
  return chunk.keys.map((prefix, index) => {
    const reader = new ByteReader(valueAt(chunk, index), `directory chunk of table ${table}`);
    const length = readLength(reader);
    const pack = reader.readVarint();
    if (pack >= packs)
      throw new FormatError(reader.what, { code: "out-of-range", what: "pack", got: pack, limit: packs - 1 });
    const offset = reader.readVarint();
    reader.expectEnd();
    return { prefix, length, pack, offset };
  });
}
