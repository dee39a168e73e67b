/**
 * Modules that web pages load: the search box, the marks on the page that a hit led to, the module with Pagefind's
 * interface. They are bundled into the Worker, so no read is needed.
 *
 * They say nothing of what is indexed, and a page cannot send a key with a script, so they are for everybody, in a private
 * deployment too. Each corpus has them at its own address: where a module was loaded from says which corpus it asks.
 */
import { PAGE_FILES } from "./page-files.ts";
import { respondTagged } from "./respond.ts";

/** Pages have them at once, and a newer one within a day; who asks after five minutes brings it. */
const CACHED = "public, max-age=300, stale-while-revalidate=86400";
const SCRIPT_TYPE = "text/javascript; charset=utf-8";

/** Paths of all modules for other pages than the explorer's, which go with its own; below the address of a corpus. */
export const PAGE_SCRIPT_PATHS: readonly string[] = [...PAGE_FILES.keys()]
  .filter((name) => !name.startsWith("explorer/"))
  .map((name) => `/${name}`);

/** The answer to a GET of a module. @param path One of `PAGE_SCRIPT_PATHS`. @throws {Error} for any other path. */
export function answerPageScript(request: Request, path: string): Response {
  const file = PAGE_FILES.get(path.slice(1));
  if (file === undefined) throw new Error(`there is no module at ${path}`);
  const headers = { "Cache-Control": CACHED, "Cross-Origin-Resource-Policy": "cross-origin" };
  return respondTagged(request, new TextEncoder().encode(file.text), `"${file.tag}"`, SCRIPT_TYPE, headers);
}
