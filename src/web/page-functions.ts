/**
 * What lists whole pages, for interfaces like that of Pagefind. A module of its own, because a search box asks for hits.
 */
import { countPages, findPages, preloadPages } from "../core/search/find-pages.ts";
import { readPages } from "../core/search/read-pages.ts";

/** Functions that list, count and read pages, and read ahead. */
export const PAGES = { countPages, findPages, preloadPages, readPages } as const;
