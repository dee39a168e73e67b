/**
 * Scores of documents and sections: BM25 per field with its own frequencies and lengths, added up.
 *
 *     document = body + title + whole title + path + description + pairs + sections × (best section + .4 second + .16 third)
 *     section  = text of its best unit + heading + some of the page's title + bonuses for holding the whole query
 *
 * BM25 after Robertson and Zaragoza (2009), fields summed rather than merged, because each field has a scale of its
 * own. A word that stands for several terms counts the best of them in each document, never their sum. Pure: decoded
 * postings in, scores out.
 */
import { indexOfNumber } from "../bytes/numbers.ts";
import {
  bodyWords,
  descriptionWords,
  hasDocument,
  type Locator,
  pathWords,
  sectionsOfUnits,
  titleWords,
  unitLength,
} from "../format/locator.ts";
import type { PairList } from "../format/pairs.ts";
import {
  FIRST_TEXT_UNIT,
  type FieldFrequencies,
  type PostingList,
  pinAverage,
  visitUnits,
} from "../format/postings.ts";
import type { ShardRoot } from "../format/root.ts";
import {
  coverageShare,
  inverseDocumentFrequency,
  type RankingParameters,
  SECTION_SHARES,
  saturate,
} from "./ranking.ts";

/** The parts of a section's score. */
interface SectionParts {
  readonly text: number;
  readonly heading: number;
  /** What it carries of the page's title. */
  readonly title: number;
  /** Bonuses for holding much of the query, or all of it. */
  readonly coverage: number;
}

export interface ScoredSection {
  readonly ordinal: number;
  /** Its best text unit. */
  readonly unit: number;
  readonly score: number;
  readonly parts: SectionParts;
}

/** Two terms with the documents in which they stand side by side, by visible shard; undefined where a shard has no entry. */
export interface PairPostings {
  readonly terms: readonly [string, string];
  readonly lists: readonly (PairList | undefined)[];
}

export interface ScoredShard {
  readonly locator: Locator;
  /** Documents that may be found; undefined = all. */
  readonly selected: Uint8Array | undefined;
  /** Weight of a document's collection. */
  readonly weightOf: (document: number) => number;
}

/** A scored document. `shard` counts the visible shards. */
export interface ScoredDocument {
  readonly shard: number;
  readonly document: number;
  readonly score: number;
  /** Found by longer words alone: stands behind all that hold a word of the query. */
  readonly isFallback: boolean;
  /** Best first, at most three. */
  readonly sections: readonly ScoredSection[];
}

/** All that scoring one query needs. */
export interface Scoring {
  readonly words: readonly WordPostings[];
  readonly pairs: readonly PairPostings[];
  readonly shards: readonly ScoredShard[];
  readonly statistics: CorpusStatistics;
  readonly ranking: RankingParameters;
  /** Words of the query, stop words among them. */
  readonly queryLength: number;
  /** Whether documents that hold longer words alone stand behind the others. */
  readonly longerLast: boolean;
}

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

/**
 * Documents that hold a term of the query, best first; equal ones in the order of the documents.
 *
 * The best ones carry their sections; `withSections` gives them to the others.
 */
export function scoreDocuments(scoring: Scoring): ScoredDocument[] {
  const weights = scoring.words.map((word) => weighWord(word, scoring.statistics));
  const found = scoring.shards.flatMap((shard, index) => scoreShard(scoring, weights, shard, index));
  found.sort(compareScores);
  const rescored = found.slice(0, SECTION_CANDIDATES).map((candidate) => {
    const { sections, added } = scoreSections(candidate, scoring, weights);
    return { ...candidate, score: candidate.score + added, sections };
  });
  rescored.sort(compareScores);
  return [...rescored, ...found.slice(SECTION_CANDIDATES)];
}

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

function scoreShard(
  scoring: Scoring,
  weights: readonly WordWeights[],
  shard: ScoredShard,
  shardIndex: number,
): ScoredDocument[] {
  const { slots } = shard.locator;
  const scores = new Float64Array(slots);
  // 1 where a word of the query itself stands, which longer words are not.
  const holds = scoring.longerLast ? new Uint8Array(slots) : undefined;
  const inTitle = new Float64Array(slots);
  const lastInTitle = new Int16Array(slots).fill(-1);
  for (const [at, word] of scoring.words.entries()) {
    const weight = weights[at] as WordWeights;
    addWord(scores, word, shardIndex, shard, holds, (list, index, share) => {
      const parts = scoreFields(list, index, shard.locator, weight, scoring);
      const document = list.documents[index] as number;
      // Once a word, whichever of its alternatives the title holds.
      if ((list.title[index] as number) > 0 && word.isBonus !== true && lastInTitle[document] !== at) {
        inTitle[document] = (inTitle[document] as number) + share * weight.title;
        lastInTitle[document] = at;
      }
      return parts.body + parts.title + parts.path + parts.description;
    });
  }
  addPairs(scores, scoring, shard, shardIndex);
  for (let document = 0; document < inTitle.length; document++) {
    const covered = inTitle[document] as number;
    if (covered === 0) continue;
    const bonus = scoreWholeTitle(covered, titleWords(shard.locator, document), weights, scoring);
    scores[document] = (scores[document] as number) + bonus;
  }
  const found: ScoredDocument[] = [];
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document] as number;
    if (score <= 0) continue;
    const weight = shard.weightOf(document);
    const isFallback = holds !== undefined && holds[document] === 0;
    found.push({ shard: shardIndex, document, score: score * weight, isFallback, sections: [] });
  }
  return found;
}

/** Add what a word gives each document: the best of its alternatives. */
function addWord(
  scores: Float64Array,
  { alternatives }: WordPostings,
  shardIndex: number,
  shard: ScoredShard,
  holds: Uint8Array | undefined,
  scoreOf: (list: PostingList, index: number, share: number) => number,
): void {
  const best = alternatives.length > 1 ? new Map<number, number>() : undefined;
  for (const { weight, isLonger, lists } of alternatives) {
    const list = lists[shardIndex];
    if (list === undefined) continue;
    for (let i = 0; i < list.documents.length; i++) {
      const document = list.documents[i] as number;
      if (!hasDocument(shard.locator, document) || shard.selected?.[document] === 0) continue;
      const score = weight * scoreOf(list, i, weight);
      if (holds !== undefined && !isLonger) holds[document] = 1;
      if (best === undefined) scores[document] = (scores[document] as number) + score;
      else if (score > (best.get(document) ?? 0)) best.set(document, score);
    }
  }
  if (best === undefined) return;
  for (const [document, score] of best) scores[document] = (scores[document] as number) + score;
}

/** What one posting gives in each field. */
export function scoreFields(
  list: PostingList,
  index: number,
  locator: Locator,
  weights: WordWeights,
  { statistics: { averages }, ranking }: Scoring,
): DocumentParts {
  const document = list.documents[index] as number;
  const { k1, b } = ranking;
  const body = (list.body[index] as number) + (ranking.code - 1) * (list.code[index] as number);
  const part = (weight: number, frequency: number, length: number): number =>
    frequency > 0 ? weight * saturate(frequency, length, k1, b) : 0;
  return {
    body: part(weights.body, body, bodyWords(locator, document) / averages.body),
    title: part(
      ranking.title * weights.title,
      list.title[index] as number,
      titleWords(locator, document) / averages.title,
    ),
    path: part(ranking.path * weights.path, list.path[index] as number, pathWords(locator, document) / averages.path),
    description: part(
      ranking.description * weights.description,
      list.description[index] as number,
      descriptionWords(locator, document) / averages.description,
    ),
  };
}

/**
 * The bonus for a title that is the query: all of the query's words, and about as many words as it has.
 *
 * @param covered Weight of the query's words that the title holds.
 * @param length Words of the title.
 */
export function scoreWholeTitle(
  covered: number,
  length: number,
  weights: readonly WordWeights[],
  { words, queryLength, ranking }: Scoring,
): number {
  const whole = weights.reduce((sum, { title }, at) => (words[at]?.isBonus === true ? sum : sum + title), 0);
  const size = Math.min(length, queryLength) / Math.max(1, length, queryLength);
  return ranking.titleCoverage * whole * coverageShare(Math.min(1, covered / whole)) * size ** 2;
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
  const length = bodyWords(locator, list.documents[index] as number) / statistics.averages.body;
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

/** Sections that hold all terms of a coverage bonus differ from the sum by rounding alone. */
const ROUNDING = 1e-9;

/** What one word finds in one unit. */
interface UnitMatch {
  score: number;
  heading: boolean;
  /** Weight of the best of the word's alternatives that it holds. */
  share: number;
}

/** What the words found in a section so far. */
interface SectionMatches {
  /** Text score of each unit. */
  readonly units: Map<number, number>;
  heading: number;
  /** Weight of the query's words that the section holds. */
  covered: number;
  /** Word counted last in `covered`: words come one after another, each with all its units. */
  lastWord: number;
  lastShare: number;
  lastHeading: number;
}

/**
 * Best sections of a document, at most three, and what they add to its score, weight of the collection included.
 *
 * @param only Ordinals of the sections that count; all when absent.
 */
export function scoreSections(
  candidate: Pick<ScoredDocument, "shard" | "document">,
  scoring: Scoring,
  weights: readonly WordWeights[],
  only?: ReadonlySet<number>,
): { readonly sections: ScoredSection[]; readonly added: number } {
  const { words, shards, statistics, ranking } = scoring;
  const shard = shards[candidate.shard] as ScoredShard;
  const { locator } = shard;
  const ordinals = sectionsOfUnits(locator, candidate.document);
  const sections = new Map<number, SectionMatches>();
  let unplacedWeight = 0;
  let pageTitle = 0;
  for (const [at, word] of words.entries()) {
    const weight = weights[at] as WordWeights;
    const { units, title, unplaced } = matchUnits(word, candidate, locator, weight.unit, scoring);
    if (units.size === 0 && word.isBonus !== true) unplacedWeight += unplaced * weight.unit;
    if (title > 0 && word.isBonus !== true) {
      const length = titleWords(locator, candidate.document) / statistics.averages.title;
      pageTitle += weight.title * saturate(title, length, ranking.k1, ranking.b);
    }
    for (const [unit, { score, heading, share }] of units) {
      const matches = matchesOf(sections, ordinals[unit - FIRST_TEXT_UNIT] ?? 0);
      matches.units.set(unit, (matches.units.get(unit) ?? 0) + score);
      if (word.isBonus === true) continue;
      if (heading && matches.lastHeading !== at) matches.heading += share * weight.unit;
      if (heading) matches.lastHeading = at;
      // Once a word, by the best of the section's units.
      const counted = matches.lastWord === at ? matches.lastShare : 0;
      if (share > counted) {
        matches.covered += (share - counted) * weight.unit;
        matches.lastShare = share;
      }
      matches.lastWord = at;
    }
  }
  if (unplacedWeight > 0) placeWords(unplacedWeight, sections, ordinals, ranking);
  const whole = weights.reduce((sum, weight, at) => (words[at]?.isBonus === true ? sum : sum + weight.unit), 0);
  const carried = ranking.pageTitle * pageTitle;
  const counted = only === undefined ? [...sections] : [...sections].filter(([ordinal]) => only.has(ordinal));
  const scored = counted.map(([ordinal, matches]) => scoreSection(ordinal, matches, whole, carried, ranking));
  // Found by title, path or description alone: the root section stands for the page.
  if (scored.length === 0) {
    const parts = { text: 0, heading: 0, title: carried, coverage: 0 };
    scored.push({ ordinal: 0, unit: FIRST_TEXT_UNIT, score: carried, parts });
  }
  const best = scored.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal).slice(0, SECTION_SHARES.length);
  const added = best.reduce((sum, section, rank) => sum + (SECTION_SHARES[rank] ?? 0) * section.score, 0);
  return { sections: best, added: ranking.sections * added * shard.weightOf(candidate.document) };
}

/**
 * Counts words whose units a heavy list does not keep as if they stood once in the section that holds most of the query, or in
 * the only one.
 *
 * @param weight What they weigh together.
 */
function placeWords(
  weight: number,
  sections: Map<number, SectionMatches>,
  ordinals: ArrayLike<number>,
  { k1, b }: RankingParameters,
): void {
  const [best] = [...sections].sort(([a, x], [b, y]) => y.covered - x.covered || a - b);
  if (best === undefined && ordinals.length > 1) return;
  const matches = best?.[1] ?? matchesOf(sections, 0);
  const [unit = FIRST_TEXT_UNIT] = matches.units.keys();
  matches.units.set(unit, (matches.units.get(unit) ?? 0) + weight * saturate(1, 1, k1, b));
  matches.covered += weight;
}

/**
 * Units of a document that hold a word, each with the best of the word's alternatives, the word's title count, and the weight of the
 * best alternative that stands in units that are not known.
 */
function matchUnits(
  { alternatives }: WordPostings,
  { shard, document }: Pick<ScoredDocument, "shard" | "document">,
  locator: Locator,
  weightOfUnit: number,
  { statistics, ranking }: Scoring,
): { readonly units: ReadonlyMap<number, UnitMatch>; readonly title: number; readonly unplaced: number } {
  const units = new Map<number, UnitMatch>();
  let unplaced = 0;
  let title = 0;
  for (const { weight, lists } of alternatives) {
    const list = lists[shard];
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) continue;
    title = Math.max(title, weight * (list.title[index] as number));
    if ((list.unitsAt[index] as number) < 0 && (list.body[index] as number) > 0) unplaced = Math.max(unplaced, weight);
    visitUnits(list, index, (unit, frequency, heading, code) => {
      if (unit < FIRST_TEXT_UNIT) return;
      const length = unitLength(locator, document, unit) / statistics.averages.unit;
      const counted = code ? frequency * ranking.code : frequency;
      const score = weight * weightOfUnit * saturate(counted, length, ranking.k1, ranking.b);
      const known = units.get(unit);
      if (known === undefined) units.set(unit, { score, heading, share: weight });
      else {
        known.score = Math.max(known.score, score);
        known.heading ||= heading;
        known.share = Math.max(known.share, weight);
      }
    });
  }
  return { units, title, unplaced };
}

function matchesOf(sections: Map<number, SectionMatches>, ordinal: number): SectionMatches {
  let matches = sections.get(ordinal);
  if (matches === undefined) {
    matches = { units: new Map(), heading: 0, covered: 0, lastWord: -1, lastShare: 0, lastHeading: -1 };
    sections.set(ordinal, matches);
  }
  return matches;
}

function scoreSection(
  ordinal: number,
  matches: SectionMatches,
  whole: number,
  carried: number,
  ranking: RankingParameters,
): ScoredSection {
  let unit = FIRST_TEXT_UNIT;
  let text = -1;
  for (const [candidate, score] of matches.units) {
    if (score > text) {
      text = score;
      unit = candidate;
    }
  }
  const isFull = matches.covered >= whole * (1 - ROUNDING);
  const coverage =
    whole *
    (ranking.coverage * coverageShare(matches.covered / whole) +
      ranking.headingCoverage * coverageShare(matches.heading / whole) +
      (isFull ? ranking.fullCoverage : 0));
  const heading = ranking.heading * matches.heading;
  const parts = { text, heading, title: carried, coverage };
  return { ordinal, unit, score: text + heading + carried + coverage, parts };
}

/** Statistics of everything the caller may see. */
interface CorpusStatistics {
  readonly documents: number;
  readonly units: number;
  readonly described: number;
  readonly averages: {
    readonly body: number;
    readonly title: number;
    readonly path: number;
    readonly description: number;
    readonly unit: number;
  };
}

/** One term that a word can stand for, with its postings in every visible shard (undefined where it does not occur). */
export interface Alternative {
  readonly term: string;
  /** What a match counts, 1 for the word itself. */
  readonly weight: number;
  /** True for a longer word that the query's word begins. */
  readonly isLonger: boolean;
  /** Terms that an excerpt marks for it; the term itself when absent. */
  readonly marks?: readonly string[];
  readonly lists: readonly (PostingList | undefined)[];
}

/** One word of a query with the postings of all that it can stand for. */
export interface WordPostings {
  /** The term it is known by. */
  readonly term: string;
  /** How often the query holds the word; less than 1 for parts of an identifier that is found whole. */
  readonly count: number;
  readonly alternatives: readonly Alternative[];
  /** True for a form that adds to a score and is no word of the query: no section has to hold it. */
  readonly isBonus?: boolean;
}

/** What a match of a word weighs in each field: its inverse document frequency there, times its count. */
export interface WordWeights {
  readonly body: number;
  readonly title: number;
  readonly path: number;
  readonly description: number;
  readonly unit: number;
}

/** Sum statistics over shards. Average lengths move in steps of 2^¼, so that a small edit leaves scores as they are. */
export function sumStatistics(shards: readonly ShardRoot[]): CorpusStatistics {
  const sum = (count: (shard: ShardRoot) => number): number => shards.reduce((total, shard) => total + count(shard), 0);
  const documents = sum((shard) => shard.documents);
  const units = sum((shard) => shard.units);
  const described = sum((shard) => shard.described);
  const length = (field: keyof ShardRoot["lengths"]): number => sum((shard) => shard.lengths[field]);
  const body = length("body");
  const average = (total: number, count: number): number => pinAverage(total / Math.max(1, count));
  return {
    documents,
    units,
    described,
    averages: {
      body: average(body, documents),
      title: average(length("title"), documents),
      path: average(length("path"), documents),
      description: average(length("description"), described),
      unit: average(body, units),
    },
  };
}

/** Weights of a word. Where it stands for several terms, the frequency is that of their union: rare forms gain nothing. */
export function weighWord(word: WordPostings, statistics: CorpusStatistics): WordWeights {
  const documents = countUnion(word);
  const total = (field: keyof FieldFrequencies): number =>
    word.alternatives.reduce(
      (sum, { lists }) => sum + lists.reduce((found, list) => found + (list?.frequencies[field] ?? 0), 0),
      0,
    );
  const weigh = (all: number, field: keyof FieldFrequencies, most: number): number =>
    word.count * inverseDocumentFrequency(all, Math.min(most, total(field)));
  return {
    body: weigh(statistics.documents, "body", documents),
    title: weigh(statistics.documents, "title", documents),
    path: weigh(statistics.documents, "path", documents),
    description: weigh(statistics.described, "description", Math.min(documents, statistics.described)),
    unit: weigh(statistics.units, "units", statistics.units),
  };
}

/** Documents that hold any of a word's terms. */
export function countUnion({ alternatives }: WordPostings): number {
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) {
    return only.lists.reduce((sum, list) => sum + (list?.frequencies.documents ?? 0), 0);
  }
  const shards = alternatives[0]?.lists.length ?? 0;
  let count = 0;
  for (let shard = 0; shard < shards; shard++) {
    const seen = new Set<number>();
    let stated = 0;
    for (const { lists } of alternatives) {
      const list = lists[shard];
      if (list === undefined) continue;
      for (const document of list.documents) seen.add(document);
      // Stop words keep few documents and state how many there are.
      stated = Math.max(stated, list.frequencies.documents);
    }
    count += Math.max(stated, seen.size);
  }
  return count;
}
