/**
 * The filter that selects everything. Apart from what filters do, so that who filters nothing need not load it. Pure.
 */
import type { FacetFilter } from "./model.ts";

/** A filter that selects everything. */
export const NO_FILTER: FacetFilter = { include: {}, exclude: {} };

/** True when the filter selects everything. */
export function isEmptyFilter(filter: FacetFilter): boolean {
  return Object.keys(filter.include).length === 0 && Object.keys(filter.exclude).length === 0;
}
