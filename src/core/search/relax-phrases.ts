/**
 * What is answered where nothing holds the phrases of a query. Loaded when that is so.
 */
import type { SearchAnswer, SearchRequest } from "./answer.ts";
import type { ParsedQuery } from "./query.ts";

/** Answers a request as another query says. */
type Ask = (request: SearchRequest, query: ParsedQuery) => Promise<SearchAnswer>;

/** What shows whether anything holds the phrases of a query. */
const FIRST_PAGE = { offset: 0, excerpts: 0, withFacetCounts: false, explain: false } as const;

/**
 * What holds the words of a query whose phrases nothing holds, which is more use than nothing as long as it is said. The empty answer
 * itself where it only stands behind the last page, or where nothing holds the words either.
 *
 * @param empty The answer to the query with its phrases.
 */
export async function relaxPhrases(
  empty: SearchAnswer,
  request: SearchRequest,
  query: ParsedQuery,
  ask: Ask,
): Promise<SearchAnswer> {
  if (request.offset > 0) {
    const { hits, uncheckedDocuments } = await ask({ ...request, ...FIRST_PAGE }, query);
    if (hits.length + uncheckedDocuments > 0) return empty;
  }
  const required = query.requirements.filter(({ negated }) => !negated);
  const wider = await ask(request, { ...query, requirements: query.requirements.filter(({ negated }) => negated) });
  if (wider.hits.length === 0) return empty;
  const { listWritten } = await import("./query.ts");
  return { ...wider, relaxedPhrases: required.map(listWritten) };
}
