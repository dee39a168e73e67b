/**
 * What few searches in a page need, as one module that is loaded with the first of them: the functions that `runSearch` asks for, and
 * those that list whole pages for interfaces like that of Pagefind.
 */
import { countPages, findPages, preloadPages } from "../core/search/find-pages.ts";
import { readPages } from "../core/search/read-pages.ts";
import { REFINED } from "../core/search/refined.ts";

/** Functions that list, count and read pages, and read ahead. */
const PAGES = { countPages, findPages, preloadPages, readPages } as const;

export const RARER = { REFINED, PAGES } as const;
