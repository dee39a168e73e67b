/**
 * The door of the Worker: which corpus an address means, and the path behind it.
 *
 * `/v2/search` is `/search` of the corpus v2, whatever its name's fate: which corpora there are is asked later
 * (`enter-corpus.ts`), and never for an address whose first segment the server itself has. Metadata of a protected resource
 * stands below an address of its own, with the path of the resource behind it (RFC 9728, section 3.1).
 *
 * Pure: addresses in, names and paths out.
 */
import type { MiddlewareHandler } from "hono";
import { getPath } from "hono/utils/url";
import { isCorpusName } from "../surface/access/corpus-name.ts";
import { METADATA_PATH } from "./protected-resource.ts";

/** What the first station leaves for all others. */
export interface CorpusEnv {
  readonly Variables: {
    /** Name of the corpus that is asked; `""` for the one at the root. */
    readonly corpus: string;
  };
}

/** An address, taken apart. */
interface Behind {
  readonly corpus: string;
  readonly path: string;
}

/** The path of a request without the name of its corpus: what routes are matched with. */
export function pathBehindDoor(request: Request): string {
  return openDoor(request).path;
}

/** Notes which corpus a request means. */
export function nameCorpus(): MiddlewareHandler<CorpusEnv> {
  return (context, next) => {
    context.set("corpus", openDoor(context.req.raw).corpus);
    return next();
  };
}

/** Corpus and path of a request. A name that is escaped is none: each corpus has one address. */
export function openDoor(request: Request): Behind {
  const path = getPath(request);
  const before = path.startsWith(`${METADATA_PATH}/`) ? METADATA_PATH : "";
  const [corpus = ""] = path.slice(before.length + 1).split("/", 1);
  if (!isCorpusName(corpus)) return { corpus: "", path };
  const named = `${before}/${corpus}`;
  if (!new URL(request.url).pathname.startsWith(named)) return { corpus: "", path };
  return { corpus, path: `${before}${path.slice(named.length)}` || "/" };
}
