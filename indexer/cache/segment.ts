/**
 * Segment: one file of the parse cache, with what was made of some documents.
 *
 * Bodies first, so that they are written while documents are parsed, and can be read again at once; then hashes of pairs
 * and words, which a build on a base looks through; then a list of what is in it, and last how long that list is. Damaged
 * segments are left out, whole.
 */
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { concatBytes } from "../../src/core/bytes/writer.ts";
import { decodeBody } from "./body-codec.ts";
import type { DocumentBody, DocumentCard, DocumentHashes, PackedDocument } from "./cached-document.ts";
import { DamagedCacheError } from "./damaged-cache.ts";

const MAGIC = "TLCACHE3";
const TRAILER_BYTES = 8 + MAGIC.length;
/** Small documents are written together. */
const BUFFERED_BYTES = 1024 * 1024;

/** A document as it is kept. */
export interface StoredDocument extends PackedDocument {
  readonly key: string;
}

/** Where a document's parts lie. Offsets in bytes; places of hashes in numbers. */
interface SegmentEntry {
  readonly key: string;
  readonly card: DocumentCard;
  readonly body: readonly [offset: number, length: number, check: number];
  readonly pairs: readonly [from: number, count: number];
  readonly words: readonly [from: number, count: number];
}

interface SegmentList {
  readonly hashesAt: number;
  readonly hashes: number;
  readonly hashesCheck: number;
  readonly entries: readonly SegmentEntry[];
}

/** A segment that can be read. */
export class Segment {
  readonly path: string;
  readonly #file: number;
  readonly #entries: ReadonlyMap<string, SegmentEntry>;
  readonly #list: SegmentList;
  #hashes: Uint32Array | undefined;

  private constructor(path: string, file: number, list: SegmentList) {
    this.path = path;
    this.#file = file;
    this.#list = list;
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

  card(key: string): DocumentCard | undefined {
    return this.#entries.get(key)?.card;
  }

  /** The large part of a document; undefined where it is not there or damaged. */
  body(key: string): DocumentBody | undefined {
    const bytes = this.#bodyBytes(key);
    return bytes === undefined ? undefined : decodeBody(bytes);
  }

  /** Hashes of a document's pairs and words. The segment must hold it. @throws {DamagedCacheError} */
  hashes(key: string): DocumentHashes {
    this.#hashes ??= this.#readHashes();
    const { pairs, words } = this.#entries.get(key) as SegmentEntry;
    return {
      pairs: this.#hashes.subarray(pairs[0], pairs[0] + pairs[1]),
      words: this.#hashes.subarray(words[0], words[0] + words[1]),
    };
  }

  /** A document as it is kept, for another segment; undefined where it is damaged. */
  stored(key: string): StoredDocument | undefined {
    const card = this.card(key);
    const body = this.#bodyBytes(key);
    if (card === undefined || body === undefined) return undefined;
    try {
      return { key, card, body, ...this.hashes(key) };
    } catch (error) {
      if (error instanceof DamagedCacheError) return undefined;
      throw error;
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #bodyBytes(key: string): Uint8Array | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : readBody(this.#file, entry.body);
  }

  #readHashes(): Uint32Array {
    const { hashesAt, hashes, hashesCheck } = this.#list;
    const bytes = new Uint8Array(hashes * 4);
    if (hashes > 0) readSync(this.#file, bytes, 0, bytes.length, hashesAt);
    // Counts of words and pairs come of these, and would be wrong without anybody noticing.
    if (crc32(bytes) !== hashesCheck) throw new DamagedCacheError();
    return new Uint32Array(bytes.buffer);
  }
}

/** A segment that is being written, under another name until it is whole. Documents can be read again at once. */
export class SegmentWriter {
  readonly #path: string;
  readonly #partial: string;
  readonly #file: number;
  readonly #entries = new Map<string, SegmentEntry>();
  /** In the order of the entries. */
  readonly #hashes = new Map<string, DocumentHashes>();
  #hashCount = 0;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #written = 0;

  constructor(path: string) {
    this.#path = path;
    this.#partial = `${path}.${process.pid}.partial`;
    this.#file = openSync(this.#partial, "w+");
  }

  get size(): number {
    return this.#entries.size;
  }

  add({ key, card, body, pairs, words }: StoredDocument): void {
    if (this.#entries.has(key)) return;
    const offset = this.#written + this.#waitingBytes;
    const from = this.#hashCount;
    this.#entries.set(key, {
      key,
      card,
      body: [offset, body.length, crc32(body)],
      pairs: [from, pairs.length],
      words: [from + pairs.length, words.length],
    });
    this.#hashes.set(key, { pairs, words });
    this.#hashCount += pairs.length + words.length;
    this.#waiting.push(body);
    this.#waitingBytes += body.length;
    if (this.#waitingBytes >= BUFFERED_BYTES) this.#flush();
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  card(key: string): DocumentCard | undefined {
    return this.#entries.get(key)?.card;
  }

  body(key: string): DocumentBody | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#flush();
    const bytes = readBody(this.#file, entry.body);
    return bytes === undefined ? undefined : decodeBody(bytes);
  }

  /** Hashes of a document's pairs and words. The segment must hold it. */
  hashes(key: string): DocumentHashes {
    return this.#hashes.get(key) as DocumentHashes;
  }

  /** Finish the file and open it for reading. */
  finish(): Segment | undefined {
    this.#flush();
    const hashesAt = this.#written;
    let hashesCheck = 0;
    for (const list of [...this.#hashes.values()].flatMap(({ pairs, words }) => [pairs, words])) {
      const bytes = new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
      hashesCheck = crc32(bytes, hashesCheck);
      this.#waiting.push(bytes);
      this.#waitingBytes += list.byteLength;
      if (this.#waitingBytes >= BUFFERED_BYTES) this.#flush();
    }
    const entries = [...this.#entries.values()];
    const list = serialize({ hashesAt, hashes: this.#hashCount, hashesCheck, entries } satisfies SegmentList);
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeUInt32LE(list.length, 0);
    trailer.writeUInt32LE(crc32(list), 4);
    trailer.write(MAGIC, 8, "latin1");
    this.#waiting.push(list, trailer);
    this.#flush();
    closeSync(this.#file);
    renameSync(this.#partial, this.#path);
    return Segment.open(this.#path);
  }

  /** Leave nothing behind. */
  discard(): void {
    closeSync(this.#file);
    rmSync(this.#partial, { force: true });
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

function readBody(file: number, [offset, length, check]: SegmentEntry["body"]): Uint8Array | undefined {
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
