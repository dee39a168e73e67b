/**
 * Parse cache: what was made of each document, by its content, path and the settings that bear on it.
 *
 * A build writes documents to a temporary file, since not all of them fit into memory, and appends them to that of the cache when it is
 * done; when most of that is no longer used, it is written anew. A cache that is missing or damaged costs time and never changes
 * what a build gives.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { concatBytes, encodeJson } from "../../../src/core/bytes/writer.ts";
import { isFsError } from "../../base/file-system.ts";
import type { BaseIndex } from "../levels/open-base.ts";
import { PARTS, type PackedDocument, type Part } from "../prepared-document.ts";

const CACHE_FILE = "documents.cache";
/** Less of the documents in use than this, and the file is written anew. */
const LEAST_USED_SHARE = 0.5;
const COPIED_BYTES = 4 * 1024 * 1024;

/** What a running server keeps between its builds. */
export interface BuildMemory {
  readonly cache: DocumentCache;
  /** The base of the last build. */
  base?: BaseIndex | undefined;
}

/** Where a part of a document lies; threads share open files. */
export interface PartPlace {
  readonly file: number;
  readonly offset: number;
  readonly length: number;
  readonly checksum: number;
}

/** The bytes of a part; undefined where they are damaged. */
export function readPart({ file, offset, length, checksum }: PartPlace): Uint8Array | undefined {
  const bytes = readAt(file, offset, length);
  return bytes !== undefined && crc32(bytes) === checksum ? bytes : undefined;
}

/** Parsed documents by their key. Open between the builds of a running server. */
export class DocumentCache {
  /** Undefined where nothing is kept after this build. */
  readonly dir: string | undefined;
  #kept: RecordFile[];
  /** Documents that were added and not saved. */
  #fresh: RecordFile | undefined;

  private constructor(dir: string | undefined, kept: RecordFile[]) {
    this.dir = dir;
    this.#kept = kept;
  }

  /** The cache in a folder, empty where there is none; without a folder one that is not kept. */
  static open(dir: string | undefined): DocumentCache {
    return new DocumentCache(dir, dir === undefined ? [] : openKept(dir));
  }

  /** What other builds left in several folders; what is added is not kept. */
  static openAll(dirs: readonly string[]): DocumentCache {
    return new DocumentCache(undefined, dirs.flatMap(openKept));
  }

  /** Number of documents that were added and not saved. */
  get unsaved(): number {
    return this.#fresh?.entries.size ?? 0;
  }

  /** One part of a document; undefined where it is not there or damaged. */
  read(key: string, part: Part): Uint8Array | undefined {
    const place = this.find(key, part);
    return place === undefined ? undefined : readPart(place);
  }

  /** Where a part of a document lies, for other threads; undefined where it is not there. */
  find(key: string, part: Part): PartPlace | undefined {
    const files = this.#fresh === undefined ? this.#kept : [this.#fresh, ...this.#kept];
    return files.find(({ entries }) => entries.has(key))?.find(key, part);
  }

  add(key: string, document: PackedDocument): void {
    this.#fresh ??= RecordFile.temporary();
    this.#fresh.add(key, document);
  }

  /**
   * Write what was added. What cannot be written costs the next build time, and this one nothing.
   *
   * @param used Keys of the documents that later builds may ask for; others may go.
   */
  save(used: ReadonlySet<string>): void {
    if (this.dir === undefined || this.#fresh === undefined) return;
    const [kept] = this.#kept;
    const isWorn = !kept?.isWhole || used.size < (kept.entries.size + this.unsaved) * LEAST_USED_SHARE;
    const path = join(this.dir, CACHE_FILE);
    const target = isWorn ? `${path}.partial` : path;
    try {
      mkdirSync(this.dir, { recursive: true });
      writeFileSync(join(this.dir, ".gitignore"), "*\n");
      const file = openSync(target, isWorn ? "w" : "a");
      try {
        if (isWorn) kept?.copyTo(file, used);
        this.#fresh.copyTo(file);
      } finally {
        closeSync(file);
      }
      if (isWorn) renameSync(target, path);
    } catch (error) {
      if (!isFsError(error)) throw error;
      return;
    }
    this.close();
    this.#kept = openKept(this.dir);
  }

  /** Close the files; what was not saved is lost. */
  close(): void {
    for (const file of [...this.#kept, ...(this.#fresh === undefined ? [] : [this.#fresh])]) file.close();
    this.#kept = [];
    this.#fresh = undefined;
  }
}

function openKept(dir: string): RecordFile[] {
  return RecordFile.open(join(dir, CACHE_FILE));
}

const MAGIC = "TLC1";
const HEADER_BYTES = 12;

/** Where the parts of a document begin, then length and checksum of each. */
type Entry = readonly [offset: number, ...numbers: number[]];

/** Parts of documents, back to back. Saved ones stand in batches: magic, length, checksum, a list of the documents, and their parts. */
class RecordFile {
  readonly entries = new Map<string, Entry>();
  /** Whether all of it could be read. */
  isWhole = true;
  readonly #file: number;
  #end = 0;

  private constructor(file: number) {
    this.#file = file;
  }

  /** A new file, which has no name: it is gone when the process is. */
  static temporary(): RecordFile {
    const folder = mkdtempSync(join(tmpdir(), "treeline-build-"));
    try {
      return new RecordFile(openSync(join(folder, CACHE_FILE), "w+"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The batches at a path, as far as they are whole; none where there is none. */
  static open(path: string): RecordFile[] {
    try {
      const opened = new RecordFile(openSync(path, "r"));
      const { size } = fstatSync(opened.#file);
      while (opened.isWhole && opened.#end < size) opened.#readList(size);
      return [opened];
    } catch (error) {
      if (!isFsError(error)) throw error;
      return [];
    }
  }

  #readList(size: number): void {
    const header = readAt(this.#file, this.#end, HEADER_BYTES);
    const length = header?.toString("latin1", 0, 4) === MAGIC ? header.readUInt32LE(4) : size;
    const list = readAt(this.#file, this.#end + HEADER_BYTES, Math.min(length, size));
    this.isWhole = list !== undefined && crc32(list) === header?.readUInt32LE(8);
    if (!this.isWhole) return;
    this.#end += HEADER_BYTES + length;
    for (const [key, ...numbers] of JSON.parse(String(list)) as [string, ...number[]][]) {
      this.isWhole = this.#end + lengthOf(numbers) <= size;
      if (!this.isWhole) return;
      this.#note(key, numbers);
    }
  }

  #note(key: string, numbers: readonly number[]): void {
    this.entries.set(key, [this.#end, ...numbers]);
    this.#end += lengthOf(numbers);
  }

  find(key: string, part: Part): PartPlace {
    const [offset, ...numbers] = this.entries.get(key) ?? [0];
    const at = PARTS.indexOf(part) * 2;
    const [length = 0, checksum = 0] = numbers.slice(at);
    return { file: this.#file, offset: offset + lengthOf(numbers.slice(0, at)), length, checksum };
  }

  add(key: string, document: PackedDocument): void {
    if (this.entries.has(key)) return;
    const parts = PARTS.map((part) => document[part]);
    writeAll(this.#file, concatBytes(parts), this.#end);
    this.#note(
      key,
      parts.flatMap((bytes) => [bytes.length, crc32(bytes)]),
    );
  }

  /** Appends a batch of documents to another file: all, or those of some keys. */
  copyTo(file: number, used?: ReadonlySet<string>): void {
    const wanted = [...this.entries].filter(([key]) => used?.has(key) !== false);
    const list = encodeJson(wanted.map(([key, [, ...numbers]]) => [key, ...numbers]));
    const header = Buffer.alloc(HEADER_BYTES, MAGIC);
    header.writeUInt32LE(list.length, 4);
    header.writeUInt32LE(crc32(list), 8);
    writeAll(file, concatBytes([header, list]));
    const copy = (start: number, end: number): void => {
      for (let at = start; at < end; at += COPIED_BYTES) {
        writeAll(file, readAt(this.#file, at, Math.min(COPIED_BYTES, end - at)) ?? new Uint8Array());
      }
    };
    let [start, end] = [0, 0];
    // Neighbours are copied as one.
    for (const [, [offset, ...numbers]] of wanted) {
      if (offset !== end) {
        copy(start, end);
        start = offset;
      }
      end = offset + lengthOf(numbers);
    }
    copy(start, end);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function lengthOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number, at) => (at % 2 === 0 ? sum + number : sum), 0);
}

/** Undefined where the file ends before. */
function readAt(file: number, offset: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  return readSync(file, bytes, 0, length, offset) < length ? undefined : bytes;
}

/** @param offset Where it goes; the end of a file that is appended to when absent. */
function writeAll(file: number, bytes: Uint8Array, offset?: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, offset === undefined ? null : offset + done);
  }
}
