/**
 * Which sections of a document some of its lines belong to.
 */
import type { DocumentOutline } from "../core/docs/model.ts";
import { makeOrdinalId } from "../core/docs/node-id.ts";
import type { Passage } from "../surface/render/passages.ts";

/** The sections that have text in these lines, which are 1-based and inclusive. */
export function coveredSections(
  { document, sections }: DocumentOutline,
  startLine: number,
  endLine: number,
): Passage["sections"] {
  return sections
    .filter((section) => section.startLine <= endLine && section.endLine >= startLine)
    .map((section) => ({
      nodeId: makeOrdinalId(document.id, section.ordinal),
      startLine: section.startLine,
      endLine: section.endLine,
    }));
}
