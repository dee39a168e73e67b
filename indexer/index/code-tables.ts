/**
 * Entries of the code tables of one access group: files, names, symbols, edges, uses, mentions, reach, packages, exports.
 */

import { type ByteKey, keyOf, keyOfNumber } from "../../src/core/bytes/key.ts";
import { idOf } from "../../src/core/code/load-files.ts";
import { pathOf, splitNodeId } from "../../src/core/docs/node-id.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import {
  containerName,
  containerPath,
  type EdgeRecord,
  type EdgeTarget,
  type FileRecord,
  isExported,
  isPublic,
  type SymbolKind,
  type SymbolRecord,
} from "../../src/core/format/code-model.ts";
import { keyOfId } from "../../src/core/format/columns.ts";
import {
  encodeEdges,
  encodeNamedSymbols,
  encodeNamingSections,
  encodeUses,
  keyOfUses,
  MAX_SYMBOL_MENTIONS,
  type UseRecord,
} from "../../src/core/format/edge-tables.ts";
import { encodeFileEntry, encodeFileRecord } from "../../src/core/format/file-tables.ts";
import {
  comparePlaces,
  encodeNameList,
  foldSymbolName,
  keyOfName,
  type NamedPlace,
  PIECE_SYMBOLS,
  qualifiedName,
  TAIL_SYMBOLS,
  tailsOf,
} from "../../src/core/format/name-list.ts";
import {
  type Bounded,
  type ExportEntry,
  encodeExports,
  encodeImported,
  encodePackage,
  keyOfExports,
  keyOfPackage,
  MAX_EXPORT_NAMES,
  MAX_NEIGHBOURS,
} from "../../src/core/format/package-entry.ts";
import {
  type Dependent,
  encodeReach,
  type FileReach,
  joinMasks,
  maskOf,
  type Nature,
} from "../../src/core/format/reach-list.ts";
import type { CODE_TABLE_NAMES } from "../../src/core/format/table.ts";
import { compareNames } from "../../src/core/text/names.ts";
import { foldCase } from "../../src/core/text/normalize.ts";
import type { GroupCode } from "../link/code/link-code.ts";
import type { ExportedName } from "../link/code/packages.ts";
import { sortEntries } from "./write-table.ts";

/** The tables with their entries, each made when its turn comes, in the order in which they are written. */
export function codeTables(code: GroupCode): [(typeof CODE_TABLE_NAMES)[number], () => Iterable<TableEntry>][] {
  return [
    ["files", () => fileEntries(code)],
    ["names", () => nameEntries(code)],
    ["symbols", () => symbolEntries(code)],
    ["edges", () => edgeEntries(code)],
    ["uses", () => useEntries(code)],
    ["mentions", () => mentionEntries(code)],
    ["reach", () => reachEntries(code)],
    ["packages", () => packageEntries(code)],
    ["exports", () => exportEntries(code)],
  ];
}

function fileEntries({ files }: GroupCode): TableEntry[] {
  return files.map((file, number) => ({ key: keyOf(file.id), value: encodeFileEntry({ ...file, number }) }));
}

function* symbolEntries({ files }: GroupCode): Generator<TableEntry> {
  for (const [number, file] of files.entries()) yield { key: keyOfNumber(number), value: encodeFileRecord(file) };
}

/** Entries of the table `edges`. */
export function edgeEntries({ edges }: Pick<GroupCode, "edges">): TableEntry[] {
  return edges.flatMap((list, number) =>
    list.length === 0 ? [] : [{ key: keyOfNumber(number), value: encodeEdges(number, list) }],
  );
}

function useEntries({ files, edges }: GroupCode): TableEntry[] {
  const places = collectTargets(files, edges);
  // Guesses come last, then what more of the code leads to comes first; places of a file stay in their order.
  const rankOf = ({ file }: UseRecord): number => files[file]?.rank ?? 0;
  const isGuess = ({ tier }: UseRecord): number => Number(tier === "name");
  const compare = (a: UseRecord, b: UseRecord): number =>
    isGuess(a) - isGuess(b) || rankOf(b) - rankOf(a) || a.file - b.file;
  return sortEntries(
    [...places.values()].flatMap(({ target, fileAndEdge }) => {
      const uses: UseRecord[] = [];
      for (let at = 0; at < fileAndEdge.length; at += 2) {
        const file = fileAndEdge[at] as number;
        const list = edges[file] as readonly EdgeRecord[];
        const { kind, tier, typeOnly, from, form, at: place } = list[fileAndEdge[at + 1] as number] as EdgeRecord;
        uses.push({ file, kind, tier, typeOnly, from, at: place, ...(form !== undefined && { form }) });
      }
      return encodeUses(uses.sort(compare)).map((value, piece) => ({ key: keyOfUses(target, piece), value }));
    }),
  );
}

interface TargetEdges {
  readonly target: Parameters<typeof keyOfUses>[0];
  /** Number of the file and index of the edge, in turns: there are as many of them as edges. */
  readonly fileAndEdge: number[];
}

function collectTargets(files: GroupCode["files"], edges: GroupCode["edges"]): Map<string, TargetEdges> {
  const places = new Map<string, TargetEdges>();
  // Linking shares targets, so that most keys need not be made again.
  const known = new Map<EdgeTarget, TargetEdges>();
  const placesOf = (to: EdgeTarget): TargetEdges => {
    const target = "file" in to ? { id: idOf(files[to.file] as FileRecord, to.symbol) } : to;
    const key = keyOfUses(target);
    const found = places.get(key) ?? { target, fileAndEdge: [] };
    places.set(key, found);
    known.set(to, found);
    return found;
  };
  for (const [file, list] of edges.entries()) {
    for (const [edge, { to }] of list.entries()) (known.get(to) ?? placesOf(to)).fileAndEdge.push(file, edge);
  }
  return places;
}

function mentionEntries({ mentions }: GroupCode): TableEntry[] {
  // Those of a line stay as they come: a member before its containers.
  const ordered = [...mentions].sort(
    (a, b) => compareNames(splitNodeId(a.nodeId).documentId, splitNodeId(b.nodeId).documentId) || a.line - b.line,
  );
  const pages = Map.groupBy(ordered, ({ nodeId }) => splitNodeId(nodeId).documentId);
  const symbols = Map.groupBy(ordered, ({ symbolId }) => symbolId);
  return sortEntries([
    ...[...pages].map(([id, list]) => ({ key: keyOfId("page", id), value: encodeNamedSymbols(id, list) })),
    ...[...symbols].map(([id, list]) => ({
      key: keyOfId("named", id),
      value: encodeNamingSections({ total: list.length, sections: list.slice(0, MAX_SYMBOL_MENTIONS) }),
    })),
  ]);
}

/** An edge as its target sees it. */
interface Arrival extends Dependent {
  readonly to: number;
  readonly isGuess: boolean;
}

/** Kinds of symbols that run nothing themselves. */
const TYPES: ReadonlySet<SymbolKind> = new Set([
  ...(["class", "interface", "struct", "enum", "trait", "union", "record", "typeAlias"] as const),
  ...(["namespace", "module", "package"] as const),
]);

function natureOf({ kind, flags }: SymbolRecord): Nature {
  if (flags.includes("test")) return "test";
  return kind === "constructor" ? kind : TYPES.has(kind) ? "type" : "plain";
}

/** Of each symbol of a file the first of its declarations: uses lead to that one, and what leaves any of them leaves it. */
function firstDeclarations({ symbols }: FileRecord): number[] {
  const firsts = new Map<string, number>();
  return symbols.map((symbol, at) => {
    const key = `${symbol.parent} ${symbol.kind} ${symbol.name} ${containerPath(symbol)}`;
    const first = firsts.get(key) ?? at;
    firsts.set(key, first);
    return first;
  });
}

/** One entry a file, in the order of numbers. */
function* reachEntries({ files, edges, assets = [] }: GroupCode): Generator<TableEntry> {
  const arrivals: Arrival[][] = files.map(() => []);
  const firsts = files.map(firstDeclarations);
  const assetsOf = Map.groupBy(assets, ({ from }) => from);
  for (const [file, list] of edges.entries()) {
    for (const { kind, tier, typeOnly, from, to } of list) {
      if (!("file" in to)) continue;
      const symbol = firsts[file]?.[from] ?? -1;
      const target = firsts[to.file]?.[to.symbol] ?? -1;
      // What a symbol does with itself leads nowhere; what lies in another group is not of these files.
      if (to.file === file && target === symbol) continue;
      const mask = maskOf([kind], typeOnly);
      arrivals[to.file]?.push({ file, symbol, mask, to: target, isGuess: tier === "name" });
    }
  }
  for (const [number, file] of files.entries()) {
    const reach: FileReach = {
      // Further declarations are held by the first.
      containers: file.symbols.map(({ parent }, at) => {
        const first = firsts[number]?.[at] ?? at;
        return first === at ? parent : first;
      }),
      natures: file.symbols.map(natureOf),
      externals: externalsOf(edges[number] ?? [], assetsOf.get(number) ?? []),
      targets: toTargets(arrivals[number] ?? []),
    };
    yield { key: keyOfNumber(number), value: encodeReach(number, reach) };
  }
}

/** Names of what a file imports from outside, and paths of the styles, data and pictures that it imports. */
function externalsOf(edges: readonly EdgeRecord[], assets: readonly { readonly id: string }[]): string[] {
  const names = edges.flatMap(({ to }) => ("external" in to ? [to.external] : []));
  return [...new Set([...names, ...assets.map(({ id }) => pathOf(id))])].sort(compareNames);
}

function toTargets(arrivals: Arrival[]): FileReach["targets"] {
  // Guesses behind the others of the same dependent: what one leads to for certain is no guess.
  arrivals.sort(
    (a, b) => a.to - b.to || a.file - b.file || a.symbol - b.symbol || Number(a.isGuess) - Number(b.isGuess),
  );
  const targets: { symbol: number; guesses: number; dependents: Dependent[] }[] = [];
  let last: Arrival | undefined;
  for (const arrival of arrivals) {
    const { to, file, symbol, mask, isGuess } = arrival;
    const isKnown = last?.to === to && last.file === file && last.symbol === symbol;
    last = arrival;
    if (targets.at(-1)?.symbol !== to) targets.push({ symbol: to, guesses: 0, dependents: [] });
    const target = targets.at(-1) as (typeof targets)[number];
    if (isGuess) target.guesses += Number(!isKnown);
    else if (isKnown) {
      const before = target.dependents.pop() as Dependent;
      target.dependents.push({ file, symbol, mask: joinMasks(before.mask, mask) });
    } else target.dependents.push({ file, symbol, mask });
  }
  return targets;
}

/** Entries of the names of some files, which stand in the order of their numbers, and of those that exports give them. */
function nameEntries({ files, edges }: GroupCode): TableEntry[] {
  const whole: NamedPlace[] = [];
  const qualified: NamedPlace[] = [];
  const tails: (NamedPlace & { readonly key: ByteKey })[] = [];
  for (const [file, { language, symbols }] of files.entries()) {
    for (const [symbol, record] of symbols.entries()) {
      const { name, kind, rank, parent } = record;
      const place: NamedPlace = { file, symbol, kind, rank, name, ...reachOf(language, symbols, record) };
      whole.push(place);
      const container = containerName(record, symbols[parent]);
      if (container !== "") qualified.push({ ...place, name: qualifiedName(container, name) });
      for (const { key, tail } of tailsOf(name)) tails.push({ ...place, name: tail, key });
    }
  }
  for (const { file, symbol, name } of exportedNames(edges)) {
    const { language, symbols } = files[file] as FileRecord;
    const record = symbols[symbol] as FileRecord["symbols"][number];
    if (record.name === name) continue;
    const { kind, rank } = record;
    whole.push({ file, symbol, kind, rank, name, ...reachOf(language, symbols, record) });
  }
  return sortEntries([
    ...[...Map.groupBy(whole, ({ name }) => foldSymbolName(name))].flatMap(([name, list]) =>
      listEntries("whole", name, list),
    ),
    ...[...Map.groupBy(qualified, ({ name }) => foldCase(name))].flatMap(([name, list]) =>
      listEntries("qualified", name, list),
    ),
    ...[...Map.groupBy(tails, ({ key }) => key)].map(([key, list]) => tailEntry(key, list)),
  ]);
}

function reachOf(...named: Parameters<typeof isExported>): Pick<NamedPlace, "exported" | "isPublic"> {
  return { exported: isExported(...named), isPublic: isPublic(...named) };
}

/** Names that exports and re-exports give to symbols, each once. */
function exportedNames(edges: readonly (readonly EdgeRecord[])[]): Iterable<{
  readonly file: number;
  readonly symbol: number;
  readonly name: string;
}> {
  const found = new Map<string, { readonly file: number; readonly symbol: number; readonly name: string }>();
  for (const { kind, to, otherName } of edges.flat()) {
    if (otherName === undefined || kind === "imports" || otherName.name === "default") continue;
    if (!("file" in to) || to.symbol < 0) continue;
    found.set(`${to.file} ${to.symbol} ${otherName.name}`, { ...to, name: otherName.name });
  }
  return found.values();
}

function listEntries(region: "whole" | "qualified", folded: string, places: NamedPlace[]): TableEntry[] {
  places.sort(comparePlaces);
  const entries: TableEntry[] = [];
  for (let from = 0; from < places.length; from += PIECE_SYMBOLS) {
    const value = encodeNameList(folded, places.length, places.slice(from, from + PIECE_SYMBOLS));
    entries.push({ key: keyOfName(region, folded, from / PIECE_SYMBOLS), value });
  }
  return entries;
}

/** The best symbols of a tail: all of them stand under the whole name. */
function tailEntry(key: ByteKey, places: NamedPlace[]): TableEntry {
  places.sort(comparePlaces);
  const folded = foldCase(places[0]?.name ?? "");
  return { key, value: encodeNameList(folded, places.length, places.slice(0, TAIL_SYMBOLS)) };
}

/** Entries of the table `packages`. */
export function packageEntries({ packages }: Pick<GroupCode, "packages">): TableEntry[] {
  return sortEntries(
    packages.map((own) => ({
      key: keyOfPackage(own),
      value: encodePackage({
        ...own,
        imports: bound(own.imports, MAX_NEIGHBOURS),
        importedBy: bound(own.importedBy, MAX_NEIGHBOURS),
        external: bound(own.external, MAX_NEIGHBOURS),
        modules: bound(own.modules, MAX_EXPORT_NAMES),
        exports: bound([...new Set(own.exports.map(({ name }) => name))], MAX_EXPORT_NAMES),
      }),
    })),
  );
}

/** Entries of the table `exports`. */
export function exportEntries({ files, packages, api }: Pick<GroupCode, "files" | "packages" | "api">): TableEntry[] {
  const { entries = [], modules = [] } = api ?? {};
  const idOfFile = (file: number): string => files[file]?.id ?? "";
  const encode = (names: readonly ExportedName[], outside: readonly string[]) =>
    encodeExports({ outside, names: names.map((name) => toExportEntry(files, name)) });
  const given = new Map(modules.map((module) => [module.file, module.names]));
  // Files of packages, not of parts of theirs.
  const main = new Set(entries.flatMap(({ name, file }) => (/^(?:@[^/]+\/)?[^/]+$/.test(name) ? [file] : [])));
  const namespaces = modules.flatMap(({ file, names }) =>
    names.flatMap(({ name, to }) =>
      to !== undefined && "file" in to && to.symbol < 0 && name !== "default"
        ? [{ name: foldSymbolName(name), target: idOfFile(to.file), isMain: main.has(file) }]
        : [],
    ),
  );
  return sortEntries([
    ...entries.map(({ name, file }) => ({
      key: keyOfExports("entry", name),
      value: encodeImported({ total: given.get(file)?.length ?? 0, files: [idOfFile(file)] }),
    })),
    ...modules.map(({ file, names, outside }) => ({
      key: keyOfExports("module", idOfFile(file)),
      value: encode(names, outside),
    })),
    ...[...Map.groupBy(namespaces, ({ name }) => name)].map(([name, list]) => {
      const first = new Set(list.flatMap(({ target, isMain }) => (isMain ? [target] : [])));
      const all = new Set([...first, ...list.map(({ target }) => target)]);
      return { key: keyOfExports("namespace", name), value: encodeImported({ total: first.size, files: [...all] }) };
    }),
    ...packages.flatMap(({ module, name, modules: own, exports }) =>
      own.length > 0 || exports.length === 0
        ? []
        : [{ key: keyOfExports("package", module, name), value: encode(exports, []) }],
    ),
  ]);
}

function toExportEntry(files: GroupCode["files"], { name, typeOnly, to }: ExportedName): ExportEntry {
  if (to === undefined || "id" in to) return { form: "unknown", name, target: "", path: "" };
  if ("external" in to) return { form: "outside", name, target: to.external, path: "" };
  const { id, symbols } = files[to.file] as FileRecord;
  const symbol = symbols[to.symbol];
  if (symbol === undefined) return { form: "module", name, target: id, path: "" };
  return { form: typeOnly ? "type" : "value", name, target: id, path: symbol.path === name ? "" : symbol.path };
}

function bound<T>(list: readonly T[], most: number): Bounded<T> {
  return { total: list.length, list: list.slice(0, most) };
}
