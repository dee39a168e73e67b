/**
 * What may break when something changes: the nearest first, by package, tests behind the rest, pages at the end. Over the
 * budget names of symbols go first, then the end of the list, then files. Pure.
 */

import { splitDocumentId } from "../../core/docs/node-id.ts";
import type { EdgeKind, SymbolKind } from "../../core/format/code-model.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { cutList, formatCount } from "./numbers.ts";

/** A symbol that may break, or the top of its file. */
export interface ShownAffected {
  /** Undefined for the top of the file. */
  readonly symbol: { readonly path: string; readonly kind: SymbolKind; readonly line: number } | undefined;
  /** What it does with what is a step nearer; none where only something inside of it is affected. */
  readonly kinds: readonly EdgeKind[];
  readonly typeOnly: boolean;
}

/** What of one file is so many steps away. */
export interface AffectedFile {
  readonly level: number;
  readonly isTest: boolean;
  readonly module: string;
  readonly package: string;
  /** Document id. */
  readonly file: string;
  /** How many symbols; 0 where it is the top of the file alone. */
  readonly count: number;
  /** The same by name, and the top of the file; undefined where they were not read. */
  readonly symbols: readonly ShownAffected[] | undefined;
}

/** A section of a page that names what changes. */
export interface NamingPage {
  readonly symbolId: string;
  readonly nodeId: string;
  readonly line: number;
}

/** How much there is, whatever is shown. */
export interface ImpactCounts {
  /** Symbols, without those of tests. */
  readonly symbols: number;
  readonly files: number;
  readonly packages: number;
  readonly testFiles: number;
  readonly pages: number;
}

/** An answer. */
interface ShownImpact {
  /** What changes, as the caller can name it. */
  readonly target: { readonly kind: string; readonly id: string };
  readonly depth: number;
  readonly counts: ImpactCounts;
  /** Files of which nothing but the top may break. */
  readonly topsAlone: number;
  /** In the order of the answer: tests last. */
  readonly files: readonly AffectedFile[];
  readonly pages: readonly NamingPage[];
}

/** Symbols of a file that are named in a line, and in JSON. */
const MAX_NAMED = 8;
const MAX_NAMED_JSON = 30;
/** Sections of pages that are listed. */
const MAX_PAGES = 10;

/** `A change of main may break 5 symbols in 3 files of 2 packages …`. */
export function summarizeImpact({ target, depth, counts, topsAlone }: ShownImpact): string {
  const { symbols, files, packages, testFiles, pages } = counts;
  const name = formatTarget(target);
  const within = `within ${formatCount(depth, "step")}`;
  const rest = [
    ...(testFiles > 0 ? [formatCount(testFiles, "test file")] : []),
    ...(pages > 0 ? [`${formatCount(pages, "section")} of pages`] : []),
  ];
  const beside = rest.length > 0 ? `; beside that ${rest.join(", ")}` : "";
  if (files === 0) return `Nothing was found that a change of ${name} may break ${within}${beside}`;
  const of = `of ${formatCount(packages, "package")}`;
  const inFiles = `${formatCount(symbols, "symbol")} in ${formatCount(files - topsAlone, "file")}`;
  const tops = `the top of ${formatCount(topsAlone, symbols > 0 ? "more file" : "file")}`;
  const what =
    topsAlone === 0 ? `${inFiles} ${of}` : symbols === 0 ? `${tops} ${of}` : `${inFiles} and ${tops}, ${of},`;
  return `A change of ${name} may break ${what} ${within}${beside}`;
}

/** What was asked for, as sentences name it. */
export function formatTarget({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return kind === "package" ? `package ${id}` : id;
}

/** Forms from symbols by name to counts of packages. */
export function impactForms(impact: ShownImpact): [AnswerForm, ...AnswerForm[]] {
  const { files } = impact;
  const tail = pagesBlock(impact);
  const form = (isNamed: boolean, detail: string): AnswerForm => ({
    detail,
    count: files.length,
    blocks: (shown) => blocksOf(files.slice(0, shown), isNamed),
    json: (shown) => toJson(impact, shown, isNamed),
    toon: (shown) => toToon(impact, shown, isNamed),
    tail,
  });
  const packages = packagesOf(files);
  const counts: AnswerForm = {
    detail: "counts by package",
    blocks: () => packages.map(formatPackage),
    joined: true,
    perItem: false,
    json: (shown) => ({ ...headOf(impact), packages: packages.slice(0, shown) }),
    more: "A smaller depth shows less.",
  };
  return [form(true, "symbols"), { ...form(false, "files"), keepAtLeast: 5 }, counts];
}

/** One block for each level and package, one for the tests. */
function blocksOf(files: readonly AffectedFile[], isNamed: boolean): string[] {
  const blocks: string[][] = [];
  let head: string | undefined;
  for (const file of files) {
    const own = headOfBlock(file);
    if (own !== head) blocks.push([own]);
    head = own;
    blocks.at(-1)?.push(`  ${lineOf(file, isNamed)}`);
  }
  return blocks.map((lines) => lines.join("\n"));
}

function headOfBlock({ level, isTest, module, package: name }: AffectedFile): string {
  const steps = formatCount(level, "step");
  return isTest ? `tests, ${steps} away` : `${steps} away, package ${name} of ${module}`;
}

function lineOf({ file, symbols, count }: AffectedFile, isNamed: boolean): string {
  const { path } = splitDocumentId(file);
  if (!isNamed || symbols === undefined) return `${path} (${formatSize(count)})`;
  return `${path}: ${cutList(symbols.map(formatAffected), MAX_NAMED).join(", ")}`;
}

const TOP = "top of the file";

function formatSize(count: number): string {
  return count === 0 ? TOP : formatCount(count, "symbol");
}

function formatAffected({ symbol, kinds, typeOnly }: ShownAffected): string {
  const name = symbol === undefined ? TOP : `${symbol.path} @${symbol.line}`;
  return `${name} (${formatKinds(kinds, typeOnly)})`;
}

/** `calls, reads`; `type-only imports`; `holds it` where there is no edge. */
export function formatKinds(kinds: readonly EdgeKind[], typeOnly: boolean): string {
  if (kinds.length === 0) return "holds it";
  const isSaid = kinds.every((kind) => kind === "type");
  return `${typeOnly && !isSaid ? "type-only " : ""}${kinds.join(", ")}`;
}

function pagesBlock({ pages, counts }: ShownImpact): string {
  if (pages.length === 0) return "";
  const lines = pages.slice(0, MAX_PAGES).map(({ nodeId, line }) => `  ${nodeId} line ${line}`);
  const left = counts.pages - lines.length;
  return ["pages that name it", ...lines, ...(left > 0 ? [`  … ${left} more`] : [])].join("\n");
}

interface PackageCount {
  readonly module: string;
  readonly package: string;
  /** Steps to the nearest file. */
  readonly level: number;
  files: number;
  testFiles: number;
}

/** The nearest first. */
function packagesOf(files: readonly AffectedFile[]): PackageCount[] {
  const packages = new Map<string, PackageCount & { readonly seen: Set<string> }>();
  for (const { module, package: name, level, isTest, file } of files) {
    const key = JSON.stringify([module, name]);
    const known = packages.get(key) ?? { module, package: name, level, files: 0, testFiles: 0, seen: new Set() };
    packages.set(key, known);
    if (known.seen.has(file)) continue;
    known.seen.add(file);
    if (isTest) known.testFiles++;
    else known.files++;
  }
  return [...packages.values()].map(({ seen: _, ...own }) => own);
}

function formatPackage({ module, package: name, level, files, testFiles }: PackageCount): string {
  const tests = testFiles > 0 ? `, ${formatCount(testFiles, "test file")}` : "";
  return `package ${name} of ${module}: ${formatCount(files, "file")}${tests}, ${formatCount(level, "step")} away`;
}

function headOf({ target, depth, counts }: ShownImpact): JsonObject {
  return { target, depth, counts };
}

function toJson(impact: ShownImpact, shown: number, isNamed: boolean): JsonObject {
  const files = impact.files.slice(0, shown);
  const listed = (isTest: boolean): JsonObject[] =>
    files.filter((file) => file.isTest === isTest).map((file) => fileToJson(file, isNamed));
  return {
    ...headOf(impact),
    affected: listed(false),
    tests: listed(true),
    pages: impact.pages.slice(0, MAX_PAGES),
  };
}

function fileToJson({ level, module, package: name, file, count, symbols }: AffectedFile, isNamed: boolean) {
  return {
    level,
    module,
    package: name,
    file,
    filePath: splitDocumentId(file).path,
    count,
    ...(isNamed &&
      symbols !== undefined && {
        symbols: symbols.slice(0, MAX_NAMED_JSON).map(({ symbol, kinds, typeOnly }) => ({
          id: symbol === undefined ? file : `${file}#${symbol.path}`,
          ...(symbol !== undefined && { kind: symbol.kind, line: symbol.line }),
          uses: kinds,
          typeOnly,
        })),
      }),
  };
}

function toToon(impact: ShownImpact, shown: number, isNamed: boolean): JsonObject {
  const files = impact.files.slice(0, shown);
  const rows = (isTest: boolean) =>
    files
      .filter((file) => file.isTest === isTest)
      .map(({ level, package: name, file, count, symbols }) => ({
        level,
        package: name,
        file: splitDocumentId(file).path,
        symbols: isNamed && symbols !== undefined ? cutList(symbols.map(formatAffected), MAX_NAMED).join(", ") : count,
      }));
  const { target, depth, counts } = impact;
  const pages = impact.pages.slice(0, MAX_PAGES).map(({ nodeId, line }) => ({ section: nodeId, line }));
  return { target: target.id, depth, ...counts, affected: rows(false), tests: rows(true), namedIn: pages };
}
