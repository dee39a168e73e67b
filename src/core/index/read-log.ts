/**
 * Build log and facts of a generation, as far as the caller may see its collections.
 */
import { decodeLog, type LogRecord } from "../format/build-log.ts";
import type { IndexReader } from "./index-reader.ts";
import type { GenerationInfo } from "./open-generation.ts";

/** The log without what is about collections that the caller does not see. */
export async function readLog(reader: IndexReader): Promise<LogRecord> {
  const log = await readVisibleLog(reader);
  // The size of the file would tell how much is in it that the caller does not see.
  reader.countRead(JSON.stringify([log.skipped, log.diagnostics]).length);
  return log;
}

/** The same in nobody's cost, for what is read once for many calls. */
export async function readVisibleLog({ index, collections }: IndexReader): Promise<LogRecord> {
  const bytes = await index.source.readRange(index.log, 0, index.root.logBytes);
  const log = await decodeLog(bytes, index.inflate);
  const seen = new Set(collections.map(({ name }) => name));
  const isSeen = ({ collection }: { readonly collection: string }): boolean => seen.has(collection);
  const seesAll = seen.size === index.root.collections.length;
  const diagnostics = log.diagnostics.filter(isSeen);
  return {
    ...log,
    skipped: log.skipped.filter(isSeen),
    diagnosticCount: seesAll ? log.diagnosticCount : diagnostics.length,
    diagnostics,
    // Keys and their counts are of all collections together, so they are for who sees all.
    facetKeysLeftOut: seesAll ? log.facetKeysLeftOut : [],
  };
}

/**
 * What a generation holds. To a caller who does not see all of it, what it would say without what they do not see; that
 * takes a read of the log, which is in nobody's cost: it would tell that there is something.
 */
export async function visibleGeneration(reader: IndexReader): Promise<GenerationInfo> {
  const { generation, index, shards } = reader;
  if (shards.length === index.root.shards.length) return generation;
  const { skipped, diagnosticCount } = await readVisibleLog(reader);
  const sum = (count: (shard: (typeof shards)[number]["root"]) => number): number =>
    shards.reduce((total, { root }) => total + count(root), 0);
  return {
    ...generation,
    skippedFiles: skipped.length,
    diagnostics: diagnosticCount,
    indexBytes: sum(({ indexBytes }) => indexBytes),
    textBytes: sum(({ textBytes }) => textBytes),
  };
}
