/**
 * Numbers as answers show them. Pure.
 */

/** Digits of a score behind the point: enough to tell two apart. */
const SCORE_SCALE = 10_000;

/** A score with four digits behind the point. */
export function roundScore(score: number): number {
  return Math.round(score * SCORE_SCALE) / SCORE_SCALE;
}
