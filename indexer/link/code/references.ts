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
import type { Reference, ReferenceRoot } from "../../languages/base/code-file.ts";
import type { Bindings, CodeWorld, Entity, ResolveFree, Spaces } from "../../languages/base/language.ts";
import { dotted } from "../../languages/base/spaces.ts";
import { addToList, isContainer, isType, NOTHING, pickSymbol } from "../../languages/base/world.ts";
import { LANGUAGES } from "../../languages/languages.ts";

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

/** Turns a reference of a file into what it names, as a type. */
type ResolveType = (file: number, reference: Reference) => Entity;

/** Deepest chain of bases that is followed: a bound for hostile input. */
const MAX_TYPES = 500;

function createMembers(world: CodeWorld, spaces: Spaces, { mainOf }: JoinedDeclarations, resolveType: ResolveType) {
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
  for (const { kind, from, target } of world.codeOf(file).uses) {
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
}

export interface References {
  /** What a use leads to; `NOTHING` for locals, globals of the language and what is not known. */
  readonly resolve: (file: number, reference: Reference, wantType: boolean) => Resolved;
  readonly members: Members;
}

/** What a chain has come to: an entity as it is named, or a value of it. */
interface Step {
  readonly entity: Entity;
  readonly isValue: boolean;
  /** Whether the rest may be anything: nothing says what the value is. A name may then be guessed. */
  readonly isUnknown: boolean;
}

/** Longest chain of types that is followed: `a().b().c()`, and a type that is declared by itself. */
const MAX_DEPTH = 24;
const UNRESOLVED = -0x7fffffff;
/** No type is declared; nothing says what the type is. */
const NO_TYPE = UNRESOLVED + 1;
const UNKNOWN_TYPE = UNRESOLVED + 2;
const NOWHERE: Resolved = { entity: NOTHING, tier: "scope" };
const UNKNOWN: Step = { entity: NOTHING, isValue: true, isUnknown: true };
const FOREIGN: Step = { entity: NOTHING, isValue: true, isUnknown: false };

/** Names of constructors in all languages. */
const CONSTRUCTORS = LANGUAGES.flatMap(({ constructors = [] }) => constructors);
const CALLABLE: ReadonlySet<string> = new Set(["function", "method", "constructor", "macro", "operator"]);

export function createReferences(
  world: CodeWorld,
  bindings: Bindings,
  free: ResolveFree,
  spaces: Spaces,
  joined: JoinedDeclarations,
  uniqueName: (file: number, name: string) => Entity,
): References {
  const types = new Int32Array(world.symbolCount).fill(UNRESOLVED);
  const members = createMembers(world, spaces, joined, (file, reference) => follow(file, reference, true, 0).entity);

  /** Type that a symbol is declared to have or to return. */
  const typeOf = (symbol: number, depth: number): Step => {
    const known = types[symbol] as number;
    if (known === UNRESOLVED) {
      types[symbol] = NOTHING;
      const { type } = world.symbol(symbol);
      const step = type === undefined ? undefined : follow(world.fileOf(symbol), type, true, depth + 1);
      // What a function gives that says nothing of it may be anything.
      const isUnknown = step?.entity === NOTHING && step.isUnknown && type?.root.kind === "result";
      types[symbol] = step === undefined ? NO_TYPE : isUnknown ? UNKNOWN_TYPE : step.entity;
    }
    const type = types[symbol] as number;
    if (type === UNKNOWN_TYPE) return UNKNOWN;
    if (type === NO_TYPE) return world.symbol(symbol).typeText === "" ? UNKNOWN : FOREIGN;
    return type === NOTHING ? FOREIGN : { entity: type, isValue: true, isUnknown: false };
  };

  /** The symbol whose members a value has: of an alias what it stands for. */
  const bare = (step: Step, depth: number): Step => {
    let at = step;
    for (let hops = depth; hops < MAX_DEPTH; hops++) {
      if (at.entity < 0 || at.entity >= world.symbolCount) return at;
      const symbol = world.symbol(at.entity);
      if (symbol.kind !== "typeAlias" || hasMembers(world, at.entity) || symbol.type === undefined) return at;
      at = typeOf(at.entity, hops);
    }
    return UNKNOWN;
  };

  const resultOf = (step: Step, depth: number): Step => {
    const { entity } = step;
    if (entity < 0 || entity >= world.symbolCount) return entity === NOTHING ? step : FOREIGN;
    const symbol = world.symbol(entity);
    // Calling a class makes one of it, where the language has no `new`.
    if (symbol.kind === "class" || symbol.kind === "struct" || symbol.kind === "record") {
      return { entity, isValue: true, isUnknown: false };
    }
    if (symbol.kind === "constructor" && symbol.parent >= 0) {
      const first = world.first[world.fileOf(entity)] as number;
      return { entity: first + symbol.parent, isValue: true, isUnknown: false };
    }
    return CALLABLE.has(symbol.kind) || symbol.type !== undefined ? typeOf(entity, depth) : UNKNOWN;
  };

  /** A value of a type that is said of a symbol, in its file. */
  const typeSaid = (symbol: Entity, type: Reference | undefined, depth: number): Step => {
    if (type === undefined) return UNKNOWN;
    const { entity } = follow(world.fileOf(symbol), type, true, depth + 1);
    return entity === NOTHING ? FOREIGN : { entity, isValue: true, isUnknown: false };
  };

  /** What a function calls its argument with; of a class what its constructor does, of overloads the first that says it. */
  const givenBy = (
    called: Entity,
    { argument, parameter }: { readonly argument: number; readonly parameter: number },
    depth: number,
  ): Step => {
    if (called < 0 || called >= world.symbolCount) return UNKNOWN;
    const own = isContainer(world.symbol(called)) ? members.find(called, "constructor", false) : called;
    if (own === NOTHING) return UNKNOWN;
    for (const symbol of twinsOf(world, own)) {
      const given = world.symbol(symbol).gives?.find((it) => it.argument === argument && it.parameter === parameter);
      if (given !== undefined) return typeSaid(symbol, given.type, depth);
    }
    return UNKNOWN;
  };

  const rootOf = (file: number, root: ReferenceRoot, wantType: boolean, depth: number): Step => {
    const first = world.first[file] as number;
    switch (root.kind) {
      case "symbol":
        return named(pickTwin(world, first + root.symbol, wantType));
      case "import":
        return orForeign(bindings.bind(file, root.import, wantType));
      case "self":
      case "super":
        return { entity: first + root.symbol, isValue: true, isUnknown: false };
      case "value": {
        const step = follow(file, root.type, true, depth + 1);
        return step.entity === NOTHING ? step : { ...step, isValue: true };
      }
      case "result":
        return resultOf(follow(file, root.of, false, depth + 1), depth + 1);
      case "applied": {
        const step = follow(file, root.type, true, depth + 1);
        const isKnown = step.entity >= 0 && step.entity < world.symbolCount;
        const isPassed = isKnown && world.symbol(step.entity).standsForArgument === true;
        return isPassed ? follow(file, root.to, true, depth + 1) : step;
      }
      case "element": {
        const { entity } = follow(file, root.of, false, depth + 1);
        return typeSaid(
          entity,
          entity >= 0 && entity < world.symbolCount ? world.symbol(entity).element : undefined,
          depth,
        );
      }
      case "given": {
        const step = givenBy(follow(file, root.by, false, depth + 1).entity, root, depth);
        if (!step.isUnknown || root.otherwise === undefined) return step;
        return follow(file, root.otherwise, false, depth + 1);
      }
      case "free": {
        const { name, within } = root;
        const member = within === undefined ? NOTHING : seenMember(file, within, name, wantType, depth);
        return orForeign(member === NOTHING ? free(file, name, wantType) : member);
      }
      case "unknown":
        return UNKNOWN;
    }
  };

  /** A member of the type around that a plain name means; a constructor goes by the name of its type. */
  const seenMember = (file: number, within: Reference, name: string, wantType: boolean, depth: number): Entity => {
    const { entity, isValue } = follow(file, within, true, depth + 1);
    if (entity < 0 || entity >= world.symbolCount || !isContainer(world.symbol(entity))) return NOTHING;
    const member = members.find(entity, name, !isValue);
    if (member === NOTHING || world.symbol(member).kind === "constructor") return NOTHING;
    return wantType && !isType(world.symbol(member)) ? NOTHING : member;
  };

  const memberOf = (from: Step, name: string, wantType: boolean, depth: number): Step => {
    const step = bare(from, depth);
    const { entity } = step;
    if (entity === NOTHING) return step;
    if (entity < 0 || entity >= world.symbolCount) {
      if (step.isValue || world.outside(entity)?.kind === "external") return FOREIGN;
      return orForeign(bindings.exported(entity, name, wantType));
    }
    const symbol = world.symbol(entity);
    if (isContainer(symbol)) {
      const member = members.find(entity, name, !step.isValue);
      if (member === NOTHING) return FOREIGN;
      return named(wantType ? pickTwin(world, member, true) : member);
    }
    // A value is what it is declared to be; without a type an object that is written out has the members written there.
    const isTyped = symbol.typeText !== "" && !CALLABLE.has(symbol.kind) && symbol.kind !== "typeAlias";
    const typed = isTyped ? memberOfType(entity, name, wantType, depth) : FOREIGN;
    if (typed.entity !== NOTHING) return typed;
    const own = pickSymbol(world, world.names(world.fileOf(entity)).members.get(entity)?.get(name), wantType);
    if (own !== NOTHING && !world.symbol(own).flags.includes("inner")) return named(own);
    // A function and a namespace of one name are one.
    for (const twin of twinsOf(world, entity)) {
      const member = twin !== entity && isContainer(world.symbol(twin)) ? members.find(twin, name, true) : NOTHING;
      if (member !== NOTHING) return named(member);
    }
    if (isTyped) return typed;
    // `type Wide = Base & { own: string }` has members of both.
    const isPlainType = symbol.kind === "typeAlias" && symbol.type === undefined;
    return CALLABLE.has(symbol.kind) || isPlainType ? FOREIGN : memberOfType(entity, name, wantType, depth);
  };

  const memberOfType = (symbol: number, name: string, wantType: boolean, depth: number): Step => {
    const type = typeOf(symbol, depth);
    return type.entity === NOTHING || depth > MAX_DEPTH ? type : memberOf(type, name, wantType, depth + 1);
  };

  const follow = (file: number, { root, members: names }: Reference, wantType: boolean, depth: number): Step => {
    if (depth > MAX_DEPTH) return UNKNOWN;
    let step = rootOf(file, root, names.length === 0 && wantType, depth);
    for (const [at, name] of names.entries()) {
      const wanted = wantType && at === names.length - 1;
      step =
        at === 0 && root.kind === "super"
          ? orForeign(members.findInBases(step.entity, name, false))
          : memberOf(step, name, wanted, depth + 1);
      if (step.entity === NOTHING) return at === names.length - 1 ? step : step.isUnknown ? UNKNOWN : FOREIGN;
    }
    return step;
  };

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

  return {
    members,
    resolve: (file, reference, wantType) => {
      const { root, members: names } = reference;
      if (root.kind === "super" && names.length === 0) {
        return { entity: superOf((world.first[file] as number) + root.symbol), tier: "receiver" };
      }
      // A value without a name of its own is no use of anything.
      if (names.length === 0 && (root.kind === "value" || root.kind === "result")) return NOWHERE;
      const step = follow(file, reference, wantType, 0);
      if (step.entity !== NOTHING) {
        const isPlain = names.length === 0 && root.kind !== "self";
        return { entity: step.entity, tier: isPlain ? "scope" : "receiver" };
      }
      const last = names.at(-1);
      if (!step.isUnknown || last === undefined || wantType) return NOWHERE;
      return { entity: uniqueName(file, last), tier: "name" };
    },
  };
}

function named(entity: Entity): Step {
  return { entity, isValue: false, isUnknown: false };
}

function orForeign(entity: Entity): Step {
  return entity === NOTHING ? FOREIGN : named(entity);
}

function hasMembers(world: CodeWorld, symbol: number): boolean {
  return world.names(world.fileOf(symbol)).members.has(symbol);
}

/** The declaration of the same name that a use of this kind means: a class and a type may share one. */
function pickTwin(world: CodeWorld, symbol: number, wantType: boolean): Entity {
  if (isType(world.symbol(symbol)) === wantType) return symbol;
  const twins = twinsOf(world, symbol);
  return twins.length < 2 ? symbol : pickSymbol(world, twins, wantType);
}

/** Declarations of the same name in the same place of the file, itself included. */
function twinsOf(world: CodeWorld, symbol: number): readonly number[] {
  const { parent, name } = world.symbol(symbol);
  const file = world.fileOf(symbol);
  const { top, members } = world.names(file);
  return (parent < 0 ? top.get(name) : members.get((world.first[file] as number) + parent)?.get(name)) ?? [];
}
