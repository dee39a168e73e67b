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
  "files",
  "names",
  "symbols",
  "edges",
  "uses",
  "mentions",
] as const;
export type TableName = (typeof TABLE_NAMES)[number];

/** Tables of source code. They are written whole at each build; of a group, those of its last shard that has any are valid. */
export const CODE_TABLE_NAMES = [
  "files",
  "names",
  "symbols",
  "edges",
  "uses",
  "mentions",
] as const satisfies TableName[];
export type CodeTableName = (typeof CODE_TABLE_NAMES)[number];
