/**
 * How many pages have a value, and what is still known of that when values are chosen.
 *
 * Pure: maps in, maps out. Keys and values are words of documents: as keys of a map none of them means anything else.
 */
import type { FacetCounts } from "../../core/docs/model.ts";
import { identify, type Question } from "./question.ts";

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
