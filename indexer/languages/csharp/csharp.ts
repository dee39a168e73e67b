/** C#: a namespace sees those around it, and a type may have parts in several files (`dotnet:` outside). */
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import type { CodeSymbol } from "../base/code-file.ts";
import { createDottedResolver } from "../base/imports.ts";
import type { Family, JoinDeclaration, Language, NameLinking, ResolveFree } from "../base/language.ts";
import {
  bind,
  type Chain,
  type Declarations,
  type Declare,
  declares,
  each,
  flagsOf,
  type LanguageRules,
  localsIn,
  type Names,
  opensFunction,
  THROUGH_FIRST,
  usesBy,
  wordSet,
} from "../base/rules.ts";
import { declaredOrInnerSpace } from "../base/spaces.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { baseName, isContainer, isType, NOTHING } from "../base/world.ts";

function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  const words = file.tree.wordsIn(node, "modifier");
  const isOfInterface = file.holder.owner?.kind === "interface" && file.holder.kind === "type";
  const flags = flagsOf(words, words.has("public") || isOfInterface);
  const attributes = file.tree.children(node).filter((it) => file.tree.type(it) === "attribute_list");
  for (const list of attributes) {
    const text = file.tree.textOf(list);
    if (/\bObsolete\b/.test(text)) flags.push("deprecated");
    if (/^\[(?:Fact|Theory|Test|TestMethod)\b/.test(text)) flags.push("test");
  }
  return flags;
}

function basesOf(tree: SyntaxTree, node: number): number[] {
  return tree.named(tree.child(node, "base_list")).filter((it) => tree.type(it) !== "argument_list");
}

function declareMember(kind: SymbolKind, name?: string): Declare {
  return (file, node, tree) => {
    const returns = tree.field(node, "returns");
    const accessors = tree.field(node, "accessors");
    const value = tree.field(node, "value");
    const own = tree.field(node, "body");
    const arrow = tree.type(value) === "arrow_expression_clause" ? value : NONE;
    const operator = tree.textOf(tree.field(node, "operator"));
    file.addSymbol({
      kind,
      node,
      ...(name === undefined
        ? {}
        : {
            name: operator === "" ? name : `${name}${operator}`,
            nameNode: tree.field(node, operator === "" ? "name" : "operator"),
          }),
      body: own !== NONE ? own : accessors !== NONE ? accessors : arrow,
      typeNode: returns !== NONE ? returns : tree.field(node, "type"),
      ...(kind === "constructor" || name !== undefined ? { isBound: false } : {}),
    });
    if (kind === "property" && accessors === NONE && arrow === NONE && value === NONE) file.openScope(node, "function");
  };
}

function declareFields(file: Declarations, node: number, tree: SyntaxTree): void {
  const words = tree.wordsIn(node, "modifier");
  const isConstant = words.has("const") || (words.has("static") && words.has("readonly"));
  const list = tree.child(node, "variable_declaration");
  const typeNode = tree.field(list, "type");
  const flags = flagsAt(file, node);
  for (const declarator of tree.named(list)) {
    if (tree.type(declarator) !== "variable_declarator") continue;
    const valueNode = tree.named(declarator)[1] ?? NONE;
    file.addSymbol({
      kind: isConstant ? "constant" : "field",
      node,
      nameNode: tree.field(declarator, "name"),
      flags,
      typeNode,
      valueNode,
    });
  }
}

function declareLocals(file: Declarations, node: number, tree: SyntaxTree): void {
  if (!file.isInFunction) return;
  const type = tree.field(node, "type");
  for (const declarator of tree.named(node)) {
    if (tree.type(declarator) !== "variable_declarator") continue;
    file.addLocal(
      tree.field(declarator, "name"),
      tree.type(type) === "implicit_type" ? NONE : type,
      tree.named(declarator)[1] ?? NONE,
    );
  }
}

function declareParameter(file: Declarations, node: number, tree: SyntaxTree): void {
  const owner = file.holder.kind === "type" ? file.holder.owner : undefined;
  if (owner?.kind === "record") file.addSymbol({ kind: "property", node, flags: ["exported"] });
  else if (file.isInFunction) file.addLocal(tree.field(node, "name"), tree.field(node, "type"));
  else file.claim(tree.field(node, "name"));
}

function declareUsing(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  const alias = tree.field(node, "name");
  const path = tree.named(node).at(-1) ?? NONE;
  const full = tree.pathText(path);
  if (alias === NONE || alias === path) file.importAll(full, path);
  else file.importLast(full, ".", { node: alias, local: tree.textOf(alias) });
}

function declareNamespace(file: Declarations, node: number, tree: SyntaxTree): void {
  const nameNode = tree.field(node, "name");
  const name = tree.pathText(nameNode);
  file.claimAll(nameNode);
  if (file.namespace === "") file.namespace = name;
  if (tree.type(node) === "namespace_declaration")
    file.addSymbol({ kind: "namespace", node, nameNode, name, flags: ["exported"] });
  else file.addSymbol({ kind: "namespace", node, nameNode, name, flags: ["exported"], body: tree.child(node, '";"') });
}

/** Types of one name that take other numbers of types are apart: `Policy` and `Policy<T>`, which is bound as ``Policy`1``. */
function declareType(kind: "class" | "struct" | "interface" | "record"): Declare {
  return (file, node, tree) => {
    const types = tree.child(node, "type_parameter_list");
    const around = file.holder;
    const symbol = file.addSymbol({ kind, node, isBound: types === NONE });
    if (symbol === undefined || types === NONE) return;
    bind(around, `${symbol.name}\`${tree.named(types).length}`, { kind: "symbol", symbol });
  };
}

/** `this` and `base` are words without a rule of their own. */
function chain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  const type = tree.type(node);
  const generic = tree.parent(node);
  if (type === "identifier" && tree.type(generic) === "generic_name" && !isCalled(tree, generic)) {
    const list = tree.child(generic, "type_argument_list");
    // `typeof(Policy<,>)` names no types.
    const count = tree.named(list).length || tree.textOf(list).split(",").length;
    return names.resolve(`${tree.textOf(node)}\`${count}`, depth, node);
  }
  if (type === '"this"') return names.selfChain("self");
  return type === '"base"' ? names.selfChain("super") : undefined;
}

function isCalled(tree: SyntaxTree, node: number): boolean {
  const parent = tree.parent(node);
  return tree.type(parent) === "invocation_expression" && tree.field(parent, "function") === node;
}

const RULES: LanguageRules = {
  declare: {
    using_directive: declareUsing,
    namespace_declaration: declareNamespace,
    file_scoped_namespace_declaration: declareNamespace,
    class_declaration: declareType("class"),
    struct_declaration: declareType("struct"),
    interface_declaration: declareType("interface"),
    enum_declaration: declares("enum"),
    record_declaration: declareType("record"),
    delegate_declaration: (file, node, tree) => {
      file.addSymbol({ kind: "typeAlias", node, typeNode: tree.field(node, "type") });
      file.openScope(node, "function");
    },
    method_declaration: declareMember("method"),
    local_function_statement: declareMember("function"),
    constructor_declaration: declareMember("constructor"),
    destructor_declaration: declareMember("method", "Finalize"),
    operator_declaration: declareMember("operator", "operator"),
    property_declaration: declareMember("property"),
    event_declaration: declareMember("property"),
    indexer_declaration: (file, node, tree) => {
      const accessors = tree.field(node, "accessors");
      file.addSymbol({
        kind: "property",
        node,
        nameNode: tree.child(node, '"this"'),
        body: accessors !== NONE ? accessors : tree.field(node, "value"),
        isBound: false,
      });
    },
    field_declaration: declareFields,
    event_field_declaration: declareFields,
    enum_member_declaration: declares("enumMember", ["exported"]),
    variable_declaration: declareLocals,
    parameter: declareParameter,
    lambda_expression: (file, node, tree) => {
      file.openScope(node, "function");
      const parameters = tree.field(node, "parameters");
      if (tree.type(parameters) === "implicit_parameter" || tree.type(parameters) === "identifier")
        file.addLocal(parameters);
    },
    anonymous_method_expression: opensFunction,
    foreach_statement: (file, node, tree) => {
      const type = tree.field(node, "type");
      const left = tree.field(node, "left");
      if (tree.type(left) === "identifier") file.addLocal(left, tree.type(type) === "implicit_type" ? NONE : type);
    },
    ...each("catch_declaration declaration_pattern recursive_pattern", localsIn("name")),
    declaration_expression: (file, node, tree) => {
      const type = tree.field(node, "type");
      file.addLocal(tree.field(node, "name"), tree.type(type) === "implicit_type" ? NONE : type);
    },
    type_parameter: localsIn("name", ""),
    from_clause: localsIn("name", ""),
    labeled_statement: (file, node, tree) => file.claim(tree.child(node, "identifier")),
  },
  blocks: wordSet("block for_statement foreach_statement catch_clause using_statement switch_section query_expression"),
  names: new Set(["identifier"]),
  namesApart: "types",
  shapes: {
    member_access_expression: { is: "member", object: "expression", name: "name" },
    qualified_name: { is: "member", object: "qualifier", name: "name" },
    invocation_expression: { is: "call", callee: "function" },
    object_creation_expression: { is: "creation", type: "type" },
    cast_expression: { is: "creation", type: "type" },
    ...each("generic_name nullable_type await_expression parenthesized_expression", THROUGH_FIRST),
  },
  useKinds: usesBy({
    calls: "invocation_expression.function",
    instantiates: "object_creation_expression.type",
    decorates: "attribute.name",
    extends: "base_list",
    up: "primary_constructor_base_type generic_name",
    type:
      "type_argument_list nullable_type array_type variable_declaration.type parameter.type " +
      "method_declaration.returns operator_declaration.type delegate_declaration.type " +
      "event_declaration.type indexer_declaration.type property_declaration.type cast_expression.type " +
      "catch_declaration.type declaration_pattern.type foreach_statement.type local_function_statement.type " +
      "typeof_expression.type type_parameter_constraint.type",
    writes: "assignment_expression.left postfix_unary_expression",
    none: "argument.name name_colon",
  }),
  comments: new Set(["comment"]),
  flagsAt,
  basesOf,
  ignored: new Set(["nameof"]),
  seesMembers: true,
  callsMembers: true,
  splitsTypes: true,
  chain,
  useKind: (uses, node) => {
    const { tree } = uses;
    const list = tree.parent(tree.type(tree.parent(node)) === "generic_name" ? tree.parent(node) : node);
    // By custom an interface begins with an I; what else stands in the list is the base class.
    if (tree.type(list) === "base_list" && /^I\p{Lu}/u.test(tree.textOf(node).split(".").at(-1) ?? ""))
      return "implements";
    return undefined;
  },
};

const FAMILY: Family = {
  name: "csharp",
  hasOnlyTypesAsBases: true,
  saysParts: true,
  spaceOf: declaredOrInnerSpace,
  createModules: (linking) => ({
    resolve: createDottedResolver(linking, { family: FAMILY, outside: (parts) => `dotnet:${parts.join(".")}` }),
  }),
  createNames: (linking) => ({
    resolveFree: aroundNamespace(linking),
    joinDeclarations: (join) => joinParts(linking, join),
  }),
};

function aroundNamespace({ world, spaces, bindings }: NameLinking): ResolveFree {
  const find: ResolveFree = (file, name, wantType) => {
    const parts = world.codeOf(file).namespace.split(".");
    for (let count = parts.length; count >= 0; count--) {
      const space = spaces.find(FAMILY, parts.slice(0, count).join("."));
      const found = space === NOTHING ? NOTHING : spaces.member(space, name, wantType);
      if (found !== NOTHING) return found;
    }
    return bindings.fromStars(file, name, wantType);
  };
  return (file, written, wantType) => {
    const [name, count = "0"] = written.split("`") as [string, string?];
    const found = find(file, name, wantType);
    if (found < 0 || found >= world.symbolCount || !isType(world.symbol(found))) return found;
    const fits = (symbol: number): boolean => typeCount(world.symbol(symbol)) === Number(count);
    return fits(found) ? found : (spaces.declarations(spaces.ofSymbol(found), name).find(fits) ?? NOTHING);
  };
}

/** Of a `partial` type the first part is the main one. */
function joinParts({ world, spaces }: NameLinking, join: JoinDeclaration): void {
  for (const [file, { code }] of world.files.entries()) {
    if (world.families[file] !== FAMILY) continue;
    const first = world.first[file] as number;
    for (const [index, symbol] of code.symbols.entries()) {
      if (!isPartial(symbol)) continue;
      const space = spaces.ofSymbol(first + index);
      if (space === NOTHING) continue;
      const parts = spaces.declarations(space, symbol.name).filter((other) => {
        const part = world.symbol(other);
        return part.kind === symbol.kind && isPartial(part) && typeCount(part) === typeCount(symbol);
      });
      join(first + index, parts[0] ?? first + index);
    }
  }
}

function isPartial(symbol: CodeSymbol): boolean {
  return isContainer(symbol) && /\bpartial\b/.test(symbol.signature);
}

/** How many types a generic type takes: with another number it is another type. */
function typeCount({ signature, name }: CodeSymbol): number {
  const rest = signature.slice(signature.indexOf(` ${name}`) + name.length + 1);
  return rest.startsWith("<") ? rest.slice(0, rest.indexOf(">")).split(",").length : 0;
}

export const CSHARP: Language = {
  trees: { csharp: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-c_sharp.wasm", rules: RULES } },
  family: FAMILY,
  manifests: [
    {
      kind: "dotnet",
      files: ["*.csproj"],
      read: ({ path }) => ({ name: baseName(path).replace(/\.csproj$/, "") }),
    },
  ],
};
