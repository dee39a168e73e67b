/**
 * Pages of index files on any web host, searched by the engine in the page.
 */
import { cleanText } from "../../render/text.ts";
import { keepSuccess } from "../keep-success.ts";
import type { EngineModule } from "../load-engine.ts";
import { openAtOnce } from "../open-at-once.ts";
import type { PageSource } from "./page-source.ts";
import { readAhead } from "./read-ahead.ts";

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
