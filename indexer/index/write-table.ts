/**
 * Writes tables: sorted entries are cut into chunks, chunks go into packs, and the directory says where each lies.
 *
 * Packs are files of some MiB at most, each handed on as soon as it is full.
 */
import { createHash } from "node:crypto";
import type { DeflateRaw } from "../../src/core/bytes/capabilities.ts";
import { hashKey } from "../../src/core/bytes/checksum.ts";
import type { ByteKey } from "../../src/core/bytes/key.ts";
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { encodeChunk, keyAt, listPack, mixKey, type TableEntry } from "../../src/core/format/chunk.ts";
import { isIndexFile } from "../../src/core/format/generation.ts";
import {
  cutEntries,
  type Directory,
  type DirectoryEntry,
  encodeDirectory,
  type Place,
  separatingPrefix,
  type TableName,
  toTableEntry,
} from "../../src/core/format/table.ts";
import { deflateRaw } from "../base/codec.ts";

export interface TableLimits {
  /** Chunk size before compression. */
  readonly target: number;
  /** A directory of more bytes gets a second level. */
  readonly maxDirectory: number;
  /** Packs are cut at keys, about so many bytes apart, so that a change leaves the others as they are. */
  readonly packBytes?: number;
}

/**
 * What a query reads is cut small, postings smallest; what is read for one document at a time is cut larger, to keep the
 * root small. Measured in docs/decisions/0006-bytes.md.
 */
const SEARCHED: TableLimits = { target: 4_096, maxDirectory: 24 * 1024 };
const LISTED: TableLimits = { target: 24_576, maxDirectory: 2 * 1024 };
/** Most readers of an index ask for no code: its directories take little of the root. */
const CODE: TableLimits = { target: 12_288, maxDirectory: 8 * 1024, packBytes: 128 * 1024 };
/** Names that stand in many entries deflate the better the more of these share a chunk; an answer reads one chunk or two. */
const MAPPED: TableLimits = { target: 49_152, maxDirectory: 2 * 1024 };
/** Where tables are cut. */
const LIMITS: Readonly<Record<TableName, TableLimits>> = {
  // A second level is a round more in every search: up to some 18,000 chunks stand in the pointer, 3 bytes each.
  terms: { target: 1_536, maxDirectory: 128 * 1024 },
  locator: SEARCHED,
  synonyms: { ...SEARCHED, target: 1_536 },
  titles: SEARCHED,
  facets: SEARCHED,
  suggestions: { ...SEARCHED, maxDirectory: 8 * 1024 },
  trigrams: { ...SEARCHED, maxDirectory: 2 * 1024 },
  spelling: { target: 768, maxDirectory: 24 * 1024 },
  documents: { ...LISTED, target: 12_288 },
  sections: LISTED,
  links: LISTED,
  files: CODE,
  names: { ...CODE, target: 8_192 },
  // What is found is shown out of it: a reader that knows where it lies reads it in fewer rounds.
  symbols: { ...CODE, maxDirectory: 16 * 1024 },
  edges: CODE,
  uses: CODE,
  // Read for each page of an answer.
  mentions: { ...LISTED, target: 2_048 },
  // Mostly read whole: few packs, so that it is few reads.
  reach: { ...CODE, target: 16_384, packBytes: 1024 * 1024 },
  packages: { ...CODE, packBytes: 512 * 1024 },
  // Modules that pass on the same names stand side by side.
  exports: { ...CODE, target: 16_384 },
  insights: LISTED,
  categories: MAPPED,
  concepts: MAPPED,
};
/** Of a newer level most words of a query are not there, and what a look for them reads is in vain. */
export const NEWER_TERMS: TableLimits = { ...LIMITS.terms, target: 512 };
const DIRECTORY_CHUNK_TARGET = 8_192;
const HASH_RANGE = 2 ** 32;

interface WrittenTable {
  readonly directory: Directory;
  /** Bytes of its chunks, directory chunks included. */
  readonly bytes: number;
}

/** A chunk that has no place yet, with its first key and the prefix that a directory lists it under. */
export interface SealedChunk {
  readonly key: ByteKey;
  readonly prefix: ByteKey;
  readonly bytes: Uint8Array;
}

/** Chunks of sorted entries. Limits other than those of the format's document are for tests of large indexes in small. */
export function sealTable(
  name: TableName,
  entries: Iterable<TableEntry>,
  { target }: TableLimits = LIMITS[name],
  deflate = deflateRaw,
): Iterable<SealedChunk> {
  return sealChunks(name, cutEntries(entries, target), separatingPrefix, deflate);
}

/** Write the chunks of a table: `sealTable` makes them of sorted entries. */
export async function writeTable(
  name: TableName,
  chunks: Iterable<SealedChunk>,
  packs: PackWriter,
  { target, maxDirectory, packBytes }: TableLimits = LIMITS[name],
  deflate = deflateRaw,
): Promise<WrittenTable> {
  const lower = await placeChunks(chunks, packs, packBytes);
  const flat: Directory = { height: 0, entries: lower };
  if (encodeDirectory(flat).length <= maxDirectory) return { directory: flat, bytes: sumLengths(lower) };
  // The whole first prefix, not a shorter one: what lies between the two belongs to the directory chunk before.
  const wholePrefix = (_: ByteKey | undefined, first: ByteKey): ByteKey => first;
  const runs = cutEntries(lower.map(toTableEntry), Math.min(DIRECTORY_CHUNK_TARGET, 2 * target));
  const upper = await placeChunks(sealChunks(`${name}/directory`, runs, wholePrefix, deflate), packs);
  return { directory: { height: 1, entries: upper }, bytes: sumLengths(lower) + sumLengths(upper) };
}

function* sealChunks(
  name: string,
  runs: Iterable<readonly TableEntry[]>,
  prefixOf: (lastBefore: ByteKey | undefined, first: ByteKey) => ByteKey,
  deflate: DeflateRaw,
): Generator<SealedChunk> {
  let last: ByteKey | undefined;
  for (const run of runs) {
    const { key } = run[0] as TableEntry;
    const prefix = prefixOf(last, key);
    yield { key, prefix, bytes: encodeChunk(name, prefix, run, deflate) };
    last = (run.at(-1) as TableEntry).key;
  }
}

async function placeChunks(
  chunks: Iterable<SealedChunk>,
  packs: PackWriter,
  packBytes = Number.POSITIVE_INFINITY,
): Promise<DirectoryEntry[]> {
  const directory: DirectoryEntry[] = [];
  for (const { key, prefix, bytes } of chunks) {
    // Another hash than that which cut the chunk here: that one is small.
    if (hashKey(`${key}/pack`) / HASH_RANGE < (directory.at(-1)?.length ?? 0) / packBytes) await packs.close();
    directory.push({ prefix, ...(await packs.add(bytes)) });
  }
  return directory;
}

function sumLengths(entries: readonly DirectoryEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.length, 0);
}

/** The same list, sorted. Keys are all different. */
export function sortEntries<T extends Pick<TableEntry, "key">>(entries: T[]): T[] {
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Packs are closed when they hold this much: a cache may fetch a whole pack for a range of it, and a query reads little of each. */
export const PACK_BYTES = { text: 4 * 1024 * 1024, tables: 1024 * 1024, resident: 256 * 1024 };
/** What is smaller than this share of the packs that follow stands in the first of them. */
const LEAST_PACK_SHARE = 1 / 16;
/** Room that a pack begins with where none was full yet: most corpora fill none. */
const FIRST_BYTES = 64 * 1024;
const NAME_DIGITS = 32;

export type FileSink = (name: string, bytes: Uint8Array) => Promise<void>;

/** Name of a hashed file: the first 32 digits of its SHA-256 and its kind. */
export function nameFile(bytes: Uint8Array, kind: "pack" | "level" | "root" | "manifest" | "log"): string {
  return `${createHash("sha256").update(bytes).digest("hex").slice(0, NAME_DIGITS)}.${kind}`;
}

/** Whether bytes are what the name of a hashed file says. Of any other name they are not. */
export function holdsItsName(name: string, bytes: Uint8Array): boolean {
  return (
    isIndexFile(name) &&
    createHash("sha256").update(bytes).digest("hex").slice(0, NAME_DIGITS) === name.split(".", 1)[0]
  );
}

/** Writes packs one after another; `add` says where the bytes will lie. */
export class PackWriter {
  readonly #sink: FileSink;
  readonly #dictionary: string;
  readonly #names: string[] = [];
  #current = new ByteWriter(FIRST_BYTES);
  #packBytes = PACK_BYTES.text;
  /** Where each chunk and block of the current pack begins. */
  #starts: number[] = [];

  /**
   * @param before Packs that are there already, as levels list them; they come before those that are written.
   * @param dictionary That of their level: the same bytes are other chunks with another one, and are to be another pack.
   */
  constructor(sink: FileSink, before: readonly string[] = [], dictionary = "") {
    this.#sink = sink;
    this.#dictionary = dictionary;
    this.#names.push(...before);
  }

  /** The index of a pack that is there. */
  indexOf(listed: string): number {
    return this.#names.indexOf(listed);
  }

  /** Append sealed chunks or blocks, back to back. The pack index is final, its name comes with `finish`. */
  async add(...sealed: readonly Uint8Array[]): Promise<Place> {
    const offset = this.#current.length;
    for (const bytes of sealed) {
      this.#starts.push(this.#current.length);
      this.#current.writeBytes(bytes);
    }
    const place = { pack: this.#names.length, offset, length: this.#current.length - offset };
    if (this.#current.length >= this.#packBytes) await this.close();
    return place;
  }

  /** What comes next stands in packs of so many bytes. */
  async begin(packBytes: number): Promise<void> {
    if (this.#current.length >= packBytes * LEAST_PACK_SHARE) await this.close();
    this.#packBytes = packBytes;
  }

  /** Close the current pack, so that what comes next stands in a file of its own. */
  async close(): Promise<void> {
    if (this.#current.length === 0) return;
    const bytes = this.#current.finish();
    const key = createHash("sha256").update(this.#dictionary, "latin1").update(bytes).digest().readUInt32LE();
    for (const start of this.#starts) mixKey(bytes, start, keyAt(key, start));
    const name = nameFile(bytes, "pack");
    this.#names.push(listPack(name.slice(0, NAME_DIGITS), key));
    this.#current = new ByteWriter(bytes.length >= this.#packBytes ? this.#packBytes : FIRST_BYTES);
    this.#starts = [];
    await this.#sink(name, bytes);
  }

  /** Close the last pack; all packs as their level lists them, by index. */
  async finish(): Promise<readonly string[]> {
    await this.close();
    return this.#names;
  }
}
