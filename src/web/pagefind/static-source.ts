/**
 * Pages of index files on any web host, searched by the engine in the page.
 */

import type { PagesRequest } from "../../core/search/find-pages.ts";
import { cleanText } from "../../surface/render/text.ts";
import type { EngineModule } from "../load-engine.ts";
import { openAtOnce } from "../load-engine.ts";
import { keepSuccess } from "../load-module.ts";
import type { PageSource } from "./one-index.ts";

/**
 * The pages of the index files in a folder. Nothing is loaded before it is needed; what failed is tried again.
 *
 * @param folder Address of the folder that holds the files, with a slash at its end.
 */
export function createStaticSource(folder: string, loadEngine: () => Promise<EngineModule>): PageSource {
  const open = keepSuccess(() => openAtOnce(folder, loadEngine));
  const check = async (): Promise<void> => {
    await open();
  };
  return {
    ...readAhead(
      async (request) => (await open()).pages((pages, reader) => pages.findPages(reader, request)),
      async (request) => (await open()).pages((pages, reader) => pages.preloadPages(reader, request)),
    ),
    check,
    prepare: () => check().catch(() => undefined),
    count: async (request) => (await open()).pages((pages, reader) => pages.countPages(reader, request)),
    read: async ({ generation, terms }, keys) =>
      (await open()).pages((pages, reader) =>
        pages.readPages(reader, { generation, keys, terms, clean: (text) => cleanText(text).text }),
      ),
  };
}

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
