/**
 * Slugs of headings by GitHub's rule: lower case, punctuation dropped except `-` and `_`, spaces to `-`, letters and
 * digits of every script kept.
 *
 * Pure: text in, text out.
 */

const ASCII_ONLY = /^[ -~]*$/;
const DROPPED_ASCII = /[^a-z0-9_\- ]/g;
const DROPPED = /[^\p{Alphabetic}\p{Mark}\p{Decimal_Number}\p{Connector_Punctuation}\- ]/gu;

/** GitHub's slug of a heading's visible text; may be empty. */
export function slugify(title: string): string {
  const lower = title.toLowerCase();
  return lower.replace(ASCII_ONLY.test(lower) ? DROPPED_ASCII : DROPPED, "").replaceAll(" ", "-");
}
