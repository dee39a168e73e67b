/**
 * Addresses: which corpus one means, and those of corpora and documents.
 *
 * `/v2/search` is `/search` of the corpus v2. Which corpora exist is checked later (`corpora.ts`), and never for an address whose first
 * segment the server itself uses. Metadata of a protected resource has the path of the resource behind its own (RFC 9728, section 3.1).
 *
 * Ids contain `:` and `/` (`docs:guide/install.md`), which an address keeps so that it stays readable. Other characters are escaped.
 * Addresses with every character escaped are understood too.
 */

import type { MiddlewareHandler } from "hono";
import { getPath } from "hono/utils/url";
import { InputError } from "../core/errors.ts";
import { quoteName } from "../core/text/nearest.ts";
import { isCorpusName } from "../surface/access/corpus-name.ts";

export const CORPORA_PATH = "/corpora";
/** Metadata of the whole server as a protected resource (RFC 9728). */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** Address of a corpus, where its routes begin. The one at the root, `""`, has the server's own. */
export function corpusAddress(origin: string, corpus: string): string {
  return corpus === "" ? origin : `${origin}/${corpus}`;
}

/** This server's page of a document, with the section's slug path as its anchor. @param base Address of the corpus. */
export function ownPage(base: string, documentId: string, nodeId = documentId): string {
  const anchor = nodeId.length > documentId.length ? nodeId.slice(documentId.length) : "";
  return `${base}/documents/${escapeId(documentId)}${anchor}`;
}

/**
 * The id that follows `prefix` in the path of an address.
 *
 * @param base Address of the corpus, with which the address begins.
 * @throws {InputError} when it is not well escaped.
 */
export function idFromAddress(url: string, base: string, prefix: string): string {
  const { pathname } = new URL(url);
  // Segments are counted, since those before the id may be escaped as well.
  const before = new URL(`${base}${prefix}`).pathname.split("/").length - 1;
  try {
    return decodeURIComponent(pathname.split("/").slice(before).join("/"));
  } catch {
    throw new InputError(`The address ${quoteName(pathname)} is not well escaped.`);
  }
}

export function escapeId(id: string): string {
  return id.split("/").map(escapeSegment).join("/");
}

/** `.` and `..` would change the path, so even they are escaped as far as an address allows it. */
function escapeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll("%3A", ":");
}

export interface CorpusEnv {
  readonly Variables: {
    /** Name of the corpus that is asked; `""` for the one at the root. */
    readonly corpus: string;
  };
}

/** The path of a request without the name of its corpus: what routes are matched with. */
export function pathBehindDoor(request: Request): string {
  return openDoor(request).path;
}

export function nameCorpus(): MiddlewareHandler<CorpusEnv> {
  return (context, next) => {
    context.set("corpus", openDoor(context.req.raw).corpus);
    return next();
  };
}

/** Corpus and path of a request. A name that is escaped is none: each corpus has one address. */
export function openDoor(request: Request) {
  const path = getPath(request);
  const before = path.startsWith(`${METADATA_PATH}/`) ? METADATA_PATH : "";
  const [corpus = ""] = path.slice(before.length + 1).split("/", 1);
  if (!isCorpusName(corpus)) return { corpus: "", path };
  const named = `${before}/${corpus}`;
  if (!new URL(request.url).pathname.startsWith(named)) return { corpus: "", path };
  return { corpus, path: `${before}${path.slice(named.length)}` || "/" };
}
