/**
 * A search request with everything that was not asked left at its default. Pure.
 */
import { NO_FILTER } from "../docs/model.ts";
import type { SearchRequest } from "./answer.ts";

/** Documents of an answer, and sections that carry an excerpt, unless asked otherwise. */
export const DEFAULT_LIMIT = 10;
export const DEFAULT_EXCERPTS = 5;
/** The most of both that can be asked for. */
export const MAX_LIMIT = 50;
export const MAX_EXCERPTS = 10;
/** Longest query, in UTF-16 units: a question, not a document. */
export const MAX_QUERY_LENGTH = 2000;
/** Orders that can be asked for; the first is the default. */
export const SORTS = ["relevance", "path", "title", "words"] as const satisfies readonly SearchRequest["sort"][];

/** A request for `query`, by relevance over everything the reader sees, but for what `changes` says. */
export function makeSearchRequest(query: string, changes: Partial<SearchRequest> = {}): SearchRequest {
  return {
    query,
    offset: 0,
    limit: DEFAULT_LIMIT,
    excerpts: DEFAULT_EXCERPTS,
    collections: [],
    documentId: undefined,
    filter: NO_FILTER,
    sort: "relevance",
    withFacetCounts: false,
    ranking: {},
    correct: true,
    asYouType: false,
    explain: false,
    ...changes,
  };
}
