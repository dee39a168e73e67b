/**
 * What is asked, and when two questions are the same.
 *
 * Pure: text in, text out.
 */

import type { FacetCounts } from "../../core/docs/model.ts";
import { MAX_QUERY_LENGTH } from "../../core/search/answer.ts";
import { cutText } from "../../core/text/short-text.ts";

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

/** Pages by value; undefined where a value is known, and its count is not. */
type ValueCounts = ReadonlyMap<string, number | undefined>;

/** The same by key. */
export type Counts = ReadonlyMap<string, ValueCounts>;

/** Counts by key, each with the question that they belong to, as `identify` names it without that key. */
export type WiderCounts = ReadonlyMap<string, { readonly of: string; readonly counts: ValueCounts }>;

/** Counts of an answer; a client of the page's own may leave them out. */
export function readCounts(counts: FacetCounts | null | undefined): Counts {
  return new Map(Object.entries(counts ?? {}).map(([key, values]) => [key, new Map(Object.entries(values))]));
}

/**
 * Counts of each key as if none of its values were chosen. Those of keys with a choice are not in the answer: they are known
 * from before the choice. Once something else is asked, their values still are, and their counts are not.
 */
export function keepWider(before: WiderCounts, counts: Counts, question: Question): WiderCounts {
  const wider = new Map<string, { readonly of: string; readonly counts: ValueCounts }>();
  for (const key of new Set([...counts.keys(), ...Object.keys(question.filters)])) {
    const of = identify(question, key);
    const old = Object.hasOwn(question.filters, key) ? before.get(key) : undefined;
    const known = old?.of === of ? old.counts : forgetCounts(old?.counts);
    wider.set(key, { of, counts: old === undefined ? (counts.get(key) ?? known) : known });
  }
  return wider;
}

function forgetCounts(counts: ValueCounts = new Map()): ValueCounts {
  return new Map([...counts.keys()].map((value) => [value, undefined]));
}
