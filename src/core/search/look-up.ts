/**
 * What the index holds of a query: postings of its words, pairs and synonyms in one wave, and of what stands in for words
 * that no document holds in two more.
 */
import type { IndexReader, TableRead } from "../index/index-reader.ts";
import type { ResidentTable } from "../index/resident.ts";
import type { Analyzers } from "../text/analyze.ts";
import type { Correction } from "./correct.ts";
import type { PhraseJudge } from "./phrases.ts";
import type { ParsedQuery } from "./query.ts";
import type { QueryWord } from "./query-words.ts";
import type { RankingParameters } from "./ranking.ts";
import { readWords, type WordsRead } from "./read-words.ts";
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
export async function lookUp(reader: IndexReader, query: ParsedQuery, options: LookUpOptions): Promise<Found> {
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
    phrasePairs: query.requirements.length === 0 ? [] : (await import("./phrases.ts")).listPhrasePairs(query),
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
    const { correctWords, mergeEqual } = await import("./correct.ts");
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
    judge:
      query.requirements.length === 0
        ? undefined
        : (await import("./phrases.ts")).judgePhrases(reader, read, analyzers),
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
