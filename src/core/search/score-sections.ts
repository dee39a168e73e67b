/**
 * The best sections of a document, and what they add to its score. Formula: `score.ts`. Pure.
 */
import { indexOfNumber } from "../bytes/numbers.ts";
import { type Locator, sectionsOfUnits, titleWords, unitLength } from "../format/locator.ts";
import { FIRST_TEXT_UNIT, visitUnits } from "../format/postings.ts";
import { coverageShare, type RankingParameters, SECTION_SHARES, saturate } from "./ranking.ts";
import type { ScoredDocument, ScoredSection, ScoredShard, Scoring } from "./scoring.ts";
import type { WordPostings, WordWeights } from "./statistics.ts";

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
  let pageTitle = 0;
  for (const [at, word] of words.entries()) {
    const weight = weights[at] as WordWeights;
    const { units, title } = matchUnits(word, candidate, locator, weight.unit, scoring);
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

/** Units of a document that hold a word, each with the best of the word's alternatives, and the word's title count. */
function matchUnits(
  { alternatives }: WordPostings,
  { shard, document }: Pick<ScoredDocument, "shard" | "document">,
  locator: Locator,
  weightOfUnit: number,
  { statistics, ranking }: Scoring,
): { readonly units: ReadonlyMap<number, UnitMatch>; readonly title: number } {
  const units = new Map<number, UnitMatch>();
  let title = 0;
  for (const { weight, lists } of alternatives) {
    const list = lists[shard];
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) continue;
    title = Math.max(title, weight * (list.title[index] as number));
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
  return { units, title };
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
