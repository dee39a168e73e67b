/**
 * Search: a query in, ranked documents with their best sections out, in two waves of reads.
 *
 * Wave one: the chunks of its words, pairs and synonyms, in every shard the caller may see, with the locator where it is
 * not in memory.
 * Wave two: the text of the best sections, with titles and facets where they are not in memory. A word that no document
 * holds adds two: words that are like it, and the postings of what was meant. A phrase that the index cannot decide adds
 * rounds of six reads.
 */
import { isEmptyFilter } from "../docs/model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { isAtHand, readWithResident } from "../index/resident.ts";
import type { Interpretation, SearchAnswer, SearchRequest } from "./answer.ts";
import type { CheckedDocument } from "./check-page.ts";
import type { QueryFields } from "./filter.ts";
import { loadHits } from "./hits.ts";
import { listWritten, type ParsedQuery, parseQuery } from "./query.ts";
import { type FoundQuery, lookUp, rankFound, takePage, weighTerms } from "./rank.ts";
import { canBegin } from "./read-words.ts";
import type { LoadRefined } from "./refined.ts";
import { withSections } from "./score.ts";
import type { ScoredDocument, Scoring } from "./scoring.ts";
import { listAnalyzers } from "./search-languages.ts";

/** A further section of a document is listed when it scores at least this share of the document's best one. */
const FURTHER_SECTION_SHARE = 0.8;

/**
 * Answers a search.
 *
 * @param load Gives what only some searches need.
 * @throws {InputError} for facets that do not exist.
 */
export async function runSearch(reader: IndexReader, request: SearchRequest, load: LoadRefined): Promise<SearchAnswer> {
  const analyzers = listAnalyzers(reader, request.collections);
  const facetKeys = await listFacetKeys(reader, request.query, load);
  const query = parseQuery(request.query, { facetKeys, asYouType: request.asYouType, analyzers });
  const ask: Ask = async (other, wider) =>
    answerFound(reader, other, await lookUp(reader, other, wider, analyzers, load), load);
  const answer = await ask(request, query);
  const { hits, uncheckedDocuments } = answer;
  if (hits.length + uncheckedDocuments > 0 || query.requirements.every(({ negated }) => negated)) return answer;
  return relaxPhrases(answer, request, query, ask);
}

/** Anything that may be a field of a query. */
const MAYBE_FIELD = /[\p{L}\p{N}_]:\S/u;

/**
 * Facet keys that a query may name. The root lists those of all access groups; who sees some groups only gets those of
 * the groups' own tables, for one read more.
 */
async function listFacetKeys(reader: IndexReader, query: string, load: LoadRefined): Promise<readonly string[]> {
  if (reader.facetKeys.length > 0 || !MAYBE_FIELD.test(query)) return reader.facetKeys;
  await readWithResident(reader, ["facets"]);
  const { listFacetValues } = await load();
  return [...listFacetValues(reader).keys()];
}

type Ask = (request: SearchRequest, query: ParsedQuery) => Promise<SearchAnswer>;

/** What shows whether anything holds the phrases of a query. */
const FIRST_PAGE = { offset: 0, excerpts: 0, withFacetCounts: false, explain: false } as const;

/**
 * What holds the words of a query whose phrases nothing holds, which is more use than nothing as long as it is said. The empty answer
 * itself where it only stands behind the last page, or where nothing holds the words either.
 *
 * @param empty The answer to the query with its phrases.
 */
async function relaxPhrases(
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
  return { ...wider, relaxedPhrases: required.map(listWritten) };
}

/** The answer to a query whose words were looked up. @throws {InputError} for facets that do not exist. */
async function answerFound(
  reader: IndexReader,
  request: SearchRequest,
  found: FoundQuery,
  load: LoadRefined,
): Promise<SearchAnswer> {
  const { query } = found;
  if (!isEmptyFilter(request.filter)) (await load()).checkFilter(reader, request.filter);
  const wanted = { count: request.offset + request.limit, withOthers: false };
  const { fields, scoring, inOrder: ranked, members, total } = await rankFound(reader, request, found, load, wanted);
  const checked = await takePage(reader, request, found, ranked, load);
  const page = showSections(checked.documents, scoring);
  // Nothing found has nothing to count, and needs no read to know it.
  const withFacetCounts =
    total > 0 && (request.withFacetCounts === "at-hand" ? isAtHand(reader, "facets") : request.withFacetCounts);
  const hits = await loadHits(reader, page, { ...request, withFacetCounts }, weighTerms(scoring), load);
  const explain = request.explain ? (await load()).explainScore : undefined;
  return {
    hits:
      explain === undefined
        ? hits
        : hits.map((hit, at) => ({ ...hit, explanation: explain(page[at] as ScoredDocument, scoring) })),
    totalDocuments: total - checked.rejected.size - checked.absent - checked.unchecked,
    uncheckedDocuments: checked.unchecked,
    positions: [...checked.documents.map(({ position }) => position), checked.next],
    scoredTerms: scoring.words.map(({ term }) => term),
    missingWords: found.missing,
    corrections: found.corrections,
    unusedWords: query.unused,
    unusedFields: fields.unused,
    relaxedPhrases: [],
    stopWordsUsed: query.stopWordsUsed,
    operatorsAsText: query.operatorsAsText,
    ...(query.hasOperators && { interpretation: interpret(query, fields) }),
    facetCounts: withFacetCounts ? (await load()).countResult(reader, members, checked.rejected) : {},
    cost: reader.cost,
  };
}

function showSections(checked: readonly CheckedDocument[], scoring: Scoring): ScoredDocument[] {
  const documents = checked.map(({ scored }) => scored);
  const onlyOf = (index: number): ReadonlySet<number> | undefined => {
    const sections = checked[index]?.sections ?? [];
    return sections.length === 0 ? undefined : new Set(sections);
  };
  return withSections(documents, scoring, onlyOf).map((document) => {
    const least = FURTHER_SECTION_SHARE * (document.sections[0]?.score ?? 0);
    return { ...document, sections: document.sections.filter(({ score }) => score >= least) };
  });
}

/** The parts of a query, as they were typed. */
function interpret({ words, requirements }: ParsedQuery, fields: QueryFields): Interpretation {
  const { include, exclude } = fields.facets;
  const facets = (filter: typeof include, negated: boolean): Interpretation["fields"] =>
    Object.entries(filter).map(([field, values]) => ({ field, values, negated }));
  return {
    words: words.map(({ written }) => written),
    required: requirements.filter(({ negated }) => !negated).map(listWritten),
    excluded: requirements.filter(({ negated }) => negated).flatMap(listWritten),
    fields: [...facets(include, false), ...facets(exclude, true), ...fields.titles, ...fields.paths],
    beginnings: words.filter(({ isPrefix, word }) => isPrefix && canBegin(word)).map(({ written }) => written),
  };
}
