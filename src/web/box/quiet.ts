/**
 * How long a server that was asked too much is left alone.
 *
 * Pure: times in milliseconds since 1970.
 */

/** Seconds to wait where a server does not say how long. */
const DEFAULT_WAIT_S = 5;
/** Each wait is so many times as long as the one before. */
const GROWTH = 3;
/** It is tried so often without anybody saying so. */
const MAX_TRIES = 3;
/** Nobody looks at a countdown for longer, in seconds. */
const MAX_COUNTDOWN_S = 60;

/** A time in which nothing is asked. */
export interface Quiet {
  readonly until: number;
  /** It is asked again by itself when the time is over; else somebody has to say so. */
  readonly isTriedAgain: boolean;
}

/**
 * The time after one more refusal: never shorter than the server says.
 *
 * @param refusals Refusals before this one.
 * @param retryAfter Seconds that the server asks for; undefined where it does not say.
 */
export function quietFor(refusals: number, retryAfter: number | undefined, now: number): Quiet {
  const isSaid = retryAfter !== undefined && retryAfter > 0;
  const least = isSaid ? Math.ceil(retryAfter) : DEFAULT_WAIT_S;
  const grown = least * GROWTH ** Math.min(refusals, MAX_TRIES - 1);
  const isTriedAgain = refusals < MAX_TRIES && grown <= MAX_COUNTDOWN_S;
  // Who has to say so need not wait longer than the server wants it.
  return { until: now + (isTriedAgain ? grown : least) * 1_000, isTriedAgain };
}

/** Seconds that are left of it, begun ones whole; 0 where it is over. */
export function secondsLeft(quiet: Quiet | undefined, now: number): number {
  return quiet === undefined ? 0 : Math.max(0, Math.ceil((quiet.until - now) / 1_000));
}
