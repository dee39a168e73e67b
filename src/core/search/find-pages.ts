/**
 * Pages that a query finds, all of them, by number and score alone: for interfaces that list every result and read each when
 * it is shown (`read-pages.ts`). Filters are compound, and the order may be that of a facet's values.
 *
 * One wave for what was not read before: words, with the facets where filters, counts or an order need them.
 */

import { indexOfNumber } from "../bytes/numbers.ts";
import { DECLARED_FILTERS, DERIVED_KEYS } from "../docs/facets.ts";
import type { FacetCounts } from "../docs/model.ts";
import { InputError } from "../errors.ts";
import { hasDocument } from "../format/locator.ts";
import type { FacetLists } from "../index/decode-tables.ts";
import { SORT_PREFIX } from "../index/decode-tables.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { type ResidentTable, readWithResident, residentTable } from "../index/resident.ts";
import { quoteValue } from "../text/nearest.ts";
import { makeSearchRequest, type SearchRequest } from "./answer.ts";
import { sortByValues } from "./order-documents.ts";
import { parseQuery } from "./query.ts";
import { type FoundQuery, lookUp, rankFound, takePage, weighTerms } from "./rank.ts";
import type { RankingSettings } from "./ranking-settings.ts";
import { loadRefined } from "./refined.ts";
import type { ScoredDocument } from "./scoring.ts";
import { listAnalyzers } from "./search-languages.ts";

/**
 * Pages that hold a phrase which the index alone cannot tell are read to find out; so many are listed at most, those that the filter selects
 * before others.
 */
const MAX_PHRASE_PAGES = 50;
/** Facet that says in which language a page is, and the one that tells source files apart, whose language is another thing. */
const LANGUAGE = "language";
const CONTENT_TYPE = "content_type";

/** Values of facets that every page of the index has beside its own. */
export type AddedFacets = Readonly<Record<string, readonly string[]>>;

export interface PagesRequest {
  /** Words to find; undefined for every page. */
  readonly query: string | undefined;
  /** Conditions on facets, see `selectPages`. */
  readonly filter: unknown;
  readonly added: AddedFacets;
  /** Language of the page that asks, in lower case; `""` for pages of all. */
  readonly language: string;
  /** A key by whose value pages are put in order; pages without it are left out. */
  readonly sort: { readonly key: string; readonly descending: boolean } | undefined;
  /** Values by their keys are counted. */
  readonly withCounts: boolean;
  readonly ranking: RankingSettings;
  /** The last word may be unfinished. */
  readonly typing: boolean;
}

/** A page: its key is for `readPages`. */
export interface RankedPage {
  readonly key: string;
  /** 0 where no words were asked for. */
  readonly score: number;
  /** What it was put in order by; undefined where no order was asked for. */
  readonly sortValue?: string;
}

export interface PagesFound {
  /** Which generation the keys are of. */
  readonly generation: string;
  readonly pages: readonly RankedPage[];
  /** Weights of the terms that were searched for. */
  readonly terms: readonly (readonly [term: string, weight: number])[];
  /** Pages that hold the words, filtered or not; of those with a phrase that had to be read, the first ones. */
  readonly unfiltered: number;
  /** Counts of every value: among the pages, and among them as they would be without the filter. */
  readonly counts: { readonly filtered: FacetCounts; readonly all: FacetCounts } | undefined;
}

/** The pages that a request asks for. @throws {InputError} for a filter of too many levels. */
export async function findPages(reader: IndexReader, request: PagesRequest): Promise<PagesFound> {
  const looked = await lookUpPages(reader, request);
  const selection = select(reader, request);
  const { ranked, terms } = await rankPages(reader, looked, selection);
  const unfiltered = ranked.filter(selection.isInLanguage);
  const filtered = unfiltered.filter(selection.isChosen);
  const pages: readonly SortedPlace[] =
    request.sort === undefined ? filtered : sortPages(reader, filtered, request.sort);
  return {
    generation: reader.index.generation.id,
    pages: pages.map(({ shard, document, score, value }) => ({
      // By its place among those that the caller sees: which others there are is nobody's business.
      key: `${shard.toString(36)}.${document.toString(36)}`,
      score,
      ...(value !== undefined && { sortValue: value }),
    })),
    terms,
    unfiltered: unfiltered.length,
    counts: request.withCounts
      ? {
          filtered: countValues(reader, filtered, request.added),
          all: countValues(reader, unfiltered, request.added),
        }
      : undefined,
  };
}

/** Read what such a request will read but texts, which only some phrases need: somebody may ask it soon. */
export async function preloadPages(reader: IndexReader, request: PagesRequest): Promise<void> {
  await lookUpPages(reader, request);
}

/** How many pages have each value, over the whole index, or over the pages in a language. */
export async function countPages(
  reader: IndexReader,
  { added, language }: Pick<PagesRequest, "added" | "language">,
): Promise<FacetCounts> {
  await readWithResident(reader, ["facets", "locator"]);
  const all = listAll(reader);
  return countValues(reader, language === "" ? all : all.filter(inLanguage(reader, language)), added);
}

/** Numbers of shard and document that a key stands for. @throws {InputError} */
export function placeOfKey(reader: IndexReader, key: string): { readonly shard: number; readonly document: number } {
  const [, shardText = "", documentText = ""] = /^([0-9a-z]{1,6})\.([0-9a-z]{1,6})$/.exec(key) ?? [];
  const shard = reader.shards[Number.parseInt(shardText, 36)]?.index;
  const document = Number.parseInt(documentText, 36);
  if (shard !== undefined && hasDocument(residentTable(reader, shard, "locator"), document)) return { shard, document };
  throw new InputError(`There is no page ${quoteValue(key)}.`);
}

type Place = Pick<ScoredDocument, "shard" | "document" | "score">;

interface SortedPlace extends Place {
  readonly value?: string;
}

/** Whether pages are chosen by the language of the one that asks. */
function isMultilingual(reader: IndexReader, { language }: Pick<PagesRequest, "language">): boolean {
  return language !== "" && reader.facetKeys.includes(LANGUAGE);
}

/** What a request needs beside its words. */
function listTables(reader: IndexReader, request: PagesRequest): readonly ResidentTable[] {
  const { withCounts, sort, filter } = request;
  const needsFacets = withCounts || isMultilingual(reader, request) || sort !== undefined || selectsAny(filter);
  return needsFacets ? ["facets"] : [];
}

/** What the index holds of a query, and the request that it was read for. */
interface LookedUp {
  readonly request: SearchRequest;
  readonly found: FoundQuery;
}

async function lookUpPages(reader: IndexReader, pages: PagesRequest): Promise<LookedUp | undefined> {
  const { query: text, typing, ranking } = pages;
  const tables = listTables(reader, pages);
  if (text === undefined) {
    await readWithResident(reader, [...tables, "locator"]);
    return undefined;
  }
  const analyzers = listAnalyzers(reader, []);
  const query = parseQuery(text, { facetKeys: reader.facetKeys, asYouType: typing, analyzers });
  const request = makeSearchRequest(text, { limit: MAX_PHRASE_PAGES, asYouType: typing, ranking });
  return { request, found: await lookUp(reader, request, query, analyzers, loadRefined, tables) };
}

/** All pages with the words of a query, best first, with what its terms weigh; without words every page. */
async function rankPages(
  reader: IndexReader,
  looked: LookedUp | undefined,
  { isChosen, isInLanguage }: Selection,
): Promise<{ readonly ranked: readonly Place[]; readonly terms: PagesFound["terms"] }> {
  if (looked === undefined) return { ranked: listAll(reader), terms: [] };
  const { request, found } = looked;
  const { scoring, inOrder } = await rankFound(reader, request, found, loadRefined);
  const terms = [...weighTerms(scoring)];
  if (found.judge === undefined) return { ranked: inOrder, terms };
  // Those that are asked for first, or pages that the filter leaves out would take their places.
  const able = inOrder.filter(isInLanguage);
  const holding: ScoredDocument[] = [];
  for (const places of [able.filter(isChosen), able.filter((place) => !isChosen(place))]) {
    const limit = MAX_PHRASE_PAGES - holding.length;
    if (limit === 0 || places.length === 0) continue;
    const checked = await takePage(reader, { ...request, limit }, found, places, loadRefined);
    holding.push(...checked.documents.map(({ scored }) => scored));
  }
  return { ranked: holding, terms };
}

/** Which pages a request asks for, whatever words they hold. */
interface Selection {
  readonly isInLanguage: (place: Place) => boolean;
  readonly isChosen: (place: Place) => boolean;
}

/** The selection of a request. Facets must be there where it needs them. */
function select(reader: IndexReader, request: PagesRequest): Selection {
  const chosen = reader.shards.map(({ index }) => selectIn(reader, index, request));
  return {
    isInLanguage: isMultilingual(reader, request) ? inLanguage(reader, request.language) : () => true,
    isChosen: ({ shard, document }) => chosen[shard]?.(document) !== false,
  };
}

function listAll(reader: IndexReader): Place[] {
  return reader.shards.flatMap(({ index }, shard) => {
    const locator = residentTable(reader, index, "locator");
    return Array.from({ length: locator.slots }, (_, document) => ({ shard, document, score: 0 })).filter(
      ({ document }) => hasDocument(locator, document),
    );
  });
}

function facetsAt(reader: IndexReader, shard: number): FacetLists {
  return residentTable(reader, reader.shards[shard]?.index ?? 0, "facets");
}

/** Whether every page has a value beside its own. A key can have the name of a property that every object has. */
function isAdded(added: AddedFacets, key: string, value: string): boolean {
  return Object.hasOwn(added, key) && added[key]?.includes(value) === true;
}

/** Documents of a shard that the filter selects; undefined for all. */
function selectIn(reader: IndexReader, shard: number, { filter, added }: PagesRequest): PageTest | undefined {
  if (!selectsAny(filter)) return undefined;
  const { slots } = residentTable(reader, shard, "locator");
  const facets = residentTable(reader, shard, "facets");
  const shown = shownFacets(reader, shard);
  const everyOne = Array.from({ length: slots }, (_, document) => document);
  const find = (key: string, value: string): Iterable<number> | undefined =>
    isAdded(added, key, value) ? everyOne : (shown.get(key) ?? facets.get(key))?.get(value);
  return selectPages(filter, find, slots);
}

/**
 * A test for the pages that somebody who reads a page in `language` is shown: those in it; where there are none, those of
 * which no language is known; else those in the language that most are in. Source files are in none.
 */
function inLanguage(reader: IndexReader, language: string): (place: Place) => boolean {
  const pages = new Map<string, number>();
  const languages = reader.shards.map((_, shard) => {
    const facets = facetsAt(reader, shard);
    const code = new Set(facets.get(CONTENT_TYPE)?.get("code") ?? []);
    const own = new Map<number, string>();
    for (const [name, documents] of facets.get(LANGUAGE) ?? []) {
      for (const document of documents) {
        if (code.has(document)) continue;
        own.set(document, name);
        pages.set(name, (pages.get(name) ?? 0) + 1);
      }
    }
    return { code, own };
  });
  const primary = language.split("-")[0] ?? language;
  const known = [...pages.keys()];
  const wanted = known.includes(language) ? language : known.find((name) => name.split("-")[0] === primary);
  const hasUnknown = listAll(reader).some(
    ({ shard, document }) =>
      languages[shard]?.own.has(document) === false && languages[shard]?.code.has(document) === false,
  );
  const [mostly] = [...pages].sort(([, a], [, b]) => b - a)[0] ?? [];
  const shown = wanted ?? (hasUnknown ? undefined : mostly);
  return ({ shard, document }) =>
    languages[shard]?.code.has(document) === true || languages[shard]?.own.get(document) === shown;
}

/** Pages with their values counted: all values of the index, those too that none of the pages has. */
function countValues(reader: IndexReader, places: readonly Place[], added: AddedFacets): FacetCounts {
  const members = reader.shards.map(({ root }) => new Uint8Array(root.slots));
  for (const { shard, document } of places) (members[shard] as Uint8Array)[document] = 1;
  const counts = new Map<string, Map<string, number>>();
  const add = (key: string, value: string, count: number): void => {
    const ofKey = counts.get(key) ?? new Map<string, number>();
    ofKey.set(value, (ofKey.get(value) ?? 0) + count);
    counts.set(key, ofKey);
  };
  for (const [shard, set] of members.entries()) {
    for (const [key, values] of shownFacets(reader, reader.shards[shard]?.index ?? 0)) {
      for (const [value, documents] of values) {
        if (!isAdded(added, key, value)) add(key, value, documents.filter((one) => set[one] === 1).length);
      }
    }
  }
  for (const [key, values] of Object.entries(added)) for (const value of values) add(key, value, places.length);
  const byName = <T>([a]: readonly [string, T], [b]: readonly [string, T]): number => (a < b ? -1 : 1);
  return Object.fromEntries(
    [...counts].sort(byName).map(([key, values]) => [key, Object.fromEntries([...values].sort(byName))]),
  );
}

/**
 * Pages by what they are to be sorted by, `data-pagefind-sort`, else by the first value of a facet: as numbers where all of them
 * are. A key that no page has changes nothing.
 */
function sortPages(
  reader: IndexReader,
  places: readonly Place[],
  { key, descending }: NonNullable<PagesRequest["sort"]>,
): readonly SortedPlace[] {
  const lists = reader.shards.map((_, shard) => {
    const facets = facetsAt(reader, shard);
    return facets.get(SORT_PREFIX + key) ?? facets.get(key);
  });
  const sorted = sortByValues(places, lists, descending);
  return sorted === undefined ? places : sorted.map(({ place, value }) => ({ ...place, value }));
}

type PageTest = (document: number) => boolean;

/** Documents that have a value of a facet; undefined where none has. */
type FindValue = (key: string, value: string) => Iterable<number> | undefined;

/** How a nested filter joins what it holds, and whether the opposite counts. */
const OPERATORS: ReadonlyMap<string, { readonly isAny: boolean; readonly isNegated: boolean }> = new Map([
  ["any", { isAny: true, isNegated: false }],
  ["all", { isAny: false, isNegated: false }],
  ["none", { isAny: true, isNegated: true }],
  ["not", { isAny: false, isNegated: true }],
]);
/** Filters are written by hand or by a form; none is deeper. */
const MAX_DEPTH = 20;

/** What a filter holds at most: a form has some ten conditions. */
const MAX_CONDITIONS = 100;

/**
 * A test for the documents that a filter selects; undefined where it selects all of them. As Pagefind documents its filters:
 * everything given must hold; a list of values means all of them; `not` is the opposite of `all`, `none` of `any`. What cannot be
 * read as a condition is passed over.
 *
 * @param slots Numbers of documents are below this.
 * @throws {InputError} for a filter of too many levels or conditions.
 */
export function selectPages(filter: unknown, find: FindValue, slots: number): PageTest | undefined {
  let conditions = 0;
  const having = (key: string, value: string): PageTest => {
    if (++conditions > MAX_CONDITIONS) {
      throw new InputError(`filters hold more than ${MAX_CONDITIONS} conditions.`);
    }
    const set = new Uint8Array(slots);
    for (const document of find(key, value) ?? []) set[document] = 1;
    return (document) => set[document] === 1;
  };
  /** @param key The facet that texts are values of; undefined where members of an object say which. */
  const testOf = (own: unknown, key: string | undefined, isAny: boolean, depth: number): PageTest | undefined => {
    if (depth > MAX_DEPTH) throw new InputError(`filters are nested more than ${MAX_DEPTH} levels deep.`);
    if (typeof own === "string") return key === undefined ? undefined : having(key, own);
    if (Array.isArray(own)) {
      const entries = [...new Set<unknown>(own)].filter((entry) => !Array.isArray(entry));
      return join(
        entries.map((entry) => testOf(entry, key, false, depth + 1)),
        isAny,
      );
    }
    if (typeof own !== "object" || own === null) return undefined;
    const tests = Object.entries(own).map(([name, value]) => {
      const operator = OPERATORS.get(name);
      // A facet may be called as an operator is.
      const isFacet = key === undefined && (operator === undefined || typeof value === "string");
      if (isFacet) return testOf(value, name, false, depth + 1);
      const test = operator && testOf(value, key, operator.isAny, depth + 1);
      return operator?.isNegated ? negate(test) : test;
    });
    return join(tests, isAny);
  };
  return Array.isArray(filter) ? undefined : testOf(filter, undefined, false, 0);
}

/** One test out of several; undefined where none of them is a condition. */
function join(all: readonly (PageTest | undefined)[], isAny: boolean): PageTest | undefined {
  const tests = all.filter((test) => test !== undefined);
  if (tests.length === 0) return undefined;
  return (document) => (isAny ? tests.some((test) => test(document)) : tests.every((test) => test(document)));
}

function negate(test: PageTest | undefined): PageTest | undefined {
  return test === undefined ? undefined : (document) => !test(document);
}

/** Whether a filter has any condition. @throws {InputError} as `selectPages`. */
function selectsAny(filter: unknown): boolean {
  return selectPages(filter, () => undefined, 0) !== undefined;
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
