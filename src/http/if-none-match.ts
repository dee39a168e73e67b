/**
 * Whether a client has an answer already. Comparison is weak, as RFC 9110 (section 13.1.2) has it: what a cache on the way
 * did to a tag, `W/"x"` of `"x"` or the other way, does not matter.
 *
 * `*` counts for nothing: whether there is anything at an address is not known before it is read.
 */

const WEAK = /^W\//;

/** Whether `If-None-Match` of a request names this tag. */
export function hasTag({ headers }: Request, etag: string): boolean {
  const opaque = etag.replace(WEAK, "");
  const known = (headers.get("If-None-Match") ?? "").split(",");
  return known.some((tag) => tag.trim().replace(WEAK, "") === opaque);
}
