/**
 * When a request is sent again, and after how long.
 */

/** Times that a request is sent in all. */
export const TRIES = 6;
const FIRST_MS = 200;
const LONGEST_MS = 5_000;
const LONGEST_WISH_MS = 30_000;

/** Codes of answers that say no more than that the request came in damaged, or not to its end. */
const DAMAGED = new Set(["XAmzContentSHA256Mismatch", "BadDigest", "RequestTimeout", "IncompleteBody"]);

/**
 * Whether another try may end otherwise than in this answer.
 *
 * @param code The S3 error's code, where there is one.
 */
export function isPassing(status: number, code?: string): boolean {
  if (status === 400) return code !== undefined && DAMAGED.has(code);
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 507);
}

/**
 * Milliseconds to wait after a number of tries: random, so that many who failed at once do not come back at once, up to a bound
 * that doubles each time; or what the server asked for, within reason.
 *
 * @param retryAfter The header of that name; seconds alone are read.
 * @param random A number in [0, 1).
 */
export function delayAfter(tries: number, retryAfter: string | null, random: number): number {
  const bound = Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
  const wish = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : 0;
  return Math.max(random * bound, Math.min(LONGEST_WISH_MS, wish));
}
