/**
 * What only some searches need: phrases, filters, fields, facets, orders other than by score, explanations, and words that no
 * document holds. A page loads it with the first search that does; everybody else has it at hand.
 */

import { indexOfNumber } from "../bytes/numbers.ts";
import { documentReads, findPlace, loadDocuments } from "../docs/documents.ts";
import { checkFilter, facetsOf, listFacetValues } from "../docs/facets.ts";
import { hasDocument, type Locator } from "../format/locator.ts";
import type { Explanation } from "./answer.ts";
import { checkPage } from "./check-page.ts";
import { correctWords, mergeEqual } from "./correct.ts";
import { countResult, readFields, restrictShard } from "./filter.ts";
import { listSelected, sortDocuments } from "./order-documents.ts";
import { addSynonyms, judgePhrases, listPhrasePairs } from "./phrases.ts";
import { type Held, SECTION_SHARES } from "./ranking.ts";
import { type DocumentParts, gradeNames, scoreFields, scoreTitle, sumPairs, weighTitle } from "./score.ts";
import { scoreSections } from "./score-sections.ts";
import { type ScoredDocument, type Scoring, type WordPostings, type WordWeights, weighWord } from "./scoring.ts";

export const REFINED = {
  addSynonyms,
  checkFilter,
  checkPage,
  correctWords,
  countResult,
  explainScore,
  facetsOf,
  documentReads,
  findPlace,
  judgePhrases,
  listFacetValues,
  listPhrasePairs,
  listSelected,
  loadDocuments,
  mergeEqual,
  readFields,
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
