/**
 * Ids of documents as text answers show them.
 */
import type { IndexReader } from "../core/index/index-reader.ts";

/** How to show a document's id: where there is one collection its name says nothing, and the path alone is understood. */
export function makeShownId(reader: IndexReader): (documentId: string) => string {
  const isOnly = reader.collections.length === 1;
  return (id) => (isOnly ? id.slice(id.indexOf(":") + 1) : id);
}
