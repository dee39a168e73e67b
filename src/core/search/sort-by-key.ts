/**
 * Documents by a key that their pages give values for, `data-pagefind-sort`.
 *
 * The values stand among the facets, below names that no facet has.
 */
import { DECLARED_FILTERS, SORT_PREFIX } from "../docs/facets.ts";
import { InputError } from "../errors.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { readWithResident, residentTable } from "../index/resident.ts";
import { nearestNames, quoteName } from "../text/nearest.ts";
import type { SortKey } from "./answer.ts";
import type { ScoredDocument } from "./scoring.ts";
import { firstValues, sortByValues } from "./sort-values.ts";

const NEAREST = 5;

/**
 * Documents that have the key, in the order of its values.
 *
 * @throws {InputError} for a key that no document has.
 */
export async function sortByKey(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  { key, isDescending }: SortKey,
): Promise<ScoredDocument[]> {
  await readWithResident(reader, ["facets"]);
  const values = reader.shards.map(({ index }) =>
    firstValues(residentTable(reader, index, "facets").get(SORT_PREFIX + key)),
  );
  const sorted = sortByValues(ranked, values, isDescending);
  if (sorted === undefined) throw unknownKey(reader, key);
  return sorted.map(({ place }) => place);
}

function unknownKey(reader: IndexReader, key: string): InputError {
  const known = reader.shards.flatMap(({ index }) =>
    [...residentTable(reader, index, "facets").keys()].flatMap((name) =>
      name.startsWith(SORT_PREFIX) && name !== DECLARED_FILTERS ? [name.slice(SORT_PREFIX.length)] : [],
    ),
  );
  const keys = [...new Set(known)].sort();
  const near = nearestNames(key, keys, NEAREST);
  return new InputError(
    `No document can be sorted by ${quoteName(key)}.`,
    near.length > 0 ? near : keys.slice(0, NEAREST),
  );
}
