/**
 * What the index holds of a query: postings of its words, pairs and synonyms in one wave, and of what stands in for words
 * that no document holds in two more.
 */
import { bodyWords, isContinuation, type Locator, unitLength } from "../format/locator.ts";
import type { IndexReader, TableRead } from "../index/index-reader.ts";
import { type ResidentTable, residentTable } from "../index/resident.ts";
import { type Analyzers, makeStopTermTest } from "../text/analyze.ts";
import type { Correction } from "./correct.ts";
import type { PhraseJudge } from "./phrases.ts";
import type { ParsedQuery } from "./query.ts";
import type { QueryWord } from "./query-words.ts";
import type { RankingParameters } from "./ranking.ts";
import { readWords, type WordsRead } from "./read-words.ts";
import type { WordPostings } from "./statistics.ts";

/** Pairs that are looked up for phrases: each may cost a read. */
const MAX_PHRASE_PAIRS = 12;

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
  readonly analyzers: Analyzers;
}

/** Look a query up. */
export async function lookUp(reader: IndexReader, query: ParsedQuery, options: LookUpOptions): Promise<Found> {
  const { resident, also, ranking, analyzers } = options;
  const scoring = query.words.length;
  const bonuses = query.words.flatMap(({ exact, count }) => exact.map((term) => ({ ...toLookedUp(term), count })));
  // Words that decide and do not score: words that must not occur, and of phrases of stop words alone those.
  const known = new Set(query.words.flatMap(({ terms }) => terms));
  const further = [...new Set(query.requirements.flatMap(({ anyOf }) => anyOf.flatMap(({ deciding }) => deciding)))];
  const longer = new Set(query.words.flatMap(({ isPrefix }, at) => (isPrefix ? [at] : [])));
  if (asksForOneWord(query)) longer.add(0);
  const wanted = {
    phrasePairs: listPhrasePairs(query),
    pairs: query.pairs,
    synonymPhrases: query.synonymPhrases,
    resident,
    also,
    ranking,
    longer,
  };
  let words = [...query.words, ...bonuses, ...further.filter((term) => !known.has(term)).map(toLookedUp)];
  let read = await readWords(reader, { ...wanted, words });
  const missing = read.words.slice(0, scoring).flatMap((word, at) => (isMissing(word) ? [at] : []));
  let corrections: readonly Correction[] = [];
  let unknown = missing;
  if (options.correct && missing.length > 0) {
    const { correctWords } = await import("./correct.ts");
    const replaced = await correctWords(reader, words, missing, analyzers);
    if (replaced.changed.size > 0) {
      words = [...replaced.words];
      // What was read before is in memory now, so this reads the new words and their pairs alone.
      read = await readWords(reader, { ...wanted, words });
    }
    corrections = replaced.corrections;
    unknown = missing.filter((at) => !replaced.changed.has(at));
  }
  const scored = dampParts(read.words.slice(0, scoring), words, ranking);
  const added = read.words.slice(scoring, scoring + bonuses.length).filter((word) => !isMissing(word));
  return {
    read: {
      words: [
        ...mergeEqual(scored),
        ...added.map((word) => ({ ...word, count: word.count * ranking.exactForms, isBonus: true })),
      ],
      pairs: read.pairs,
      phrasePairs: read.phrasePairs,
    },
    judge: query.requirements.length === 0 ? undefined : await makeJudge(reader, read, analyzers),
    missing: unknown.flatMap((at) => (words[at]?.partOf.length === 0 ? [words[at]?.written ?? ""] : [])),
    corrections,
  };
}

/**
 * Terms side by side in phrases. Of a long phrase some say enough, those of words that are no stop words first: they
 * stand in the fewest documents.
 */
function listPhrasePairs({ requirements }: ParsedQuery): (readonly [string, string])[] {
  const found = new Map<string, { readonly pair: readonly [string, string]; readonly words: number }>();
  for (const { terms, deciding } of requirements.flatMap(({ anyOf }) => anyOf)) {
    for (const [at, second] of terms.slice(1).entries()) {
      const pair = [terms[at] as string, second] as const;
      found.set(pair.join(" "), { pair, words: pair.filter((term) => deciding.includes(term)).length });
    }
  }
  return [...found.values()]
    .sort((a, b) => b.words - a.words)
    .slice(0, MAX_PHRASE_PAIRS)
    .map(({ pair }) => pair);
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

/** A corrected word can be one that the query has already: it counts once more, as one word. */
function mergeEqual(words: readonly WordPostings[]): WordPostings[] {
  const merged = new Map<string, WordPostings>();
  for (const word of words) {
    const known = merged.get(word.term);
    merged.set(word.term, known === undefined ? word : { ...known, count: known.count + word.count });
  }
  return [...merged.values()];
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

async function makeJudge(
  reader: IndexReader,
  { words, phrasePairs }: WordsRead,
  analyzers: Analyzers,
): Promise<PhraseJudge> {
  const { PhraseJudge } = await import("./phrases.ts");
  const locators = reader.shards.map(({ index }) => residentTable(reader, index, "locator"));
  return new PhraseJudge(words, phrasePairs, {
    isStopTerm: makeStopTermTest(analyzers),
    continues: (shard, document, unit) => isContinuation(locators[shard] as Locator, document, unit),
    lengthOf: (shard, document, unit) => unitLength(locators[shard] as Locator, document, unit),
    wordsOf: (shard, document) => bodyWords(locators[shard] as Locator, document),
  });
}
