/** What searches will need is read before they are asked for, while somebody types. */
import type { PagesRequest } from "../../core/search/find-pages.ts";
import type { PageSource } from "./page-source.ts";

/**
 * A search whose reads may be done ahead. One at a time is, and of those that wait for it only the latest: what was typed meanwhile
 * is nobody's question any more. The same request, once asked, waits for what is on its way and finds it in memory.
 */
export function readAhead(
  find: PageSource["find"],
  read: (request: PagesRequest) => Promise<void>,
): Pick<PageSource, "find" | "preload"> {
  let running: { readonly key: string; readonly end: Promise<void> } | undefined;
  let latest = 0;
  return {
    async preload(request) {
      const number = ++latest;
      await running?.end;
      if (number !== latest) return;
      const end = read(request).catch(() => undefined);
      running = { key: JSON.stringify(request), end };
      await end;
    },
    async find(request) {
      latest++;
      if (running?.key === JSON.stringify(request)) await running.end;
      return find(request);
    },
  };
}
