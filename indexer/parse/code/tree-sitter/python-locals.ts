/** Local names of Python: parameters, and what loops, patterns and assignments give names to. */
import type { Declarations } from "./rules.ts";
import { NONE, type SyntaxTree } from "./syntax-tree.ts";

const TYPED_PARAMETERS = new Set(["typed_parameter", "typed_default_parameter", "default_parameter"]);

/** Parameters of a function; the first of a method is the object itself. */
export function declareParameters(file: Declarations, list: number, hasSelf: boolean): void {
  const { tree } = file;
  for (const [place, parameter] of tree
    .named(list)
    .filter((node) => tree.type(node) !== "comment")
    .entries()) {
    const nameNode = tree.type(parameter) === "identifier" ? parameter : tree.descendant(parameter, "identifier");
    if (nameNode === NONE) continue;
    if (hasSelf && place === 0) {
      file.claim(nameNode);
      file.addBinding(tree.textOf(nameNode), { kind: "self" });
    } else if (TYPED_PARAMETERS.has(tree.type(parameter))) {
      const isSplat = tree.child(parameter, "list_splat_pattern", "dictionary_splat_pattern") !== NONE;
      file.addLocal(nameNode, isSplat ? NONE : tree.field(parameter, "type"));
    } else {
      file.addLocal(nameNode);
    }
  }
}

/** Names that an assignment gives: through tuples, lists and stars. */
export function targetNames(tree: SyntaxTree, node: number): number[] {
  switch (tree.type(node)) {
    case "identifier":
      return [node];
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "list_splat_pattern":
    case "expression_list":
    case "tuple":
    case "list":
    case "parenthesized_expression":
    case "as_pattern_target":
      return tree.named(node).flatMap((child) => targetNames(tree, child));
    default:
      return [];
  }
}

/** `global x` and `nonlocal x`: an assignment below makes no local name of it. */
export function declareGlobal(file: Declarations, node: number): void {
  const { tree } = file;
  for (const name of tree.named(node)) {
    file.claim(name);
    if (tree.type(node) === "global_statement") file.addBinding(tree.textOf(name), { kind: "outer" }, file.holder);
  }
}

/** What a field of a node gives names to, as local names. */
export function declareTargets(field: string): (file: Declarations, node: number) => void {
  return (file, node) => {
    for (const name of targetNames(file.tree, file.tree.field(node, field))) declareLocalOrSkip(file, name);
  };
}

/** A local name, unless the name stands for something else here: a symbol, one of the module. */
export function declareLocalOrSkip(file: Declarations, name: number): void {
  const known = file.holder.names.get(file.tree.textOf(name));
  if (known === undefined || known.kind === "local") file.addLocal(name, NONE, NONE, file.scope.kind !== "block");
}

/** Names that a pattern of `match` captures: plain names, which are no dotted values and no classes. */
export function declareCapture(file: Declarations, node: number): void {
  const { tree } = file;
  const inner = tree.named(node);
  const name = tree.type(inner[0] ?? NONE) === "dotted_name" ? tree.named(inner[0] as number) : [];
  if (name.length === 1 && inner.length === 1) declareLocalOrSkip(file, name[0] as number);
}
