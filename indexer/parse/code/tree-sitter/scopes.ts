/** Scopes of a file and what names are bound to in them. Pure. */
import type { ImportDraft, SymbolDraft } from "./declarations.ts";

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

/** Key of a method among the names of a scope, for languages where a field may have the same name. */
export function calledName(name: string): string {
  return `${name}()`;
}
