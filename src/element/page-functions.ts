/**
 * What lists whole pages, for interfaces like that of Pagefind. A module of its own, because a search box asks for hits.
 */
import { countPages, findPages } from "../core/search/find-pages.ts";
import { readPages } from "../core/search/read-pages.ts";

/** Functions that list, count and read pages. */
export const PAGES = { countPages, findPages, readPages } as const;
