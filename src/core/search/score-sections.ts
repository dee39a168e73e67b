/**
 * Scores of the sections of a document, which are part of the document's own, see `score.ts`:
 *
 *     section = text of its best unit + heading + some of the page's title + bonuses for holding the whole query
 *
 * Words of the page's title count as held in each of its sections. A heading earns its bonus for what it adds to the title.
 */
import { indexOfNumber } from "../bytes/numbers.ts";
import { type Locator, sectionsOfUnits, unitLength } from "../format/locator.ts";
import { FIRST_TEXT_UNIT, visitUnits } from "../format/postings.ts";
import { coverageShare, type Held, type RankingParameters, SECTION_SHARES, saturate } from "./ranking.ts";
import type { ScoredDocument, ScoredSection, ScoredShard, Scoring, WordPostings, WordWeights } from "./scoring.ts";

/** Share of k1 in units: they are short, and a word in them is there or not. */
const UNIT_K1 = 0.75;

/** Sections that hold all terms of a coverage bonus differ from the sum by rounding alone. */
const ROUNDING = 1e-9;

interface UnitMatch {
  /** Index among the document's text units. */
  readonly at: number;
  score: number;
  heading: boolean;
  /** Weight of the best of the word's alternatives that it holds. */
  share: number;
}

/** What the words found in a section so far. */
interface SectionMatches {
  readonly ordinal: number;
  /** Index of its best unit, below 0 where none is chosen yet. */
  best: number;
  /** Words that the section and its heading hold, and the title as well as they. */
  readonly held: Held;
  readonly inHeading: Held;
  readonly heldInTitle: Held;
  readonly headingInTitle: Held;
  /** Word counted last in `held`: words come one after another, each with all its units. */
  lastWord: number;
  lastShare: number;
  lastHeading: number;
}

function meetSection(ordinal: number): SectionMatches {
  const none = (): Held => ({ weight: 0, counted: 0 });
  const counts = { lastWord: -1, lastShare: 0, lastHeading: -1 };
  return { ordinal, best: -1, held: none(), inHeading: none(), heldInTitle: none(), headingInTitle: none(), ...counts };
}

function addHeld(held: Held, weight: number, share: number): void {
  held.weight += weight;
  held.counted += weight * share;
}

/** Words that one or the other holds. */
function unite(one: Held, other: Held, both: Held): Held {
  return {
    weight: one.weight + other.weight - both.weight,
    counted: one.counted + other.counted - both.counted,
  };
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
  const { words, shards, ranking } = scoring;
  const shard = shards[candidate.shard] as ScoredShard;
  const { locator } = shard;
  const ordinals = sectionsOfUnits(locator, candidate.document);
  /** Units in the order in which words met them: of equally good ones the first counts. */
  const met: number[] = [];
  /** Text score of each unit, and sections by ordinal: lists, since documents have few of both and maps cost more. */
  const texts: (number | undefined)[] = [];
  const sections: (SectionMatches | undefined)[] = [];
  const meet = (unit: number, score: number): SectionMatches => {
    if (texts[unit] === undefined) met.push(unit);
    texts[unit] = (texts[unit] ?? 0) + score;
    const ordinal = ordinals[unit] ?? 0;
    sections[ordinal] ??= meetSection(ordinal);
    return sections[ordinal];
  };
  let pageTitle = 0;
  const titled: Held = { weight: 0, counted: 0 };
  let rest = 0;
  for (const [at, word] of words.entries()) {
    const weight = weights[at] as WordWeights;
    const { units, title, titleShare, unkept } = matchUnits(word, candidate, locator, weight.unit, scoring);
    if (title > 0 && word.isBonus !== true) {
      pageTitle += weight.title * title;
      addHeld(titled, weight.unit, titleShare);
    }
    if (units.length === 0 && word.isBonus !== true) rest += unkept * weight.unit;
    for (const { at: unit, score, heading, share } of units) {
      const matches = meet(unit, score);
      if (word.isBonus === true) continue;
      if (heading && matches.lastHeading !== at) {
        addHeld(matches.inHeading, weight.unit, share);
        if (title > 0) addHeld(matches.headingInTitle, weight.unit, titleShare);
      }
      if (heading) matches.lastHeading = at;
      // Once a word, by the best of the section's units.
      const counted = matches.lastWord === at ? matches.lastShare : 0;
      if (share > counted) {
        if (counted === 0) matches.held.weight += weight.unit;
        if (counted === 0 && title > 0) addHeld(matches.heldInTitle, weight.unit, titleShare);
        matches.held.counted += (share - counted) * weight.unit;
        matches.lastShare = share;
      }
      matches.lastWord = at;
    }
  }
  // Words whose units a heavy list does not keep count as if they stood once in the section that holds most of the query.
  if (rest > 0 && (met.length > 0 || ordinals.length === 1)) {
    const coveredAt = (unit: number): number => sections[ordinals[unit] ?? 0]?.held.counted ?? 0;
    const best = met.reduce((one, other) => (coveredAt(other) > coveredAt(one) ? other : one), met[0] ?? 0);
    addHeld(meet(best, rest * saturate(1, 1, ranking.k1, ranking.b)).held, rest, 1);
  }
  for (const unit of met) {
    const matches = sections[ordinals[unit] ?? 0] as SectionMatches;
    if (matches.best < 0 || (texts[unit] ?? 0) > (texts[matches.best] ?? 0)) matches.best = unit;
  }
  const whole = weights.reduce((sum, weight, at) => (words[at]?.isBonus === true ? sum : sum + weight.unit), 0);
  const carried = ranking.pageTitle * pageTitle;
  const scored: ScoredSection[] = [];
  for (const matches of sections) {
    if (matches === undefined || only?.has(matches.ordinal) === false) continue;
    scored.push(scoreSection(matches, texts[matches.best] ?? 0, { whole, carried, titled }, ranking));
  }
  // Found by title, path or description alone: the root section stands for the page.
  if (scored.length === 0) {
    const parts = { text: 0, heading: 0, title: carried, coverage: 0 };
    scored.push({ ordinal: 0, unit: FIRST_TEXT_UNIT, score: carried, parts });
  }
  const best = scored.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal).slice(0, SECTION_SHARES.length);
  const added = best.reduce((sum, section, rank) => sum + (SECTION_SHARES[rank] ?? 0) * section.score, 0);
  return { sections: best, added: ranking.sections * added * shard.weightOf(candidate.document) };
}

/** Units of a document that hold a word, what its title gives, and the weight of its best alternative whose units are not known. */
function matchUnits(
  { alternatives }: WordPostings,
  { shard, document }: Pick<ScoredDocument, "shard" | "document">,
  locator: Locator,
  weightOfUnit: number,
  { statistics, ranking }: Scoring,
): {
  readonly units: readonly UnitMatch[];
  /** BM25's term part in the title. */
  readonly title: number;
  /** Weight of the best of the word's alternatives that the title holds. */
  readonly titleShare: number;
  readonly unkept: number;
} {
  const units: UnitMatch[] = [];
  const byUnit: (UnitMatch | undefined)[] = [];
  const titleLength = (locator.titles[document] as number) / statistics.averages.title;
  let title = 0;
  let titleShare = 0;
  let unkept = 0;
  for (const { weight, lists } of alternatives) {
    const list = lists[shard];
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) continue;
    const inTitle = list.title[index] as number;
    title = Math.max(title, weight * saturate(inTitle, titleLength, ranking.k1, ranking.b));
    if (inTitle > 0) titleShare = Math.max(titleShare, weight);
    const isKept = (list.unitsAt[index] as number) >= 0 || list.body[index] === 0;
    if (!isKept) unkept = Math.max(unkept, weight);
    visitUnits(list, index, (unit, frequency, heading, code) => {
      const at = unit - FIRST_TEXT_UNIT;
      if (at < 0) return;
      const length = unitLength(locator, document, unit) / statistics.averages.unit;
      const counted = code ? frequency * ranking.code : frequency;
      const score = weight * weightOfUnit * saturate(counted, length, UNIT_K1 * ranking.k1, ranking.b);
      const known = byUnit[at];
      if (known === undefined) {
        byUnit[at] = { at, score, heading, share: weight };
        units.push(byUnit[at]);
      } else {
        known.score = Math.max(known.score, score);
        known.heading ||= heading;
        known.share = Math.max(known.share, weight);
      }
    });
  }
  return { units, title, titleShare, unkept };
}

/** What all sections of a document have in common: weight of the query, its words in the title, what the title gives. */
interface OfDocument {
  readonly whole: number;
  readonly carried: number;
  readonly titled: Held;
}

function scoreSection(
  { ordinal, best, held: own, inHeading, heldInTitle, headingInTitle }: SectionMatches,
  text: number,
  { whole, carried, titled }: OfDocument,
  ranking: RankingParameters,
): ScoredSection {
  const held = unite(own, titled, heldInTitle);
  const named = coverageShare(unite(inHeading, titled, headingInTitle), whole) - coverageShare(titled, whole);
  const isFull = held.weight >= whole * (1 - ROUNDING);
  const coverage =
    whole *
    (ranking.coverage * coverageShare(held, whole) +
      ranking.headingCoverage * Math.max(0, named) +
      (isFull ? ranking.fullCoverage * (held.counted / held.weight) : 0));
  const heading = ranking.heading * inHeading.counted;
  const parts = { text, heading, title: carried, coverage };
  return { ordinal, unit: best + FIRST_TEXT_UNIT, score: text + heading + carried + coverage, parts };
}
