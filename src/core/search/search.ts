/**
 * Search: a query in, ranked documents with their best sections out, in two waves of reads.
 *
 * Wave one: the chunks of its words, pairs and synonyms, in every shard the caller may see, with the locator where it is
 * not in memory.
 * Wave two: the text of the best sections, with titles and facets where they are not in memory. A word that no document
 * holds adds two: words that are like it, and the postings of what was meant. A phrase that the index cannot decide adds
 * rounds of six reads.
 */
import { collectionOf } from "../format/locator.ts";
import { documentOrder } from "../index/document-order.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { isAtHand, type ResidentTable, readWithResident, residentTable } from "../index/resident.ts";
import type { Analyzers } from "../text/analyze.ts";
import { isEmptyFilter, NO_FILTER } from "../tree/facet-filter.ts";
import type { DocumentSet } from "../tree/facets.ts";
import type { SearchAnswer, SearchRequest } from "./answer.ts";
import type { CheckedDocument, CheckedPage } from "./check-page.ts";
import type { QueryFields } from "./filter.ts";
import { interpret, listWritten } from "./interpret.ts";
import { asksForOneWord, type Found, lookUp } from "./look-up.ts";
import { isBrowsing, isRestricted, listNeeded } from "./needed-tables.ts";
import { type ParsedQuery, parseQuery, type Requirement } from "./query.ts";
import { inverseDocumentFrequency, type RankingParameters, toParameters } from "./ranking.ts";
import { scoreDocuments, withSections } from "./score.ts";
import type { ScoredDocument, ScoredShard, Scoring } from "./scoring.ts";
import { listAnalyzers } from "./search-languages.ts";
import { countUnion, sumStatistics } from "./statistics.ts";

/** A further section of a document is listed when it scores at least this share of the document's best one. */
const FURTHER_SECTION_SHARE = 0.8;

/**
 * Answer a search.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function search(reader: IndexReader, request: SearchRequest): Promise<SearchAnswer> {
  const { asYouType } = request;
  const analyzers = listAnalyzers(reader, request.collections);
  const query = parseQuery(request.query, {
    facetKeys: await listFacetKeys(reader, request.query),
    asYouType,
    analyzers,
  });
  const answer = await answerQuery(reader, request, query, analyzers);
  const required = query.requirements.filter(({ negated }) => !negated);
  if (!isEmpty(answer) || required.length === 0) return answer;
  // Behind the last page of an answer stands nothing else.
  if (request.offset > 0 && !isEmpty(await answerQuery(reader, { ...request, ...FIRST_PAGE }, query, analyzers)))
    return answer;
  // Nothing holds the phrase: what holds its words is more use than nothing, as long as it is said.
  const relaxed = { ...query, requirements: query.requirements.filter(({ negated }) => negated) };
  const wider = await answerQuery(reader, request, relaxed, analyzers);
  if (wider.hits.length === 0) return answer;
  return { ...wider, relaxedPhrases: required.map(listWritten) };
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
  const { listFacetValues } = await import("../tree/facets.ts");
  return [...listFacetValues(reader).keys()];
}

/** What shows whether anything holds the phrases of a query. */
const FIRST_PAGE = { offset: 0, excerpts: 0, withFacetCounts: false, explain: false } as const;

function isEmpty({ hits, uncheckedDocuments }: SearchAnswer): boolean {
  return hits.length === 0 && uncheckedDocuments === 0;
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
  const [found, { loadHits }] = await Promise.all([
    lookUp(reader, query, { resident, also, ranking, correct: request.correct, analyzers }),
    // A page loads what shows hits while it waits for the words.
    import("./hits.ts"),
  ]);
  if (!isEmptyFilter(request.filter)) (await import("../tree/facets.ts")).checkFilter(reader, request.filter);
  const { fields, selected } = await selectFound(reader, request, query, found, resident);
  const scoring = makeScoring(reader, { query, selected, found, ranking });
  const inOrder = await rank(reader, request, query, scoring);
  const { ranked, checked } = await takePage(reader, request, query.requirements, found, inOrder);
  const page = showSections(checked.documents, scoring);
  // Nothing found has nothing to count, and needs no read to know it.
  const withFacetCounts =
    ranked.length > 0 && (request.withFacetCounts === "at-hand" ? isAtHand(reader, "facets") : request.withFacetCounts);
  const hits = await loadHits(reader, page, { ...request, withFacetCounts }, weighTerms(scoring));
  const explain = request.explain ? (await import("./explain.ts")).explainScore : undefined;
  return {
    hits:
      explain === undefined
        ? hits
        : hits.map((hit, at) => ({ ...hit, explanation: explain(page[at] as ScoredDocument, scoring) })),
    totalDocuments: ranked.length - checked.rejected.size - checked.absent - checked.unchecked,
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
    facetCounts: withFacetCounts
      ? (await import("./count-result.ts")).countResult(reader, ranked, checked.rejected)
      : {},
    cost: reader.cost,
  };
}

interface Understood {
  readonly query: ParsedQuery;
  /** Documents of each visible shard that may be found; undefined for all of them. */
  readonly selected: readonly (DocumentSet | undefined)[];
  readonly found: Found;
  readonly ranking: RankingParameters;
}

const NO_FIELDS: QueryFields = { facets: NO_FILTER, titles: [], paths: [], unused: [] };

/** The fields of a query as the index knows them, and the documents that all of it leaves to be found. */
async function selectFound(
  reader: IndexReader,
  request: SearchRequest,
  query: ParsedQuery,
  { judge }: Found,
  resident: readonly ResidentTable[],
): Promise<Pick<Understood, "selected"> & { readonly fields: QueryFields }> {
  if (!isRestricted(query, request)) return { fields: NO_FIELDS, selected: [] };
  const { readFields, restrictShard } = await import("./filter.ts");
  const { documentId } = request;
  const only =
    documentId === undefined
      ? undefined
      : await (await import("./one-document.ts")).findOnly(reader, documentId, resident);
  const fields = readFields(reader, query.fields);
  const selection = { request, only, fields, requirements: query.requirements, judge };
  return { fields, selected: reader.shards.map((_, visible) => restrictShard(reader, visible, selection)) };
}

function makeScoring(reader: IndexReader, { query, selected, found, ranking }: Understood): Scoring {
  return {
    words: found.read.words,
    pairs: found.read.pairs,
    statistics: sumStatistics(reader.shards.map(({ root }) => root)),
    ranking,
    queryLength: query.length,
    compare: documentOrder(reader.shards),
    longerLast: asksForOneWord(query) && query.words[0]?.isPrefix === false,
    shards: reader.shards.map(({ index }, visible): ScoredShard => {
      const locator = residentTable(reader, index, "locator");
      return {
        locator,
        selected: selected[visible],
        weightOf: (document) => reader.collectionAt(collectionOf(locator, document)).weight,
      };
    }),
  };
}

/** All documents that match, in the order that is asked for. */
async function rank(
  reader: IndexReader,
  { sort }: SearchRequest,
  query: ParsedQuery,
  scoring: Scoring,
): Promise<readonly ScoredDocument[]> {
  if (!isBrowsing(query)) {
    const ranked = scoreDocuments(scoring);
    reader.countScored(ranked.length);
    return sort === "relevance" ? ranked : (await import("./browse.ts")).sortDocuments(reader, ranked, sort);
  }
  const { listSelected, sortDocuments } = await import("./browse.ts");
  return sortDocuments(reader, listSelected(scoring), sort === "relevance" ? "path" : sort);
}

/** The documents as they are checked and shown, and a page of them. Without requirements there is nothing to check. */
async function takePage(
  reader: IndexReader,
  { sort, offset, limit }: SearchRequest,
  requirements: readonly Requirement[],
  { judge }: Found,
  inOrder: readonly ScoredDocument[],
): Promise<{ readonly ranked: readonly ScoredDocument[]; readonly checked: CheckedPage }> {
  if (judge === undefined) {
    const documents = inOrder
      .slice(offset, offset + limit)
      .map((scored, at): CheckedDocument => ({ scored, position: offset + at, sections: [], proven: [] }));
    const next = offset + documents.length;
    return { ranked: inOrder, checked: { documents, rejected: new Set(), unchecked: 0, absent: 0, next } };
  }
  const { checkPage } = await import("./check-page.ts");
  const { likeliestFirst } = await import("./likeliest-first.ts");
  const ranked = sort === "relevance" ? likeliestFirst(reader, inOrder, requirements, judge, offset + limit) : inOrder;
  return { ranked, checked: await checkPage(reader, ranked, requirements, judge, { offset, limit }) };
}

/** Documents with the sections that are shown of them. */
function showSections(checked: readonly CheckedDocument[], scoring: Scoring): ScoredDocument[] {
  const documents = checked.map(({ scored }) => scored);
  const onlyOf = (index: number): ReadonlySet<number> | undefined => {
    const sections = checked[index]?.sections ?? [];
    return sections.length === 0 ? undefined : new Set(sections);
  };
  return withSections(documents, scoring, onlyOf).map(keepGoodSections);
}

/** How much each term is worth in an excerpt. */
function weighTerms({ words, statistics }: Scoring): Map<string, number> {
  // A term that the query holds weighs more than one that stands in for another.
  return new Map(
    [...words].reverse().flatMap((word) => {
      const weight = inverseDocumentFrequency(statistics.documents, Math.min(statistics.documents, countUnion(word)));
      return word.alternatives.flatMap(({ term, marks = [term], weight: share }) =>
        marks.map((mark): [string, number] => [mark, Math.max(Number.EPSILON, weight * share)]),
      );
    }),
  );
}

function keepGoodSections(document: ScoredDocument): ScoredDocument {
  const best = document.sections[0]?.score ?? 0;
  return {
    ...document,
    sections: document.sections.filter((section) => section.score >= FURTHER_SECTION_SHARE * best),
  };
}
