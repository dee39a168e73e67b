/** Parts that the rules of several languages are made of. */
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import type { Declarations, Declare, Shape, UseRule } from "./rules.ts";

export const THROUGH_FIRST: Shape = { is: "through", child: { place: "first" } };
export const THROUGH_LAST: Shape = { is: "through", child: { place: "last" } };
export const FIRST_AND_LAST: Shape = { is: "member", object: { place: "first" }, name: { place: "last" } };

/** A set of words that are written with spaces between. */
export function wordSet<Word extends string = string>(list: string): ReadonlySet<Word> {
  return new Set(list.split(" ") as Word[]);
}

/** A table that gives each of some nodes the same. */
export function each<Value>(nodes: string, value: Value): Record<string, Value> {
  return Object.fromEntries(nodes.split(" ").map((node) => [node, value]));
}

/** The table of uses by node (`parent.field` or `parent`) out of the nodes of each use. */
export function usesBy(nodes: { readonly [Use in UseRule]?: string }): Record<string, UseRule> {
  const entries = Object.entries(nodes) as [UseRule, string][];
  return Object.fromEntries(entries.flatMap(([use, list]) => list.split(" ").map((node) => [node, use])));
}

/** Declares a symbol whose parts are in the grammar's usual fields. `flags` are its own, where those of the language do not fit. */
export function declares(kind: SymbolKind, flags?: readonly SymbolFlag[]): Declare {
  return (file, node) => void file.addSymbol({ kind, node, ...(flags !== undefined && { flags }) });
}

/** Declares the names in a field of a node as local, with the type and value in others. */
export function localsIn(nameField: string, typeField = "type", valueField = "value"): Declare {
  return (file, node, tree) => {
    for (const name of tree.allIn(node, nameField)) {
      if (tree.isNamed(name)) file.addLocal(name, tree.field(node, typeField), tree.field(node, valueField));
    }
  };
}

/** Declares the first child of a type as local: parameters without fields, type parameters. */
export function localChild(...types: readonly string[]): Declare {
  return (file, node) => file.addLocal(file.tree.child(node, ...types));
}

/** Opens a scope in which names are local: lambdas, accessors, initializers. */
export function opensFunction(file: Declarations, node: number): void {
  file.openScope(node, "function");
}

/** Claims a node with all inside: its names are no uses. */
export function claimsAll(file: Declarations, node: number): void {
  file.claimAll(node);
}

/** Flags out of the modifiers that most languages share. */
export function flagsOf(words: ReadonlySet<string>, isExported: boolean): SymbolFlag[] {
  const flags: SymbolFlag[] = [];
  if (words.has("private") || words.has("fileprivate")) flags.push("private");
  else if (words.has("protected")) flags.push("protected");
  else if (isExported) flags.push("exported");
  for (const flag of ["static", "abstract", "async"] as const) if (words.has(flag)) flags.push(flag);
  return flags;
}
