/**
 * From what a query found to its answer: the documents that may be found, in order, a page of them, and what is shown of
 * that, in one wave of reads where nothing has to be checked in texts.
 *
 * Apart from the reading of words, so that a page loads it while it waits for those.
 */

import type { DocumentSet } from "../docs/facets.ts";
import { isEmptyFilter, NO_FILTER } from "../docs/model.ts";
import { collectionOf } from "../format/locator.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { isAtHand, type ResidentTable, residentTable } from "../index/resident.ts";
import { documentOrder } from "../index/shards.ts";
import type { Interpretation, SearchAnswer, SearchRequest } from "./answer.ts";
import type { CheckedDocument, CheckedPage } from "./check-page.ts";
import type { QueryFields } from "./filter.ts";
import { loadHits } from "./hits.ts";
import { asksForOneWord, type Found } from "./look-up.ts";
import { isBrowsing, isRestricted } from "./needed-tables.ts";
import { listWritten, type ParsedQuery, type Requirement } from "./query.ts";
import { inverseDocumentFrequency, type RankingParameters } from "./ranking.ts";
import { canBegin } from "./read-words.ts";
import { scoreDocuments, withSections } from "./score.ts";
import type { ScoredDocument, ScoredShard, Scoring } from "./scoring.ts";
import { countUnion, sumStatistics } from "./statistics.ts";

/** A further section of a document is listed when it scores at least this share of the document's best one. */
const FURTHER_SECTION_SHARE = 0.8;

/** A query with what was read for it. */
export interface FoundQuery {
  readonly query: ParsedQuery;
  readonly found: Found;
  readonly ranking: RankingParameters;
  /** Tables that are in memory by now. */
  readonly resident: readonly ResidentTable[];
}

/** The answer to a query whose words were looked up. @throws {InputError} for facets that do not exist. */
export async function answerFound(
  reader: IndexReader,
  request: SearchRequest,
  foundQuery: FoundQuery,
): Promise<SearchAnswer> {
  const { query, found } = foundQuery;
  if (!isEmptyFilter(request.filter)) (await import("../docs/facets.ts")).checkFilter(reader, request.filter);
  const { fields, scoring, inOrder } = await rankFound(reader, request, foundQuery);
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

/** What a query finds, in order, with what put it there. */
interface RankedQuery {
  readonly fields: QueryFields;
  readonly scoring: Scoring;
  readonly inOrder: readonly ScoredDocument[];
}

/** All that a query finds whose words were looked up, in order; phrases are not checked yet. */
export async function rankFound(
  reader: IndexReader,
  request: SearchRequest,
  foundQuery: FoundQuery,
): Promise<RankedQuery> {
  const { query, found, resident } = foundQuery;
  const { fields, selected } = await selectFound(reader, request, query, found, resident);
  const scoring = makeScoring(reader, foundQuery, selected);
  return { fields, scoring, inOrder: await rank(reader, request, query, scoring) };
}

interface Selected {
  /** The fields of the query as the index knows them. */
  readonly fields: QueryFields;
  /** Documents of each visible shard that may be found; undefined for all of them. */
  readonly selected: readonly (DocumentSet | undefined)[];
}

const NO_FIELDS: QueryFields = { facets: NO_FILTER, titles: [], paths: [], unused: [] };

/** The fields of a query as the index knows them, and the documents that all of it leaves to be found. */
async function selectFound(
  reader: IndexReader,
  request: SearchRequest,
  query: ParsedQuery,
  { judge }: Found,
  resident: readonly ResidentTable[],
): Promise<Selected> {
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

function makeScoring(
  reader: IndexReader,
  { query, found, ranking }: FoundQuery,
  selected: readonly (DocumentSet | undefined)[],
): Scoring {
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
export async function takePage(
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
export function weighTerms({ words, statistics }: Scoring): Map<string, number> {
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
