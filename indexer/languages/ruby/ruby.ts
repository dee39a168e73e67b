/** Ruby: files require each other by path (`gem:` outside), and constants are seen everywhere. */
import type { SymbolFlag } from "../../../src/core/format/code-model.ts";
import { createPathResolver, pickOnly } from "../base/imports.ts";
import type { Family, Language } from "../base/language.ts";
import {
  type Chain,
  type Declarations,
  type Declare,
  each,
  type LanguageRules,
  type Names,
  wordSet,
} from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { pickSymbol } from "../base/world.ts";

const ACCESSORS = new Set(["attr_accessor", "attr_reader", "attr_writer", "attr"]);
const REQUIRES = new Set(["require", "require_relative", "load", "autoload"]);
const MIXINS = new Set(["include", "extend", "prepend"]);

function wordOf(tree: SyntaxTree, node: number): string {
  return tree
    .textOf(node)
    .replace(/^:/, "")
    .replace(/^["']|["']$/g, "");
}

/** `private` on a line of its own holds for the methods behind it, around a definition for that one. */
function visibilityOf(file: Declarations, node: number): SymbolFlag[] {
  const { tree } = file;
  const call = tree.parent(tree.parent(node));
  const around = tree.type(call) === "call" ? tree.textOf(tree.field(call, "method")) : "";
  if (around === "private" || around === "protected") return [around];
  let at = tree.previous(node);
  for (let steps = 0; at !== NONE && steps < 2000; at = tree.previous(at), steps++) {
    const word = tree.type(at) === "identifier" ? tree.textOf(at) : "";
    if (word === "private" || word === "protected") return [word];
    if (word === "public") break;
  }
  return ["exported"];
}

function declareType(kind: "class" | "module"): Declare {
  return (file, node, tree) => {
    const whole = tree.field(node, "name");
    const nameNode = tree.type(whole) === "scope_resolution" ? tree.field(whole, "name") : whole;
    const base = tree.named(tree.field(node, "superclass"))[0];
    file.addSymbol({
      kind,
      node,
      nameNode,
      name: tree.textOf(nameNode),
      flags: ["exported"],
      bases: base === undefined ? [] : [base],
      body: bodyOf(tree, node),
    });
  };
}

function bodyOf(tree: SyntaxTree, node: number): number {
  return tree.field(node, "body");
}

/** What stands in `class << self` is of the class. */
function sideOf({ tree, holder }: Declarations): SymbolFlag[] {
  return tree.type(holder.node) === "singleton_class" ? ["static"] : [];
}

function declareMethod(file: Declarations, node: number, tree: SyntaxTree): void {
  const isSingleton = tree.type(node) === "singleton_method" || sideOf(file).length > 0;
  const isMember = file.holder.kind === "type";
  const name = tree.textOf(tree.field(node, "name"));
  file.addSymbol({
    kind: !isMember && !isSingleton ? "function" : name === "initialize" ? "constructor" : "method",
    node,
    flags: [
      ...visibilityOf(file, node),
      ...(isSingleton ? (["static"] as const) : []),
      ...(/^test_/.test(name) ? (["test"] as const) : []),
    ],
    body: bodyOf(tree, node),
  });
}

function declareCall(file: Declarations, node: number, tree: SyntaxTree): void {
  const method = tree.textOf(tree.field(node, "method"));
  if (tree.field(node, "receiver") !== NONE) return;
  const list = tree.named(tree.field(node, "arguments"));
  if (REQUIRES.has(method)) {
    const path = list.find((it) => tree.type(it) === "string");
    if (path === undefined) return;
    const specifier = wordOf(tree, path);
    file.claim(tree.field(node, "method"));
    // A path of `require_relative` begins at the file, as `../../parse/code/tree-sitter/` says elsewhere.
    file.importAll(method === "require_relative" && !specifier.startsWith(".") ? `./${specifier}` : specifier, path);
  } else if (file.holder.kind !== "type") {
    return;
  } else if (ACCESSORS.has(method)) {
    file.claim(tree.field(node, "method"));
    for (const nameNode of list.filter((it) => /symbol|string/.test(tree.type(it)))) {
      file.addSymbol({
        kind: "property",
        node,
        nameNode,
        name: wordOf(tree, nameNode),
        flags: [...visibilityOf(file, node), ...sideOf(file)],
      });
    }
  } else if (method === "alias_method" || method === "define_method") {
    const [nameNode] = list;
    if (nameNode === undefined || !/symbol|string/.test(tree.type(nameNode))) return;
    file.claim(tree.field(node, "method"));
    file.addSymbol({
      kind: "method",
      node,
      nameNode,
      name: wordOf(tree, nameNode),
      flags: [...visibilityOf(file, node), ...sideOf(file)],
      body: tree.field(node, "block"),
    });
  }
}

function declareAssignment(file: Declarations, node: number, tree: SyntaxTree): void {
  const left = tree.field(node, "left");
  const value = tree.field(node, "right");
  switch (tree.type(left)) {
    case "identifier":
      file.addLocal(left, NONE, value, true);
      break;
    case "constant": {
      if (file.isInFunction || file.holder.names.get(tree.textOf(left))?.kind === "symbol") return;
      const made = /^(?:Struct|Class|Data)\.(?:new|define)\b/.test(tree.textOf(value));
      file.addSymbol({
        kind: made ? "class" : "constant",
        node,
        nameNode: left,
        flags: ["exported"],
        valueNode: made ? NONE : value,
        body: made ? value : NONE,
      });
      break;
    }
    case "left_assignment_list":
      for (const name of tree.named(left)) if (tree.type(name) === "identifier") file.addLocal(name, NONE, NONE, true);
      break;
    default:
  }
}

function declareParameters(file: Declarations, node: number, tree: SyntaxTree): void {
  for (const parameter of tree.named(node)) {
    const nameNode = tree.type(parameter) === "identifier" ? parameter : tree.field(parameter, "name");
    if (nameNode !== NONE) file.addLocal(nameNode);
    else if (tree.type(parameter) === "destructured_parameter") declareParameters(file, parameter, tree);
  }
}

/** `Store.new` makes a store. */
function chain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  // `::Marshal` stands at the top.
  if (tree.type(node) === "scope_resolution" && tree.field(node, "scope") === NONE)
    return { root: { kind: "free", name: tree.textOf(tree.field(node, "name")) }, members: [] };
  if (tree.type(node) !== "call" || tree.textOf(tree.field(node, "method")) !== "new") return undefined;
  const receiver = tree.field(node, "receiver");
  const type = /^(?:constant|scope_resolution)$/.test(tree.type(receiver))
    ? names.typeReference(receiver, depth + 1)
    : undefined;
  return type === undefined ? undefined : { root: { kind: "value", type }, members: [] };
}

const RULES: LanguageRules = {
  declare: {
    module: declareType("module"),
    class: declareType("class"),
    singleton_class: (file, node) => file.openScope(node, "type", file.typeScope?.owner),
    method: declareMethod,
    singleton_method: declareMethod,
    call: declareCall,
    alias: (file, node, tree) => {
      const nameNode = tree.field(node, "name");
      if (!/identifier|constant|operator|setter|symbol/.test(tree.type(nameNode))) return;
      file.addSymbol({
        kind: file.holder.kind === "type" ? "method" : "function",
        node,
        nameNode,
        name: wordOf(tree, nameNode),
        flags: [...visibilityOf(file, node), ...sideOf(file)],
      });
    },
    assignment: declareAssignment,
    operator_assignment: (file, node, tree) => {
      const left = tree.field(node, "left");
      if (tree.type(left) === "identifier") file.addLocal(left, NONE, NONE, true);
    },
    ...each("method_parameters block_parameters lambda_parameters", declareParameters),
    exception_variable: (file, node, tree) => file.addLocal(tree.child(node, "identifier"), NONE, NONE, true),
    for: (file, node, tree) => file.addLocal(tree.field(node, "pattern"), NONE, NONE, true),
  },
  blocks: new Set(["block", "do_block", "lambda"]),
  names: new Set(["identifier", "constant"]),
  shapes: {
    call: { is: "invocation", object: "receiver", name: "method" },
    scope_resolution: { is: "member", object: "scope", name: "name" },
    parenthesized_statements: { is: "through", child: { place: "first" } },
    self: { is: "self" },
  },
  useKinds: { superclass: "extends", "assignment.left": "writes", "operator_assignment.left": "writes" },
  comments: new Set(["comment"]),
  ignored: wordSet(
    "private protected public private_class_method module_function include extend prepend require loop " +
      "format raise puts lambda proc",
  ),
  seesMembers: true,
  callsMembers: true,
  splitsTypes: true,
  hasSides: true,
  chain,
  useKind: (uses, node) => {
    const { tree } = uses;
    const list = tree.parent(node);
    if (tree.type(list) === "argument_list" && tree.type(tree.parent(list)) === "call") {
      const method = tree.field(tree.parent(list), "method");
      // `include Enumerable` gives the class the members of the module.
      if (MIXINS.has(tree.textOf(method)) && tree.field(tree.parent(list), "receiver") === NONE) return "implements";
    }
    // The class in front of `new` is what is made.
    if (tree.type(node) === "call" && tree.textOf(tree.field(node, "method")) === "new") {
      return /^(?:constant|scope_resolution)$/.test(tree.type(tree.field(node, "receiver"))) ? "none" : undefined;
    }
    const call = tree.parent(node);
    if (
      tree.type(call) === "call" &&
      tree.field(call, "receiver") === node &&
      tree.textOf(tree.field(call, "method")) === "new"
    )
      return "instantiates";
    return undefined;
  },
};

const FAMILY: Family = {
  name: "ruby",
  hasSides: true,
  spaceOf: () => () => "",
  createModules: (linking) => ({
    resolve: createPathResolver(linking, {
      family: FAMILY,
      ending: ".rb",
      outside: (specifier) => `gem:${specifier.split("/")[0]}`,
    }),
  }),
  createNames: ({ world, spaces }) => ({
    resolveFree: (_, name, wantType) => {
      const all = spaces.declarations(spaces.find(FAMILY, ""), name);
      // A class may be opened in many files; a method of that name at the top of several is a guess.
      return /^[A-Z]/.test(name) ? pickSymbol(world, all, wantType) : pickOnly(world, all, wantType);
    },
  }),
};

export const RUBY: Language = {
  trees: { ruby: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-ruby.wasm", rules: RULES } },
  family: FAMILY,
  constructors: ["initialize"],
};
