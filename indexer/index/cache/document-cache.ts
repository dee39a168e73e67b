/**
 * Parse cache: what was made of each document, by its content, path and the settings that bear on it.
 *
 * A folder of files. Each build adds one with what it had to parse; when there are many, or when most of them is no longer used,
 * they become one. A cache that is missing or damaged costs time and never changes what a build gives. Documents of a running build
 * are in it too, so that not all of them must be in memory.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { concatBytes } from "../../../src/core/bytes/writer.ts";
import { isFsError } from "../../base/file-system.ts";
import { PARTS, type PackedDocument, type Part } from "./packed-document.ts";

/** Others may be of an older version. */
const CACHE_FILE = /^(\d{6})\.segment$/;
const PARTIAL_FILE = /^\d{6}\.segment\.(\d+)\.partial$/;
const MAX_FILES = 8;
/** Without a folder, so much is kept in memory; the rest goes to a temporary file. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** Less of the entries in use than this, and the cache is written anew. */
const LEAST_USED_SHARE = 0.5;

/** Parsed documents of one folder, by their key. Open between the builds of a running server. */
export class DocumentCache {
  /** Undefined where nothing is kept after this build. */
  #dir: string | undefined;
  #files: CacheFile[];
  /** Documents that were added and not saved. */
  #fresh: CacheFile | undefined;
  /** The same, where there is no folder and they are few. */
  readonly #held = new Map<string, PackedDocument>();
  #heldBytes = 0;
  /** Temporary folder, where there is no other. */
  #spill: string | undefined;

  private constructor(dir: string | undefined, files: CacheFile[]) {
    this.#dir = dir;
    this.#files = files;
  }

  /** The cache in a folder, empty where there is none; without a folder one that is not kept. */
  static open(dir: string | undefined): DocumentCache {
    return new DocumentCache(dir, dir === undefined ? [] : openFiles(dir));
  }

  /** What other builds left in several folders; what is added is not kept. */
  static openAll(dirs: readonly string[]): DocumentCache {
    return new DocumentCache(undefined, dirs.flatMap(openFiles));
  }

  get isEmpty(): boolean {
    return this.unsaved === 0 && this.#files.every(({ size }) => size === 0);
  }

  /** Number of documents that were added and not saved. */
  get unsaved(): number {
    return this.#held.size + (this.#fresh?.size ?? 0);
  }

  /** One part of a document; undefined where it is not there or damaged. */
  read(key: string, part: Part): Uint8Array | undefined {
    const held = this.#held.get(key);
    if (held !== undefined) return held[part];
    const files = this.#fresh === undefined ? this.#files : [this.#fresh, ...this.#files];
    return files.find((file) => file.has(key))?.read(key, part);
  }

  add(key: string, document: PackedDocument): void {
    if (this.#dir === undefined && this.#heldBytes < MAX_HELD_BYTES) {
      this.#held.set(key, document);
      for (const part of PARTS) this.#heldBytes += document[part].length;
      return;
    }
    this.#fresh ??= this.#startFile();
    this.#fresh.add(key, document);
  }

  /**
   * Write what was added.
   *
   * @param used Keys of the documents that later builds may ask for; others may go.
   */
  save(used: ReadonlySet<string>): void {
    if (this.#dir === undefined || this.#fresh === undefined) return;
    const known = this.#files.reduce((sum, { size }) => sum + size, this.unsaved);
    const isCrowded = this.#files.length >= MAX_FILES || used.size < known * LEAST_USED_SHARE;
    if (isCrowded) for (const file of this.#files) this.#fresh.copy(file, used);
    this.#fresh.finish();
    for (const file of isCrowded ? this.#files.splice(0) : []) {
      file.close();
      rmSync(file.path, { force: true });
    }
    this.#files.push(this.#fresh);
    this.#fresh = undefined;
  }

  /** Close the files; what was not saved is lost. */
  close(): void {
    this.#fresh?.discard();
    this.#fresh = undefined;
    if (this.#spill !== undefined) rmSync(this.#spill, { recursive: true, force: true });
    for (const file of this.#files.splice(0)) file.close();
  }

  #startFile(): CacheFile {
    if (this.#dir !== undefined) {
      try {
        return this.#startIn(this.#dir);
      } catch (error) {
        if (!isFsError(error)) throw error;
        // A folder of pages may be there to be read only: the build goes on without keeping anything.
        this.#dir = undefined;
      }
    }
    this.#spill = mkdtempSync(join(tmpdir(), "treeline-build-"));
    return new CacheFile(join(this.#spill, "documents"));
  }

  #startIn(dir: string): CacheFile {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, ".gitignore"), "*\n");
    const own = new Set(this.#files.map(({ path }) => path));
    for (const name of listFolder(dir)) {
      const [, pid] = PARTIAL_FILE.exec(name) ?? [];
      // What other versions wrote, or builds that were killed.
      const isLeft = pid === undefined ? CACHE_FILE.test(name) && !own.has(join(dir, name)) : !isRunning(Number(pid));
      if (isLeft) rmSync(join(dir, name), { force: true });
    }
    const [, last = "0"] = CACHE_FILE.exec(basename(this.#files.at(-1)?.path ?? "")) ?? [];
    return new CacheFile(join(dir, `${String(Number(last) + 1).padStart(6, "0")}.segment`));
  }
}

function openFiles(dir: string): CacheFile[] {
  const names = listFolder(dir).filter((name) => CACHE_FILE.test(name));
  return names.sort().flatMap((name) => CacheFile.open(join(dir, name)) ?? []);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process may not be asked.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function listFolder(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

const MAGIC = "TLCACHE9";
const TRAILER_BYTES = 8 + MAGIC.length;

/** Where a document begins, then length and checksum of each part. */
type Entry = readonly number[];

/** Documents one after another, a list of them, and how long that is. Under another name until it is whole. */
class CacheFile {
  readonly path: string;
  readonly #partial: string;
  #file: number;
  readonly #entries: Map<string, Entry>;
  #end = 0;

  /** @param whole An open file and what it lists; a new one is written without it. */
  constructor(path: string, whole?: { readonly file: number; readonly entries: Map<string, Entry> }) {
    this.path = path;
    this.#partial = `${path}.${process.pid}.partial`;
    this.#file = whole?.file ?? openSync(this.#partial, "w+");
    this.#entries = whole?.entries ?? new Map();
  }

  /** The file at a path; undefined where it is none, or damaged. */
  static open(path: string): CacheFile | undefined {
    let file: number | undefined;
    try {
      file = openSync(path, "r");
      const { size } = fstatSync(file);
      const trailer = readAt(file, size - TRAILER_BYTES, TRAILER_BYTES);
      if (trailer.toString("latin1", 8) !== MAGIC) throw new Error("of another version");
      const length = trailer.readUInt32LE(0);
      const list = readAt(file, size - TRAILER_BYTES - length, length);
      if (crc32(list) !== trailer.readUInt32LE(4)) throw new Error("damaged");
      return new CacheFile(path, { file, entries: deserialize(list) as Map<string, Entry> });
    } catch {
      if (file !== undefined) closeSync(file);
      return undefined;
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** One part of a document; undefined where it is not there or damaged. */
  read(key: string, part: Part): Uint8Array | undefined {
    const [offset = 0, ...numbers] = this.#entries.get(key) ?? [];
    const at = PARTS.indexOf(part) * 2;
    const before = numbers.slice(0, at).reduce((sum, value, number) => (number % 2 === 0 ? sum + value : sum), 0);
    try {
      const bytes = readAt(this.#file, offset + before, numbers[at] as number);
      return crc32(bytes) === numbers[at + 1] ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  add(key: string, document: PackedDocument): void {
    if (this.#entries.has(key)) return;
    const parts = PARTS.map((part) => document[part]);
    this.#entries.set(key, [this.#end, ...parts.flatMap((bytes) => [bytes.length, crc32(bytes)])]);
    this.#append(concatBytes(parts));
  }

  /** Add the documents of another file that are used and not damaged. */
  copy(file: CacheFile, used: ReadonlySet<string>): void {
    for (const key of file.#entries.keys()) {
      if (!used.has(key)) continue;
      const parts = PARTS.flatMap((part) => {
        const bytes = file.read(key, part);
        return bytes === undefined ? [] : [[part, bytes] as const];
      });
      if (parts.length === PARTS.length) this.add(key, Object.fromEntries(parts) as PackedDocument);
    }
  }

  /** Give a new file its name. */
  finish(): void {
    const list = serialize(this.#entries);
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.writeUInt32LE(list.length, 0);
    trailer.writeUInt32LE(crc32(list), 4);
    trailer.write(MAGIC, 8, "latin1");
    this.#append(Buffer.concat([list, trailer]));
    closeSync(this.#file);
    renameSync(this.#partial, this.path);
    this.#file = openSync(this.path, "r");
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Take a new file away. */
  discard(): void {
    closeSync(this.#file);
    rmSync(this.#partial, { force: true });
  }

  #append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#end + done);
    }
    this.#end += bytes.length;
  }
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(file, bytes, 0, length, offset) < length) throw new Error("truncated");
  return bytes;
}
