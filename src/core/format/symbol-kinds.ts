/**
 * Kinds of symbols: how they are called, in LSP's numbers, in texts and as keys of tables.
 *
 * Kinds that LSP does not have carry the number of the nearest one it has. The order is that of the format: a kind is
 * stored as its place in this list. Pure.
 */

interface KindNames {
  /** Number of LSP's `SymbolKind`. */
  readonly lsp: number;
  /** As it stands in texts for people and agents: `Function - open`. */
  readonly label: string;
  /** Key of the kind's table in grouped answers, and the word behind a count. */
  readonly plural: string;
}

/** All kinds with their names, in the order of the format. */
export const SYMBOL_KIND_NAMES = {
  file: { lsp: 1, label: "File", plural: "files" },
  module: { lsp: 2, label: "Module", plural: "modules" },
  namespace: { lsp: 3, label: "Namespace", plural: "namespaces" },
  package: { lsp: 4, label: "Package", plural: "packages" },
  class: { lsp: 5, label: "Class", plural: "classes" },
  method: { lsp: 6, label: "Method", plural: "methods" },
  property: { lsp: 7, label: "Property", plural: "properties" },
  field: { lsp: 8, label: "Field", plural: "fields" },
  constructor: { lsp: 9, label: "Constructor", plural: "constructors" },
  enum: { lsp: 10, label: "Enum", plural: "enums" },
  interface: { lsp: 11, label: "Interface", plural: "interfaces" },
  function: { lsp: 12, label: "Function", plural: "functions" },
  variable: { lsp: 13, label: "Variable", plural: "variables" },
  constant: { lsp: 14, label: "Constant", plural: "constants" },
  enumMember: { lsp: 22, label: "EnumMember", plural: "enumMembers" },
  struct: { lsp: 23, label: "Struct", plural: "structs" },
  operator: { lsp: 25, label: "Operator", plural: "operators" },
  typeParameter: { lsp: 26, label: "TypeParameter", plural: "typeParameters" },
  typeAlias: { lsp: 11, label: "TypeAlias", plural: "typeAliases" },
  trait: { lsp: 11, label: "Trait", plural: "traits" },
  macro: { lsp: 12, label: "Macro", plural: "macros" },
  union: { lsp: 23, label: "Union", plural: "unions" },
  record: { lsp: 5, label: "Record", plural: "records" },
} as const satisfies Readonly<Record<string, KindNames>>;

export type SymbolKind = keyof typeof SYMBOL_KIND_NAMES;

/** All kinds, in the order of the format. */
export const SYMBOL_KINDS = Object.keys(SYMBOL_KIND_NAMES) as readonly SymbolKind[];
