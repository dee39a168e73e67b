/**
 * Figures of ranked results against relevance judgements.
 *
 * nDCG after Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques" (2002), with the gain
 * 2^grade − 1 of Burges et al., "Learning to rank using gradient descent" (2005), and the discount log2(rank + 1). The
 * reciprocal rank is that of Voorhees, "The TREC-8 question answering track report" (1999). Pure.
 */

/** Ranks that nDCG, reciprocal rank and recall look at. */
export const DEPTH = 10;
/** Ranks that success looks at. */
export const SUCCESS_DEPTH = 5;

/** Grade of each judged document of one query; more than 0 is relevant. */
export type Grades = ReadonlyMap<string, number>;

/** Figures of one query, or their means over many; each from 0 to 1. */
export interface Figures {
  /** Discounted gain of the first ten results, as a share of the best possible. */
  readonly ndcg: number;
  /** 1 ÷ rank of the first relevant result among the first ten, 0 where there is none. */
  readonly mrr: number;
  /** Share of the relevant documents that stand among the first ten. */
  readonly recall: number;
  /** 1 where a relevant document stands among the first five. */
  readonly success: number;
}

/**
 * Figures of one query. A document counts once, at its best rank; one without a judgement counts as not relevant. A
 * query without relevant documents has zeros.
 *
 * @param ranked Documents, best first.
 */
export function scoreRanking(ranked: readonly string[], grades: Grades): Figures {
  const found = [...new Set(ranked)].slice(0, DEPTH).map((document) => Math.max(0, grades.get(document) ?? 0));
  const relevant = [...grades.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  if (relevant.length === 0) return { ndcg: 0, mrr: 0, recall: 0, success: 0 };
  const first = found.findIndex((grade) => grade > 0);
  return {
    ndcg: sumDiscounted(found) / sumDiscounted(relevant.slice(0, DEPTH)),
    mrr: first < 0 ? 0 : 1 / (first + 1),
    recall: found.filter((grade) => grade > 0).length / relevant.length,
    success: first >= 0 && first < SUCCESS_DEPTH ? 1 : 0,
  };
}

/** Means of figures; zeros of none. */
export function meanFigures(all: readonly Figures[]): Figures {
  const mean = (figure: keyof Figures): number => meanOf(all.map((one) => one[figure]));
  return { ndcg: mean("ndcg"), mrr: mean("mrr"), recall: mean("recall"), success: mean("success") };
}

/** Arithmetic mean, 0 of nothing. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The smallest value that at least the share `share` of all values does not exceed (nearest rank); 0 of nothing. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

function sumDiscounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}
