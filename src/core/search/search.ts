/**
 * Search: a query in, ranked documents with their best sections out, in two waves of reads.
 *
 * Wave one: the chunks of its words, pairs and synonyms, in every shard the caller may see, with the locator where it is
 * not in memory.
 * Wave two: the text of the best sections, with titles and facets where they are not in memory. A word that no document
 * holds adds two: the spelling table, and the postings of what was meant. A phrase that the index cannot decide adds
 * rounds of six reads.
 */
import { bodyWords, collectionOf, hasDocument } from "../format/locator.ts";
import { documentOrder } from "../index/document-order.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { isAtHand, type ResidentTable, readWithResident, residentTable } from "../index/resident.ts";
import type { Analyzers } from "../text/analyze.ts";
import { compareNames } from "../text/compare-names.ts";
import { type DocumentPlace, documentReads, findPlace } from "../tree/documents.ts";
import { checkFilter, countFacets, isEmptyFilter, listFacetValues } from "../tree/facets.ts";
import type { FacetCounts } from "../tree/model.ts";
import type { Interpretation, SearchAnswer, SearchRequest } from "./answer.ts";
import { type CheckedDocument, checkPage, likeliestFirst } from "./check-page.ts";
import { explainScore } from "./explain.ts";
import { findByName, isBrowsing, type QueryFields, readFields, restrictShard, tablesFor } from "./filter.ts";
import { loadHits } from "./hits.ts";
import { asksForOneWord, type Found, lookUp } from "./look-up.ts";
import { type ParsedQuery, parseQuery, type Requirement } from "./query.ts";
import { inverseDocumentFrequency, type RankingParameters, toParameters } from "./ranking.ts";
import { canBegin } from "./read-words.ts";
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
  const resident: ResidentTable[] = ["locator", ...tablesFor(reader, query, request)];
  const { documentId } = request;
  const also = documentId === undefined || resident.includes("titles") ? [] : documentReads(reader, [documentId]);
  const found = await lookUp(reader, query, { resident, also, ranking, correct: request.correct, analyzers });
  const only = documentId === undefined ? undefined : await findOnly(reader, documentId, resident);
  if (!isEmptyFilter(request.filter)) checkFilter(reader, request.filter);
  const fields = readFields(reader, query.fields);
  const scoring = makeScoring(reader, request, { query, fields, found, ranking, only });
  const inOrder = rank(reader, request, query, scoring);
  const ranked = request.sort === "relevance" ? likeliestFirst(inOrder, query.requirements, found.judge) : inOrder;
  const checked = await checkPage(reader, ranked, query.requirements, found.judge, request);
  const page = showSections(checked.documents, scoring);
  // Nothing found has nothing to count, and needs no read to know it.
  const withFacetCounts =
    ranked.length > 0 && (request.withFacetCounts === "at-hand" ? isAtHand(reader, "facets") : request.withFacetCounts);
  const hits = await loadHits(reader, page, { ...request, withFacetCounts }, weighTerms(scoring));
  return {
    hits: request.explain
      ? hits.map((hit, at) => ({ ...hit, explanation: explainScore(page[at] as ScoredDocument, scoring) }))
      : hits,
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
    facetCounts: withFacetCounts ? countResult(reader, ranked, checked.rejected) : {},
    cost: reader.cost,
  };
}

/** Where the one document is that is searched. What tells it came with the words. */
function findOnly(
  reader: IndexReader,
  documentId: string,
  resident: readonly ResidentTable[],
): Promise<DocumentPlace | undefined> | DocumentPlace | undefined {
  return resident.includes("titles") ? findByName(reader, documentId) : findPlace(reader, documentId);
}

interface Understood {
  readonly query: ParsedQuery;
  readonly fields: QueryFields;
  readonly found: Found;
  readonly ranking: RankingParameters;
  readonly only: DocumentPlace | undefined;
}

function makeScoring(
  reader: IndexReader,
  request: SearchRequest,
  { query, fields, found, ranking, only }: Understood,
): Scoring {
  const { requirements } = query;
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
        selected: restrictShard(reader, visible, { request, only, fields, requirements, judge: found.judge }),
        weightOf: (document) => reader.collectionAt(collectionOf(locator, document)).weight,
      };
    }),
  };
}

/** All documents that match, in the order that is asked for. */
function rank(reader: IndexReader, request: SearchRequest, query: ParsedQuery, scoring: Scoring): ScoredDocument[] {
  const listsAll = isBrowsing(query);
  const ranked = listsAll ? listSelected(scoring) : scoreDocuments(scoring);
  if (!listsAll) reader.countScored(ranked.length);
  if (request.sort === "relevance" && !listsAll) return ranked;
  return sortDocuments(reader, ranked, request.sort === "relevance" ? "path" : request.sort);
}

/** Every document that may be found: what a query of fields alone asks for. */
function listSelected({ shards }: Scoring): ScoredDocument[] {
  return shards.flatMap(({ locator, selected }, shard) =>
    Array.from({ length: locator.slots }, (_, document) => document)
      .filter((document) => hasDocument(locator, document) && selected?.[document] !== 0)
      .map((document): ScoredDocument => ({ shard, document, score: 0, isFallback: false, sections: [] })),
  );
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

/** The phrases of a requirement as they were typed: several languages read one phrase. */
function listWritten({ anyOf }: Requirement): string[] {
  return [...new Set(anyOf.map(({ written }) => written))];
}

function sortDocuments(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  sort: "path" | "title" | "words",
): ScoredDocument[] {
  const keyed = ranked.map((document) => {
    const shard = reader.shards[document.shard]?.index ?? 0;
    const name = residentTable(reader, shard, "titles")[document.document];
    const words = bodyWords(residentTable(reader, shard, "locator"), document.document);
    return { document, path: name?.path ?? "", title: name?.title ?? "", words };
  });
  keyed.sort((a, b) => {
    if (sort === "words") return b.words - a.words || compareNames(a.path, b.path);
    return (sort === "title" ? compareNames(a.title, b.title) : 0) || compareNames(a.path, b.path);
  });
  return keyed.map(({ document }) => document);
}

function keepGoodSections(document: ScoredDocument): ScoredDocument {
  const best = document.sections[0]?.score ?? 0;
  return {
    ...document,
    sections: document.sections.filter((section) => section.score >= FURTHER_SECTION_SHARE * best),
  };
}

function countResult(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  rejected: ReadonlySet<ScoredDocument>,
): FacetCounts {
  const members = new Map(reader.shards.map(({ index, root }) => [index, new Uint8Array(root.slots)]));
  for (const scored of ranked) {
    const { shard, document } = scored;
    if (rejected.has(scored)) continue;
    const set = members.get(reader.shards[shard]?.index ?? -1);
    if (set !== undefined) set[document] = 1;
  }
  return countFacets(reader, (shard, document) => members.get(shard)?.[document] === 1);
}
