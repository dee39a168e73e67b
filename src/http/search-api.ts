/**
 * Route `/search`: the search of the tools for people's search boxes and for programs.
 */

import { readFilter } from "../access/read-filter.ts";
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { SearchAnswer, SearchRequest } from "../core/search/answer.ts";
import { readRanking } from "../core/search/read-ranking.ts";
import {
  DEFAULT_EXCERPTS,
  DEFAULT_LIMIT,
  MAX_EXCERPTS,
  MAX_LIMIT,
  makeSearchRequest,
  SORTS,
} from "../core/search/request.ts";
import { search } from "../core/search/search.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteValue } from "../core/text/quote-value.ts";
import { checkCollection } from "../core/tree/catalogue.ts";
import type { FacetFilter } from "../core/tree/model.ts";
import { toSearchJson } from "../render/search-result.ts";
import { findUnanswered } from "../render/unanswered.ts";
import { ownPage } from "./addresses.ts";
import { readNumber, readQuery } from "./read-parameters.ts";
import { answerFromIndex, type HttpServices, respondJson } from "./respond.ts";

/** Deeper pages than this are a crawl, not a search. */
const MAX_OFFSET = 10_000;
const FILTER_PREFIX = "f.";
const PARAMETERS: readonly string[] = [
  "q",
  "query",
  "limit",
  "offset",
  "excerpts",
  "collection",
  "filters",
  "sort",
  "ranking",
  "correct",
  "typing",
  "explain",
];
const MAX_NEAREST = 3;
const MAX_UNKNOWN = 5;
const EXAMPLE = "/search?q=install&limit=5&f.type=guide";

/** The answer to `GET /search`. */
export function answerSearch(request: Request, services: HttpServices): Promise<Response> {
  const url = new URL(request.url);
  const run = async (reader: IndexReader): Promise<Response> => {
    const { asked, notes } = readRequest(url.searchParams, reader.facetKeys);
    for (const name of asked.collections) checkCollection(reader, name);
    const answer = await search(reader, asked);
    const unanswered = findUnanswered(asked, answer);
    if (unanswered !== undefined) services.observeUnanswered?.(unanswered);
    const ownUrl = (documentId: string, nodeId: string): string => ownPage(services.base, documentId, nodeId);
    return respondJson({
      ...toSearchJson(answer, { ownUrl }),
      cost: answer.cost,
      nextOffset: findNextOffset(asked, answer),
      ...(notes.length > 0 && { notes }),
    });
  };
  return answerFromIndex(request, services, { where: "/search", run });
}

/**
 * The offset of the next page, or null where there is none. With phrases it is not the number of documents shown so far:
 * those that turned out not to hold them were passed over.
 */
function findNextOffset({ offset }: SearchRequest, answer: SearchAnswer): number | null {
  const { hits, positions, totalDocuments, uncheckedDocuments } = answer;
  const next = positions.at(-1) ?? offset;
  const isMore = offset + hits.length < totalDocuments + uncheckedDocuments;
  return isMore && next > offset && next <= MAX_OFFSET ? next : null;
}

function readRequest(
  parameters: URLSearchParams,
  facetKeys: readonly string[],
): { readonly asked: SearchRequest; readonly notes: readonly string[] } {
  const query = readQuery(parameters, "the words to search for", EXAMPLE);
  const notes: string[] = [];
  const number = (name: string, fallback: number, minimum: number, maximum: number): number =>
    readNumber(parameters, { name, default: fallback, minimum, maximum }, notes, EXAMPLE);
  const flag = (name: string, fallback: boolean): boolean => {
    const text = (parameters.get(name) ?? "").toLowerCase();
    if (text === "") return fallback;
    if (text === "true" || text === "1") return true;
    if (text === "false" || text === "0") return false;
    throw new InputError(`${name} must be true or false; got ${quoteValue(text)}.`, [], EXAMPLE);
  };
  const ranking = parameters.get("ranking");
  const asked = makeSearchRequest(query, {
    offset: number("offset", 0, 0, MAX_OFFSET),
    limit: number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT),
    excerpts: number("excerpts", DEFAULT_EXCERPTS, 0, MAX_EXCERPTS),
    collections: parameters.getAll("collection").filter((name) => name !== ""),
    filter: readFilters(parameters, facetKeys),
    sort: readSort(parameters.get("sort")),
    withFacetCounts: "at-hand",
    ...(ranking !== null && ranking !== "" && { ranking: readRanking(ranking) }),
    correct: flag("correct", true),
    asYouType: flag("typing", false),
    explain: flag("explain", false),
  });
  return { asked, notes: [...notes, ...describeUnknown(parameters)] };
}

function readSort(text: string | null): SearchRequest["sort"] {
  if (text === null || text === "") return "relevance";
  const sort = SORTS.find((known) => known === text.toLowerCase());
  if (sort !== undefined) return sort;
  const nearest = nearestNames(text, SORTS, MAX_NEAREST);
  throw new InputError(`sort must be one of ${SORTS.join(", ")}; got ${quoteValue(text)}.`, nearest, EXAMPLE);
}

/** What was given and means nothing here. It is no error: addresses carry marks of campaigns and caches. */
function describeUnknown(parameters: URLSearchParams): string[] {
  const unknown = [...new Set(parameters.keys())].filter(
    (name) => !PARAMETERS.includes(name) && !name.startsWith(FILTER_PREFIX),
  );
  return unknown.slice(0, MAX_UNKNOWN).map((name) => {
    const [near] = nearestNames(name, PARAMETERS, 1);
    return `${quoteValue(name)} is no parameter and was not used${near === undefined ? "" : `; nearest: ${near}`}.`;
  });
}

/** `filters={JSON}` as in the tools, and `f.key=value`; values of one key are alternatives, from whichever they come. */
function readFilters(parameters: URLSearchParams, facetKeys: readonly string[]): FacetFilter {
  // Without a prototype, so that `f.__proto__` is a key like any other that does not exist.
  const given: Record<string, unknown> = Object.create(null);
  const json = parameters.get("filters");
  if (json !== null && json !== "") Object.assign(given, parseFilters(json));
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
