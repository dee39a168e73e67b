/** Searches that are begun before they are asked for, while somebody types. */
import type { PagesFound, PagesRequest } from "../../core/search/find-pages.ts";
import type { PageSource } from "./page-source.ts";

/**
 * A search that may be begun ahead. One at a time is, and of those that wait for it only the latest: what was typed meanwhile is
 * nobody's question any more. What was found ahead answers the same request, once.
 */
export function findAhead(find: PageSource["find"]): Pick<PageSource, "find" | "preload"> {
  let ahead: { readonly key: string; readonly found: Promise<PagesFound> } | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let latest = 0;
  return {
    async preload(request: PagesRequest): Promise<void> {
      const number = ++latest;
      await running;
      if (number !== latest) return;
      const found = find(request);
      ahead = { key: JSON.stringify(request), found };
      running = found.catch(() => undefined);
      await running;
    },
    find(request: PagesRequest): Promise<PagesFound> {
      latest++;
      const begun = ahead?.key === JSON.stringify(request) ? ahead.found : undefined;
      ahead = undefined;
      return begun?.catch(() => find(request)) ?? find(request);
    },
  };
}
