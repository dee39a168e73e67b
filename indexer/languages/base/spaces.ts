/**
 * Namespaces that several files share: packages of Java, Kotlin and Scala, namespaces of C#, PHP and C++, folders of Go,
 * modules of Swift, and all of Ruby.
 *
 * A namespace is keyed by its family and its name with `.` between the parts. Pure.
 */

import type { Manifests } from "./manifests.ts";
import {
  addToList,
  baseName,
  type CodeFamily,
  type CodeWorld,
  type Entity,
  folderOfPlace,
  foldersAround,
  NOTHING,
  pickSymbol,
} from "./world.ts";

/** See the header. */
export interface Spaces {
  /** The namespace of that name; `NOTHING` where no file declares it. */
  readonly find: (family: CodeFamily, name: string) => Entity;
  /** What a namespace holds by that name: a symbol, or a namespace inside. */
  readonly member: (space: Entity, name: string, wantType: boolean) => Entity;
  /** All declarations of a name directly in a namespace. */
  readonly declarations: (space: Entity, name: string) => readonly number[];
  /** Namespace that a symbol stands directly in; `NOTHING` for members and for languages without. */
  readonly ofSymbol: (symbol: number) => Entity;
  /** Files that share a namespace, in order. */
  readonly filesOf: (space: Entity) => readonly number[];
  /** Namespace that the symbols at the top of a file belong to; `NOTHING` for languages without. */
  readonly ofFile: (file: number) => Entity;
  /** What a dotted name from the outermost namespace on leads to: the longest namespace in it, then what that holds. */
  readonly walk: (family: CodeFamily, parts: readonly string[], wantType: boolean) => { entity: Entity; used: number };
}

interface Space {
  readonly files: Set<number>;
  readonly names: Map<string, number[]>;
}

const SPACED: ReadonlySet<CodeFamily> = new Set(["jvm", "csharp", "php", "go", "swift", "ruby", "c"]);

/** Namespaces of all files. */
export function createSpaces(world: CodeWorld, { list }: Pick<Manifests, "list">): Spaces {
  const swiftFolders = new Set(list.filter(({ kind }) => kind === "swift").map(({ folder }) => folder));
  const spaces = new Map<string, Space>();
  const ofSymbol = new Int32Array(world.symbolCount).fill(NOTHING);
  const addNames = (key: string, file: number, names: ReadonlyMap<string, readonly number[]>): void => {
    const space = note(spaces, key);
    space.files.add(file);
    for (const [name, symbols] of names) {
      for (const symbol of symbols) {
        addToList(space.names, name, symbol);
        ofSymbol[symbol] = world.space(key);
        const inner = innerOf(world, file, symbol);
        if (inner === undefined) continue;
        // C++ sees into namespaces by `using` and from inside of them: its names are found wherever they stand.
        if (key === "c ") {
          for (const [nested, declared] of inner) for (const it of declared) addToList(space.names, nested, it);
        }
        addNames(inside(key, dotted(name)), file, inner);
      }
    }
  };
  const ofFile = world.files.map((_, file) => {
    const family = world.families[file] as CodeFamily;
    if (!SPACED.has(family)) return NOTHING;
    const key = `${family} ${nameOf(world, file, swiftFolders)}`;
    addNames(key, file, world.names(file).top);
    return world.space(key);
  });
  for (const key of spaces.keys()) {
    const parent = key.lastIndexOf(".");
    if (parent > 0 && !key.startsWith("go ")) note(spaces, key.slice(0, parent));
  }
  const spaceOf = (entity: Entity): Space | undefined => {
    const outside = world.outside(entity);
    return outside?.kind === "space" ? spaces.get(outside.key) : undefined;
  };
  const find = (family: CodeFamily, name: string): Entity => {
    const key = `${family} ${name}`;
    return spaces.has(key) ? world.space(key) : NOTHING;
  };
  const member = (space: Entity, name: string, wantType: boolean): Entity => {
    const found = pickSymbol(world, spaceOf(space)?.names.get(name), wantType);
    if (found !== NOTHING) return found;
    const outside = world.outside(space);
    if (outside?.kind !== "space") return NOTHING;
    const key = inside(outside.key, name);
    return spaces.has(key) ? world.space(key) : NOTHING;
  };
  return {
    find,
    member,
    declarations: (space, name) => spaceOf(space)?.names.get(name) ?? [],
    ofSymbol: (symbol) => ofSymbol[symbol] as Entity,
    filesOf: (space) => [...(spaceOf(space)?.files ?? [])],
    ofFile: (file) => ofFile[file] as Entity,
    walk: (family, parts, wantType) => {
      for (let used = parts.length; used > 0; used--) {
        const space = find(family, parts.slice(0, used).join("."));
        if (space === NOTHING) continue;
        const inside = used < parts.length ? member(space, parts[used] as string, wantType) : NOTHING;
        return inside === NOTHING ? { entity: space, used } : { entity: inside, used: used + 1 };
      }
      return { entity: NOTHING, used: 0 };
    },
  };
}

/** A namespace as it is written, with `.` between its parts. */
export function dotted(name: string): string {
  return name.replace(/^(?:\\|::)+/, "").replace(/\\|::|\//g, ".");
}

function nameOf(world: CodeWorld, file: number, swiftFolders: ReadonlySet<string>): string {
  const place = world.places[file] as string;
  const { namespace } = (world.files[file] as CodeWorld["files"][number]).code;
  switch (world.families[file]) {
    case "go":
      // Tests of a package from outside have a package of their own in its folder.
      return `${folderOfPlace(place)}${namespace.endsWith("_test") ? ":test" : ""}`;
    case "swift":
      return swiftModule(place, swiftFolders);
    case "ruby":
      return "";
    case "csharp":
    case "php":
      // Namespaces with a body are symbols themselves.
      return [...world.names(file).top.values()].some(
        (symbols) => innerOf(world, file, symbols[0] as number) !== undefined,
      )
        ? ""
        : dotted(namespace);
    default:
      return dotted(namespace);
  }
}

/** Sources of a Swift package lie in one folder a module: `Sources/NAME`, `Tests/NAME`. */
function swiftModule(place: string, packages: ReadonlySet<string>): string {
  for (const folder of foldersAround(folderOfPlace(place))) {
    if (/^(?:Sources|Tests|Source)$/.test(baseName(folderOfPlace(folder)))) return baseName(folder);
    if (packages.has(folder)) return baseName(folder);
  }
  return "";
}

/** Names inside of a namespace that is a symbol. */
function innerOf(world: CodeWorld, file: number, symbol: number): ReadonlyMap<string, readonly number[]> | undefined {
  return world.symbol(symbol).kind === "namespace" ? world.names(file).members.get(symbol) : undefined;
}

function inside(key: string, name: string): string {
  return key.endsWith(" ") ? key + name : `${key}.${name}`;
}

function note(spaces: Map<string, Space>, key: string): Space {
  const space = spaces.get(key) ?? { files: new Set(), names: new Map() };
  spaces.set(key, space);
  return space;
}
