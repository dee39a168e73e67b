/**
 * State of a file while it is parsed: its text, and the symbols, imports and uses found so far.
 */
import ts from "typescript";
import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import { cutText } from "../../../src/core/text/short-text.ts";
import { type CodeImport, type CodeUse, MAX_SYMBOL_DEPTH } from "../base/code-file.ts";
import { firstParagraph } from "../base/comments.ts";
import { SourceLines } from "../base/syntax-tree.ts";
import type { FoundTypeParameter, Names, Scope, Value } from "./scope.ts";

/** Characters of a signature, as the contract of code files says. */
export const MAX_SIGNATURE = 400;
/** More of a source than this is never read for one: whitespace and comments hardly take more. */
const MAX_SOURCE = 4000;

/** One line of the source between two offsets, at most 400 characters. */
export function foldSource(text: string, start: number, end: number): string {
  const source = text.slice(start, Math.min(end, start + MAX_SOURCE));
  const bare = source.includes("//") || source.includes("/*") ? withoutComments(source) : source;
  return cutText(bare.replace(/\s+/g, " ").trim(), MAX_SIGNATURE);
}

/** The same as a signature: what opens a body is taken off. */
function foldSignature(text: string, start: number, end: number): string {
  return foldSource(text, start, end).replace(/\s*[={;,:]$/, "");
}

function withoutComments(source: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, source);
  let kept = "";
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isComment = token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;
    kept += isComment ? " " : scanner.getTokenText();
  }
  return kept;
}

const LEGAL = /@license|@preserve|@copyright|\bcopyright\b|\blicensed\b|SPDX-License/i;
const FILE_TAG = /^[\s/*]*@(?:file|fileoverview|overview|module|packageDocumentation)\b[ \t]*/m;
const DEPRECATED = /^[\s/*]*@deprecated\b/m;

/** What stands in front of a declaration. */
interface LeadingComment {
  /** Offset where what belongs to it begins; undefined without a comment. */
  readonly start: number | undefined;
  /** First paragraph; `""` without a doc comment. */
  readonly doc: string;
  readonly deprecated: boolean;
}

const NONE: LeadingComment = { start: undefined, doc: "", deprecated: false };

/** The comment that belongs to a declaration: its doc comment, else comments with no empty line before it. */
function readLeadingComment(text: string, fullStart: number, start: number): LeadingComment {
  if (start - fullStart < 2) return NONE;
  const ranges = ts.getLeadingCommentRanges(text, fullStart);
  if (ranges === undefined) return NONE;
  for (let at = ranges.length - 1; at >= 0; at--) {
    const { pos, end } = ranges[at] as ts.CommentRange;
    if (!isDocComment(text, pos, end)) continue;
    const comment = text.slice(pos, end);
    return { start: pos, doc: firstParagraph(comment), deprecated: DEPRECATED.test(comment) };
  }
  return { start: adjacentStart(text, ranges, start), doc: "", deprecated: false };
}

/** First paragraph of the comment that describes the file: one with a tag that says so, or one that no statement follows. */
export function readFileDoc(text: string, firstStatement: number): string {
  const start = ts.getShebang(text)?.length ?? 0;
  const ranges = ts.getLeadingCommentRanges(text, start) ?? [];
  for (const [index, { pos, end }] of ranges.entries()) {
    if (!isDocComment(text, pos, end)) continue;
    const comment = text.slice(pos, end);
    if (!FILE_TAG.test(comment)) {
      const followed = ranges.slice(index + 1).some((range) => isDocComment(text, range.pos, range.end));
      const next = ranges[index + 1]?.pos ?? firstStatement;
      const gap = text.slice(end, next).split("\n").length - 1;
      const isImport = /^import\b/.test(text.slice(firstStatement, firstStatement + 7));
      if (!followed && gap < 2 && !isImport && firstStatement < text.length) continue;
      if (LEGAL.test(comment)) continue;
    }
    return firstParagraph(comment.replace(FILE_TAG, ""));
  }
  return "";
}

function isDocComment(text: string, pos: number, end: number): boolean {
  // `/**/` is an empty comment.
  return text.startsWith("/**", pos) && end - pos > 4 && text[pos + 3] !== "*";
}

/** Where the comments begin that reach down to `start` without an empty line between. */
function adjacentStart(text: string, ranges: readonly ts.CommentRange[], start: number): number | undefined {
  let next = start;
  for (let at = ranges.length - 1; at >= 0; at--) {
    const { pos, end } = ranges[at] as ts.CommentRange;
    if (text.slice(end, next).split("\n").length > 2) break;
    // What follows code on its line belongs to that.
    const lineStart = text.lastIndexOf("\n", pos - 1) + 1;
    if (text.slice(lineStart, pos).trim() !== "") break;
    next = pos;
  }
  return next === start ? undefined : next;
}

/** More symbols than this are no source that anyone reads: the declarations of the DOM in one file are 11,000. */
export const MAX_SYMBOLS = 50_000;
/** The same for uses, those of locals among them: it takes a bundle of several megabytes to have as many. */
export const MAX_USES = 300_000;

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
  typeParameters: readonly FoundTypeParameter[];
  /** What it takes, as a function. */
  takes: (Value & { is: "function" }) | undefined;
  /** Where signatures of an interface, class or alias stand. */
  signatures: { readonly members: readonly ts.Node[]; readonly scope: Scope } | undefined;
  readonly bases: string[];
}

/** A use whose names are not looked up yet. */
export interface FoundUse {
  readonly kind: CodeUse["kind"];
  readonly from: number;
  readonly offset: number;
  readonly target: Value;
  readonly typeOnly: boolean;
  /** Type arguments behind a base. */
  types?: { readonly nodes: readonly ts.TypeNode[]; readonly scope: Scope } | undefined;
  /** Whether it is left out where nothing is known of what it is a member of. */
  readonly isSure: boolean;
  /** Which side of a short form it is. */
  readonly short: CodeUse["short"];
}

/** A name of a scope that is exported apart from its declaration. */
interface FoundExport {
  readonly name: string;
  readonly scope: Scope;
  readonly exportedAs: string;
  readonly offset: number;
  /** Where `exportedAs` stands, where it is written beside the name. */
  readonly exportedAt: number | undefined;
  readonly typeOnly: boolean;
}

/** Walks what is below a node. */
type Visit = (state: FileState, node: ts.Node, scope: Scope) => Value | undefined;

/** What is said of a symbol when it is found. */
export interface SymbolInput {
  readonly kind: SymbolKind;
  /** That of its node, where that is an identifier. */
  readonly name?: string;
  /** Node of the name; without one the symbol's place is where it begins. */
  readonly nameNode?: ts.Node | undefined;
  /** The declaration as it is written, modifiers and comment included. */
  readonly node: ts.Node;
  /** Where the declaration begins if not at `node`. */
  readonly start?: number;
  /** Where its body begins, where that is no block and holds no members. */
  readonly bodyStart?: number | undefined;
  /** What stands in front of the signature and not in its source. */
  readonly signaturePrefix?: string;
  /** The signature, where the source has it in several places. */
  readonly signature?: string;
  readonly scope: Scope;
  /** Member of this symbol; without it, of the container of the scope. */
  readonly parent?: number;
  readonly flags?: readonly SymbolFlag[] | undefined;
  readonly exportedAs?: readonly string[];
  readonly typeNode?: ts.TypeNode | undefined;
  readonly bases?: readonly string[];
}

/** State that one walk over a file fills. */
export class FileState {
  readonly file: ts.SourceFile;
  readonly text: string;
  readonly lines: SourceLines;
  readonly isJavaScript: boolean;
  /** Whether `require` and `module.exports` mean what they mean in CommonJS. */
  readonly isCommonJs: boolean;
  readonly symbols: FoundSymbol[] = [];
  readonly imports: CodeImport[] = [];
  readonly uses: FoundUse[] = [];
  readonly exports: FoundExport[] = [];
  /** Names that namespaces of one name share, by their path. */
  readonly sharedNames = new Map<string, Names>();
  /** Symbols of the properties that parameters of constructors declare. */
  readonly parameterProperties = new Map<ts.ParameterDeclaration, number>();
  /** How many members are written in the objects that symbols are. */
  readonly objectSizes = new Map<number, number>();
  /** Members that assignments made, as number of the owner and name: the first assignment declares, others change. */
  readonly assigned = new Set<string>();
  /** What functions give. */
  readonly results = new Map<ts.Node, Value>();
  /** What the place of a function expects: a function of this kind. */
  readonly expected = new Map<ts.Node, Value>();
  /** Scopes that types open: those of functions, conditions, mapped types. */
  readonly typeScopes = new Map<ts.Node, Scope>();
  /** Aliases whose members are written in a literal, and the modules that types import. */
  readonly typeSymbols = new Map<ts.Node, number>();
  readonly typeImports = new Map<ts.Node, Value>();
  typeParameterCount = 0;
  /** Whether symbols or uses were left out because there are too many. */
  isCut = false;
  /** The first symbol of each member's name, as number of its owner and name; of as many symbols as were asked about. */
  readonly #members = new Map<string, number>();
  #membersKnown = 0;
  readonly #visit: Visit;

  /** @param visit Goes on below a node. The walk's files hang together by this, not by imports in a circle. */
  constructor(file: ts.SourceFile, text: string, visit: Visit, lines = new SourceLines(text)) {
    this.file = file;
    this.text = text;
    this.lines = lines;
    this.isJavaScript = (file.flags & ts.NodeFlags.JavaScriptFile) !== 0;
    this.isCommonJs = !ts.isExternalModule(file);
    this.#visit = visit;
  }

  visit(node: ts.Node | undefined, scope: Scope): Value | undefined {
    return node && this.#visit(this, node, scope);
  }

  visitAll(nodes: readonly ts.Node[] | undefined, scope: Scope): void {
    for (const node of nodes ?? []) this.visit(node, scope);
  }

  /** Adds a symbol and gives its index; -1 where there are too many. */
  addSymbol(input: SymbolInput): number {
    if (this.symbols.length >= MAX_SYMBOLS) {
      this.isCut = true;
      return -1;
    }
    const { node, scope } = input;
    const { text } = this;
    const start = input.start ?? this.startOf(node);
    // The end of what the parser made up for broken code may lie before its start.
    const end = Math.max(node.end, start);
    const comment = readLeadingComment(text, node.pos, start);
    const flags = [...(input.flags ?? [])];
    if (comment.deprecated) flags.push("deprecated");
    if (scope.place === "function") flags.push("inner");
    const { typeNode } = input;
    const container = input.parent ?? scope.container;
    const outer = this.symbols[container];
    const parent = outer !== undefined && outer.depth >= MAX_SYMBOL_DEPTH - 1 ? outer.parent : container;
    this.symbols.push({
      kind: input.kind,
      name: input.name ?? (input.nameNode as ts.Identifier).text,
      parent,
      depth: (this.symbols[parent]?.depth ?? -1) + 1,
      // The name that the parser made up for a missing one may stand in front of the declaration, or behind it.
      nameStart: input.nameNode === undefined ? start : Math.min(Math.max(this.startOf(input.nameNode), start), end),
      start,
      end,
      leadStart: comment.start ?? start,
      signature:
        input.signature ??
        (input.signaturePrefix ?? "") +
          foldSignature(text, start, Math.max(start, input.bodyStart ?? this.#bodyOf(node) ?? end)),
      doc: comment.doc,
      flags,
      exportedAs: [...(input.exportedAs ?? [])],
      typeText: typeNode === undefined ? "" : foldSource(text, this.startOf(typeNode), typeNode.end),
      type: typeNode === undefined ? undefined : { is: "typed", type: typeNode, scope },
      typeParameters: [],
      takes: undefined,
      signatures: undefined,
      bases: [...(input.bases ?? [])],
    });
    return this.symbols.length - 1;
  }

  /** Where the block of a function, or the braces around members, begin in a declaration. */
  #bodyOf(node: ts.Node): number | undefined {
    const { body, members } = node as { readonly body?: ts.Node; readonly members?: ts.NodeArray<ts.Node> };
    return members === undefined ? body && this.startOf(body) : this.braceBefore(members);
  }

  /** Where the brace in front of a list begins. */
  braceBefore({ pos }: ts.NodeArray<ts.Node>): number {
    const brace = this.text.lastIndexOf("{", pos);
    return brace < 0 ? pos : brace;
  }

  /** The first symbol of a name in another; -1 where there is none. */
  memberOf(owner: number, name: string): number {
    const members = this.#members;
    const { symbols } = this;
    for (; this.#membersKnown < symbols.length; this.#membersKnown++) {
      const found = symbols[this.#membersKnown] as FoundSymbol;
      const key = `${found.parent} ${found.name}`;
      if (!members.has(key)) members.set(key, this.#membersKnown);
    }
    return members.get(`${owner} ${name}`) ?? -1;
  }

  /** Adds a use of what stands at a node. What is known to be local is left out when names are looked up. */
  addUse(
    kind: FoundUse["kind"],
    at: ts.Node,
    target: Value,
    scope: Scope,
    {
      typeOnly = false,
      isSure = false,
      short,
      types,
    }: Partial<Pick<FoundUse, "typeOnly" | "isSure" | "short" | "types">> = {},
  ): void {
    if (this.uses.length >= MAX_USES) {
      this.isCut = true;
      return;
    }
    this.uses.push({ kind, from: scope.from, offset: this.startOf(at), target, typeOnly, isSure, short, types });
  }

  /**
   * Adds an import, of values that binds nothing where no more is said, and gives its index. `local` is the node of the bound name,
   * where that is another than `at`.
   */
  addImport(
    entry: Pick<CodeImport, "specifier"> & Partial<CodeImport>,
    scope: Scope,
    at: ts.Node,
    local: ts.Node = at,
  ): number {
    const positionOf = (node: ts.Node) => this.lines.positionAt(this.startOf(node));
    const defaults = { kind: "imports", imported: "", local: "", typeOnly: false, from: scope.from } as const;
    const places = { at: positionOf(at), ...(local !== at && { localAt: positionOf(local) }) };
    this.imports.push({ ...defaults, ...entry, ...places });
    return this.imports.length - 1;
  }

  /** Offset of a node's first character. */
  startOf(node: ts.Node): number {
    return node.getStart(this.file, false);
  }

  /** The source of a node, without the comment in front. */
  sourceOf(node: ts.Node): string {
    return this.text.slice(this.startOf(node), node.end);
  }
}
