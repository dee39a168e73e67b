/**
 * Which pages a compound filter selects: conditions on facets, nested with `any`, `all`, `none` and `not`.
 *
 * Semantics are those that Pagefind documents for its filters: everything given must hold; a list of values means all of
 * them; `not` is the opposite of `all`, `none` of `any`. What holds no condition selects everything, and what cannot be read
 * as one is passed over.
 *
 * Pure.
 */

import { indexOfNumber } from "../bytes/numbers.ts";
import { DECLARED_FILTERS, DERIVED_KEYS, SORT_PREFIX } from "../docs/facets.ts";
import { InputError } from "../errors.ts";
import type { FacetLists } from "../index/decode-tables.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";

/** A set of documents: 1 at each member's number. */
export type PageSet = Uint8Array;

/** Documents that have a value of a facet; undefined where none has. */
export type FindValue = (key: string, value: string) => Iterable<number> | undefined;

/** How a nested filter joins what it holds, and whether the opposite counts. */
const OPERATORS: ReadonlyMap<string, { readonly isAny: boolean; readonly isNegated: boolean }> = new Map([
  ["any", { isAny: true, isNegated: false }],
  ["all", { isAny: false, isNegated: false }],
  ["none", { isAny: true, isNegated: true }],
  ["not", { isAny: false, isNegated: true }],
]);
/** Filters are written by hand or by a form; none is deeper. */
const MAX_DEPTH = 20;

/**
 * The documents that a filter selects; undefined for all of them.
 *
 * @param slots Numbers of documents are below this.
 * @throws {InputError} for a filter of too many levels or conditions.
 */
export function selectPages(filter: unknown, find: FindValue, slots: number): PageSet | undefined {
  return isObject(filter) ? new Selection(find, slots).ofObject(filter, false, 0) : undefined;
}

/** True where a filter names a facet, and where it has too many levels to tell. */
export function namesFacet(filter: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true;
  if (Array.isArray(filter)) return filter.some((entry) => namesFacet(entry, depth + 1));
  if (!isObject(filter)) return false;
  return Object.entries(filter).some(([key, value]) => !OPERATORS.has(key) || namesFacet(value, depth + 1));
}

/** What a filter holds at most: a form has some ten conditions. */
const MAX_CONDITIONS = 100;

/** One filter over one set of documents. Of each level of it no more than two sets are held. */
class Selection {
  readonly #find: FindValue;
  readonly #slots: number;
  #conditions = 0;

  constructor(find: FindValue, slots: number) {
    this.#find = find;
    this.#slots = slots;
  }

  /** Conditions by the key of their facet, and operators. */
  ofObject(filter: Readonly<Record<string, unknown>>, isAny: boolean, depth: number): PageSet | undefined {
    checkDepth(depth);
    return this.#join(Object.entries(filter), isAny, ([key, value]) => {
      const operator = OPERATORS.get(key);
      if (operator === undefined || typeof value !== "object" || value === null) {
        return this.#ofValue(key, value, false, depth + 1);
      }
      const nested = Array.isArray(value)
        ? this.#join(value, operator.isAny, (entry) =>
            isObject(entry) ? this.ofObject(entry, false, depth + 1) : undefined,
          )
        : this.ofObject(value as Record<string, unknown>, operator.isAny, depth + 1);
      return operator.isNegated ? negate(nested) : nested;
    });
  }

  /** Values of one facet: a text, a list of them, or operators over either. */
  #ofValue(key: string, value: unknown, isAny: boolean, depth: number): PageSet | undefined {
    checkDepth(depth);
    if (typeof value === "string") return this.#having(key, value);
    if (Array.isArray(value)) {
      return this.#join(new Set<unknown>(value), isAny, (entry) =>
        typeof entry === "string" || isObject(entry) ? this.#ofValue(key, entry, false, depth + 1) : undefined,
      );
    }
    if (!isObject(value)) return undefined;
    return this.#join(Object.entries(value), isAny, ([name, nested]) => {
      const operator = OPERATORS.get(name);
      if (operator === undefined) return undefined;
      const set = this.#ofValue(key, nested, operator.isAny, depth + 1);
      return operator.isNegated ? negate(set) : set;
    });
  }

  #having(key: string, value: string): PageSet {
    if (++this.#conditions > MAX_CONDITIONS) {
      throw new InputError(`filters hold more than ${MAX_CONDITIONS} conditions.`);
    }
    const set = new Uint8Array(this.#slots);
    for (const document of this.#find(key, value) ?? []) set[document] = 1;
    return set;
  }

  /** One set out of those that entries select; undefined where none of them is a condition. */
  #join<Entry>(
    entries: Iterable<Entry>,
    isAny: boolean,
    select: (entry: Entry) => PageSet | undefined,
  ): PageSet | undefined {
    let joined: PageSet | undefined;
    for (const entry of entries) {
      const set = select(entry);
      if (set === undefined) continue;
      if (joined === undefined) joined = set;
      else if (isAny) for (let at = 0; at < set.length; at++) joined[at] = (joined[at] as number) | (set[at] as number);
      else for (let at = 0; at < set.length; at++) joined[at] = (joined[at] as number) & (set[at] as number);
    }
    return joined;
  }
}

/** The opposite of a set, in its place. */
function negate(set: PageSet | undefined): PageSet | undefined {
  if (set !== undefined) for (let at = 0; at < set.length; at++) set[at] = 1 - (set[at] as number);
  return set;
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new InputError(`filters are nested more than ${MAX_DEPTH} levels deep.`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

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
