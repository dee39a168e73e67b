/**
 * Answers that need no index: the same bytes until the next deployment, kept by their tag.
 */
import { hasTag } from "./if-none-match.ts";

/**
 * The bytes, or a 304 for a client that has them.
 *
 * @param etag The tag, with its quotes.
 * @param type What the bytes are, `Content-Type`.
 * @param headers Of both answers.
 */
export function respondTagged(
  request: Request,
  bytes: Uint8Array,
  etag: string,
  type: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const common = { ...headers, ETag: etag };
  if (hasTag(request, etag)) return new Response(null, { status: 304, headers: common });
  return new Response(bytes, { headers: { ...common, "Content-Type": type, "Content-Length": `${bytes.length}` } });
}
