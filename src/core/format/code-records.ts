/**
 * What the index says of source files: their symbols and the edges between them. Types only.
 *
 * Lines and columns are 1-based, columns in UTF-16 units. Source files of an access group have *numbers*, in the order
 * of the UTF-8 bytes of their document ids; they are not the numbers of documents.
 */
import type { EdgeForm, EdgeKind, EdgeTier } from "./edge-kinds.ts";
import type { SymbolKind } from "./symbol-kinds.ts";

/** A place in a file. */
export interface CodePosition {
  readonly line: number;
  readonly column: number;
}

/** What is true of a symbol beside its kind. */
export const SYMBOL_FLAGS = [
  "exported",
  "defaultExport",
  "static",
  "abstract",
  "async",
  "deprecated",
  "test",
  "generated",
  "private",
  "protected",
  /** Inside a function, or of a kind that outlines leave out: indexed and findable, never part of an outline. */
  "inner",
  /** Declared by a short form that stands for two names: `{ open }` as a member, or as a variable. */
  "shorthand",
] as const;
export type SymbolFlag = (typeof SYMBOL_FLAGS)[number];

/** One symbol of a file. Its id is the file's document id, `#` and `path`. */
export interface SymbolRecord {
  readonly kind: SymbolKind;
  readonly name: string;
  /** Unique in the file: `Store.open`, the second of that name `Store.open~2`. */
  readonly path: string;
  /** Index of the symbol that it is a member of, or -1. A container stands before its members. */
  readonly parent: number;
  /** Where the name stands. */
  readonly at: CodePosition;
  /** The whole declaration with decorators, without the comment in front; `end` is the place behind its last character. */
  readonly start: CodePosition;
  readonly end: CodePosition;
  /** Declaration up to the body, whitespace folded, at most 400 characters. */
  readonly signature: string;
  /** First paragraph of its doc comment, without comment marks; `""` without one. */
  readonly doc: string;
  readonly flags: readonly SymbolFlag[];
  /** Declared type of a value, what a function is declared to return; `""` where none is declared. */
  readonly type: string;
  /** Names of what it extends or implements, as written. */
  readonly bases: readonly string[];
  /** How much of the code leads here, 0–255: a logarithm of its PageRank. */
  readonly rank: number;
  /** Ordinal of the section that shows it: its own, or the one that its first line lies in. */
  readonly section: number;
}

/** A source file with its symbols, in the order of the source. */
export interface FileRecord {
  /** Document id. */
  readonly id: string;
  readonly language: string;
  /** Name of the workspace that the file belongs to, and of the package in it. */
  readonly module: string;
  readonly package: string;
  /** 16 hexadecimal digits: content hash of the file. */
  readonly hash: string;
  readonly rank: number;
  /** Parts of the file that could not be parsed. */
  readonly errors: number;
  readonly symbols: readonly SymbolRecord[];
}

/**
 * What an edge leads to: a symbol or (symbol -1) a file as a whole, of the same access group by their numbers, of another
 * one by id; or something outside of the corpus by its name (`npm:react`).
 */
export type EdgeTarget =
  | { readonly file: number; readonly symbol: number }
  | { readonly id: string }
  | { readonly external: string };

/** Another name that a place gives its target: `Shop` in `export { Store as Shop }`. */
export interface OtherName {
  readonly name: string;
  /** Where it stands. */
  readonly at: CodePosition;
}

/** An edge out of a file. */
export interface EdgeRecord {
  readonly kind: EdgeKind;
  readonly tier: EdgeTier;
  /** Whether nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** Index of the symbol that the place lies in, -1 for the file itself. */
  readonly from: number;
  /** Where the name stands that leads there. */
  readonly at: CodePosition;
  readonly to: EdgeTarget;
  /** Left out where the target's plain name stands there. */
  readonly form?: EdgeForm;
  /** Left out where it gives none. */
  readonly otherName?: OtherName;
}

/** A section of a page that names a symbol. */
export interface MentionRecord {
  /** Id of the section. */
  readonly nodeId: string;
  /** As written. */
  readonly text: string;
  readonly line: number;
  readonly file: number;
  readonly symbol: number;
}
