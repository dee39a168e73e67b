/**
 * Names: their order (by UTF-16 units on every machine; for people without case and accents; of corpora by the numbers in them), and
 * slugs of headings by GitHub's rule.
 */
import { foldText } from "./normalize.ts";

/** Negative, zero or positive as `a` comes before, with or after `b`. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Digits of the longest number that is compared by its value. */
const MAX_DIGITS = 16;

/**
 * The key by which lists for people are in order, to be compared with `compareNames`: without case and accents, numbers by their
 * value, names that are equal so far as they are written. The same on every machine, unlike `localeCompare`.
 */
export function labelKey(name: string): string {
  return `${foldText(name).replace(/\d+/g, (digits) => digits.padStart(MAX_DIGITS, "0"))}\0${name}`;
}

const ASCII_ONLY = /^[ -~]*$/;
const DROPPED_ASCII = /[^a-z0-9_\- ]/g;
const DROPPED = /[^\p{Alphabetic}\p{Mark}\p{Decimal_Number}\p{Connector_Punctuation}\- ]/gu;

/** GitHub's slug of a heading's visible text; may be empty. */
export function slugify(title: string): string {
  const lower = title.toLowerCase();
  return lower.replace(ASCII_ONLY.test(lower) ? DROPPED_ASCII : DROPPED, "").replaceAll(" ", "-");
}

/** Corpora with a name of a deployment. More than this are no versions of anything. */
export const MAX_CORPORA = 500;

/** By the numbers in them, so that `v10` comes after `v9`. */
const VERSIONS = new Intl.Collator("en", { numeric: true });

/** Order of two names of corpora. The root's, `""`, comes first. */
export function compareCorpora(a: string, b: string): number {
  return VERSIONS.compare(a, b);
}
