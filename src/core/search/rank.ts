/**
 * Ranking: from what a query found to the documents that may be found, in order, and a page of them.
 */

import type { DocumentSet } from "../docs/facets.ts";
import { NO_FILTER } from "../docs/model.ts";
import { collectionOf } from "../format/locator.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { type ResidentTable, residentTable } from "../index/resident.ts";
import { documentOrder } from "../index/shards.ts";
import type { SearchRequest } from "./answer.ts";
import type { CheckedDocument, CheckedPage } from "./check-page.ts";
import type { QueryFields } from "./filter.ts";
import { asksForOneWord, type Found, isBrowsing, isRestricted } from "./look-up.ts";
import type { ParsedQuery, Requirement } from "./query.ts";
import { inverseDocumentFrequency, type RankingParameters } from "./ranking.ts";
import type { LoadRefined } from "./refined.ts";
import { type ScoredDocument, type ScoredShard, type Scoring, scoreDocuments } from "./score.ts";
import { countUnion, sumStatistics } from "./statistics.ts";

/** A query with what was read for it. */
export interface FoundQuery {
  readonly query: ParsedQuery;
  readonly found: Found;
  readonly ranking: RankingParameters;
  /** Tables that are in memory by now. */
  readonly resident: readonly ResidentTable[];
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
  load: LoadRefined,
): Promise<RankedQuery> {
  const { fields, selected } = await selectFound(reader, request, foundQuery, load);
  const scoring = makeScoring(reader, foundQuery, selected);
  return { fields, scoring, inOrder: await rank(reader, request, foundQuery.query, scoring, load) };
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
  { query, found: { judge }, resident }: FoundQuery,
  load: LoadRefined,
): Promise<Selected> {
  if (!isRestricted(query, request)) return { fields: NO_FIELDS, selected: [] };
  const { findOnly, readFields, restrictShard } = await load();
  const { documentId } = request;
  const only = documentId === undefined ? undefined : await findOnly(reader, documentId, resident);
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
  load: LoadRefined,
): Promise<readonly ScoredDocument[]> {
  if (!isBrowsing(query)) {
    const ranked = scoreDocuments(scoring);
    reader.countScored(ranked.length);
    return sort === "relevance" ? ranked : (await load()).sortDocuments(reader, ranked, sort);
  }
  const { listSelected, sortDocuments } = await load();
  return sortDocuments(reader, listSelected(scoring), sort === "relevance" ? "path" : sort);
}

/** The documents as they are checked and shown, and a page of them. Without requirements there is nothing to check. */
export async function takePage(
  reader: IndexReader,
  { sort, offset, limit }: SearchRequest,
  requirements: readonly Requirement[],
  { judge }: Found,
  inOrder: readonly ScoredDocument[],
  load: LoadRefined,
): Promise<{ readonly ranked: readonly ScoredDocument[]; readonly checked: CheckedPage }> {
  if (judge === undefined) {
    const documents = inOrder
      .slice(offset, offset + limit)
      .map((scored, at): CheckedDocument => ({ scored, position: offset + at, sections: [], proven: [] }));
    const next = offset + documents.length;
    return { ranked: inOrder, checked: { documents, rejected: new Set(), unchecked: 0, absent: 0, next } };
  }
  const { checkPage, likeliestFirst } = await load();
  const ranked = sort === "relevance" ? likeliestFirst(reader, inOrder, requirements, judge, offset + limit) : inOrder;
  return { ranked, checked: await checkPage(reader, ranked, requirements, judge, { offset, limit }) };
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
