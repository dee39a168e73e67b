/** Sorting entries of a table by their keys. */
import type { TableEntry } from "../../src/core/format/chunk.ts";

/** The same list, sorted. Keys are all different. */
export function sortEntries(entries: TableEntry[]): TableEntry[] {
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}
