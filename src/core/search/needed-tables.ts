/**
 * Which resident tables a query needs before documents can be selected and put in order, and whether it selects at all.
 */

import { isEmptyFilter } from "../docs/model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { isAtHand, type ResidentTable } from "../index/resident.ts";
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

/** Whether a query asks for everything of a kind, and no words put that in order. */
export function isBrowsing({ words, fields, requirements }: ParsedQuery): boolean {
  return words.length === 0 && (fields.length > 0 || requirements.length > 0);
}

/**
 * The resident tables that selecting and ordering need, however large they are. One document is found by the titles where
 * they are at hand, because they lie beside the locator.
 */
export function listNeeded(
  reader: IndexReader,
  query: ParsedQuery,
  { filter, documentId, sort, withFacetCounts }: SearchRequest,
): ResidentTable[] {
  const { fields, requirements } = query;
  // Hits carry them; where text is read to check phrases, nothing may be left to read them with.
  const carriesFacets = requirements.length > 0 && (withFacetCounts === true || isAtHand(reader, "facets"));
  const needsFacets = !isEmptyFilter(filter) || fields.some(isOfFacet) || carriesFacets;
  // What is browsed is listed in the order of paths.
  const needsTitles =
    sort !== "relevance" ||
    isBrowsing(query) ||
    !fields.every(isOfFacet) ||
    (documentId !== undefined && isAtHand(reader, "titles"));
  return ["locator", ...(needsFacets ? (["facets"] as const) : []), ...(needsTitles ? (["titles"] as const) : [])];
}

/** Whether a field is a facet: all are but the names, which every document has. */
export function isOfFacet({ field }: FieldClause): boolean {
  return field !== "title" && field !== "path";
}
