/**
 * References to what they name: the root by scope, imports and types, then member after member.
 *
 * The tiers: a name without members is bound by `scope`; a member of something known by its `receiver`; where nothing is
 * known of the receiver the one symbol of that `name` in the repository, marked as the guess it is. A member that a
 * known type does not have is never looked for elsewhere.
 *
 * Members of a type are its own, those of its other parts (`partial`, extensions, methods in other files), then those of its
 * bases, the nearest first.
 */
import type { EdgeTier } from "../../../src/core/format/code-model.ts";
import type { CodeSymbol, Reference } from "../../languages/base/code-file.ts";
import type { Bindings, CodeWorld, Entity, ResolveFree, Spaces } from "../../languages/base/language.ts";
import { dotted } from "../../languages/base/spaces.ts";
import { addToList, NOTHING, otherMembers } from "../../languages/base/world.ts";
import { LANGUAGES } from "../../languages/languages.ts";
import type { Step } from "./calls.ts";
import { createTypes } from "./types.ts";

/**
 * Declarations that are one symbol though they stand apart: prototypes with the definition, parts of a type. Uses lead to one of
 * them, the *main* one, and each other one is a place that refers to it.
 */
export interface JoinedDeclarations {
  /** The main declaration of a symbol: itself where it is one, or stands alone. Other entities as they are. */
  readonly mainOf: (entity: number) => number;
  /** The first declaration that refers to a main one; `NOTHING` where none does. */
  readonly prototypeOf: (symbol: number) => number;
}

export type Members = ReturnType<typeof createMembers>;

/** Types that a reference of a file stands for where it is a base. */
type ResolveBases = (file: number, reference: Reference) => readonly Entity[];

/** Deepest chain of bases that is followed: a bound for hostile input. */
const MAX_TYPES = 500;

function createMembers(world: CodeWorld, spaces: Spaces, { mainOf }: JoinedDeclarations, basesAt: ResolveBases) {
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
      for (const base of basesAt(file, reference)) {
        if (base < 0 || base >= world.symbolCount) isOpen = true;
        else if (base !== container && !known.includes(base)) known.push(base);
      }
    }
    const resolved = { known, isOpen };
    bases.set(container, resolved);
    return resolved;
  };
  const partsOf = (container: number): readonly number[] => {
    const symbol = world.symbol(container);
    const space = spaces.ofSymbol(container);
    if (space === NOTHING) return [container];
    const isSaid = world.families[world.fileOf(container)]?.saysParts === true;
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
    /** A member; `NOTHING` where neither the type nor its bases have it. */
    find: (container: number, name: string, wantStatic: boolean): Entity =>
      search(container, name, wantStatic, new Set()),
    /** The same in the bases of a type only. */
    findInBases: (container: number, name: string, wantStatic: boolean): Entity =>
      searchBases(container, name, wantStatic, new Set([container])),
    /** Symbols that a type extends or implements, itself left out; external bases left out, too. */
    basesOf: (container: number): readonly number[] => resolveBases(container).known,
    /** The same as its declaration writes them. */
    extendedBy: (container: number): readonly Reference[] => extended(world.fileOf(container), container),
    /** Whether a base, near or far, is not part of the corpus, so that members may stand there. */
    hasForeignBase: (container: number): boolean => {
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

/** Where the sides are apart, a module may give itself its own methods all the same. */
function isOfOtherSide(world: CodeWorld, symbol: number, wantStatic: boolean): boolean {
  const file = world.fileOf(symbol);
  if (world.families[file]?.hasSides !== true) return false;
  const { kind, flags, parent } = world.symbol(symbol);
  if (kind !== "method" && kind !== "property") return false;
  if (!wantStatic) return flags.includes("static");
  return !flags.includes("static") && world.codeOf(file).symbols[parent]?.kind === "class";
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
  const { uses, symbols } = world.codeOf(file);
  for (const { kind, from, target } of uses) {
    if ((kind !== "extends" && kind !== "implements") || from < 0) continue;
    const { kind: of, parent } = symbols[from] as CodeSymbol;
    // What a field embeds, its struct has.
    addToList(extended, first + (of === "field" && parent >= 0 ? parent : from), target);
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
    `${world.families[file]?.name} ${spaces.ofFile(file)} ${type} ${name}`;
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

/** What a reference names, and how that is known. */
interface Resolved {
  readonly entity: Entity;
  readonly tier: EdgeTier;
  /** Members of other types that it names as well: one of a union is a member of each. */
  readonly others?: readonly Entity[];
}

export interface References {
  /** What a use leads to; `NOTHING` for locals, globals of the language and what is not known. */
  readonly resolve: (file: number, reference: Reference, wantType: boolean) => Resolved;
  readonly members: Members;
}

const NOWHERE: Resolved = { entity: NOTHING, tier: "scope" };
/** Roots that stand for something by themselves; others are values that have no name. */
const NAMES: ReadonlySet<string> = new Set(["symbol", "import", "free", "self", "super"]);

/** Names of constructors in all languages. */
const CONSTRUCTORS = LANGUAGES.flatMap(({ constructors = [] }) => constructors);

export function createReferences(
  world: CodeWorld,
  bindings: Bindings,
  free: ResolveFree,
  spaces: Spaces,
  joined: JoinedDeclarations,
  uniqueName: (file: number, name: string) => Entity,
): References {
  const types = createTypes(world, bindings, free, () => members);
  const members = createMembers(world, spaces, joined, types.basesAt);

  /** `super(…)`: the constructor of the nearest base that has one, else the base. */
  const superOf = (container: number): Entity => {
    const [base] = members.basesOf(container);
    if (base === undefined) return NOTHING;
    for (const name of CONSTRUCTORS) {
      const entity = members.find(base, name, false);
      if (entity !== NOTHING) return entity;
    }
    return base;
  };

  /** The only function or component that a free name may be where a framework adds imports, as Nuxt does. */
  const addedImport = (file: number, name: string): Entity => {
    if (world.families[file]?.hasExports !== true) return NOTHING;
    const entity = uniqueName(file, name);
    if (entity === NOTHING) return NOTHING;
    const { kind, exportedAs } = world.symbol(entity);
    const isComponent = kind === "class" && exportedAs.includes("default");
    return isComponent || (kind === "function" && exportedAs.includes(name)) ? entity : NOTHING;
  };

  const othersOf = ({ entity, others }: Step): readonly Entity[] => {
    const found = others?.().flatMap((other) => (world.isSymbol(other.entity) ? [other.entity] : [])) ?? [];
    return found.length === 0 ? [] : otherMembers(world, entity, found);
  };

  return {
    members,
    resolve: (file, reference, wantType) => {
      const { root, members: names } = reference;
      if (root.kind === "super" && names.length === 0) {
        return { entity: superOf((world.first[file] as number) + root.symbol), tier: "receiver" };
      }
      // A value without a name of its own is no use of anything.
      if (names.length === 0 && !NAMES.has(root.kind)) return NOWHERE;
      const step = types.follow(file, reference, wantType);
      if (step.entity !== NOTHING) {
        const isPlain = names.length === 0 && root.kind !== "self";
        return { entity: step.entity, tier: isPlain ? "scope" : "receiver", others: othersOf(step) };
      }
      if (wantType) return NOWHERE;
      if (root.kind === "free" && names.length === 0) return { entity: addedImport(file, root.name), tier: "name" };
      const last = names.at(-1);
      if (!step.isUnknown || last === undefined) return NOWHERE;
      return { entity: uniqueName(file, last), tier: "name" };
    },
  };
}
