/**
 * What is asked, and when two questions are the same.
 *
 * Pure: text in, text out.
 */
import { MAX_QUERY_LENGTH } from "../../core/search/answer.ts";
import { cutText } from "../../core/text/cut-text.ts";

/** Values by key that were chosen. */
export type Filters = Readonly<Record<string, readonly string[]>>;

/** What is asked. */
export interface Question {
  /** Without blanks around it: no answer depends on them. */
  readonly query: string;
  readonly filters: Filters;
  readonly collections: readonly string[];
  /** Pages passed over; 0 for a new question. */
  readonly offset: number;
}

/** As much of a text as is searched for; no character is halved. */
export function cutQuery(text: string): string {
  return cutText(text, MAX_QUERY_LENGTH);
}

/**
 * A name that questions share whose answers are the same, whichever part of the answer they ask for.
 *
 * @param without A key whose filters do not count.
 */
export function identify({ query, filters, collections }: Question, without?: string): string {
  const chosen = Object.entries(filters).filter(([key]) => key !== without);
  return JSON.stringify([query, collections, chosen.map(([key, values]) => [key, [...values].sort()]).sort()]);
}

/** Values of a key that were chosen: keys may be called like what every object has. */
export function valuesOf(chosen: Filters, key: string): readonly string[] {
  return Object.hasOwn(chosen, key) ? (chosen[key] ?? []) : [];
}

/** The filters with one value chosen, or taken back where it was. */
export function toggleValue(chosen: Filters, key: string, value: string): Filters {
  const before = valuesOf(chosen, key);
  const after = before.includes(value) ? before.filter((other) => other !== value) : [...before, value];
  const { [key]: _gone, ...rest } = chosen;
  return after.length === 0 ? rest : { ...rest, [key]: after };
}
