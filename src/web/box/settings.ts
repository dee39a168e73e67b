/** What the attributes of a box say. */

/** Attributes, read. */
export interface Settings {
  readonly language: string;
  readonly placeholder: string | undefined;
  readonly collections: readonly string[];
  /** Keys that become chips. */
  readonly facets: readonly string[];
  /** Addresses keep their path and take the page's site. */
  readonly isHere: boolean;
  /** Where links open; `""` for here. */
  readonly target: string;
}

/** Keys that tell most visitors something, where the page names none. */
export const USUAL_KEYS: readonly string[] = ["collection", "version", "type", "category", "tags"];
