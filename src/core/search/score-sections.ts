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
import { coverageShare, type RankingParameters, SECTION_SHARES, saturate } from "./ranking.ts";
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
  heading: number;
  /** Weight of the query's words that the section holds, and of those among them that the title holds too. */
  covered: number;
  inTitle: number;
  headingInTitle: number;
  /** Word counted last in `covered`: words come one after another, each with all its units. */
  lastWord: number;
  lastShare: number;
  lastHeading: number;
}

const NOTHING_MET = {
  heading: 0,
  covered: 0,
  inTitle: 0,
  headingInTitle: 0,
  lastWord: -1,
  lastShare: 0,
  lastHeading: -1,
};

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
  /** Units in the order in which words met them: of equally good ones the first counts. */
  const met: number[] = [];
  /** Text score of each unit, and sections by ordinal: lists, since documents have few of both and maps cost more. */
  const texts: (number | undefined)[] = [];
  const sections: (SectionMatches | undefined)[] = [];
  const meet = (unit: number, score: number): SectionMatches => {
    if (texts[unit] === undefined) met.push(unit);
    texts[unit] = (texts[unit] ?? 0) + score;
    const ordinal = ordinals[unit] ?? 0;
    sections[ordinal] ??= { ordinal, best: -1, ...NOTHING_MET };
    return sections[ordinal];
  };
  let pageTitle = 0;
  /** Weight of the query's words that the title holds. */
  let titled = 0;
  let rest = 0;
  for (const [at, word] of words.entries()) {
    const weight = weights[at] as WordWeights;
    const { units, title, unkept } = matchUnits(word, candidate, locator, weight.unit, scoring);
    if (title > 0 && word.isBonus !== true) {
      const length = (locator.titles[candidate.document] as number) / statistics.averages.title;
      pageTitle += weight.title * saturate(title, length, ranking.k1, ranking.b);
      titled += weight.unit;
    }
    if (units.length === 0 && word.isBonus !== true) rest += unkept * weight.unit;
    for (const { at: unit, score, heading, share } of units) {
      const matches = meet(unit, score);
      if (word.isBonus === true) continue;
      if (heading && matches.lastHeading !== at) {
        matches.heading += share * weight.unit;
        if (title > 0) matches.headingInTitle += weight.unit;
      }
      if (heading) matches.lastHeading = at;
      // Once a word, by the best of the section's units.
      const counted = matches.lastWord === at ? matches.lastShare : 0;
      if (share > counted) {
        matches.covered += (share - counted) * weight.unit;
        if (title > 0 && counted === 0) matches.inTitle += weight.unit;
        matches.lastShare = share;
      }
      matches.lastWord = at;
    }
  }
  // Words whose units a heavy list does not keep count as if they stood once in the section that holds most of the query.
  if (rest > 0 && (met.length > 0 || ordinals.length === 1)) {
    const coveredAt = (unit: number): number => sections[ordinals[unit] ?? 0]?.covered ?? 0;
    const best = met.reduce((one, other) => (coveredAt(other) > coveredAt(one) ? other : one), met[0] ?? 0);
    meet(best, rest * saturate(1, 1, ranking.k1, ranking.b)).covered += rest;
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

/** Units of a document that hold a word, the word's title count, and the weight of its best alternative whose units are not known. */
function matchUnits(
  { alternatives }: WordPostings,
  { shard, document }: Pick<ScoredDocument, "shard" | "document">,
  locator: Locator,
  weightOfUnit: number,
  { statistics, ranking }: Scoring,
): { readonly units: readonly UnitMatch[]; readonly title: number; readonly unkept: number } {
  const units: UnitMatch[] = [];
  const byUnit: (UnitMatch | undefined)[] = [];
  let title = 0;
  let unkept = 0;
  for (const { weight, lists } of alternatives) {
    const list = lists[shard];
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) continue;
    title = Math.max(title, weight * (list.title[index] as number));
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
  return { units, title, unkept };
}

/** What all sections of a document have in common: weights of the query and of its words in the title, what the title gives. */
interface OfDocument {
  readonly whole: number;
  readonly carried: number;
  readonly titled: number;
}

function scoreSection(
  { ordinal, best, heading: inHeading, covered, inTitle, headingInTitle }: SectionMatches,
  text: number,
  { whole, carried, titled }: OfDocument,
  ranking: RankingParameters,
): ScoredSection {
  const held = Math.min(1, (covered + titled - inTitle) / whole);
  const named = Math.min(1, (inHeading + titled - headingInTitle) / whole);
  const coverage =
    whole *
    (ranking.coverage * coverageShare(held) +
      ranking.headingCoverage *
        Math.max(0, coverageShare(named) - ranking.titleShare * coverageShare(Math.min(1, titled / whole))) +
      (held >= 1 - ROUNDING ? ranking.fullCoverage : 0));
  const heading = ranking.heading * inHeading;
  const parts = { text, heading, title: carried, coverage };
  return { ordinal, unit: best + FIRST_TEXT_UNIT, score: text + heading + carried + coverage, parts };
}
