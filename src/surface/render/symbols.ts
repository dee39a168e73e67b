/**
 * Symbols: as lines of text (position, kind, name, signature), as JSON nodes, and as tables for TOON.
 *
 * A table groups symbols: module, package and file once, then one table a kind. One module, package or file is a fact at the
 * top, several are levels. Files are a level where that makes the answer shorter, else a column.
 */

import { pathOf } from "../../core/docs/node-id.ts";
import {
  type CodePosition,
  containerName,
  type FileRecord,
  isExported,
  makeSymbolId,
  SYMBOL_KIND_NAMES,
  SYMBOL_KINDS,
  type SymbolKind,
  type SymbolRecord,
  withoutOrdinal,
} from "../../core/format/code-model.ts";
import type { ExportEntry } from "../../core/format/package-entry.ts";
import { shortenQuery } from "../../core/text/nearest.ts";
import { quoteCode } from "../../core/text/short-text.ts";
import { type Answer, type JsonObject, listForms } from "./answer.ts";
import { encodeToon } from "./render.ts";
import { cutList, foldLine, formatCount, formatList } from "./text.ts";

/** Longest signature that is shown beside a name; of a symbol that is shown alone, all that the index has. */
const MAX_PREVIEW_LENGTH = 100;
const MAX_ALONE_LENGTH = 400;

/** Longest signature of each of so many symbols. */
export function signatureLength(symbols: number): number {
  return symbols === 1 ? MAX_ALONE_LENGTH : MAX_PREVIEW_LENGTH;
}

/** A symbol with where it stands. Absent members have no value in its language or were not asked for. */
export interface CodeNode {
  readonly id: string;
  readonly kind: SymbolKind;
  readonly name: string;
  readonly module: string;
  readonly package: string;
  /** Relative to the collection's root. */
  readonly filePath: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Itself, or with what it is a member of. */
  readonly exported: boolean;
  /** Names of what it extends, `""` without one; of types that can. Where the language does not tell, of what it implements, too. */
  readonly extends?: string;
  /** Names of what it implements, where it says so. */
  readonly implements?: string;
  /** Qualified name of what it is a member of. */
  readonly parent?: string;
  /** Declared type, `""` without one; of values that are members. */
  readonly type?: string;
  readonly signature?: string;
  /** `package:symbol`, the package left out where it is the same. */
  readonly calls?: string;
  readonly calledBy?: string;
}

/** Kinds whose rows say what they extend. */
const EXTENDING_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "interface", "struct", "trait", "record"]);
/** Kinds whose rows say their type. */
const TYPED_KINDS: ReadonlySet<SymbolKind> = new Set(["property", "field", "enumMember"]);
/** Kinds whose rows say what they are a member of. */
export const MEMBER_KINDS: ReadonlySet<SymbolKind> = new Set([...TYPED_KINDS, "method", "constructor"]);

/** Kinds that hold a value and nothing that runs. */
export const VALUE_KINDS: ReadonlySet<SymbolKind> = new Set([...TYPED_KINDS, "variable", "constant"]);

/** Names of what a symbol extends and of what it implements, as far as its signature tells them apart. */
export function splitBases({ signature, bases }: Pick<SymbolRecord, "signature" | "bases">) {
  // The clause after `implements` comes last.
  const behind = /\bimplements\b.*/s.exec(signature)?.[0] ?? "";
  return {
    extended: bases.filter((base) => !behind.includes(base)),
    implemented: bases.filter((base) => behind.includes(base)),
  };
}

/** The symbol of a file as a node. */
export function toCodeNode(
  file: FileRecord,
  symbol: SymbolRecord,
  withSignature: boolean,
  most = MAX_PREVIEW_LENGTH,
): CodeNode {
  const { kind, name, start, end } = symbol;
  const container = file.symbols[symbol.parent];
  const { extended, implemented } = splitBases(symbol);
  return {
    id: kind === "file" ? file.id : makeSymbolId(file, symbol),
    kind,
    name,
    module: file.module,
    package: file.package,
    filePath: pathOf(file.id),
    startLine: start.line,
    endLine: end.line,
    exported: isExported(file.language, file.symbols, symbol),
    ...(EXTENDING_KINDS.has(kind) && { extends: extended.join(", ") }),
    ...(EXTENDING_KINDS.has(kind) && implemented.length > 0 && { implements: implemented.join(", ") }),
    ...(container !== undefined && { parent: withoutOrdinal(container.path) }),
    ...(TYPED_KINDS.has(kind) && { type: symbol.type }),
    ...(withSignature && { signature: previewSignature(symbol.signature, most) }),
  };
}

/** A signature on one line, `...` where it is cut. */
export function previewSignature(signature: string, most = MAX_PREVIEW_LENGTH): string {
  return foldLine(signature, most);
}

/** `@12:1`. */
export function formatPosition({ line, column }: CodePosition): string {
  return `@${line}:${column}`;
}

/**
 * `@16:5 Property - server`, with a container `@16:5 Property - server [McpServer, Class]`; of a member of a type that
 * another file declares the type's name alone.
 */
export function formatSymbol(symbol: SymbolRecord, container?: SymbolRecord): string {
  const { at, kind, name } = symbol;
  return `${formatPosition(at)} ${SYMBOL_KIND_NAMES[kind].label} - ${name}${formatContainer(symbol, container)}`;
}

function formatContainer(symbol: SymbolRecord, around: SymbolRecord | undefined): string {
  const isShown = around !== undefined || symbol.parent < 0;
  const name = isShown ? containerName(symbol, around) : "";
  if (name === "") return "";
  const kind = name === around?.name ? `, ${SYMBOL_KIND_NAMES[around.kind].label}` : "";
  return ` [${name}${kind}]`;
}

/** A signature between backticks, longer backticks where it holds some; `""` without one. */
export function quoteSignature(signature: string, most = MAX_PREVIEW_LENGTH): string {
  const preview = previewSignature(signature, most);
  return preview === "" ? "" : quoteCode(preview);
}

/** The lines of a symbol: itself, and its signature two spaces further in where there is one to show. */
export function symbolLines(
  symbol: SymbolRecord,
  indent: string,
  withSignature: boolean,
  container?: SymbolRecord,
  most = MAX_PREVIEW_LENGTH,
): string[] {
  const lines = [`${indent}${formatSymbol(symbol, container)}`];
  const signature = withSignature ? quoteSignature(symbol.signature, most) : "";
  if (signature !== "") lines.push(`${indent}  ${signature}`);
  return lines;
}

/** What is known of a package beside its symbols, as tables show it. */
export interface PackageFacts {
  readonly module: string;
  readonly package: string;
  readonly facts: JsonObject;
}

type Row = Readonly<Record<string, string | number | boolean>>;

/** The nodes grouped, of so many symbols in all, with facts of their packages. Nodes of a kind keep their order. */
export function groupNodes(
  nodes: readonly CodeNode[],
  {
    count: total = nodes.length,
    packages = [],
    isOfFile = false,
  }: { readonly count?: number; readonly packages?: readonly PackageFacts[]; readonly isOfFile?: boolean } = {},
): JsonObject {
  const count = { count: total, ...(nodes.length < total && { shown: nodes.length }) };
  const factsOf = (module: string, name: string) =>
    packages.find((one) => one.module === module && one.package === name)?.facts;
  const [first] = nodes;
  if (first === undefined) return count;
  const modules = [...Map.groupBy(nodes, (node) => node.module)].map(([module, ofModule]) => {
    const ofPackages = [...Map.groupBy(ofModule, (node) => node.package)].map(([name, own]) => {
      return [name, { ...factsOf(module, name), ...shortestTables(own, isOfFile) }] as const;
    });
    return [module, ofPackages] as const;
  });
  const ofFirst = modules[0]?.[1] ?? [];
  const [only] = ofFirst;
  const { module, package: name } = first;
  if (modules.length === 1 && ofFirst.length === 1) return { ...count, module, package: name, ...only?.[1] };
  // Names of packages stand beside these.
  const isPlain = ofFirst.every(([own]) => !["count", "shown", "module", "package"].includes(own));
  if (modules.length === 1 && isPlain) return { ...count, module, ...Object.fromEntries(ofFirst) };
  return { ...count, ...Object.fromEntries(modules.map(([own, inside]) => [own, Object.fromEntries(inside)])) };
}

/** The tables of some nodes: with a level for files or a column, whichever is shorter; one file is said once, unless it goes without saying. */
function shortestTables(nodes: readonly CodeNode[], isOfFile: boolean): JsonObject {
  const files = Map.groupBy(nodes, (node) => node.filePath);
  const [path] = files.keys();
  if (files.size === 1) return { ...(!isOfFile && { file: path }), ...tablesOf(nodes, false) };
  const flat = tablesOf(nodes, true);
  const nested = Object.fromEntries([...files].map(([path, own]) => [path, tablesOf(own, false)]));
  return encodeToon(nested).length < encodeToon(flat).length ? nested : flat;
}

/** One table a kind, in the order of kinds, with the column `file` or without it. */
function tablesOf(nodes: readonly CodeNode[], withFile: boolean): JsonObject {
  const kinds = Map.groupBy(nodes, (node) => node.kind);
  const tables = SYMBOL_KINDS.flatMap((kind) => {
    const own = kinds.get(kind);
    if (own === undefined) return [];
    const columns = {
      extends: EXTENDING_KINDS.has(kind) && own.some((node) => node.extends !== undefined && node.extends !== ""),
      implements: own.some((node) => node.implements !== undefined),
      calls: own.some(({ calls }) => calls !== undefined),
      calledBy: own.some(({ calledBy }) => calledBy !== undefined),
      signature: own.some(({ signature }) => signature !== undefined),
    };
    const rows = own.map(
      (node): Row => ({
        ...(columns.extends && { extends: node.extends ?? "" }),
        ...(columns.implements && { implements: node.implements ?? "" }),
        ...(TYPED_KINDS.has(kind) && { type: node.type ?? "" }),
        ...(MEMBER_KINDS.has(kind) && { parent: node.parent ?? "" }),
        ...(withFile && { file: node.filePath }),
        ...(TYPED_KINDS.has(kind) ? { name: node.name } : { symbol: node.name }),
        line: node.endLine > node.startLine ? `${node.startLine}-${node.endLine}` : node.startLine,
        ...(!MEMBER_KINDS.has(kind) && { exported: node.exported }),
        ...(columns.calls && { calls: node.calls ?? "" }),
        ...(columns.calledBy && { calledBy: node.calledBy ?? "" }),
        // The column `exported` says the first word already.
        ...(columns.signature && { signature: (node.signature ?? "").replace(/^export (?!default\b)/, "") }),
      }),
    );
    return [[SYMBOL_KIND_NAMES[kind].plural, rows]];
  });
  return Object.fromEntries(tables);
}

/* Lists of symbols, one block a file. */

interface ShownSymbol {
  readonly record: SymbolRecord;
  readonly inFile: FileRecord;
}

interface FoundOptions {
  readonly withSignature: boolean;
  /** More columns of a symbol's row: who calls it, whom it calls. */
  readonly columns?: (symbol: ShownSymbol) => Partial<CodeNode>;
  /** Facts of the packages that the symbols are of, for the tables; left out where they do not fit. */
  readonly packages?: readonly PackageFacts[];
  /** Whether blocks are packages and not files. */
  readonly byPackage?: boolean;
  /** Symbols before the first of these. */
  readonly offset: number;
  /** How many there are in all. */
  readonly total: number;
}

/** The answer with a page of symbols that a query found, given best first; JSON keeps that order. */
export function describeFound(query: string, symbols: readonly ShownSymbol[], options: FoundOptions): Answer {
  const { withSignature, columns, packages = [], byPackage = false, offset, total } = options;
  const text = shortenQuery(query);
  const files = new Set(symbols.map(({ inFile }) => inFile.id)).size;
  const found = `Found ${formatCount(total, "match", "matches")} for ${JSON.stringify(text)}`;
  const full = { signature: withSignature, facts: packages };
  const names = { signature: false, facts: [] };
  const levels = [
    ...(packages.length > 0 ? [["all", full] as const] : []),
    ...(withSignature ? [["signatures", { signature: true, facts: [] }] as const] : []),
    ["names", names] as const,
  ];
  const most = signatureLength(symbols.length);
  const toNode = (symbol: ShownSymbol, signature: boolean): CodeNode => ({
    ...toCodeNode(symbol.inFile, symbol.record, signature, most),
    ...columns?.(symbol),
  });
  return {
    summary: `${found}${formatPart(offset, symbols.length, total)} in ${formatCount(files, "file")}`,
    // A cut drops the last by rank, so the beginning of the list is shown.
    forms: listForms<ShownSymbol, typeof full>(symbols, levels, {
      blocks: (shown, { signature }) =>
        (byPackage ? groupByPackage(shown) : groupByFile(shown, text)).map((own) =>
          blockOf(own, signature ? most : 0, columns, byPackage),
        ),
      toJson: (shown, { signature }): JsonObject => ({
        query: text,
        total,
        symbols: shown.map((symbol) => toNode(symbol, signature)),
      }),
      toToon: (shown, { signature, facts }) => {
        const nodes = groupByFile(shown, text).flatMap((own) => own.map((symbol) => toNode(symbol, signature)));
        return groupNodes(nodes, { count: total, packages: facts });
      },
    }),
    page: { offset, total, items: "symbols" },
  };
}

/** `, 16–30 of them` where a page does not show all. */
export function formatPart(offset: number, shown: number, total: number): string {
  if (shown === total || shown === 0) return "";
  return `, ${shown === 1 ? offset + 1 : `${offset + 1}–${offset + shown}`} of them`;
}

/** Symbols of each file, those of the name that was asked for first, in the order of the source. */
function groupByFile(symbols: readonly ShownSymbol[], query: string): ShownSymbol[][] {
  const isOther = ({ record }: ShownSymbol): number => Number(record.name !== query);
  return [...Map.groupBy(symbols, ({ inFile }) => inFile.id).values()].map((own) =>
    own.sort(
      (a, b) =>
        isOther(a) - isOther(b) || a.record.at.line - b.record.at.line || a.record.at.column - b.record.at.column,
    ),
  );
}

/** Symbols of each package by kind, best first. */
function groupByPackage(symbols: readonly ShownSymbol[]): ShownSymbol[][] {
  const kindOf = ({ record }: ShownSymbol): number => SYMBOL_KINDS.indexOf(record.kind);
  return [...Map.groupBy(symbols, ({ inFile }) => `${inFile.module}\n${inFile.package}`).values()].map((own) =>
    own.sort((a, b) => kindOf(a) - kindOf(b)),
  );
}

/** The block of a package or file; rows of a package have their paths. */
function blockOf(
  symbols: readonly ShownSymbol[],
  most: number,
  columns: FoundOptions["columns"],
  byPackage: boolean,
): string {
  const { module, package: name, id } = (symbols[0] as ShownSymbol).inFile;
  const names = symbols.map(({ record }) => record.name);
  const lines = symbols.flatMap((symbol) => {
    const { record, inFile } = symbol;
    const extra = columns?.(symbol);
    const [first = "", ...others] = symbolLines(record, "", most > 0, inFile.symbols[record.parent], most);
    const path = byPackage ? `${pathOf(inFile.id)} ` : "";
    // What another of a list is called like needs its id to be meant.
    const isOnly = names.indexOf(record.name) === names.lastIndexOf(record.name);
    return [
      `${path}${first}${isOnly || record.kind === "file" ? "" : ` #${record.path}`}`,
      ...others,
      ...(extra?.calls ? [`  calls ${extra.calls}`] : []),
      ...(extra?.calledBy ? [`  called by ${extra.calledBy}`] : []),
    ];
  });
  const head = byPackage ? `package ${name} of ${module}` : pathOf(id);
  return formatList(`${head} (${formatCount(symbols.length, "result")})`, lines);
}

/* What can be imported from a module. */

/** An exported name: of a symbol of the corpus, of a module or of something outside. */
interface ShownExport extends ExportEntry {
  readonly symbol?: ShownSymbol;
}

/** Exported names as rows of the same columns. `declaredAs` is the symbol's own path, where that is another. */
export function exportRows(exports: readonly ShownExport[], withSignature: boolean) {
  const hasOther = exports.some((one) => otherName(one) !== "");
  return exports.map((one) => ({
    name: one.name,
    kind: one.symbol?.record.kind ?? one.form,
    filePath: one.form === "outside" ? one.target : pathOf(one.target),
    line: one.symbol?.record.at.line ?? 0,
    ...(hasOther && { declaredAs: otherName(one) }),
    ...(withSignature && { signature: previewSignature(bareSignature(one)) }),
  }));
}

/** What every export has in front is left out. */
function bareSignature({ symbol }: ShownExport): string {
  return (symbol?.record.signature ?? "").replace(/^export (?:declare )?/, "");
}

/** The path of the symbol that an exported name leads to, where it is not that name. */
function otherName({ name, symbol }: ShownExport): string {
  const path = withoutOrdinal(symbol?.record.path ?? name);
  return path === name ? "" : path;
}

/** One block for each file that they lead to, in the order of the best; the first says what they are exports of. */
export function exportBlocks(of: string, exports: readonly ShownExport[], withSignature: boolean): string[] {
  return [...Map.groupBy(exports, ({ target }) => target)].map(([target, own], at) => {
    const lines = own.flatMap((one) => {
      if (one.symbol === undefined)
        return [`${one.name}: ${one.form === "module" ? "all that this file exports" : one.form}`];
      const { at: place, kind } = one.symbol.record;
      const other = otherName(one);
      const line = `${formatPosition(place)} ${SYMBOL_KIND_NAMES[kind].label} - ${one.name}${other && ` (${other})`}`;
      const preview = withSignature ? quoteSignature(bareSignature(one)) : "";
      return preview === "" ? [line] : [line, `  ${preview}`];
    });
    const place = own[0]?.form === "outside" ? target : pathOf(target);
    return formatList(`${at === 0 && of !== "" ? `${of} exports\n` : ""}${place}`, lines);
  });
}

/** What a file gives to those who import it and others declare: a page of the names, and how many there are from how many files. */
interface PassedOn {
  readonly names: readonly ShownExport[];
  readonly total: number;
  readonly files: number;
  /** Modules outside whose names it gives, too. */
  readonly outside: readonly string[];
}

/** `re-exports 34 names from 5 files, and all of npm:react: open, Store, +32`, of no more names than that; `""` where it passes nothing on. */
export function summarizePassedOn({ names, total, files, outside }: PassedOn, most = 0): string {
  if (total + outside.length === 0) return "";
  const all = outside.length === 0 ? "" : `${total === 0 ? "" : ", and "}all of ${outside.join(", ")}`;
  const shown =
    most === 0 || total === 0
      ? ""
      : `: ${cutList(
          names.map(({ name }) => name),
          most,
        ).join(", ")}`;
  return `re-exports ${total === 0 ? "" : `${formatCount(total, "name")} from ${formatCount(files, "file")}`}${all}${shown}`;
}

/** The answer for a file that declares nothing itself. */
export function describePassedOn(summary: string, passed: PassedOn, facts: JsonObject, offset: number): Answer {
  const { names, total, files, outside } = passed;
  const counts = { ...facts, reexports: total, from: files, ...(outside.length > 0 && { outside }) };
  return {
    summary: `${summary}\n${summarizePassedOn(passed)}${formatPart(offset, names.length, total)}`,
    forms: listForms(names, [["signatures", true] as const, ["names", false] as const], {
      blocks: (shown, withSignature) => exportBlocks("", shown, withSignature),
      toJson: (shown, withSignature) => ({ ...counts, names: exportRows(shown, withSignature) }),
    }),
    page: { offset, total, items: "names" },
  };
}
