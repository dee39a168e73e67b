/**
 * Base: an index that the next one is built on, as its full build wrote it, whatever was built on it since.
 */
import { textOfKey } from "../../../src/core/bytes/key.ts";
import { splitDocumentId } from "../../../src/core/docs/node-id.ts";
import { decodeDocument } from "../../../src/core/format/document-records.ts";
import {
  type BuildTime,
  decodeManifest,
  decodePointer,
  type ManifestFile,
  readBuildTime,
} from "../../../src/core/format/generation.ts";
import type { Root, ShardRoot } from "../../../src/core/format/root.ts";
import { entriesOf, IndexReader } from "../../../src/core/index/index-reader.ts";
import { openIndex } from "../../../src/core/index/open-index.ts";
import type { RangeSource } from "../../../src/core/index/range-source.ts";
import { LruCache } from "../../../src/core/index/value-cache.ts";
import { inflateRaw } from "../../base/codec.ts";
import { CACHE_BYTES, openSource, readWhole } from "../../base/index-source.ts";

export interface BaseDocument {
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly number: number;
  /** Hash of its content. */
  readonly hash: string;
}

/** The documents of an access group, with the tables that hold them. */
export interface BaseShard {
  readonly group: string;
  /** Its index in `reader` and in the root. */
  readonly index: number;
  /** As it was written: nothing deleted. */
  readonly root: ShardRoot;
  /** By number. */
  readonly documents: readonly BaseDocument[];
}

export interface BaseIndex {
  /** Folder or address that it was found at. */
  readonly place: string;
  /** Id of the generation that was found there. */
  readonly generation: string;
  /** How long the build of that took, in milliseconds; 0 where it does not say. */
  readonly built: BuildTime | undefined;
  /** Packs of the bases alone. */
  readonly root: Root;
  /** Files of the generation that was found there, its manifest left out, and the name of that. */
  readonly files: readonly ManifestFile[];
  readonly manifest: string;
  /** Reads the bases as they were written. */
  readonly reader: IndexReader;
  readonly shards: readonly BaseShard[];
  readonly source: RangeSource;
}

/**
 * The index at a place; undefined where there is none.
 *
 * @param known A base that was opened before: where the place still holds it, its tables are not read again.
 * @throws {FormatError} when it is damaged, or of another version.
 */
export async function openBase(place: string, known?: BaseIndex): Promise<BaseIndex | undefined> {
  const source = openSource(place);
  const pointer = await source.readPointer();
  if (pointer === undefined || pointer === "unchanged") return undefined;
  const index = await openIndex(pointer.bytes, source, inflateRaw, new LruCache(CACHE_BYTES));
  const { manifest } = decodePointer(pointer.bytes);
  const root = asWritten(index.root);
  const files = decodeManifest(await readWhole(source, manifest)).files;
  const generation = index.generation.id;
  const built = readBuildTime(pointer.bytes);
  // Packs are named by their content, so the same packs are the same base.
  if (known !== undefined && known.place === place && root.packs.join() === known.root.packs.join()) {
    return { ...known, root, generation, built, files, manifest };
  }
  const reader = new IndexReader({ ...index, root }, "all");
  const shards: BaseShard[] = [];
  for (const [at, shard] of root.shards.entries()) {
    shards.push({ group: shard.group, index: at, root: shard, documents: await listDocuments(reader, at) });
  }
  return { place, generation, built, root, files, manifest, reader, shards, source };
}

/** The root without what was built on its bases. */
function asWritten(root: Root): Root {
  return {
    ...root,
    packs: root.packs.slice(0, root.basePacks),
    shards: root.shards
      .filter(({ delta }) => delta === undefined)
      .map(({ written, ...shard }): ShardRoot => ({ ...shard, ...written, deleted: [] })),
  };
}

async function listDocuments(reader: IndexReader, shard: number): Promise<BaseDocument[]> {
  const { tables } = await reader.read([{ shard, table: "documents", keys: "all" }]);
  const documents: BaseDocument[] = [];
  for (const [key, value] of entriesOf(tables[0] ?? [])) {
    const { number, hash } = decodeDocument(value);
    const id = textOfKey(key);
    const { collection, path } = splitDocumentId(id);
    documents.push({ id, collection, path, number, hash });
  }
  return documents.sort((a, b) => a.number - b.number);
}
