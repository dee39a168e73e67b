/**
 * Parse cache: what was made of each document, by its content, path and the settings that bear on it.
 *
 * A folder of segments. Each build adds one with what it had to parse; when there are many, or when most of them is no
 * longer used, they become one. A cache that is missing or damaged costs time, nothing else: it never changes what a
 * build gives. Documents of a running build are in it too, so that not all of them have to be in memory.
 */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFsError } from "../../base/file-system.ts";
import type { PreparedDocument } from "../prepare-document.ts";
import { decodeBody } from "./body-codec.ts";
import { type DocumentBody, type DocumentHashes, openCard, type PackedCard } from "./cached-document.ts";
import { Segment, SegmentWriter, type StoredDocument } from "./segment.ts";

const SEGMENT_FILE = /^(\d{6})\.segment$/;
const PARTIAL_FILE = /^\d{6}\.segment\.(\d+)\.partial$/;
const MAX_SEGMENTS = 8;
/** Without a folder, so much is kept in memory; the rest goes to a temporary file. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** Less of the entries in use than this, and the cache is written anew. */
const LEAST_USED_SHARE = 0.5;

/** What names a document's content and everything else that bears on what is made of it. */
export interface DocumentIdentity {
  readonly hash: string;
  readonly path: string;
  /** Digest of the settings of its collection and of the code that prepares documents. */
  readonly settings: string;
}

/** Key of a document in the cache. */
export function cacheKey({ hash, path, settings }: DocumentIdentity): string {
  return createHash("sha1").update(`${settings}\0${hash}\0${path}`).digest("base64");
}

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

  /**
   * A whole document without its code; undefined where it is not there or damaged.
   *
   * @param place Its number and collection, where they are not those of the build that added it.
   */
  document(key: string, place?: Pick<PreparedDocument, "number" | "collection">): PreparedDocument | undefined {
    const card = this.card(key);
    const body = this.#body(key);
    // Not spread: long lists are made when they are asked for.
    return body === undefined || card === undefined ? undefined : Object.assign(openCard(card, place), body);
  }

  /** Hashes of a document's pairs and words, see `cached-document.ts`. The cache must hold it. */
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

  #body(key: string): DocumentBody | undefined {
    const held = this.#held.get(key);
    if (held !== undefined) return decodeBody(held.body);
    return this.#writer?.body(key) ?? this.#segmentOf(key)?.body(key);
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
