/**
 * Facets that a site has made itself, by its frontmatter or by `data-pagefind-filter`. An interface that lists all filters shows
 * these alone: what the indexer makes of every page was not asked for.
 */
import { indexOfNumber } from "../bytes/numbers.ts";
import { DECLARED_FILTERS, DERIVED_KEYS, SORT_PREFIX } from "../docs/facets.ts";
import type { FacetLists } from "../index/decode-tables.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";

const DERIVED: ReadonlySet<string> = new Set(DERIVED_KEYS);

/** Those of a shard of the root: key → value → document numbers. The facet table must be resident. */
export function shownFacets(reader: IndexReader, shard: number): FacetLists {
  const facets = residentTable(reader, shard, "facets");
  const declared = facets.get(DECLARED_FILTERS);
  const shown = new Map<string, ReadonlyMap<string, Uint32Array>>();
  for (const [key, values] of facets) {
    if (key.startsWith(SORT_PREFIX)) continue;
    const own = declared?.get(key);
    if (!DERIVED.has(key)) shown.set(key, values);
    else if (own !== undefined) shown.set(key, keepOnly(values, own));
  }
  return shown;
}

/** Values of the documents that name them themselves. */
function keepOnly(values: ReadonlyMap<string, Uint32Array>, documents: Uint32Array): Map<string, Uint32Array> {
  const kept = [...values].map(([value, numbers]): [string, Uint32Array] => [
    value,
    numbers.filter((number) => indexOfNumber(documents, number) >= 0),
  ]);
  return new Map(kept.filter(([, numbers]) => numbers.length > 0));
}
