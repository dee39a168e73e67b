/**
 * Base: an index that the next one is built on.
 */
import { textOfKey } from "../../../src/core/bytes/key.ts";
import { decodeDocument } from "../../../src/core/format/document-records.ts";
import { decodeManifest, decodePointer, type ManifestFile } from "../../../src/core/format/generation.ts";
import {
  type encodeRoot,
  isEmbedded,
  readRootHeader,
  type ShardRoot,
  splitRoot,
} from "../../../src/core/format/root.ts";
import { entriesOf, IndexReader } from "../../../src/core/index/index-reader.ts";
import { openIndex } from "../../../src/core/index/open-index.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { inflateRaw } from "../../base/codec.ts";
import { CACHE_BYTES, openSource, readWhole } from "../../base/index-source.ts";

type LevelFile = Parameters<typeof encodeRoot>[1][number];

/** A document of a level, valid or not. */
interface BaseDocument {
  readonly id: string;
  readonly number: number;
  /** Hash of its content. */
  readonly hash: string;
}

export interface BaseLevel {
  /** Its index in `reader` and in the root. */
  readonly index: number;
  readonly file: LevelFile;
  readonly level: ShardRoot;
  /** By number. */
  readonly documents: readonly BaseDocument[];
}

export interface BaseIndex {
  /** Folder or address that it was found at. */
  readonly place: string;
  /** Files of the generation, its manifest left out, and the name of that. */
  readonly files: readonly ManifestFile[];
  readonly manifest: string;
  readonly reader: IndexReader;
  readonly levels: readonly BaseLevel[];
}

/**
 * The index at a place; undefined where there is none.
 *
 * @param known A base that was opened before: documents of levels that it has are not read again.
 * @throws {FormatError} when it is damaged, or of another version.
 */
export async function openBase(place: string, known?: BaseIndex): Promise<BaseIndex | undefined> {
  const source = openSource(place);
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") return undefined;
  const cache = known?.reader.index.cache ?? new LruCache(CACHE_BYTES);
  const index = await openIndex(pointer.bytes, source, inflateRaw, cache);
  const { manifest, rootBytes } = decodePointer(pointer.bytes);
  const { files } = decodeManifest(await readWhole(source, manifest));
  const reader = new IndexReader(index, "all");
  const [, ...small] = splitRoot(rootBytes);
  const listed = (await readRootHeader(rootBytes, inflateRaw)).levels;
  const levels: BaseLevel[] = [];
  for (const [at, level] of index.root.shards.entries()) {
    const { level: name, deleted } = level;
    const before = known?.levels.find(({ file }) => file.name === name);
    const documents = before?.documents ?? (await listDocuments(reader, at));
    const { bytes: length } = listed[at] as (typeof listed)[number];
    const bytes = isEmbedded({ bytes: length }) ? small.shift() : await source.readRange(name, 0, length);
    levels.push({ index: at, file: { name, bytes: bytes as Uint8Array, deleted }, level, documents });
  }
  return { place, files, manifest, reader, levels };
}

async function listDocuments(reader: IndexReader, shard: number): Promise<BaseDocument[]> {
  const { tables } = await reader.read([{ shard, table: "documents", keys: "all" }]);
  const documents: BaseDocument[] = [];
  for (const [key, value] of entriesOf(tables[0] ?? [])) {
    const { number, hash } = decodeDocument(value);
    documents.push({ id: textOfKey(key), number, hash });
  }
  return documents.sort((a, b) => a.number - b.number);
}
