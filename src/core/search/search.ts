/**
 * Search: a query in, ranked documents with their best sections out, in two waves of reads.
 *
 * Wave one: the chunk of each word, in every shard the caller may see, with the locator where it is not in memory.
 * Wave two: the text of the best sections, with titles and facets where they are not in memory. A word that no document
 * holds adds two: the spelling table, and the postings of what was meant. A phrase that the index cannot decide adds
 * rounds of six reads.
 */
import { isContinuation, type LocatedDocument, unitLength } from "../format/locator.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { type ResidentTable, residentTable } from "../index/resident.ts";
import { checkFilter, countFacets, isEmptyFilter } from "../tree/facets.ts";
import type { FacetCounts } from "../tree/model.ts";
import type { Interpretation, SearchAnswer, SearchRequest } from "./answer.ts";
import { type CheckedDocument, checkPage, likeliestFirst } from "./check-page.ts";
import { type Correction, correctWords } from "./correct.ts";
import { explainScore } from "./explain.ts";
import { needsNames, type QueryFields, readFields, restrictShard } from "./filter.ts";
import { loadHits } from "./hits.ts";
import { PhraseJudge } from "./phrases.ts";
import { type ParsedQuery, parseQuery, type QueryWord } from "./query.ts";
import { inverseDocumentFrequency, type RankingParameters, toParameters } from "./ranking.ts";
import { readWords, type WordsRead } from "./read-words.ts";
import { scoreDocuments, withSections } from "./score.ts";
import type { ScoredDocument, ScoredShard, Scoring } from "./scoring.ts";
import { countUnion, sumStatistics, type WordPostings } from "./statistics.ts";

/** A further section of a document is listed when it scores at least this share of the document's best one. */
const FURTHER_SECTION_SHARE = 0.8;

/**
 * Answer a search.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function search(reader: IndexReader, request: SearchRequest): Promise<SearchAnswer> {
  const { asYouType } = request;
  const query = parseQuery(request.query, { facetKeys: reader.facetKeys, asYouType });
  const answer = await answerQuery(reader, request, query);
  const required = query.requirements.filter(({ negated }) => !negated);
  if (!isEmpty(answer) || required.length === 0) return answer;
  // Behind the last page of an answer stands nothing else.
  if (request.offset > 0 && !isEmpty(await answerQuery(reader, { ...request, ...FIRST_PAGE }, query))) return answer;
  // Nothing holds the phrase: what holds its words is more use than nothing, as long as it is said.
  const relaxed = { ...query, requirements: query.requirements.filter(({ negated }) => negated) };
  const wider = await answerQuery(reader, request, relaxed);
  if (wider.hits.length === 0) return answer;
  return { ...wider, relaxedPhrases: required.map(({ anyOf }) => anyOf.map(({ written }) => written)) };
}

/** What shows whether anything holds the phrases of a query. */
const FIRST_PAGE = { offset: 0, excerpts: 0, withFacetCounts: false, explain: false } as const;

function isEmpty({ hits, uncheckedDocuments }: SearchAnswer): boolean {
  return hits.length === 0 && uncheckedDocuments === 0;
}

async function answerQuery(reader: IndexReader, request: SearchRequest, query: ParsedQuery): Promise<SearchAnswer> {
  const ranking = toParameters({ ...reader.index.root.ranking, ...request.ranking });
  // The three lie side by side: asking for all of them is one read, asking for the first and the last would be two.
  const resident: ResidentTable[] = needsNames(query, request) ? ["locator", "facets", "titles"] : ["locator"];
  const found = await lookUp(reader, query, { resident, ranking, correct: request.correct });
  if (!isEmptyFilter(request.filter)) checkFilter(reader, request.filter);
  const fields = readFields(reader, query.fields);
  const scoring = makeScoring(reader, request, { query, fields, found, ranking });
  const inOrder = rank(reader, request, query, scoring);
  const ranked = request.sort === "relevance" ? likeliestFirst(inOrder, query.requirements, found.judge) : inOrder;
  const checked = await checkPage(reader, ranked, query.requirements, found.judge, request);
  const page = showSections(checked.documents, scoring);
  // Nothing found has nothing to count, and needs no read to know it.
  const withFacetCounts = request.withFacetCounts && ranked.length > 0;
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
    ...(query.hasOperators && { interpretation: interpret(query, fields) }),
    facetCounts: withFacetCounts ? countResult(reader, ranked, checked.rejected) : {},
    cost: reader.cost,
  };
}

/** What the index holds of a query's words. */
interface Found {
  readonly read: WordsRead;
  readonly judge: PhraseJudge;
  /** Words that no document holds, and that nothing stands in for. */
  readonly missing: readonly string[];
  readonly corrections: readonly Correction[];
}

interface LookUp {
  readonly resident: readonly ResidentTable[];
  readonly ranking: RankingParameters;
  readonly correct: boolean;
}

async function lookUp(reader: IndexReader, query: ParsedQuery, options: LookUp): Promise<Found> {
  const { resident, ranking } = options;
  const scoring = query.words.length;
  // Words that decide and do not score: stop words of phrases, words that must not occur.
  const known = new Set(query.words.flatMap(({ terms }) => terms));
  const further = [...new Set(query.requirements.flatMap(({ anyOf }) => anyOf.flatMap(({ terms }) => terms)))];
  let words = [...query.words, ...further.filter((term) => !known.has(term)).map(toLookedUp)];
  const longer = new Set(query.words.flatMap(({ isPrefix }, at) => (isPrefix ? [at] : [])));
  if (asksForOneWord(query)) longer.add(0);
  let read = await readWords(reader, { words, pairs: query.pairs, resident, ranking, longer });
  const missing = read.words.slice(0, scoring).flatMap((word, at) => (isMissing(word) ? [at] : []));
  let corrections: readonly Correction[] = [];
  let unknown = missing;
  if (options.correct && missing.length > 0) {
    const replaced = await correctWords(reader, words, missing);
    if (replaced.changed.size > 0) {
      words = [...replaced.words];
      // What was read before is in memory now, so this reads the new words and their pairs alone.
      read = await readWords(reader, { words, pairs: query.pairs, resident, ranking, longer });
    }
    corrections = replaced.corrections;
    unknown = missing.filter((at) => !replaced.changed.has(at));
  }
  const scored = dampParts(read.words.slice(0, scoring), words, ranking);
  return {
    read: { words: mergeEqual(scored), pairs: read.pairs },
    judge: makeJudge(reader, read),
    missing: unknown.flatMap((at) => (words[at]?.partOf.length === 0 ? [words[at]?.written ?? ""] : [])),
    corrections,
  };
}

function toLookedUp(term: string): QueryWord {
  return { written: term, word: term, terms: [term], count: 1, partOf: [], isQuoted: true, isPrefix: false };
}

/** One word and nothing else: sections that hold a longer word only are listed behind those that hold it. */
function asksForOneWord({ words, requirements, stopWordsUsed }: ParsedQuery): boolean {
  return words.length === 1 && requirements.length === 0 && !stopWordsUsed && words[0]?.terms.length === 1;
}

function isMissing({ alternatives }: WordPostings): boolean {
  return alternatives.every(({ lists }) => lists.every((list) => list === undefined));
}

/** A corrected word can be one that the query has already: it counts once more, as one word. */
function mergeEqual(words: readonly WordPostings[]): WordPostings[] {
  const merged = new Map<string, WordPostings>();
  for (const word of words) {
    const known = merged.get(word.term);
    merged.set(word.term, known === undefined ? word : { ...known, count: known.count + word.count });
  }
  return [...merged.values()];
}

/** Parts of an identifier count less where the identifier itself is in the index: who writes it whole means it whole. */
function dampParts(
  postings: readonly WordPostings[],
  words: readonly QueryWord[],
  ranking: RankingParameters,
): WordPostings[] {
  const found = new Set(postings.filter((word) => !isMissing(word)).map(({ term }) => term));
  return postings.map((word, at) => {
    const damped = words[at]?.partOf.some((whole) => found.has(whole)) === true;
    return damped ? { ...word, count: word.count * ranking.identifierParts } : word;
  });
}

function makeJudge(reader: IndexReader, { words, pairs }: WordsRead): PhraseJudge {
  const locate = (shard: number, document: number): LocatedDocument =>
    residentTable(reader, reader.shards[shard]?.index ?? 0, "locator")[document] as LocatedDocument;
  return new PhraseJudge(words, pairs, {
    continues: (shard, document, unit) => isContinuation(locate(shard, document), unit),
    lengthOf: (shard, document, unit) => unitLength(locate(shard, document), unit),
  });
}

interface Understood {
  readonly query: ParsedQuery;
  readonly fields: QueryFields;
  readonly found: Found;
  readonly ranking: RankingParameters;
}

function makeScoring(
  reader: IndexReader,
  request: SearchRequest,
  { query, fields, found, ranking }: Understood,
): Scoring {
  const { requirements } = query;
  return {
    words: found.read.words,
    pairs: found.read.pairs,
    statistics: sumStatistics(reader.shards.map(({ root }) => root)),
    ranking,
    queryLength: query.length,
    longerLast: asksForOneWord(query) && query.words[0]?.isPrefix === false,
    shards: reader.shards.map(
      ({ index }, visible): ScoredShard => ({
        locator: residentTable(reader, index, "locator"),
        selected: restrictShard(reader, visible, { request, fields, requirements, judge: found.judge }),
        weightOf: (document) => reader.collectionAt(document.collection).weight,
      }),
    ),
  };
}

/** All documents that match, in the order that is asked for. */
function rank(reader: IndexReader, request: SearchRequest, query: ParsedQuery, scoring: Scoring): ScoredDocument[] {
  const isBrowsing = query.words.length === 0 && (query.fields.length > 0 || query.requirements.length > 0);
  const ranked = isBrowsing ? listSelected(scoring) : scoreDocuments(scoring);
  if (request.sort === "relevance" && !isBrowsing) return ranked;
  return sortDocuments(reader, ranked, request.sort === "relevance" ? "path" : request.sort);
}

/** Every document that may be found: what a query of fields alone asks for. */
function listSelected({ shards }: Scoring): ScoredDocument[] {
  return shards.flatMap(({ locator, selected }, shard) =>
    locator.flatMap((located, document): ScoredDocument[] =>
      located === undefined || selected?.[document] === 0
        ? []
        : [{ shard, document, score: 0, isFallback: false, sections: [] }],
    ),
  );
}

/** Documents with the sections that are shown of them. */
function showSections(checked: readonly CheckedDocument[], scoring: Scoring): ScoredDocument[] {
  return checked.map(({ scored, sections }) => {
    const [filled] = withSections([scored], scoring, sections.length === 0 ? undefined : new Set(sections));
    return keepGoodSections(filled as ScoredDocument);
  });
}

/** How much each term is worth in an excerpt. */
function weighTerms({ words, statistics }: Scoring): Map<string, number> {
  return new Map(
    words.flatMap((word) => {
      const weight = inverseDocumentFrequency(statistics.documents, Math.min(statistics.documents, countUnion(word)));
      return word.alternatives.map((alternative): [string, number] => [
        alternative.term,
        Math.max(Number.EPSILON, weight * alternative.weight),
      ]);
    }),
  );
}

function interpret({ words, requirements }: ParsedQuery, fields: QueryFields): Interpretation {
  const { include, exclude } = fields.facets;
  const facets = (filter: typeof include, negated: boolean): Interpretation["fields"] =>
    Object.entries(filter).map(([field, values]) => ({ field, values, negated }));
  return {
    words: words.map(({ written }) => written),
    required: requirements.filter(({ negated }) => !negated).map(({ anyOf }) => anyOf.map(({ written }) => written)),
    excluded: requirements.filter(({ negated }) => negated).flatMap(({ anyOf }) => anyOf.map(({ written }) => written)),
    fields: [...facets(include, false), ...facets(exclude, true), ...fields.titles, ...fields.paths],
    beginnings: words.filter(({ isPrefix }) => isPrefix).map(({ written }) => written),
  };
}

function sortDocuments(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  sort: "path" | "title" | "words",
): ScoredDocument[] {
  const keyed = ranked.map((document) => {
    const shard = reader.shards[document.shard]?.index ?? 0;
    const name = residentTable(reader, shard, "titles")[document.document];
    const words = residentTable(reader, shard, "locator")[document.document]?.lengths.body ?? 0;
    return { document, path: name?.path ?? "", title: name?.title ?? "", words };
  });
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  keyed.sort((a, b) => {
    if (sort === "words") return b.words - a.words || compare(a.path, b.path);
    return (sort === "title" ? compare(a.title, b.title) : 0) || compare(a.path, b.path);
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
