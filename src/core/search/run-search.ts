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
import { isAtHand } from "../index/resident.ts";
import type { SearchAnswer, SearchRequest } from "./answer.ts";
import type { CheckedDocument } from "./check-page.ts";
import { loadHits } from "./hits.ts";
import { type ParsedQuery, parseQuery } from "./query.ts";
import { type FoundQuery, lookUp, rankFound, takePage, weighTerms } from "./rank.ts";
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
  const isKnown = reader.facetKeys.length > 0 || !MAYBE_FIELD.test(request.query);
  const facetKeys = isKnown ? reader.facetKeys : await (await load()).readFacetKeys(reader);
  const query = parseQuery(request.query, { facetKeys, asYouType: request.asYouType, analyzers });
  const ask = async (other: SearchRequest, wider: ParsedQuery): Promise<SearchAnswer> =>
    answerFound(reader, other, await lookUp(reader, other, wider, analyzers, load), load);
  const answer = await ask(request, query);
  const { hits, uncheckedDocuments } = answer;
  if (hits.length + uncheckedDocuments > 0 || query.requirements.every(({ negated }) => negated)) return answer;
  return (await load()).relaxPhrases(answer, request, query, ask);
}

/** Anything that may be a field of a query. */
const MAYBE_FIELD = /[\p{L}\p{N}_]:\S/u;

/** The answer to a query whose words were looked up. @throws {InputError} for facets that do not exist. */
async function answerFound(
  reader: IndexReader,
  asked: SearchRequest,
  found: FoundQuery,
  load: LoadRefined,
): Promise<SearchAnswer> {
  const { query } = found;
  const filter = isEmptyFilter(asked.filter) ? asked.filter : (await load()).checkFilter(reader, asked.filter);
  const request = { ...asked, filter };
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
    preferred: filter.prefer ?? {},
    relaxedPhrases: [],
    stopWordsUsed: query.stopWordsUsed,
    operatorsAsText: query.operatorsAsText,
    ...(query.hasOperators && { interpretation: (await load()).interpret(query, fields) }),
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
