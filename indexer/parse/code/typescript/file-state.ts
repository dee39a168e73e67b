/**
 * What is gathered while a file is walked: symbols, imports, uses, and what is exported; everything by name is still to
 * be looked up.
 */
import ts from "typescript";
import type { CodePosition, SymbolFlag, SymbolKind } from "../../../../src/core/format/code-model.ts";
import type { CodeImport, CodeUse } from "../code-file.ts";
import { MAX_SYMBOL_DEPTH } from "../symbol-paths.ts";
import { readLeadingComment } from "./comments.ts";
import type { Names, Scope, Value } from "./scope.ts";
import { foldSignature, foldSource } from "./signature.ts";

const FNV_OFFSET = 0x811c9dc5;

const FNV_PRIME = 0x01000193;

const LINE_FEED = 10;

/** More symbols than this are no source that anyone reads: the declarations of the DOM in one file are 11,000. */
export const MAX_SYMBOLS = 50_000;
/** The same for uses, those of locals among them: it takes a bundle of several megabytes to have as many. */
export const MAX_USES = 300_000;

/** The type of a parameter of a function that is an argument. */
export interface FoundGiven {
  readonly argument: number;
  readonly parameter: number;
  readonly value: Value;
}

/** A symbol whose names are not looked up yet. */
export interface FoundSymbol {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly parent: number;
  /** How many symbols it stands in. */
  readonly depth: number;
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  readonly leadStart: number;
  readonly signature: string;
  readonly doc: string;
  readonly flags: SymbolFlag[];
  readonly exportedAs: string[];
  readonly typeText: string;
  /** What a value of it is, or what calling it gives. */
  type: Value | undefined;
  standsForArgument: boolean;
  /** What it calls functions among its arguments with. */
  readonly gives: FoundGiven[];
  readonly bases: string[];
  readonly bodyHash: string;
}

/** A use whose names are not looked up yet. */
export interface FoundUse {
  readonly kind: CodeUse["kind"];
  readonly from: number;
  readonly offset: number;
  readonly target: Value;
  readonly typeOnly: boolean;
  /** Whether it is left out where nothing is known of what it is a member of. */
  readonly isSure: boolean;
  /** Which side of a short form it is. */
  readonly short: CodeUse["short"];
}

/** A name of a scope that is exported apart from its declaration. */
export interface FoundExport {
  readonly name: string;
  readonly scope: Scope;
  readonly exportedAs: string;
  readonly offset: number;
  /** Where `exportedAs` stands, where it is written beside the name. */
  readonly exportedAt: number | undefined;
  readonly typeOnly: boolean;
}

/** What one walk fills. */
export interface FileState {
  readonly file: ts.SourceFile;
  readonly text: string;
  readonly places: SourcePlaces;
  readonly isJavaScript: boolean;
  /** Whether `require` and `module.exports` mean what they mean in CommonJS. */
  readonly isCommonJs: boolean;
  readonly symbols: FoundSymbol[];
  readonly imports: CodeImport[];
  readonly uses: FoundUse[];
  readonly exports: FoundExport[];
  /** What namespaces of one name share, by their path. */
  readonly sharedNames: Map<string, Names>;
  /** Symbols of the properties that parameters of constructors declare. */
  readonly parameterProperties: Map<ts.ParameterDeclaration, number>;
  /** The first symbol of each member's name, as number of its owner and name; of as many symbols as were asked about. */
  readonly members: Map<string, number>;
  membersKnown: number;
  /** How many members are written in the objects that symbols are. */
  readonly objectSizes: Map<number, number>;
  /** Members that assignments made, as number of the owner and name: the first assignment declares, others change. */
  readonly assigned: Set<string>;
  /** What calls functions that are written as arguments: its value, and which argument it is. */
  /** What functions give that are no symbols, where they say it. */
  readonly results: Map<ts.Node, Value>;
  readonly callers: Map<ts.Node, { readonly by: Value; readonly argument: number }>;
  /** Whether symbols or uses were left out because there are too many. */
  isCut: boolean;
  /** Goes on below a node. The walk's files hang together by this, not by imports in a circle. */
  readonly visit: (node: ts.Node, scope: Scope) => Value | undefined;
}

/** Walks what is below a node. */
type Visit = (state: FileState, node: ts.Node, scope: Scope) => Value | undefined;

/** An empty state for a parsed file. */
export function createFileState(file: ts.SourceFile, text: string, visit: Visit): FileState {
  const state: FileState = {
    file,
    text,
    places: createSourcePlaces(text),
    isJavaScript: (file.flags & ts.NodeFlags.JavaScriptFile) !== 0,
    isCommonJs: !ts.isExternalModule(file),
    symbols: [],
    imports: [],
    uses: [],
    exports: [],
    sharedNames: new Map(),
    parameterProperties: new Map(),
    members: new Map(),
    membersKnown: 0,
    objectSizes: new Map(),
    assigned: new Set(),
    callers: new Map(),
    results: new Map(),
    isCut: false,
    visit: (node, scope) => visit(state, node, scope),
  };
  return state;
}

/** What is said of a symbol when it is found. */
export interface SymbolInput {
  readonly kind: SymbolKind;
  readonly name: string;
  /** Node of the name; without one the symbol's place is where it begins. */
  readonly nameNode?: ts.Node | undefined;
  /** The declaration as it is written, modifiers and comment included. */
  readonly node: ts.Node;
  /** Where the declaration begins if not at `node`. */
  readonly start?: number;
  /** Where its body begins; the end of the declaration without one. */
  readonly bodyStart?: number | undefined;
  /** What stands in front of the signature and not in its source. */
  readonly signaturePrefix?: string;
  /** The signature, where the source has it in several places. */
  readonly signature?: string;
  readonly scope: Scope;
  /** Member of this symbol; without it, of the container of the scope. */
  readonly parent?: number;
  readonly flags?: readonly SymbolFlag[];
  readonly exportedAs?: readonly string[];
  readonly typeNode?: ts.TypeNode | undefined;
  readonly bases?: readonly string[];
}

/** Adds a symbol and gives its index; -1 where there are too many. */
export function addSymbol(state: FileState, input: SymbolInput): number {
  if (state.symbols.length >= MAX_SYMBOLS) {
    state.isCut = true;
    return -1;
  }
  const { node, scope } = input;
  const { text } = state;
  const start = input.start ?? startOf(state, node);
  // The end of what the parser made up for broken code may lie before its start.
  const end = Math.max(node.end, start);
  const comment = readLeadingComment(text, node.pos, start);
  const flags = [...(input.flags ?? [])];
  if (comment.deprecated) flags.push("deprecated");
  if (scope.place === "function") flags.push("inner");
  const { typeNode } = input;
  const container = input.parent ?? scope.container;
  const outer = state.symbols[container];
  const parent = outer !== undefined && outer.depth >= MAX_SYMBOL_DEPTH - 1 ? outer.parent : container;
  state.symbols.push({
    kind: input.kind,
    name: input.name,
    parent,
    depth: (state.symbols[parent]?.depth ?? -1) + 1,
    // The name that the parser made up for a missing one may stand in front of the declaration, or behind it.
    nameStart: input.nameNode === undefined ? start : Math.min(Math.max(startOf(state, input.nameNode), start), end),
    start,
    end,
    leadStart: comment.start ?? start,
    signature:
      input.signature ??
      (input.signaturePrefix ?? "") + foldSignature(text, start, Math.max(start, input.bodyStart ?? end)),
    doc: comment.doc,
    flags,
    exportedAs: [...(input.exportedAs ?? [])],
    typeText: typeNode === undefined ? "" : foldSource(text, startOf(state, typeNode), typeNode.end),
    type: typeNode === undefined ? undefined : { is: "typed", type: typeNode, scope },
    standsForArgument: false,
    gives: [],
    bases: [...(input.bases ?? [])],
    bodyHash: hashBody(text, start, end),
  });
  return state.symbols.length - 1;
}

/** The first symbol of a name in another; -1 where there is none. */
export function memberOf(state: FileState, owner: number, name: string): number {
  const { members, symbols } = state;
  for (; state.membersKnown < symbols.length; state.membersKnown++) {
    const found = symbols[state.membersKnown] as FoundSymbol;
    const key = `${found.parent} ${found.name}`;
    if (!members.has(key)) members.set(key, state.membersKnown);
  }
  return members.get(`${owner} ${name}`) ?? -1;
}

/** Adds a use of what stands at a node. What is known to be local is left out when names are looked up. */
export function addUse(
  state: FileState,
  kind: FoundUse["kind"],
  at: ts.Node,
  target: Value,
  scope: Scope,
  { typeOnly = false, isSure = false, short }: Partial<Pick<FoundUse, "typeOnly" | "isSure" | "short">> = {},
): void {
  if (state.uses.length >= MAX_USES) {
    state.isCut = true;
    return;
  }
  state.uses.push({ kind, from: scope.from, offset: startOf(state, at), target, typeOnly, isSure, short });
}

/** Adds an import and gives its index. `local` is the node of the bound name, where that is another than `at`. */
export function addImport(
  state: FileState,
  entry: Omit<CodeImport, "at" | "localAt">,
  at: ts.Node,
  local: ts.Node = at,
): number {
  const positionOf = (node: ts.Node) => state.places.positionOf(startOf(state, node));
  state.imports.push({ ...entry, at: positionOf(at), ...(local !== at && { localAt: positionOf(local) }) });
  return state.imports.length - 1;
}

/** Offset of a node's first character. */
export function startOf(state: FileState, node: ts.Node): number {
  return node.getStart(state.file, false);
}

/** The source of a node, without the comment in front. */
export function sourceOf(state: FileState, node: ts.Node): string {
  return state.text.slice(startOf(state, node), node.end);
}

/**
 * Places in a source text, and the hash by which a declaration is known to be unchanged.
 *
 * Lines end at a line feed and nowhere else, as in the rest of the index: a lone carriage return or U+2028, which
 * JavaScript takes for a line end, is a character of its line here. Pure.
 */

/** From offsets of UTF-16 units to lines and columns, both 1-based. Fast where offsets are asked in rising order. */
interface SourcePlaces {
  lineOf(offset: number): number;
  positionOf(offset: number): CodePosition;
}

/** Places of a text. */
function createSourcePlaces(text: string): SourcePlaces {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  let last = 0;
  const indexOf = (offset: number): number => {
    const start = starts[last] as number;
    let low = offset >= start ? last : 0;
    let high = offset >= start ? starts.length - 1 : last;
    // Most offsets lie on the line of the one before or a few lines below.
    if (offset >= start && offset < (starts[last + 4] ?? Number.POSITIVE_INFINITY)) {
      high = Math.min(high, last + 4);
    }
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    last = low;
    return low;
  };
  return {
    lineOf: (offset) => indexOf(offset) + 1,
    positionOf: (offset) => {
      const line = indexOf(offset);
      return { line: line + 1, column: offset - (starts[line] as number) + 1 };
    },
  };
}

/**
 * 8 hexadecimal digits: FNV-1a over the UTF-16 units from `start` to `end`, without whitespace at the ends of lines, so
 * that line ends and trimming editors change nothing.
 */
function hashBody(text: string, start: number, end: number): string {
  let hash = FNV_OFFSET;
  let held = start;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED) held = at;
    else if (isBlank(unit)) continue;
    for (; held <= at; held++) hash = Math.imul(hash ^ text.charCodeAt(held), FNV_PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, "0");
}

/** Space, tab, carriage return and the other blanks of one byte. */
function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}
