/**
 * Symbols grouped for TOON: module, package and file once for all symbols below them, one table a kind.
 *
 * One module and package stand on top; several are levels. Where it makes the answer shorter, files are a level too; else
 * the file is a column, as the shortest end of its path that no other file of the answer has.
 *
 * Pure: nodes in, an object out that the encoder writes in this order.
 */
import { SYMBOL_KIND_NAMES, SYMBOL_KINDS } from "../../core/format/code-model.ts";
import type { JsonObject } from "./answer.ts";
import { type CodeNode, EXTENDING_KINDS, MEMBER_KINDS, TYPED_KINDS } from "./code-node.ts";
import { encodeToon } from "./toon.ts";

/** Names of a list of a package's that are shown. */
const MAX_NAMES = 20;

/** What is known of a package beside its symbols. */
export interface PackageFacts {
  readonly module: string;
  readonly package: string;
  /** Packages of the same module that it needs. */
  readonly depends: readonly string[];
  /** Packages and libraries that it imports from. */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  /** How many it exports, where that is more than are named. */
  readonly exportCount?: number;
  readonly files: number;
  readonly symbols: number;
}

/** How to group. */
export interface GroupOptions {
  /** Symbols in all, where the nodes are a part of them. */
  readonly count?: number;
  /** Facts to show, of any of the packages. */
  readonly packages?: readonly PackageFacts[];
}

type Row = Readonly<Record<string, string | number | boolean>>;

/** The nodes grouped. Nodes of a kind keep their order. */
export function groupNodes(
  nodes: readonly CodeNode[],
  { count = nodes.length, packages = [] }: GroupOptions = {},
): JsonObject {
  const modules = Map.groupBy(nodes, (node) => node.module);
  const factsOf = (module: string, name: string): JsonObject => {
    const facts = packages.find((one) => one.module === module && one.package === name);
    return facts === undefined ? {} : describePackage(facts);
  };
  const [first] = nodes;
  const isOne = nodes.every((node) => node.module === first?.module && node.package === first.package);
  if (first === undefined) return { count };
  if (isOne) {
    const { module, package: name } = first;
    return { count, module, package: name, ...factsOf(module, name), ...shortestTables(nodes) };
  }
  const nested = [...modules].map(([module, ofModule]) => {
    const ofPackages = [...Map.groupBy(ofModule, (node) => node.package)].map(([name, own]) => [
      name,
      { ...factsOf(module, name), ...shortestTables(own) },
    ]);
    return [module, Object.fromEntries(ofPackages)];
  });
  return { count, ...Object.fromEntries(nested) };
}

/** Facts of a package in the order in which they are shown. */
function describePackage({ depends, imports, exports, exportCount, files, symbols }: PackageFacts): JsonObject {
  const cut = (names: readonly string[], total = names.length): readonly string[] => {
    const left = total - Math.min(names.length, MAX_NAMES);
    return left > 0 ? [...names.slice(0, MAX_NAMES), `${left} more`] : names;
  };
  return { depends: cut(depends), imports: cut(imports), exports: cut(exports, exportCount), files, symbols };
}

/** The tables of some nodes: with a level for files or without one, whichever is shorter. */
function shortestTables(nodes: readonly CodeNode[]): JsonObject {
  const files = Map.groupBy(nodes, (node) => node.filePath);
  if (files.size === 1) return tablesOf(nodes, undefined);
  const flat = tablesOf(nodes, shortestNames([...files.keys()]));
  const nested = Object.fromEntries([...files].map(([path, own]) => [path, tablesOf(own, undefined)]));
  return encodeToon(nested).length < encodeToon(flat).length ? nested : flat;
}

/** One table a kind, in the order of kinds. `files` gives the column `file`. */
function tablesOf(nodes: readonly CodeNode[], files: ReadonlyMap<string, string> | undefined): JsonObject {
  const kinds = Map.groupBy(nodes, (node) => node.kind);
  const tables = SYMBOL_KINDS.flatMap((kind) => {
    const own = kinds.get(kind);
    if (own === undefined) return [];
    const columns = {
      extends: EXTENDING_KINDS.has(kind) && own.some((node) => node.extends !== undefined && node.extends !== ""),
      calls: own.some(({ calls }) => calls !== undefined),
      calledBy: own.some(({ calledBy }) => calledBy !== undefined),
      signature: own.some(({ signature }) => signature !== undefined),
    };
    const rows = own.map(
      (node): Row => ({
        ...(columns.extends && { extends: node.extends ?? "" }),
        ...(TYPED_KINDS.has(kind) && { type: node.type ?? "" }),
        ...(MEMBER_KINDS.has(kind) && { parent: node.parent ?? "" }),
        ...(files !== undefined && { file: files.get(node.filePath) ?? node.filePath }),
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

/** For each path its shortest end of whole segments that no other path has. */
export function shortestNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const path of paths) for (const end of endsOf(path)) counts.set(end, (counts.get(end) ?? 0) + 1);
  return new Map(paths.map((path) => [path, endsOf(path).find((end) => counts.get(end) === 1) ?? path]));
}

/** Ends of a path that begin at a segment, the shortest first. */
function endsOf(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(segments.length - 1 - index).join("/"));
}
