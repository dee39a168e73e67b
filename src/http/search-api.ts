/**
 * Route `/search`: the search of the tools for people's search boxes and for programs.
 */

import { checkCollection } from "../core/docs/catalogue.ts";
import { loadMarked } from "../core/docs/marked-documents.ts";
import type { FacetFilter } from "../core/docs/model.ts";
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { SearchAnswer, SearchRequest, SearchSort } from "../core/search/answer.ts";
import {
  DEFAULT_EXCERPTS,
  DEFAULT_LIMIT,
  findNextOffset,
  MAX_EXCERPTS,
  MAX_LIMIT,
  makeSearchRequest,
  SORTS,
} from "../core/search/answer.ts";
import { readRanking } from "../core/search/ranking-settings.ts";
import { search } from "../core/search/search.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteValue } from "../core/text/quote-value.ts";
import { readFilter } from "../surface/read-filter.ts";
import { toSearchJson } from "../surface/render/search-result.ts";
import { findUnanswered } from "../surface/render/unanswered.ts";
import { ownPage } from "./addresses.ts";
import type { Parameters } from "./parameters.ts";
import { describeUnknown, readParameters } from "./read-parameters.ts";
import { answerFromIndex, type HttpServices, respondJson } from "./respond.ts";

const MAX_NEAREST = 3;

const KEY_ORDER = /^(.+):(asc|desc)$/is;

/** Deeper pages than this are a crawl, not a search. */
const MAX_OFFSET = 10_000;
const FILTER_PREFIX = "f.";
const EXAMPLE = "/search?q=install&limit=5&f.type=guide";

/** Parameters of `/search`. */
export const SEARCH_PARAMETERS = {
  q: { kind: "query", description: "the words to search for", aliases: ["query"], example: "install" },
  limit: { kind: "number", default: DEFAULT_LIMIT, minimum: 1, maximum: MAX_LIMIT, description: "documents at most" },
  offset: {
    kind: "number",
    default: 0,
    minimum: 0,
    maximum: MAX_OFFSET,
    description: "where to begin: 0, or the nextOffset of the page before",
  },
  excerpts: {
    kind: "number",
    default: DEFAULT_EXCERPTS,
    minimum: 0,
    maximum: MAX_EXCERPTS,
    description: "sections that carry an excerpt, best first",
  },
  spread: {
    kind: "flag",
    default: false,
    description: "true for an excerpt of each document's best section before a second one of any",
  },
  collection: { kind: "texts", description: "only these collections", example: "docs" },
  [`${FILTER_PREFIX}KEY`]: {
    kind: "facets",
    prefix: FILTER_PREFIX,
    description: "only documents with this value of the facet KEY; repeated, its values are alternatives",
    example: "guide",
  },
  filters: {
    kind: "text",
    description: "filters by facets as a JSON object, as the tools take them; f.KEY adds to it",
    example: '{"type": "guide", "not": {"version": "1"}}',
  },
  sort: {
    kind: "text",
    description: `order of the results: ${SORTS.join(", ")}, or a key of a built site with asc or desc; relevance when absent`,
    example: "date:desc",
  },
  ranking: {
    kind: "text",
    description: "a preset of the ranking, or its settings as a JSON object; that of the index when absent",
    example: "mixed",
  },
  correct: { kind: "flag", default: true, description: "false to search for every word as it is written" },
  typing: {
    kind: "flag",
    default: false,
    description: "true while the last word is being typed: longer words count too",
  },
  explain: { kind: "flag", default: false, description: "true for the parts of each score" },
} as const satisfies Parameters;

/** The answer to `GET /search`. */
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
export function readRequest(
  parameters: URLSearchParams,
  facetKeys: readonly string[],
): { readonly asked: SearchRequest; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const { q, limit, offset, excerpts, collection, filters, sort, ranking, correct, typing, spread, explain } =
    readParameters(parameters, SEARCH_PARAMETERS, notes, EXAMPLE);
  const asked = makeSearchRequest(q, {
    ...{ offset, limit, excerpts, correct, explain },
    sort: readSort(sort, EXAMPLE),
    collections: collection,
    filter: readFilters(parameters, filters, facetKeys),
    withFacetCounts: "at-hand",
    ...(ranking !== "" && { ranking: readRanking(ranking) }),
    asYouType: typing,
    isSpread: spread,
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
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new InputError("filters must be a JSON object.", [], `/search?q=install&filters={"type":"guide"}`);
}

/**
 * The order of results as an address asks for it: a name, or a key of a built site with its direction.
 *
 * Pure: text in, values out.
 */

/**
 * The order that a text names, `relevance` for none: `title`, `date:desc`.
 *
 * @param example What stands in the error as an example.
 * @throws {InputError} for a text that is none.
 */
export function readSort(text: string | null, example: string): SearchSort {
  if (text === null || text === "") return "relevance";
  const sort = SORTS.find((known) => known === text.toLowerCase());
  if (sort !== undefined) return sort;
  const [, key, order] = KEY_ORDER.exec(text) ?? [];
  if (key !== undefined) return { key, isDescending: order?.toLowerCase() === "desc" };
  const nearest = nearestNames(text, SORTS, MAX_NEAREST);
  const message = `sort must be one of ${SORTS.join(", ")}, or a key of the site such as date:desc; got ${quoteValue(text)}.`;
  throw new InputError(message, nearest, example);
}
