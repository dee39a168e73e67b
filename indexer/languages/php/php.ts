/** PHP: namespaces, found by `psr-4` where no file declares them (`php:` and the package outside), and included files. */
import type { SymbolFlag } from "../../../src/core/format/code-model.ts";
import { isRecord } from "../../../src/core/parse-text.ts";
import { createDottedResolver, inSpaceOrRoot } from "../base/imports.ts";
import type { Family, FamilyModules, Language, Linking } from "../base/language.ts";
import { type Manifests, readJsonManifest } from "../base/manifests.ts";
import {
  type Chain,
  claimsAll,
  type Declarations,
  type Declare,
  declares,
  each,
  flagsOf,
  type LanguageRules,
  type Names,
  opensFunction,
  THROUGH_FIRST,
  THROUGH_LAST,
  usesBy,
} from "../base/rules.ts";
import { declaredOrInnerSpace, dotted } from "../base/spaces.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { joinPlace, NOTHING } from "../base/world.ts";

const MODIFIERS = [
  "visibility_modifier",
  "static_modifier",
  "abstract_modifier",
  "final_modifier",
  "readonly_modifier",
];

function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  return flagsOf(file.tree.wordsIn(node, ...MODIFIERS), true);
}

function basesOf(tree: SyntaxTree, node: number): number[] {
  return [...tree.named(tree.child(node, "base_clause")), ...tree.named(tree.child(node, "class_interface_clause"))];
}

function declareFunction(file: Declarations, node: number, tree: SyntaxTree): void {
  const isMember = tree.type(node) === "method_declaration";
  const name = tree.textOf(tree.field(node, "name"));
  const flags = flagsAt(file, node);
  if (isMember && /^test/.test(name) && /Test$/.test(file.holder.owner?.name ?? "")) flags.push("test");
  file.addSymbol({
    kind: !isMember ? "function" : name.toLowerCase() === "__construct" ? "constructor" : "method",
    node,
    flags,
    typeNode: tree.field(node, "return_type"),
  });
}

/** Name of a variable without its `$`: members are used without one. */
function bareName(tree: SyntaxTree, variable: number): number {
  return tree.child(variable, "name");
}

function declareProperty(file: Declarations, node: number, tree: SyntaxTree): void {
  for (const element of tree.named(node)) {
    if (tree.type(element) !== "property_element") continue;
    const nameNode = bareName(tree, tree.field(element, "name"));
    file.claimAll(tree.field(element, "name"));
    file.addSymbol({
      kind: "property",
      node,
      nameNode,
      valueNode: tree.field(element, "default_value"),
    });
  }
}

function declareConstants(file: Declarations, node: number, tree: SyntaxTree): void {
  for (const element of tree.named(node)) {
    if (tree.type(element) !== "const_element") continue;
    const nameNode = tree.named(element)[0] ?? NONE;
    file.addSymbol({
      kind: "constant",
      node,
      nameNode,
      valueNode: tree.named(element)[1] ?? NONE,
    });
  }
}

function declareParameter(file: Declarations, node: number, tree: SyntaxTree): void {
  const variable = tree.field(node, "name");
  const typeNode = tree.field(node, "type");
  file.claimAll(variable);
  file.addLocal(variable, typeNode);
  const type = file.typeScope;
  if (tree.type(node) !== "property_promotion_parameter" || type?.owner === undefined) return;
  const nameNode = bareName(tree, variable);
  const flags = flagsOf(new Set([tree.textOf(tree.field(node, "visibility"))]), true);
  const draft = file.addSymbol({
    kind: "property",
    node,
    nameNode,
    parent: type.owner,
    flags,
    typeNode,
    isBound: false,
  });
  if (draft === undefined) return;
  draft.flags.delete("inner");
  file.addBinding(draft.name, { kind: "symbol", symbol: draft }, type);
}

function declareUse(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  const group = tree.field(node, "body");
  const prefix = group === NONE ? "" : `${tree.textOf(tree.child(node, "namespace_name"))}\\`;
  for (const clause of tree.named(group === NONE ? node : group)) {
    if (tree.type(clause) !== "namespace_use_clause") continue;
    const path = tree.child(clause, "qualified_name", "name", "namespace_name");
    const full = (prefix + tree.textOf(path)).replace(/^\\/, "");
    const alias = tree.field(clause, "alias");
    const nameNode = tree.named(path).at(-1) ?? path;
    if (alias === NONE) file.importLast(full, "\\", { node: nameNode });
    else file.importLast(full, "\\", { node: nameNode, localNode: alias, local: tree.textOf(alias) });
  }
}

function declareRequire(file: Declarations, node: number, tree: SyntaxTree): void {
  const path = tree.descendant(node, "string_content");
  if (path !== NONE) file.importAll(tree.textOf(path), path);
}

function declareDefine(file: Declarations, node: number, tree: SyntaxTree): void {
  if (tree.textOf(tree.field(node, "function")) !== "define") return;
  const [first] = tree.named(tree.field(node, "arguments"));
  const nameNode = tree.descendant(first ?? NONE, "string_content");
  if (nameNode !== NONE) file.addSymbol({ kind: "constant", node, nameNode, flags: ["exported"], parent: undefined });
}

function declareVariable(field: string): Declare {
  return (file, node, tree) => {
    const left = tree.field(node, field);
    if (tree.type(left) !== "variable_name" || tree.textOf(left) === "$this") return;
    file.addLocal(left, NONE, tree.field(node, "right"), true);
  };
}

function chain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  switch (tree.type(node)) {
    case "variable_name": {
      const name = tree.textOf(node);
      if (name === "$this") return names.selfChain("self");
      const found = names.resolve(name, depth);
      return found.root.kind === "free" ? { root: { kind: "unknown" }, members: [], isLocal: true } : found;
    }
    case "scoped_property_access_expression": {
      // The dollar sign is no part of the property's name.
      const { root, members } = names.chainOf(tree.field(node, "scope"), depth + 1);
      return { root, members: [...members, tree.textOf(tree.field(node, "name")).replace(/^\$/, "")] };
    }
    case "relative_scope":
      return names.selfChain(tree.textOf(node) === "parent" ? "super" : "self");
    case "name":
      return tree.type(tree.parent(node)) === "object_creation_expression"
        ? relativeType(names, node, depth)
        : undefined;
    case "named_type":
      return tree.textOf(node) === "self" || tree.textOf(node) === "static" ? selfType(names) : undefined;
    case "qualified_name": {
      // A path from the root says itself where it leads; another begins with an import or the namespace.
      const path = tree.pathText(node).split("\\");
      const [first = "", ...rest] = path;
      const root = first === "" ? undefined : names.resolve(first, depth);
      return root?.root.kind === "import"
        ? { root: root.root, members: [...root.members, ...rest] }
        : { root: { kind: "free", name: path.join("\\") }, members: [] };
    }
    default:
      return undefined;
  }
}

/** The class that `new self()`, `new static()` and `new parent()` make an object of; undefined for other names. */
function relativeType(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  const name = tree.textOf(node);
  if (name === "self" || name === "static") return selfType(names);
  if (name !== "parent") return undefined;
  let type = tree.parent(node);
  while (type !== NONE && !/^(?:class_declaration|anonymous_class)$/.test(tree.type(type))) type = tree.parent(type);
  const [base] = tree.named(tree.child(type, "base_clause"));
  return base === undefined ? undefined : names.chainOf(base, depth + 1);
}

function selfType(names: Names): Chain {
  const self = names.selfChain("self");
  return self.root.kind === "self" ? { root: { kind: "symbol", symbol: self.root.symbol }, members: [] } : self;
}

const RULES: LanguageRules = {
  declare: {
    namespace_definition: (file, node, tree) => {
      const nameNode = tree.field(node, "name");
      file.claimAll(nameNode);
      file.namespace = tree.textOf(nameNode);
      if (nameNode !== NONE) {
        const symbol = file.addSymbol({ kind: "namespace", node, nameNode, flags: ["exported"], isBound: false });
        // Without braces a namespace holds for the file, and its symbols stand beside it.
        if (symbol !== undefined && symbol.body === NONE) return;
      }
    },
    namespace_use_declaration: declareUse,
    ...each("require_expression require_once_expression include_expression include_once_expression", declareRequire),
    class_declaration: declares("class"),
    interface_declaration: declares("interface"),
    trait_declaration: declares("trait"),
    enum_declaration: declares("enum"),
    enum_case: (file, node) => void file.addSymbol({ kind: "enumMember", node, flags: ["exported"] }),
    function_definition: declareFunction,
    method_declaration: declareFunction,
    property_declaration: declareProperty,
    const_declaration: declareConstants,
    function_call_expression: declareDefine,
    ...each("simple_parameter variadic_parameter property_promotion_parameter", declareParameter),
    anonymous_function: opensFunction,
    arrow_function: opensFunction,
    anonymous_class: (file, node, tree) => {
      file.openScope(node, "function");
      const body = tree.child(node, "declaration_list");
      const [base = NONE] = tree.named(tree.child(node, "base_clause"));
      if (body !== NONE) file.openScope(body, "type", undefined, base);
    },
    assignment_expression: declareVariable("left"),
    catch_clause: (file, node, tree) => file.addLocal(tree.field(node, "name"), tree.field(node, "type"), NONE, true),
    foreach_statement: (file, node, tree) => {
      for (const child of tree.named(node).slice(1)) {
        const names = tree.type(child) === "pair" ? tree.named(child) : [child];
        for (const name of names) if (tree.type(name) === "variable_name") file.addLocal(name, NONE, NONE, true);
      }
    },
    ...each("anonymous_function_use_clause static_variable_declaration global_declaration", claimsAll),
  },
  names: new Set(["name"]),
  shapes: {
    member_access_expression: { is: "member", object: "object", name: "name" },
    nullsafe_member_access_expression: { is: "member", object: "object", name: "name" },
    member_call_expression: { is: "invocation", object: "object", name: "name" },
    nullsafe_member_call_expression: { is: "invocation", object: "object", name: "name" },
    scoped_call_expression: { is: "invocation", object: "scope", name: "name" },
    class_constant_access_expression: { is: "member", object: { place: "first" }, name: { place: "last" } },
    scoped_property_access_expression: { is: "member", object: "scope", name: "name" },
    function_call_expression: { is: "call", callee: "function" },
    object_creation_expression: { is: "creation", type: { place: "first" } },
    ...each("parenthesized_expression named_type optional_type type_list", THROUGH_FIRST),
    namespace_name: THROUGH_LAST,
  },
  useKinds: usesBy({
    calls: "function_call_expression.function",
    instantiates: "object_creation_expression",
    type: "named_type",
    extends: "base_clause",
    implements: "class_interface_clause use_declaration",
    decorates: "attribute",
    writes: "assignment_expression.left augmented_assignment_expression.left",
    up: "qualified_name",
    none: "argument.name",
  }),
  comments: new Set(["comment"]),
  openingTag: "php_tag",
  flagsAt,
  basesOf,
  ignored: new Set(["self", "static", "parent", "define", "true", "false", "null"]),
  chain,
  useKind: (uses, node) => {
    const { tree } = uses;
    const parent = tree.parent(node);
    const type = tree.type(parent);
    // The name inside `$store` is that of a variable; the part of a path in front of its last is no name of its own.
    if (type === "variable_name") {
      const access = tree.parent(parent);
      if (tree.type(access) === "scoped_property_access_expression" && tree.field(access, "name") === parent) {
        const outer = tree.parent(access);
        const isTarget = /assignment_expression$/.test(tree.type(outer)) && tree.field(outer, "left") === access;
        uses.add(isTarget ? "writes" : "reads", node, uses.chainOf(access));
      }
      return "none";
    }
    if (type === "namespace_name") return "none";
    if (type === "qualified_name") {
      const outer = tree.type(tree.parent(parent));
      const kind = RULES.useKinds[outer] ?? RULES.useKinds[`${outer}.function`] ?? "reads";
      uses.add(kind === "none" || kind === "up" ? "reads" : kind, node, uses.chainOf(parent));
      return "none";
    }
    return undefined;
  },
};

const FAMILY: Family = {
  name: "php",
  hasOnlyTypesAsBases: true,
  spaceOf: declaredOrInnerSpace,
  createModules,
  createNames: (linking) => {
    const resolvePlain = inSpaceOrRoot(linking);
    return {
      // A path that no import begins: from the root, or from the file's namespace.
      resolveFree: (file, name, wantType) => {
        if (!name.includes("\\")) return resolvePlain(file, name, wantType);
        const from = name.startsWith("\\") ? "" : `${linking.world.codeOf(file).namespace}\\`;
        const parts = dotted(from + name).split(".");
        const { entity, used } = linking.spaces.walk(FAMILY, parts, wantType);
        return used === parts.length ? entity : NOTHING;
      },
    };
  },
};

function createModules(linking: Linking): FamilyModules {
  const { world, manifests } = linking;
  const psr4 = readPsr4(manifests);
  const resolve = createDottedResolver(linking, {
    family: FAMILY,
    // The vendor and the package.
    outside: (parts) => `php:${parts.slice(0, Math.max(1, Math.min(2, parts.length - 1))).join(".")}`,
    findFile: (file, specifier, name) => {
      for (const [prefix, folder] of psr4) {
        if (!name.startsWith(prefix)) continue;
        const place = joinPlace(folder, `${name.slice(prefix.length).replaceAll(".", "/")}.php`);
        const target = world.fileAt.get(place);
        if (target !== undefined) return world.fileEntity(target);
      }
      if (!specifier.endsWith(".php")) return undefined;
      const included = world.fileAt.get(joinPlace(world.places[file] as string, "..", specifier));
      return included === undefined ? NOTHING : world.fileEntity(included);
    },
  });
  return { resolve };
}

function readPsr4({ list }: Pick<Manifests, "list">): (readonly [prefix: string, folder: string])[] {
  const found: (readonly [string, string])[] = [];
  for (const { kind, json = {}, folder } of list) {
    if (kind !== "composer") continue;
    for (const key of ["autoload", "autoload-dev"]) {
      const autoload = json[key];
      const map = isRecord(autoload) ? autoload["psr-4"] : undefined;
      if (!isRecord(map)) continue;
      for (const [prefix, value] of Object.entries(map)) {
        const folders: unknown[] = Array.isArray(value) ? value : [value];
        for (const inside of folders) {
          if (typeof inside === "string") found.push([dotted(prefix), joinPlace(folder, inside)]);
        }
      }
    }
  }
  return found.sort((a, b) => b[0].length - a[0].length);
}

export const PHP: Language = {
  trees: { php: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-php.wasm", rules: RULES } },
  family: FAMILY,
  manifests: [{ kind: "composer", files: ["composer.json"], read: readJsonManifest }],
  constructors: ["__construct"],
};
