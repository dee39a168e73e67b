/**
 * What a language tells the framework about its grammar: which nodes declare something, which open scopes, and how names
 * are put together. Types only; there is one file of rules for each language.
 */
import type { CodeUse, Reference } from "../code-file.ts";
import type { Declarations, SymbolDraft } from "./declarations.ts";
import type { SyntaxTree } from "./syntax-tree.ts";
import type { Uses } from "./uses.ts";

/** A child by the name of its field, or by its place among the children that have rules. */
export type Slot = string | { readonly place: "first" | "last" };

export const FIRST: Slot = { place: "first" };
export const LAST: Slot = { place: "last" };

/** What a node is in an expression or a type. */
export type Shape =
  /** `object.name`, `Outer::Inner`. */
  | { readonly is: "member"; readonly object: Slot; readonly name: Slot }
  /** A call whose node holds the name itself: `object.name(…)` in Java, Ruby and PHP. */
  | { readonly is: "invocation"; readonly object: Slot; readonly name: Slot }
  | { readonly is: "call"; readonly callee: Slot }
  /** `new Type(…)`, `Type { … }`. */
  | { readonly is: "creation"; readonly type: Slot }
  /** What stands for one of its children: parentheses, `await`, pointers, `List<X>` for `List`. */
  | { readonly is: "through"; readonly child: Slot }
  | { readonly is: "self" }
  | { readonly is: "super" };

export type UseKind = CodeUse["kind"];

/**
 * What a name does, by the node that it stands in: `up` asks the next node further out, `none` says that it is no use of
 * a symbol (the name of a keyword argument).
 */
export type UseRule = UseKind | "up" | "none";

export interface LanguageRules {
  /** What a node declares: called for each node of the type, before the nodes inside it. */
  readonly declare: Readonly<Record<string, (file: Declarations, node: number) => void>>;
  /** Nodes that open a scope for local names; functions and types do it when they are declared. */
  readonly blocks: ReadonlySet<string>;
  /** Tokens that are names of values, and of types. */
  readonly names: ReadonlySet<string>;
  readonly typeNames: ReadonlySet<string>;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** By `parent.field` or `parent`. */
  readonly useKinds: Readonly<Record<string, UseRule>>;
  readonly comments: ReadonlySet<string>;
  /** Nodes in front of a declaration that belong to it but stand beside it. */
  readonly attributes?: ReadonlySet<string>;
  /** Whether methods see the members of their type by plain names. */
  readonly seesMembers: boolean;
  /** Whether a plain call that nothing in the file declares may call an inherited method: in a class without bases not. */
  readonly callsMembers?: boolean;
  /** Whether a call of a name in upper case makes an object: `Store()` in Python and Kotlin. */
  readonly callsMakeObjects?: boolean;
  /** Names that are no symbols anywhere: `_`, `iota`. */
  readonly ignored?: ReadonlySet<string>;
  /** Called when the whole file was read, before symbols are put in order. */
  readonly finish?: (file: Declarations, symbols: readonly SymbolDraft[]) => void;
  /** A place where the language has a rule of its own: the chain of a node, or undefined for the usual way. */
  readonly chain?: (uses: Uses, node: number, depth: number) => Chain | undefined;
  /** Language's own word on what a name does, before `useKinds`. */
  readonly useKind?: (uses: Uses, node: number) => UseRule | undefined;
  /** Lines of a place that only type checkers read. */
  readonly isTypeOnly?: (tree: SyntaxTree, node: number) => boolean;
  /** The text to parse in place of the source's, of the same length: what the grammar cannot know is blanked. */
  readonly prepare?: (text: string) => string;
}

/** A reference being made, and whether it is nothing but a local name. */
export interface Chain extends Reference {
  readonly isLocal?: boolean;
}
