/**
 * Names: their order in lists (by UTF-16 units on every machine), and slugs of headings by GitHub's rule.
 */

/** Negative, zero or positive as `a` comes before, with or after `b`. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const ASCII_ONLY = /^[ -~]*$/;
const DROPPED_ASCII = /[^a-z0-9_\- ]/g;
const DROPPED = /[^\p{Alphabetic}\p{Mark}\p{Decimal_Number}\p{Connector_Punctuation}\- ]/gu;

/** GitHub's slug of a heading's visible text; may be empty. */
export function slugify(title: string): string {
  const lower = title.toLowerCase();
  return lower.replace(ASCII_ONLY.test(lower) ? DROPPED_ASCII : DROPPED, "").replaceAll(" ", "-");
}
