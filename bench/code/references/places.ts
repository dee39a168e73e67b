/** What a truth about references is asked, and what it says. */

/** A name in a file, relative to the tree; `..` in front is outside. Lines and columns are 1-based. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** Declarations of what stands at a place; undefined where nobody knows. */
export type Answer = readonly Place[] | undefined;

export interface ReferenceTruth {
  readonly name: string;
  /** Whether all is known beforehand, so that asking costs nothing. */
  readonly isTable: boolean;
  readonly ask: (places: readonly Place[]) => Promise<readonly Answer[]>;
  readonly close: () => void;
}
