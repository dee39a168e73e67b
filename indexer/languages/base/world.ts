/**
 * The world of linking: all files that are linked together with their tables, which fill on demand, the symbols that a name
 * can mean, and places of files.
 */
import { posix } from "node:path";
import { CONTAINER_KINDS, type CodeSymbol } from "./code-file.ts";
import type { CodeWorld, DeclaredNames, Entity, Family, LinkFile, Outside } from "./language.ts";

/** What a name leads to when it leads nowhere. */
export const NOTHING: Entity = -1;

/** Kinds that name a type. */
const TYPES: ReadonlySet<string> = new Set([...CONTAINER_KINDS, "typeAlias", "typeParameter"]);
/** Kinds that are nothing at run time. */
const ONLY_TYPES: ReadonlySet<string> = new Set(["interface", "typeAlias", "typeParameter"]);

/** Tables over `files`, whose places in the list are their numbers. */
export function createWorld(files: readonly LinkFile[], familyOf: (language: string) => Family): CodeWorld {
  const places = files.map(({ root, path }) => placeOf(root, path));
  const fileAt = new Map<string, number>();
  const first = new Int32Array(files.length + 1);
  for (const [number, place] of places.entries()) {
    first[number + 1] = (first[number] as number) + (files[number] as LinkFile).code.symbols.length;
    // Two collections may read one file: the first stands for it.
    if (!fileAt.has(place)) fileAt.set(place, number);
  }
  const symbolCount = first[files.length] as number;
  const owners = new Int32Array(symbolCount);
  for (let file = 0; file < files.length; file++) owners.fill(file, first[file], first[file + 1]);
  const declared: (DeclaredNames | undefined)[] = new Array(files.length);
  const families = files.map(({ code }) => familyOf(code.language));
  const outside: Outside[] = [];
  const outsideNumbers = new Map<string, Entity>();
  const intern = (key: string, make: () => Outside): Entity => {
    const known = outsideNumbers.get(key);
    if (known !== undefined) return known;
    outside.push(make());
    const entity = -1 - outside.length;
    outsideNumbers.set(key, entity);
    return entity;
  };
  return {
    files,
    families,
    places,
    fileAt,
    first,
    symbolCount,
    codeOf: (file) => (files[file] as LinkFile).code,
    fileOf: (symbol) => owners[symbol] as number,
    symbol: (symbol) => {
      const file = owners[symbol] as number;
      return (files[file] as LinkFile).code.symbols[symbol - (first[file] as number)] as CodeSymbol;
    },
    names: (file) => {
      declared[file] ??= declareNames(
        (files[file] as LinkFile).code.symbols,
        first[file] as number,
        families[file]?.hasOpenEnums === true,
      );
      return declared[file];
    },
    fileEntity: (file) => symbolCount + file,
    isSymbol: (entity) => entity >= 0 && entity < symbolCount,
    asFile: (entity) => (entity >= symbolCount ? entity - symbolCount : -1),
    external: (name) => intern(`external ${name}`, () => ({ kind: "external", name })),
    space: (key) => intern(`space ${key}`, () => ({ kind: "space", key })),
    outside: (entity) => outside[-2 - entity],
  };
}

/** Whether the symbol holds members of its own. */
export function isContainer(symbol: CodeSymbol): boolean {
  return CONTAINER_KINDS.has(symbol.kind);
}

/** Whether the symbol names a type. */
export function isType(symbol: CodeSymbol): boolean {
  return TYPES.has(symbol.kind);
}

/** Whether nothing is left of the symbol at run time. */
export function isOnlyType(symbol: CodeSymbol): boolean {
  return ONLY_TYPES.has(symbol.kind);
}

/**
 * The one of several declarations of a name that a use means: where a type is wanted the first type, else the first
 * that exists at run time. `NOTHING` of none.
 */
export function pickSymbol(world: CodeWorld, among: readonly number[] | undefined, wantType: boolean): Entity {
  if (among === undefined || among.length === 0) return NOTHING;
  if (among.length > 1) {
    for (const symbol of among) {
      const { kind } = world.symbol(symbol);
      if (wantType ? TYPES.has(kind) : !ONLY_TYPES.has(kind)) return symbol;
    }
  }
  return among[0] as number;
}

/** Members of other containers than that of a symbol, one of each, in the order of their numbers. */
export function otherMembers(world: CodeWorld, entity: Entity, among: Iterable<Entity>): readonly Entity[] {
  const containerOf = (symbol: Entity): Entity => {
    const { parent } = world.symbol(symbol);
    return parent < 0 ? NOTHING : (world.first[world.fileOf(symbol)] as number) + parent;
  };
  const others = new Map([...among].reverse().map((symbol) => [containerOf(symbol), symbol]));
  others.delete(containerOf(entity));
  others.delete(NOTHING);
  return containerOf(entity) === NOTHING ? [] : [...others.values()].sort((a, b) => a - b);
}

function declareNames(symbols: readonly CodeSymbol[], first: number, hasOpenEnums: boolean): DeclaredNames {
  const top = new Map<string, number[]>();
  const members = new Map<number, Map<string, number[]>>();
  // Containers of one name in one place are one: an interface and a class that merge, several blocks of one type.
  const merged: number[] = [];
  const firstOfName = new Map<string, number>();
  const add = (parent: number, index: number): void => {
    const { name } = symbols[index] as CodeSymbol;
    if (parent < 0) {
      addToList(top, name, first + index);
      return;
    }
    const container = first + (merged[parent] as number);
    const table = members.get(container) ?? new Map<string, number[]>();
    members.set(container, table);
    addToList(table, name, first + index);
  };
  for (const [index, symbol] of symbols.entries()) {
    let twin = index;
    if (isContainer(symbol)) {
      const key = `${merged[symbol.parent] ?? -1} ${symbol.name}`;
      twin = firstOfName.get(key) ?? index;
      firstOfName.set(key, twin);
    }
    merged.push(twin);
    // A constructor outside of its type has the name of that, which means the type.
    if (symbol.kind === "constructor" && symbol.memberOf !== undefined) continue;
    add(symbol.parent, index);
    const around = symbols[symbol.parent];
    if (hasOpenEnums && around?.kind === "enum" && !/\benum (?:class|struct)\b/.test(around.signature))
      add(around.parent, index);
  }
  for (const [index, twin] of merged.entries()) {
    const table = twin === index ? undefined : members.get(first + twin);
    if (table !== undefined) members.set(first + index, table);
  }
  return { top, members };
}

/** Place of a file of a collection whose folder is `root`. */
export function placeOf(root: string | undefined, path: string): string {
  return root === undefined || root === "." ? path : joinPlace(root, path);
}

/** Folder of a place; `""` for the top. */
export function folderOfPlace(place: string): string {
  const slash = place.lastIndexOf("/");
  return slash < 0 ? "" : place.slice(0, slash);
}

/** Parts joined to a place, `.` and `..` worked off. */
export function joinPlace(...parts: readonly string[]): string {
  const normal = posix.join(...parts).replace(/\/$/, "");
  return normal === "." ? "" : normal;
}

/** Last part of a place. */
export function baseName(place: string): string {
  return place.slice(place.lastIndexOf("/") + 1);
}

/** The folder and those around it, the innermost first; `""` is the last. */
export function* foldersAround(folder: string): Generator<string> {
  for (let at = folder; ; at = folderOfPlace(at)) {
    yield at;
    if (at === "") return;
  }
}

/** Adds a value to the list of a key, in place. */
export function addToList<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
