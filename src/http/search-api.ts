/**
 * Routes `/search` and `/suggest`, for search boxes and programs.
 */

import { checkCollection, loadMarked } from "../core/docs/catalogue.ts";
import type { FacetFilter } from "../core/docs/model.ts";
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { isRecord, parseJson } from "../core/parse-text.ts";
import {
  DEFAULT_LIMIT,
  findNextOffset,
  MAX_LIMIT,
  makeSearchRequest,
  type SearchAnswer,
  type SearchRequest,
  type SearchSort,
  SORTS,
} from "../core/search/answer.ts";
import { search } from "../core/search/search.ts";
import { type Suggestion, suggest } from "../core/search/suggest.ts";
import { nearestNames, quoteValue } from "../core/text/nearest.ts";
import { type AddressParameters, describeUnknown, MAX_ADDRESS_LENGTH, readParameters } from "../surface/parameters.ts";
import { readFilter } from "../surface/read-filter.ts";
import { findUnanswered, type JsonObject } from "../surface/render/answer.ts";
import { toSearchJson } from "../surface/render/search-text.ts";
import { ownPage } from "./addresses.ts";
import { answerFromIndex, type HttpServices, respondJson } from "./respond.ts";

const KEY_ORDER = /^(.+):(asc|desc)$/is;

/** Deeper pages than this are a crawl, not a search. */
const MAX_OFFSET = 10_000;
const FILTER_PREFIX = "f.";
const EXAMPLE = "/search?q=install&limit=5&f.type=guide";

export const SEARCH_PARAMETERS = {
  q: { kind: "text", required: true, description: "the words to search for", aliases: ["query"], example: "install" },
  limit: { kind: "integer", default: DEFAULT_LIMIT, minimum: 1, maximum: MAX_LIMIT, description: "documents at most" },
  offset: {
    kind: "integer",
    default: 0,
    minimum: 0,
    maximum: MAX_OFFSET,
    description: "where to begin: 0, or the nextOffset of the page before",
  },
  excerpts: {
    kind: "integer",
    minimum: 0,
    maximum: MAX_LIMIT,
    description: "sections that carry an excerpt, the best of each document first; one for each document when absent",
  },
  collection: { kind: "texts", default: [], description: "only these collections", example: "docs" },
  [`${FILTER_PREFIX}KEY`]: {
    kind: "facets",
    prefix: FILTER_PREFIX,
    description: "only documents with this value of the facet KEY; repeated, its values are alternatives",
    example: "guide",
  },
  filters: {
    kind: "text",
    default: "",
    maxLength: MAX_ADDRESS_LENGTH,
    description: "filters by facets as a JSON object, as the tools take them; f.KEY adds to it",
    example: '{"type": "guide", "not": {"version": "1"}}',
  },
  language: {
    kind: "text",
    default: "",
    description: "language of the reader's page: pages in others are left out where some are in it",
    example: "de",
  },
  version: {
    kind: "text",
    default: "",
    description: "version that the reader's page is of: pages of others are left out where some are of it",
    example: "2",
  },
  sort: {
    kind: "text",
    default: "",
    description: `order of the results: ${SORTS.join(", ")}, or a key of a built site with asc or desc; relevance when absent`,
    example: "date:desc",
  },
  ranking: {
    kind: "ranking",
    description: "a preset of the ranking, or its settings as a JSON object; that of the index when absent",
    example: "mixed",
  },
  correct: { kind: "boolean", default: true, description: "false to search for every word as it is written" },
  typing: {
    kind: "boolean",
    default: false,
    description: "true while the last word is being typed: longer words count too",
  },
  explain: { kind: "boolean", default: false, description: "true for the parts of each score" },
} as const satisfies AddressParameters;

export function answerSearch(request: Request, services: HttpServices): Promise<Response> {
  const url = new URL(request.url);
  const run = async (reader: IndexReader): Promise<Response> => {
    const { asked, notes } = readRequest(url.searchParams, reader.facetKeys);
    for (const name of asked.collections) checkCollection(reader, name);
    const marked = loadMarked(reader);
    const answer = await search(reader, asked);
    const unanswered = findUnanswered(asked, answer);
    if (unanswered !== undefined) services.observeUnanswered?.(unanswered);
    const ownUrl = (documentId: string, nodeId: string): string => ownPage(services.base, documentId, nodeId);
    return respondJson({
      ...toSearchJson(answer, { ownUrl, marked: await marked }),
      cost: answer.cost,
      nextOffset: findNextPage(asked, answer),
      ...(notes.length > 0 && { notes }),
    });
  };
  return answerFromIndex(request, services, { where: "/search", run });
}

/** The offset of the next page that may be asked for, or null where there is none. */
export function findNextPage({ offset }: SearchRequest, answer: SearchAnswer): number | null {
  const next = findNextOffset(offset, answer);
  return next !== undefined && next <= MAX_OFFSET ? next : null;
}

/** What an address asks for, and what of it was not taken as it stands. @throws {InputError}. */
export function readRequest(parameters: URLSearchParams, facetKeys: readonly string[]) {
  const notes: string[] = [];
  const {
    q,
    limit,
    offset,
    excerpts,
    collection,
    filters,
    sort,
    ranking,
    correct,
    typing,
    explain,
    language,
    version,
  } = readParameters(parameters, SEARCH_PARAMETERS, notes, EXAMPLE);
  const prefer = Object.entries({ language, version }).filter(([key, value]) => value && facetKeys.includes(key));
  const asked = makeSearchRequest(q, {
    ...{ offset, limit, excerpts: excerpts ?? limit, correct, explain },
    sort: readSort(sort),
    collections: collection,
    filter: { ...readFilters(parameters, filters, facetKeys), prefer: Object.fromEntries(prefer) },
    withFacetCounts: "at-hand",
    withDetails: true,
    ...(ranking !== undefined && { ranking }),
    asYouType: typing,
    isSpread: true,
  });
  return { asked, notes: [...notes, ...describeUnknown(parameters, SEARCH_PARAMETERS)] };
}

/** `filters={JSON}` as in the tools, and `f.key=value`; values of one key are alternatives, from whichever they come. */
function readFilters(parameters: URLSearchParams, json: string, facetKeys: readonly string[]): FacetFilter {
  // Without a prototype, so that `f.__proto__` is a key like any other that does not exist.
  const given: Record<string, unknown> = Object.create(null);
  if (json !== "") Object.assign(given, parseFilters(json));
  for (const [name, value] of parameters) {
    if (!name.startsWith(FILTER_PREFIX)) continue;
    const key = name.slice(FILTER_PREFIX.length);
    const before = Object.hasOwn(given, key) ? [given[key]].flat() : [];
    given[key] = [...before, value];
  }
  return readFilter(given, facetKeys);
}

function parseFilters(json: string): object {
  const value = parseJson(json);
  if (isRecord(value)) return value;
  throw new InputError("filters must be a JSON object.", [], `/search?q=install&filters={"type":"guide"}`);
}

/** The order that a text names, `relevance` for none: `title`, `date:desc`. @throws {InputError} for a text that is none. */
function readSort(text: string): SearchSort {
  if (text === "") return "relevance";
  const sort = SORTS.find((known) => known === text.toLowerCase());
  if (sort !== undefined) return sort;
  const [, key, order] = KEY_ORDER.exec(text) ?? [];
  if (key !== undefined) return { key, isDescending: order?.toLowerCase() === "desc" };
  const nearest = nearestNames(text, SORTS);
  const message = `sort must be one of ${SORTS.join(", ")}, or a key of the site such as date:desc; got ${quoteValue(text)}.`;
  throw new InputError(message, nearest, EXAMPLE);
}

const SUGGEST_EXAMPLE = "/suggest?q=getting+st&limit=5";

export const SUGGEST_PARAMETERS = {
  q: { kind: "text", required: true, description: "what was typed so far", aliases: ["query"], example: "getting st" },
  limit: { kind: "integer", default: 8, minimum: 1, maximum: 20, description: "suggestions at most" },
  collection: { kind: "texts", default: [], description: "only from these collections", example: "docs" },
} as const satisfies AddressParameters;

export function answerSuggest(request: Request, services: HttpServices): Promise<Response> {
  const { searchParams: parameters } = new URL(request.url);
  const run = async (reader: IndexReader): Promise<Response> => {
    const notes: string[] = [];
    const { q: query, limit, collection } = readParameters(parameters, SUGGEST_PARAMETERS, notes, SUGGEST_EXAMPLE);
    for (const name of collection) checkCollection(reader, name);
    const { suggestions, cost } = await suggest(reader, { query, limit, collections: collection });
    return respondJson({
      query,
      suggestions: suggestions.map((suggestion) => toJson(suggestion, services.base)),
      cost,
      ...(notes.length > 0 && { notes }),
    });
  };
  return answerFromIndex(request, services, { where: "/suggest", run });
}

function toJson(suggestion: Suggestion, base: string): JsonObject {
  const { url, documentId, nodeId } = suggestion;
  return { ...suggestion, url: url === "" ? ownPage(base, documentId, nodeId) : url };
}
