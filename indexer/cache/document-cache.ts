/**
 * Parse cache: what was made of each document, by its content, path and the settings that bear on it.
 *
 * A folder of segments. Each build adds one with what it had to parse; when there are many, or when most of them is no
 * longer used, they become one. A cache that is missing or damaged costs time, nothing else. It never changes what a
 * build gives.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PreparedDocument } from "../build/prepare-document.ts";
import { type DocumentBody, type DocumentCard, hashPairs, hashWords, splitDocument } from "./cached-document.ts";
import { Segment, writeSegment } from "./segment.ts";

const SEGMENT_FILE = /^(\d{6})\.segment$/;
const MAX_SEGMENTS = 8;
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
  readonly #dir: string | undefined;
  #segments: Segment[];
  readonly #fresh = new Map<string, { readonly card: DocumentCard; readonly body: DocumentBody }>();

  private constructor(dir: string | undefined, segments: Segment[]) {
    this.#dir = dir;
    this.#segments = segments;
  }

  /** The cache in a folder, empty where there is none; without a folder one that is never written. */
  static async open(dir: string | undefined): Promise<DocumentCache> {
    const names = dir === undefined ? [] : await readdir(dir).catch(() => []);
    const paths = names.filter((name) => SEGMENT_FILE.test(name)).sort();
    const segments = paths.flatMap((name) => Segment.open(join(dir ?? "", name)) ?? []);
    return new DocumentCache(dir, segments);
  }

  /** Whether the cache holds nothing at all. */
  get isEmpty(): boolean {
    return this.#fresh.size === 0 && this.#segments.every(({ entries }) => entries.size === 0);
  }

  /** Whether the cache holds a document. */
  has(key: string): boolean {
    return this.#fresh.has(key) || this.#segmentOf(key) !== undefined;
  }

  /** The small part of a document; undefined where the cache does not hold it. */
  card(key: string): DocumentCard | undefined {
    return this.#fresh.get(key)?.card ?? this.#segmentOf(key)?.entries.get(key)?.card;
  }

  /** A whole document, as it was when it was added; undefined where it is not there or damaged. */
  document(key: string): PreparedDocument | undefined {
    const fresh = this.#fresh.get(key);
    if (fresh !== undefined) return { ...fresh.card, ...fresh.body };
    const segment = this.#segmentOf(key);
    const body = segment?.body(key);
    const card = segment?.entries.get(key)?.card;
    return body === undefined || card === undefined ? undefined : { ...card, ...body };
  }

  /** Hashes of a document's pairs and words, see `cached-document.ts`. The cache must hold it. */
  hashes(key: string): { readonly pairs: Uint32Array; readonly words: Uint32Array } {
    const fresh = this.#fresh.get(key);
    if (fresh !== undefined) return { pairs: hashPairs(fresh.body.inverted), words: hashWords(fresh.body.inverted) };
    const segment = this.#segmentOf(key);
    if (segment === undefined) throw new Error("the cache does not hold the document");
    return segment.hashes(key);
  }

  /** Keep a document, in memory until `save`. */
  add(key: string, document: PreparedDocument): void {
    this.#fresh.set(key, splitDocument(document));
  }

  /** Documents that were added and not written yet. */
  get unsaved(): number {
    return this.#fresh.size;
  }

  /**
   * Write what was added.
   *
   * @param used Keys of the documents that later builds may ask for; others may go.
   */
  async save(used: ReadonlySet<string>): Promise<void> {
    if (this.#dir === undefined || this.#fresh.size === 0) return;
    await mkdir(this.#dir, { recursive: true });
    await writeFile(join(this.#dir, ".gitignore"), "*\n");
    const held = this.#segments.reduce((sum, { entries }) => sum + entries.size, this.#fresh.size);
    const isCrowded = this.#segments.length >= MAX_SEGMENTS || used.size < held * LEAST_USED_SHARE;
    const kept = isCrowded ? this.#segments.flatMap((segment) => listUsed(segment, used)) : [];
    const added = [...this.#fresh].map(([key, { card, body }]) => ({ key, card, body: () => body }));
    const path = join(this.#dir, `${String(this.#nextNumber()).padStart(6, "0")}.segment`);
    await writeSegment(path, [...kept, ...added]);
    const written = Segment.open(path);
    if (written === undefined) return;
    this.#fresh.clear();
    if (isCrowded) {
      for (const segment of this.#segments) {
        segment.close();
        await rm(segment.path, { force: true });
      }
      this.#segments = [];
    }
    this.#segments.push(written);
  }

  /** Close the files. */
  close(): void {
    for (const segment of this.#segments) segment.close();
    this.#segments = [];
  }

  #segmentOf(key: string): Segment | undefined {
    return this.#segments.find(({ entries }) => entries.has(key));
  }

  #nextNumber(): number {
    const last = this.#segments.at(-1)?.path.match(/(\d{6})\.segment$/)?.[1] ?? "0";
    return Number(last) + 1;
  }
}

function listUsed(segment: Segment, used: ReadonlySet<string>) {
  return [...segment.entries.values()]
    .filter(({ key }) => used.has(key))
    .map(({ key, card }) => ({ key, card, body: () => segment.body(key) }));
}
