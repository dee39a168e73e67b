/**
 * Symbols by name or position: one, several to choose from, or none.
 *
 * Overloads, a getter with its setter, a prototype with its definition and the parts of a type are each one symbol. Uses
 * lead to its first declaration; edges of a body leave from the last.
 */

import { isBefore, type OtherName } from "../format/code-model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { factsOf } from "../text/code-languages.ts";
import { nearestNames } from "../text/nearest.ts";
import { outgoingEdges, type UseTarget } from "./edges.ts";
import { findSymbols } from "./find-symbols.ts";
import { inheritedMembers } from "./hierarchy.ts";
import {
  declarationsOf,
  filesNamed,
  loadFileWithEdges,
  loadPlaces,
  loadPlacesWithEdges,
  loadSymbols,
  symbolAt,
  symbolsInFiles,
} from "./load-files.ts";
import type { LoadedFile, LoadedSymbol } from "./model.ts";
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

/** A position in a file, 1-based, columns in UTF-16 units. */
interface CodePlace {
  readonly documentId: string;
  readonly line: number;
  readonly column: number;
}

/** Symbols of one name that are read. */
const MAX_NAMED = 60;
const MAX_NEAREST = 5;
/** Types of one name whose bases are gone through for a member. */
const MAX_HEIRS = 5;
/** Members of a container that are compared with a name that none of them has. */
const MAX_MEMBERS = 100;

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

const NONE: NamedSymbols = { symbols: [], total: 0, nearest: [] };

/**
 * The symbols that a text names: `collection:path#Container.name`, the same without collection or with the end of the path,
 * `Container.name`, a name, or `path:12` for what that line declares or lies in. One that is written exactly so comes before those in
 * another case.
 */
export async function resolveSymbol(reader: IndexReader, text: string): Promise<NamedSymbols> {
  const [, path = "", line = ""] = /^(.+?):(\d+)(?:[-:]\d+)?$/.exec(text) ?? [];
  const lined = path === "" ? [] : await filesNamed(reader, path);
  if (lined.length > 0) {
    const files = [...(await loadPlaces(reader, lined)).values()];
    return allOf(files.flatMap((file) => symbolOnLine(file, Number(line)) ?? []));
  }
  const inFiles = await symbolsInFiles(reader, text);
  if (inFiles !== undefined) return resolveInFiles(reader, inFiles, text.slice(text.indexOf("#", 1) + 1));
  const [, bare = text, ordinal] = /^(.+)(~\d+)$/.exec(text) ?? [];
  const named = await symbolsOfName(reader, bare);
  if (ordinal !== undefined) {
    const own = named.symbols.filter(({ record }) => record.path === text || record.path.endsWith(`.${text}`));
    return own.length > 0 ? allOf(own) : { ...NONE, nearest: [bare] };
  }
  if (named.symbols.length > 0) return named;
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
  return { ...NONE, nearest: [...new Set(near)].slice(0, MAX_NEAREST) };
}

function allOf(symbols: readonly LoadedSymbol[]): NamedSymbols {
  return { symbols, total: symbols.length, nearest: [] };
}

/** Symbols that are written like a name, else those in another case. */
async function symbolsOfName(reader: IndexReader, text: string): Promise<NamedSymbols> {
  const request = { query: text, exactOnly: true, offset: 0, limit: MAX_NAMED };
  const { symbols, total } = await findSymbols(reader, request);
  const exact = symbols.filter(({ match }) => match === "exact");
  // What is exported under a name counts where nothing is that has it at the top of its file, and behind what has it.
  const declared = exact.filter(({ record }) => text.endsWith(record.name));
  const isTop = declared.some(({ record }) => record.parent < 0 && record.flags.includes("exported"));
  const best = isTop ? declared : [...declared, ...exact.filter((one) => !declared.includes(one))];
  const isCut = best.length === symbols.length || best.length === 0;
  return { ...allOf(best.length > 0 ? best : symbols), ...(isCut && { total }) };
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
): Promise<NamedSymbols | undefined> {
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
  return { ...allOf([...found.values()].map(({ symbol }) => symbol)), ...(found.size === 1 && { heir: first.heir }) };
}

/** Members of the container that a qualified name begins with, as they would be written. */
async function membersNear(reader: IndexReader, text: string): Promise<string[]> {
  const container = text.split(/[.#]|::/).at(-2);
  if (!container) return [];
  const found = await findSymbols(reader, { query: `${container}.*`, offset: 0, limit: MAX_MEMBERS });
  return found.symbols.map(({ record }) => `${container}.${record.name}`);
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

async function resolveInFiles(
  reader: IndexReader,
  { files, symbols }: NonNullable<Awaited<ReturnType<typeof symbolsInFiles>>>,
  name: string,
): Promise<NamedSymbols> {
  if (symbols.length > 0) return allOf(symbols);
  const split = name.lastIndexOf(".");
  const types = split > 0 ? await symbolsInFiles(reader, `${files[0]?.record.id}#${name.slice(0, split)}`) : undefined;
  const inherited = await resolveInherited(reader, types?.symbols.slice(0, MAX_HEIRS) ?? [], name.slice(split + 1));
  if (inherited !== undefined) return inherited;
  const names = files.flatMap(({ record }) => record.symbols.map(({ path }) => path));
  return { ...NONE, nearest: nearestNames(name, names, MAX_NEAREST) };
}
