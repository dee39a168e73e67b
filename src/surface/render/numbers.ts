/**
 * Numbers as answers show them. Pure.
 */

/** Digits of a score behind the point: enough to tell two apart. */
const SCORE_DIGITS = 4;

/** A number with at most so many digits behind the point. */
export function roundTo(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

/** A score as JSON shows it. */
export function roundScore(score: number): number {
  return roundTo(score, SCORE_DIGITS);
}
