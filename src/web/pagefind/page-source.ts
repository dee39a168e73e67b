/**
 * Where pages come from: index files that are searched in the page, or a Worker. Types alone.
 */

import type { FacetCounts } from "../../core/docs/model.ts";
import type { PagesFound, PagesRequest } from "../../core/search/find-pages.ts";
import type { PageText } from "../../core/search/read-pages.ts";

/** The pages of one index. */
export interface PageSource {
  /** Get ready: somebody is about to type. Never rejects. */
  prepare(): Promise<void>;
  /** Make sure that there is an index. Rejects, with what is wrong, where there is none. */
  check(): Promise<void>;
  /** How many pages have each value of each facet. */
  count(request: Pick<PagesRequest, "added" | "language">): Promise<FacetCounts>;
  /** Read what such a request will need, if it may be asked soon. Never rejects. */
  preload(request: PagesRequest): Promise<void>;
  find(request: PagesRequest): Promise<PagesFound>;
  /** Pages that were found, by their keys, in the order asked for. */
  read(found: PagesFound, keys: readonly string[]): Promise<readonly PageText[]>;
}

/** Opens the index in a folder, given by its address with a slash at its end. */
export type OpenSource = (folder: string) => PageSource;
