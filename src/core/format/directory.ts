/**
 * Directory of a table: from a key to the place of the chunk that would hold it.
 *
 * Layout: index-format v1, section 3.3. A small table has one directory in the root; a large one has a directory over
 * directory chunks, which are chunks like any other. Column by column, because that deflates to two thirds.
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
  joinShared,
  MAX_SEALED_BYTES,
  SEALED_STEP,
  type TableEntry,
  valueAt,
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

/** Bytes of a directory. Lengths are multiples of `SEALED_STEP`. @throws {FormatError} `keys-out-of-order`. */
export function encodeDirectory({ height, entries }: Directory): Uint8Array {
  const writer = new ByteWriter(1024);
  writer.writeVarint(height);
  writer.writeVarint(entries.length);
  const shared = entries.map(({ prefix }, at) => {
    const before = entries[at - 1]?.prefix;
    if (before !== undefined && prefix <= before) {
      throw new FormatError("directory", { code: "keys-out-of-order", key: prefix });
    }
    return countShared(before ?? ("" as ByteKey), prefix);
  });
  for (const count of shared) writer.writeVarint(count);
  for (const [at, { prefix }] of entries.entries()) writer.writeVarint(prefix.length - (shared[at] as number));
  for (const [at, { prefix }] of entries.entries()) {
    for (let i = shared[at] as number; i < prefix.length; i++) writer.writeByte(prefix.charCodeAt(i));
  }
  for (const { length } of entries) writeLength(writer, length);
  for (const [at, entry] of entries.entries()) writePlace(writer, entries[at - 1], entry);
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
  // Each entry takes four bytes at least, so a larger count is refused before anything is allocated for it.
  if (count > reader.remaining / 4) {
    const limit = Math.floor(reader.remaining / 4);
    throw new FormatError(reader.what, { code: "out-of-range", what: "entry count", got: count, limit });
  }
  const prefixes = readPrefixes(reader, count);
  const lengths = prefixes.map(() => readLength(reader));
  const entries: DirectoryEntry[] = [];
  for (const [at, prefix] of prefixes.entries()) {
    const place = readPlace(reader, entries.at(-1), packs);
    entries.push({ prefix, length: lengths[at] as number, ...place });
  }
  reader.expectEnd();
  return { height, entries };
}

function readPrefixes(reader: ByteReader, count: number): ByteKey[] {
  const shared = Array.from({ length: count }, () => reader.readVarint());
  const rest = Array.from({ length: count }, () => reader.readVarint());
  const prefixes: ByteKey[] = [];
  for (let at = 0; at < count; at++) {
    const before = prefixes[at - 1] ?? ("" as ByteKey);
    const prefix = joinShared(reader, before, shared[at] as number, rest[at] as number);
    if (at > 0 && prefix <= before) throw new FormatError(reader.what, { code: "keys-out-of-order", key: prefix });
    prefixes.push(prefix);
  }
  return prefixes;
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

/** Write how many bytes a chunk takes, in steps. */
function writeLength(writer: ByteWriter, length: number): void {
  if (length % SEALED_STEP !== 0) throw new RangeError(`not a multiple of ${SEALED_STEP}: ${length}`);
  writer.writeVarint(length / SEALED_STEP);
}

/** Read how many bytes a chunk takes. @throws {FormatError} when none can take so many. */
function readLength(reader: ByteReader): number {
  const length = reader.readVarint() * SEALED_STEP;
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
  writeLength(writer, entry.length);
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
