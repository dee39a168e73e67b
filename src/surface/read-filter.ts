/**
 * Read a filter by facets as callers write it, in tools and in URLs alike:
 * `{"type": "guide", "tags": ["a", "b"], "not": {"language": "ts"}}`.
 *
 * Values of one key are alternatives, keys must all hold, `not` excludes. Whether the keys and values exist in the
 * index is not known here; the index answers that with the nearest ones that do.
 */

import type { FacetFilter } from "../core/docs/model.ts";
import { InputError } from "../core/errors.ts";
import { isRecord } from "../core/parse-text.ts";
import { foldName } from "../core/text/nearest.ts";

/** The key that holds what is excluded. */
const EXCLUDE_KEY = "not";
/** A filter is a handful of keys; this bounds what one request can make the index look up. */
const MAX_VALUES = 100;
const EXAMPLE = '{"type": "guide", "tags": ["api", "auth"], "not": {"language": "ts"}}';

/**
 * The filter that an object stands for. A key may be spelt otherwise than the index spells it (`contentType`).
 *
 * @param facetKeys Keys that the index knows.
 * @throws {InputError}
 */
export function readFilter(given: Readonly<Record<string, unknown>>, facetKeys: readonly string[]): FacetFilter {
  const { [EXCLUDE_KEY]: excluded, ...included } = given;
  const filter = {
    include: readValues(included, facetKeys),
    exclude: excluded === undefined ? {} : readExcluded(excluded, facetKeys),
  };
  const count = [...Object.values(filter.include), ...Object.values(filter.exclude)].flat().length;
  if (count > MAX_VALUES) throw new InputError(`A filter takes at most ${MAX_VALUES} values; this one has ${count}.`);
  return filter;
}

function readExcluded(excluded: unknown, facetKeys: readonly string[]): Record<string, readonly string[]> {
  if (!isRecord(excluded)) {
    throw new InputError(`"${EXCLUDE_KEY}" in a filter must be an object, as in ${EXAMPLE}.`);
  }
  return readValues(excluded, facetKeys);
}

function readValues(
  given: Readonly<Record<string, unknown>>,
  facetKeys: readonly string[],
): Record<string, readonly string[]> {
  // A map, because a caller may well ask for a facet named `constructor`.
  const values = new Map<string, readonly string[]>();
  for (const [written, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const key = facetKeys.includes(written)
      ? written
      : (facetKeys.find((known) => foldName(known) === foldName(written)) ?? written);
    values.set(key, [...(values.get(key) ?? []), ...readKey(written, value)]);
  }
  return Object.fromEntries(values);
}

function readKey(key: string, value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0) throw new InputError(`The filter ${JSON.stringify(key)} has no value.`);
  return values.map((one: unknown) => {
    if (typeof one === "string") return one;
    if (typeof one === "number" || typeof one === "boolean") return String(one);
    throw new InputError(
      `The filter ${JSON.stringify(key)} must be a text, a number, true or false, or a list of them, as in ${EXAMPLE}.`,
    );
  });
}
