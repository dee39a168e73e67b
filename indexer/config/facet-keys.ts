/**
 * Facet keys with a meaning of their own.
 *
 * Pure: constants only.
 */
import { DERIVED_KEYS } from "../../src/core/docs/facets.ts";

/** Frontmatter keys that are never facets: their values are searched instead. */
export const RESERVED_FACET_KEYS: readonly string[] = ["title", "description", "summary"];

/** Keys of facets that are kept however many values they have: those that the indexer derives itself, and what pages are tagged with. */
export const DERIVED_FACET_KEYS: ReadonlySet<string> = new Set([...DERIVED_KEYS, "tags"]);
