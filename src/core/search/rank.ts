/**
 * From a query to the documents that it finds, in order, and a page of them.
 *
 * Postings of words, pairs and synonyms come in one wave, those of what stands in for words that no document holds in two more.
 */
import type { DocumentSet } from "../docs/facets.ts";
import { isEmptyFilter, NO_FILTER } from "../docs/model.ts";
import { collectionOf } from "../format/locator.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { isAtHand, type ResidentTable, residentTable } from "../index/resident.ts";
import { type Analyzers, ENGLISH, isGeneralTerm } from "../text/analyze.ts";
import { namesOfQuery } from "../text/name-forms.ts";
import type { SearchRequest } from "./answer.ts";
import type { CheckedDocument, CheckedPage } from "./check-page.ts";
import type { Correction } from "./correct.ts";
import type { QueryFields } from "./filter.ts";
import type { PhraseJudge } from "./phrases.ts";
import { isOfFacet, type ParsedQuery, type QueryWord } from "./query.ts";
import { inverseDocumentFrequency, type RankingParameters, sumStatistics, toParameters } from "./ranking.ts";
import { readWords, type WordsRead } from "./read-words.ts";
import type { LoadRefined } from "./refined.ts";
import { type FoundDocuments, scoreDocuments, type Wanted } from "./score.ts";
import { countUnion, type ScoredDocument, type ScoredShard, type Scoring, type WordPostings } from "./scoring.ts";

/** A query with what the index holds of its words. */
export interface FoundQuery {
  readonly query: ParsedQuery;
  readonly ranking: RankingParameters;
  readonly read: WordsRead;
  readonly names: Scoring["names"];
  /** Absent where the query asks for no phrases. */
  readonly judge: PhraseJudge | undefined;
  /** Words that no document holds, and that nothing stands in for. */
  readonly missing: readonly string[];
  readonly corrections: readonly Correction[];
}

/** Look a query up. @param tables What is read in the same wave beside what the request needs. */
export async function lookUp(
  reader: IndexReader,
  request: SearchRequest,
  query: ParsedQuery,
  analyzers: Analyzers,
  load: LoadRefined,
  tables: readonly ResidentTable[] = [],
): Promise<FoundQuery> {
  const ranking = toParameters({ ...reader.index.root.ranking, ...request.ranking });
  const resident = [...new Set([...listNeeded(reader, query, request), ...tables])];
  const { documentId, asYouType } = request;
  const also = documentId === undefined ? [] : (await load()).documentReads(reader, [documentId]);
  const refined = query.requirements.length === 0 ? undefined : await load();
  const scoring = query.words.length;
  const bonuses = query.words.flatMap(({ exact, count }) => exact.map((term) => ({ ...toLookedUp(term), count })));
  // Words that decide and do not score: words that must not occur, and of phrases of stop words alone those.
  const known = new Set(query.words.flatMap(({ terms }) => terms));
  const further = [...new Set(query.requirements.flatMap(({ anyOf }) => anyOf.flatMap(({ deciding }) => deciding)))];
  const longer = new Set(query.words.flatMap(({ isPrefix }, at) => (isPrefix ? [at] : [])));
  if (asksForOneWord(query)) longer.add(0);
  const wanted = {
    resident,
    also,
    ranking,
    asYouType,
    phrasePairs: refined?.listPhrasePairs(query) ?? [],
    pairs: query.pairs,
    synonymPhrases: query.synonymPhrases,
    longer,
  };
  let words = [...query.words, ...bonuses, ...further.filter((term) => !known.has(term)).map(toLookedUp)];
  let { names } = query;
  const readAll = (): Promise<WordsRead> =>
    readWords(reader, { ...wanted, words: [...words, ...names.map(({ key }) => toLookedUp(key))] }, load);
  let read = await readAll();
  const missing = read.words.slice(0, scoring).flatMap((word, at) => (isMissing(word) ? [at] : []));
  let corrections: readonly Correction[] = [];
  let unknown = missing;
  let merge = (list: readonly WordPostings[]): readonly WordPostings[] => list;
  if (request.correct && missing.length > 0) {
    const { correctWords, mergeEqual } = await load();
    const replaced = await correctWords(reader, words, missing, analyzers);
    if (replaced.changed.size > 0) {
      words = [...replaced.words];
      const spell = (text: string, { written, corrected }: Correction): string => text.replaceAll(written, corrected);
      if (names.length > 0) names = namesOfQuery(replaced.corrections.reduce(spell, request.query), analyzers);
      // What was read before is in memory now, so this reads the new words and their pairs alone.
      read = await readAll();
      merge = mergeEqual;
    }
    corrections = replaced.corrections;
    unknown = missing.filter((at) => !replaced.changed.has(at));
  }
  const isEnglish = analyzers[0] === ENGLISH;
  const scored = read.words
    .slice(0, scoring)
    .map((word) =>
      isEnglish && isGeneralTerm(word.term) ? { ...word, count: word.count * ranking.generalWords } : word,
    );
  const added = read.words.slice(scoring, scoring + bonuses.length).filter((word) => !isMissing(word));
  const named = read.words.slice(words.length);
  return {
    query,
    ranking,
    read: {
      words: [
        ...merge(scored),
        ...added.map((word) => ({ ...word, count: word.count * ranking.exactForms, isBonus: true })),
      ],
      pairs: read.pairs,
      phrasePairs: read.phrasePairs,
    },
    names: names.map(({ grade }, at) => ({ grade, lists: named[at]?.alternatives[0]?.lists ?? [] })),
    judge: refined?.judgePhrases(reader, read),
    missing: unknown.flatMap((at) =>
      words[at]?.isPart === false && named.every(isMissing) ? [words[at].written] : [],
    ),
    corrections,
  };
}

function toLookedUp(term: string): QueryWord {
  return {
    written: term,
    word: term,
    terms: [term],
    exact: [],
    count: 1,
    isPart: false,
    isQuoted: true,
    isPrefix: false,
  };
}

/** One word and nothing else: sections that hold a longer word only are listed behind those that hold it. */
function asksForOneWord({ words, requirements, stopWordsUsed }: ParsedQuery): boolean {
  return words.length === 1 && requirements.length === 0 && !stopWordsUsed && words[0]?.terms.length === 1;
}

function isMissing({ alternatives }: WordPostings): boolean {
  return alternatives.every(({ lists }) => lists.every((list) => list === undefined));
}

/** Whether anything but the words decides which documents may be found. */
function isRestricted(
  { fields, requirements }: ParsedQuery,
  { collections, documentId, filter }: SearchRequest,
): boolean {
  return (
    fields.length > 0 ||
    requirements.length > 0 ||
    collections.length > 0 ||
    documentId !== undefined ||
    !isEmptyFilter(filter)
  );
}

/** Whether a query asks for everything of a kind, and no words put that in order. */
function isBrowsing({ words, fields, requirements }: ParsedQuery): boolean {
  return words.length === 0 && (fields.length > 0 || requirements.length > 0);
}

/** The resident tables that selecting and ordering need, however large they are. */
function listNeeded(
  reader: IndexReader,
  query: ParsedQuery,
  { filter, sort, withFacetCounts }: SearchRequest,
): ResidentTable[] {
  const { fields, requirements } = query;
  // Hits carry them; where text is read to check phrases, nothing may be left to read them with.
  const carriesFacets = requirements.length > 0 && (withFacetCounts === true || isAtHand(reader, "facets"));
  const needsFacets = !isEmptyFilter(filter) || fields.some(isOfFacet) || carriesFacets;
  // What is browsed is listed in the order of paths.
  const needsTitles = sort !== "relevance" || isBrowsing(query) || !fields.every(isOfFacet);
  return ["locator", ...(needsFacets ? (["facets"] as const) : []), ...(needsTitles ? (["titles"] as const) : [])];
}

/** What a query finds, in order, with what put it there. */
interface RankedQuery extends FoundDocuments {
  readonly fields: QueryFields;
  readonly scoring: Scoring;
}

/**
 * All that a query finds whose words were looked up, in order; phrases are not checked yet.
 *
 * @param wanted Documents that are enough where nothing has to be checked, and scores order them.
 */
export async function rankFound(
  reader: IndexReader,
  request: SearchRequest,
  foundQuery: FoundQuery,
  load: LoadRefined,
  wanted?: Wanted,
): Promise<RankedQuery> {
  const { query, judge } = foundQuery;
  const { sort } = request;
  const { fields, selected } = await selectFound(reader, request, foundQuery, load);
  const scoring = makeScoring(reader, foundQuery, selected);
  if (isBrowsing(query)) {
    const { listSelected, sortDocuments } = await load();
    const order = sort === "relevance" ? "path" : sort;
    const inOrder = await sortDocuments(reader, listSelected(scoring), order);
    return { fields, scoring, ...toFound(scoring, inOrder) };
  }
  const isByScore = sort === "relevance";
  const found = scoreDocuments(scoring, isByScore && judge === undefined ? wanted : undefined);
  reader.countScored(found.total);
  if (isByScore) return { fields, scoring, ...found };
  const sorted = await (await load()).sortDocuments(reader, found.inOrder, sort);
  return { fields, scoring, ...toFound(scoring, sorted) };
}

/** Documents in an order other than that of scores. */
function toFound({ shards }: Scoring, inOrder: readonly ScoredDocument[]): FoundDocuments {
  const members = shards.map(({ locator }) => new Uint8Array(locator.slots));
  for (const { shard, document } of inOrder) (members[shard] as Uint8Array)[document] = 1;
  return { inOrder, members, total: inOrder.length };
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
  { query, judge }: FoundQuery,
  load: LoadRefined,
): Promise<Selected> {
  if (!isRestricted(query, request)) return { fields: NO_FIELDS, selected: [] };
  const { findPlace, readFields, restrictShard } = await load();
  const { documentId } = request;
  const only = documentId === undefined ? undefined : await findPlace(reader, documentId);
  const fields = readFields(reader, query.fields);
  const selection = { request, only, fields, requirements: query.requirements, judge };
  return { fields, selected: reader.shards.map((_, visible) => restrictShard(reader, visible, selection)) };
}

function makeScoring(
  reader: IndexReader,
  { query, read, names, ranking }: FoundQuery,
  selected: readonly (DocumentSet | undefined)[],
): Scoring {
  const weights = reader.index.collections.map(({ weight }) => weight);
  const isEven = weights.every((weight) => weight === 1);
  return {
    words: read.words,
    pairs: read.pairs,
    names,
    statistics: sumStatistics(reader.shards.map(({ root }) => root)),
    ranking,
    queryLength: query.length,
    longerLast: asksForOneWord(query) && query.words[0]?.isPrefix === false,
    shards: reader.shards.map(({ index }, visible): ScoredShard => {
      const locator = residentTable(reader, index, "locator");
      return {
        locator,
        selected: selected[visible],
        weightOf: isEven ? () => 1 : (document) => reader.collectionAt(collectionOf(locator, document)).weight,
      };
    }),
  };
}

/** A page of documents. Without requirements there is nothing to check. */
export async function takePage(
  reader: IndexReader,
  { offset, limit }: SearchRequest,
  { query: { requirements }, judge }: FoundQuery,
  inOrder: readonly ScoredDocument[],
  load: LoadRefined,
): Promise<CheckedPage> {
  if (judge === undefined) {
    const documents = inOrder
      .slice(offset, offset + limit)
      .map((scored, at): CheckedDocument => ({ scored, position: offset + at, sections: [] }));
    const next = offset + documents.length;
    return { documents, rejected: new Set(), unchecked: 0, absent: 0, next };
  }
  const { checkPage } = await load();
  return checkPage(reader, inOrder, requirements, judge, { offset, limit });
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
