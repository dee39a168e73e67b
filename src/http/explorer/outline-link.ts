/** Addresses of outlines. Pure: ids in, addresses out. */
import { escapeId } from "../addresses.ts";
import { OUTLINE_PATH, EXPLORER_PATH, linkTo, type Parameters } from "./navigation.ts";

/** A link to the outline of a document. */
export function linkToOutline(base: string, documentId: string, parameters: Parameters = {}): string {
  return linkTo(base, `${OUTLINE_PATH}${escapeId(documentId)}`, parameters);
}
