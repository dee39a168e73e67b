/**
 * Finding the one document that a search is limited to: by the titles where they are read anyway, else by its id.
 */

import { type DocumentPlace, documentReads, findPlace } from "../docs/documents.ts";
import { makeDocumentId } from "../docs/node-id.ts";
import { collectionOf, hasDocument } from "../format/locator.ts";
import type { IndexReader, TableRead } from "../index/index-reader.ts";
import { type ResidentTable, residentTable } from "../index/resident.ts";

/** What tells where the one document is that is searched, to come with the words. */
export function readsOfOnly(reader: IndexReader, documentId: string, resident: readonly ResidentTable[]): TableRead[] {
  if (resident.includes("titles")) return [];
  return documentReads(reader, [documentId]);
}

/** Where the one document is that is searched. */
export async function findOnly(
  reader: IndexReader,
  documentId: string,
  resident: readonly ResidentTable[],
): Promise<DocumentPlace | undefined> {
  if (resident.includes("titles")) return findByName(reader, documentId);
  return findPlace(reader, documentId);
}

/** Where the document with an id is, by the titles, which must be resident; undefined where there is none. */
function findByName(reader: IndexReader, documentId: string): DocumentPlace | undefined {
  for (const { index } of reader.shards) {
    const locator = residentTable(reader, index, "locator");
    for (const [number, { path }] of residentTable(reader, index, "titles").entries()) {
      if (!hasDocument(locator, number)) continue;
      const collection = reader.collectionAt(collectionOf(locator, number)).name;
      if (makeDocumentId(collection, path) === documentId) return { shard: index, number };
    }
  }
  return undefined;
}
