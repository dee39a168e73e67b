/**
 * Names that mean the same: `docId`, `doc-id` and `doc_id`.
 *
 * Pure: text in, text out.
 */

/** A name as all its spellings share it: lower case, without separators. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, "");
}
