/**
 * A wrong value as an error repeats it.
 *
 * Pure: value in, text out.
 */

/** Characters of a value that are repeated. */
const MAX_QUOTED_LENGTH = 60;

/** The value as JSON, shortened; numbers that JSON does not know as `NaN` and `Infinity`. */
export function quoteValue(value: unknown): string {
  const json = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return json.length <= MAX_QUOTED_LENGTH ? json : `${json.slice(0, MAX_QUOTED_LENGTH)}…`;
}
