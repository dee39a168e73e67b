/**
 * Symbols by name or position: one, several to choose from, or none.
 *
 * Overloads, a getter with its setter, a prototype with its definition and the parts of a type are each one symbol. Uses
 * lead to its first declaration; edges of a body leave from the last.
 */

import { type FileRecord, isBefore, type OtherName, withoutOrdinal } from "../format/code-model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { factsOf } from "../text/code-languages.ts";
import { nearestNames } from "../text/nearest.ts";
import { foldCase } from "../text/normalize.ts";
import { outgoingEdges, type UseTarget } from "./edges.ts";
import { findSymbols } from "./find-symbols.ts";
import { inheritedMembers } from "./hierarchy.ts";
import {
  areFilesAtHand,
  declarationsOf,
  findFiles,
  loadFileWithEdges,
  loadPlaces,
  loadPlacesWithEdges,
  loadSymbols,
  readWithFiles,
  symbolAt,
} from "./load-files.ts";
import type { FilePlace, LoadedFile, LoadedSymbol } from "./model.ts";
import { namesNear } from "./name-candidates.ts";
import { splitQualified } from "./name-query.ts";
import { findGiven } from "./packages.ts";

/**
 * What edges to a symbol lead to: each of its declarations; of a constructor also its class, where that is instantiated, as
 * `new Store()` names the class.
 */
export function useTargetsOf(symbol: LoadedSymbol): UseTarget[] {
  const own = declarationsOf(symbol).map(({ id }): UseTarget => ({ id }));
  const { record, inFile, ...place } = symbol;
  if (record.kind !== "constructor" || inFile.symbols[record.parent] === undefined) return own;
  const ofClass = declarationsOf(symbolAt({ ...place, record: inFile }, record.parent));
  return [...own, ...ofClass.map(({ id }): UseTarget => ({ id, kinds: ["instantiates"] }))];
}

/** Whether a symbol can have declarations in other files. */
export function standsApart({ inFile }: LoadedSymbol): boolean {
  return factsOf(inFile.language).hasSplitDeclarations === true;
}

/**
 * The main declaration of each symbol, in the order given: itself where it is one. Two waves where some symbols can have
 * others, else none.
 */
export async function mainDeclarations(
  reader: IndexReader,
  symbols: readonly LoadedSymbol[],
): Promise<readonly LoadedSymbol[]> {
  const apart = symbols.filter(standsApart);
  if (apart.length === 0) return symbols;
  const files = await loadPlacesWithEdges(reader, apart);
  const mains = new Map<LoadedSymbol, LoadedSymbol>();
  for (const [at, symbol] of apart.entries()) {
    const file = files[at];
    if (file === undefined) continue;
    const from = new Set([symbol.symbol]);
    const { edges } = await outgoingEdges(reader, file, { kinds: ["declares"], from }, { offset: 0, limit: 1 });
    const [edge] = edges;
    if (edge?.to.kind === "symbol") mains.set(symbol, edge.to.symbol);
  }
  return symbols.map((symbol) => mains.get(symbol) ?? symbol);
}

/** What a text names. */
type ResolvedSymbol =
  /** `heir` is the type that was named, where the symbol is a member of one of its bases. */
  | { readonly kind: "one"; readonly symbol: LoadedSymbol; readonly heir?: LoadedSymbol }
  /** The best of `total`, best first. */
  | { readonly kind: "several"; readonly candidates: readonly LoadedSymbol[]; readonly total: number }
  /** Names that may be meant, best first. */
  | { readonly kind: "none"; readonly nearest: readonly string[] };

/** A position in a file, 1-based, columns in UTF-16 units. */
interface CodePlace {
  readonly documentId: string;
  readonly line: number;
  readonly column: number;
}

/** Candidates that are shown where a name is that of several symbols. */
const MAX_CANDIDATES = 10;
const MAX_NEAREST = 5;
/** Types of one name whose bases are gone through for a member. */
const MAX_HEIRS = 5;
/** Members of a container that are compared with a name that none of them has. */
const MAX_MEMBERS = 100;

/**
 * The symbol that a text names: `collection:path#Container.name`, the same without collection or with the end of the path,
 * `Container.name`, or a name. One that is written exactly so comes before those in another case.
 */
export async function resolveSymbol(reader: IndexReader, text: string): Promise<ResolvedSymbol> {
  const at = text.indexOf("#", 1);
  if (at > 0) {
    const inFiles = await symbolsInFiles(reader, text);
    if (inFiles !== undefined) return resolveInFiles(reader, inFiles, text.slice(at + 1));
  }
  const [, bare = text, ordinal] = /^(.+)(~\d+)$/.exec(text) ?? [];
  const found = await findSymbols(reader, { query: bare, exactOnly: true, offset: 0, limit: MAX_CANDIDATES });
  if (ordinal !== undefined)
    return oneOf(
      found.symbols.filter(({ record }) => endsWithPath(record.path, text)),
      text,
    );
  const named = found.symbols.filter(({ match }) => match === "exact");
  // What is called so where it is declared comes before what is exported under that name.
  const declared = named.filter(({ record }) => bare.endsWith(record.name));
  const exact = declared.length > 0 ? declared : named;
  // All of the best are on the page, unless it is full of them.
  const isOne = exact.length === 1 || (exact.length === 0 && found.total === 1);
  const best = exact[0] ?? found.symbols[0];
  if (best !== undefined && isOne) return { kind: "one", symbol: best };
  if (best !== undefined && exact.length > 0 && exact.length < found.symbols.length) {
    return { kind: "several", candidates: exact, total: exact.length };
  }
  if (best !== undefined) return { kind: "several", candidates: found.symbols, total: found.total };
  const { segments } = splitQualified(text);
  const container = segments.slice(0, -1).join(".");
  if (container !== "") {
    const types = await findSymbols(reader, { query: container, exactOnly: true, offset: 0, limit: MAX_HEIRS });
    const inherited = await resolveInherited(reader, types.symbols, segments.at(-1) as string);
    if (inherited !== undefined) return inherited;
  }
  const near = [
    ...(await findGiven(reader, text)).nearest,
    ...nearestNames(text, await membersNear(reader, text), MAX_NEAREST),
    ...nearestNames(text, await namesNear(reader, text), MAX_NEAREST),
  ];
  return { kind: "none", nearest: [...new Set(near)].slice(0, MAX_NEAREST) };
}

/** Symbols that a text names, best first. */
export interface NamedSymbols {
  readonly symbols: readonly LoadedSymbol[];
  /** Symbols of that name, which may be more than were read. */
  readonly total: number;
  /** The type that was named, where the symbol is a member of one of its bases. */
  readonly heir?: LoadedSymbol;
  /** Names that may be meant, where there is none. */
  readonly nearest: readonly string[];
}

/** Symbols of one name that are read. */
const MAX_NAMED = 60;

/** Finds every symbol that a text names, in the forms of `resolveSymbol`; `path:12` names what that line declares or lies in. */
export async function resolveAll(reader: IndexReader, text: string): Promise<NamedSymbols> {
  const [, path = "", line = ""] = /^(.+?):(\d+)(?:[-:]\d+)?$/.exec(text) ?? [];
  if (path !== "") {
    const files = [...(await loadPlaces(reader, await placesOf(reader, path))).values()];
    const symbols = files.flatMap((file) => symbolOnLine(file, Number(line)) ?? []);
    if (files.length > 0) return { symbols, total: symbols.length, nearest: [] };
  }
  const isPlain = text.indexOf("#", 1) < 0 && !/~\d+$/.test(text);
  const named = isPlain ? await symbolsOfName(reader, text) : await symbolsInFiles(reader, text);
  if (named !== undefined && named.symbols.length > 0) return { total: named.symbols.length, ...named, nearest: [] };
  const found = await resolveSymbol(reader, text);
  if (found.kind === "none") return { symbols: [], total: 0, nearest: found.nearest };
  if (found.kind === "several") return { symbols: found.candidates, total: found.total, nearest: [] };
  return { ...found, symbols: [found.symbol], total: 1, nearest: [] };
}

/** Symbols that are written like a name, else those in another case. */
async function symbolsOfName(reader: IndexReader, text: string) {
  const request = { query: text, exactOnly: true, offset: 0, limit: MAX_NAMED };
  const { symbols, total } = await findSymbols(reader, request);
  const exact = symbols.filter(({ match }) => match === "exact");
  const declared = exact.filter(({ record }) => text.endsWith(record.name));
  // What is exported under a name counts where nothing is that has it at the top of its file.
  const isTop = declared.some(({ record }) => record.parent < 0 && record.flags.includes("exported"));
  const best = [isTop ? declared : [], [...declared, ...exact.filter((one) => !declared.includes(one))]].find(
    ({ length }) => length > 0,
  );
  const isCut = best?.length === symbols.length || best === undefined;
  return { symbols: best ?? symbols, total: isCut ? total : best.length };
}

/** The symbol that a line declares, else the innermost around it. */
function symbolOnLine(file: LoadedFile, line: number): LoadedSymbol | undefined {
  const { symbols } = file.record;
  const declared = symbols.findIndex(({ at }) => at.line === line);
  // A container stands before its members.
  const around = symbols.flatMap(({ start, end }, at) => (start.line <= line && line <= end.line ? [at] : [])).at(-1);
  const index = declared < 0 ? around : declared;
  return index === undefined ? undefined : symbolAt(file, index);
}

/** The member of that name that types have of their bases, the nearest of each; undefined where none has one. */
async function resolveInherited(
  reader: IndexReader,
  types: readonly LoadedSymbol[],
  name: string,
): Promise<ResolvedSymbol | undefined> {
  const found = new Map<string, { readonly symbol: LoadedSymbol; readonly heir: LoadedSymbol }>();
  for (const heir of types) {
    for await (const members of inheritedMembers(reader, heir)) {
      const symbol = members.find(({ record }) => record.name === name);
      if (symbol === undefined) continue;
      found.set(symbol.id, { symbol, heir });
      break;
    }
  }
  const [first] = found.values();
  if (first === undefined) return undefined;
  if (found.size === 1) return { kind: "one", ...first };
  const candidates = [...found.values()].map(({ symbol }) => symbol);
  return { kind: "several", candidates, total: candidates.length };
}

/** Members of the container that a qualified name begins with, as they would be written. */
async function membersNear(reader: IndexReader, text: string): Promise<string[]> {
  const container = text.split(/[.#]|::/).at(-2);
  if (!container) return [];
  const found = await findSymbols(reader, { query: `${container}.*`, offset: 0, limit: MAX_MEMBERS });
  return found.symbols.map(({ record }) => `${container}.${record.name}`);
}

/** `Store.find~2` is the second of that name in some file. */
function endsWithPath(path: string, wanted: string): boolean {
  return path === wanted || path.endsWith(`.${wanted}`);
}

function oneOf(symbols: readonly LoadedSymbol[], text: string): ResolvedSymbol {
  const [symbol] = symbols;
  if (symbol === undefined) return { kind: "none", nearest: [withoutOrdinal(text)] };
  return symbols.length === 1
    ? { kind: "one", symbol }
    : { kind: "several", candidates: symbols, total: symbols.length };
}

/**
 * The symbol at a position: the one whose name stands there, what is used there, or the innermost that the position lies
 * in; undefined outside of all, and where there is no such file.
 */
export async function resolvePosition(
  reader: IndexReader,
  { documentId, line, column }: CodePlace,
): Promise<LoadedSymbol | undefined> {
  const file = await loadFileWithEdges(reader, documentId);
  if (file === undefined) return undefined;
  const { symbols } = file.record;
  const isHere = ({ at, name }: OtherName): boolean =>
    at.line === line && at.column <= column && column < at.column + name.length;
  const named = symbols.findIndex(isHere);
  if (named >= 0) return symbolAt(file, named);
  const renamed = file.edges.flatMap(({ to, otherName }) =>
    otherName !== undefined && isHere(otherName) && "file" in to && to.symbol >= 0
      ? [{ ...to, shard: file.shard }]
      : [],
  );
  if (renamed.length > 0) return (await loadSymbols(reader, renamed.slice(0, 1)))[0];
  const onLine = file.edges.filter(({ at, to }) => at.line === line && at.column <= column && "file" in to);
  const nearest = Math.max(...onLine.map(({ at }) => at.column));
  const targets = onLine.flatMap(({ at, to }) =>
    at.column === nearest && "file" in to && to.symbol >= 0 ? [{ ...to, shard: file.shard }] : [],
  );
  const used = (await loadSymbols(reader, targets.slice(0, 1))).find(
    ({ record }) => column < nearest + record.name.length,
  );
  if (used !== undefined) return used;
  const around = symbols.flatMap(({ start, end }, at) =>
    !isBefore({ line, column }, start) && isBefore({ line, column }, end) ? [at] : [],
  );
  // A container stands before its members.
  const innermost = around.at(-1);
  return innermost === undefined ? undefined : symbolAt(file, innermost);
}

interface SymbolsInFiles {
  readonly symbols: readonly LoadedSymbol[];
  readonly files: readonly LoadedFile[];
}

/** The symbols that `file#path` names, of each file that is meant; undefined where there is no such file. */
export async function symbolsInFiles(reader: IndexReader, text: string): Promise<SymbolsInFiles | undefined> {
  const at = text.indexOf("#", 1);
  const places = at < 0 ? [] : await placesOf(reader, text.slice(0, at));
  if (places.length === 0) return undefined;
  const files = [...(await loadPlaces(reader, places)).values()];
  return { files, symbols: files.flatMap((loaded) => symbolsNamed(loaded, text.slice(at + 1))) };
}

async function resolveInFiles(
  reader: IndexReader,
  { files, symbols: candidates }: SymbolsInFiles,
  name: string,
): Promise<ResolvedSymbol> {
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return { kind: "one", symbol: only };
  if (only !== undefined) {
    return { kind: "several", candidates: candidates.slice(0, MAX_CANDIDATES), total: candidates.length };
  }
  const split = name.lastIndexOf(".");
  const types = split > 0 ? files.flatMap((loaded) => symbolsNamed(loaded, name.slice(0, split))) : [];
  const inherited = await resolveInherited(reader, types.slice(0, MAX_HEIRS), name.slice(split + 1));
  if (inherited !== undefined) return inherited;
  const names = files.flatMap(({ record }) => record.symbols.map(({ path }) => path));
  return { kind: "none", nearest: nearestNames(name, names, MAX_NEAREST) };
}

/** The file of that id, the files of that path in some collection, or those whose paths end so. */
async function placesOf(reader: IndexReader, text: string): Promise<FilePlace[]> {
  const ids = [text, ...reader.collections.map(({ name }) => `${name}:${text}`)];
  const exact = (await findFiles(reader, ids)).filter((place) => place !== undefined);
  if (exact.length > 0 || !areFilesAtHand(reader)) return exact;
  const { lists } = await readWithFiles(reader, []);
  return [...lists]
    .flatMap(([shard, list]) =>
      list.flatMap(({ id, number }) => (id.endsWith(`/${text}`) ? [{ shard, file: number }] : [])),
    )
    .slice(0, MAX_CANDIDATES);
}

/** The symbol with that path; else all of that name, in any case where none is written so. */
function symbolsNamed(file: LoadedFile, name: string): LoadedSymbol[] {
  const where = (isMeant: (symbol: FileRecord["symbols"][number]) => boolean): LoadedSymbol[] =>
    file.record.symbols.flatMap((symbol, at) => (isMeant(symbol) ? [symbolAt(file, at)] : []));
  const folded = foldCase(name);
  for (const isMeant of [
    (symbol: FileRecord["symbols"][number]) => symbol.path === name,
    (symbol: FileRecord["symbols"][number]) => symbol.name === name,
    (symbol: FileRecord["symbols"][number]) => [symbol.name, symbol.path].some((own) => foldCase(own) === folded),
  ]) {
    const found = where(isMeant);
    if (found.length > 0) return found;
  }
  return [];
}
