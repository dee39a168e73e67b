/**
 * The numbers that ranking uses, in one place. Formulas: `score.ts`; where they come from: docs/decisions. Pure.
 */

/** Ranking parameters. The defaults were measured: docs/decisions/0003-first-ranking.md. */
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
  /** Weight of the heading part of a section. */
  readonly heading: number;
  /** How much of the page's title part its sections carry. */
  readonly pageTitle: number;
  /** Bonus of a section that holds all words of the query, as a share of the sum of their weights. */
  readonly coverage: number;
  /** Bonus of a section whose heading alone holds all words of the query, measured in the same way. */
  readonly headingCoverage: number;
  /** Weight of the best sections in a document's score. */
  readonly sections: number;
  /** Weight of an identifier's parts when the whole identifier is in the index. */
  readonly identifierParts: number;
}

export const DEFAULT_RANKING: RankingParameters = {
  k1: 1.2,
  b: 0.75,
  title: 0.5,
  path: 0.3,
  description: 0.3,
  heading: 0.7,
  pageTitle: 0.1,
  coverage: 0.6,
  headingCoverage: 1.5,
  sections: 1.5,
  identifierParts: 0.3,
};

/** Share of a coverage bonus for holding the share `covered` of the query's weight: little short of all of it. */
export function coverageShare(covered: number): number {
  return covered ** 4;
}

/** How much the best, second and third section of a document count. */
export const SECTION_SHARES = [1, 0.4, 0.16] as const;

/** BM25's inverse document frequency with the +1 that keeps it positive (Lucene's form). */
export function inverseDocumentFrequency(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** BM25's term part: saturated frequency, normalised by length ÷ average length. */
export function saturate(frequency: number, relativeLength: number, k1: number, b: number): number {
  return (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * relativeLength));
}
