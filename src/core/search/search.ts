/**
 * Search: a query in, ranked documents with their best sections out, in two waves of reads.
 *
 * Wave one: the chunks of its words, pairs and synonyms, in every shard the caller may see, with the locator where it is
 * not in memory.
 * Wave two: the text of the best sections, with titles and facets where they are not in memory. A word that no document
 * holds adds two: words that are like it, and the postings of what was meant. A phrase that the index cannot decide adds
 * rounds of six reads.
 */
import type { IndexReader } from "../index/index-reader.ts";
import { readWithResident } from "../index/resident.ts";
import type { Analyzers } from "../text/analyze.ts";
import type { SearchAnswer, SearchRequest } from "./answer.ts";
import { lookUp } from "./look-up.ts";
import { listNeeded } from "./needed-tables.ts";
import { parsePlainQuery } from "./plain-query.ts";
import type { ParsedQuery } from "./query.ts";
import { toParameters } from "./ranking.ts";
import { listAnalyzers } from "./search-languages.ts";

/**
 * Answer a search.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function search(reader: IndexReader, request: SearchRequest): Promise<SearchAnswer> {
  const analyzers = listAnalyzers(reader, request.collections);
  const query =
    parsePlainQuery(request.query, request.asYouType, analyzers) ?? (await parseOperators(reader, request, analyzers));
  const answer = await answerQuery(reader, request, query, analyzers);
  const { hits, uncheckedDocuments } = answer;
  if (hits.length + uncheckedDocuments > 0 || query.requirements.every(({ negated }) => negated)) return answer;
  const { relaxPhrases } = await import("./relax-phrases.ts");
  return relaxPhrases(answer, request, query, (other, wider) => answerQuery(reader, other, wider, analyzers));
}

async function parseOperators(
  reader: IndexReader,
  { query, asYouType }: SearchRequest,
  analyzers: Analyzers,
): Promise<ParsedQuery> {
  const [{ parseQuery }, facetKeys] = await Promise.all([import("./query.ts"), listFacetKeys(reader, query)]);
  return parseQuery(query, { facetKeys, asYouType, analyzers });
}

/** Anything that may be a field of a query. */
const MAYBE_FIELD = /[\p{L}\p{N}_]:\S/u;

/**
 * Facet keys that a query may name. The root lists those of all access groups; who sees some groups only gets those of
 * the groups' own tables, for one read more.
 */
async function listFacetKeys(reader: IndexReader, query: string): Promise<readonly string[]> {
  if (reader.facetKeys.length > 0 || !MAYBE_FIELD.test(query)) return reader.facetKeys;
  await readWithResident(reader, ["facets"]);
  const { listFacetValues } = await import("../docs/facets.ts");
  return [...listFacetValues(reader).keys()];
}

async function answerQuery(
  reader: IndexReader,
  request: SearchRequest,
  query: ParsedQuery,
  analyzers: Analyzers,
): Promise<SearchAnswer> {
  const ranking = toParameters({ ...reader.index.root.ranking, ...request.ranking });
  const resident = listNeeded(reader, query, request);
  const { documentId } = request;
  const also =
    documentId === undefined ? [] : (await import("./one-document.ts")).readsOfOnly(reader, documentId, resident);
  const [found, { answerFound }] = await Promise.all([
    lookUp(reader, query, { ...request, resident, also, ranking, analyzers }),
    // A page loads what ranks and shows documents while it waits for the words.
    import("./answer-found.ts"),
  ]);
  return answerFound(reader, request, { query, found, ranking, resident });
}
