/**
 * Declarations that have to change their name together: overloads, declarations that merge, and of members those that
 * override or implement one another.
 *
 * The family of a member is looked for through types, not through edges between members alone: a class can make a
 * method of one base the implementation of another's without declaring it. And what derives from a symbol: types that extend or
 * implement it, members that override it, directly or through one another.
 */
import {
  containerPath,
  type EdgeKind,
  type EdgeTier,
  type SymbolKind,
  type SymbolRecord,
} from "../format/code-model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { type IncomingEdge, incomingEdges, outgoingEdges } from "./edges.ts";
import { BASES, basesOf } from "./hierarchy.ts";
import { loadPlaces, loadPlacesWithEdges, nameOf, symbolAt } from "./load-files.ts";
import type { LoadedFile, LoadedSymbol } from "./model.ts";
import { mainDeclarations, standsApart } from "./resolve-symbol.ts";

/** Kinds of what is reached through its container: a constructor is not, it has that one's name. */
const REACHED_KINDS: ReadonlySet<SymbolKind> = new Set(["method", "property", "field", "enumMember"]);
/** Kinds whose declarations of one name are one. */
const MERGING: ReadonlySet<SymbolKind> = new Set([
  "class",
  "interface",
  "namespace",
  "enum",
  "struct",
  "trait",
  "record",
]);
/** Kinds whose members others override. */
const INHERITED: ReadonlySet<SymbolKind> = new Set(["class", "interface", "struct", "trait", "record", "typeAlias"]);
/** Kinds of what may hold an object that is written out. */
const OBJECT_HOLDERS: ReadonlySet<SymbolKind> = new Set(["constant", "variable", "property", "field"]);
/** Types that have members of the type that they are given. */
const PARTS: ReadonlySet<string> = new Set(["Omit", "Pick", "Partial", "Required", "Readonly"]);
/** Types of a hierarchy that are gone through; and edges of one step. */
const MAX_TYPES = 400;
const MAX_STEPS = 12;
const MAX_EDGES = 1_000;
/** Places at which members of other types are looked for. */
const MAX_SHARED_EDGES = 5_000;
const SURE: readonly EdgeTier[] = ["precise", "scope", "receiver"];

/** A base of which the index has no members. */
export interface ForeignBase {
  readonly type: LoadedSymbol;
  /** As written, or `npm:react` where it is known from where it comes. */
  readonly base: string;
}

interface RenameFamily {
  /** The symbol first. */
  readonly symbols: readonly LoadedSymbol[];
  /** Types of the hierarchy that may say themselves what the member is called. */
  readonly foreignBases: readonly ForeignBase[];
  /** False where a bound was met. */
  readonly isWhole: boolean;
}

/** Whether a symbol is reached through what it is a member of. */
export function isMember({ record, inFile }: Pick<LoadedSymbol, "record" | "inFile">): boolean {
  return REACHED_KINDS.has(record.kind) && inFile.symbols[record.parent] !== undefined;
}

/** Whether a symbol holds an object of a declared type: what is written in it is what that type says. */
export function holdsTypedObject({ kind, type }: Pick<SymbolRecord, "kind" | "type">): boolean {
  return OBJECT_HOLDERS.has(kind) && type !== "";
}

/**
 * Declarations that are renamed together with a symbol. A step of the hierarchy takes up to four waves; where declarations
 * stand apart, three more.
 */
export async function findFamily(reader: IndexReader, symbol: LoadedSymbol): Promise<RenameFamily> {
  return addShared(reader, await findByTypes(reader, symbol));
}

async function findByTypes(reader: IndexReader, symbol: LoadedSymbol): Promise<RenameFamily> {
  if (!standsApart(symbol)) return findDeclared(reader, symbol);
  // Types know the declarations inside of them; the definitions of all of these are renamed, too.
  const named = [{ id: symbol.id }];
  const { edges } = await incomingEdges(reader, named, { kinds: ["declares"] }, { offset: 0, limit: MAX_EDGES });
  const inType = edges
    .map(({ from }) => from)
    .find((from) => from !== undefined && isMember(from) && isInherited(from));
  const family = await findDeclared(reader, inType ?? symbol);
  const mains = await mainDeclarations(reader, family.symbols);
  return { ...family, symbols: distinct([symbol, ...family.symbols, ...mains]) };
}

/** With the members of other types that one of its places means as well: a member of a union is one of each of its types. */
async function addShared(reader: IndexReader, family: RenameFamily): Promise<RenameFamily> {
  const [first] = family.symbols;
  if (first === undefined || !isMember(first)) return family;
  const symbols = new Map(family.symbols.map((symbol) => [symbol.id, symbol]));
  const foreignBases = [...family.foreignBases];
  let { isWhole } = family;
  let fresh = family.symbols;
  for (let step = 0; fresh.length > 0 && step < MAX_STEPS; step++) {
    const targets = fresh.map(({ id }) => ({ id }));
    const { edges } = await incomingEdges(reader, targets, { tiers: SURE }, { offset: 0, limit: MAX_SHARED_EDGES });
    fresh = [];
    for (const other of await sharedAt(reader, edges, first.record.name)) {
      if (symbols.has(other.id)) continue;
      const found = await findDeclared(reader, other);
      for (const member of found.symbols) symbols.set(member.id, member);
      foreignBases.push(...found.foreignBases);
      isWhole &&= found.isWhole;
      fresh = [...fresh, ...found.symbols];
    }
  }
  return { symbols: [...symbols.values()], foreignBases, isWhole: isWhole && fresh.length === 0 };
}

/** Members of a name that the places of edges lead to. */
async function sharedAt(reader: IndexReader, edges: readonly IncomingEdge[], name: string): Promise<LoadedSymbol[]> {
  const files = new Map(edges.map(({ file }) => [nameOf(file), file]));
  const placeOf = ({ at, form }: Pick<IncomingEdge, "at" | "form">): string => `${at.line}:${at.column} ${form ?? ""}`;
  const found: LoadedSymbol[] = [];
  for (const file of await loadPlacesWithEdges(reader, [...files.values()])) {
    const places = new Set(edges.filter((edge) => nameOf(edge.file) === nameOf(file)).map(placeOf));
    const here = file.edges.filter((edge) => edge.tier !== "name" && places.has(placeOf(edge)));
    if (here.length <= places.size) continue;
    const { edges: own } = await outgoingEdges(reader, { ...file, edges: here }, {}, { offset: 0, limit: here.length });
    for (const { to } of own) {
      if (to.kind === "symbol" && to.symbol.record.name === name && isMember(to.symbol)) found.push(to.symbol);
    }
  }
  return distinct(found);
}

function isInherited({ record, inFile }: LoadedSymbol): boolean {
  return INHERITED.has(inFile.symbols[record.parent]?.kind ?? "file");
}

async function findDeclared(reader: IndexReader, symbol: LoadedSymbol): Promise<RenameFamily> {
  const declared = await declaredMember(reader, symbol);
  if (declared !== undefined) return declared;
  const family = new Map(declaredTogether(symbol).map((twin) => [twin.id, twin]));
  const isPrivate = symbol.record.flags.includes("private") || symbol.record.name.startsWith("#");
  if (!isMember(symbol) || !isInherited(symbol) || isPrivate)
    return { symbols: [...family.values()], foreignBases: [], isWhole: true };
  const isStatic = symbol.record.flags.includes("static");
  const isDown = new Set<string>();
  const isUp = new Set<string>();
  const foreignBases: ForeignBase[] = [];
  let down: LoadedSymbol[] = [...family.values()].flatMap((member) =>
    containersOf(toFile(symbol), member.record.parent),
  );
  let up: LoadedSymbol[] = [];
  let steps = 0;
  for (; down.length + up.length > 0 && steps < MAX_STEPS && isUp.size < MAX_TYPES; steps++) {
    const fresh = down.filter(({ id }) => !isDown.has(id));
    for (const { id } of fresh) isDown.add(id);
    const subtypes = await incomingEdges(
      reader,
      fresh.map(({ id }) => ({ id })),
      { kinds: [...BASES, "type"], tiers: SURE },
      { offset: 0, limit: MAX_EDGES },
    );
    down = subtypes.edges.flatMap(({ from, kind, file }) =>
      from === undefined || (kind === "type" && !isPartOf(from)) ? [] : containersOf(file, from.symbol),
    );
    const climbing = [...fresh, ...up].filter(({ id }) => !isUp.has(id));
    for (const { id } of climbing) isUp.add(id);
    const bases = await splitBases(reader, climbing);
    foreignBases.push(...bases.foreign);
    up = bases.known;
    const files = await loadPlaces(reader, [...down, ...up]);
    for (const type of [...down, ...up]) {
      const file = files.get(nameOf(type)) as LoadedFile;
      for (const [index, { parent, name, flags }] of file.record.symbols.entries()) {
        if (parent !== type.symbol || name !== symbol.record.name || flags.includes("static") !== isStatic) continue;
        const member = symbolAt(file, index);
        family.set(member.id, member);
        // What also has the member may have further subtypes, of which the first step did not know.
        if (!isDown.has(type.id)) down.push(type);
      }
    }
    down = distinct(down).filter(({ id }) => !isDown.has(id));
    up = distinct(up).filter(({ id }) => !isUp.has(id));
  }
  return { symbols: [...family.values()], foreignBases, isWhole: down.length + up.length === 0 };
}

/**
 * Of a member of an object that is written out, where the object is declared to be of a type: the family of what it is in
 * that type, and itself. Undefined for other members.
 */
async function declaredMember(reader: IndexReader, symbol: LoadedSymbol): Promise<RenameFamily | undefined> {
  const container = symbol.inFile.symbols[symbol.record.parent];
  if (container === undefined || !holdsTypedObject(container)) return undefined;
  const [file] = await loadPlacesWithEdges(reader, [symbol]);
  if (file === undefined) return undefined;
  const { line, column } = symbol.record.at;
  const here = file.edges.filter(
    ({ kind, tier, at }) => kind === "writes" && tier !== "name" && at.line === line && at.column === column,
  );
  const { edges } = await outgoingEdges(reader, { ...file, edges: here }, {}, { offset: 0, limit: 1 });
  const [edge] = edges;
  if (edge?.to.kind !== "symbol" || edge.to.symbol.id === symbol.id) {
    const foreign = { type: symbolAt(file, symbol.record.parent), base: container.type };
    return { symbols: [symbol], foreignBases: [foreign], isWhole: true };
  }
  const family = await findDeclared(reader, edge.to.symbol);
  const others = family.symbols.filter(({ id }) => id !== symbol.id);
  return { ...family, symbols: [symbol, ...others] };
}

/** Declarations in its file that are one symbol with it, itself first: overloads, accessors, parts of a type, its constructors. */
export function declaredTogether(symbol: LoadedSymbol): LoadedSymbol[] {
  const own = toFile(symbol);
  return twinsOf(own, symbol.symbol).map((index) => symbolAt(own, index));
}

/** Indexes of the declarations of the same name in the same container, the one asked for first. */
function twinsOf({ record: { symbols } }: LoadedFile, index: number): number[] {
  const own = symbols[index] as (typeof symbols)[number];
  const containers = new Set(own.parent < 0 ? [-1] : mergedWith(symbols, own.parent));
  const isStatic = own.flags.includes("static");
  const container = symbols[own.parent];
  const path = containerPath(own);
  const twins = symbols.flatMap(({ path: itsPath, name, parent, flags }, at) =>
    name === own.name &&
    containers.has(parent) &&
    // Members of two types of other files may stand side by side.
    containerPath({ path: itsPath, name }) === path &&
    // Both sides of a class may have a member of one name.
    (container === undefined || !REACHED_KINDS.has(own.kind) || flags.includes("static") === isStatic)
      ? [at]
      : [],
  );
  // A type is also what its constructors are called, in some languages.
  const constructors = symbols.flatMap(({ kind, name, parent }, at) =>
    kind === "constructor" && name === own.name && twins.includes(parent) ? [at] : [],
  );
  return [...new Set([index, ...twins, ...constructors])];
}

/** A container with the declarations that it merges with. */
function mergedWith(symbols: LoadedFile["record"]["symbols"], index: number): number[] {
  const own = symbols[index];
  if (own === undefined || !MERGING.has(own.kind)) return [index];
  return symbols.flatMap(({ name, parent, kind }, at) =>
    at === index || (name === own.name && parent === own.parent && MERGING.has(kind)) ? [at] : [],
  );
}

function containersOf(file: LoadedFile, index: number): LoadedSymbol[] {
  return mergedWith(file.record.symbols, index).map((at) => symbolAt(file, at));
}

/** Whether a type is declared to be a part of others: `implements Omit<Store, "name">`. */
function isPartOf({ record: { kind, bases } }: LoadedSymbol): boolean {
  return INHERITED.has(kind) && bases.some((base) => PARTS.has(base));
}

async function splitBases(reader: IndexReader, types: readonly LoadedSymbol[]) {
  const known: LoadedSymbol[] = [];
  const foreign: ForeignBase[] = [];
  const edges = types.length === 0 ? [] : await basesOf(reader, types);
  const ownEdges = types.map((type, at) => edges[at]?.filter(({ from }) => from === type.symbol) ?? []);
  for (const [at, type] of types.entries()) {
    for (const { to } of ownEdges[at] ?? []) {
      if (to.kind === "symbol") known.push(...containersOf(toFile(to.symbol), to.symbol.symbol));
      else foreign.push({ type, base: to.kind === "file" ? to.file.record.id : to.name });
    }
  }
  const names = new Set(known.map(({ record }) => record.name));
  for (const [at, type] of types.entries()) {
    const { bases } = type.record;
    if ((ownEdges[at]?.length ?? 0) >= bases.length) continue;
    const missing = bases.filter((base) => !names.has(base.split(/[.:\\]/).at(-1) ?? base));
    foreign.push(...missing.map((base) => ({ type, base })));
  }
  return { known, foreign };
}

function toFile({ shard, file, inFile }: LoadedSymbol): LoadedFile {
  return { shard, file, record: inFile };
}

function distinct(symbols: readonly LoadedSymbol[]): LoadedSymbol[] {
  return [...new Map(symbols.map((symbol) => [symbol.id, symbol])).values()];
}

/** Kinds of edges that lead to what something derives from. */
export const DERIVING: readonly EdgeKind[] = ["extends", "implements", "overrides"];
const MAX_LEVELS = 8;
const MAX_HEIRS = 500;
const MAX_HEIR_EDGES = 5_000;

/** Something that derives from a symbol. */
export interface Heir {
  readonly edge: IncomingEdge;
  /** What it derives from, where that is an heir itself. */
  readonly through: LoadedSymbol | undefined;
}

/** Heirs of a symbol whose direct ones are known. Up to two waves a level. `isWhole` is false where a bound was met. @param isWanted Others are no heirs. */
export async function findHeirs(
  reader: IndexReader,
  direct: readonly IncomingEdge[],
  isWanted: (edge: IncomingEdge) => boolean,
) {
  const list: Heir[] = direct.map((edge) => ({ edge, through: undefined }));
  const seen = new Set<string>();
  let level = list;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_LEVELS || list.length > MAX_HEIRS) return { list, isWhole: false };
    const types = level.flatMap(({ edge: { from } }) => {
      if (from === undefined || seen.has(from.id)) return [];
      seen.add(from.id);
      return [from];
    });
    const owners = new Map(types.flatMap((type) => declaredTogether(type).map(({ id }) => [id, type])));
    const targets = [...owners.keys()].map((id) => ({ id }));
    if (targets.length === 0) break;
    const { edges } = await incomingEdges(reader, targets, { kinds: DERIVING }, { offset: 0, limit: MAX_HEIR_EDGES });
    level = edges.flatMap((edge): Heir[] => {
      const through = "id" in edge.to ? owners.get(edge.to.id) : undefined;
      const isKnown = edge.from !== undefined && seen.has(edge.from.id);
      return isKnown || edge.tier === "name" || !isWanted(edge) ? [] : [{ edge, through }];
    });
    list.push(...level);
  }
  return { list, isWhole: true };
}
