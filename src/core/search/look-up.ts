/**
 * What the index holds of a query: postings of its words, pairs and synonyms in one wave, and of what stands in for words
 * that no document holds in two more.
 */

import { isEmptyFilter } from "../docs/model.ts";
import type { IndexReader, TableRead } from "../index/index-reader.ts";
import { isAtHand, type ResidentTable } from "../index/resident.ts";
import type { Analyzers } from "../text/analyze.ts";
import type { SearchRequest } from "./answer.ts";
import type { Correction } from "./correct.ts";
import type { PhraseJudge } from "./phrases.ts";
import { isOfFacet, type ParsedQuery } from "./query.ts";
import type { QueryWord } from "./query-words.ts";
import type { RankingParameters } from "./ranking.ts";
import { readWords, type WordsRead } from "./read-words.ts";
import type { LoadRefined } from "./refined.ts";
import type { WordPostings } from "./statistics.ts";

/** What the index holds of a query's words. */
export interface Found {
  readonly read: WordsRead;
  /** Absent where the query asks for no phrases. */
  readonly judge: PhraseJudge | undefined;
  /** Words that no document holds, and that nothing stands in for. */
  readonly missing: readonly string[];
  readonly corrections: readonly Correction[];
}

/** How to look words up. */
export interface LookUpOptions {
  readonly resident: readonly ResidentTable[];
  /** What is read in the same wave for others to find in memory. */
  readonly also: readonly TableRead[];
  readonly ranking: RankingParameters;
  /** Whether words that no document holds are replaced. */
  readonly correct: boolean;
  /** Whether the last word is still being typed. */
  readonly asYouType: boolean;
  readonly analyzers: Analyzers;
}

/** Look a query up. */
export async function lookUp(
  reader: IndexReader,
  query: ParsedQuery,
  options: LookUpOptions,
  load: LoadRefined,
): Promise<Found> {
  const refined = query.requirements.length === 0 ? undefined : await load();
  const { ranking, analyzers } = options;
  const scoring = query.words.length;
  const bonuses = query.words.flatMap(({ exact, count }) => exact.map((term) => ({ ...toLookedUp(term), count })));
  // Words that decide and do not score: words that must not occur, and of phrases of stop words alone those.
  const known = new Set(query.words.flatMap(({ terms }) => terms));
  const further = [...new Set(query.requirements.flatMap(({ anyOf }) => anyOf.flatMap(({ deciding }) => deciding)))];
  const longer = new Set(query.words.flatMap(({ isPrefix }, at) => (isPrefix ? [at] : [])));
  if (asksForOneWord(query)) longer.add(0);
  const wanted = {
    ...options,
    phrasePairs: refined?.listPhrasePairs(query) ?? [],
    pairs: query.pairs,
    synonymPhrases: query.synonymPhrases,
    longer,
  };
  let words = [...query.words, ...bonuses, ...further.filter((term) => !known.has(term)).map(toLookedUp)];
  let read = await readWords(reader, { ...wanted, words });
  const missing = read.words.slice(0, scoring).flatMap((word, at) => (isMissing(word) ? [at] : []));
  let corrections: readonly Correction[] = [];
  let unknown = missing;
  let merge = (list: readonly WordPostings[]): readonly WordPostings[] => list;
  if (options.correct && missing.length > 0) {
    const { correctWords, mergeEqual } = await load();
    const replaced = await correctWords(reader, words, missing, analyzers);
    if (replaced.changed.size > 0) {
      words = [...replaced.words];
      // What was read before is in memory now, so this reads the new words and their pairs alone.
      read = await readWords(reader, { ...wanted, words });
      merge = mergeEqual;
    }
    corrections = replaced.corrections;
    unknown = missing.filter((at) => !replaced.changed.has(at));
  }
  const scored = dampParts(read.words.slice(0, scoring), words, ranking);
  const added = read.words.slice(scoring, scoring + bonuses.length).filter((word) => !isMissing(word));
  return {
    read: {
      words: [
        ...merge(scored),
        ...added.map((word) => ({ ...word, count: word.count * ranking.exactForms, isBonus: true })),
      ],
      pairs: read.pairs,
      phrasePairs: read.phrasePairs,
    },
    judge: refined?.judgePhrases(reader, read, analyzers),
    missing: unknown.flatMap((at) => (words[at]?.partOf.length === 0 ? [words[at]?.written ?? ""] : [])),
    corrections,
  };
}

function toLookedUp(term: string): QueryWord {
  return { written: term, word: term, terms: [term], exact: [], count: 1, partOf: [], isQuoted: true, isPrefix: false };
}

/** One word and nothing else: sections that hold a longer word only are listed behind those that hold it. */
export function asksForOneWord({ words, requirements, stopWordsUsed }: ParsedQuery): boolean {
  return words.length === 1 && requirements.length === 0 && !stopWordsUsed && words[0]?.terms.length === 1;
}

function isMissing({ alternatives }: WordPostings): boolean {
  return alternatives.every(({ lists }) => lists.every((list) => list === undefined));
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

/** Whether anything but the words decides which documents may be found. */
export function isRestricted(
  { fields, requirements }: ParsedQuery,
  { collections, documentId, filter }: SearchRequest,
): boolean {
  return (
    fields.length > 0 ||
    requirements.length > 0 ||
    collections.length > 0 ||
    documentId !== undefined ||
    !isEmptyFilter(filter)
  );
}

/** Whether a query asks for everything of a kind, and no words put that in order. */
export function isBrowsing({ words, fields, requirements }: ParsedQuery): boolean {
  return words.length === 0 && (fields.length > 0 || requirements.length > 0);
}

/**
 * The resident tables that selecting and ordering need, however large they are. One document is found by the titles where
 * they are at hand, because they lie beside the locator.
 */
export function listNeeded(
  reader: IndexReader,
  query: ParsedQuery,
  { filter, documentId, sort, withFacetCounts }: SearchRequest,
): ResidentTable[] {
  const { fields, requirements } = query;
  // Hits carry them; where text is read to check phrases, nothing may be left to read them with.
  const carriesFacets = requirements.length > 0 && (withFacetCounts === true || isAtHand(reader, "facets"));
  const needsFacets = !isEmptyFilter(filter) || fields.some(isOfFacet) || carriesFacets;
  // What is browsed is listed in the order of paths.
  const needsTitles =
    sort !== "relevance" ||
    isBrowsing(query) ||
    !fields.every(isOfFacet) ||
    (documentId !== undefined && isAtHand(reader, "titles"));
  return ["locator", ...(needsFacets ? (["facets"] as const) : []), ...(needsTitles ? (["titles"] as const) : [])];
}
