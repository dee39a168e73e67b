/**
 * Segment: one file of the parse cache, with what was made of some documents.
 *
 * Bodies first, so that they are written one by one; then hashes of pairs and words, which a build on a base looks
 * through; then a list of what is in it, and last how long that list is. Damaged segments are left out, whole.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { deserialize, serialize } from "node:v8";
import { type DocumentBody, type DocumentCard, hashPairs, hashWords } from "./cached-document.ts";

const MAGIC = "TLCACHE1";
const CHECK_DIGITS = 16;
const TRAILER_BYTES = 4 + CHECK_DIGITS + MAGIC.length;

/** Where a document's parts lie in a segment. Offsets in bytes; lengths of hashes in numbers. */
interface SegmentEntry {
  readonly key: string;
  readonly card: DocumentCard;
  readonly body: readonly [offset: number, length: number, check: string];
  readonly pairs: readonly [from: number, count: number];
  readonly words: readonly [from: number, count: number];
}

interface SegmentList {
  readonly hashesAt: number;
  readonly hashes: number;
  readonly entries: readonly SegmentEntry[];
}

/** An open segment. */
export class Segment {
  readonly path: string;
  readonly entries: ReadonlyMap<string, SegmentEntry>;
  readonly #file: number;
  readonly #list: SegmentList;
  #hashes: Uint32Array | undefined;

  private constructor(path: string, file: number, list: SegmentList) {
    this.path = path;
    this.#file = file;
    this.#list = list;
    this.entries = new Map(list.entries.map((entry) => [entry.key, entry]));
  }

  /** The segment at a path; undefined where the file is none, or damaged. */
  static open(path: string): Segment | undefined {
    let file: number | undefined;
    try {
      file = openSync(path, "r");
      const { size } = fstatSync(file);
      const trailer = readAt(file, size - TRAILER_BYTES, TRAILER_BYTES).toString("latin1");
      const length = Buffer.from(trailer, "latin1").readUInt32LE(0);
      if (!trailer.endsWith(MAGIC)) throw new Error("no segment");
      const list = readAt(file, size - TRAILER_BYTES - length, length);
      if (checkOf(list) !== trailer.slice(4, 4 + CHECK_DIGITS)) throw new Error("damaged");
      return new Segment(path, file, deserialize(list) as SegmentList);
    } catch {
      if (file !== undefined) closeSync(file);
      return undefined;
    }
  }

  /** The large part of a document; undefined where it is damaged. */
  body(key: string): DocumentBody | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    const [offset, length, check] = entry.body;
    try {
      const bytes = readAt(this.#file, offset, length);
      return checkOf(bytes) === check ? (deserialize(bytes) as DocumentBody) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Hashes of a document's pairs and words. */
  hashes(key: string): { readonly pairs: Uint32Array; readonly words: Uint32Array } {
    this.#hashes ??= this.#readHashes();
    const { pairs, words } = this.entries.get(key) as SegmentEntry;
    return {
      pairs: this.#hashes.subarray(pairs[0], pairs[0] + pairs[1]),
      words: this.#hashes.subarray(words[0], words[0] + words[1]),
    };
  }

  close(): void {
    closeSync(this.#file);
  }

  #readHashes(): Uint32Array {
    const { hashesAt, hashes } = this.#list;
    const bytes = new Uint8Array(hashes * 4);
    if (hashes > 0) readSync(this.#file, bytes, 0, bytes.length, hashesAt);
    return new Uint32Array(bytes.buffer);
  }
}

/** What goes into a segment. */
export interface SegmentDocument {
  readonly key: string;
  readonly card: DocumentCard;
  /** Undefined where it could not be had: the document is left out. */
  readonly body: () => DocumentBody | undefined;
}

/** Write a segment under another name first, so that nobody opens half of one. */
export async function writeSegment(path: string, documents: Iterable<SegmentDocument>): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, "w");
  try {
    await writeContent(file, documents);
    await file.close();
    await rename(partial, path);
  } catch (cause) {
    await file.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw cause;
  }
}

async function writeContent(file: FileHandle, documents: Iterable<SegmentDocument>): Promise<void> {
  const entries: SegmentEntry[] = [];
  const hashes: Uint32Array[] = [];
  let offset = 0;
  let count = 0;
  for (const { key, card, body } of documents) {
    const content = body();
    if (content === undefined) continue;
    const bytes = serialize(content);
    const pairs = hashPairs(content.inverted);
    const words = hashWords(content.inverted);
    entries.push({
      key,
      card,
      body: [offset, bytes.length, checkOf(bytes)],
      pairs: [count, pairs.length],
      words: [count + pairs.length, words.length],
    });
    hashes.push(pairs, words);
    count += pairs.length + words.length;
    await file.writeFile(bytes);
    offset += bytes.length;
  }
  for (const list of hashes) await file.writeFile(new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
  const list = serialize({ hashesAt: offset, hashes: count, entries } satisfies SegmentList);
  await file.writeFile(list);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  await file.writeFile(Buffer.concat([length, Buffer.from(checkOf(list) + MAGIC, "latin1")]));
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(file, bytes, 0, length, offset) < length) throw new Error("truncated");
  return bytes;
}

function checkOf(bytes: Uint8Array): string {
  return createHash("sha1").update(bytes).digest("hex").slice(0, CHECK_DIGITS);
}
