/**
 * Statistics of everything that a caller may see: counts and average lengths, and what a match weighs by them.
 *
 * Sums over all visible shards, so that a search over shards equals a search over one index. Pure.
 */
import { type FieldFrequencies, type PostingList, pinAverage } from "../format/postings.ts";
import type { ShardRoot } from "../format/root.ts";
import { inverseDocumentFrequency } from "./ranking.ts";

/** Statistics of everything the caller may see. */
export interface CorpusStatistics {
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
  const body = sum((shard) => shard.lengths.body);
  const average = (total: number, count: number): number => pinAverage(total / Math.max(1, count));
  return {
    documents,
    units,
    described,
    averages: {
      body: average(body, documents),
      title: average(
        sum((shard) => shard.lengths.title),
        documents,
      ),
      path: average(
        sum((shard) => shard.lengths.path),
        documents,
      ),
      description: average(
        sum((shard) => shard.lengths.description),
        described,
      ),
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
