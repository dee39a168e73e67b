/**
 * Facet keys with a meaning of their own.
 *
 * Pure: constants only.
 */
/** Frontmatter keys that are never facets: their values are searched instead. */
export const RESERVED_FACET_KEYS: readonly string[] = ["title", "description", "summary"];

/** Keys that the indexer derives itself; they are facets however many values they have. */
export const DERIVED_FACET_KEYS: ReadonlySet<string> = new Set([
  "collection",
  "version",
  "type",
  "tags",
  "language",
  "content_type",
  "has_code",
  "code_language",
  "symbol_kind",
  "has_links",
  "depth",
]);
