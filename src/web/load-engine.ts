/** Loads the engine of a page, `engine.js` beside an index, with the parts that are needed next, and opens the index with nothing in series. */

import { POINTER_FILE } from "../core/index/range-source.ts";
import type { SendRequest } from "./fetch-source.ts";
import { HostError } from "./host-error.ts";
import { loadModule } from "./load-module.ts";
import type { openStaticIndex, StaticIndex } from "./static-index.ts";

/** What `engine.js` exports, as far as it is used. */
export interface EngineModule {
  readonly openStaticIndex: typeof openStaticIndex;
}

/** The part with the stemmers of other languages than English. */
const STEMMERS = "analyzers.js";
/** The part that lists whole pages, among others. */
const PAGES = "rarer-functions.js";

interface EngineUse {
  /** Language of the page, as `lang` names it: that of the index is known too late to wait for it. */
  readonly language: string;
  /** Whole pages are asked for. */
  readonly withPages?: boolean;
}

/** Languages that have a stemmer (`core/text/language.ts`), as `lang` names them; not English, whose is in the engine. */
export const STEMMED = /^(?:ar|hy|eu|ca|cs|da|nl|fi|fr|de|hu|ga|it|n[bno]|pt|ro|ru|sl|es|sv|ta|tr)\b/i;

/**
 * The engine in a folder. All that the use needs is asked for at once.
 *
 * @param folder Address, with a slash at its end; a path is of this site.
 * @throws {HostError} `unreachable` where there is none, or the host gives a page in its place.
 */
export async function loadEngineOf(folder: string, { language, withPages }: EngineUse): Promise<EngineModule> {
  const addressOf = (name: string): string => new URL(folder + name, document.baseURI).href;
  const engine = loadModule(addressOf("engine.js"));
  const parts = [...(STEMMED.test(language) ? [STEMMERS] : []), ...(withPages === true ? [PAGES] : [])];
  for (const part of parts) {
    // Whether it came, the engine finds out: it asks again for what did not.
    import(/* @vite-ignore */ addressOf(part)).catch(() => undefined);
  }
  try {
    return (await engine) as EngineModule;
  } catch (cause) {
    throw new HostError("unreachable", `${addressOf("engine.js")} cannot be loaded: it belongs beside the index`, {
      cause,
    });
  }
}

/**
 * The index in a folder, opened by the engine that `loadEngine` gives. Both are asked for before this returns.
 *
 * @param folder Address, with a slash at its end.
 * @param send How requests for index files are sent; `fetch` when absent.
 */
export async function openAtOnce(
  folder: string,
  loadEngine: () => Promise<EngineModule>,
  send: SendRequest = (url, init) => fetch(url, init),
): Promise<StaticIndex> {
  let pointer: Promise<Response> | undefined = send(folder + POINTER_FILE, { cache: "no-cache" });
  pointer.catch(() => undefined);
  const { openStaticIndex } = await loadEngine();
  return openStaticIndex(folder, {
    send: (url, init) => {
      const early = url === folder + POINTER_FILE ? pointer : undefined;
      if (early !== undefined) pointer = undefined;
      return early ?? send(url, init);
    },
  });
}
