/**
 * Loads the engine of a page: `engine.js` beside an index.
 *
 * What the engine loads on demand imports it by that name, so that there is one of it. A browser that once failed to load it would fail
 * for as long as the page stands (`load-module.ts`); so it becomes a module only after it was read in full, and the module
 * comes out of the browser's cache.
 */
import type { openStaticIndex } from "./static-index.ts";

/** What `engine.js` exports, as far as it is used. */
export interface EngineModule {
  readonly openStaticIndex: typeof openStaticIndex;
}

/**
 * The engine in a folder.
 *
 * @param folder Address, with a slash at its end; a path is of this site.
 * @throws {Error} where there is none, or the host gives a page in its place.
 */
export async function loadEngineOf(folder: string): Promise<EngineModule> {
  const { href } = new URL(`${folder}engine.js`, document.baseURI);
  try {
    const response = await fetch(href);
    const type = `${response.headers.get("Content-Type")}`;
    if (!response.ok || !type.includes("script")) throw new Error(`status ${response.status}, type ${type}`);
    await response.blob();
    // An address that is known when the page runs: bundlers leave it alone.
    return (await import(/* @vite-ignore */ href)) as EngineModule;
  } catch (cause) {
    throw new Error(`${href} cannot be loaded: it belongs beside the index`, { cause });
  }
}
