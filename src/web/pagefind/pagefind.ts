/**
 * A module with the interface of Pagefind's `pagefind.js`, over the index files in whose folder it lies, or over the Worker that
 * hands it out. What imports that, such as Pagefind's Default UI and Starlight, runs unchanged.
 */
import { loadEngineOf } from "../load-engine.ts";
import { createStaticSource, createWorkerSource, makePagefind } from "./make-pagefind.ts";

/** Whether a Worker hands this module out, set when it is bundled. */
declare const SERVED_BY_WORKER: boolean;

const folder = new URL(".", import.meta.url).href;
const language = (): string => document.documentElement.lang.toLowerCase();
const loadEngine = (): ReturnType<typeof loadEngineOf> =>
  loadEngineOf(folder, { language: language(), withPages: true });

/** What Pagefind exports: docs/pagefind.md says what each does here. */
export const { createInstance, debouncedSearch, destroy, filters, init, mergeIndex, options, preload, search } =
  makePagefind(
    (path) => {
      const address = new URL(path, document.baseURI).href;
      return SERVED_BY_WORKER ? createWorkerSource(address) : createStaticSource(address, loadEngine);
    },
    { folder, origin: location.origin, language },
  );
