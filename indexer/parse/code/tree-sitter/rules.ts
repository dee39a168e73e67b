/**
 * What a language tells the framework about its grammar: which nodes declare something, which open scopes, and how names
 * are put together. Types only; there is one file of rules for each language.
 */
import type { CodeUse, Reference } from "../code-file.ts";
import type { Binding, ImportDraft, NewSymbol, Scope, SymbolDraft } from "./drafts.ts";
import type { SyntaxTree } from "./syntax-tree.ts";

/** A child by the name of its field, or by its place among the children that have rules. */
export type Slot = string | { readonly place: "first" | "last" };

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

/** An import as a rule names it; what is left out is `imports`, and for types alone where the language says so. */
export type NewImport = Omit<ImportDraft, "index" | "from" | "kind" | "typeOnly"> &
  Partial<Pick<ImportDraft, "kind" | "typeOnly">>;

/** The first pass over a file, as rules see it: where they are, and what they can declare there. */
export interface Declarations {
  readonly tree: SyntaxTree;
  readonly symbols: readonly SymbolDraft[];
  readonly scopes: ReadonlyMap<number, Scope>;
  /** Nodes that are names being declared, so no uses: 1 at their number. */
  readonly claimed: Uint8Array;
  /** Declared package or namespace. */
  namespace: string;
  /** A doc of the file that is no comment at its top. */
  fileDoc: string | undefined;
  /** The innermost scope. */
  readonly scope: Scope;
  readonly fileScope: Scope;
  /** The innermost scope that is no block. */
  readonly holder: Scope;
  /** The innermost type around, over functions too. */
  readonly typeScope: Scope | undefined;
  /** The innermost symbol that others can stand in. */
  readonly container: SymbolDraft | undefined;
  /** Whether names that are declared here are local. */
  readonly isInFunction: boolean;
  /** Whether a function stands around this place, at any distance. */
  readonly isInner: boolean;
  /** Opens a scope from a node to its end. */
  openScope(node: number, kind: Scope["kind"], owner?: SymbolDraft, ofType?: number): Scope;
  /** Adds a symbol; functions and types open a scope and become the container of what stands inside. */
  addSymbol(symbol: NewSymbol): SymbolDraft | undefined;
  addImport(entry: NewImport): ImportDraft;
  /** Declares a local name in the innermost scope, or in that of the function around. */
  addLocal(nameNode: number, typeNode?: number, valueNode?: number, isOfFunction?: boolean): void;
  /** Binds a name that is neither a symbol nor a plain local. */
  addBinding(name: string, binding: Binding, scope?: Scope): void;
  /** Says that a node is a name being declared. */
  claim(node: number): void;
  /** The same for all names inside a node. */
  claimAll(node: number): void;
}

/** What names stand for at a place, as rules see it. */
export interface Names {
  readonly tree: SyntaxTree;
  readonly fileScope: Scope;
  readonly imports: readonly ImportDraft[];
  /** What an expression or a type leads to. `depth` bounds how far variables are followed. */
  chainOf(node: number, depth?: number): Chain;
  /** The object whose type is around this place, or the same as its bases have it. */
  selfChain(kind: "self" | "super"): Chain;
  /** What a plain name stands for here. */
  resolve(name: string, depth?: number): Chain;
  /** A type's node as a reference, where it names one type. */
  typeReference(node: number, depth?: number): Reference | undefined;
}

/** The second pass over a file, as rules see it: what names stand for where it is. */
export interface Uses extends Names {
  /** Adds a use with a chain that is known already. */
  add(kind: UseKind, node: number, chain: Chain): void;
}

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
  /** Whether a plain name in a method of the class never means a method of its objects, nor the other way round: Ruby. */
  readonly hasSides?: boolean;
  /** Whether types have further parts in other files: `partial`, extensions, classes that are opened again. */
  readonly splitsTypes?: boolean;
  /** Whether a call of a name in upper case makes an object: `Store()` in Python and Kotlin. */
  readonly callsMakeObjects?: boolean;
  /** Names that are no symbols anywhere: `_`, `iota`. */
  readonly ignored?: ReadonlySet<string>;
  /** Called when the whole file was read, before symbols are put in order. */
  readonly finish?: (file: Declarations, symbols: readonly SymbolDraft[]) => void;
  /** A place where the language has a rule of its own: the chain of a node, or undefined for the usual way. */
  readonly chain?: (names: Names, node: number, depth: number) => Chain | undefined;
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
