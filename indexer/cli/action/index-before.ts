/**
 * The index that a run builds on and compares with: out of the cache of the Action, else out of the bucket.
 *
 * I/O: reads the index; may write it.
 */
import { rm } from "node:fs/promises";
import { textOfKey } from "../../../src/core/bytes/key.ts";
import { decodeJson } from "../../../src/core/bytes/reader.ts";
import { FormatError, InputError, StaleGenerationError } from "../../../src/core/errors.ts";
import type { LogRecord } from "../../../src/core/format/build-log.ts";
import { shapeOf } from "../../../src/core/format/json-shape.ts";
import { entriesOf, type IndexReader } from "../../../src/core/index/index-reader.ts";
import { readLog } from "../../../src/core/index/read-log.ts";
import { openDiskIndex } from "../../base/index-source.ts";
import { verifyFiles } from "../../open/open-index.ts";
import type { ObjectStore } from "../../publish/object-store.ts";
import { readPublished } from "../../publish/published.ts";
import { pullIndex } from "../../publish/pull.ts";

/** What a run needs to know of an index once a build has taken its place. */
export interface KnownIndex {
  readonly generation: string;
  readonly log: LogRecord;
  /** Hashes of the contents of all documents, by their ids. */
  readonly contents: ReadonlyMap<string, string>;
}

/** The index before. */
export interface IndexBefore extends KnownIndex {
  readonly from: "cache" | "bucket";
}

/** Documents of one index that another does not have, has otherwise, and has alone. */
export interface ContentChanges {
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
}

/**
 * The index before; undefined where there is none.
 *
 * @param dir Folder that the cache was restored to, and that the bucket's index is pulled into.
 * @param say Takes a sentence where an index is there and cannot be used.
 * @throws {InputError} where the bucket cannot be read.
 */
export async function findIndexBefore(
  dir: string,
  store: ObjectStore | undefined,
  say: (text: string) => void,
): Promise<IndexBefore | undefined> {
  const cached = await readWholeIndex(dir, say);
  if (cached !== undefined) return { ...cached, from: "cache" };
  // Whoever may not read the bucket learns it now, not when everything is built.
  if (store === undefined || (await readPublished(store)) === undefined) return undefined;
  try {
    await pullIndex(store, dir);
  } catch (error) {
    // What is published and not whole is mended by publishing.
    if (!(error instanceof InputError || error instanceof FormatError)) throw error;
    say(`The index before was not fetched: ${error.message}`);
    return undefined;
  }
  const pulled = await readWholeIndex(dir, say);
  return pulled === undefined ? undefined : { ...pulled, from: "bucket" };
}

/** What is known of an index in a folder. @throws {InputError} where there is none. @throws {FormatError} */
export async function readKnownIndex(dir: string): Promise<KnownIndex> {
  const reader = await openDiskIndex(dir);
  return { generation: reader.generation.id, log: await readLog(reader), contents: await readContents(reader) };
}

/** What changed from one index to another. */
export function countContentChanges(now: KnownIndex["contents"], before: KnownIndex["contents"]): ContentChanges {
  const common = [...now].filter(([id]) => before.has(id));
  return {
    added: now.size - common.length,
    changed: common.filter(([id, hash]) => before.get(id) !== hash).length,
    deleted: before.size - common.length,
  };
}

/** An index that is damaged is taken away: built on, it would be damaged still. */
async function readWholeIndex(dir: string, say: (text: string) => void): Promise<KnownIndex | undefined> {
  try {
    const problems = await verifyFiles(dir);
    if (problems === undefined) return undefined;
    if (problems.length === 0) return await readKnownIndex(dir);
    say(`The index before is damaged: ${problems.join("; ")}`);
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof StaleGenerationError)) throw error;
    say(`The index before cannot be used: ${error.message}`);
  }
  await rm(dir, { recursive: true, force: true });
  return undefined;
}

async function readContents(reader: IndexReader): Promise<ReadonlyMap<string, string>> {
  const check = shapeOf("table documents");
  const contents = new Map<string, string>();
  for (const { index } of reader.shards) {
    const { tables } = await reader.read([{ shard: index, table: "documents", keys: "all" }]);
    for (const [key, value] of entriesOf(tables[0] ?? [])) {
      contents.set(textOfKey(key), check.string(check.record(decodeJson(value, "table documents")).hash));
    }
  }
  return contents;
}
