/**
 * Chunks and packs. A chunk holds neighbouring keys of a table with their values, deflated and checksummed: one read of a
 * table returns one chunk. A pack is a file of chunks; the root lists the digits of its name, then those of its key.
 *
 * Index-format v1, sections 3.1 and 3.4. The key of a pack is a number made of all its content. Checksums are seeded with
 * it, with the table and with the offset, so bytes from elsewhere are never taken for a chunk.
 */

import type { DeflateRaw, InflateRaw } from "../bytes/capabilities.ts";
import { crc32 } from "../bytes/checksum.ts";
import { type ByteKey, bytesOfKey, keyOfBytes } from "../bytes/key.ts";
import { ByteReader } from "../bytes/reader.ts";
import { ByteWriter, concatBytes, encodeUtf8 } from "../bytes/writer.ts";
import { checkLimit, FormatError, malformed } from "../errors.ts";

/** Most bytes that a chunk or block may inflate to: a bound on memory, far above what encoders write. */
export const MAX_INFLATED_BYTES = 16 * 1024 * 1024;
/** Most bytes that a chunk or block takes in a pack: what does not shrink grows a little when it is deflated. */
export const MAX_SEALED_BYTES = MAX_INFLATED_BYTES + 64 * 1024;
/** Chunks and blocks take a multiple of so many bytes: their lengths, of which a reader keeps thousands, are steps. */
export const SEALED_STEP = 32;
/** Longest key. */
export const MAX_KEY_BYTES = 1024;
/** Most bytes that the keys of a chunk have together: front-coded ones could unpack to two hundred times their size. */
const MAX_KEYS_BYTES = 4 * MAX_INFLATED_BYTES;
const CHECKSUM_BYTES = 4;
const PADDING_BYTES = 1;
/** A chunk takes this beside its entries: objects, buffers, its place in a cache. */
const CHUNK_MEMORY = 1200;
/** An entry takes this beside the bytes of key and value: header of the key's string, its place in the list, a start. */
const ENTRY_MEMORY = 44;

/** Decoded values that are kept take no more than so much memory, beside what caches count. */
const MAX_DECODED_BYTES = 8 * 1024 * 1024;

/** Digits of a pack's name, before `.pack`. */
const NAME_DIGITS = 32;
const KEY_DIGITS = 8;
const HEXADECIMAL = 16;
const NUL = /* @__PURE__ */ new Uint8Array(1);

/** How the root lists a pack. `name` is its file's without `.pack`, `key` an unsigned number of 32 bits. */
export function listPack(name: string, key: number): string {
  return `${name}${key.toString(HEXADECIMAL).padStart(KEY_DIGITS, "0")}`;
}

/** Name of the file of a pack that the root lists. */
export function fileOfPack(listed: string): string {
  return `${listed.slice(0, NAME_DIGITS)}.pack`;
}

/** Key of a pack that the root lists. */
export function keyOfPack(listed: string): number {
  return Number.parseInt(listed.slice(NAME_DIGITS, NAME_DIGITS + KEY_DIGITS), HEXADECIMAL) || 0;
}

/** What is mixed into the checksum of the chunk or block at an offset of a pack with this key. */
export function keyAt(key: number, offset: number): number {
  return (key ^ offset) >>> 0;
}

/** Mix a key (`keyAt`) into the checksum at the start of sealed bytes, or take it out again. Changes the bytes. */
export function mixKey(bytes: Uint8Array, offset: number, key: number): void {
  for (let at = 0; at < 4; at++) {
    bytes[offset + at] = (bytes[offset + at] as number) ^ ((key >>> (8 * at)) & 0xff);
  }
}

/** One key with its value. */
export interface TableEntry {
  readonly key: ByteKey;
  readonly value: Uint8Array;
}

/** A decoded chunk, in the form that takes least memory: caches hold thousands, and a view of a value is larger than most. */
export interface Chunk {
  /** Ascending. */
  readonly keys: readonly ByteKey[];
  /** All values, back to back. */
  readonly bytes: Uint8Array;
  /** Where in `bytes` each value begins, and at the end where the last one ends. */
  readonly starts: Uint32Array;
  /** Size of the inflated bytes. */
  readonly inflatedBytes: number;
  /** About what the chunk takes in memory, for cache budgets. */
  readonly memoryBytes: number;
}

/** Bytes of a chunk. @throws {FormatError} `keys-out-of-order` or `out-of-range`. */
export function encodeChunk(
  table: string,
  prefix: ByteKey,
  entries: readonly TableEntry[],
  deflate: DeflateRaw,
): Uint8Array {
  const what = `chunk of table ${table}`;
  return seal(seedOf(table, prefix), encodeEntries(what, entries), what, deflate);
}

/** The chunk that these bytes are, out of a pack with this key. @throws {FormatError} on bytes that are not that chunk. */
export async function decodeChunk(
  table: string,
  prefix: ByteKey,
  bytes: Uint8Array,
  inflate: InflateRaw,
  packKey = 0,
): Promise<Chunk> {
  const what = `chunk of table ${table}`;
  return decodeEntries(what, await unseal(seedOf(table, prefix), bytes, what, inflate, packKey));
}

/** The value of the key at an index, as a view. */
export function valueAt({ bytes, starts }: Chunk, index: number): Uint8Array {
  return bytes.subarray(starts[index], starts[index + 1]);
}

/** What values of decoded chunks were decoded to, by the memory of the chunk and their place in it: caches that drop the one drop the other. */
let decodedValues = new WeakMap<ArrayBufferLike, Map<number, unknown>>();
let decodedBytes = 0;

/**
 * A value of a chunk decoded, or what it was decoded to before. Other bytes are decoded each time.
 *
 * @param bytesOf About what the decoded value takes in memory.
 */
export function decodeOnce<T>(bytes: Uint8Array, decode: (bytes: Uint8Array) => T, bytesOf: (value: T) => number): T {
  const own = decodedValues.get(bytes.buffer);
  const known = own?.get(bytes.byteOffset) as T | undefined;
  if (known !== undefined) return known;
  const value = decode(bytes);
  if (own === undefined) return value;
  own.set(bytes.byteOffset, value);
  decodedBytes += bytesOf(value);
  if (decodedBytes > MAX_DECODED_BYTES) {
    decodedValues = new WeakMap();
    decodedBytes = 0;
  }
  return value;
}

/** A chunk of these entries, keys ascending. */
export function makeChunk(entries: readonly TableEntry[], inflatedBytes: number): Chunk {
  const starts = new Uint32Array(entries.length + 1);
  for (const [index, { value }] of entries.entries()) starts[index + 1] = (starts[index] as number) + value.length;
  const keys = entries.map(({ key }) => key);
  const keysBytes = keys.reduce((sum, key) => sum + key.length, 0);
  const bytes = concatBytes(entries.map(({ value }) => value));
  const memoryBytes = CHUNK_MEMORY + keys.length * ENTRY_MEMORY + keysBytes + bytes.length;
  return { keys, bytes, starts, inflatedBytes, memoryBytes };
}

/**
 * Checksum, padding, deflated payload. `seed` says whose payload this is.
 *
 * @throws {FormatError} when no reader would take it.
 */
export function seal(seed: Uint8Array, payload: Uint8Array, what: string, deflate: DeflateRaw): Uint8Array {
  checkLimit(what, "size", payload.length, MAX_INFLATED_BYTES);
  const compressed = deflate(payload);
  const length = CHECKSUM_BYTES + PADDING_BYTES + compressed.length;
  // In front, since some inflaters refuse what stands behind their data.
  const padding = Math.ceil(length / SEALED_STEP) * SEALED_STEP - length;
  const sealed = new Uint8Array(length + padding);
  sealed[CHECKSUM_BYTES] = padding;
  sealed.set(compressed, CHECKSUM_BYTES + PADDING_BYTES + padding);
  const checksum = crc32(sealed.subarray(CHECKSUM_BYTES), crc32(seed));
  new DataView(sealed.buffer).setUint32(0, checksum, true);
  return sealed;
}

/** Payload of sealed bytes, out of a pack with this key. @throws {FormatError} `truncated`, `checksum`, `inflate` or `out-of-range`. */
export async function unseal(
  seed: Uint8Array,
  bytes: Uint8Array,
  what: string,
  inflate: InflateRaw,
  packKey = 0,
): Promise<Uint8Array> {
  const reader = new ByteReader(bytes, what);
  const expected = (reader.readUint32() ^ packKey) >>> 0;
  const behind = reader.readBytes(reader.remaining);
  const got = crc32(behind, crc32(seed));
  if (got !== expected) throw new FormatError(what, { code: "checksum", got, expected });
  const padded = new ByteReader(behind, what);
  const padding = padded.readByte();
  checkLimit(what, "padding", padding, SEALED_STEP - 1);
  if (padded.readBytes(padding).some((byte) => byte !== 0)) throw malformed(what, "padding that is not 0");
  return inflate(padded.readBytes(padded.remaining), MAX_INFLATED_BYTES);
}

function seedOf(table: string, prefix: ByteKey): Uint8Array {
  const name = encodeUtf8(table);
  const seed = new Uint8Array(name.length + 1 + prefix.length);
  seed.set(name);
  seed.set(NUL, name.length);
  seed.set(bytesOfKey(prefix), name.length + 1);
  return seed;
}

function encodeEntries(what: string, entries: readonly TableEntry[]): Uint8Array {
  if (entries.length === 0) throw malformed(what, "a chunk needs an entry");
  const writer = new ByteWriter(4096);
  writer.writeVarint(entries.length);
  let before = "" as ByteKey;
  for (const [index, { key, value }] of entries.entries()) {
    if (index > 0 && key <= before) throw new FormatError(what, { code: "keys-out-of-order", key });
    checkLimit(what, "key length", key.length, MAX_KEY_BYTES);
    writeFrontCoded(writer, before, key);
    writer.writeVarint(value.length);
    before = key;
  }
  for (const { value } of entries) writer.writeBytes(value);
  return writer.view();
}

function decodeEntries(what: string, payload: Uint8Array): Chunk {
  const reader = new ByteReader(payload, what);
  const count = reader.readVarint();
  // Each entry takes at least three bytes, so a larger count is refused before anything is allocated for it.
  if (count === 0 || count > payload.length / 3) {
    throw new FormatError(what, {
      code: "out-of-range",
      what: "entry count",
      got: count,
      limit: Math.floor(payload.length / 3),
    });
  }
  const keys: ByteKey[] = [];
  const starts = new Uint32Array(count + 1);
  let keysBytes = 0;
  let before = "" as ByteKey;
  for (let i = 0; i < count; i++) {
    const key = readFrontCoded(reader, before);
    keysBytes += key.length;
    checkLimit(what, "size of all keys", keysBytes, MAX_KEYS_BYTES);
    if (i > 0 && key <= before) throw new FormatError(what, { code: "keys-out-of-order", key });
    keys.push(key);
    const end = (starts[i] as number) + reader.readVarint();
    if (end > payload.length) throw new FormatError(what, { code: "truncated", need: end, have: payload.length });
    starts[i + 1] = end;
    before = key;
  }
  // Copied: a view would keep the keys' bytes in memory too, and whatever the inflater allocated beyond its output.
  const bytes = new Uint8Array(reader.readBytes(starts[count] as number));
  reader.expectEnd();
  decodedValues.set(bytes.buffer, new Map());
  const memoryBytes = CHUNK_MEMORY + count * ENTRY_MEMORY + keysBytes + bytes.length;
  return { keys, bytes, starts, inflatedBytes: payload.length, memoryBytes };
}

/** Write what `key` does not share with the key before it. */
function writeFrontCoded(writer: ByteWriter, before: ByteKey, key: ByteKey): void {
  const shared = countShared(before, key);
  writer.writeVarint(shared);
  writer.writeVarint(key.length - shared);
  for (let i = shared; i < key.length; i++) writer.writeByte(key.charCodeAt(i));
}

/** Read a key that `writeFrontCoded` wrote behind `before`. @throws {FormatError} when it shares more than there is. */
function readFrontCoded(reader: ByteReader, before: ByteKey): ByteKey {
  const shared = reader.readVarint();
  const rest = reader.readVarint();
  checkShared(reader, before, shared, rest);
  return (before.slice(0, shared) + keyOfBytes(reader.readBytes(rest))) as ByteKey;
}

/** @throws {FormatError} where no key has `shared` bytes in common with the one before it and `rest` more. */
export function checkShared(reader: ByteReader, before: ByteKey, shared: number, rest: number): void {
  checkLimit(reader.what, "shared prefix", shared, before.length);
  checkLimit(reader.what, "key length", shared + rest, MAX_KEY_BYTES);
}

/** Number of leading bytes that two keys have in common. */
export function countShared(a: ByteKey, b: ByteKey): number {
  const limit = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < limit && a.charCodeAt(shared) === b.charCodeAt(shared)) shared++;
  return shared;
}
