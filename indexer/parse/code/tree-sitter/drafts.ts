/**
 * Symbols, imports and scopes of a file as the first pass makes them, with nodes of the tree in them. Pure.
 */
import type { SymbolFlag, SymbolKind } from "../../../../src/core/format/code-model.ts";

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
