/** Go: a package is a folder, and an import the path of a module with the folder in it (`go:` outside). */
import type { SymbolFlag } from "../../../src/core/format/code-model.ts";
import { inOwnSpace } from "../base/imports.ts";
import type { Entity, Family, Language, Linking, NameLinking, ResolveImport } from "../base/language.ts";
import {
  type Chain,
  type Declarations,
  type Declare,
  type LanguageRules,
  localsIn,
  type Names,
  opensFunction,
  THROUGH_FIRST,
  type UseRule,
  type Uses,
  usesBy,
  wordSet,
} from "../base/rules.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { folderOfPlace, joinPlace, NOTHING } from "../base/world.ts";

const BUILT_IN =
  "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr append cap clear close complex copy delete imag len make max min new panic print println real recover _";

function flagsAt(_file: Declarations, _node: number, name: string): SymbolFlag[] {
  return /^\p{Lu}/u.test(name) ? ["exported"] : [];
}

/** Name of a type behind pointers, type arguments and package: `Store` of `*pkg.Store[T]`. */
function typeNameIn(tree: SyntaxTree, node: number): number {
  if (tree.type(node) === "type_identifier") return node;
  if (tree.type(node) === "qualified_type") return tree.field(node, "name");
  return tree.descendant(node, "type_identifier");
}

function embeddedIn(tree: SyntaxTree, type: number): number[] {
  if (tree.type(type) === "interface_type") {
    return tree.named(type).filter((it) => {
      const only = tree.named(it)[0] ?? NONE;
      return (
        tree.type(it) === "type_elem" &&
        tree.named(it).length === 1 &&
        /^(?:type_identifier|qualified_type|generic_type)$/.test(tree.type(only))
      );
    });
  }
  return tree
    .named(tree.child(type, "field_declaration_list"))
    .filter((it) => tree.type(it) === "field_declaration" && tree.field(it, "name") === NONE)
    .map((it) => tree.field(it, "type"));
}

function declareType(file: Declarations, node: number, tree: SyntaxTree): void {
  const type = tree.field(node, "type");
  const kinds = { struct_type: "struct", interface_type: "interface" } as const;
  const shape = tree.type(type);
  const kind = shape === "struct_type" || shape === "interface_type" ? kinds[shape] : "typeAlias";
  file.addSymbol({
    kind,
    node,
    outer: outerOf(tree, node),
    typeNode: NONE,
    body: kind === "typeAlias" ? NONE : bodyOf(tree, type),
    bases: kind === "typeAlias" ? [] : embeddedIn(tree, type),
  });
}

function bodyOf(tree: SyntaxTree, type: number): number {
  if (tree.type(type) === "struct_type") return tree.child(type, "field_declaration_list");
  return tree.child(type, '"{"');
}

/** The declaration around a specification that stands alone in it, so that its comment and its keyword belong to it. */
function outerOf(tree: SyntaxTree, node: number): number {
  let parent = tree.parent(node);
  if (tree.type(parent) === "var_spec_list") parent = tree.parent(parent);
  return /_declaration$/.test(tree.type(parent)) &&
    tree.child(parent, '"("') === NONE &&
    tree.child(parent, "var_spec_list") === NONE
    ? parent
    : node;
}

function declareFields(file: Declarations, node: number, tree: SyntaxTree): void {
  const typeNode = tree.field(node, "type");
  const names = tree.allIn(node, "name");
  // Fields of a struct type that has no name are no members of anything.
  if (file.holder.kind !== "type" || tree.parent(tree.parent(tree.parent(node))) !== file.holder.node) {
    for (const name of names) file.claim(name);
    return;
  }
  for (const nameNode of names) {
    file.addSymbol({ kind: "field", node, nameNode, typeNode });
  }
  if (names.length > 0) return;
  const nameNode = typeNameIn(tree, typeNode);
  const field = file.addSymbol({
    kind: "field",
    node,
    nameNode,
    typeNode,
    isBound: false,
  });
  // The name is a use of the type, too.
  if (field !== undefined) file.claimed[nameNode] = 0;
}

/** The only child of a list that has a rule, or the node itself where it is no list; {@link NONE} for several. */
function onlyOf(tree: SyntaxTree, node: number, list: string): number {
  if (tree.type(node) !== list) return node;
  const inside = tree.named(node);
  return inside.length === 1 ? (inside[0] as number) : NONE;
}

function declareValues(kind: "variable" | "constant"): Declare {
  return (file, node, tree) => {
    const names = tree.allIn(node, "name").filter((name) => tree.isNamed(name));
    const typeNode = tree.field(node, "type");
    const value = tree.field(node, "value");
    const only = names.length === 1 ? onlyOf(tree, value, "expression_list") : NONE;
    for (const nameNode of names) {
      const name = tree.textOf(nameNode);
      if (file.isInFunction) file.addLocal(nameNode, typeNode, only);
      else if (name === "_") file.claim(nameNode);
      else
        file.addSymbol({
          kind,
          node,
          outer: outerOf(tree, node),
          nameNode,
          typeNode,
          valueNode: only,
        });
    }
  };
}

function declareFunction(file: Declarations, node: number, tree: SyntaxTree): void {
  const name = tree.textOf(tree.field(node, "name"));
  const flags = flagsAt(file, node, name);
  if (
    /^(?:Test|Benchmark|Example|Fuzz)(?:$|[A-Z_0-9])/.test(name) &&
    /testing\.|^$/.test(tree.textOf(tree.field(node, "parameters")).slice(1, -1))
  ) {
    flags.push("test");
  }
  const receiver = tree.field(node, "receiver");
  const receiverType =
    receiver === NONE ? NONE : tree.field(tree.descendant(receiver, "parameter_declaration"), "type");
  file.addSymbol({
    kind: receiver === NONE ? "function" : "method",
    node,
    flags,
    typeNode: tree.field(node, "result"),
    memberOf: tree.textOf(typeNameIn(tree, receiverType)),
    ...(name === "init" || name === "_" ? { isBound: false } : {}),
  });
  // Type parameters of the receiver are declared by their use there.
  for (const argument of tree.named(tree.field(tree.descendant(receiver, "generic_type"), "type_arguments"))) {
    file.addLocal(tree.descendant(argument, "type_identifier"));
  }
}

function declareImport(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  const path = tree.field(node, "path");
  const specifier = tree.textOf(path).slice(1, -1);
  const nameNode = tree.field(node, "name");
  const name = tree.textOf(nameNode);
  const local = name === "." ? "*" : name === "_" ? "" : name === "" ? packageName(specifier) : name;
  file.addImport({ specifier, imported: "*", local, node: nameNode === NONE ? path : nameNode });
}

/** The name that a package has by custom: the last part of its path, without a version and without `go-`. */
function packageName(specifier: string): string {
  const parts = specifier.split("/");
  const last = /^v\d+$/.test(parts.at(-1) as string) && parts.length > 1 ? parts.at(-2) : parts.at(-1);
  return (last as string)
    .replace(/\.v\d+$/, "")
    .replace(/^go-|[.-]go$/g, "")
    .replace(/-/g, "_");
}

function declareReceived(file: Declarations, node: number, tree: SyntaxTree): void {
  if (tree.child(node, '":="') === NONE) return;
  for (const name of tree.named(tree.field(node, "left"))) file.addLocal(name);
}

function declareShort(file: Declarations, node: number, tree: SyntaxTree): void {
  const names = tree.named(tree.field(node, "left"));
  const value = tree.field(node, "right");
  // The first of several results is mostly the value, the last the error.
  const single = onlyOf(tree, value, "expression_list");
  for (const [place, name] of names.entries()) file.addLocal(name, NONE, place === 0 ? single : NONE);
}

/** `x.(Store)` and `new(Store)` are values of their type. */
function chain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  if (tree.type(node) !== "call_expression") return undefined;
  const callee = tree.field(node, "function");
  if (tree.type(callee) !== "identifier" || tree.textOf(callee) !== "new") return undefined;
  const type = names.typeReference(tree.named(tree.field(node, "arguments"))[0] ?? NONE, depth + 1);
  return type === undefined ? undefined : { root: { kind: "value", type }, members: [] };
}

/** The key of an element is a field of the literal's type, unless it is a map. */
function useKind(uses: Uses, node: number): UseRule | undefined {
  const { tree } = uses;
  if (tree.type(node) !== "identifier") return undefined;
  const element = tree.parent(node);
  const pair = tree.parent(element);
  if (tree.type(element) !== "literal_element" || tree.field(pair, "key") !== element) return undefined;
  const literal = tree.parent(tree.parent(pair));
  const typeNode = tree.type(literal) === "composite_literal" ? tree.field(literal, "type") : NONE;
  if (/^(?:map_type|array_type|slice_type|implicit_length_array_type)$/.test(tree.type(typeNode))) return "reads";
  const type = uses.typeReference(typeNode);
  if (type === undefined) return "none";
  uses.add("writes", node, { root: { kind: "value", type }, members: [tree.textOf(node)] });
  return "none";
}

const GO_RULES: LanguageRules = {
  declare: {
    package_clause: (file, node, tree) => {
      file.claimAll(node);
      file.namespace = tree.textOf(tree.child(node, "package_identifier"));
    },
    import_spec: declareImport,
    type_spec: declareType,
    type_alias: declareType,
    field_declaration: declareFields,
    method_elem: (file, node, tree) => {
      if (file.holder.kind === "type" && tree.parent(tree.parent(node)) === file.holder.node) {
        file.addSymbol({ kind: "method", node, typeNode: tree.field(node, "result") });
      } else {
        file.claim(tree.field(node, "name"));
        opensFunction(file, node);
      }
    },
    const_spec: declareValues("constant"),
    var_spec: declareValues("variable"),
    function_declaration: declareFunction,
    method_declaration: declareFunction,
    func_literal: opensFunction,
    function_type: opensFunction,
    parameter_declaration: localsIn("name"),
    variadic_parameter_declaration: localsIn("name", ""),
    type_parameter_declaration: localsIn("name", ""),
    short_var_declaration: declareShort,
    range_clause: declareReceived,
    receive_statement: declareReceived,
    type_switch_statement: (file, node, tree) => {
      const alias = tree.field(node, "alias");
      for (const name of tree.named(alias)) file.addLocal(name);
    },
    // In a case of one type the switched value has that type.
    type_case: (file, node, tree) => {
      const types = tree.allIn(node, "type");
      const alias = tree.named(tree.field(tree.parent(node), "alias"))[0] ?? NONE;
      if (alias !== NONE && types.length === 1)
        file.addBinding(tree.textOf(alias), { kind: "local", typeNode: types[0] as number, valueNode: NONE });
    },
  },
  blocks: wordSet(
    "block if_statement for_statement expression_switch_statement type_switch_statement select_statement " +
      "expression_case default_case type_case communication_case",
  ),
  names: new Set(["identifier", "field_identifier", "package_identifier"]),
  typeNames: new Set(["type_identifier"]),
  namesApart: "types",
  shapes: {
    selector_expression: { is: "member", object: "operand", name: "field" },
    qualified_type: { is: "member", object: "package", name: "name" },
    call_expression: { is: "call", callee: "function" },
    composite_literal: { is: "creation", type: "type" },
    type_assertion_expression: { is: "creation", type: "type" },
    type_conversion_expression: { is: "call", callee: "type" },
    parenthesized_expression: THROUGH_FIRST,
    parenthesized_type: THROUGH_FIRST,
    pointer_type: THROUGH_FIRST,
    unary_expression: { is: "through", child: "operand" },
    generic_type: { is: "through", child: "type" },
    type_elem: THROUGH_FIRST,
    expression_list: THROUGH_FIRST,
    // Of `(*Store, error)` the first is what callers go on with.
    parameter_list: THROUGH_FIRST,
    parameter_declaration: { is: "through", child: "type" },
  },
  useKinds: usesBy({
    calls: "call_expression.function type_conversion_expression.type",
    instantiates: "composite_literal.type",
    up: "generic_type.type expression_list pointer_type type_elem",
    writes: "assignment_statement.left inc_statement dec_statement",
    type: "field_declaration_list",
    extends: "interface_type",
  }),
  comments: new Set(["comment"]),
  flagsAt,
  ignored: new Set(BUILT_IN.split(" ")),
  chain,
  useKind: (uses, node) => {
    const { tree } = uses;
    for (let at = node, steps = 0; steps < 4; at = tree.parent(at), steps++) {
      const parent = tree.parent(at);
      if (tree.type(parent) === "field_declaration") {
        // An embedded type: its members are those of the struct.
        return tree.field(parent, "name") === NONE && tree.field(parent, "type") === at ? "extends" : "type";
      }
      if (!/^(?:pointer_type|generic_type)$/.test(tree.type(parent))) break;
    }
    return useKind(uses, node);
  },
};

const FAMILY: Family = {
  name: "go",
  hasOnlyTypesAsBases: true,
  hasFolderSpaces: true,
  folderPackages: "go",
  // Tests of a package from outside have a package of their own in its folder.
  spaceOf: (world) => (file) => {
    const isTest = world.codeOf(file).namespace.endsWith("_test");
    return `${folderOfPlace(world.places[file] as string)}${isTest ? ":test" : ""}`;
  },
  createModules: (linking) => ({ resolve: createResolver(linking) }),
  createNames: (linking) => {
    const resolveOwn = inOwnSpace(linking);
    return {
      resolveFree: (file, name, wantType) => {
        const own = resolveOwn(file, name, wantType);
        return own === NOTHING ? importedPackage(linking, file, name) : own;
      },
    };
  },
};

/** Imports lead to the namespace of a folder; those of modules nearer to the file come first. */
function createResolver({ world, manifests: { list }, spaces }: Linking): ResolveImport {
  const modules = list.filter(({ kind, name }) => kind === "go" && name !== "");
  // A module in a module has the longer path.
  modules.sort((a, b) => b.name.length - a.name.length || (a.folder < b.folder ? -1 : 1));
  return (file, specifier) => {
    if (specifier.startsWith(".")) {
      return spaces.find(FAMILY, joinPlace(folderOfPlace(world.places[file] as string), specifier));
    }
    for (const { name, folder } of modules) {
      if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
      const space = spaces.find(FAMILY, joinPlace(folder, specifier.slice(name.length + 1)));
      return space === NOTHING ? world.external(`go:${specifier}`) : space;
    }
    return world.external(`go:${specifier}`);
  };
}

/** A package is named as it declares itself, which need not be the last part of its path. */
function importedPackage({ world, bindings, spaces }: NameLinking, file: number, name: string): Entity {
  for (const index of world.codeOf(file).imports.keys()) {
    const module = bindings.moduleOf(file, index);
    if (world.outside(module)?.kind !== "space") continue;
    const [first] = spaces.filesOf(module);
    if (first !== undefined && world.codeOf(first).namespace === name) return module;
  }
  return NOTHING;
}

export const GO: Language = {
  trees: { go: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-go.wasm", rules: GO_RULES } },
  family: FAMILY,
  manifests: [
    {
      kind: "go",
      files: ["go.mod"],
      read: ({ text }) => ({ name: /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? "" }),
    },
  ],
};
