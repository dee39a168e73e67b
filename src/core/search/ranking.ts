/**
 * The numbers that ranking uses, in one place. Formulas: `score.ts`; where they come from: docs/decisions. Pure.
 */
import { pinAverage } from "../format/postings.ts";
import type { ShardRoot } from "../format/root.ts";
import { mergeRanking, RANKING_BOUNDS, type RankingName, type RankingSettings } from "./ranking-settings.ts";

/** Ranking parameters. The defaults were measured: docs/decisions/0003-first-ranking.md and 0004-search.md. */
export interface RankingParameters {
  /** Saturation of term frequency (BM25 k1). */
  readonly k1: number;
  /** Length normalisation (BM25 b). */
  readonly b: number;
  /** Weight of the title part of a document. */
  readonly title: number;
  /** Weight of the path part. */
  readonly path: number;
  /** Weight of the description part. */
  readonly description: number;
  /** Weight of pairs of neighbouring words. */
  readonly pairs: number;
  /** What an occurrence in a code block counts. */
  readonly code: number;
  /** Weight of the heading part of a section. */
  readonly heading: number;
  /** How much of the page's title part its sections carry. */
  readonly pageTitle: number;
  /** Bonus of a section that holds all words of the query, as a share of the sum of their weights; less for less. */
  readonly coverage: number;
  /** Bonus of a section whose heading alone holds all words of the query, measured in the same way. */
  readonly headingCoverage: number;
  /** Bonus of a section that holds every word of the query, as a share of the sum of their weights; nothing for less. */
  readonly fullCoverage: number;
  /** Bonus of a document whose title is the query, as a share of the sum of the words' weights; less for less. */
  readonly titleCoverage: number;
  /** Bonus of a document whose title and path hold the query, measured in the same way. */
  readonly nameCoverage: number;
  /** Bonus of a document that is called as the query is, measured in the same way. */
  readonly name: number;
  /** Weight of the best sections in a document's score. */
  readonly sections: number;
  /** Weight of a longer word that the query's word begins. */
  readonly longerWords: number;
  /** Weight of an English word that says how something is asked for. */
  readonly generalWords: number;
  /** Weight of a synonym. */
  readonly synonyms: number;
  /** Weight of a word with the same accents, on top of the word without them. */
  readonly exactForms: number;
}

/** Weights that no setting changes, and what the others are at their defaults. */
const MEASURED = {
  path: 0.3,
  title: 0.5,
  description: 0.3,
  pairs: 0.9,
  heading: 0.4,
  pageTitle: 0.1,
  coverage: 0.6,
  headingCoverage: 1.5,
  titleCoverage: 3,
  nameCoverage: 3,
  name: 4,
  sections: 1.5,
  generalWords: 0.7,
  synonyms: 0.5,
  exactForms: 0.3,
} as const;
/** What a point of `full_coverage_bonus` is worth. */
const COVERAGE_POINT = 0.01;

/** The parameters that settings stand for: each scales a measured weight in the ratio of its value to its default. */
export function toParameters(settings: RankingSettings): RankingParameters {
  const all = mergeRanking(settings);
  const of = (name: RankingName): number => all[name];
  const scaled = (name: RankingName): number => of(name) / RANKING_BOUNDS[name].default;
  const title = scaled("title_weight");
  return {
    ...MEASURED,
    k1: of("bm25_k1"),
    b: of("bm25_b"),
    title: MEASURED.title * title,
    heading: MEASURED.heading * title,
    headingCoverage: MEASURED.headingCoverage * title,
    titleCoverage: MEASURED.titleCoverage * title,
    nameCoverage: MEASURED.nameCoverage * title,
    name: MEASURED.name * title,
    description: MEASURED.description * scaled("description_weight"),
    pairs: MEASURED.pairs * scaled("term_proximity_bonus"),
    code: scaled("code_weight"),
    fullCoverage: of("full_coverage_bonus") * COVERAGE_POINT,
    longerWords: 1 - of("prefix_penalty"),
  };
}

/** The parameters of the default settings. */
export const DEFAULT_RANKING: RankingParameters = /* @__PURE__ */ toParameters({});

/** Words that something holds: their weight, and the same as far as they count, less for longer words and synonyms. */
export interface Held {
  weight: number;
  counted: number;
}

/** Share of a coverage bonus for holding some words of a query: little for less than all of it. `whole` is the query's weight. */
export function coverageShare({ weight, counted }: Held, whole: number): number {
  const share = Math.min(1, weight / whole);
  // Powers take long, and most sections hold one word of the query or all.
  return share === 0 ? 0 : (share === 1 ? 1 : share ** 4) * (counted / weight);
}

/** How much the best, second and third section of a document count. */
export const SECTION_SHARES = [1, 0.2, 0.1] as const;

/** BM25's inverse document frequency with the +1 that keeps it positive (Lucene's form). */
export function inverseDocumentFrequency(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** BM25's term part: saturated frequency, normalised by length ÷ average length; 0 for what does not count. */
export function saturate(frequency: number, relativeLength: number, k1: number, b: number): number {
  // With k1 0 the fraction would be 0 ÷ 0.
  if (frequency <= 0) return 0;
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * relativeLength));
}

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

/** Sum statistics over shards. Average lengths move in steps of 2^¼, so that a small edit leaves scores as they are. */
export function sumStatistics(shards: readonly ShardRoot[]): CorpusStatistics {
  const sum = (count: (shard: ShardRoot) => number): number => shards.reduce((total, shard) => total + count(shard), 0);
  const documents = sum((shard) => shard.documents);
  const units = sum((shard) => shard.units);
  const described = sum((shard) => shard.described);
  const length = (field: keyof ShardRoot["lengths"]): number => sum((shard) => shard.lengths[field]);
  const body = length("body");
  const average = (total: number, count: number): number => pinAverage(total / Math.max(1, count));
  return {
    documents,
    units,
    described,
    averages: {
      body: average(body, documents),
      title: average(length("title"), documents),
      path: average(length("path"), documents),
      description: average(length("description"), described),
      unit: average(body, units),
    },
  };
}
