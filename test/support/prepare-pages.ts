/** Pages as the build prepares them, for tests of what is made of many. */

import { type CollectionConfig, defaultConfig } from "../../indexer/config/config.ts";
import { type Pages, type PreparedPage, preparePage } from "./build-index.ts";

/** The pages in the order of their paths, numbered in that order from `first` on. */
export function preparePages(pages: Pages, first = 0): PreparedPage[] {
  const [config] = defaultConfig().collections as [CollectionConfig];
  return Object.keys(pages)
    .sort()
    .map((path, at) => preparePage({ number: first + at, collection: 0, path }, config, pages[path] as string));
}
