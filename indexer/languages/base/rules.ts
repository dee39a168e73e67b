/**
 * Rules of a language for the parser: which nodes of its grammar declare something, which open scopes, and how names are put
 * together; and the symbols, imports and scopes that rules make.
 */
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import type { CodeUse, Reference } from "./code-file.ts";
import type { SyntaxTree } from "./syntax-tree.ts";

/** Kinds of members that a class and its objects have apart from each other, where a language keeps them so. */
export const SIDED_KINDS: ReadonlySet<SymbolKind> = new Set<SymbolKind>(["method", "property"]);

/** A symbol as its declaration was met; `index` is its place among the file's symbols, once all are known. */
export interface SymbolDraft {
  readonly node: number;
  /** The declaration with what is around it: decorators, `template <…>`, `export`. */
  readonly outer: number;
  readonly nameNode: number;
  readonly name: string;
  kind: SymbolKind;
  parent: SymbolDraft | undefined;
  /** Name of the type that it is a member of where that is not around it. */
  memberOf: string;
  readonly flags: Set<SymbolFlag>;
  /** Nodes; -1 where there is none. */
  readonly body: number;
  readonly typeNode: number;
  readonly valueNode: number;
  readonly bases: number[];
  /** A doc text that is no comment in front; undefined where comments count. */
  readonly docText: string | undefined;
  /** Words of the signature, where the source's are not enough. */
  readonly signature: string | undefined;
  readonly isPrototype: boolean;
  readonly scope: Scope;
  index: number;
}

export interface ImportDraft {
  readonly kind: "imports" | "reexports";
  readonly specifier: string;
  readonly imported: string;
  readonly local: string;
  readonly typeOnly: boolean;
  readonly from: SymbolDraft | undefined;
  /** Of the imported name; of the bound one, where that does not stand by itself. */
  readonly node: number;
  /** Of the bound name, where it stands beside the imported one. */
  readonly localNode?: number;
  index: number;
}

/** What a rule says of a symbol; what is left out follows from the grammar's usual fields or from where it stands. */
export interface NewSymbol {
  readonly kind: SymbolKind;
  readonly node: number;
  readonly outer?: number;
  readonly nameNode?: number;
  readonly name?: string;
  readonly flags?: readonly SymbolFlag[];
  readonly body?: number;
  readonly typeNode?: number;
  readonly valueNode?: number;
  readonly bases?: readonly number[];
  readonly docText?: string | undefined;
  readonly signature?: string;
  readonly memberOf?: string;
  /** Whether the body or the value stands in another declaration. */
  readonly isPrototype?: boolean;
  readonly parent?: SymbolDraft | undefined;
  /** The node of the type whose members a function outside of it sees: `void Store::open()`. */
  readonly ofType?: number;
  /** Whether the name is bound in the scope around; members of types elsewhere are not. */
  readonly isBound?: boolean;
}

/** What a name stands for. */
export type Binding =
  | { readonly kind: "symbol"; readonly symbol: SymbolDraft }
  | { readonly kind: "import"; readonly imports: ImportDraft[] }
  /** A local name, with the node of its type or of its first value where there is one (-1 without). */
  | { readonly kind: "local"; readonly typeNode: number; readonly valueNode: number }
  /** A name for the object itself: `self` of Python, the receiver of Go. */
  | { readonly kind: "self" }
  /** A name that the scope takes from the top of the file: `global x`. */
  | { readonly kind: "outer" };

export interface Scope {
  readonly node: number;
  readonly kind: "file" | "type" | "function" | "block";
  readonly names: Map<string, Binding>;
  /** The symbol whose inside this is. */
  readonly owner: SymbolDraft | undefined;
  /** For a type's members outside of it (`impl`, receivers, extensions): the node of the type's name, else -1. */
  readonly ofType: number;
}

/** Names that a declaration gives, by the place where it stands in the file. */
export function bind(scope: Scope, name: string, binding: Binding): void {
  const known = scope.names.get(name);
  if (known === undefined) {
    scope.names.set(name, binding);
  } else if (known.kind === "import" && binding.kind === "import") {
    known.imports.push(...binding.imports);
  } else if (known.kind === "local" && binding.kind === "local" && known.typeNode < 0 && binding.typeNode >= 0) {
    scope.names.set(name, binding);
  }
}

/** Key of a method of the class among the names of a scope, for languages where a method of its objects may have the same name. */
export function classSideName(name: string): string {
  return `self.${name}`;
}

/** Key of a method among the names of a scope, for languages where a field may have the same name. */
export function calledName(name: string): string {
  return `${name}()`;
}

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

type UseKind = CodeUse["kind"];

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

/** Declares what a node gives a name to. */
export type Declare = (file: Declarations, node: number, tree: SyntaxTree) => void;

export interface LanguageRules {
  /** What a node declares: called for each node of the type, before the nodes inside it. */
  readonly declare: Readonly<Record<string, Declare>>;
  /** Nodes that open a scope for local names; functions and types do it when they are declared. */
  readonly blocks: ReadonlySet<string>;
  /** Tokens that are names of values, and of types. */
  readonly names: ReadonlySet<string>;
  readonly typeNames: ReadonlySet<string>;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** By `parent.field` or `parent`. */
  readonly useKinds: Readonly<Record<string, UseRule>>;
  readonly comments: ReadonlySet<string>;
  /** Node in front of all code. */
  readonly openingTag?: string;
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
