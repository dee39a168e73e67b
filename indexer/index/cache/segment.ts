/**
 * Segment: one file of the parse cache, with what was made of some documents.
 *
 * Bodies first, so that they are written while documents are parsed, and can be read again at once; among them, in few
 * blocks, hashes of pairs and words, which a build on a base looks through; then a list of what is in it, and last how
 * long that list is. Damaged segments are left out, whole.
 */
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { concatBytes } from "../../../src/core/bytes/writer.ts";
import type { DocumentBody } from "../prepared-document.ts";
import { DamagedCacheError } from "../stages.ts";
import { type DocumentHashes, decodeBody, type PackedCard, type PackedDocument } from "./packed-document.ts";

const MAGIC = "TLCACHE7";
const TRAILER_BYTES = 8 + MAGIC.length;
/** Small documents are written together. */
const BUFFERED_BYTES = 1024 * 1024;
/** Hashes are needed all at once or not at all: so many of them are written together. */
const BLOCK_HASHES = 2 * 1024 * 1024;

/** A document as it is kept. */
export interface StoredDocument extends PackedDocument {
  readonly key: string;
}

/** Parts that are read by themselves. */
type Field = "body" | "code" | "candidates";
/** Some bytes of the file, and their checksum. */
type Extent = readonly [offset: number, length: number, check: number];

/** Where a document's parts lie. Offsets in bytes; places of hashes in numbers. */
interface SegmentEntry {
  readonly key: string;
  readonly card: PackedCard;
  readonly body: Extent;
  readonly code: Extent;
  readonly candidates: Extent;
  readonly pairs: readonly [from: number, count: number];
  readonly words: readonly [from: number, count: number];
}

interface SegmentList {
  readonly hashes: readonly HashBlock[];
  readonly entries: readonly SegmentEntry[];
}

/** A segment that can be read. */
export class Segment {
  readonly path: string;
  readonly #file: number;
  readonly #entries: ReadonlyMap<string, SegmentEntry>;
  readonly #hashes: HashBlocks;

  /** @param list What the file holds. */
  constructor(path: string, file: number, list: SegmentList) {
    this.path = path;
    this.#file = file;
    this.#hashes = new HashBlocks(file, list.hashes);
    this.#entries = new Map(list.entries.map((entry) => [entry.key, entry]));
  }

  /** The segment at a path; undefined where the file is none, or damaged. */
  static open(path: string): Segment | undefined {
    let file: number | undefined;
    try {
      file = openSync(path, "r");
      const { size } = fstatSync(file);
      const trailer = readAt(file, size - TRAILER_BYTES, TRAILER_BYTES);
      if (trailer.toString("latin1", 8) !== MAGIC) throw new Error("no segment");
      const length = trailer.readUInt32LE(0);
      const list = readAt(file, size - TRAILER_BYTES - length, length);
      if (crc32(list) !== trailer.readUInt32LE(4)) throw new Error("damaged");
      return new Segment(path, file, deserialize(list) as SegmentList);
    } catch {
      if (file !== undefined) closeSync(file);
      return undefined;
    }
  }

  /** Keys of its documents. */
  get keys(): IterableIterator<string> {
    return this.#entries.keys();
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  card(key: string): PackedCard | undefined {
    return this.#entries.get(key)?.card;
  }

  /** What linking needs of a document, see `code-codec.ts`; undefined where it is not there or damaged. */
  code(key: string): Uint8Array | undefined {
    return this.#bytes(key, "code");
  }

  /** Candidates for concepts, see `packed-document.ts`; undefined where it is not there or damaged. */
  candidates(key: string): Uint8Array | undefined {
    return this.#bytes(key, "candidates");
  }

  /** The large part of a document; undefined where it is not there or damaged. */
  body(key: string): DocumentBody | undefined {
    const bytes = this.#bytes(key, "body");
    return bytes === undefined ? undefined : decodeBody(bytes);
  }

  /** Hashes of a document's pairs and words. The segment must hold it. @throws {DamagedCacheError} */
  hashes(key: string): DocumentHashes {
    const { pairs, words } = this.#entries.get(key) as SegmentEntry;
    return { pairs: this.#hashes.slice(pairs), words: this.#hashes.slice(words) };
  }

  /** A document as it is kept, for another segment; undefined where it is damaged. */
  stored(key: string): StoredDocument | undefined {
    const card = this.card(key);
    const body = this.#bytes(key, "body");
    const code = this.code(key);
    const candidates = this.candidates(key);
    if (card === undefined || body === undefined || code === undefined || candidates === undefined) return undefined;
    try {
      return { key, card, body, code, candidates, ...this.hashes(key) };
    } catch (error) {
      if (error instanceof DamagedCacheError) return undefined;
      throw error;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #bytes(key: string, field: Field): Uint8Array | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : readExtent(this.#file, entry[field]);
  }
}

/** A segment that is being written, under another name until it is whole. Documents can be read again at once. */
export class SegmentWriter {
  readonly #path: string;
  readonly #partial: string;
  readonly #file: number;
  readonly #entries = new Map<string, SegmentEntry>();
  readonly #hashBlocks: HashBlock[] = [];
  readonly #blocked: HashBlocks;
  /** Hashes that are in no block yet. */
  #hashes: Uint32Array[] = [];
  #hashCount = 0;
  /** Of these, those that are in blocks. */
  #blockedHashes = 0;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #written = 0;

  constructor(path: string) {
    this.#path = path;
    this.#partial = `${path}.${process.pid}.partial`;
    this.#file = openSync(this.#partial, "w+");
    this.#blocked = new HashBlocks(this.#file, this.#hashBlocks);
  }

  get size(): number {
    return this.#entries.size;
  }

  add({ key, card, body, code, candidates, pairs, words }: StoredDocument): void {
    if (this.#entries.has(key)) return;
    const from = this.#hashCount;
    const offset = this.#written + this.#waitingBytes;
    this.#entries.set(key, {
      key,
      card,
      body: [offset, body.length, crc32(body)],
      code: [offset + body.length, code.length, crc32(code)],
      candidates: [offset + body.length + code.length, candidates.length, crc32(candidates)],
      pairs: [from, pairs.length],
      words: [from + pairs.length, words.length],
    });
    this.#hashes.push(pairs, words);
    this.#hashCount += pairs.length + words.length;
    this.#write(body);
    this.#write(code);
    this.#write(candidates);
    if (this.#hashCount - this.#blockedHashes >= BLOCK_HASHES) this.#closeHashBlock();
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  card(key: string): PackedCard | undefined {
    return this.#entries.get(key)?.card;
  }

  code(key: string): Uint8Array | undefined {
    return this.#bytes(key, "code");
  }

  candidates(key: string): Uint8Array | undefined {
    return this.#bytes(key, "candidates");
  }

  body(key: string): DocumentBody | undefined {
    const bytes = this.#bytes(key, "body");
    return bytes === undefined ? undefined : decodeBody(bytes);
  }

  /** Hashes of a document's pairs and words. The segment must hold it. */
  hashes(key: string): DocumentHashes {
    const { pairs, words } = this.#entries.get(key) as SegmentEntry;
    if (words[0] + words[1] > this.#blockedHashes) this.#closeHashBlock();
    this.#flush();
    return { pairs: this.#blocked.slice(pairs), words: this.#blocked.slice(words) };
  }

  /** Finish the file and open it for reading. */
  finish(): Segment {
    this.#closeHashBlock();
    const content: SegmentList = { hashes: this.#hashBlocks, entries: [...this.#entries.values()] };
    const list = serialize(content);
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeUInt32LE(list.length, 0);
    trailer.writeUInt32LE(crc32(list), 4);
    trailer.write(MAGIC, 8, "latin1");
    this.#waiting.push(list, trailer);
    this.#flush();
    closeSync(this.#file);
    renameSync(this.#partial, this.#path);
    // Not read again: all cards of a large corpus would be in memory twice.
    return new Segment(this.#path, openSync(this.#path, "r"), content);
  }

  /** Leave nothing behind. */
  discard(): void {
    closeSync(this.#file);
    rmSync(this.#partial, { force: true });
  }

  #bytes(key: string, field: Field): Uint8Array | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#flush();
    return readExtent(this.#file, entry[field]);
  }

  #write(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= BUFFERED_BYTES) this.#flush();
  }

  #closeHashBlock(): void {
    const count = this.#hashCount - this.#blockedHashes;
    if (count === 0) return;
    const bytes = concatBytes(
      this.#hashes.map((list) => new Uint8Array(list.buffer, list.byteOffset, list.byteLength)),
    );
    const offset = this.#written + this.#waitingBytes;
    this.#hashBlocks.push({ from: this.#blockedHashes, count, offset, check: crc32(bytes) });
    this.#write(bytes);
    this.#hashes = [];
    this.#blockedHashes = this.#hashCount;
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const bytes = concatBytes(this.#waiting);
    writeAll(this.#file, bytes, this.#written);
    this.#written += bytes.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

function writeAll(file: number, bytes: Uint8Array, offset: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, offset + done);
}

function readExtent(file: number, [offset, length, check]: Extent): Uint8Array | undefined {
  try {
    const bytes = readAt(file, offset, length);
    return crc32(bytes) === check ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(file, bytes, 0, length, offset) < length) throw new Error("truncated");
  return bytes;
}

/** Some hashes in a row. No document's pairs or words lie in two blocks. */
interface HashBlock {
  /** Extent of the first one among all. */
  readonly from: number;
  readonly count: number;
  /** In the file, in bytes. */
  readonly offset: number;
  readonly check: number;
}

/** The hashes of one file. A block is read when it is first asked for: only a build on a base looks through all of them. */
class HashBlocks {
  readonly #file: number;
  readonly #blocks: readonly HashBlock[];
  readonly #read = new Map<HashBlock, Uint32Array>();

  /** @param blocks In order; more may be added to the list. */
  constructor(file: number, blocks: readonly HashBlock[]) {
    this.#file = file;
    this.#blocks = blocks;
  }

  /** Hashes from a place on. @throws {DamagedCacheError} */
  slice([from, count]: readonly [from: number, count: number]): Uint32Array {
    if (count === 0) return new Uint32Array();
    const block = this.#blocks.find((one) => from >= one.from && from + count <= one.from + one.count);
    if (block === undefined) throw new DamagedCacheError();
    const hashes = this.#read.get(block) ?? readBlock(this.#file, block);
    this.#read.set(block, hashes);
    return hashes.subarray(from - block.from, from - block.from + count);
  }
}

function readBlock(file: number, { count, offset, check }: HashBlock): Uint32Array {
  const bytes = new Uint8Array(count * 4);
  readSync(file, bytes, 0, bytes.length, offset);
  // Counts of words and pairs come of these, and would be wrong without anybody noticing.
  if (crc32(bytes) !== check) throw new DamagedCacheError();
  return new Uint32Array(bytes.buffer);
}
