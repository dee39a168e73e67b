/** Names by which pages know the element. */

/** Name of the element. */
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
