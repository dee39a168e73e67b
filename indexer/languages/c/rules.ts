/** C and C++: how their grammars name what is declared, included and used. */

import { claimsAll, importAll, importLast, localsIn, pathText, THROUGH_FIRST } from "../base/rule-parts.ts";
import type { LanguageRules } from "../base/rules.ts";
import { NONE } from "../base/syntax-tree.ts";
import {
  accessOf,
  declareDeclaration,
  declareDefinition,
  declareEnumerator,
  declareInclude,
  declareMacro,
  declareMacroInList,
  declareParameter,
  declareType,
  declareTypedef,
  outerOf,
  readDeclarator,
} from "./declarations.ts";

/** An argument list is read this far. */
const MAX_LIST_CHARS = 1_000;

const CALL_HEAD = /^[ \t]*[A-Z][A-Z0-9_]{2,}\(/gm;

// Names of types that a grammar does not take for names of values, and what ends as pointers and references do.
const NAMED =
  "(?:bool|char|double|float|int|long|short|signed|unsigned|void|u?int(?:8|16|32|64|max|ptr)_t|char(?:8|16|32)_t|s?size_t|ptrdiff_t)";

const TYPE = new RegExp(
  `^(?:(?:const|volatile|struct|union|enum|class|typename)\\s[^"'()]*|${NAMED}(?:\\s+${NAMED})*\\s*(?:[*&]\\s*)*|[\\w:]+\\s*[*&]+)$`,
);

// A word in capitals, then a type and a name: the word is no part of the type. Where it is one (`DWORD WINAPI name(`), the
// next word is taken for the type, and the name is still found.
const IN_FRONT =
  /^([ \t]*(?:extern[ \t]+|static[ \t]+)?)((?:[A-Z][A-Z0-9_]{2,}\s+)+)(?=(?:(?:const|unsigned|signed|struct|union|enum|static|inline|extern|void|long|short)\s+)*[A-Za-z_]\w*(?:\s+|\s*\*[\s*]*)[A-Za-z_]\w*\s*[([;=,])/gm;

// A calling convention or an attribute: such words between a type and the name of a function. Behind a type that is in
// capitals itself and no pointer it may be the type, and the word in front the macro.
const BETWEEN =
  /^([ \t]*(?:(?:static|extern|inline|typedef|const|volatile|virtual|friend|unsigned|signed|struct|union|enum)\s+)*(?!(?:static|extern|inline|typedef|const|volatile|virtual|friend|struct|union|enum|class|constexpr|else|do|return|case|goto|new|delete|throw|using|namespace|operator|template)\b)(?:(?=\w*[a-z])\w+(?:[ \t]+|[ \t]*\*[ \t*]*)|[A-Z]\w*[ \t]*\*[ \t*]*))((?:[A-Z][A-Z0-9_]{3,}(?:[ \t]*\([^()\n]*\))?\s+)+)(?=[A-Za-z_]\w*\s*\()/gm;

const IN_POINTER = /(\(\s*)([A-Z][A-Z0-9_]{2,})(?=\s*\*\s*(?:const\s+)?[A-Za-z_]\w*\s*(?:\[\w*\]\s*)?\)\s*\()/g;

const AROUND_TYPE = /^([A-Z][A-Z0-9_]{3,})\(([\w \t*]+)\)(?=\s*[A-Za-z_]\w*\s*\()/gm;

const IN_TYPE =
  /\b((?:class|struct|union)[ \t]+)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=[ \t]+[A-Za-z_]\w*(?:<[^<>{};\n]*>)?\s*(?:final\s*)?[:{])/g;

const AROUND_NAMESPACE = /^[ \t]*(?:(?:BEGIN|END)_[A-Z0-9_]+|[A-Z][A-Z0-9_]*_(?:BEGIN|END)(?:_[A-Z0-9_]+)?)[ \t]*$/gm;

// Not behind the condition of a statement, where such a word is a statement of its own.
const BEHIND =
  /^(?![ \t]*(?:if|for|while|else|switch|return|\})\b)([^\n"']*\)(?:[ \t]*(?:const|noexcept|override))*)([ \t]+[A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)+(?=[ \t]*[;{])/gm;

const C_DECLARE: LanguageRules["declare"] = {
  preproc_include: declareInclude,
  preproc_def: declareMacro,
  preproc_function_def: declareMacro,
  preproc_call: declareMacroInList,
  preproc_ifdef: (file, node, tree) => file.claim(tree.field(node, "name")),
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

export const C_RULES: LanguageRules = {
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

export const CPP_RULES: LanguageRules = {
  declare: {
    ...C_DECLARE,
    class_specifier: declareType("class"),
    concept_definition: (file, node, tree) =>
      file.addSymbol({ kind: "typeAlias", node, outer: outerOf(tree, node), flags: ["exported"] }),
    namespace_definition: (file, node, tree) => {
      const nameNode = tree.field(node, "name");
      file.claimAll(nameNode);
      if (nameNode === NONE) file.openScope(node, "block");
      else file.addSymbol({ kind: "namespace", node, nameNode, flags: ["exported"] });
    },
    alias_declaration: (file, node, tree) => {
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
    using_declaration: (file, node, tree) => {
      const path = tree.named(node).at(-1) ?? NONE;
      const full = pathText(tree, path);
      file.claimAll(node);
      if (tree.child(node, '"namespace"') !== NONE) importAll(file, full, path);
      else if (full.lastIndexOf("::") > 0) importLast(file, full, "::", { node: path });
    },
    template_declaration: (file, node) => file.openScope(node, "block"),
    type_parameter_declaration: (file, node, tree) => file.addLocal(tree.child(node, "type_identifier")),
    variadic_type_parameter_declaration: (file, node, tree) => file.addLocal(tree.child(node, "type_identifier")),
    optional_type_parameter_declaration: localsIn("name", ""),
    optional_parameter_declaration: declareParameter,
    variadic_parameter_declaration: declareParameter,
    lambda_expression: (file, node) => file.openScope(node, "function"),
    for_range_loop: (file, node, tree) => {
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

/**
 * Blanks macros around declarations, which no grammar knows: `LIB_API type name(…)`, `API(type) name(…)`,
 * `type CALL name(…)`, `type (CALL *name)(…)`, `class LIB_API Name`, `NAMESPACE_BEGIN`, `type name(…) GUARDED_BY(x);`.
 * Makes types that calls of macros are given numbers. The text keeps its length and lines, so that every place stays as it
 * is.
 */
export function blankMacros(text: string): string {
  return numberTypeArguments(text)
    .replace(BETWEEN, (_, before: string, words: string) => before + blank(words))
    .replace(IN_POINTER, (_, before: string, word: string) => before + blank(word))
    .replace(IN_FRONT, (_, before: string, words: string) => before + blank(words))
    .replace(AROUND_TYPE, (_, macro: string, type: string) => `${" ".repeat(macro.length + 1)}${type} `)
    .replace(IN_TYPE, (_, before: string, macro: string) => before + blank(macro))
    .replace(AROUND_NAMESPACE, blank)
    .replace(BEHIND, (all, before: string) => before + blank(all.slice(before.length)));
}

function blank(words: string): string {
  return words.replace(/\S/g, " ");
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces types that macros are called with by numbers of the same length: `FLAG(int, retries, 3);`. To a grammar such a
 * call is half a declaration, and it may lose what follows up to the end of the file. Heads of functions, with a body,
 * stay.
 */
export function numberTypeArguments(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: head, index } of text.matchAll(CALL_HEAD)) {
    const types = readArguments(text, index + head.length)?.filter(({ start, end }) =>
      TYPE.test(text.slice(start, end)),
    );
    if (types === undefined || types.length === 0 || index < done || !isStatementAt(text, index)) continue;
    for (const { start, end } of types) {
      parts.push(text.slice(done, start), text.slice(start, end).replace(/[^\n]/g, "0"));
      done = end;
    }
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(done);
}

/** Arguments of a call that is a statement, without the space around them. */
function readArguments(text: string, from: number): Span[] | undefined {
  const spans: Span[] = [];
  const add = (start: number, end: number): void => {
    const part = text.slice(start, end);
    spans.push({ start: start + part.length - part.trimStart().length, end: start + part.trimEnd().length });
  };
  let start = from;
  let depth = 0;
  const limit = Math.min(text.length, from + MAX_LIST_CHARS);
  for (let at = from; at < limit; at++) {
    const sign = text[at] as string;
    if (sign === '"' || sign === "'") {
      for (at++; at < limit && text[at] !== sign && text[at] !== "\n"; at++) if (text[at] === "\\") at++;
    } else if (sign === "(") {
      depth++;
    } else if (sign === "," && depth === 0) {
      add(start, at);
      start = at + 1;
    } else if (sign === ")" && depth-- === 0) {
      add(start, at);
      return /^[ \t]*;/.test(text.slice(at + 1, at + 20)) ? spans : undefined;
    } else if (sign === ";" || sign === "{" || sign === "}") {
      return undefined;
    }
  }
  return undefined;
}

/** Whether a statement may begin at a line: not where the line before has the type of what is declared. */
function isStatementAt(text: string, lineStart: number): boolean {
  for (let end = lineStart - 1; end > 0; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    // What a macro stands for is text, and read as such.
    if (line.endsWith("\\")) return false;
    if (line !== "" && !/^(?:#|\/\/)/.test(line)) return /[;{}):/]$/.test(line.replace(/\/\/.*$/, "").trim());
    end = start - 1;
  }
  return true;
}
