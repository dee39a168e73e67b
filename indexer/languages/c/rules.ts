/** C and C++: how their grammars name what is declared, included and used. */
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import {
  bind,
  claimsAll,
  type Declarations,
  type Declare,
  type LanguageRules,
  localsIn,
  THROUGH_FIRST,
  wordSet,
} from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";

const NAME_TYPES = wordSet(
  "identifier field_identifier type_identifier operator_name operator_cast destructor_name " +
    "qualified_identifier template_function primitive_type",
);

/** What a declarator declares: the name inside it, and whether it is a function rather than a pointer to one. */
interface Declared {
  /** With what qualifies it: `Store::open`. */
  readonly whole: number;
  readonly nameNode: number;
  readonly isFunction: boolean;
}

function readDeclarator(tree: SyntaxTree, declarator: number): Declared | undefined {
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
function outerOf(tree: SyntaxTree, node: number): number {
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
function accessOf(file: Declarations, node: number): SymbolFlag[] {
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

function declareDefinition(file: Declarations, node: number, tree: SyntaxTree): void {
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
function declareDeclaration(file: Declarations, node: number, tree: SyntaxTree): void {
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
      typeNode: isAuto ? NONE : typeNode,
      valueNode: value,
      memberOf,
      isPrototype: !isInit && (found.has("extern") || (isMember && found.has("static"))),
    });
  }
}

/** A class, struct, union or enum with its body; one without is only named. */
function declareType(kind: SymbolKind): Declare {
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
    });
  };
}

/** Names for types. A type without a name of its own goes by the first. */
function declareTypedef(file: Declarations, node: number, tree: SyntaxTree): void {
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
        parent: file.container,
      });
  }
}

/** A member of an enum; of one without `class` its name is one of the file, too. */
function declareEnumerator(file: Declarations, node: number, tree: SyntaxTree): void {
  const symbol = file.addSymbol({ kind: "enumMember", node, flags: ["exported"], valueNode: NONE });
  const list = tree.parent(tree.parent(node));
  const isScoped = /^enum\s+(?:class|struct)\b/.test(tree.textOf(list).slice(0, 20));
  if (symbol !== undefined && !isScoped) bind(file.fileScope, symbol.name, { kind: "symbol", symbol });
}

/** A parameter: a local name where there is a body. */
function declareParameter(file: Declarations, node: number, tree: SyntaxTree): void {
  const declared = readDeclarator(tree, tree.field(node, "declarator"));
  if (declared === undefined) return;
  if (file.isInFunction) file.addLocal(declared.nameNode, tree.field(node, "type"));
  else file.claim(declared.nameNode);
}

/** `#include`: all names of another file. */
function declareInclude(file: Declarations, node: number): void {
  const path = file.tree.field(node, "path");
  file.claimAll(node);
  const specifier = file.tree.textOf(path).replace(/^[<"]|[>"]$/g, "");
  file.importAll(specifier, path);
}

/** `#define`. What it stands for is text. */
function declareMacro(file: Declarations, node: number): void {
  file.claimAll(node);
  file.addSymbol({ kind: "macro", node, flags: ["exported"], body: file.tree.field(node, "value"), parent: undefined });
}

/** `#define` between the members of an enum, where grammars know directives only as text. */
function declareMacroInList(file: Declarations, node: number, tree: SyntaxTree): void {
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

/** Calls of macros that may be statements. */
const MACRO_CALL = /^([ \t]*[A-Z][A-Z0-9_]{2,}\()((?:[^;{}()]|\([^;{}()]*\)){1,1000})(?=\)[ \t]*;)/gm;

// Names of types that a grammar does not take for names of values, and what ends as pointers and references do.
const NAMED =
  "(?:bool|char|double|float|int|long|short|signed|unsigned|void|u?int(?:8|16|32|64|max|ptr)_t|char(?:8|16|32)_t|s?size_t|ptrdiff_t)";

const TYPE = `(?:(?:const|volatile|struct|union|enum|class|typename)\\s[^"'(),]*|${NAMED}(?:\\s+${NAMED})*\\s*(?:[*&]\\s*)*|[\\w:]+\\s*[*&]+)`;
const TYPE_ARGUMENT = new RegExp(`((?:^|,)\\s*)(${TYPE})(?=\\s*(?:,|$))`, "g");

// A word in capitals, then a type and a name: the word is no part of the type. Where it is one (`DWORD WINAPI name(`), the
// next word is taken for the type, and the name is still found.
const IN_FRONT =
  /^([ \t]*(?:extern[ \t]+|static[ \t]+)?)((?:[A-Z][A-Z0-9_]{2,}\s+)+)(?=(?:(?:const|unsigned|signed|struct|union|enum|static|inline|extern|void|long|short)\s+)*[A-Za-z_]\w*(?:\s+|\s*\*[\s*]*)[A-Za-z_]\w*\s*[([;=,])/gm;

// A calling convention or an attribute: such words between a type and the name of a function. Behind a type that is in
// capitals itself and no pointer it may be the type, and the word in front the macro.
const BETWEEN =
  /^([ \t]*(?:(?:static|extern|inline|typedef|const|volatile|virtual|friend|unsigned|signed|struct|union|enum)\s+)*(?!(?:static|extern|inline|typedef|const|volatile|virtual|friend|struct|union|enum|class|constexpr|else|do|return|case|goto|new|delete|throw|using|namespace|operator|template)\b)(?:(?=\w*[a-z])\w+(?:[ \t]+|[ \t]*\*[ \t*]*)|[A-Z]\w*[ \t]*\*[ \t*]*))((?:[A-Z][A-Z0-9_]{3,}(?:[ \t]*\([^()\n]*\))?\s+)+)(?=[A-Za-z_]\w*\s*\()/gm;

const IN_POINTER = /(\(\s*)([A-Z][A-Z0-9_]{2,})(?=\s*\*\s*(?:const\s+)?[A-Za-z_]\w*\s*(?:\[\w*\]\s*)?\)\s*\()/g;

const AROUND_TYPE = /^([A-Z][A-Z0-9_]{3,})\(([\w \t*]+)\)(?=\s*[A-Za-z_]\w*\s*\()/gm;

const IN_TYPE =
  /\b((?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=[ \t]+[A-Za-z_]\w*(?:<[^<>{};\n]*>)?\s*(?:final\s*)?[:{])/g;

const AROUND_NAMESPACE = /^[ \t]*(?:(?:BEGIN|END)_[A-Z0-9_]+|[A-Z][A-Z0-9_]*_(?:BEGIN|END)(?:_[A-Z0-9_]+)?)[ \t]*$/gm;

// Not behind the condition of a statement, where such a word is a statement of its own.
const BEHIND =
  /^(?![ \t]*(?:if|for|while|else|switch|return|\})\b)([^\n"']*\)(?:[ \t]*(?:const|noexcept|override))*)([ \t]+[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)+(?=[ \t]*[;{])/gm;

const C_DECLARE: LanguageRules["declare"] = {
  preproc_include: declareInclude,
  preproc_def: declareMacro,
  preproc_function_def: declareMacro,
  preproc_call: declareMacroInList,
  preproc_ifdef: (file, node, tree) => file.claim(tree.field(node, "name")),
  preproc_defined: claimsAll,
  function_definition: declareDefinition,
  declaration: declareDeclaration,
  field_declaration: declareDeclaration,
  struct_specifier: declareType("struct"),
  union_specifier: declareType("union"),
  enum_specifier: declareType("enum"),
  type_definition: declareTypedef,
  enumerator: declareEnumerator,
  parameter_declaration: declareParameter,
};

const SHAPES: LanguageRules["shapes"] = {
  field_expression: { is: "member", object: "argument", name: "field" },
  call_expression: { is: "call", callee: "function" },
  pointer_expression: { is: "through", child: "argument" },
  parenthesized_expression: THROUGH_FIRST,
  cast_expression: { is: "creation", type: "type" },
  compound_literal_expression: { is: "creation", type: "type" },
  type_descriptor: { is: "through", child: "type" },
  struct_specifier: { is: "through", child: "name" },
  union_specifier: { is: "through", child: "name" },
  enum_specifier: { is: "through", child: "name" },
};

const USE_KINDS: LanguageRules["useKinds"] = {
  "call_expression.function": "calls",
  "assignment_expression.left": "writes",
  update_expression: "writes",
  field_designator: "none",
  struct_specifier: "type",
  union_specifier: "type",
  enum_specifier: "type",
};

export const C_RULES: LanguageRules = {
  declare: C_DECLARE,
  blocks: new Set(["compound_statement", "for_statement"]),
  names: new Set(["identifier", "field_identifier"]),
  typeNames: new Set(["type_identifier"]),
  namesApart: "types",
  // In C an element of an array, and what a pointer leads to, has the type that stands in front.
  shapes: { ...SHAPES, subscript_expression: { is: "through", child: "argument" } },
  useKinds: USE_KINDS,
  comments: new Set(["comment"]),
  flagsAt,
  prepare: blankMacros,
};

export const CPP_RULES: LanguageRules = {
  declare: {
    ...C_DECLARE,
    class_specifier: declareType("class"),
    concept_definition: (file, node, tree) =>
      file.addSymbol({ kind: "typeAlias", node, outer: outerOf(tree, node), flags: ["exported"] }),
    namespace_definition: (file, node, tree) => {
      const nameNode = tree.field(node, "name");
      file.claimAll(nameNode);
      if (nameNode === NONE) file.openScope(node, "block");
      else file.addSymbol({ kind: "namespace", node, nameNode, flags: ["exported"] });
    },
    alias_declaration: (file, node, tree) => {
      if (file.isInFunction) file.addLocal(tree.field(node, "name"), tree.field(node, "type"));
      else
        file.addSymbol({
          kind: "typeAlias",
          node,
          outer: outerOf(tree, node),
          flags: accessOf(file, node),
          typeNode: tree.field(node, "type"),
        });
    },
    using_declaration: (file, node, tree) => {
      const path = tree.named(node).at(-1) ?? NONE;
      const full = tree.pathText(path);
      file.claimAll(node);
      if (tree.child(node, '"namespace"') !== NONE) file.importAll(full, path);
      else if (full.lastIndexOf("::") > 0) file.importLast(full, "::", { node: path });
    },
    template_declaration: (file, node) => file.openScope(node, "block"),
    type_parameter_declaration: (file, node, tree) => file.addLocal(tree.child(node, "type_identifier")),
    variadic_type_parameter_declaration: (file, node, tree) => file.addLocal(tree.child(node, "type_identifier")),
    optional_type_parameter_declaration: localsIn("name", ""),
    optional_parameter_declaration: declareParameter,
    variadic_parameter_declaration: declareParameter,
    lambda_expression: (file, node) => file.openScope(node, "function"),
    for_range_loop: (file, node, tree) => {
      const type = tree.field(node, "type");
      const declared = readDeclarator(tree, tree.field(node, "declarator"));
      if (declared !== undefined)
        file.addLocal(declared.nameNode, tree.type(type) === "placeholder_type_specifier" ? NONE : type);
    },
  },
  blocks: new Set(["compound_statement", "for_statement", "for_range_loop", "catch_clause"]),
  names: new Set(["identifier", "field_identifier", "namespace_identifier"]),
  typeNames: new Set(["type_identifier"]),
  namesApart: "types",
  shapes: {
    ...SHAPES,
    class_specifier: { is: "through", child: "name" },
    qualified_identifier: { is: "member", object: "scope", name: "name", isPath: true },
    template_type: { is: "through", child: "name" },
    template_function: { is: "through", child: "name" },
    template_method: { is: "through", child: "name" },
    new_expression: { is: "creation", type: "type" },
    this: { is: "self" },
  },
  useKinds: {
    ...USE_KINDS,
    "new_expression.type": "instantiates",
    base_class_clause: "extends",
    "template_type.name": "up",
    "template_function.name": "up",
    "template_method.name": "up",
    field_initializer: "writes",
  },
  comments: new Set(["comment"]),
  flagsAt,
  basesOf,
  prepare: blankMacros,
  seesMembers: true,
  callsMembers: true,
};

/**
 * Blanks macros around declarations, which no grammar knows: `LIB_API type name(…)`, `API(type) name(…)`,
 * `type CALL name(…)`, `type (CALL *name)(…)`, `class LIB_API Name`, `NAMESPACE_BEGIN`, `type name(…) GUARDED_BY(x);`.
 * Makes types that calls of macros are given numbers. The text keeps its length and lines, so that every place stays as it
 * is.
 */
function blankMacros(text: string): string {
  return numberTypeArguments(text)
    .replace(BETWEEN, (_, before: string, words: string) => before + blank(words))
    .replace(IN_POINTER, (_, before: string, word: string) => before + blank(word))
    .replace(IN_FRONT, (_, before: string, words: string) => before + blank(words))
    .replace(AROUND_TYPE, (_, macro: string, type: string) => `${" ".repeat(macro.length + 1)}${type} `)
    .replace(IN_TYPE, (_, before: string, macro: string) => before + blank(macro))
    .replace(AROUND_NAMESPACE, blank)
    .replace(BEHIND, (all, before: string) => before + blank(all.slice(before.length)));
}

function blank(words: string): string {
  return words.replace(/\S/g, " ");
}

/**
 * Replaces types that macros are called with by numbers of the same length: `FLAG(int, retries, 3);`. To a grammar such a
 * call is half a declaration, and it may lose what follows up to the end of the file. Heads of functions, with a body,
 * stay.
 */
function numberTypeArguments(text: string): string {
  return text.replace(MACRO_CALL, (call: string, head: string, list: string, at: number) => {
    const before = text.slice(0, at).trimEnd();
    const line = before.slice(before.lastIndexOf("\n") + 1);
    // Where the line before has the type of what is declared, or is the text of a macro, it is none.
    if (line !== "" && (line.endsWith("\\") || !/^\s*(?:#|\/\/)|[;{}):/]$/.test(line))) return call;
    return head + list.replace(TYPE_ARGUMENT, (_, space: string, type: string) => space + type.replace(/[^\n]/g, "0"));
  });
}
