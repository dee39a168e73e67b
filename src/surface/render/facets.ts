/**
 * Counts of facets on one line: the few keys and values that would narrow a result most.
 */
import type { FacetCounts } from "../../core/docs/model.ts";

/** Keys that say how a page is made and nothing on what it is about: filters like all others, but not named here. */
const UNNAMED_KEYS: ReadonlySet<string> = new Set(["content_type", "depth", "has_code", "has_links"]);
/** Languages of examples narrow less than they seem to: every page has several. */
const LAST_KEY = "code_language";
/** A key that fewer of the documents have is not worth its place. */
const LEAST_SHARE = 0.1;

interface FacetLimits {
  readonly keys: number;
  /** Of each key. */
  readonly values: number;
}

/**
 * The keys that would narrow a result most, best first, with as many values and how many more there are.
 *
 * @param total Documents that were counted: a value that all of them have narrows nothing.
 */
export function chooseFacets(counts: FacetCounts, total: number, limits: FacetLimits) {
  const keys = Object.entries(counts)
    .map(([key, values]) => ({ key, values: Object.entries(values) }))
    .filter(({ key, values }) => !UNNAMED_KEYS.has(key) && values.some(([, count]) => count < total))
    .filter(({ values }) => values.reduce((sum, [, count]) => sum + count, 0) >= LEAST_SHARE * total)
    .map((entry) => ({ ...entry, gain: entry.key === LAST_KEY ? 0 : 1 + informationOf(entry.values, total) }))
    .sort((a, b) => b.gain - a.gain || (a.key < b.key ? -1 : 1));
  return keys.slice(0, limits.keys).map(({ key, values }) => {
    return { key, values: values.slice(0, limits.values), more: Math.max(0, values.length - limits.values) };
  });
}

/** The same on one line, `type: reference 120, guide 84, +3; version: 13 40`, or `""` where no facet would narrow anything. */
export function formatFacetCounts(counts: FacetCounts, total: number, limits: FacetLimits): string {
  return chooseFacets(counts, total, limits)
    .map(({ key, values, more }) => {
      const shown = values.map(([value, count]) => `${value} ${count}`);
      return `${key}: ${[...shown, ...(more > 0 ? [`+${more}`] : [])].join(", ")}`;
    })
    .join("; ");
}

/** Bits that knowing a document's values of the key would give, each value taken by itself. */
function informationOf(values: readonly (readonly [string, number])[], total: number): number {
  const bits = (share: number): number => (share <= 0 || share >= 1 ? 0 : -share * Math.log2(share));
  return values.reduce((all, [, count]) => all + bits(count / total) + bits(1 - count / total), 0);
}
