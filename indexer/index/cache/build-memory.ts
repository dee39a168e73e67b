/**
 * What one build leaves for the next: the parse cache, content hashes, the base as it was opened.
 *
 * The parse cache knows what was made of each document, by its content, path and the settings that bear on it. It is a folder of
 * segments. Each build adds one with what it had to parse; when there are many, or when most of them is no longer used, they become
 * one. A cache that is missing or damaged costs time and never changes what a build gives. Documents of a running build are in it
 * too, so that not all of them must be in memory.
 *
 * Content hashes are known by size and times of a file. A file that was written less than two seconds before it was looked at may
 * change again without its times showing it; it is read anew.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FileState, isFsError } from "../../base/file-system.ts";
import type { BaseIndex } from "../delta/open-base.ts";
import type { DocumentBody } from "../prepared-document.ts";
import { type DocumentHashes, decodeBody, type PackedCard } from "./packed-document.ts";
import { Segment, SegmentWriter, type StoredDocument } from "./segment.ts";

const HASHES_FILE = "files.json";

/** Kept in memory by a running server, else read from a folder. */
export class BuildMemory {
  readonly cache: DocumentCache;
  readonly hashes: FileHashes;
  /** The base of the last build. */
  base: BaseIndex | undefined;

  constructor(cache: DocumentCache, hashes: FileHashes) {
    this.cache = cache;
    this.hashes = hashes;
  }

  /** What builds left in a folder; nothing where there is none, or without a folder. */
  static async open(dir: string | undefined): Promise<BuildMemory> {
    const cache = DocumentCache.open(dir);
    return new BuildMemory(cache, await FileHashes.open(dir === undefined ? undefined : join(dir, HASHES_FILE)));
  }

  /** What builds of parts left in their folders, see `split-build.ts`. */
  static async ofParts(dirs: readonly string[]): Promise<BuildMemory> {
    return new BuildMemory(DocumentCache.openAll(dirs), await FileHashes.open(undefined));
  }

  /** Close its files. */
  close(): void {
    this.cache.close();
  }
}

const SEGMENT_FILE = /^(\d{6})\.segment$/;
const PARTIAL_FILE = /^\d{6}\.segment\.(\d+)\.partial$/;
const MAX_SEGMENTS = 8;
/** Without a folder, so much is kept in memory; the rest goes to a temporary file. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** Less of the entries in use than this, and the cache is written anew. */
const LEAST_USED_SHARE = 0.5;

/** Open cache of one folder. Held open between the builds of a running server. */
export class DocumentCache {
  /** Undefined where nothing is kept behind this build. */
  #dir: string | undefined;
  #segments: Segment[];
  /** What was added and has no segment yet. */
  #writer: SegmentWriter | undefined;
  /** The same as long as it is little, where there is no folder. */
  readonly #held = new Map<string, StoredDocument>();
  #heldBytes = 0;
  /** Folder of what is more than that. */
  #spill: string | undefined;

  private constructor(dir: string | undefined, segments: Segment[]) {
    this.#dir = dir;
    this.#segments = segments;
  }

  /** The cache in a folder, empty where there is none; without a folder one that is in memory. */
  static open(dir: string | undefined): DocumentCache {
    const names = dir === undefined ? [] : listFolder(dir);
    const paths = names.filter((name) => SEGMENT_FILE.test(name)).sort();
    const segments = paths.flatMap((name) => Segment.open(join(dir ?? "", name)) ?? []);
    return new DocumentCache(dir, segments);
  }

  /** What other builds left in several folders; what is added is not kept behind this build. */
  static openAll(dirs: readonly string[]): DocumentCache {
    const segments = dirs.flatMap((dir) => DocumentCache.open(dir).#segments);
    return new DocumentCache(undefined, segments);
  }

  /** Whether the cache holds nothing at all. */
  get isEmpty(): boolean {
    return this.unsaved === 0 && this.#segments.every(({ size }) => size === 0);
  }

  /** Documents that were added and are not in a segment yet. */
  get unsaved(): number {
    return this.#held.size + (this.#writer?.size ?? 0);
  }

  /** The small part of a document; undefined where the cache does not hold it. */
  card(key: string): PackedCard | undefined {
    return this.#held.get(key)?.card ?? this.#writer?.card(key) ?? this.#segmentOf(key)?.card(key);
  }

  /** What linking needs of a source file, as `encodeCode` wrote it; undefined where it is not there or damaged. */
  code(key: string): Uint8Array | undefined {
    return this.#held.get(key)?.code ?? this.#writer?.code(key) ?? this.#segmentOf(key)?.code(key);
  }

  /** Candidates for concepts, as `encodeCandidates` wrote them; undefined where they are not there or damaged. */
  candidates(key: string): Uint8Array | undefined {
    return this.#held.get(key)?.candidates ?? this.#writer?.candidates(key) ?? this.#segmentOf(key)?.candidates(key);
  }

  /** The large part of a document; undefined where it is not there or damaged. */
  body(key: string): DocumentBody | undefined {
    const held = this.#held.get(key);
    if (held !== undefined) return decodeBody(held.body);
    return this.#writer?.body(key) ?? this.#segmentOf(key)?.body(key);
  }

  /** Hashes of a document's pairs and words, see `packed-document.ts`. The cache must hold it. */
  hashes(key: string): DocumentHashes {
    const held = this.#held.get(key);
    if (held !== undefined) return held;
    if (this.#writer?.has(key) === true) return this.#writer.hashes(key);
    const segment = this.#segmentOf(key);
    if (segment === undefined) throw new Error("the cache does not hold the document");
    return segment.hashes(key);
  }

  /** Keep a document. */
  add(document: StoredDocument): void {
    if (this.#dir === undefined && this.#heldBytes < MAX_HELD_BYTES) {
      this.#held.set(document.key, document);
      const { body, code, candidates, pairs, words } = document;
      this.#heldBytes += body.length + code.length + candidates.length + pairs.byteLength + words.byteLength;
      return;
    }
    this.#writer ??= this.#startSegment();
    this.#writer.add(document);
  }

  /**
   * Write what was added.
   *
   * @param used Keys of the documents that later builds may ask for; others may go.
   */
  save(used: ReadonlySet<string>): void {
    if (this.#dir === undefined || this.#writer === undefined) return;
    const held = this.#segments.reduce((sum, { size }) => sum + size, this.#writer.size);
    const isCrowded = this.#segments.length >= MAX_SEGMENTS || used.size < held * LEAST_USED_SHARE;
    if (isCrowded) {
      for (const segment of this.#segments) {
        for (const key of segment.keys) {
          const stored = used.has(key) ? segment.stored(key) : undefined;
          if (stored !== undefined) this.#writer.add(stored);
        }
      }
    }
    const written = this.#writer.finish();
    this.#writer = undefined;
    if (isCrowded) {
      for (const segment of this.#segments) {
        segment.close();
        rmSync(segment.path, { force: true });
      }
      this.#segments = [];
    }
    this.#segments.push(written);
  }

  /** Close the files; what was not saved is lost. */
  close(): void {
    this.#writer?.discard();
    this.#writer = undefined;
    if (this.#spill !== undefined) rmSync(this.#spill, { recursive: true, force: true });
    for (const segment of this.#segments) segment.close();
    this.#segments = [];
  }

  #segmentOf(key: string): Segment | undefined {
    return this.#segments.find((segment) => segment.has(key));
  }

  #startSegment(): SegmentWriter {
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
    return new SegmentWriter(join(this.#spill, "documents"));
  }

  #startIn(dir: string): SegmentWriter {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, ".gitignore"), "*\n");
    removeLeftovers(dir);
    const last = this.#segments.at(-1)?.path.match(/(\d{6})\.segment$/)?.[1] ?? "0";
    return new SegmentWriter(join(dir, `${String(Number(last) + 1).padStart(6, "0")}.segment`));
  }
}

/** Remove what builds were writing that ended before they were done. */
function removeLeftovers(dir: string): void {
  for (const name of listFolder(dir)) {
    const [, pid] = PARTIAL_FILE.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(dir, name), { force: true });
  }
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

const SETTLED_AFTER_MS = 2_000;

type Row = readonly [path: string, bytes: number, modifiedMs: number, changedMs: number, inode: number, hash: string];

/** Known hashes by a name for the file. */
export class FileHashes {
  readonly #path: string | undefined;
  readonly #rows: Map<string, Row>;
  readonly #used = new Map<string, Row>();

  private constructor(path: string | undefined, rows: Map<string, Row>) {
    this.#path = path;
    this.#rows = rows;
  }

  /** The hashes in a file; none where there is no such file, or one that cannot be read. */
  static async open(path: string | undefined): Promise<FileHashes> {
    const rows = new Map<string, Row>();
    try {
      const list: unknown = path === undefined ? [] : JSON.parse(await readFile(path, "utf8"));
      if (Array.isArray(list)) for (const row of list) if (isRow(row)) rows.set(row[0], row);
    } catch {
      // As if there were none: it costs reading the files.
    }
    return new FileHashes(path, rows);
  }

  /** The hash of a file that is as it was. */
  find(path: string, { bytes, modifiedMs, changedMs, inode }: FileState): string | undefined {
    const row = this.#rows.get(path) ?? this.#used.get(path);
    if (row === undefined) return undefined;
    const isSame = row[1] === bytes && row[2] === modifiedMs && row[3] === changedMs && row[4] === inode;
    if (isSame) this.#used.set(path, row);
    return isSame ? row[5] : undefined;
  }

  /** Note a file's hash. `lookedAt`: when its state was asked for. */
  note(path: string, { bytes, modifiedMs, changedMs, inode }: FileState, hash: string, lookedAt: number): void {
    if (Math.max(modifiedMs, changedMs) > lookedAt - SETTLED_AFTER_MS) return;
    this.#used.set(path, [path, bytes, modifiedMs, changedMs, inode, hash]);
  }

  /** Write the hashes of the files that were asked for. */
  async save(): Promise<void> {
    for (const [path, row] of this.#used) this.#rows.set(path, row);
    if (this.#path === undefined) return;
    await mkdir(dirname(this.#path), { recursive: true });
    const partial = `${this.#path}.${process.pid}.partial`;
    await writeFile(partial, JSON.stringify([...this.#used.values()]));
    await rename(partial, this.#path);
  }
}

function isRow(value: unknown): value is Row {
  if (!Array.isArray(value) || value.length !== 6) return false;
  const [path, ...rest] = value;
  return (
    typeof path === "string" &&
    rest.slice(0, 4).every((part) => typeof part === "number") &&
    typeof rest[4] === "string"
  );
}
