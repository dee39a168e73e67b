/**
 * What a caller gave, as an error repeats it.
 *
 * Pure: value in, text out.
 */
import { shortenText } from "./cut-text.ts";

/** Characters of a wrong value that are repeated. */
const MAX_VALUE_LENGTH = 60;
/** Characters of a name; ids and paths are told apart by their ends. */
const MAX_NAME_LENGTH = 200;
/** Characters of a query. */
const MAX_QUERY_LENGTH = 100;

/** A wrong value as JSON, shortened; numbers that JSON does not know as `NaN` and `Infinity`. */
export function quoteValue(value: unknown): string {
  const json = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value));
  return shortenText(json, MAX_VALUE_LENGTH);
}

/** A name that does not exist, shortened, in quotes. */
export function quoteName(name: string): string {
  return JSON.stringify(shortenText(name, MAX_NAME_LENGTH));
}

/** A query as its answer repeats it, shortened: the smallest answers have room for little more. */
export function shortenQuery(query: string): string {
  return shortenText(query, MAX_QUERY_LENGTH);
}
