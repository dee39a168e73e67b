/**
 * Whether something was as short a while ago, times in milliseconds. What lies in the future was not: the clock was set back,
 * and what is kept for a while would else be kept until it caught up.
 */
export function isWithin(now: number, at: number, ms: number): boolean {
  return now >= at && now - at < ms;
}
