/** Swift: the files of a module see each other; a module is a folder of a package (`swift:` outside). */
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import { createDottedResolver, inOwnSpace } from "../base/imports.ts";
import type { Family, Language } from "../base/language.ts";
import {
  type Declarations,
  type Declare,
  declares,
  each,
  flagsOf,
  type LanguageRules,
  localChild,
  opensFunction,
  THROUGH_FIRST,
  THROUGH_LAST,
  usesBy,
} from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { baseName, folderOfPlace, foldersAround } from "../base/world.ts";

const KINDS: Readonly<Record<string, SymbolKind>> = { class: "class", actor: "class", struct: "struct", enum: "enum" };

function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  const words = file.tree.wordsIn(node, "modifiers");
  const isOfProtocol = file.holder.kind === "type" && file.holder.owner?.kind === "interface";
  const flags = flagsOf(words, words.has("public") || words.has("open") || isOfProtocol);
  if (words.has("class") && !flags.includes("static")) flags.push("static");
  if (words.has("@available") && /deprecated/.test(file.tree.textOf(file.tree.child(node, "modifiers"))))
    flags.push("deprecated");
  return flags;
}

function basesOf(tree: SyntaxTree, node: number): number[] {
  return tree
    .named(node)
    .filter((it) => tree.type(it) === "inheritance_specifier")
    .map((it) => tree.field(it, "inherits_from"));
}

function declareType(file: Declarations, node: number, tree: SyntaxTree): void {
  const word = tree.textOf(tree.field(node, "declaration_kind"));
  const nameNode = tree.field(node, "name");
  if (word === "extension") {
    const inner = tree.type(nameNode) === "user_type" ? (tree.named(nameNode).at(-1) ?? nameNode) : nameNode;
    file.openScope(node, "type", undefined, inner);
    return;
  }
  file.addSymbol({ kind: KINDS[word] ?? "class", node, nameNode, memberOf: "" });
}

/** Type that a function returns: the named type behind its parameters. */
function returnType(tree: SyntaxTree, node: number): number {
  const arrow = tree.child(node, '"->"');
  return arrow === NONE ? NONE : (tree.children(node).find((it) => it > arrow && tree.isNamed(it)) ?? NONE);
}

function declareFunction(kind: SymbolKind, name?: string): Declare {
  return (file, node, tree) => {
    const flags = flagsAt(file, node);
    if (tree.child(node, '"async"', "async") !== NONE) flags.push("async");
    const nameNode = tree.field(node, "name");
    if (
      /^test/.test(tree.textOf(nameNode)) &&
      file.holder.owner?.bases.some((it) => /XCTestCase$/.test(tree.textOf(it)))
    )
      flags.push("test");
    const isOperator = tree.type(nameNode) !== "simple_identifier" && kind === "method" && name === undefined;
    file.addSymbol({
      kind: isOperator ? "operator" : kind === "method" && file.holder.kind !== "type" ? "function" : kind,
      node,
      ...(name === undefined
        ? {}
        : { name, nameNode: tree.type(nameNode) === `"${name}"` ? nameNode : tree.child(node, `"${name}"`) }),
      flags,
      typeNode: kind === "constructor" ? NONE : returnType(tree, node),
    });
  };
}

function declareProperty(file: Declarations, node: number, tree: SyntaxTree): void {
  const names = tree.allIn(node, "name").filter((it) => tree.type(it) === "pattern");
  const annotation = tree.child(node, "type_annotation");
  const typeNode = tree.field(annotation, "name");
  const values = tree.allIn(node, "value");
  for (const [place, pattern] of names.entries()) {
    const bound = tree.field(pattern, "bound_identifier");
    for (const nameNode of bound !== NONE
      ? [bound]
      : tree.named(pattern).map((it) => tree.descendant(it, "simple_identifier"))) {
      if (nameNode === NONE) continue;
      if (file.isInFunction) {
        file.addLocal(nameNode, typeNode, values[place]);
        continue;
      }
      const isMember = file.holder.kind === "type";
      file.addSymbol({
        kind: isMember ? "property" : tree.textOf(node).startsWith("let") ? "constant" : "variable",
        node,
        nameNode,
        typeNode,
        valueNode: values[place] ?? NONE,
        body:
          tree.field(node, "computed_value") !== NONE
            ? tree.field(node, "computed_value")
            : tree.child(node, "protocol_property_requirements", "willset_didset_block"),
      });
    }
  }
}

function declareParameter(file: Declarations, node: number, tree: SyntaxTree): void {
  const [nameNode = NONE, typeNode = NONE] = tree.allIn(node, "name");
  file.claim(tree.field(node, "external_name"));
  if (file.isInFunction) file.addLocal(nameNode, typeNode);
  else file.claim(nameNode);
}

function declareImport(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  const path = tree.child(node, "identifier");
  const full = tree.pathText(path);
  const isOfKind = /^import\s+(?:class|struct|enum|protocol|func|var|let|typealias)\b/.test(
    tree.textOf(node).replace(/^@\w+\s+/, ""),
  );
  if (isOfKind && full.lastIndexOf(".") > 0) file.importLast(full, ".", { node: path });
  else file.importAll(full, path);
}

/** `if let x`, `guard let x`: in the function for `guard`, in the statement for `if`. */
function declareBound(file: Declarations, node: number, tree: SyntaxTree): void {
  for (const name of tree.allIn(node, "bound_identifier")) {
    // `if let items` without a value takes the member or variable of that name.
    file.addLocal(name, NONE, NONE, tree.type(node) === "guard_statement");
  }
}

const RULES: LanguageRules = {
  declare: {
    import_declaration: declareImport,
    class_declaration: declareType,
    protocol_declaration: declares("interface"),
    function_declaration: declareFunction("method"),
    protocol_function_declaration: declareFunction("method"),
    init_declaration: declareFunction("constructor", "init"),
    deinit_declaration: declareFunction("method", "deinit"),
    subscript_declaration: declareFunction("method", "subscript"),
    property_declaration: declareProperty,
    protocol_property_declaration: declareProperty,
    typealias_declaration: (file, node) => void file.addSymbol({ kind: "typeAlias", node }),
    associatedtype_declaration: (file, node) => void file.addSymbol({ kind: "typeAlias", node }),
    enum_entry: (file, node, tree) => {
      for (const nameNode of tree.allIn(node, "name")) {
        if (tree.type(nameNode) === "simple_identifier")
          file.addSymbol({ kind: "enumMember", node, nameNode, flags: ["exported"] });
      }
    },
    parameter: declareParameter,
    lambda_parameter: declareParameter,
    ...each("lambda_literal computed_property willset_didset_block", opensFunction),
    ...each("if_statement guard_statement while_statement", declareBound),
    for_statement: (file, node, tree) => {
      const item = tree.field(node, "item");
      file.addLocal(tree.field(item, "bound_identifier"));
    },
    type_parameter: localChild("type_identifier"),
    value_argument_label: (file, node) => file.claimAll(node),
    catch_block: (file, node, tree) =>
      file.addBinding("error", { kind: "local", typeNode: NONE, valueNode: tree.child(node, '"catch"') }),
  },
  blocks: new Set(["if_statement", "for_statement", "while_statement", "switch_entry", "catch_block", "do_statement"]),
  names: new Set(["simple_identifier"]),
  typeNames: new Set(["type_identifier"]),
  namesApart: "types",
  shapes: {
    navigation_expression: { is: "member", object: "target", name: "suffix" },
    navigation_suffix: { is: "through", child: "suffix" },
    call_expression: { is: "call", callee: { place: "first" } },
    ...each("user_type try_expression await_expression", THROUGH_LAST),
    ...each("optional_type postfix_expression tuple_expression directly_assignable_expression", THROUGH_FIRST),
    as_expression: { is: "creation", type: "type" },
    self_expression: { is: "self" },
    super_expression: { is: "super" },
  },
  useKinds: usesBy({
    decorates: "attribute",
    up: "user_type directly_assignable_expression",
    extends: "inheritance_specifier",
    type: "type_annotation",
    writes: "assignment.target",
  }),
  comments: new Set(["comment", "multiline_comment"]),
  flagsAt,
  basesOf,
  ignored: new Set(["Int", "String", "Bool", "Double", "Float", "Any", "Void", "Array", "Self"]),
  seesMembers: true,
  hasExtensions: true,
  callsMembers: true,
  callsMakeObjects: true,
  useKind: (uses, node) => {
    const { tree } = uses;
    const parent = tree.parent(node);
    if (tree.type(parent) === "call_expression" && tree.named(parent)[0] === node) return "calls";
    return undefined;
  },
};

const FAMILY: Family = {
  name: "swift",
  hasOnlyTypesAsBases: true,
  spaceOf: (world, { list }) => {
    const packages = new Set(list.filter(({ kind }) => kind === "swift").map(({ folder }) => folder));
    return (file) => moduleOf(world.places[file] as string, packages);
  },
  createModules: (linking) => ({
    resolve: createDottedResolver(linking, { family: FAMILY, outside: ([module = ""]) => `swift:${module}` }),
  }),
  createNames: (linking) => ({ resolveFree: inOwnSpace(linking) }),
};

/** Sources of a package lie in one folder a module: `Sources/NAME`, `Tests/NAME`. */
function moduleOf(place: string, packages: ReadonlySet<string>): string {
  for (const folder of foldersAround(folderOfPlace(place))) {
    if (/^(?:Sources|Tests|Source)$/.test(baseName(folderOfPlace(folder)))) return baseName(folder);
    if (packages.has(folder)) return baseName(folder);
  }
  return "";
}

/** `calloc(0, 4)` as WebAssembly: the state of the grammar's scanner. */
const NO_STATE = Buffer.from([0x41, 0, 0x41, 4, 0x10]);

/**
 * The grammar asks for a state of no bytes, and so begins each file with what the heap holds there: the second file of a
 * thread would be read in another way than the first. Asks for one state instead.
 */
function withScannerState(grammar: Buffer): Buffer {
  const at = grammar.indexOf(NO_STATE);
  if (at >= 0 && grammar.indexOf(NO_STATE, at + 1) < 0) grammar[at + 1] = 1;
  return grammar;
}

export const SWIFT: Language = {
  trees: {
    swift: {
      grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm",
      rules: RULES,
      isTooLargeToOptimize: true,
      patch: withScannerState,
    },
  },
  family: FAMILY,
  manifests: [
    {
      kind: "swift",
      files: ["Package.swift"],
      read: ({ text }) => ({ name: /Package\s*\(\s*name:\s*"([^"]+)"/.exec(text)?.[1] ?? "" }),
    },
  ],
  constructors: ["init"],
};
