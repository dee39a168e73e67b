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
  "reach",
  "packages",
  "insights",
  "categories",
  "concepts",
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
  "reach",
  "packages",
] as const satisfies TableName[];
export type CodeTableName = (typeof CODE_TABLE_NAMES)[number];

/** Tables of the map above the tree. What a build on a base changes of them is patches of the base's. */
export const MAP_TABLE_NAMES = ["insights", "categories", "concepts"] as const satisfies TableName[];
export type MapTableName = (typeof MAP_TABLE_NAMES)[number];
