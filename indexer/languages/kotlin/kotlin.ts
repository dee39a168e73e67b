/** Kotlin: packages as in Java. */
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import type { Language } from "../base/language.ts";
import {
  type Declarations,
  each,
  FIRST_AND_LAST,
  flagsOf,
  type LanguageRules,
  localChild,
  opensFunction,
  THROUGH_FIRST,
  usesBy,
} from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { JVM } from "../java/java.ts";

const TYPES = ["user_type", "nullable_type", "function_type", "parenthesized_type"];

function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  const words = file.tree.wordsIn(node, "modifiers");
  const flags = flagsOf(words, true);
  // Members of a companion belong to the class itself.
  if (file.tree.type(file.holder.node) === "companion_object") flags.push("static");
  if (words.has("suspend")) flags.push("async");
  if (words.has("@Deprecated")) flags.push("deprecated");
  if (words.has("@Test")) flags.push("test");
  return flags;
}

function nameOf(tree: SyntaxTree, node: number): number {
  const name = tree.field(node, "name");
  return name === NONE ? tree.child(node, "identifier") : name;
}

function basesOf(tree: SyntaxTree, node: number): number[] {
  return tree
    .named(tree.child(node, "delegation_specifiers"))
    .map((it) => tree.descendant(it, "user_type"))
    .filter((it) => it !== NONE);
}

function declareClass(file: Declarations, node: number, tree: SyntaxTree): void {
  const words = tree.wordsIn(node, "modifiers");
  const kind: SymbolKind =
    tree.child(node, '"interface"') !== NONE
      ? "interface"
      : words.has("enum")
        ? "enum"
        : words.has("data")
          ? "record"
          : "class";
  file.addSymbol({
    kind,
    node,
    nameNode: nameOf(tree, node),
    body: tree.child(node, "class_body", "enum_class_body"),
  });
}

function declareObject(file: Declarations, node: number, tree: SyntaxTree): void {
  const nameNode = nameOf(tree, node);
  const body = tree.child(node, "class_body");
  if (tree.type(node) === "companion_object" && nameNode === NONE) file.openScope(node, "type", file.typeScope?.owner);
  else file.addSymbol({ kind: "class", node, nameNode, body });
}

function declareFunction(file: Declarations, node: number, tree: SyntaxTree): void {
  const written = nameOf(tree, node);
  const parts = tree.children(node);
  const list = tree.child(node, "function_value_parameters");
  // The type before the name is the receiver; the one after the parameters is the return type.
  const receiver = parts.find((it) => it < written && TYPES.includes(tree.type(it))) ?? NONE;
  // After an error further up, the grammar reads `fun Store.join()` as a type `Store.join` without a name.
  const nameNode = tree.textOf(written) === "" ? (tree.named(receiver).at(-1) ?? NONE) : written;
  const typeNode = parts.find((it) => it > list && TYPES.includes(tree.type(it))) ?? NONE;
  file.addSymbol({
    kind: file.holder.kind === "type" ? "method" : "function",
    node,
    nameNode,
    body: tree.child(node, "function_body"),
    typeNode,
    ...(receiver !== NONE && file.holder.kind === "file"
      ? {
          memberOf: tree.textOf(tree.descendant(receiver, "identifier")),
          ofType: tree.descendant(receiver, "identifier"),
        }
      : {}),
  });
}

function declareProperty(file: Declarations, node: number, tree: SyntaxTree): void {
  const variables = [
    tree.child(node, "variable_declaration"),
    ...tree.named(tree.child(node, "multi_variable_declaration")),
  ].filter((it) => it !== NONE);
  const words = tree.wordsIn(node, "modifiers");
  const valueNode =
    tree
      .named(node)
      .find(
        (it) =>
          it > (variables.at(-1) ?? 0) &&
          !/^(?:getter|setter|property_delegate|modifiers|type_constraints)$/.test(tree.type(it)) &&
          tree.parent(it) === node,
      ) ?? NONE;
  const only = variables.length === 1;
  for (const variable of variables) {
    const nameNode = tree.child(variable, "identifier");
    const typeNode = tree.child(variable, ...TYPES);
    if (file.isInFunction) {
      file.addLocal(nameNode, typeNode, only ? valueNode : NONE);
      continue;
    }
    const isMember = file.holder.kind === "type";
    const getter = tree.child(node, "getter", "property_delegate");
    file.addSymbol({
      kind: words.has("const") ? "constant" : isMember ? "property" : "variable",
      node,
      nameNode,
      typeNode,
      valueNode: only ? valueNode : NONE,
      body: getter,
    });
  }
}

function declareClassParameter(file: Declarations, node: number, tree: SyntaxTree): void {
  const nameNode = tree.child(node, "identifier");
  const typeNode = tree.child(node, ...TYPES);
  if (tree.child(node, '"val"', '"var"') === NONE) file.addLocal(nameNode, typeNode);
  else file.addSymbol({ kind: "property", node, nameNode, typeNode });
}

function declareImport(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  const path = tree.child(node, "qualified_identifier", "identifier");
  const full = tree.pathText(path);
  if (tree.child(node, '"*"') !== NONE) {
    file.importAll(full, path);
    return;
  }
  const alias = tree
    .children(node)
    .find((it) => it > path && tree.type(it) === "identifier" && tree.parent(it) === node && it >= tree.after(path));
  if (alias === undefined) file.importLast(full, ".", { node: tree.named(path).at(-1) ?? path });
  else file.importLast(full, ".", { node: alias, local: tree.textOf(alias) });
}

const RULES: LanguageRules = {
  declare: {
    package_header: (file, node, tree) => {
      file.claimAll(node);
      file.namespace = tree.pathText(tree.child(node, "qualified_identifier", "identifier"));
    },
    import: declareImport,
    class_declaration: declareClass,
    object_declaration: declareObject,
    companion_object: declareObject,
    enum_entry: (file, node, tree) => {
      file.addSymbol({
        kind: "enumMember",
        node,
        nameNode: tree.child(node, "identifier"),
        flags: ["exported"],
        body: tree.child(node, "class_body"),
      });
      if (tree.child(node, "class_body") !== NONE) file.openScope(node, "function");
    },
    function_declaration: declareFunction,
    secondary_constructor: (file, node, tree) => {
      const nameNode = tree.child(node, '"constructor"');
      file.addSymbol({
        kind: "constructor",
        node,
        nameNode,
        body: tree.child(node, "block"),
      });
    },
    property_declaration: declareProperty,
    class_parameter: declareClassParameter,
    type_alias: (file, node, tree) => {
      const nameNode = tree.field(node, "type");
      file.addSymbol({ kind: "typeAlias", node, nameNode });
    },
    parameter: (file, node, tree) => {
      if (file.isInFunction) file.addLocal(tree.child(node, "identifier"), tree.child(node, ...TYPES));
      else file.claim(tree.child(node, "identifier"));
    },
    ...each("function_type lambda_literal anonymous_function anonymous_initializer getter setter", opensFunction),
    variable_declaration: (file, node, tree) => {
      // Of loops and lambdas; those of properties are declared with them.
      const parent = tree.type(tree.parent(node));
      if (parent !== "property_declaration" && tree.type(tree.parent(tree.parent(node))) !== "property_declaration") {
        file.addLocal(tree.child(node, "identifier"), tree.child(node, ...TYPES));
      }
    },
    catch_block: (file, node, tree) => file.addLocal(tree.child(node, "identifier"), tree.child(node, ...TYPES)),
    object_literal: (file, node, tree) => {
      file.openScope(node, "function");
      const body = tree.child(node, "class_body");
      if (body !== NONE) file.openScope(body, "type", undefined, tree.descendant(node, "user_type"));
    },
    type_parameter: localChild("identifier"),
    label: (file, node) => file.claimAll(node),
  },
  blocks: new Set(["block", "for_statement", "catch_block", "when_entry"]),
  names: new Set(["identifier"]),
  shapes: {
    navigation_expression: FIRST_AND_LAST,
    call_expression: { is: "call", callee: { place: "first" } },
    constructor_invocation: { is: "creation", type: { place: "first" } },
    ...each("user_type nullable_type parenthesized_expression", THROUGH_FIRST),
    as_expression: { is: "creation", type: "right" },
    unary_expression: { is: "through", child: "argument" },
    this_expression: { is: "self" },
    super_expression: { is: "super" },
  },
  useKinds: usesBy({
    decorates: "annotation",
    up: "constructor_invocation user_type nullable_type",
    extends: "delegation_specifier",
    type:
      "type_projection variable_declaration parameter class_parameter function_declaration type_parameter " +
      "type_test as_expression catch_block type_alias",
    writes: "assignment.left",
  }),
  comments: new Set(["line_comment", "block_comment"]),
  flagsAt,
  basesOf,
  ignored: new Set(["it", "Int", "String", "Boolean", "Unit", "Any", "Long", "Double", "Float"]),
  seesMembers: true,
  callsMembers: true,
  callsMakeObjects: true,
  useKind: (uses, node) => {
    const { tree } = uses;
    const parent = tree.parent(node);
    if (tree.named(parent)[0] !== node) return undefined;
    // The callee is the first part of a call and has no field to say so.
    if (tree.type(parent) === "call_expression") return "calls";
    return tree.type(parent) === "value_argument" && tree.child(parent, '"="') !== NONE ? "none" : undefined;
  },
};

export const KOTLIN: Language = {
  trees: {
    kotlin: {
      grammar: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
      rules: RULES,
      isTooLargeToOptimize: true,
    },
  },
  family: JVM,
  sourceFolder: "kotlin",
};
