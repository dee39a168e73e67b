/**
 * Pages that a query finds, all of them, by number and score alone: for interfaces that list every result and read each when
 * it is shown (`read-pages.ts`). Filters are compound, and the order may be that of a facet's values.
 *
 * One wave for what was not read before: words, with the facets where filters, counts or an order need them.
 */
import { SORT_PREFIX } from "../docs/facets.ts";
import type { FacetCounts } from "../docs/model.ts";
import { InputError } from "../errors.ts";
import { hasDocument } from "../format/locator.ts";
import type { FacetLists } from "../index/decode-tables.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { type ResidentTable, readWithResident, residentTable } from "../index/resident.ts";
import { quoteValue } from "../text/nearest.ts";
import type { SearchRequest } from "./answer.ts";
import { makeSearchRequest } from "./answer.ts";
import { listNeeded, lookUp } from "./look-up.ts";
import { firstValues, sortByValues } from "./order-documents.ts";
import { namesFacet, type PageSet, selectPages, shownFacets } from "./page-filter.ts";
import { parseQuery } from "./query.ts";
import { rankFound, takePage, weighTerms } from "./rank.ts";
import { toParameters } from "./ranking.ts";
import type { RankingSettings } from "./ranking-settings.ts";
import { loadRefined } from "./refined.ts";
import type { ScoredDocument } from "./score.ts";
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

/** What pages are asked for. */
export interface PagesRequest {
  /** Words to find; undefined for every page. */
  readonly query: string | undefined;
  /** Conditions on facets, see `page-filter.ts`. */
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

/** Pages that were found. */
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
  const selection = createSelection(reader, request);
  const { ranked, terms } = await rankPages(reader, request, selection);
  const unfiltered = ranked.filter((place) => selection().isInLanguage(place));
  const filtered = unfiltered.filter((place) => selection().isChosen(place));
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
  if (request.query === undefined) await readWithResident(reader, [...listTables(reader, request), "locator"]);
  else await lookUpPages(reader, request.query, request);
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
  const needsFacets = withCounts || isMultilingual(reader, request) || sort !== undefined || namesFacet(filter);
  return needsFacets ? ["facets"] : [];
}

/** What the index holds of a query, and how it was understood. */
async function lookUpPages(reader: IndexReader, query: string, pages: PagesRequest) {
  const { typing } = pages;
  const ranking = toParameters({ ...reader.index.root.ranking, ...pages.ranking });
  const analyzers = listAnalyzers(reader, []);
  const parsed = parseQuery(query, { facetKeys: reader.facetKeys, asYouType: typing, analyzers });
  const request: SearchRequest = makeSearchRequest(query, { limit: MAX_PHRASE_PAGES, asYouType: typing });
  const resident = [...new Set([...listNeeded(reader, parsed, request), ...listTables(reader, pages)])];
  const options = { resident, also: [], ranking, correct: true, asYouType: typing, analyzers };
  return { request, query: parsed, found: await lookUp(reader, parsed, options, loadRefined), ranking, resident };
}

/** All pages with the words of a query, best first, with what its terms weigh; without words every page. */
async function rankPages(
  reader: IndexReader,
  pages: PagesRequest,
  selection: () => Selection,
): Promise<{ readonly ranked: readonly Place[]; readonly terms: PagesFound["terms"] }> {
  if (pages.query === undefined) {
    await preloadPages(reader, pages);
    return { ranked: listAll(reader), terms: [] };
  }
  const { request, ...looked } = await lookUpPages(reader, pages.query, pages);
  const { query, found } = looked;
  const { scoring, inOrder } = await rankFound(reader, request, looked, loadRefined);
  const terms = [...weighTerms(scoring)];
  if (found.judge === undefined) return { ranked: inOrder, terms };
  // Those that are asked for first, or pages that the filter leaves out would take their places.
  const { isChosen, isInLanguage } = selection();
  const able = inOrder.filter(isInLanguage);
  const holding: ScoredDocument[] = [];
  for (const places of [able.filter(isChosen), able.filter((place) => !isChosen(place))]) {
    const limit = MAX_PHRASE_PAGES - holding.length;
    if (limit === 0 || places.length === 0) continue;
    const { checked } = await takePage(reader, { ...request, limit }, query.requirements, found, places, loadRefined);
    holding.push(...checked.documents.map(({ scored }) => scored));
  }
  return { ranked: holding, terms };
}

/** Which pages a request asks for, whatever words they hold. */
interface Selection {
  readonly isInLanguage: (place: Place) => boolean;
  readonly isChosen: (place: Place) => boolean;
}

/** Gives the selection of a request, which is made when it is asked for first: facets must be there by then. */
function createSelection(reader: IndexReader, request: PagesRequest): () => Selection {
  let made: Selection | undefined;
  return () => {
    if (made !== undefined) return made;
    const chosen = reader.shards.map(({ index }) => selectIn(reader, index, request));
    made = {
      isInLanguage: isMultilingual(reader, request) ? inLanguage(reader, request.language) : () => true,
      isChosen: ({ shard, document }) => chosen[shard]?.[document] !== 0,
    };
    return made;
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
function selectIn(reader: IndexReader, shard: number, { filter, added }: PagesRequest): PageSet | undefined {
  if (!namesFacet(filter)) return undefined;
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
  const values = reader.shards.map((_, shard) => {
    const facets = facetsAt(reader, shard);
    return firstValues(facets.get(SORT_PREFIX + key) ?? facets.get(key));
  });
  const sorted = sortByValues(places, values, descending);
  return sorted === undefined ? places : sorted.map(({ place, value }) => ({ ...place, value }));
}
