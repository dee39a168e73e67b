/** How C and C++ write a declaration: the name inside a declarator, what stands around it, who may see it. */
import type { SymbolFlag } from "../../../../src/core/format/code-model.ts";
import type { Declarations } from "./rules.ts";
import { NONE, type SyntaxTree } from "./syntax-tree.ts";

const NAME_TYPES = new Set([
  "identifier",
  "field_identifier",
  "type_identifier",
  "operator_name",
  "operator_cast",
  "destructor_name",
  "qualified_identifier",
  "template_function",
  "primitive_type",
]);

/** What a declarator declares: the name inside it, and whether it is a function rather than a pointer to one. */
export interface Declared {
  /** With what qualifies it: `Store::open`. */
  readonly whole: number;
  readonly nameNode: number;
  readonly isFunction: boolean;
}

/** What a declarator declares; undefined where it has no name. */
export function readDeclarator(tree: SyntaxTree, declarator: number): Declared | undefined {
  let isFunction = false;
  for (let at = declarator, steps = 0; at !== NONE && steps < 64; steps++) {
    const type = tree.type(at);
    if (NAME_TYPES.has(type)) {
      let nameNode = at;
      while (tree.type(nameNode) === "qualified_identifier") nameNode = tree.field(nameNode, "name");
      if (tree.type(nameNode) === "template_function") nameNode = tree.field(nameNode, "name");
      return nameNode === NONE ? undefined : { whole: at, nameNode, isFunction };
    }
    if (type === "function_declarator") isFunction = true;
    // `(*f)(int)` is a pointer; `(f)(int)` is a function in parentheses.
    else if (type === "pointer_declarator" || type === "array_declarator") isFunction = false;
    const inner = tree.field(at, "declarator");
    at =
      inner !== NONE
        ? inner
        : (tree.named(at).find((child) => /declarator$/.test(tree.type(child)) || NAME_TYPES.has(tree.type(child))) ??
          NONE);
  }
  return undefined;
}

/** `template <…>` around a declaration, a `typedef` around its type. */
export function outerOf(tree: SyntaxTree, node: number): number {
  let at = node;
  while (/^(?:template_declaration|type_definition)$/.test(tree.type(tree.parent(at)))) at = tree.parent(at);
  return at;
}

/** Class in front of the name of a definition outside of it: `Store` of `a::Store::open`. */
export function scopeNode(tree: SyntaxTree, whole: number): number {
  let found = NONE;
  for (let at = whole; tree.type(at) === "qualified_identifier"; at = tree.field(at, "name"))
    found = tree.field(at, "scope");
  return tree.type(found) === "template_type" ? tree.field(found, "name") : found;
}

/** All that stands in front of the name, as it is written and without type arguments: `a::Store` of `a::Store<T>::open`. */
export function scopePath(tree: SyntaxTree, whole: number): string {
  const parts: string[] = [];
  for (let at = whole; tree.type(at) === "qualified_identifier"; at = tree.field(at, "name")) {
    const scope = tree.field(at, "scope");
    const part = tree.textOf(tree.type(scope) === "template_type" ? tree.field(scope, "name") : scope);
    if (part !== "") parts.push(part);
  }
  return parts.join("::");
}

/** `private:` and `protected:` hold for what follows; a class begins private, a struct public. */
export function accessOf(file: Declarations, node: number): SymbolFlag[] {
  const { tree } = file;
  if (file.holder.kind !== "type" || /^(?:namespace|module)$/.test(file.holder.owner?.kind ?? "")) return ["exported"];
  const whole = outerOf(tree, node);
  const around = tree.parent(whole);
  let at = tree.previous(/^(?:field_declaration|declaration)$/.test(tree.type(around)) ? around : whole);
  while (at !== NONE && tree.type(at) !== "access_specifier") at = tree.previous(at);
  const word = at === NONE ? (file.holder.owner?.kind === "class" ? "private" : "public") : tree.textOf(at).trim();
  if (word.startsWith("private")) return ["private"];
  return word.startsWith("protected") ? ["protected"] : ["exported"];
}

/** Flags of a declaration: who may see it, and whether it is static. */
export function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  const found = words(file.tree, node);
  const flags = accessOf(file, node);
  if (found.has("static")) {
    if (file.holder.kind === "file") flags.splice(0);
    flags.push("static");
  }
  return flags;
}

/** Words in front of a declaration, such as `static` and `const`. */
export function words(tree: SyntaxTree, node: number): Set<string> {
  return new Set(
    tree
      .children(node)
      .filter(
        (child) =>
          /specifier$|qualifier$|^virtual$|^"(?:static|const|virtual|inline)"$/.test(tree.type(child)) &&
          tree.end(child) - tree.start(child) < 20,
      )
      .map((child) => tree.textOf(child)),
  );
}
