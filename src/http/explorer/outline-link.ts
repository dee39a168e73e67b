/** Addresses of outlines. Pure: ids in, addresses out. */
import { escapeId } from "../addresses.ts";
import { EXPLORER_PATH, linkTo, type Parameters } from "./navigation.ts";

/** What stands before the id. */
export const OUTLINE_PATH = `${EXPLORER_PATH}/outline/`;

/** A link to the outline of a document. */
export function linkToOutline(base: string, documentId: string, parameters: Parameters = {}): string {
  return linkTo(base, `${OUTLINE_PATH}${escapeId(documentId)}`, parameters);
}
