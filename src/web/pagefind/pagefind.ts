/**
 * A module with the interface of Pagefind's `pagefind.js`, over the index files in whose folder it lies.
 * What imports that, such as Pagefind's Default UI and Starlight, runs unchanged.
 */
import { loadEngineOf } from "../load-engine.ts";
import { createStaticSource, makePagefind } from "./make-pagefind.ts";

const folder = new URL(".", import.meta.url).href;
const language = (): string => document.documentElement.lang.toLowerCase();
const loadEngine = (): ReturnType<typeof loadEngineOf> =>
  loadEngineOf(folder, { language: language(), withPages: true });

/** What Pagefind exports: docs/pagefind.md says what each does here. */
export const { createInstance, debouncedSearch, destroy, filters, init, mergeIndex, options, preload, search } =
  makePagefind((path) => createStaticSource(new URL(path, document.baseURI).href, loadEngine), {
    folder,
    origin: location.origin,
    language,
  });
