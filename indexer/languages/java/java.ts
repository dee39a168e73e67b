/** Java, and what it shares with Kotlin and Scala: packages of all three see each other (`java:` outside). */
import type { SymbolFlag } from "../../../src/core/format/code-model.ts";
import { createDottedResolver, inSpaceOrRoot } from "../base/imports.ts";
import type { Family, Language } from "../base/language.ts";
import { reportFault } from "../base/manifests.ts";
import {
  type Chain,
  claimsAll,
  type Declarations,
  declares,
  each,
  FIRST_AND_LAST,
  flagsOf,
  type LanguageRules,
  localChild,
  localsIn,
  type Names,
  opensFunction,
  THROUGH_FIRST,
  THROUGH_LAST,
  usesBy,
  wordSet,
} from "../base/rules.ts";
import { declaredSpace } from "../base/spaces.ts";
import { NONE, type SyntaxTree } from "../base/syntax-tree.ts";
import { baseName } from "../base/world.ts";

function flagsAt(file: Declarations, node: number): SymbolFlag[] {
  const words = file.tree.wordsIn(node, "modifiers");
  const isOfInterface = file.holder.kind === "type" && file.holder.owner?.kind === "interface";
  const found = flagsOf(words, words.has("public") || isOfInterface);
  if (words.has("@Deprecated")) found.push("deprecated");
  if (words.has("@Test") || words.has("@ParameterizedTest")) found.push("test");
  return found;
}

function basesOf(tree: SyntaxTree, node: number): number[] {
  return tree.children(node).flatMap((child) => {
    if (tree.type(child) === "superclass") return tree.named(child);
    if (!/^(?:super_interfaces|extends_interfaces)$/.test(tree.type(child))) return [];
    return tree.named(tree.child(child, "type_list"));
  });
}

function declareFields(file: Declarations, node: number, tree: SyntaxTree): void {
  const words = tree.wordsIn(node, "modifiers");
  const isConstant = tree.type(node) === "constant_declaration" || (words.has("static") && words.has("final"));
  for (const declarator of tree.allIn(node, "declarator")) {
    file.addSymbol({
      kind: isConstant ? "constant" : "field",
      node,
      nameNode: tree.field(declarator, "name"),
      valueNode: tree.field(declarator, "value"),
    });
  }
}

function declareLocals(file: Declarations, node: number, tree: SyntaxTree): void {
  const type = tree.field(node, "type");
  for (const declarator of tree.allIn(node, "declarator")) {
    const isInferred = tree.textOf(type) === "var";
    file.addLocal(tree.field(declarator, "name"), isInferred ? NONE : type, tree.field(declarator, "value"));
  }
}

/** A parameter; of a record, a field. */
function declareParameter(file: Declarations, node: number, tree: SyntaxTree): void {
  const nameNode = tree.field(node, "name");
  if (file.holder.kind === "type" && file.holder.owner?.kind === "record") {
    file.addSymbol({ kind: "field", node, nameNode, flags: ["exported"] });
  } else {
    file.addLocal(nameNode, tree.field(node, "type"));
  }
}

function declareImport(file: Declarations, node: number, tree: SyntaxTree): void {
  file.claimAll(node);
  const path = tree.child(node, "scoped_identifier", "identifier");
  const full = tree.pathText(path);
  const nameNode = tree.field(path, "name");
  if (tree.child(node, "asterisk") !== NONE) file.importAll(full, path);
  else file.importLast(full, ".", { node: nameNode === NONE ? path : nameNode });
}

/** `Outer.this` is an object of `Outer`, and a label one of the constants that the switched value may be. */
function chain(names: Names, node: number, depth: number): Chain | undefined {
  const { tree } = names;
  if (tree.type(tree.parent(node)) === "switch_label" && tree.type(node) === "identifier") {
    const own = names.resolve(tree.textOf(node), depth, node);
    let at = tree.parent(node);
    while (at !== NONE && tree.type(at) !== "switch_expression") at = tree.parent(at);
    const switched = own.root.kind === "free" ? names.chainOf(tree.field(at, "condition"), depth + 1) : own;
    return switched === own || switched.root.kind === "unknown"
      ? own
      : { root: switched.root, members: [...switched.members, tree.textOf(node)] };
  }
  if (tree.type(node) !== "field_access" || tree.type(tree.field(node, "field")) !== "this") return undefined;
  const type = names.typeReference(tree.field(node, "object"), depth + 1);
  return type === undefined ? undefined : { root: { kind: "value", type }, members: [] };
}

const RULES: LanguageRules = {
  declare: {
    package_declaration: (file, node, tree) => {
      file.claimAll(node);
      file.namespace = tree.pathText(tree.child(node, "scoped_identifier", "identifier"));
    },
    import_declaration: declareImport,
    class_declaration: declares("class"),
    interface_declaration: declares("interface"),
    annotation_type_declaration: declares("interface"),
    enum_declaration: declares("enum"),
    record_declaration: declares("record"),
    method_declaration: declares("method"),
    annotation_type_element_declaration: declares("method"),
    constructor_declaration: declares("constructor"),
    compact_constructor_declaration: declares("constructor"),
    field_declaration: declareFields,
    constant_declaration: declareFields,
    enum_constant: (file, node, tree) => {
      file.addSymbol({ kind: "enumMember", node, flags: ["exported"] });
      const body = tree.field(node, "body");
      // The class of one constant: its methods are part of no outline.
      if (body !== NONE) file.openScope(node, "function");
    },
    object_creation_expression: (file, node, tree) => {
      const body = tree.child(node, "class_body");
      if (body !== NONE) file.openScope(node, "function");
    },
    class_body: (file, node, tree) => {
      const parent = tree.parent(node);
      if (tree.type(parent) === "object_creation_expression")
        file.openScope(node, "type", undefined, tree.field(parent, "type"));
      else if (tree.type(parent) === "enum_constant") file.openScope(node, "type", file.typeScope?.owner);
    },
    static_initializer: opensFunction,
    lambda_expression: (file, node, tree) => {
      file.openScope(node, "function");
      const parameters = tree.field(node, "parameters");
      if (tree.type(parameters) === "identifier") file.addLocal(parameters);
      if (tree.type(parameters) === "inferred_parameters")
        for (const name of tree.named(parameters)) file.addLocal(name);
    },
    formal_parameter: declareParameter,
    spread_parameter: (file, node, tree) => file.addLocal(tree.field(tree.child(node, "variable_declarator"), "name")),
    catch_formal_parameter: (file, node, tree) =>
      file.addLocal(tree.field(node, "name"), tree.child(node, "catch_type")),
    resource: localsIn("name"),
    enhanced_for_statement: (file, node, tree) => {
      const type = tree.field(node, "type");
      file.addLocal(tree.field(node, "name"), tree.textOf(type) === "var" ? NONE : type);
    },
    local_variable_declaration: declareLocals,
    instanceof_expression: localsIn("name", "right"),
    type_pattern: (file, node, tree) => file.addLocal(tree.child(node, "identifier"), tree.named(node)[0]),
    record_pattern_component: (file, node, tree) => file.addLocal(tree.child(node, "identifier"), tree.named(node)[0]),
    type_parameter: localChild("type_identifier", "identifier"),
    labeled_statement: (file, node, tree) => file.claim(tree.child(node, "identifier")),
    break_statement: claimsAll,
    continue_statement: claimsAll,
  },
  blocks: wordSet(
    "block for_statement enhanced_for_statement catch_clause try_with_resources_statement " +
      "switch_block_statement_group switch_rule",
  ),
  names: new Set(["identifier"]),
  typeNames: new Set(["type_identifier"]),
  namesApart: "types and methods",
  shapes: {
    field_access: { is: "member", object: "object", name: "field" },
    method_invocation: { is: "invocation", object: "object", name: "name" },
    object_creation_expression: { is: "creation", type: "type" },
    cast_expression: { is: "creation", type: "type" },
    scoped_identifier: { is: "member", object: "scope", name: "name" },
    scoped_type_identifier: FIRST_AND_LAST,
    method_reference: FIRST_AND_LAST,
    ...each("generic_type catch_type parenthesized_expression", THROUGH_FIRST),
    annotated_type: THROUGH_LAST,
    this: { is: "self" },
    super: { is: "super" },
  },
  useKinds: usesBy({
    instantiates: "object_creation_expression.type",
    decorates: "marker_annotation.name annotation.name",
    extends: "superclass extends_interfaces",
    implements: "super_interfaces",
    up: "type_list generic_type annotated_type",
    type: "type_arguments",
    writes: "assignment_expression.left update_expression",
    none: "element_value_pair.key",
  }),
  comments: new Set(["line_comment", "block_comment"]),
  flagsAt,
  basesOf,
  ignored: new Set(["var"]),
  seesMembers: true,
  callsMembers: true,
  chain,
};

/** Languages of the Java virtual machine. */
export const JVM: Family = {
  name: "jvm",
  hasOnlyTypesAsBases: true,
  spaceOf: declaredSpace,
  createModules: (linking) => ({
    resolve: createDottedResolver(linking, {
      family: JVM,
      outside: (parts) => {
        const type = parts.findIndex((part, at) => at > 0 && /^[A-Z]/.test(part));
        return `java:${(type > 0 ? parts.slice(0, type) : parts).join(".")}`;
      },
    }),
  }),
  createNames: (linking) => ({ resolveFree: inSpaceOrRoot(linking) }),
};

export const JAVA: Language = {
  trees: { java: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-java.wasm", rules: RULES } },
  family: JVM,
  sourceFolder: "java",
  manifests: [
    {
      kind: "maven",
      files: ["pom.xml"],
      read: (source) => {
        const own = source.text.replace(/<parent>[\s\S]*?<\/parent>/, "");
        const name = /<artifactId>\s*([^<]+?)\s*</.exec(own)?.[1] ?? "";
        reportFault(source, "Maven project", name === "" ? 0 : undefined, "its package");
        return { name };
      },
    },
    {
      kind: "gradle",
      files: ["build.gradle", "build.gradle.kts"],
      read: ({ folder }) => ({ name: baseName(folder) }),
    },
  ],
};
