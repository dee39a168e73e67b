/** C and C++: how their grammars name what is declared, included and used. */
import {
  declareDeclaration,
  declareDefinition,
  declareEnumerator,
  declareInclude,
  declareMacro,
  declareMacroInList,
  declareParameter,
  declareType,
  declareTypedef,
} from "./c-declarations.ts";
import { accessOf, outerOf, readDeclarator } from "./c-declarators.ts";
import { blankMacros } from "./c-macros.ts";
import { claimsAll, localsIn, THROUGH_FIRST } from "./rule-parts.ts";
import type { LanguageRules } from "./rules.ts";
import { NONE } from "./syntax-tree.ts";

const C_DECLARE: LanguageRules["declare"] = {
  preproc_include: declareInclude,
  preproc_def: declareMacro,
  preproc_function_def: declareMacro,
  preproc_call: declareMacroInList,
  preproc_ifdef: (file, node) => file.claim(file.tree.field(node, "name")),
  preproc_defined: claimsAll,
  function_definition: declareDefinition,
  declaration: declareDeclaration,
  field_declaration: declareDeclaration,
  struct_specifier: declareType("struct"),
  union_specifier: declareType("union"),
  enum_specifier: declareType("enum"),
  type_definition: declareTypedef,
  enumerator: declareEnumerator,
  parameter_declaration: declareParameter,
};

const SHAPES: LanguageRules["shapes"] = {
  field_expression: { is: "member", object: "argument", name: "field" },
  call_expression: { is: "call", callee: "function" },
  pointer_expression: { is: "through", child: "argument" },
  parenthesized_expression: THROUGH_FIRST,
  cast_expression: { is: "creation", type: "type" },
  compound_literal_expression: { is: "creation", type: "type" },
  type_descriptor: { is: "through", child: "type" },
  struct_specifier: { is: "through", child: "name" },
  union_specifier: { is: "through", child: "name" },
  enum_specifier: { is: "through", child: "name" },
};

const USE_KINDS: LanguageRules["useKinds"] = {
  "call_expression.function": "calls",
  "assignment_expression.left": "writes",
  update_expression: "writes",
  field_designator: "none",
  struct_specifier: "type",
  union_specifier: "type",
  enum_specifier: "type",
};

export const C: LanguageRules = {
  declare: C_DECLARE,
  blocks: new Set(["compound_statement", "for_statement"]),
  names: new Set(["identifier", "field_identifier"]),
  typeNames: new Set(["type_identifier"]),
  // In C an element of an array, and what a pointer leads to, has the type that stands in front.
  shapes: { ...SHAPES, subscript_expression: { is: "through", child: "argument" } },
  useKinds: USE_KINDS,
  comments: new Set(["comment"]),
  prepare: blankMacros,
  seesMembers: false,
};

export const CPP: LanguageRules = {
  declare: {
    ...C_DECLARE,
    class_specifier: declareType("class"),
    concept_definition: (file, node) =>
      file.addSymbol({ kind: "typeAlias", node, outer: outerOf(file.tree, node), flags: ["exported"] }),
    namespace_definition: (file, node) => {
      const { tree } = file;
      const nameNode = tree.field(node, "name");
      file.claimAll(nameNode);
      if (nameNode === NONE) file.openScope(node, "block");
      else file.addSymbol({ kind: "namespace", node, nameNode, flags: ["exported"] });
    },
    alias_declaration: (file, node) => {
      const { tree } = file;
      if (file.isInFunction) file.addLocal(tree.field(node, "name"), tree.field(node, "type"));
      else
        file.addSymbol({
          kind: "typeAlias",
          node,
          outer: outerOf(tree, node),
          flags: accessOf(file, node),
          typeNode: tree.field(node, "type"),
        });
    },
    using_declaration: (file, node) => {
      const { tree } = file;
      const path = tree.named(node).at(-1) ?? NONE;
      const full = tree.textOf(path).replace(/\s+/g, "");
      file.claimAll(node);
      if (tree.child(node, '"namespace"') !== NONE) {
        file.addImport({ specifier: full, imported: "*", local: "*", node: path });
        return;
      }
      const cut = full.lastIndexOf("::");
      const name = full.slice(cut < 0 ? 0 : cut + 2);
      if (cut > 0) file.addImport({ specifier: full.slice(0, cut), imported: name, local: name, node: path });
    },
    template_declaration: (file, node) => file.openScope(node, "block"),
    type_parameter_declaration: (file, node) => file.addLocal(file.tree.child(node, "type_identifier")),
    variadic_type_parameter_declaration: (file, node) => file.addLocal(file.tree.child(node, "type_identifier")),
    optional_type_parameter_declaration: localsIn("name", ""),
    optional_parameter_declaration: declareParameter,
    variadic_parameter_declaration: declareParameter,
    lambda_expression: (file, node) => file.openScope(node, "function"),
    for_range_loop: (file, node) => {
      const { tree } = file;
      const type = tree.field(node, "type");
      const declared = readDeclarator(tree, tree.field(node, "declarator"));
      if (declared !== undefined)
        file.addLocal(declared.nameNode, tree.type(type) === "placeholder_type_specifier" ? NONE : type);
    },
  },
  blocks: new Set(["compound_statement", "for_statement", "for_range_loop", "catch_clause"]),
  names: new Set(["identifier", "field_identifier", "namespace_identifier"]),
  typeNames: new Set(["type_identifier"]),
  shapes: {
    ...SHAPES,
    class_specifier: { is: "through", child: "name" },
    qualified_identifier: { is: "member", object: "scope", name: "name" },
    template_type: { is: "through", child: "name" },
    template_function: { is: "through", child: "name" },
    template_method: { is: "through", child: "name" },
    new_expression: { is: "creation", type: "type" },
    this: { is: "self" },
  },
  useKinds: {
    ...USE_KINDS,
    "new_expression.type": "instantiates",
    base_class_clause: "extends",
    "template_type.name": "up",
    "template_function.name": "up",
    "template_method.name": "up",
    field_initializer: "writes",
  },
  comments: new Set(["comment"]),
  prepare: blankMacros,
  seesMembers: true,
  callsMembers: true,
};
