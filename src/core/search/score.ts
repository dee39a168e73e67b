/**
 * Scores of documents: BM25 per field with its own frequencies and lengths, added up.
 *
 *     document = body + title + path + description + whole title + name + pairs + sections, see `score-sections.ts`
 *
 * BM25 after Robertson and Zaragoza (2009), fields summed rather than merged, because each field has a scale of its
 * own. A word that stands for several terms counts the best of them in each document, never their sum. Pure: decoded
 * postings in, scores out.
 */
import { countFirst, indexOfNumber } from "../bytes/numbers.ts";
import { hasDocument, type Locator } from "../format/locator.ts";
import type { PairList } from "../format/pairs.ts";
import type { PostingList } from "../format/postings.ts";
import { BARE_NAME } from "../text/name-forms.ts";
import { coverageShare, type Held, inverseDocumentFrequency, saturate } from "./ranking.ts";
import { scoreSections } from "./score-sections.ts";
import {
  type PairPostings,
  type ScoredDocument,
  type ScoredSection,
  type ScoredShard,
  type Scoring,
  type WordPostings,
  type WordWeights,
  weighWord,
} from "./scoring.ts";

/**
 * Documents whose sections count: the rest are ordered by the document part alone. The same for every page of an
 * answer, or a document could stand on two pages or on none.
 */
const SECTION_CANDIDATES = 200;

/** A pair in more than this share of all documents, and in more than so many, does not score. */
const MOST_PAIR_SHARE = 1 / 50;
const MOST_PAIR_DOCUMENTS = 16;

/** The parts of a document's score, before the weight of its collection. */
export interface DocumentParts {
  body: number;
  title: number;
  path: number;
  description: number;
}

/** Which of the documents that are found are wanted. */
export interface Wanted {
  /** So many in order. */
  readonly count: number;
  /** Whether the others come after them, in any order. */
  readonly withOthers: boolean;
}

/** Documents in order, and sets of all that are found, wanted or not, by visible shard. */
export interface FoundDocuments {
  readonly inOrder: readonly ScoredDocument[];
  readonly members: readonly Uint8Array[];
  readonly total: number;
}

const ALL: Wanted = { count: Number.POSITIVE_INFINITY, withOthers: true };

/**
 * Documents that hold a term of the query, best first, equal ones in the order of the documents.
 *
 * The best ones carry their sections; `withSections` gives them to the others.
 */
export function scoreDocuments(scoring: Scoring, { count, withOthers }: Wanted = ALL): FoundDocuments {
  const weights = scoring.words.map((word) => weighWord(word, scoring.statistics));
  const shards = scoring.shards.map((shard, index) => scoreShard(scoring, weights, shard, index));
  const most = Math.max(count, SECTION_CANDIDATES);
  const best: ScoredDocument[] = [];
  const others: ScoredDocument[] = [];
  let total = 0;
  const members = shards.map(({ scores }) => new Uint8Array(scores.length));
  for (const [shard, { scores, holds }] of shards.entries()) {
    const set = members[shard] as Uint8Array;
    for (let document = 0; document < scores.length; document++) {
      const score = scores[document] as number;
      if (score < 0) continue;
      total++;
      set[document] = 1;
      const isFallback = holds !== undefined && holds[document] === 0;
      const last = best.length < most ? undefined : best[most - 1];
      // Of equal ones the first counts. Of thousands of documents few are shown, and the others are not even made.
      const isBest = last === undefined || (isFallback === last.isFallback ? score > last.score : last.isFallback);
      if (!isBest && !withOthers) continue;
      const found = { shard, document, score, isFallback, sections: NO_SECTIONS };
      if (!isBest) others.push(found);
      else if (most === Number.POSITIVE_INFINITY) best.push(found);
      else
        best.splice(
          countFirst(best.length, (at) => compareScores(best[at] as ScoredDocument, found) < 0),
          0,
          found,
        );
      if (best.length > most) others.push(best.pop() as ScoredDocument);
    }
  }
  if (most === Number.POSITIVE_INFINITY) best.sort(compareScores);
  const rescored: ScoredDocument[] = [];
  for (const candidate of best.splice(0, SECTION_CANDIDATES)) {
    const { sections, added } = scoreSections(candidate, scoring, weights);
    rescored.push({ ...candidate, score: candidate.score + added, sections });
  }
  rescored.sort(compareScores);
  return { inOrder: rescored.concat(best, others), members, total };
}

const NO_SECTIONS: readonly ScoredSection[] = [];

/**
 * Documents of an answer with their best sections, those too that were ordered without them. Scores stay.
 *
 * @param onlyOf Ordinals of the sections that may be shown of the document at an index; all where there are none.
 */
export function withSections(
  documents: readonly ScoredDocument[],
  scoring: Scoring,
  onlyOf: (index: number) => ReadonlySet<number> | undefined = () => undefined,
): ScoredDocument[] {
  const weights = scoring.words.map((word) => weighWord(word, scoring.statistics));
  return documents.map((document, index) => {
    const only = onlyOf(index);
    if (document.sections.length > 0 && only === undefined) return document;
    return { ...document, sections: scoreSections(document, scoring, weights, only).sections };
  });
}

/** `Held` by document, with the last of the words. */
function makeHeld(slots: number) {
  return {
    weight: new Float64Array(slots),
    counted: new Float64Array(slots),
    last: new Int16Array(slots).fill(-1),
  };
}

/** Count a word once a document, whichever of its alternatives is held. */
function addHeld(held: ReturnType<typeof makeHeld>, document: number, at: number, weight: number, share: number): void {
  if (held.last[document] === at) return;
  held.last[document] = at;
  held.weight[document] = (held.weight[document] as number) + weight;
  held.counted[document] = (held.counted[document] as number) + weight * share;
}

function heldIn({ weight, counted }: ReturnType<typeof makeHeld>, document: number): Held {
  return { weight: weight[document] as number, counted: counted[document] as number };
}

function makeSums(slots: number, longerLast: boolean) {
  return {
    /** In the end below 0 where a document is not found. */
    scores: new Float64Array(slots),
    /** 1 where a word of the query itself stands, which longer words are not; absent where that does not matter. */
    holds: longerLast ? new Uint8Array(slots) : undefined,
    /** Words that the title holds, and those that title or path hold. */
    titled: makeHeld(slots),
    named: makeHeld(slots),
    /** The best of the alternatives of one word; 0 between words. */
    best: new Float64Array(slots),
  };
}

/** What words give the documents of a shard. */
type DocumentSums = ReturnType<typeof makeSums>;

function scoreShard(
  scoring: Scoring,
  weights: readonly WordWeights[],
  shard: ScoredShard,
  shardIndex: number,
): Pick<DocumentSums, "scores" | "holds"> {
  const { locator, weightOf } = shard;
  const sums = makeSums(locator.slots, scoring.longerLast);
  const { scores, titled, named } = sums;
  const whole = weighTitle(weights, scoring);
  for (const at of scoring.words.keys()) addWord(sums, at, weights[at] as WordWeights, scoring, shardIndex);
  addPairs(scores, scoring, shard, shardIndex);
  for (const [document, grade] of gradeNames(scoring, shardIndex)) {
    if (!hasDocument(locator, document) || shard.selected?.[document] === 0) continue;
    scores[document] = (scores[document] as number) + scoring.ranking.name * whole * grade;
    if (sums.holds !== undefined) sums.holds[document] = 1;
  }
  for (let document = 0; document < locator.slots; document++) {
    let score = scores[document] as number;
    if ((named.weight[document] as number) > 0) {
      const length = locator.titles[document] as number;
      score += scoreTitle(heldIn(titled, document), heldIn(named, document), length, whole, scoring);
    }
    scores[document] = score > 0 ? score * weightOf(document) : -1;
  }
  return sums;
}

/** Documents of a shard that are called as the query is, with how surely, up to 1. */
export function gradeNames({ names }: Scoring, shardIndex: number): ReadonlyMap<number, number> {
  const grades = new Map<number, number>();
  for (const { grade, lists } of names) {
    const list = lists[shardIndex];
    for (const [at, document] of (list?.documents ?? []).entries()) {
      const own = grade * ((list?.title[at] as number) > 1 ? 1 : BARE_NAME);
      grades.set(document, Math.max(own, grades.get(document) ?? 0));
    }
  }
  return grades;
}

/** Add what a word gives each document: the best of its alternatives. */
function addWord(
  { scores, titled, named, best, holds }: DocumentSums,
  at: number,
  weights: WordWeights,
  scoring: Scoring,
  shardIndex: number,
): void {
  const { alternatives, isBonus } = scoring.words[at] as WordPostings;
  const { locator, selected } = scoring.shards[shardIndex] as ScoredShard;
  const isOne = alternatives.length === 1;
  for (const { weight, isLonger, lists } of alternatives) {
    const list = lists[shardIndex];
    if (list === undefined) continue;
    const { documents, title: inTitles, path: inPaths } = list;
    for (let i = 0; i < documents.length; i++) {
      const document = documents[i] as number;
      if (!hasDocument(locator, document) || (selected !== undefined && selected[document] === 0)) continue;
      const { body, title, path, description } = scoreFields(list, i, locator, weights, scoring);
      const isTitled = (inTitles[i] as number) > 0;
      if (isTitled && isBonus !== true) addHeld(titled, document, at, weights.title, weight);
      if ((isTitled || inPaths[i] === 1) && isBonus !== true) addHeld(named, document, at, weights.title, weight);
      const score = weight * (body + title + path + description);
      if (holds !== undefined && !isLonger) holds[document] = 1;
      if (isOne) scores[document] = (scores[document] as number) + score;
      else if (score > (best[document] as number)) best[document] = score;
    }
  }
  if (isOne) return;
  for (const { lists } of alternatives) {
    for (const document of lists[shardIndex]?.documents ?? []) {
      scores[document] = (scores[document] as number) + (best[document] as number);
      best[document] = 0;
    }
  }
}

/** What one posting gives in each field. */
export function scoreFields(
  list: PostingList,
  index: number,
  { bodies, titles, paths, descriptions }: Locator,
  weights: WordWeights,
  { statistics: { averages }, ranking }: Scoring,
): DocumentParts {
  const document = list.documents[index] as number;
  const { k1, b, title, path, description } = ranking;
  const body = (list.body[index] as number) + (ranking.code - 1) * (list.code[index] as number);
  const part = (weight: number, frequency: number | undefined, length: number): number =>
    (frequency as number) > 0 ? weight * saturate(frequency as number, length, k1, b) : 0;
  const lengthOf = (words: Uint8Array | Float32Array, average: number): number => (words[document] as number) / average;
  return {
    body: part(weights.body, body, lengthOf(bodies, averages.body)),
    title: part(title * weights.title, list.title[index], lengthOf(titles, averages.title)),
    path: part(path * weights.path, list.path[index], lengthOf(paths, averages.path)),
    description: part(
      description * weights.description,
      list.description[index],
      lengthOf(descriptions, averages.description),
    ),
  };
}

/** Weight of all words of the query in titles. */
export function weighTitle(weights: readonly WordWeights[], { words }: Scoring): number {
  return weights.reduce((sum, { title }, at) => (words[at]?.isBonus === true ? sum : sum + title), 0);
}

/**
 * The bonuses for a title that is the query, all of its words and about as many as it has, and for title and path that hold
 * it together.
 *
 * @param titled Words of the query that the title holds.
 * @param named Those that title or path hold.
 * @param length Words of the title.
 * @param whole Weight of all words of the query.
 */
export function scoreTitle(
  titled: Held,
  named: Held,
  length: number,
  whole: number,
  { queryLength, ranking }: Scoring,
): number {
  const size = Math.min(length, queryLength) / Math.max(1, length, queryLength);
  const ofTitle = ranking.titleCoverage * coverageShare(titled, whole) * size ** 2;
  return whole * (ofTitle + ranking.nameCoverage * coverageShare(named, whole));
}

function addPairs(scores: Float64Array, scoring: Scoring, shard: ScoredShard, shardIndex: number): void {
  if (scoring.ranking.pairs === 0) return;
  for (const pair of scoring.pairs) {
    const list = pair.lists[shardIndex];
    if (list === undefined) continue;
    const weight = weighPair(pair, scoring);
    if (weight === 0) continue;
    for (let i = 0; i < list.documents.length; i++) {
      const document = list.documents[i] as number;
      if (!hasDocument(shard.locator, document) || shard.selected?.[document] === 0) continue;
      scores[document] = (scores[document] as number) + scorePair(list, i, shard.locator, weight, scoring);
    }
  }
}

/** What a pair adds to one document. */
function scorePair(
  list: PairList,
  index: number,
  locator: Locator,
  weight: number,
  { statistics, ranking }: Scoring,
): number {
  const length = (locator.bodies[list.documents[index] as number] as number) / statistics.averages.body;
  return ranking.pairs * weight * saturate(list.frequencies[index] as number, length, ranking.k1, ranking.b);
}

/**
 * Inverse document frequency of a pair; 0 for one that so many have that it tells nobody apart, and for one that an index
 * of what the caller sees would not hold.
 */
function weighPair(pair: PairPostings, { statistics }: Scoring): number {
  const documents = pair.lists.reduce((sum, list) => sum + (list?.documents.length ?? 0), 0);
  if (documents > Math.max(MOST_PAIR_DOCUMENTS, statistics.documents * MOST_PAIR_SHARE)) return 0;
  return inverseDocumentFrequency(statistics.documents, documents);
}

/** What all pairs together add to one document, before the weight of its collection. */
export function sumPairs(scoring: Scoring, shardIndex: number, document: number): number {
  const locator = scoring.shards[shardIndex]?.locator;
  if (locator === undefined) return 0;
  return scoring.pairs.reduce((sum, pair) => {
    const list = pair.lists[shardIndex];
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) return sum;
    return sum + scorePair(list, index, locator, weighPair(pair, scoring), scoring);
  }, 0);
}

function compareScores(a: ScoredDocument, b: ScoredDocument): number {
  if (a.isFallback !== b.isFallback) return a.isFallback ? 1 : -1;
  return b.score - a.score || compareDocuments(a, b);
}

/** The order of equally good documents: by group, level and number. */
export function compareDocuments(
  a: Pick<ScoredDocument, "shard" | "document">,
  b: Pick<ScoredDocument, "shard" | "document">,
): number {
  return a.shard - b.shard || a.document - b.document;
}
