/**
 * How fully an answer shows a section. Pure: values in, values out.
 */
import { makeOrdinalId } from "./node-id.ts";

/** Levels, the fuller the higher: a line with its id, some of its words, its whole text. */
export const SHOWN = { line: 1, excerpt: 2, text: 3 } as const;

/** One of them. */
export type ShownLevel = (typeof SHOWN)[keyof typeof SHOWN];

/** A section that an answer shows. */
export interface ShownSection {
  /** Id of the section by its number (`makeOrdinalId`), as not every answer knows its other name; a symbol's own id. */
  readonly nodeId: string;
  readonly level: ShownLevel;
}

/** Sections of a document as an answer shows them that has a line for each. */
export function shownAsLines(
  documentId: string,
  sections: readonly { readonly ordinal: number }[],
): readonly ShownSection[] {
  return sections.map(({ ordinal }) => ({ nodeId: makeOrdinalId(documentId, ordinal), level: SHOWN.line }));
}
