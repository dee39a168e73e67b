/** Scala: packages as in Java. */
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import type { Language } from "../base/language.ts";
import {
  type Chain,
  type Declarations,
  type Declare,
  each,
  flagsOf,
  type LanguageRules,
  localsIn,
  type Names,
  opensFunction,
  THROUGH_FIRST,
  usesBy,
} from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { JVM } from "../java/java.ts";

function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  const words = file.tree.wordsIn(node, "modifiers");
  const access = file.tree.textOf(file.tree.descendant(file.tree.child(node, "modifiers"), "access_modifier"));
  if (access.startsWith("private")) words.add("private");
  if (access.startsWith("protected")) words.add("protected");
  const flags = flagsOf(words, true);
  // Members of an object need no instance.
  if (file.holder.kind === "type" && file.tree.type(file.holder.node) === "object_definition") flags.push("static");
  if (file.tree.named(node).some((it) => /^@deprecated\b/.test(file.tree.textOf(it)))) flags.push("deprecated");
  return flags;
}

function declareType(kind: SymbolKind): Declare {
  return (file, node, tree) => {
    const isCase = kind === "class" && tree.child(node, '"case"') !== NONE;
    file.addSymbol({ kind: isCase ? "record" : kind, node });
  };
}

function declareFunction(file: Declarations, node: number, tree: SyntaxTree): void {
  const name = tree.textOf(tree.field(node, "name"));
  const isMember = file.holder.kind === "type";
  const kind = name === "this" ? "constructor" : isMember ? "method" : "function";
  file.addSymbol({ kind, node, typeNode: tree.field(node, "return_type") });
}

function namesIn(tree: SyntaxTree, pattern: number): number[] {
  if (tree.type(pattern) === "identifier") return [pattern];
  if (/^(?:tuple_pattern|identifiers)$/.test(tree.type(pattern)))
    return tree.named(pattern).flatMap((it) => namesIn(tree, it));
  return [];
}

function declareValue(file: Declarations, node: number, tree: SyntaxTree): void {
  const pattern = tree.field(node, "pattern");
  const names = pattern === NONE ? tree.allIn(node, "name") : namesIn(tree, pattern);
  const typeNode = tree.field(node, "type");
  const value = names.length === 1 ? tree.field(node, "value") : NONE;
  for (const nameNode of names) {
    if (file.isInFunction) {
      file.addLocal(nameNode, typeNode, value);
      continue;
    }
    const isVal = /^val_/.test(tree.type(node));
    // A constant is written in upper camel case and stands in an object.
    const isConstant =
      isVal && /^\p{Lu}/u.test(tree.textOf(nameNode)) && tree.type(file.holder.node) === "object_definition";
    const kind = isConstant ? "constant" : file.holder.kind === "type" ? "field" : "variable";
    file.addSymbol({ kind, node, nameNode, typeNode, valueNode: value });
  }
}

function declareImport(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  let path: string[] = [];
  let last = NONE;
  const add = (imported: string, local: string, at: number, specifier: string): void => {
    file.addImport({ specifier, imported, local, node: at });
  };
  const flush = (): void => {
    if (path.length > 1) add(path.at(-1) as string, path.at(-1) as string, last, path.slice(0, -1).join("."));
    path = [];
  };
  for (const part of tree.children(node)) {
    switch (tree.type(part)) {
      case "identifier":
      case "operator_identifier":
        path.push(tree.textOf(part));
        last = part;
        break;
      case '","':
        flush();
        break;
      case "namespace_wildcard":
        add("*", "*", part, path.join("."));
        path = [];
        break;
      case "as_renamed_identifier":
        add(tree.textOf(tree.field(part, "name")), tree.textOf(tree.field(part, "alias")), part, path.join("."));
        path = [];
        break;
      case "namespace_selectors":
        for (const selector of tree.named(part)) {
          const isAlias = /renamed_identifier$/.test(tree.type(selector));
          const name = tree.textOf(isAlias ? tree.field(selector, "name") : selector);
          const local = isAlias ? tree.textOf(tree.field(selector, "alias")) : name;
          if (tree.type(selector) === "namespace_wildcard") add("*", "*", selector, path.join("."));
          else if (local !== "_") add(name, local, isAlias ? tree.field(selector, "alias") : selector, path.join("."));
        }
        path = [];
        break;
      default:
    }
  }
  flush();
}

function chain(names: Names, node: number): Chain | undefined {
  const { tree } = names;
  if (tree.type(node) !== "identifier") return undefined;
  const text = tree.textOf(node);
  // The words alone are no names of the type.
  if (text === "this") return { ...names.selfChain("self"), isLocal: true };
  return text === "super" ? { ...names.selfChain("super"), isLocal: true } : undefined;
}

const RULES: LanguageRules = {
  declare: {
    package_clause: (file, node, tree) => {
      const name = tree.field(node, "name");
      file.claimAll(name);
      file.namespace = [file.namespace, tree.pathText(name)].filter((it) => it !== "").join(".");
    },
    import_declaration: declareImport,
    class_definition: declareType("class"),
    trait_definition: declareType("trait"),
    object_definition: declareType("class"),
    enum_definition: declareType("enum"),
    simple_enum_case: (file, node) => void file.addSymbol({ kind: "enumMember", node, flags: ["exported"] }),
    full_enum_case: (file, node) => void file.addSymbol({ kind: "enumMember", node, flags: ["exported"] }),
    function_definition: declareFunction,
    function_declaration: declareFunction,
    ...each("val_definition var_definition val_declaration var_declaration", declareValue),
    given_definition: (file, node, tree) => {
      const nameNode = tree.field(node, "name");
      if (nameNode !== NONE && !file.isInFunction)
        file.addSymbol({
          kind: "variable",
          node,
          typeNode: tree.field(node, "return_type"),
        });
    },
    type_definition: (file, node) => {
      if (!file.isInFunction) file.addSymbol({ kind: "typeAlias", node });
    },
    class_parameter: (file, node, tree) => {
      const isField = tree.child(node, '"val"', '"var"') !== NONE || file.holder.owner?.kind === "record";
      if (isField)
        file.addSymbol({
          kind: "field",
          node,
        });
      else file.addLocal(tree.field(node, "name"), tree.field(node, "type"));
    },
    parameter: localsIn("name"),
    type_parameters: (file, node, tree) => {
      for (const name of tree.allIn(node, "name")) file.addLocal(name);
    },
    lambda_expression: (file, node, tree) => {
      file.openScope(node, "function");
      const parameters = tree.field(node, "parameters");
      if (tree.type(parameters) === "identifier") file.addLocal(parameters);
      for (const binding of tree.named(parameters))
        if (tree.type(binding) === "binding") file.addLocal(tree.field(binding, "name"), tree.field(binding, "type"));
    },
    template_body: (file, node, tree) => {
      // The body of `new Base { … }` and of a given instance.
      if (!/^(?:class|trait|object|enum)_definition$/.test(tree.type(tree.parent(node)))) opensFunction(file, node);
    },
    enumerator: (file, node, tree) => {
      const [pattern = NONE] = tree.named(node);
      for (const name of namesIn(tree, pattern)) file.addLocal(name);
    },
    case_clause: (file, node, tree) => {
      const pattern = tree.field(node, "pattern");
      if (pattern === NONE) return;
      for (let inner = pattern; inner < tree.after(pattern); inner++) {
        if (
          tree.type(inner) !== "identifier" ||
          !/^[\p{Ll}_]/u.test(tree.textOf(inner)) ||
          /stable|field/.test(tree.type(tree.parent(inner)))
        )
          continue;
        const parent = tree.parent(inner);
        file.addLocal(inner, tree.type(parent) === "typed_pattern" ? tree.field(parent, "type") : NONE);
      }
    },
  },
  blocks: new Set(["block", "case_clause", "for_expression", "indented_block"]),
  names: new Set(["identifier"]),
  typeNames: new Set(["type_identifier"]),
  namesApart: "types",
  shapes: {
    field_expression: { is: "member", object: "value", name: "field" },
    stable_type_identifier: { is: "member", object: { place: "first" }, name: { place: "last" } },
    stable_identifier: { is: "member", object: { place: "first" }, name: { place: "last" } },
    call_expression: { is: "call", callee: "function" },
    generic_function: { is: "through", child: "function" },
    instance_expression: { is: "creation", type: { place: "first" } },
    generic_type: { is: "through", child: "type" },
    parenthesized_expression: THROUGH_FIRST,
  },
  useKinds: usesBy({
    calls: "call_expression.function",
    up: "generic_function.function generic_type.type",
    instantiates: "instance_expression",
    extends: "extends_clause.type",
    decorates: "annotation",
    writes: "assignment_expression.left",
  }),
  comments: new Set(["comment", "block_comment"]),
  flagsAt,
  basesOf: (tree, node) => tree.allIn(tree.field(node, "extend"), "type").filter((it) => tree.isNamed(it)),
  ignored: new Set(["Int", "String", "Boolean", "Unit", "Any", "Long", "Double", "Float", "_", "this", "super"]),
  seesMembers: true,
  callsMembers: true,
  callsMakeObjects: true,
  chain,
};

export const SCALA: Language = {
  trees: { scala: { grammar: "tree-sitter-scala/tree-sitter-scala.wasm", rules: RULES } },
  family: JVM,
  sourceFolder: "scala",
};
