/**
 * Members of classes and their kin: own ones, those of other parts of the same class (`partial`, extensions, methods of
 * Go in other files), then those of bases, the nearest first. Pure.
 */

import type { Reference } from "../../parse/code/code-file.ts";
import { addToList } from "./add-to-list.ts";
import { type CodeWorld, type Entity, NOTHING } from "./code-world.ts";
import type { JoinedDeclarations } from "./join-declarations.ts";
import { dotted, type Spaces } from "./spaces.ts";

/** See the header. */
export interface Members {
  /** A member; `NOTHING` where neither the type nor its bases have it. */
  readonly find: (container: number, name: string, wantStatic: boolean) => Entity;
  /** The same in the bases of a type only. */
  readonly findInBases: (container: number, name: string, wantStatic: boolean) => Entity;
  /** Symbols that a type extends or implements, itself left out; external bases left out, too. */
  readonly basesOf: (container: number) => readonly number[];
  /** Whether a base, near or far, is not part of the corpus, so that members may stand there. */
  readonly hasForeignBase: (container: number) => boolean;
}

/** Turns a reference of a file into what it names, as a type. */
export type ResolveType = (file: number, reference: Reference) => Entity;

/** Deepest chain of bases that is followed: a bound for hostile input. */
const MAX_TYPES = 500;

/** See the header. */
export function createMembers(
  world: CodeWorld,
  spaces: Spaces,
  { mainOf }: JoinedDeclarations,
  resolveType: ResolveType,
): Members {
  const extended = createBases(world);
  const elsewhere = readElsewhere(world, spaces);
  const bases = new Map<number, { readonly known: readonly number[]; readonly isOpen: boolean }>();
  const resolveBases = (container: number) => {
    const before = bases.get(container);
    if (before !== undefined) return before;
    // While they are being resolved a type has no bases: one that extends itself ends here.
    bases.set(container, { known: [], isOpen: false });
    const file = world.fileOf(container);
    const known: number[] = [];
    let isOpen = false;
    for (const reference of extended(file, container)) {
      const base = resolveType(file, reference);
      if (base < 0 || base >= world.symbolCount) isOpen = true;
      else if (base !== container && !known.includes(base)) known.push(base);
    }
    const resolved = { known, isOpen };
    bases.set(container, resolved);
    return resolved;
  };
  const partsOf = (container: number): readonly number[] => {
    const symbol = world.symbol(container);
    const space = spaces.ofSymbol(container);
    if (space === NOTHING) return [container];
    // C# says which types have parts; two types of one name may differ in their type arguments.
    const isSaid = world.families[world.fileOf(container)] === "csharp";
    const others = spaces
      .declarations(space, symbol.name)
      .filter(
        (other) =>
          other !== container &&
          world.symbol(other).kind === symbol.kind &&
          (!isSaid || mainOf(other) === mainOf(container)),
      );
    return others.length === 0 ? [container] : [container, ...others];
  };
  const findOwn = (container: number, name: string, wantStatic: boolean): Entity => {
    for (const part of partsOf(container)) {
      const own = world.names(world.fileOf(part)).members.get(part)?.get(name);
      const found = pickMember(world, own, wantStatic);
      if (found !== NOTHING) return found;
    }
    return pickMember(world, elsewhere(container, name), wantStatic);
  };
  const search = (container: number, name: string, wantStatic: boolean, seen: Set<number>): Entity => {
    if (seen.has(container) || seen.size > MAX_TYPES) return NOTHING;
    seen.add(container);
    const own = findOwn(container, name, wantStatic);
    return own === NOTHING ? searchBases(container, name, wantStatic, seen) : own;
  };
  const searchBases = (container: number, name: string, wantStatic: boolean, seen: Set<number>): Entity => {
    for (const part of partsOf(container)) {
      for (const base of resolveBases(part).known) {
        const found = search(base, name, wantStatic, seen);
        if (found !== NOTHING) return found;
      }
    }
    return NOTHING;
  };
  return {
    find: (container, name, wantStatic) => search(container, name, wantStatic, new Set()),
    findInBases: (container, name, wantStatic) => searchBases(container, name, wantStatic, new Set([container])),
    basesOf: (container) => resolveBases(container).known,
    hasForeignBase: (container) => {
      const all = new Set([container]);
      for (const at of all) {
        for (const part of partsOf(at)) {
          if (resolveBases(part).isOpen) return true;
          for (const base of resolveBases(part).known) all.add(base);
        }
      }
      return false;
    },
  };
}

/** The member of the wanted side; where the language does not tell the sides apart, the first. */
function pickMember(world: CodeWorld, among: readonly number[] | undefined, wantStatic: boolean): Entity {
  const [first] = among ?? [];
  if (among === undefined || first === undefined) return NOTHING;
  if (among.length > 1) {
    for (const symbol of among) {
      if (world.symbol(symbol).flags.includes("static") === wantStatic) return symbol;
    }
  }
  return isOfOtherSide(world, first, wantStatic) ? NOTHING : first;
}

/** In Ruby objects do not have the methods of their class, nor a class those of its objects; a module may give itself its own. */
function isOfOtherSide(world: CodeWorld, symbol: number, wantStatic: boolean): boolean {
  const file = world.fileOf(symbol);
  if (world.families[file] !== "ruby") return false;
  const { kind, flags, parent } = world.symbol(symbol);
  if (kind !== "method" && kind !== "property") return false;
  if (!wantStatic) return flags.includes("static");
  return !flags.includes("static") && world.files[file]?.code.symbols[parent]?.kind === "class";
}

/** What the containers of a file extend and implement; a file is gone through when it is first asked for. */
function createBases(world: CodeWorld): (file: number, container: number) => readonly Reference[] {
  const known: (Map<number, Reference[]> | undefined)[] = new Array(world.files.length);
  return (file, container) => {
    known[file] ??= readBases(world, file);
    return known[file].get(container) ?? [];
  };
}

function readBases(world: CodeWorld, file: number): Map<number, Reference[]> {
  const extended = new Map<number, Reference[]>();
  const first = world.first[file] as number;
  const { code } = world.files[file] as CodeWorld["files"][number];
  for (const { kind, from, target } of code.uses) {
    if ((kind !== "extends" && kind !== "implements") || from < 0) continue;
    addToList(extended, first + from, target);
  }
  return extended;
}

/** Members that stand in a file which does not declare their type: by namespace, or for lack of one by language. */
function readElsewhere(
  world: CodeWorld,
  spaces: Spaces,
): (container: number, name: string) => readonly number[] | undefined {
  const known = new Map<string, number[]>();
  const keyOf = (file: number, type: string, name: string) =>
    `${world.families[file]} ${spaces.ofFile(file)} ${type} ${name}`;
  for (const [file, { code }] of world.files.entries()) {
    for (const [index, { memberOf, name }] of code.symbols.entries()) {
      if (memberOf === undefined || memberOf === "") continue;
      const key = keyOf(file, dotted(memberOf).split(".").at(-1) as string, name);
      addToList(known, key, (world.first[file] as number) + index);
    }
  }
  return (container, name) => {
    if (known.size === 0) return undefined;
    return known.get(keyOf(world.fileOf(container), world.symbol(container).name, name));
  };
}
