/**
 * Parse cache: what was made of each document, by its content, path and the settings that bear on it.
 *
 * One file of records. A build writes its records to a temporary file, since not all of them fit into memory, and appends them when it is
 * done; when most records are no longer used, the file is written anew. A cache that is missing or damaged costs time and never changes
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
import { concatBytes } from "../../../src/core/bytes/writer.ts";
import { isFsError } from "../../base/file-system.ts";
import type { BaseIndex } from "../delta/open-base.ts";
import { PARTS, type PackedDocument, type Part } from "./packed-document.ts";

const CACHE_FILE = "documents.cache";
/** Less of the records in use than this, and the file is written anew. */
const LEAST_USED_SHARE = 0.5;
const COPIED_BYTES = 4 * 1024 * 1024;

/** What a running server keeps between its builds. */
export interface BuildMemory {
  readonly cache: DocumentCache;
  /** The base of the last build. */
  base?: BaseIndex | undefined;
}

/** Parsed documents by their key. Open between the builds of a running server. */
export class DocumentCache {
  /** Undefined where nothing is kept after this build. */
  readonly #dir: string | undefined;
  #kept: RecordFile[];
  /** Documents that were added and not saved. */
  #fresh: RecordFile | undefined;

  private constructor(dir: string | undefined, kept: RecordFile[]) {
    this.#dir = dir;
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
    const files = this.#fresh === undefined ? this.#kept : [this.#fresh, ...this.#kept];
    return files.find(({ entries }) => entries.has(key))?.read(key, part);
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
    if (this.#dir === undefined || this.#fresh === undefined) return;
    const [kept] = this.#kept;
    const isWorn = !kept?.isWhole || used.size < (kept.entries.size + this.unsaved) * LEAST_USED_SHARE;
    const path = join(this.#dir, CACHE_FILE);
    const target = isWorn ? `${path}.partial` : path;
    try {
      mkdirSync(this.#dir, { recursive: true });
      writeFileSync(join(this.#dir, ".gitignore"), "*\n");
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
    this.#kept = openKept(this.#dir);
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
const KEY_BYTES = 28;
const NUMBERS_AT = MAGIC.length + KEY_BYTES;
const CHECKSUM_AT = NUMBERS_AT + PARTS.length * 8;
const HEADER_BYTES = CHECKSUM_AT + 4;

/** Where the parts of a document begin, then length and checksum of each. */
type Entry = readonly [offset: number, ...numbers: number[]];

/** Records one after another: a header with key, lengths and checksums, and the parts. */
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

  /** The file at a path, as far as it is whole; none where there is none. */
  static open(path: string): RecordFile[] {
    try {
      const opened = new RecordFile(openSync(path, "r"));
      opened.#scan();
      return [opened];
    } catch (error) {
      if (!isFsError(error)) throw error;
      return [];
    }
  }

  #scan(): void {
    const { size } = fstatSync(this.#file);
    while (this.#end < size) {
      const header = readAt(this.#file, this.#end, HEADER_BYTES);
      const isHeader =
        header?.toString("latin1", 0, MAGIC.length) === MAGIC &&
        crc32(header.subarray(0, CHECKSUM_AT)) === header.readUInt32LE(CHECKSUM_AT);
      const numbers = PARTS.flatMap((_, part) =>
        [0, 4].map((at) => header?.readUInt32LE(NUMBERS_AT + part * 8 + at) ?? 0),
      );
      this.isWhole = isHeader && this.#end + HEADER_BYTES + lengthOf(numbers) <= size;
      if (header === undefined || !this.isWhole) return;
      this.#note(header.toString("latin1", MAGIC.length, NUMBERS_AT), numbers);
    }
  }

  #note(key: string, numbers: readonly number[]): void {
    this.entries.set(key, [this.#end + HEADER_BYTES, ...numbers]);
    this.#end += HEADER_BYTES + lengthOf(numbers);
  }

  /** One part of a document; undefined where it is not there or damaged. */
  read(key: string, part: Part): Uint8Array | undefined {
    const [offset, ...numbers] = this.entries.get(key) ?? [0];
    const at = PARTS.indexOf(part) * 2;
    const bytes = readAt(this.#file, offset + lengthOf(numbers.slice(0, at)), numbers[at] ?? 0);
    return bytes !== undefined && crc32(bytes) === numbers[at + 1] ? bytes : undefined;
  }

  add(key: string, document: PackedDocument): void {
    if (this.entries.has(key)) return;
    const numbers = PARTS.flatMap((part) => [document[part].length, crc32(document[part])]);
    const header = Buffer.alloc(HEADER_BYTES);
    header.write(MAGIC + key, "latin1");
    for (const [at, number] of numbers.entries()) header.writeUInt32LE(number, NUMBERS_AT + at * 4);
    header.writeUInt32LE(crc32(header.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
    writeAll(this.#file, concatBytes([header, ...PARTS.map((part) => document[part])]), this.#end);
    this.#note(key, numbers);
  }

  /** Appends the records to another file; those of some keys alone where these are given. */
  copyTo(file: number, used?: ReadonlySet<string>): void {
    const wanted = [...this.entries].filter(([key]) => used?.has(key) !== false);
    const copy = (start: number, end: number): void => {
      for (let at = start; at < end; at += COPIED_BYTES) {
        writeAll(file, readAt(this.#file, at, Math.min(COPIED_BYTES, end - at)) ?? new Uint8Array());
      }
    };
    let [start, end] = [0, 0];
    // Neighbours are copied as one.
    for (const [, [offset, ...numbers]] of wanted) {
      if (offset - HEADER_BYTES !== end) {
        copy(start, end);
        start = offset - HEADER_BYTES;
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
