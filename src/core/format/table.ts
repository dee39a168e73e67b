/**
 * Tables of a shard: their names, the cuts into chunks, and the directory from keys to chunks.
 *
 * Index-format v1, sections 3.2 and 3.3. Hashes of keys decide the cuts, so an edit moves only the cuts near it. A small
 * table has one directory in the root, a large one a directory of directories.
 */
import { hashKey } from "../bytes/checksum.ts";
import { type ByteKey, keyOfBytes } from "../bytes/key.ts";
import { countFirst, unzigzag } from "../bytes/numbers.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter } from "../bytes/writer.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";
import {
  type Chunk,
  checkShared,
  countShared,
  MAX_INFLATED_BYTES,
  MAX_SEALED_BYTES,
  SEALED_STEP,
  type TableEntry,
  valueAt,
} from "./chunk.ts";

/** Tables of source code. They are written whole at each build; of a group, those of its newest level that has any are valid. */
export const CODE_TABLE_NAMES = [
  "files",
  "names",
  "symbols",
  "edges",
  "uses",
  "mentions",
  "reach",
  "packages",
  "exports",
] as const;

/** Tables of a shard, in the order in which the root holds their directories. */
export const TABLE_NAMES = [
  "terms",
  "locator",
  "titles",
  "facets",
  "documents",
  "sections",
  "links",
  "spelling",
  "suggestions",
  "trigrams",
  ...CODE_TABLE_NAMES,
  "insights",
  "categories",
  "concepts",
  "synonyms",
] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/**
 * Tables whose entries other documents change: a level holds those that differ, and of a key the newest level of the group is
 * valid. A newer level holds patches of the oldest level's values; an empty one takes the key away.
 */
export const OVERLAY_TABLE_NAMES = [
  "synonyms",
  "links",
  "insights",
  "categories",
  "concepts",
] as const satisfies TableName[];
export type OverlayTableName = (typeof OVERLAY_TABLE_NAMES)[number];

/** The value that a patch makes of another: of pieces of that one, and of new bytes. @throws {FormatError}. */
export function applyPatch(before: Uint8Array, patch: Uint8Array, table: string): Uint8Array {
  const reader = new ByteReader(patch, `patch of table ${table}`);
  const writer = new ByteWriter(before.length + patch.length);
  let copied = 0;
  while (reader.remaining > 0) {
    const step = reader.readVarint();
    const length = Math.floor(step / 2);
    if (step % 2 === 0) {
      writer.writeBytes(reader.readBytes(length));
    } else {
      const start = copied + unzigzag(reader.readVarint());
      copied = start + length;
      if (start < 0 || copied > before.length) throw malformed(reader.what, "a piece of what is not there");
      writer.writeBytes(before.subarray(start, copied));
    }
    checkLimit(reader.what, "size", writer.length, MAX_INFLATED_BYTES);
  }
  return writer.finish();
}

/** Bytes an entry costs besides key and value: three varints. */
const ENTRY_OVERHEAD = 3;
/** A run is only split when it is this much over the target. */
const SPLIT_FROM = 1.5;
const HASH_RANGE = 2 ** 32;

/**
 * Split sorted entries into runs of about `target` bytes. Every entry stands in exactly one run, order kept.
 *
 * Entries are taken as they come and no more of them kept than lie between two strong cuts.
 */
export function* cutEntries(entries: Iterable<TableEntry>, target: number): Generator<TableEntry[]> {
  let run: TableEntry[] = [];
  for (const entry of entries) {
    const before = run.at(-1);
    const isLarge = entry.value.length > target;
    if (before !== undefined && (isLarge || hashKey(entry.key) / HASH_RANGE < roundedWeight(before) / (2 * target))) {
      yield* splitRun(run, target);
      run = [];
    }
    if (isLarge) yield [entry];
    else run.push(entry);
  }
  if (run.length > 0) yield* splitRun(run, target);
}

function* splitRun(run: readonly TableEntry[], target: number): Generator<TableEntry[]> {
  const starts: number[] = [];
  let size = 0;
  for (const entry of run) {
    starts.push(size);
    size += weight(entry);
  }
  if (size <= SPLIT_FROM * target) {
    yield [...run];
    return;
  }
  const parts = Math.round(size / target);
  let begin = 0;
  for (let part = 1; part < parts; part++) {
    const cut = findCut(run, starts, (part * size) / parts, target / 4, begin + 1);
    if (cut === undefined) continue;
    yield run.slice(begin, cut);
    begin = cut;
  }
  yield run.slice(begin);
}

/**
 * Index of the entry with the smallest hash among those that start within `reach` of `ideal`; the one that starts
 * nearest where none does, so that no chunk takes in what two should.
 */
function findCut(
  run: readonly TableEntry[],
  starts: readonly number[],
  ideal: number,
  reach: number,
  from: number,
): number | undefined {
  let best: number | undefined;
  let bestHash = Number.POSITIVE_INFINITY;
  let nearest: number | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (let i = from; i < run.length; i++) {
    const start = starts[i] as number;
    if (Math.abs(start - ideal) < distance) {
      distance = Math.abs(start - ideal);
      nearest = i;
    }
    if (start < ideal - reach) continue;
    if (start > ideal + reach) break;
    const hash = hashKey((run[i] as TableEntry).key);
    if (hash < bestHash) {
      bestHash = hash;
      best = i;
    }
  }
  return best ?? nearest;
}

function weight(entry: TableEntry): number {
  return entry.key.length + entry.value.length + ENTRY_OVERHEAD;
}

/** In powers of two, so that a value which grows a little keeps the cut behind it. */
function roundedWeight(entry: TableEntry): number {
  return 2 ** (32 - Math.clz32(weight(entry) - 1));
}

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

export interface Directory {
  /** 0: the entries name chunks of the table; 1: they name directory chunks. */
  readonly height: number;
  readonly entries: readonly DirectoryEntry[];
}

/** Whether tables together have no more than so many bytes, all of whose chunks the root lists. */
export function areFlatWithin(directories: readonly Directory[], maxBytes: number): boolean {
  const bytes = directories.flatMap(({ entries }) => entries).reduce((sum, { length }) => sum + length, 0);
  return directories.every(({ height }) => height === 0) && bytes <= maxBytes;
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
  checkLimit(reader.what, "height", height, MAX_HEIGHT);
  const count = reader.readVarint();
  // Each entry takes four bytes at least, so a larger count is refused before anything is allocated for it.
  checkLimit(reader.what, "entry count", count, Math.floor(reader.remaining / 4));
  const prefixes = readPrefixes(reader, count);
  const lengths = readNumbers(reader, count);
  const entries: DirectoryEntry[] = [];
  let pack = 0;
  let next = 0;
  for (let at = 0; at < count; at++) {
    const length = checkLength(reader, lengths[at] as number);
    const place = reader.readVarint();
    if (place > 0) {
      pack = place - 1;
      next = reader.readVarint();
      checkLimit(reader.what, "pack", pack, packs - 1);
    } else if (at === 0) throw malformed(reader.what, "the first place follows nothing");
    entries.push({ prefix: prefixes[at] as ByteKey, pack, offset: next, length });
    next += length;
  }
  reader.expectEnd();
  return { height, entries };
}

function readNumbers(reader: ByteReader, count: number): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < count; at++) numbers.push(reader.readVarint());
  return numbers;
}

function readPrefixes(reader: ByteReader, count: number): ByteKey[] {
  const shared = readNumbers(reader, count);
  const rest = readNumbers(reader, count);
  // All at once: a view of its bytes for each would cost more than all else.
  const letters = keyOfBytes(reader.readBytes(rest.reduce((sum, length) => sum + length, 0)));
  const prefixes: ByteKey[] = [];
  let before = "" as ByteKey;
  let end = 0;
  for (let at = 0; at < count; at++) {
    const [common, own] = [shared[at] as number, rest[at] as number];
    checkShared(reader, before, common, own);
    const prefix = (before.slice(0, common) + letters.slice(end, end + own)) as ByteKey;
    if (at > 0 && prefix <= before) throw new FormatError(reader.what, { code: "keys-out-of-order", key: prefix });
    end += own;
    prefixes.push(prefix);
    before = prefix;
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

/** Write how many bytes a chunk takes, in steps. */
function writeLength(writer: ByteWriter, length: number): void {
  if (length % SEALED_STEP !== 0) throw new RangeError(`not a multiple of ${SEALED_STEP}: ${length}`);
  writer.writeVarint(length / SEALED_STEP);
}

/** How many bytes a chunk of so many steps takes. @throws {FormatError} when none can take so many. */
function checkLength(reader: ByteReader, steps: number): number {
  const length = steps * SEALED_STEP;
  checkLimit(reader.what, "length", length, MAX_SEALED_BYTES);
  return length;
}

/** Index of the entry whose chunk would hold `key`, or -1 in an empty directory. */
export function findEntry(entries: readonly DirectoryEntry[], key: ByteKey): number {
  return countFirst(entries.length, (at) => (entries[at] as DirectoryEntry).prefix <= key) - 1;
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
    const length = checkLength(reader, reader.readVarint());
    const pack = reader.readVarint();
    checkLimit(reader.what, "pack", pack, packs - 1);
    const offset = reader.readVarint();
    reader.expectEnd();
    return { prefix, length, pack, offset };
  });
}
