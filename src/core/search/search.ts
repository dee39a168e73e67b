/**
 * Search with all that it may need at hand. A page, which loads the rarer part on demand, calls `runSearch`.
 */
import type { IndexReader } from "../index/index-reader.ts";
import type { SearchAnswer, SearchRequest } from "./answer.ts";
import { loadRefined } from "./refined.ts";
import { runSearch } from "./run-search.ts";

/**
 * Answers a search.
 *
 * @throws {InputError} for facets that do not exist.
 */
export function search(reader: IndexReader, request: SearchRequest): Promise<SearchAnswer> {
  return runSearch(reader, request, loadRefined);
}
