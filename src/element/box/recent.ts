/**
 * Searches that led somewhere, kept in this browser. Where it keeps nothing (private windows, settings) there are none.
 */

/** Lists longer than this are not looked through. */
const MAX_RECENT = 8;
/** Longer ones were pasted, not searched for. */
const MAX_LENGTH = 200;
const NAME = "treeline-search";

/** What keeps them: `localStorage`, or nothing. May throw whatever it is asked. */
export type Store = () => Pick<Storage, "getItem" | "setItem">;

/** Recent searches, newest first. */
export function listRecent(open: Store): readonly string[] {
  try {
    const kept: unknown = JSON.parse(open().getItem(NAME) ?? "[]");
    if (!Array.isArray(kept)) return [];
    return kept.filter((query): query is string => typeof query === "string" && isKept(query)).slice(0, MAX_RECENT);
  } catch {
    return [];
  }
}

/** Puts a search first; it is in the list once. Gives the list. */
export function addRecent(open: Store, query: string): readonly string[] {
  const kept = query.trim();
  const others = listRecent(open).filter((other) => other.toLowerCase() !== kept.toLowerCase());
  return keep(open, isKept(kept) ? [kept, ...others].slice(0, MAX_RECENT) : others);
}

/** Forgets one search, or all where none is named. Gives the list. */
export function dropRecent(open: Store, query?: string): readonly string[] {
  return keep(open, query === undefined ? [] : listRecent(open).filter((other) => other !== query));
}

function isKept(query: string): boolean {
  return query !== "" && query.length <= MAX_LENGTH;
}

function keep(open: Store, queries: readonly string[]): readonly string[] {
  try {
    open().setItem(NAME, JSON.stringify(queries));
    return queries;
  } catch {
    // Nothing is kept here: what is shown is what there is.
    return [];
  }
}
