/**
 * What only some searches need: phrases, filters, fields, facets, orders other than by score, explanations, and words that no
 * document holds. A page loads it with the first search that does; everybody else has it at hand.
 */

import { indexOfNumber } from "../bytes/numbers.ts";
import { documentReads, findPlace, loadDocuments } from "../docs/documents.ts";
import { checkFilter, facetsOf, listFacetValues } from "../docs/facets.ts";
import { hasDocument, type Locator } from "../format/locator.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { readWithResident } from "../index/resident.ts";
import { shortenText } from "../text/short-text.ts";
import type { DocumentHit, Explanation, Interpretation, SearchAnswer, SearchRequest } from "./answer.ts";
import { checkPage } from "./check-page.ts";
import { correctWords, mergeEqual } from "./correct.ts";
import { countResult, type QueryFields, readFields, restrictShard } from "./filter.ts";
import { listSelected, sortDocuments } from "./order-documents.ts";
import { addSynonyms, judgePhrases, listPhrasePairs } from "./phrases.ts";
import { listWritten, type ParsedQuery } from "./query.ts";
import { type Held, SECTION_SHARES } from "./ranking.ts";
import { canBegin } from "./read-words.ts";
import { type DocumentParts, gradeNames, scoreFields, scoreTitle, sumPairs, weighTitle } from "./score.ts";
import { scoreSections } from "./score-sections.ts";
import { type ScoredDocument, type Scoring, type WordPostings, type WordWeights, weighWord } from "./scoring.ts";

export const REFINED = {
  addDetails,
  addSynonyms,
  checkFilter,
  checkPage,
  correctWords,
  countResult,
  explainScore,
  facetsOf,
  interpret,
  documentReads,
  findPlace,
  judgePhrases,
  listPhrasePairs,
  listSelected,
  loadDocuments,
  mergeEqual,
  readFacetKeys,
  readFields,
  relaxPhrases,
  restrictShard,
  sortDocuments,
} as const;

/** Gives the functions when a search first needs one of them. */
export type LoadRefined = () => Promise<typeof REFINED>;

/** Gives them at once. */
export const loadRefined: LoadRefined = async () => REFINED;

/** The parts of a document's score. Sections count among the best documents only, and here when they did. */
function explainScore(scored: ScoredDocument, scoring: Scoring): Explanation {
  const shard = scoring.shards[scored.shard];
  const weights = scoring.words.map((word) => weighWord(word, scoring.statistics));
  if (shard === undefined || !hasDocument(shard.locator, scored.document)) {
    throw new RangeError("the document is not in the index");
  }
  const words = scoring.words.map((word, at) =>
    explainWord(word, weights[at] as WordWeights, scored, shard.locator, scoring),
  );
  const collectionWeight = shard.weightOf(scored.document);
  const pairs = sumPairs(scoring, scored.shard, scored.document);
  const ofWords = words.reduce((total, { parts }) => total + sum(parts), 0);
  const weighed = (of: "inTitle" | "inName"): Held => {
    const ofHeld = (share: (word: ExplainedWord) => number): number =>
      words.reduce((total, word, at) => total + share(word) * (weights[at] as WordWeights).title, 0);
    return { weight: ofHeld((word) => (word[of] > 0 ? 1 : 0)), counted: ofHeld((word) => word[of]) };
  };
  const [titled, named] = [weighed("inTitle"), weighed("inName")];
  const whole = weighTitle(weights, scoring);
  const length = shard.locator.titles[scored.document] as number;
  const wholeTitle = named.weight === 0 ? 0 : scoreTitle(titled, named, length, whole, scoring);
  const name = scoring.ranking.name * whole * (gradeNames(scoring, scored.shard).get(scored.document) ?? 0);
  const { sections, added } = scoreSections(scored, scoring, weights);
  const ofSections = added / collectionWeight;
  // What the score holds beside the other parts is all that the sections give, or nothing.
  const rest = scored.score / collectionWeight - ofWords - wholeTitle - name - pairs;
  const isCounted = rest > ofSections / 2;
  return {
    words: words.map(({ word, terms, parts }) => ({ word, terms, ...parts })),
    wholeTitle,
    name,
    pairs,
    sections: sections.map(({ ordinal, parts }, rank) => ({
      ordinal,
      share: isCounted ? scoring.ranking.sections * (SECTION_SHARES[rank] ?? 0) : 0,
      ...parts,
    })),
    sectionsTotal: isCounted ? ofSections : 0,
    collectionWeight,
  };
}

interface ExplainedWord {
  readonly word: string;
  readonly terms: readonly string[];
  readonly parts: DocumentParts;
  /** Weight of the first of its terms that the title holds, be it not the one that counts most; 0 where none is. */
  readonly inTitle: number;
  /** The same of title and path. */
  readonly inName: number;
}

function explainWord(
  { term, alternatives, isBonus }: WordPostings,
  weights: WordWeights,
  { shard, document }: ScoredDocument,
  locator: Locator,
  scoring: Scoring,
): ExplainedWord {
  let best: DocumentParts = { body: 0, title: 0, path: 0, description: 0 };
  let inTitle = 0;
  let inName = 0;
  for (const { weight, lists } of alternatives) {
    const list = lists[shard];
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) continue;
    const parts = scoreFields(list, index, locator, weights, scoring);
    const isTitled = (list.title[index] as number) > 0;
    if (inTitle === 0 && isTitled && isBonus !== true) inTitle = weight;
    if (inName === 0 && (isTitled || list.path[index] === 1) && isBonus !== true) inName = weight;
    if (weight * sum(parts) > sum(best)) {
      best = {
        body: weight * parts.body,
        title: weight * parts.title,
        path: weight * parts.path,
        description: weight * parts.description,
      };
    }
  }
  return { word: term, terms: alternatives.map((alternative) => alternative.term), parts: best, inTitle, inName };
}

function sum({ body, title, path, description }: DocumentParts): number {
  return body + title + path + description;
}

/**
 * Facet keys that a query may name. The root lists those of all access groups; who sees some groups only gets those of
 * the groups' own tables, for one read more.
 */
async function readFacetKeys(reader: IndexReader): Promise<readonly string[]> {
  await readWithResident(reader, ["facets"]);
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

/** Longest description of a hit, in UTF-16 units. */
const MAX_DESCRIPTION = 200;

/** Hits with what their documents say of themselves, where an excerpt is shown. */
async function addDetails(reader: IndexReader, hits: readonly DocumentHit[]): Promise<DocumentHit[]> {
  const ids = hits.flatMap(({ id, sections }) => (sections.some(({ heading }) => heading !== "") ? [id] : []));
  const entries = new Map((await loadDocuments(reader, ids)).map((entry) => [entry.id, entry]));
  return hits.map((hit) => {
    const { description, contentHash, meta } = entries.get(hit.id) ?? hit;
    return { ...hit, description: shortenText(description, MAX_DESCRIPTION), contentHash, meta };
  });
}
