/**
 * Facets: the documents that a filter selects, and counts of documents by value.
 *
 * OR inside a key, AND across keys, `exclude` takes away. The indexer derives some facets of every page and file; values
 * that an author gives for such a key are added.
 */
import { indexOfNumber } from "../bytes/numbers.ts";
import { InputError } from "../errors.ts";
import { type FacetLists, SORT_PREFIX } from "../index/decode-tables.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import { compareNames } from "../text/names.ts";
import { nearestNames, quoteName } from "../text/nearest.ts";
import { type FacetCounts, type FacetFilter, isEmptyFilter } from "./model.ts";

/** Keys of these facets. */
export const DERIVED_KEYS: readonly string[] = [
  "collection",
  "version",
  "type",
  "language",
  "content_type",
  "has_code",
  "code_language",
  "symbol_kind",
  "has_links",
  "depth",
];

const NEAREST = 5;
/**
 * Below this name stand facets that pages name as filters although the indexer derives such ones. It begins as those that are no
 * facets, and sorts nothing: no page can name a key of no letters.
 */
export const DECLARED_FILTERS = `${SORT_PREFIX}` as const;

/** A set of documents of one shard: 1 at each member's number. */
export type DocumentSet = Uint8Array;

/**
 * The filter with what it prefers as the index names it, and only what there is. Refuses keys and values that no visible document has.
 * The facet tables must be resident.
 *
 * @throws {InputError} with the nearest known names.
 */
export function checkFilter(reader: IndexReader, filter: FacetFilter): FacetFilter {
  const known = listFacetValues(reader);
  for (const [key, wanted] of [...Object.entries(filter.include), ...Object.entries(filter.exclude)]) {
    const values = known.get(key);
    if (values === undefined) {
      const near = nearestNames(key, known.keys(), NEAREST);
      throw new InputError(
        `There is no facet ${quoteName(key)}.`,
        near.length > 0 ? near : [...known.keys()].sort().slice(0, NEAREST),
      );
    }
    for (const value of wanted) {
      if (values.has(value)) continue;
      const near = nearestNames(value, values, NEAREST);
      throw new InputError(
        `No document has the ${key} ${quoteName(value)}.`,
        near.length > 0 ? near : [...values].sort().slice(0, NEAREST),
      );
    }
  }
  const { prefer = {} } = filter;
  const preferred = Object.entries(prefer).flatMap(([key, value]) => {
    const own = Object.hasOwn(filter.include, key) ? undefined : findPreferred(reader, key, value);
    return own === undefined ? [] : [[key, own]];
  });
  return { ...filter, prefer: Object.fromEntries(preferred) };
}

/** The value of pages that is meant; of languages `pt` means `pt-br`, and the other way. Undefined where it is none, or the only one. */
function findPreferred(reader: IndexReader, key: string, value: string): string | undefined {
  const known = new Set<string>();
  for (const { index } of reader.shards) {
    const facets = residentTable(reader, index, "facets");
    const isCode = codeIn(facets);
    for (const [name, numbers] of facets.get(key) ?? []) if (!numbers.every(isCode)) known.add(name);
  }
  if (known.size < 2) return undefined;
  const baseOf = (name: string): string => name.toLowerCase().split("-")[0] ?? "";
  const names = [...known];
  return (
    names.find((name) => name.toLowerCase() === value.toLowerCase()) ??
    (key === "language" ? names.find((name) => baseOf(name) === baseOf(value)) : undefined)
  );
}

/** Whether a document is source code, whose language is another thing. */
function codeIn(facets: FacetLists): (document: number) => boolean {
  const code = new Set(facets.get("content_type")?.get("code"));
  return (document) => code.has(document);
}

/** Values of each facet key in the shards that the caller may see. The facet tables must be resident. */
export function listFacetValues(reader: IndexReader): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const { index } of reader.shards) {
    for (const [key, values] of facetsIn(reader, index)) {
      const all = known.get(key) ?? new Set<string>();
      for (const value of values.keys()) all.add(value);
      known.set(key, all);
    }
  }
  return known;
}

/** Documents of a shard that a filter selects, or undefined for all of them. */
export function selectDocuments(reader: IndexReader, shard: number, filter: FacetFilter): DocumentSet | undefined {
  if (isEmptyFilter(filter)) return undefined;
  const facets = residentTable(reader, shard, "facets");
  const slots = reader.index.root.shards[shard]?.slots ?? 0;
  let selected = new Uint8Array(slots).fill(1);
  for (const [key, values] of Object.entries(filter.include)) {
    const any = new Uint8Array(slots);
    for (const value of values)
      for (const number of facets.get(key)?.get(value) ?? []) any[number] = selected[number] ?? 0;
    selected = any;
  }
  for (const [key, values] of Object.entries(filter.exclude)) {
    for (const value of values) for (const number of facets.get(key)?.get(value) ?? []) selected[number] = 0;
  }
  for (const [key, value] of Object.entries(filter.prefer ?? {})) {
    const own = new Set(facets.get(key)?.get(value));
    const isCode = codeIn(facets);
    const others = [...(facets.get(key)?.values() ?? [])].flatMap((numbers) => [...numbers]);
    for (const number of others) if (!own.has(number) && !isCode(number)) selected[number] = 0;
  }
  return selected;
}

/** Count values among some documents, by shard, or all; values that none of them has are left out. */
export function countFacets(reader: IndexReader, members?: ReadonlyMap<number, DocumentSet>): FacetCounts {
  const counts = new Map<string, Map<string, number>>();
  for (const { index } of reader.shards) {
    const set = members?.get(index);
    for (const [key, values] of facetsIn(reader, index)) {
      for (const [value, numbers] of values) {
        let count = members === undefined ? numbers.length : 0;
        // Without a branch: which documents are members, processors cannot guess.
        if (set !== undefined) for (let at = 0; at < numbers.length; at++) count += set[numbers[at] as number] ?? 0;
        if (count === 0) continue;
        const ofKey = counts.get(key) ?? new Map<string, number>();
        ofKey.set(value, (ofKey.get(value) ?? 0) + count);
        counts.set(key, ofKey);
      }
    }
  }
  return sortCounts(counts);
}

/** Facets of one document, read off the lists. */
export function facetsOf(reader: IndexReader, shard: number, document: number): Record<string, string[]> {
  return facetsAmong(facetsIn(reader, shard), document);
}

/** Values of one document among those of such lists. */
export function facetsAmong(
  lists: Iterable<readonly [key: string, values: ReadonlyMap<string, Uint32Array>]>,
  document: number,
): Record<string, string[]> {
  const own = new Map<string, string[]>();
  for (const [key, values] of lists) {
    for (const [value, numbers] of values) {
      if (indexOfNumber(numbers, document) >= 0) own.set(key, [...(own.get(key) ?? []), value]);
    }
  }
  return Object.fromEntries(own);
}

/** Lists of a table without those that only sort. */
function facetsIn(reader: IndexReader, shard: number) {
  return [...residentTable(reader, shard, "facets")].filter(([key]) => !key.startsWith(SORT_PREFIX));
}

/** Keys by name; values by count, most first, then by name. */
function sortCounts(counts: ReadonlyMap<string, ReadonlyMap<string, number>>): FacetCounts {
  return Object.fromEntries(
    [...counts]
      .sort(([a], [b]) => compareNames(a, b))
      .map(([key, values]) => [
        key,
        Object.fromEntries([...values].sort(([a, x], [b, y]) => y - x || compareNames(a, b))),
      ]),
  );
}
