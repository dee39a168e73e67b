/**
 * Addresses of corpora, and of documents: the page that a collection's `baseUrl` gives, else this server's own page.
 *
 * Ids hold `:` and `/` (`docs:guide/install.md`), which an address keeps as they are so that it stays readable, and may
 * hold any other character, which it escapes. Addresses with every character escaped are understood too.
 *
 * Pure: ids and addresses in and out.
 */
import { InputError } from "../core/errors.ts";
import { quoteName } from "../core/text/nearest.ts";

/** Address of a corpus: what its routes stand behind. The one at the root, `""`, has the server's own. */
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

/** An id as a path has it. */
export function escapeId(id: string): string {
  return id.split("/").map(escapeSegment).join("/");
}

/** `.` and `..` would change the path, so even they are escaped as far as an address allows it. */
function escapeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll("%3A", ":");
}
