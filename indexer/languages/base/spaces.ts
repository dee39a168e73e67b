/**
 * Namespaces that several files share: packages, namespaces, folders or modules, as the family of the files says.
 *
 * A namespace is keyed by its family and its name with `.` between the parts.
 */
import type { CodeWorld, Entity, Family, SpaceOf, Spaces } from "./language.ts";
import type { Manifests } from "./manifests.ts";
import { addToList, NOTHING, pickSymbol } from "./world.ts";

interface Space {
  readonly files: Set<number>;
  readonly names: Map<string, number[]>;
}

/** Namespaces of all files. */
export function createSpaces(world: CodeWorld, manifests: Pick<Manifests, "list">): Spaces {
  const spaces = new Map<string, Space>();
  const ofSymbol = new Int32Array(world.symbolCount).fill(NOTHING);
  const namesOf = new Map([...new Set(world.families)].map((family) => [family, family.spaceOf?.(world, manifests)]));
  const addNames = (family: Family, key: string, file: number, names: ReadonlyMap<string, readonly number[]>): void => {
    const space = note(spaces, key);
    space.files.add(file);
    for (const [name, symbols] of names) {
      for (const symbol of symbols) {
        addToList(space.names, name, symbol);
        ofSymbol[symbol] = world.space(key);
        const inner = innerOf(world, file, symbol);
        if (inner === undefined) continue;
        if (family.hasOpenSpaces === true && key === `${family.name} `) {
          for (const [nested, declared] of inner) for (const it of declared) addToList(space.names, nested, it);
        }
        addNames(family, inside(key, dotted(name)), file, inner);
      }
    }
  };
  const ofFile = world.files.map((_, file) => {
    const family = world.families[file] as Family;
    const name = namesOf.get(family)?.(file);
    if (name === undefined) return NOTHING;
    const key = `${family.name} ${name}`;
    addNames(family, key, file, world.names(file).top);
    return world.space(key);
  });
  const inFolders = [...namesOf.keys()].filter(({ hasFolderSpaces }) => hasFolderSpaces).map(({ name }) => `${name} `);
  for (const key of spaces.keys()) {
    const parent = key.lastIndexOf(".");
    if (parent > 0 && !inFolders.some((family) => key.startsWith(family))) note(spaces, key.slice(0, parent));
  }
  const spaceOf = (entity: Entity): Space | undefined => {
    const outside = world.outside(entity);
    return outside?.kind === "space" ? spaces.get(outside.key) : undefined;
  };
  const find = (family: Family, name: string): Entity => {
    const key = `${family.name} ${name}`;
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

/** The namespace that a file declares at its top. */
export const declaredSpace: SpaceOf = (world) => (file) => dotted(world.codeOf(file).namespace);

/** The same where namespaces may have a body: they are symbols then. */
export const declaredOrInnerSpace: SpaceOf = (world) => (file) => {
  const tops = [...world.names(file).top.values()];
  const hasBody = tops.some((symbols) => innerOf(world, file, symbols[0] as number) !== undefined);
  return hasBody ? "" : dotted(world.codeOf(file).namespace);
};

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
