/**
 * Loads the engine of a page, `engine.js` beside an index, and beside it those of its parts that are needed next.
 */
import { HostError } from "./host-error.ts";
import { loadModule } from "./load-module.ts";
import type { openStaticIndex } from "./static-index.ts";

/** What `engine.js` exports, as far as it is used. */
export interface EngineModule {
  readonly openStaticIndex: typeof openStaticIndex;
}

/** The part with the stemmers of other languages than English. */
const STEMMERS = "analyzers.js";
/** The part that lists whole pages. */
const PAGES = "rarer-functions.js";

/** What the engine is loaded for. */
export interface EngineUse {
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
