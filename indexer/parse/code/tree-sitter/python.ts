/** Python: how its grammar names what it declares, imports and uses. */

import type { ImportDraft } from "./drafts.ts";
import { declareCapture, declareGlobal, declareLocalOrSkip, declareTargets, targetNames } from "./python-locals.ts";
import {
  applyAll,
  declareAssignment,
  declareClass,
  declareFunction,
  docstringOf,
  visibilityOf,
} from "./python-symbols.ts";
import type { Chain, Declarations, LanguageRules, Names } from "./rules.ts";
import { NONE, type SyntaxTree } from "./syntax-tree.ts";

/** Nodes in the blocks of `if TYPE_CHECKING:`, as 1 at their number; undefined where a tree has no such block. */
const typeOnlyNodes = new WeakMap<SyntaxTree, Uint8Array | undefined>();

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

/** `import a.b as c`. */
function declareImport(file: Declarations, node: number): void {
  const { tree } = file;
  file.claimAll(node);
  for (const entry of tree.allIn(node, "name")) {
    const alias = tree.field(entry, "alias");
    const nameNode = tree.type(entry) === "aliased_import" ? tree.field(entry, "name") : entry;
    const specifier = tree.textOf(nameNode).replace(/\s+/g, "");
    const local = alias === NONE ? (specifier.split(".")[0] as string) : tree.textOf(alias);
    file.addImport({ specifier, imported: "*", local, node: nameNode });
  }
}

/** `from a import b as c`, also of `__future__`. */
function declareImportFrom(file: Declarations, node: number): void {
  const { tree } = file;
  file.claimAll(node);
  const module = tree.field(node, "module_name");
  const specifier =
    tree.type(node) === "future_import_statement" ? "__future__" : tree.textOf(module).replace(/\s+/g, "");
  if (tree.child(node, "wildcard_import") !== NONE) {
    file.addImport({ specifier, imported: "*", local: "*", node: module });
    return;
  }
  for (const entry of tree.allIn(node, "name")) {
    const isAliased = tree.type(entry) === "aliased_import";
    const nameNode = isAliased ? tree.field(entry, "name") : entry;
    const localNode = isAliased ? tree.field(entry, "alias") : NONE;
    const bound = localNode === NONE ? nameNode : localNode;
    file.addImport({
      specifier,
      imported: tree.textOf(nameNode),
      local: tree.textOf(bound),
      node: nameNode,
      ...(localNode !== NONE && { localNode }),
    });
  }
}

/** Whether a node is in the block of `if TYPE_CHECKING:`. */
function isTypeOnly(tree: SyntaxTree, node: number): boolean {
  if (!typeOnlyNodes.has(tree)) typeOnlyNodes.set(tree, markTypeOnly(tree));
  return typeOnlyNodes.get(tree)?.[node] === 1;
}

function markTypeOnly(tree: SyntaxTree): Uint8Array | undefined {
  let marked: Uint8Array | undefined;
  for (let node = 0; node < tree.count; node++) {
    if (marked?.[node] === 1 || tree.type(node) !== "if_statement") continue;
    if (!/^(?:typing\.|t\.)?TYPE_CHECKING$/.test(tree.textOf(tree.field(node, "condition")))) continue;
    const block = tree.field(node, "consequence");
    if (block === NONE) continue;
    marked ??= new Uint8Array(tree.count);
    marked.fill(1, block + 1, tree.after(block));
  }
  return marked;
}

/** `import a.b` binds `a`, and `a.b.c` leads to `c` of the module `a.b`. Undefined where no import has a dotted name. */
function dottedChain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  const path = dottedPath(tree, node);
  if (path === undefined) return undefined;
  const root = names.resolve(path[0] as string, depth).root;
  if (root.kind !== "import") return undefined;
  const binding = names.fileScope.names.get(path[0] as string);
  const imports = binding?.kind === "import" ? binding.imports : [names.imports[root.import] as ImportDraft];
  const dotted = imports.filter((it) => it.imported === "*" && it.specifier.startsWith(`${it.local}.`));
  if (dotted.length === 0) return undefined;
  const full = path.join(".");
  const best = imports
    .filter((it) => it.imported === "*" && (full === it.specifier || full.startsWith(`${it.specifier}.`)))
    .sort((a, b) => b.specifier.length - a.specifier.length)[0];
  if (best !== undefined) {
    return { root: { kind: "import", import: best.index }, members: path.slice(best.specifier.split(".").length) };
  }
  return { root: { kind: "free", name: path[0] as string }, members: path.slice(1) };
}

function dottedPath(tree: SyntaxTree, node: number): string[] | undefined {
  const path: string[] = [];
  let at = node;
  while (tree.type(at) === "attribute" && path.length < 16) {
    path.unshift(tree.textOf(tree.field(at, "attribute")));
    at = tree.field(at, "object");
  }
  return tree.type(at) === "identifier" ? [tree.textOf(at), ...path] : undefined;
}
