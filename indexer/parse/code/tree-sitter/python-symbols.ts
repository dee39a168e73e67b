/** Symbols of Python: functions, classes, what is assigned to, and what of it is exported. */
import type { SymbolFlag } from "../../../../src/core/format/code-model.ts";
import { firstParagraph } from "./comments.ts";
import type { SymbolDraft } from "./drafts.ts";
import { declareParameters, targetNames } from "./python-locals.ts";
import type { Declarations } from "./rules.ts";
import { NONE, type SyntaxTree } from "./syntax-tree.ts";

const CONSTANT = /^_*[A-Z][A-Z0-9_]*$/;
const PROPERTY_DECORATOR =
  /^@(?:[\w.]+\.)?(?:property|cached_property|abstractproperty|setter|getter|deleter)\b|^@\w+\.(?:setter|getter|deleter)$/;

/** First paragraph of the string that a block begins with; `""` without one. */
export function docstringOf(tree: SyntaxTree, block: number): string {
  const first = tree.named(block).find((node) => tree.type(node) !== "comment") ?? NONE;
  const inner = tree.type(first) === "expression_statement" ? (tree.named(first)[0] ?? NONE) : first;
  if (tree.type(inner) !== "string") return "";
  const text = tree.textOf(inner).replace(/^[a-zA-Z]*("""|'''|"|')/, "");
  return firstParagraph(text.replace(/("""|'''|"|')$/, ""));
}

/** A function, method, constructor or property with its parameters. */
export function declareFunction(file: Declarations, node: number): void {
  const { tree } = file;
  const outer = wrapperOf(tree, node);
  const decorators = decoratorsOf(tree, outer);
  const name = tree.textOf(tree.field(node, "name"));
  const inType = file.holder.kind === "type";
  const isProperty = inType && decorators.some((text) => PROPERTY_DECORATOR.test(text));
  const flags = visibilityOf(file, name);
  if (tree.type(node + 1) === '"async"') flags.push("async");
  if (decorators.some((text) => /^@(?:staticmethod|classmethod)\b/.test(text))) flags.push("static");
  if (decorators.some((text) => /^@(?:abc\.)?abstract/.test(text))) flags.push("abstract");
  if (decorators.some((text) => /^@(?:[\w.]+\.)?deprecated\b/.test(text))) flags.push("deprecated");
  if (/^test_?/.test(name) && !file.isInner) flags.push("test");
  const kind = !inType ? "function" : name === "__init__" ? "constructor" : isProperty ? "property" : "method";
  const body = tree.field(node, "body");
  const docText = docstringOf(tree, body);
  const draft = file.addSymbol({
    kind,
    node,
    outer,
    flags,
    body,
    typeNode: tree.field(node, "return_type"),
    ...(docText === "" ? {} : { docText }),
  });
  if (draft === undefined) return;
  const isStatic = decorators.some((text) => /^@staticmethod\b/.test(text));
  declareParameters(file, tree.field(node, "parameters"), inType && !isStatic);
}

/** A class, or an enum where a base says so. */
export function declareClass(file: Declarations, node: number): void {
  const { tree } = file;
  const outer = wrapperOf(tree, node);
  const bases = tree
    .named(tree.field(node, "superclasses"))
    .filter((base) => ["identifier", "attribute", "subscript", "call"].includes(tree.type(base)));
  const isEnum = bases.some((base) => /(?:^|\.)(?:Int|Str)?(?:Enum|Flag)$/.test(tree.textOf(base)));
  const name = tree.textOf(tree.field(node, "name"));
  const body = tree.field(node, "body");
  const docText = docstringOf(tree, body);
  const flags = visibilityOf(file, name);
  if (/^Test/.test(name) || bases.some((base) => /TestCase$/.test(tree.textOf(base)))) flags.push("test");
  if (bases.some((base) => /^(?:abc\.)?ABC$/.test(tree.textOf(base)))) flags.push("abstract");
  file.addSymbol({
    kind: isEnum ? "enum" : "class",
    node,
    outer,
    flags,
    body,
    bases,
    ...(docText === "" ? {} : { docText }),
  });
}

/** Variables, constants and fields; inside of functions local names, and in constructors attributes. */
export function declareAssignment(file: Declarations, node: number): void {
  const { tree } = file;
  const left = tree.field(node, "left");
  const value = tree.field(node, "right");
  const typeNode = tree.field(node, "type");
  const single = tree.type(left) === "identifier";
  if (file.isInFunction) {
    for (const name of targetNames(tree, left)) {
      if (file.holder.names.get(tree.textOf(name))?.kind === "outer") continue;
      file.addLocal(name, single ? typeNode : NONE, single ? value : NONE, true);
    }
    declareAttribute(file, node, left, typeNode, value);
    return;
  }
  if (tree.textOf(left) === "__all__") return;
  for (const nameNode of targetNames(tree, left)) {
    const name = tree.textOf(nameNode);
    // Assigned again, it is no new symbol but a use that writes.
    if (file.holder.names.get(name)?.kind === "symbol") continue;
    const inType = file.holder.kind === "type";
    const isEnum = inType && file.holder.owner?.kind === "enum" && value !== NONE && !name.startsWith("_");
    file.addSymbol({
      kind: isEnum ? "enumMember" : CONSTANT.test(name) ? "constant" : inType ? "field" : "variable",
      node: statementOf(tree, node),
      nameNode,
      name,
      flags: visibilityOf(file, name),
      body: NONE,
      typeNode: single ? typeNode : NONE,
      valueNode: single ? value : NONE,
    });
  }
}

/** `self.x = …` in `__init__` declares an attribute, unless the class has one of that name. */
function declareAttribute(file: Declarations, node: number, left: number, typeNode: number, value: number): void {
  const { tree } = file;
  const method = file.holder.owner;
  if (method?.kind !== "constructor" || method.parent === undefined) return;
  for (const target of tree.type(left) === "attribute" ? [left] : tree.named(left)) {
    if (tree.type(target) !== "attribute") continue;
    const object = tree.field(target, "object");
    if (tree.type(object) !== "identifier" || file.holder.names.get(tree.textOf(object))?.kind !== "self") continue;
    const nameNode = tree.field(target, "attribute");
    const name = tree.textOf(nameNode);
    const inside = file.scopes.get(method.parent.node);
    if (inside === undefined || inside.names.has(name)) continue;
    const draft = file.addSymbol({
      kind: "field",
      node: statementOf(tree, node),
      nameNode,
      name,
      parent: method.parent,
      flags: name.startsWith("_") ? ["private"] : ["exported"],
      body: NONE,
      typeNode: target === left ? typeNode : NONE,
      valueNode: target === left ? value : NONE,
      isBound: false,
    });
    if (draft === undefined) continue;
    draft.flags.delete("inner");
    inside.names.set(name, { kind: "symbol", symbol: draft });
  }
}

/** What `__all__` lists is exported, and nothing else at the top of the file. */
export function applyAll(file: Declarations, symbols: readonly SymbolDraft[]): void {
  const { tree } = file;
  const listed = new Set<string>();
  let isListed = false;
  for (const statement of tree.named(0)) {
    const text = tree.textOf(statement);
    if (!text.startsWith("__all__")) continue;
    isListed = true;
    for (const [, name] of text.matchAll(/["']([\w.]+)["']/g)) listed.add(name as string);
  }
  if (!isListed) return;
  for (const symbol of symbols) {
    if (symbol.parent !== undefined) continue;
    if (listed.has(symbol.name)) symbol.flags.add("exported");
    else symbol.flags.delete("exported");
  }
}

/** Whether a name is private or, outside of functions, exported: an underscore in front says so. */
export function visibilityOf(file: Declarations, name: string): SymbolFlag[] {
  const isDunder = name.startsWith("__") && name.endsWith("__");
  if (name.startsWith("_") && !isDunder) return ["private"];
  return file.holder.kind === "function" ? [] : ["exported"];
}

function wrapperOf(tree: SyntaxTree, node: number): number {
  const parent = tree.parent(node);
  return tree.type(parent) === "decorated_definition" ? parent : node;
}

function decoratorsOf(tree: SyntaxTree, outer: number): string[] {
  return tree
    .children(outer)
    .filter((node) => tree.type(node) === "decorator")
    .map((node) => tree.textOf(node));
}

function statementOf(tree: SyntaxTree, node: number): number {
  const parent = tree.parent(node);
  return tree.type(parent) === "expression_statement" ? parent : node;
}
