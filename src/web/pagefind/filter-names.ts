/**
 * Facets as filters, under the names that are shown.
 *
 * Default UI shows names of filters and values as HTML. So a `<` in them is shown as `&lt;`, and understood in that form as well.
 *
 * Pure.
 */
import type { FacetCounts } from "../../core/docs/model.ts";

/** Counts as they are shown. */
export function showCounts(counts: FacetCounts): Record<string, Record<string, number>> {
  return Object.fromEntries(
    Object.entries(counts).map(([key, values]) => [
      showName(key),
      Object.fromEntries(Object.entries(values).map(([value, count]) => [showName(value), count])),
    ]),
  );
}

/** Facets of a page as they are shown. */
export function showFacets(
  facets: Readonly<Record<string, readonly string[]>>,
  added: Readonly<Record<string, readonly string[]>>,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries({ ...facets, ...added }).map(([key]) => [
      showName(key),
      [...new Set([...(facets[key] ?? []), ...(added[key] ?? [])])].map(showName),
    ]),
  );
}

/** A filter as it was given, with the names that the index has. */
export function readFilter(filter: unknown): unknown {
  if (typeof filter === "string") return filter.includes("&lt;") ? { any: [filter, readName(filter)] } : filter;
  if (Array.isArray(filter)) return filter.map(readFilter);
  if (typeof filter !== "object" || filter === null) return filter;
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [readName(key), readFilter(value)]));
}

/** Counts of several indexes, added up. */
export function mergeCounts(all: readonly FacetCounts[]): Record<string, Record<string, number>> {
  const merged = new Map<string, Map<string, number>>();
  for (const counts of all) {
    for (const [key, values] of Object.entries(counts)) {
      const own = merged.get(key) ?? new Map<string, number>();
      for (const [value, count] of Object.entries(values)) own.set(value, (own.get(value) ?? 0) + count);
      merged.set(key, own);
    }
  }
  return Object.fromEntries([...merged].map(([key, values]) => [key, Object.fromEntries(values)]));
}

function showName(name: string): string {
  return name.replaceAll("<", "&lt;");
}

function readName(name: string): string {
  return name.replaceAll("&lt;", "<");
}
