/**
 * Declarations of C and C++: functions, variables, types, macros, and what they include.
 */
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";

import { bind, type Declarations, type Declare } from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";

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
interface Declared {
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
function scopeNode(tree: SyntaxTree, whole: number): number {
  let found = NONE;
  for (let at = whole; tree.type(at) === "qualified_identifier"; at = tree.field(at, "name"))
    found = tree.field(at, "scope");
  return tree.type(found) === "template_type" ? tree.field(found, "name") : found;
}

/** All that stands in front of the name, as it is written and without type arguments: `a::Store` of `a::Store<T>::open`. */
function scopePath(tree: SyntaxTree, whole: number): string {
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
function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  const found = words(file.tree, node);
  const flags = accessOf(file, node);
  if (found.has("static")) {
    if (file.holder.kind === "file") flags.splice(0);
    flags.push("static");
  }
  return flags;
}

/** Words in front of a declaration, such as `static` and `const`. */
function words(tree: SyntaxTree, node: number): Set<string> {
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

/** A function with its body. */
export function declareDefinition(file: Declarations, node: number, tree: SyntaxTree): void {
  const declared = readDeclarator(tree, tree.field(node, "declarator"));
  const body = tree.field(node, "body");
  if (declared === undefined) file.openScope(node, "function");
  else
    declareFunction(
      file,
      node,
      declared,
      body !== NONE ? body : tree.child(node, "try_statement", "default_method_clause", "delete_method_clause"),
    );
}

/** Variables, prototypes and, inside of types, fields and methods. */
export function declareDeclaration(file: Declarations, node: number, tree: SyntaxTree): void {
  const typeNode = tree.field(node, "type");
  const isAuto = tree.type(typeNode) === "placeholder_type_specifier";
  const found = words(tree, node);
  for (const declarator of tree.allIn(node, "declarator")) {
    const declared = readDeclarator(tree, declarator);
    if (declared === undefined) continue;
    const isInit = tree.type(declarator) === "init_declarator";
    const value = isInit ? tree.field(declarator, "value") : NONE;
    if (file.isInFunction) {
      if (declared.nameNode === declared.whole)
        file.addLocal(declared.nameNode, isAuto ? NONE : typeNode, isAuto ? value : NONE);
      continue;
    }
    if (declared.isFunction && !isInit) {
      declareFunction(file, node, declared, NONE);
      continue;
    }
    const isConstant = (found.has("const") || found.has("constexpr")) && tree.type(declarator) !== "pointer_declarator";
    const isMember = file.holder.kind === "type" && file.holder.owner?.kind !== "namespace";
    const memberOf = scopePath(tree, declared.whole);
    file.addSymbol({
      kind: isConstant && (!isMember || found.has("static")) ? "constant" : isMember ? "field" : "variable",
      node,
      outer: outerOf(tree, node),
      nameNode: declared.nameNode,
      flags: flagsAt(file, node),
      typeNode: isAuto ? NONE : typeNode,
      valueNode: value,
      memberOf,
      isPrototype: !isInit && (found.has("extern") || (isMember && found.has("static"))),
      body: NONE,
    });
  }
}

/** A class, struct, union or enum with its body; one without is only named. */
export function declareType(kind: SymbolKind): Declare {
  return (file, node, tree) => {
    const body = tree.field(node, "body");
    if (body === NONE) return;
    let nameNode = tree.field(node, "name");
    const parent = tree.parent(node);
    const isTypedef = tree.type(parent) === "type_definition";
    if (nameNode === NONE && isTypedef)
      nameNode = readDeclarator(tree, tree.field(parent, "declarator"))?.nameNode ?? NONE;
    while (tree.type(nameNode) === "qualified_identifier") nameNode = tree.field(nameNode, "name");
    if (tree.type(nameNode) === "template_type") nameNode = tree.field(nameNode, "name");
    // Members of a type without a name are those of the type around.
    if (nameNode === NONE) return;
    file.addSymbol({
      kind,
      node,
      outer: outerOf(tree, node),
      nameNode,
      flags: accessOf(file, node),
      body,
      bases: basesOf(tree, node),
    });
  };
}

/** Names for types. A type without a name of its own goes by the first. */
export function declareTypedef(file: Declarations, node: number, tree: SyntaxTree): void {
  const type = tree.field(node, "type");
  const isBody = tree.field(type, "body") !== NONE;
  const ownName = tree.textOf(tree.field(type, "name"));
  for (const [place, declarator] of tree.allIn(node, "declarator").entries()) {
    const declared = readDeclarator(tree, declarator);
    if (declared === undefined) continue;
    const name = tree.textOf(declared.nameNode);
    // The type itself goes by this name.
    if (isBody && (name === ownName || (ownName === "" && place === 0))) {
      file.claim(declared.nameNode);
      continue;
    }
    if (file.isInFunction) file.addLocal(declared.nameNode);
    else
      file.addSymbol({
        kind: "typeAlias",
        node,
        nameNode: declared.nameNode,
        flags: accessOf(file, node),
        body: NONE,
        parent: file.container,
      });
  }
}

/** A member of an enum; of one without `class` its name is one of the file, too. */
export function declareEnumerator(file: Declarations, node: number, tree: SyntaxTree): void {
  const symbol = file.addSymbol({ kind: "enumMember", node, flags: ["exported"] });
  const list = tree.parent(tree.parent(node));
  const isScoped = /^enum\s+(?:class|struct)\b/.test(tree.textOf(list).slice(0, 20));
  if (symbol !== undefined && !isScoped) bind(file.fileScope, symbol.name, { kind: "symbol", symbol });
}

/** A parameter: a local name where there is a body. */
export function declareParameter(file: Declarations, node: number, tree: SyntaxTree): void {
  const declared = readDeclarator(tree, tree.field(node, "declarator"));
  if (declared === undefined) return;
  if (file.isInFunction) file.addLocal(declared.nameNode, tree.field(node, "type"));
  else file.claim(declared.nameNode);
}

/** `#include`: all names of another file. */
export function declareInclude(file: Declarations, node: number): void {
  const path = file.tree.field(node, "path");
  file.claimAll(node);
  const specifier = file.tree.textOf(path).replace(/^[<"]|[>"]$/g, "");
  file.addImport({ specifier, imported: "*", local: "*", node: path });
}

/** `#define`. What it stands for is text. */
export function declareMacro(file: Declarations, node: number): void {
  file.claimAll(node);
  file.addSymbol({ kind: "macro", node, flags: ["exported"], body: file.tree.field(node, "value"), parent: undefined });
}

/** `#define` between the members of an enum, where grammars know directives only as text. */
export function declareMacroInList(file: Declarations, node: number, tree: SyntaxTree): void {
  if (tree.textOf(tree.field(node, "directive")) !== "#define") return;
  const nameNode = tree.field(node, "argument");
  const [head, name] = /^(\w+)(?:\([^()]*\))?/.exec(tree.textOf(nameNode)) ?? [];
  if (head === undefined || name === undefined) return;
  const signature = `#define ${head}`;
  const flags: SymbolFlag[] = ["exported"];
  const symbol = file.addSymbol({
    kind: "macro",
    node,
    nameNode,
    name,
    signature,
    flags,
    parent: undefined,
    isBound: false,
  });
  // `#define A A` says that there is an A: the name stays that of the member.
  if (symbol !== undefined) bind(file.fileScope, name, { kind: "symbol", symbol });
}

function declareFunction(file: Declarations, node: number, declared: Declared, body: number): void {
  const { tree } = file;
  const ofType = scopeNode(tree, declared.whole);
  const memberOf = scopePath(tree, declared.whole);
  const flags = flagsAt(file, node);
  const text = tree.textOf(tree.child(node, '"virtual"', "virtual"));
  if (text !== "" && /=\s*0\s*;?$/.test(tree.textOf(node).slice(-12))) flags.push("abstract");
  const kind = functionKind(file, declared, memberOf);
  if (ofType !== NONE) file.claim(declared.nameNode);
  file.addSymbol({
    kind,
    node,
    outer: outerOf(tree, node),
    nameNode: declared.nameNode,
    name: tree
      .textOf(declared.nameNode)
      .replace(/^operator\s+(?=\W)/, "operator")
      .replace(/\s*\([^)]*\)\s*(?:const)?$/, (call) =>
        /operator/.test(tree.textOf(declared.nameNode)) && call.trim() === "()" ? "()" : "",
      ),
    flags,
    body: body !== NONE ? bodyStart(tree, node, body) : NONE,
    typeNode: tree.field(node, "type"),
    memberOf,
    isPrototype: body === NONE && !flags.includes("abstract"),
    ofType,
  });
}

function functionKind(file: Declarations, declared: Declared, memberOf: string): SymbolKind {
  const { tree } = file;
  const name = tree.textOf(declared.nameNode);
  const type = tree.type(declared.nameNode);
  if (type === "operator_name" || type === "operator_cast") return "operator";
  const owner =
    file.holder.kind === "type" && file.holder.owner?.kind !== "namespace" ? (file.holder.owner?.name ?? "") : memberOf;
  if (owner === "") return "function";
  return name === owner.split("::").at(-1) ? "constructor" : "method";
}

/** A constructor's initializers belong to its body. */
function bodyStart(tree: SyntaxTree, node: number, body: number): number {
  const list = tree.child(node, "field_initializer_list");
  return list === NONE ? body : list;
}

function basesOf(tree: SyntaxTree, node: number): number[] {
  return tree
    .named(tree.child(node, "base_class_clause"))
    .filter((it) => /^(?:type_identifier|qualified_identifier|template_type)$/.test(tree.type(it)));
}
