/** Names by which pages know the element, and what its attributes say. */

export const ELEMENT_NAME = "treeline-search";
/** Attributes, each of which may change at any time. */
export const ATTRIBUTES: readonly string[] = [
  "src",
  "mode",
  "collections",
  "facets",
  "lang",
  "placeholder",
  "label",
  "hotkeys",
  "links",
  "target",
  "theme",
];

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
