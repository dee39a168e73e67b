/**
 * Documents in another order than that of scores: those that a query only selects, and those that are sorted by a name.
 */

import { DECLARED_FILTERS } from "../docs/facets.ts";
import { InputError } from "../errors.ts";
import { hasDocument } from "../format/locator.ts";
import { SORT_PREFIX } from "../index/decode-tables.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { readWithResident, residentTable } from "../index/resident.ts";
import { compareNames } from "../text/names.ts";
import { nearestNames, quoteName } from "../text/nearest.ts";
import type { SearchSort, SortKey } from "./answer.ts";
import { compareDocuments } from "./score.ts";
import type { ScoredDocument, Scoring } from "./scoring.ts";

/** Every document that may be found, in their order: what a query of fields alone asks for. */
export function listSelected({ shards }: Scoring): ScoredDocument[] {
  return shards
    .flatMap(({ locator, selected }, shard) =>
      Array.from({ length: locator.slots }, (_, document) => document)
        .filter((document) => hasDocument(locator, document) && selected?.[document] !== 0)
        .map((document): ScoredDocument => ({ shard, document, score: 0, isFallback: false, sections: [] })),
    )
    .sort(compareDocuments);
}

/** Documents by a key of the catalogue, or of their own. The titles must be resident. @throws {InputError} for an unknown key. */
export async function sortDocuments(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  sort: Exclude<SearchSort, "relevance">,
): Promise<ScoredDocument[]> {
  if (typeof sort === "object") return sortByKey(reader, ranked, sort);
  const keyed = ranked.map((document) => {
    const shard = reader.shards[document.shard]?.index ?? 0;
    const name = residentTable(reader, shard, "titles").at(document.document);
    const words = residentTable(reader, shard, "locator").bodies[document.document] as number;
    return { document, path: name?.path ?? "", title: name?.title ?? "", words };
  });
  keyed.sort((a, b) => {
    if (sort === "words") return b.words - a.words || compareNames(a.path, b.path);
    return (sort === "title" ? compareNames(a.title, b.title) : 0) || compareNames(a.path, b.path);
  });
  return keyed.map(({ document }) => document);
}

const NEAREST = 5;

/**
 * Documents that have the key, in the order of its values.
 *
 * @throws {InputError} for a key that no document has.
 */
async function sortByKey(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  { key, isDescending }: SortKey,
): Promise<ScoredDocument[]> {
  await readWithResident(reader, ["facets"]);
  const lists = reader.shards.map(({ index }) => residentTable(reader, index, "facets").get(SORT_PREFIX + key));
  const sorted = sortByValues(ranked, lists, isDescending);
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

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Compares two of these values, upwards. @param all Every value that the caller may see, whatever was found. */
function orderOfValues(all: readonly string[]): (a: string, b: string) => number {
  if (all.every((value) => NUMBER.test(value))) return (a, b) => Number(a) - Number(b);
  return (a, b) => (a < b ? -1 : a > b ? 1 : 0);
}

interface Place {
  readonly shard: number;
  readonly document: number;
}

/** The first value of each document of a shard, out of a list of documents by value. */
function firstValues(lists: ReadonlyMap<string, Uint32Array> | undefined): ReadonlyMap<number, string> {
  const first = new Map<number, string>();
  for (const [value, documents] of lists ?? []) {
    for (const document of documents) if (!first.has(document)) first.set(document, value);
  }
  return first;
}

/**
 * Documents that have a value, in the order of the values; those of one value stay in the order in which they came. Undefined where no
 * document of the index has one.
 *
 * Whether values are numbers is decided by all of them, so that it does not depend on what was found.
 *
 * @param lists Documents by value, by shard.
 */
export function sortByValues<P extends Place>(
  places: readonly P[],
  lists: readonly (ReadonlyMap<string, Uint32Array> | undefined)[],
  isDescending: boolean,
): { readonly place: P; readonly value: string }[] | undefined {
  const values = lists.map(firstValues);
  const all = values.flatMap((own) => [...own.values()]);
  if (all.length === 0) return undefined;
  const compare = orderOfValues(all);
  const sign = isDescending ? -1 : 1;
  return places
    .flatMap((place) => {
      const value = values[place.shard]?.get(place.document);
      return value === undefined ? [] : [{ place, value }];
    })
    .sort((a, b) => sign * compare(a.value, b.value));
}
