/** Python: how its grammar names what it declares, imports and uses. */
import { declareImport, declareImportFrom, dottedChain, isTypeOnly } from "./python-imports.ts";
import { declareCapture, declareGlobal, declareLocalOrSkip, declareTargets, targetNames } from "./python-locals.ts";
import {
  applyAll,
  declareAssignment,
  declareClass,
  declareFunction,
  docstringOf,
  visibilityOf,
} from "./python-symbols.ts";
import type { Chain, LanguageRules, Names } from "./rules.ts";
import { NONE } from "./syntax-tree.ts";

/** `super()` is the object as its bases have it, a type in quotes the type, and dotted names may lead to modules. */
function chain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  const type = tree.type(node);
  if (type === "call") {
    const callee = tree.field(node, "function");
    if (tree.type(callee) === "identifier" && tree.textOf(callee) === "super") return names.selfChain("super");
    return undefined;
  }
  if (type === "string") {
    // A type that is not declared yet stands in quotes.
    const name = /^["']([A-Za-z_]\w*)["']$/.exec(tree.textOf(node))?.[1];
    return name !== undefined && tree.type(tree.parent(node)) === "type" ? names.resolve(name, depth) : undefined;
  }
  return type === "attribute" ? dottedChain(names, node, depth) : undefined;
}

export const PYTHON: LanguageRules = {
  declare: {
    module: (file) => {
      file.fileDoc = docstringOf(file.tree, 0) || undefined;
    },
    function_definition: declareFunction,
    class_definition: declareClass,
    assignment: declareAssignment,
    type_alias_statement: (file, node) => {
      const { tree } = file;
      const nameNode = tree.descendant(tree.field(node, "left"), "identifier");
      if (!file.isInFunction) {
        const name = tree.textOf(nameNode);
        file.addSymbol({
          kind: "typeAlias",
          node,
          nameNode,
          flags: visibilityOf(file, name),
          valueNode: tree.field(node, "right"),
        });
      }
    },
    import_statement: declareImport,
    import_from_statement: declareImportFrom,
    future_import_statement: declareImportFrom,
    global_statement: declareGlobal,
    nonlocal_statement: declareGlobal,
    lambda: (file, node) => {
      file.openScope(node, "block");
      for (const parameter of file.tree.named(file.tree.field(node, "parameters"))) {
        const nameNode =
          file.tree.type(parameter) === "identifier" ? parameter : file.tree.descendant(parameter, "identifier");
        file.addLocal(nameNode);
      }
    },
    for_statement: declareTargets("left"),
    for_in_clause: (file, node) => {
      for (const name of targetNames(file.tree, file.tree.field(node, "left"))) file.addLocal(name);
    },
    named_expression: declareTargets("name"),
    as_pattern: (file, node) => {
      const { tree } = file;
      const alias = tree.field(node, "alias");
      const names = alias === NONE ? tree.named(node).slice(-1) : [alias];
      for (const name of names.flatMap((it) => targetNames(tree, it))) declareLocalOrSkip(file, name);
    },
    case_pattern: declareCapture,
    delete_statement: (file, node) => file.claim(file.tree.child(node, "identifier")),
  },
  blocks: new Set(["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"]),
  names: new Set(["identifier"]),
  typeNames: new Set(),
  shapes: {
    attribute: { is: "member", object: "object", name: "attribute" },
    call: { is: "call", callee: "function" },
    parenthesized_expression: { is: "through", child: { place: "first" } },
    await: { is: "through", child: { place: "first" } },
    type: { is: "through", child: { place: "first" } },
    generic_type: { is: "through", child: { place: "first" } },
    dotted_name: { is: "through", child: { place: "last" } },
  },
  useKinds: {
    "call.function": "calls",
    decorator: "decorates",
    "assignment.left": "writes",
    "augmented_assignment.left": "writes",
    pattern_list: "up",
    tuple_pattern: "up",
    type: "type",
    generic_type: "up",
    "subscript.value": "up",
    subscript: "up",
    member_type: "up",
    union_type: "up",
    binary_operator: "up",
    "class_definition.superclasses": "extends",
    argument_list: "up",
    "call.arguments": "reads",
    "keyword_argument.name": "none",
    "keyword_argument.value": "reads",
    keyword_pattern: "none",
    dotted_name: "up",
    class_pattern: "type",
  },
  useKind: (uses, node) => {
    const { tree } = uses;
    const parent = tree.parent(node);
    // `@app.route("/")` decorates with what is called.
    if (tree.type(parent) === "call" && tree.type(tree.parent(parent)) === "decorator") return "decorates";
    // `cache[key] = value` reads the name; only the type of a subscript says more.
    if (tree.type(parent) === "subscript" && tree.type(tree.parent(parent)) === "assignment") return "reads";
    // `class Store(Base[Item])`: only what stands in front of the brackets is a base.
    if (tree.type(parent) === "subscript" && tree.field(parent, "value") !== node) {
      return tree.type(tree.parent(tree.parent(parent))) === "class_definition" ? "type" : "reads";
    }
    return undefined;
  },
  ignored: new Set(["super"]),
  comments: new Set(["comment"]),
  seesMembers: false,
  callsMakeObjects: true,
  isTypeOnly,
  chain,
  finish: applyAll,
};
