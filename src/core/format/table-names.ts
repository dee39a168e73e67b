/** Names of the tables of a shard. Pure. */

/** Tables of a shard, in the order in which the root holds their directories. */
export const TABLE_NAMES = [
  "terms",
  "locator",
  "titles",
  "facets",
  "documents",
  "sections",
  "links",
  "spelling",
  "suggestions",
  "trigrams",
  "patches",
] as const;
export type TableName = (typeof TABLE_NAMES)[number];
