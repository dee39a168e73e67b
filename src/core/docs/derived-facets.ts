/**
 * Facets that the indexer makes of every page and file, whether its author says something or not. An author's own values of such a
 * key stand beside them.
 *
 * Pure: constants only.
 */

/** Keys of these facets. */
export const DERIVED_KEYS: readonly string[] = [
  "collection",
  "version",
  "type",
  "language",
  "content_type",
  "has_code",
  "code_language",
  "symbol_kind",
  "has_links",
  "depth",
];
