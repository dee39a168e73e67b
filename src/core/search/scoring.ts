/**
 * What scores are made from, and what they are given to: postings of the words of a query, and their weights.
 */
import type { Locator } from "../format/locator.ts";
import type { PairList } from "../format/pairs.ts";
import type { FieldFrequencies, PostingList } from "../format/postings.ts";
import { type CorpusStatistics, inverseDocumentFrequency, type RankingParameters } from "./ranking.ts";

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

/** A name with the documents that have it, by visible shard. Its title frequency is 1 where a document has it without its kind. */
export interface NamePostings {
  /** How surely the query is this name, up to 1. */
  readonly grade: number;
  readonly lists: readonly (PostingList | undefined)[];
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

export interface Scoring {
  readonly words: readonly WordPostings[];
  readonly pairs: readonly PairPostings[];
  readonly shards: readonly ScoredShard[];
  readonly statistics: CorpusStatistics;
  readonly ranking: RankingParameters;
  /** Names that the query may be, with the documents that are called so. */
  readonly names: readonly NamePostings[];
  /** Words of the query, stop words among them. */
  readonly queryLength: number;
  /** Whether documents that hold longer words alone stand behind the others. */
  readonly longerLast: boolean;
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
  /** How often the query holds the word; less than 1 for one that says little. */
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
    const lists = alternatives.flatMap(({ lists }) => lists[shard] ?? []);
    const seen = new Uint8Array(1 + Math.max(0, ...lists.map(({ documents }) => documents.at(-1) ?? 0)));
    let stated = 0;
    let different = 0;
    for (const { documents, frequencies } of lists) {
      for (const document of documents) {
        different += 1 - (seen[document] as number);
        seen[document] = 1;
      }
      // Stop words keep few documents and state how many there are.
      stated = Math.max(stated, frequencies.documents);
    }
    count += Math.max(stated, different);
  }
  return count;
}
