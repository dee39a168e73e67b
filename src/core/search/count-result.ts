/**
 * Facets of what a search found.
 */

import { countFacets } from "../docs/facets.ts";
import type { FacetCounts } from "../docs/model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import type { ScoredDocument } from "./scoring.ts";

/** Count the facets of all documents but those that were rejected. The facet tables must be resident. */
export function countResult(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  rejected: ReadonlySet<ScoredDocument>,
): FacetCounts {
  const members = new Map(reader.shards.map(({ index, root }) => [index, new Uint8Array(root.slots)]));
  for (const scored of ranked) {
    const { shard, document } = scored;
    if (rejected.has(scored)) continue;
    const set = members.get(reader.shards[shard]?.index ?? -1);
    if (set !== undefined) set[document] = 1;
  }
  return countFacets(reader, (shard, document) => members.get(shard)?.[document] === 1);
}
