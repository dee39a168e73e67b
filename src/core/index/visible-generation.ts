/** A generation as a caller may see it, for answers that say all that there is to say about it. */
import type { IndexReader } from "./index-reader.ts";
import type { GenerationInfo } from "./open-generation.ts";
import { readVisibleLog } from "./read-log.ts";

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
