/**
 * Source files in the index: their symbols, the edges between them, kinds and ids.
 *
 * Lines and columns are 1-based, columns in UTF-16 units. The order of each list of kinds is that of the format.
 */
import { factsOf } from "../text/code-languages.ts";

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

export const SYMBOL_KINDS = Object.keys(SYMBOL_KIND_NAMES) as readonly SymbolKind[];

/** What one place in the code does with what it names. */
export const EDGE_KINDS = [
  "imports",
  "reexports",
  "calls",
  "instantiates",
  "extends",
  "implements",
  "overrides",
  "type",
  "reads",
  "writes",
  "decorates",
  /** From a prototype to the definition, from a part of a type to the first one: both are one symbol. */
  "declares",
] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];
export const CALL_KINDS: readonly EdgeKind[] = ["calls", "instantiates"];
export const IMPORT_KINDS: readonly EdgeKind[] = ["imports", "reexports"];

/**
 * How an edge's target was found, the surest first: `precise` by a compiler; `scope` by binding a plain name, imports
 * included; `receiver` as a member of what its receiver is known to be; `name` because the repository has only one
 * symbol of that name, which is a guess.
 */
export const EDGE_TIERS = ["precise", "scope", "receiver", "name"] as const;
export type EdgeTier = (typeof EDGE_TIERS)[number];

/**
 * What a place says beside the plain name of its target: `key` and `value` are the two sides of a short form that stands for
 * both (`{ open }` for `{ open: open }`), `alias` is another name that an import or export gave the target, which may be
 * written like its own.
 */
export const EDGE_FORMS = ["key", "value", "alias"] as const;
export type EdgeForm = (typeof EDGE_FORMS)[number];

export interface CodePosition {
  readonly line: number;
  readonly column: number;
}

export function isBefore(a: CodePosition, b: CodePosition): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** What is true of a symbol beside its kind. */
export const SYMBOL_FLAGS = [
  "exported",
  "defaultExport",
  "static",
  "abstract",
  "async",
  "deprecated",
  "test",
  "generated",
  "private",
  "protected",
  /** Inside a function, or of a kind that outlines leave out: indexed and findable, never part of an outline. */
  "inner",
  /** Declared by a short form that stands for two names: `{ open }` as a member, or as a variable. */
  "shorthand",
  /** Given by a package to those who import it, by this or another name. */
  "public",
] as const;
export type SymbolFlag = (typeof SYMBOL_FLAGS)[number];

/** One symbol of a file. Its id is the file's document id, `#` and `path`. */
export interface SymbolRecord {
  readonly kind: SymbolKind;
  readonly name: string;
  /** Unique in the file: `Store.open`, the second of that name `Store.open~2`. */
  readonly path: string;
  /** Index of the symbol that it is a member of, or -1. A container stands before its members. */
  readonly parent: number;
  /** Where the name stands. */
  readonly at: CodePosition;
  /** The whole declaration with decorators, without the comment in front; `end` is the place behind its last character. */
  readonly start: CodePosition;
  readonly end: CodePosition;
  /** Declaration up to the body, whitespace folded, at most 400 characters. */
  readonly signature: string;
  /** First paragraph of its doc comment, without comment marks; `""` without one. */
  readonly doc: string;
  readonly flags: readonly SymbolFlag[];
  /** Declared type of a value, what a function is declared to return; `""` where none is declared. */
  readonly type: string;
  /** Names of what it extends or implements, as written. */
  readonly bases: readonly string[];
  /** How much of the code leads here, 0–255: a logarithm of its PageRank. */
  readonly rank: number;
  /** Ordinal of the section that shows it: its own, or the one that its first line lies in. */
  readonly section: number;
}

/** A source file with its symbols, in the order of the source. */
export interface FileRecord {
  /** Document id. */
  readonly id: string;
  readonly language: string;
  /** Name of the workspace that the file belongs to, and of the package in it. */
  readonly module: string;
  readonly package: string;
  /** 16 hexadecimal digits: content hash of the file. */
  readonly hash: string;
  readonly rank: number;
  /** Parts of the file that could not be parsed. */
  readonly errors: number;
  readonly symbols: readonly SymbolRecord[];
}

/**
 * What an edge leads to: a symbol or (symbol -1) a file as a whole, of the same access group by their numbers, of another
 * one by id; or something outside of the corpus by its name (`npm:react`).
 */
export type EdgeTarget =
  | { readonly file: number; readonly symbol: number }
  | { readonly id: string }
  | { readonly external: string };

/** Another name that a place gives its target: `Shop` in `export { Store as Shop }`. */
export interface OtherName {
  readonly name: string;
  readonly at: CodePosition;
}

export interface EdgeRecord {
  readonly kind: EdgeKind;
  readonly tier: EdgeTier;
  /** Whether nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** Index of the symbol that the place lies in, -1 for the file itself. */
  readonly from: number;
  /** Where the name stands that leads there. */
  readonly at: CodePosition;
  readonly to: EdgeTarget;
  /** Left out where the target's plain name stands there. */
  readonly form?: EdgeForm;
  /** Left out where it gives none. */
  readonly otherName?: OtherName;
}

/** A section of a page that names a symbol. */
export interface MentionRecord {
  /** Id of the section. */
  readonly nodeId: string;
  /** As written. */
  readonly text: string;
  readonly line: number;
  readonly file: number;
  readonly symbol: number;
}

/** Id of a symbol of a file: `collection:path#Container.name`. */
export function makeSymbolId(file: Pick<FileRecord, "id">, symbol: Pick<SymbolRecord, "path">): string {
  return `${file.id}#${symbol.path}`;
}

/**
 * Path of what a symbol is a member of: `ns.Store` of `ns.Store.open~2`, `""` at the top. Names that its file declares
 * and others alike: a method may stand in another file than its type.
 */
export function containerPath({ path, name }: Pick<SymbolRecord, "path" | "name">): string {
  const bare = barePath({ path, name });
  return bare.slice(0, Math.max(0, bare.length - name.length - 1));
}

/** Name of what a symbol is a member of, by what stands around it in its file; `""` at the top. */
export function containerName(
  symbol: Pick<SymbolRecord, "path" | "name">,
  around: Pick<SymbolRecord, "path" | "name"> | undefined,
): string {
  const whole = containerPath(symbol);
  if (around !== undefined && whole === barePath(around)) return around.name;
  return whole.slice(whole.lastIndexOf(".") + 1);
}

/** A path without the number that tells it from others: `Store` for `Store~2`. Members never carry those of containers. */
export function withoutOrdinal(path: string): string {
  return path.replace(/~\d+$/, "");
}

/** The same of a symbol, whose name may end as such a number does. */
function barePath({ path, name }: Pick<SymbolRecord, "path" | "name">): string {
  return path.endsWith(name) ? path : withoutOrdinal(path);
}

/** What is exported out of one by one in such languages all the same, and what nothing can be reached in. */
const CLOSED_CONTAINERS: ReadonlySet<SymbolKind> = new Set([
  "namespace",
  "module",
  "function",
  "method",
  "constructor",
]);

type Named = Pick<SymbolRecord, "kind" | "name" | "flags" | "parent">;

/**
 * Whether a symbol can be reached from outside: exported itself, or a member of something exported that is neither private
 * nor protected, in languages where members are not marked one by one.
 */
export function isExported(language: string, symbols: readonly Named[], { name, flags, parent }: Named): boolean {
  if (flags.includes("exported") || flags.includes("public")) return true;
  const container = symbols[parent];
  if (container === undefined || CLOSED_CONTAINERS.has(container.kind) || factsOf(language).hasOpenMembers !== true)
    return false;
  const isClosed = flags.some((flag) => flag === "private" || flag === "protected" || flag === "inner");
  return !isClosed && !name.startsWith("#") && isExported(language, symbols, container);
}

/** Whether a symbol is one that a file exports at its top, and no test. */
export function isTopExport({ parent, flags }: Pick<SymbolRecord, "parent" | "flags">): boolean {
  return parent < 0 && flags.includes("exported") && !flags.includes("test");
}

/** Whether a package gives a symbol to those who import it, or what it is a member of and shows. */
export function isPublic(language: string, symbols: readonly Named[], symbol: Named): boolean {
  if (symbol.flags.includes("public")) return true;
  const container = symbols[symbol.parent];
  return container !== undefined && isExported(language, symbols, symbol) && isPublic(language, symbols, container);
}
