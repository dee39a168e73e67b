/**
 * How fully an answer shows a section. Pure: constants and types.
 */

/** Levels, the fuller the higher: a line with its id, some of its words, its whole text. */
export const SHOWN = { line: 1, excerpt: 2, text: 3 } as const;

/** One of them. */
export type ShownLevel = (typeof SHOWN)[keyof typeof SHOWN];

/** A section that an answer shows. */
export interface ShownSection {
  /** Id of the section, or of a symbol. */
  readonly nodeId: string;
  readonly level: ShownLevel;
}
