/** What pictures of a graph are made of. Types only. */

/** Something that leads to something, by their places in a list. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

/** Documents, or packages, and what leads from one to another: each pair once, none to itself. */
export interface Graph {
  /** `docs:guide/install.md`. */
  readonly ids: readonly string[];
  readonly links: readonly (Link & {
    /** Whether nothing of it is left at run time. */
    readonly typeOnly: boolean;
    /** How many links it stands for; one when absent. */
    readonly weight?: number;
  })[];
}

/** Width and height, in units of the picture (pixels, as long as nobody zooms). */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A place in the picture; y grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle by its upper left corner. */
export interface Rectangle extends Point, Size {}
