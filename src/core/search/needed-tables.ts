/**
 * Which resident tables a query needs before documents can be selected and put in order, and whether it selects at all.
 */
import type { IndexReader } from "../index/index-reader.ts";
import type { ResidentTable } from "../index/resident.ts";
import { isEmptyFilter } from "../tree/facet-filter.ts";
import type { SearchRequest } from "./answer.ts";
import type { FieldClause, ParsedQuery } from "./query.ts";

/** Whether anything but the words decides which documents may be found. */
export function isRestricted(
  { fields, requirements }: ParsedQuery,
  { collections, documentId, filter }: SearchRequest,
): boolean {
  return (
    fields.length > 0 ||
    requirements.length > 0 ||
    collections.length > 0 ||
    documentId !== undefined ||
    !isEmptyFilter(filter)
  );
}

/** The resident tables that selecting and ordering need. */
export function listNeeded(
  { residency }: IndexReader,
  { fields, words }: ParsedQuery,
  { filter, documentId, sort }: SearchRequest,
): ResidentTable[] {
  const needsFacets = !isEmptyFilter(filter) || fields.some(isOfFacet);
  // Fields without words are answered in the order of paths.
  const isBrowsing = fields.length > 0 && words.length === 0;
  const needsTitles = documentId !== undefined || sort !== "relevance" || isBrowsing || !fields.every(isOfFacet);
  if (residency === "shown") {
    return ["locator", ...(needsFacets ? (["facets"] as const) : []), ...(needsTitles ? (["titles"] as const) : [])];
  }
  // The three lie side by side: asking for all of them is one read, asking for the first and the last would be two.
  return needsFacets || needsTitles ? ["locator", "facets", "titles"] : ["locator"];
}

/** Whether a field is a facet: all are but the names, which every document has. */
export function isOfFacet({ field }: FieldClause): boolean {
  return field !== "title" && field !== "path";
}
