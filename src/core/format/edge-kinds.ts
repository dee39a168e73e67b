/** Kinds of edges between symbols and files, and how sure they are. The order of each list is that of the format. Pure. */

/** What one place in the code does with what it names. */
export const EDGE_KINDS = [
  "imports",
  "reexports",
  "calls",
  "instantiates",
  "extends",
  "implements",
  "overrides",
  "type",
  "reads",
  "writes",
  "decorates",
  /** From a prototype to the definition, from a part of a type to the first one: both are one symbol. */
  "declares",
] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

/**
 * How an edge's target was found, the surest first: `precise` by a compiler; `scope` by binding a plain name, imports
 * included; `receiver` as a member of what its receiver is known to be; `name` because the repository has only one
 * symbol of that name, which is a guess.
 */
export const EDGE_TIERS = ["precise", "scope", "receiver", "name"] as const;
export type EdgeTier = (typeof EDGE_TIERS)[number];

/**
 * What a place says beside the plain name of its target: `key` and `value` are the two sides of a short form that stands for
 * both (`{ open }` for `{ open: open }`), `alias` is another name that an import or export gave the target, which may be
 * written like its own.
 */
export const EDGE_FORMS = ["key", "value", "alias"] as const;
export type EdgeForm = (typeof EDGE_FORMS)[number];
