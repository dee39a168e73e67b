/**
 * How a score came about: every part of it, so that adding them up gives the score. Formula: `score.ts`. Pure.
 */
import { indexOfNumber } from "../bytes/sorted-numbers.ts";
import type { LocatedDocument } from "../format/locator.ts";
import type { PostingList } from "../format/postings.ts";
import type { Explanation, WordScore } from "./answer.ts";
import { SECTION_SHARES } from "./ranking.ts";
import { type DocumentParts, scoreFields, scoreWholeTitle, sumPairs } from "./score.ts";
import { scoreSections } from "./score-sections.ts";
import type { ScoredDocument, Scoring } from "./scoring.ts";
import { type WordPostings, type WordWeights, weighWord } from "./statistics.ts";

/** The parts of a document's score. Sections count among the best documents only, and here when they did. */
export function explainScore(scored: ScoredDocument, scoring: Scoring): Explanation {
  const shard = scoring.shards[scored.shard];
  const located = shard?.locator[scored.document];
  const weights = scoring.words.map((word) => weighWord(word, scoring.statistics));
  if (shard === undefined || located === undefined) throw new RangeError("the document is not in the index");
  const words = scoring.words.map((word, at) =>
    explainWord(word, weights[at] as WordWeights, scored, located, scoring),
  );
  const collectionWeight = shard.weightOf(located);
  const pairs = sumPairs(scoring, scored.shard, scored.document);
  const ofWords = words.reduce((sum, { body, title, path, description }) => sum + body + title + path + description, 0);
  const wholeTitle = explainTitle(scored, located, weights, scoring);
  const { sections, added } = scoreSections(scored, scoring, weights);
  const ofSections = added / collectionWeight;
  // What the score holds beside the other parts is all that the sections give, or nothing.
  const isCounted = scored.score / collectionWeight - ofWords - wholeTitle - pairs > ofSections / 2;
  return {
    words,
    wholeTitle,
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

function explainTitle(
  { shard, document }: ScoredDocument,
  { lengths }: LocatedDocument,
  weights: readonly WordWeights[],
  scoring: Scoring,
): number {
  const covered = scoring.words.reduce((sum, word, at) => {
    if (word.isBonus === true) return sum;
    const inTitle = word.alternatives.find(({ lists }) => holdsInTitle(lists[shard], document));
    return sum + (inTitle?.weight ?? 0) * (weights[at] as WordWeights).title;
  }, 0);
  return covered === 0 ? 0 : scoreWholeTitle(covered, lengths.title, weights, scoring);
}

function holdsInTitle(list: PostingList | undefined, document: number): boolean {
  const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
  return list !== undefined && index >= 0 && (list.title[index] as number) > 0;
}

function explainWord(
  { term, alternatives }: WordPostings,
  weights: WordWeights,
  { shard, document }: ScoredDocument,
  located: LocatedDocument,
  scoring: Scoring,
): WordScore {
  const none: DocumentParts = { body: 0, title: 0, path: 0, description: 0 };
  let best = none;
  for (const { weight, lists } of alternatives) {
    const list = lists[shard];
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) continue;
    const parts = scoreFields(list, index, located, weights, scoring);
    if (weight * sum(parts) > sum(best)) {
      best = {
        body: weight * parts.body,
        title: weight * parts.title,
        path: weight * parts.path,
        description: weight * parts.description,
      };
    }
  }
  return { word: term, terms: alternatives.map((alternative) => alternative.term), ...best };
}

function sum({ body, title, path, description }: DocumentParts): number {
  return body + title + path + description;
}
