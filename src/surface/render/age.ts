/**
 * How long ago something was, in a few characters.
 *
 * Pure: two times in, words out. The clock is the caller's.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Up to two days hours say more than days. */
const MAX_HOURS_MS = 2 * DAY_MS;

/** Seconds from an ISO time until `now`, or undefined where the time is none. Never negative: clocks differ. */
export function ageSeconds(isoTime: string, now: number): number | undefined {
  const then = Date.parse(isoTime);
  return Number.isNaN(then) ? undefined : Math.max(0, Math.floor((now - then) / 1000));
}

/** `just now`, `5 min ago`, `2 h ago` or `12 d ago`; undefined where the time is none. */
export function formatAge(isoTime: string, now: number): string | undefined {
  const seconds = ageSeconds(isoTime, now);
  if (seconds === undefined) return undefined;
  const ageMs = seconds * 1000;
  if (ageMs < MINUTE_MS) return "just now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`;
  if (ageMs < MAX_HOURS_MS) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  return `${Math.floor(ageMs / DAY_MS)} d ago`;
}
