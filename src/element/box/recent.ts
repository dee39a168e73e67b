/**
 * Searches that led somewhere, kept in this browser for each source of answers: sites may share a host. Where it keeps nothing
 * (private windows, settings) there are none.
 */

/** Lists longer than this are not looked through. */
const MAX_RECENT = 8;
/** Longer ones were pasted, not searched for. */
const MAX_LENGTH = 200;
const NAME = "treeline-search";

/** Where they are kept. */
export interface Store {
  /** Gives `localStorage`, or nothing. May throw whatever it is asked. */
  readonly open: () => Pick<Storage, "getItem" | "setItem">;
  /** Address of what answers; `""` where the page itself does. */
  readonly source: () => string;
}

/** Recent searches, newest first. */
export function listRecent(store: Store): readonly string[] {
  try {
    const kept: unknown = JSON.parse(store.open().getItem(nameOf(store)) ?? "[]");
    if (!Array.isArray(kept)) return [];
    return kept.filter((query): query is string => typeof query === "string" && isKept(query)).slice(0, MAX_RECENT);
  } catch {
    return [];
  }
}

/** Puts a search first; it is in the list once. Gives the list. */
export function addRecent(store: Store, query: string): readonly string[] {
  const kept = query.trim();
  const others = listRecent(store).filter((other) => other.toLowerCase() !== kept.toLowerCase());
  return keep(store, isKept(kept) ? [kept, ...others].slice(0, MAX_RECENT) : others);
}

/** Forgets one search, or all where none is named. Gives the list. */
export function dropRecent(store: Store, query?: string): readonly string[] {
  return keep(store, query === undefined ? [] : listRecent(store).filter((other) => other !== query));
}

function nameOf({ source }: Store): string {
  return `${NAME} ${source()}`.trim();
}

function isKept(query: string): boolean {
  return query !== "" && query.length <= MAX_LENGTH;
}

function keep(store: Store, queries: readonly string[]): readonly string[] {
  try {
    store.open().setItem(nameOf(store), JSON.stringify(queries));
    return queries;
  } catch {
    // Nothing is kept here: what is shown is what there is.
    return [];
  }
}
