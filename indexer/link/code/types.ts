/**
 * What references come to: names by scope and imports, then the type that each place has, evaluated from what is written with
 * the values of type parameters put in.
 *
 * Nothing is checked, and nothing is guessed: what no type says is unknown. Of a union and of an intersection each part may have a member;
 * the first that has it counts. Of overloads the first that takes as many arguments does.
 */
import type { FunctionType, Reference, ReferenceRoot, TypeParameter } from "../../languages/base/code-file.ts";
import type { Bindings, CodeWorld, Entity, GlobalTypes, ResolveFree } from "../../languages/base/language.ts";
import { isContainer, isType, NOTHING, pickSymbol } from "../../languages/base/world.ts";
import type { Members } from "./references.ts";

/** Values of type parameters, by their numbers in the file. */
type Env = ReadonlyMap<number, Step>;

/** What a chain has come to. */
export interface Step {
  /** Symbol, file or name outside; `NOTHING` where it has none. */
  readonly entity: Entity;
  /** Whether it is a value of that type, and not what the name means itself. */
  readonly isValue: boolean;
  /** Whether the rest may be anything: nothing says what the value is. A name may then be guessed. */
  readonly isUnknown: boolean;
  /** File that `shape` is written in, and what its type parameters are; for an entity, those of its own. */
  readonly file: number;
  readonly env: Env | undefined;
  /** A type that is written out. With an entity, the members that are written in an alias. */
  readonly shape?: ReferenceRoot;
  /** Parts of a union or an intersection, or overloads of what is expected. */
  readonly parts?: readonly Step[];
  /** Its type, where that is not what the symbol says. */
  readonly type?: Step;
  /** What it is a member of. */
  readonly receiver?: Step;
}

interface Signature {
  readonly takes: FunctionType;
  readonly result: Reference | undefined;
  /** What is made, where it is a class. */
  readonly made?: Entity;
  readonly file: number;
  readonly env: Env | undefined;
  readonly receiver?: Step | undefined;
  /** Symbol that it is of; `NOTHING` for what is written out. */
  readonly symbol: Entity;
}

/** Longest chain of types that is followed: `a().b().c()`, and a type that is declared by itself. */
const MAX_DEPTH = 150;
/** Steps that one place may take; more are types that are computed without end. */
const MAX_WORK = 3000;
/** Types in one another that are compared when parameters are inferred. */
const MAX_INFERRED = 6;
const MAX_PARTS = 60;

export const UNKNOWN: Step = { entity: NOTHING, isValue: true, isUnknown: true, file: -1, env: undefined };
export const FOREIGN: Step = { ...UNKNOWN, isUnknown: false };

/** Roots that name something. */
const NAMES: ReadonlySet<ReferenceRoot["kind"]> = new Set(["symbol", "import", "free"]);
const CALLABLE: ReadonlySet<string> = new Set(["function", "method", "constructor", "macro", "operator"]);
const NO_PARAMETERS: FunctionType = { parameters: [] };
/** Key of a member that is any of a list. */
const ANY_KEY = "*";

export type Types = ReturnType<typeof createTypes>;

export function createTypes(world: CodeWorld, bindings: Bindings, free: ResolveFree, members: () => Members) {
  const declared = new Map<Entity, Step>();
  const evaluated = new WeakMap<ReferenceRoot, Step>();
  let work = 0;

  const isSymbol = (entity: Entity): boolean => entity >= 0 && entity < world.symbolCount;
  const globalsOf = (file: number): GlobalTypes | undefined => world.families[file]?.globals;
  /** Whether nothing is known of a step, so that no member can be. */
  const isOpen = ({ entity, shape, parts, type }: Step): boolean =>
    entity === NOTHING && shape === undefined && parts === undefined && type === undefined;

  const follow = (file: number, reference: Reference, wantType: boolean, env: Env | undefined, depth: number): Step => {
    const { root, members: names } = reference;
    if (depth > MAX_DEPTH || ++work > MAX_WORK) return UNKNOWN;
    let step = rootOf(file, root, names.length === 0 && wantType, env, depth);
    for (const [at, name] of names.entries()) {
      const isLast = at === names.length - 1;
      step =
        at === 0 && root.kind === "super"
          ? named(members().findInBases(step.entity, name, false))
          : memberOf(step, name, wantType && isLast, depth + 1);
      if (isOpen(step)) return isLast ? step : step.isUnknown ? UNKNOWN : FOREIGN;
    }
    return step;
  };

  const rootOf = (file: number, root: ReferenceRoot, wantType: boolean, env: Env | undefined, depth: number): Step => {
    const first = world.first[file] as number;
    switch (root.kind) {
      case "symbol":
        return named(pickTwin(world, first + root.symbol, wantType));
      case "import":
        return named(bindings.bind(file, root.import, wantType));
      case "self": {
        const own = objectOf(first + root.symbol, env);
        return world.symbol(own.entity).kind === "typeAlias" ? { ...own, file, shape: root } : own;
      }
      case "super":
        return objectOf(first + root.symbol, undefined);
      case "free": {
        const { name, within } = root;
        const member = within === undefined ? NOTHING : seenMember(file, within, name, wantType, depth);
        const found = member === NOTHING ? free(file, name, wantType) : member;
        const value = found === NOTHING && !wantType ? globalsOf(file)?.values.get(name) : undefined;
        return value === undefined ? named(found) : { ...FOREIGN, type: typeAt(file, value, undefined, depth + 1) };
      }
      case "unknown":
        return UNKNOWN;
      case "function":
      case "object":
      case "tuple":
      case "mapped":
      case "literal":
        return { ...FOREIGN, file, env, shape: root };
      case "parameter":
        return env?.get(root.parameter) ?? (root.constraint ? typeAt(file, root.constraint, env, depth + 1) : UNKNOWN);
      default: {
        const before = env === undefined ? evaluated.get(root) : undefined;
        if (before !== undefined) return before;
        // What leads back to itself is unknown.
        if (env === undefined) evaluated.set(root, UNKNOWN);
        const step = evaluate(file, root, env, depth);
        if (env === undefined) evaluated.set(root, step);
        return step;
      }
    }
  };

  const evaluate = (file: number, root: ReferenceRoot, env: Env | undefined, depth: number): Step => {
    const value = (of: Reference): Step => follow(file, of, false, env, depth + 1);
    switch (root.kind) {
      case "value":
        return typeAt(file, root.type, env, depth + 1);
      case "typeof":
        return settle(value(root.of), depth);
      case "result":
        return resultOf(value(root.of), root.isMade === true, root, file, env, depth + 1);
      case "argument":
        return argumentOf(value(root.of), root.argument, root.isMade === true, root, file, env, depth + 1);
      case "given":
        return parameterOf(value(root.of), root.parameter, depth + 1);
      case "element":
        return elementOf(value(root.of), root.at, depth + 1);
      case "iterated":
        return iteratedOf(value(root.of), depth + 1);
      case "guarded": {
        const before = value(root.of);
        for (const { takes, file: at, env: inner } of signaturesOf(value(root.by), false, depth + 1)) {
          if (takes.guards?.parameter !== root.argument) continue;
          const guarded = settle(typeAt(at, takes.guards.type, inner, depth + 1), depth);
          if (!isOpen(guarded)) return either([guarded, before]);
        }
        return before;
      }
      case "either":
        return either(root.of.map((part) => typeAt(file, part, env, depth + 1)));
      case "condition": {
        if (root.inferred.length === 0) {
          return either([root.yes, root.no].map((part) => typeAt(file, part, env, depth + 1)));
        }
        const check = settle(typeAt(file, root.check, env, depth + 1), depth);
        const branches = (check.parts ?? [check]).map((part) => {
          const inferred = new Map(env);
          const wanted = new Set(root.inferred);
          infer({ file, env: inferred, wanted }, root.extended, part, 0, depth + 1);
          const isMet = root.inferred.some((parameter) => inferred.has(parameter));
          if (isMet) return typeAt(file, root.yes, inferred, depth + 1);
          return root.no.root.kind === "unknown" ? UNKNOWN : typeAt(file, root.no, env, depth + 1);
        });
        return either(branches);
      }
      case "access": {
        const of = typeAt(file, root.of, env, depth + 1);
        const key = typeAt(file, root.key, env, depth + 1);
        const { shape } = key;
        if (shape?.kind !== "literal") return key.isUnknown ? elementOf(of, undefined, depth + 1) : UNKNOWN;
        if (/^\d+$/.test(shape.text)) return elementOf(of, Number(shape.text), depth + 1);
        if (shape.text === ANY_KEY) return elementOf(of, undefined, depth + 1);
        return settle(memberOf(of, shape.text, false, depth + 1), depth);
      }
      default:
        return UNKNOWN;
    }
  };

  /** A value of the type that a reference in a place of types stands for. */
  const typeAt = (file: number, reference: Reference, env: Env | undefined, depth: number): Step => {
    const { root, members: names, arguments: given } = reference;
    const step = follow(file, reference, true, env, depth);
    if (names.length === 0 && !NAMES.has(root.kind)) return step;
    if (step.isValue) {
      const global = root.kind === "free" && names.length === 0 ? globalsOf(file)?.types.get(root.name) : undefined;
      if (global === undefined || !isOpen(step)) return step;
      const bound = bind(global.parameters, given, file, env, file, depth);
      return typeAt(file, global.type, bound, depth + 1);
    }
    if (!isSymbol(step.entity)) return { ...step, isValue: true };
    const { typeParameters } = world.symbol(step.entity);
    if (typeParameters === undefined) return objectOf(step.entity, undefined);
    return objectOf(step.entity, bind(typeParameters, given, file, env, world.fileOf(step.entity), depth));
  };

  /** Values of type parameters by the arguments that are written, else by their defaults. */
  const bind = (
    parameters: readonly TypeParameter[],
    given: readonly Reference[] | undefined,
    file: number,
    env: Env | undefined,
    owner: number,
    depth: number,
  ): Env => {
    const bound = new Map<number, Step>();
    for (const [at, { parameter, preset }] of parameters.entries()) {
      const argument = given?.[at];
      if (argument !== undefined) bound.set(parameter, typeAt(file, argument, env, depth + 1));
      else if (preset !== undefined) bound.set(parameter, typeAt(owner, preset, bound, depth + 1));
    }
    return bound;
  };

  /** A member of the type around that a plain name means; a constructor goes by the name of its type. */
  const seenMember = (file: number, within: Reference, name: string, wantType: boolean, depth: number): Entity => {
    const { entity, isValue } = follow(file, within, true, undefined, depth + 1);
    if (!isSymbol(entity) || !isContainer(world.symbol(entity))) return NOTHING;
    const member = members().find(entity, name, !isValue);
    if (member === NOTHING || world.symbol(member).kind === "constructor") return NOTHING;
    return wantType && !isType(world.symbol(member)) ? NOTHING : member;
  };

  /** Type that a symbol is declared to have or to return. */
  const typeOf = (symbol: Entity, env: Env | undefined, depth: number): Step => {
    const before = env === undefined ? declared.get(symbol) : undefined;
    if (before !== undefined) return before;
    if (env === undefined) declared.set(symbol, FOREIGN);
    const { type, typeText } = world.symbol(symbol);
    const step =
      type === undefined ? (typeText === "" ? UNKNOWN : FOREIGN) : typeAt(world.fileOf(symbol), type, env, depth + 1);
    // What is declared to be of a type that nobody knows is of something outside.
    const said = isOpen(step) && typeText !== "" ? FOREIGN : step;
    if (env === undefined) declared.set(symbol, said);
    return said;
  };

  /** What has the members of a step: of an alias what it stands for. */
  const bare = (step: Step, depth: number): Step => {
    let at = step;
    for (let hops = depth; hops < MAX_DEPTH; hops++) {
      if (at.type !== undefined) {
        at = at.type;
        continue;
      }
      if (at.shape !== undefined || at.parts !== undefined || !isSymbol(at.entity)) return at;
      const { kind, type } = world.symbol(at.entity);
      if (kind !== "typeAlias" || type === undefined) return at;
      const isWritten = type.root.kind === "either" || type.root.kind === "self";
      if (!isWritten && hasMembers(world, at.entity)) return at;
      at = typeOf(at.entity, at.env, hops);
    }
    return UNKNOWN;
  };

  /** The value that a step is, with the names of variables and members followed to their types. */
  const settle = (step: Step, depth: number): Step => {
    let at = step;
    for (let hops = depth; hops < MAX_DEPTH; hops++) {
      at = bare(at, hops);
      if (at.isValue || !isSymbol(at.entity)) return at;
      const symbol = world.symbol(at.entity);
      if (isContainer(symbol) || CALLABLE.has(symbol.kind)) return at;
      if (symbol.type === undefined) return hasMembers(world, at.entity) ? at : typeOf(at.entity, at.env, hops);
      at = typeOf(at.entity, at.env, hops);
    }
    return UNKNOWN;
  };

  const either = (parts: readonly Step[]): Step => {
    const flat: Step[] = [];
    for (const part of parts) {
      if (part.parts !== undefined && part.type === undefined) flat.push(...part.parts);
      else flat.push(part);
    }
    const known = flat.filter((part) => !isOpen(part));
    if (known.length > 1) return { ...FOREIGN, parts: known.slice(0, MAX_PARTS) };
    return known[0] ?? flat.find(({ isUnknown }) => isUnknown) ?? FOREIGN;
  };

  const memberOf = (from: Step, name: string, wantType: boolean, depth: number): Step => {
    if (depth > MAX_DEPTH || ++work > MAX_WORK) return UNKNOWN;
    const step = bare(from, depth);
    const { entity, shape, parts } = step;
    if (parts !== undefined) return memberOfParts(parts, name, wantType, depth);
    if (shape !== undefined && shape.kind !== "self") return memberOfShape(step, shape, name, depth);
    if (entity === NOTHING) return step;
    if (!isSymbol(entity)) {
      if (step.isValue || world.outside(entity)?.kind === "external") return FOREIGN;
      return named(bindings.exported(entity, name, wantType));
    }
    const symbol = world.symbol(entity);
    if (isContainer(symbol) || shape !== undefined) {
      const member = members().find(entity, name, !step.isValue);
      // What made an object is no member that anyone declares.
      if (member !== NOTHING && name === "constructor" && world.symbol(member).kind === "constructor") return FOREIGN;
      if (member !== NOTHING) return ownedBy(step, wantType ? pickTwin(world, member, true) : member, depth);
      const { signatures } = symbol;
      if (signatures?.index === undefined || !step.isValue) return FOREIGN;
      return hidden(typeAt(world.fileOf(entity), signatures.index, step.env, depth + 1));
    }
    // A value is what it is declared to be; without a type an object that is written out has the members written there.
    const isTyped = symbol.typeText !== "" && !CALLABLE.has(symbol.kind) && symbol.kind !== "typeAlias";
    const typed = isTyped ? memberOfType(step, name, wantType, depth) : FOREIGN;
    if (!isOpen(typed)) return typed;
    const own = pickSymbol(world, world.names(world.fileOf(entity)).members.get(entity)?.get(name), wantType);
    if (own !== NOTHING && !world.symbol(own).flags.includes("inner")) return named(own);
    // A function and a namespace of one name are one.
    for (const twin of twinsOf(world, entity)) {
      const member = twin !== entity && isContainer(world.symbol(twin)) ? members().find(twin, name, true) : NOTHING;
      if (member !== NOTHING) return named(member);
    }
    if (isTyped) return typed;
    // `type Wide = Base & { own: string }` has members of both.
    const isPlainType = symbol.kind === "typeAlias" && symbol.type === undefined;
    return CALLABLE.has(symbol.kind) || isPlainType ? FOREIGN : memberOfType(step, name, wantType, depth);
  };

  const memberOfType = ({ entity, env }: Step, name: string, wantType: boolean, depth: number): Step => {
    const type = typeOf(entity, env, depth);
    return isOpen(type) ? type : memberOf(type, name, wantType, depth + 1);
  };

  const memberOfParts = (parts: readonly Step[], name: string, wantType: boolean, depth: number): Step => {
    const found: Step[] = [];
    let isUnknown = false;
    for (const part of parts) {
      const member = memberOf(part, name, wantType, depth + 1);
      if (!isOpen(member)) found.push(member);
      else isUnknown ||= member.isUnknown;
    }
    const first = found.find(({ entity }) => entity !== NOTHING) ?? found[0];
    if (first === undefined) return isUnknown ? UNKNOWN : FOREIGN;
    const others = found.filter(({ entity }) => entity !== first.entity);
    return others.length === 0 ? first : { ...first, type: either([first, ...others]) };
  };

  const memberOfShape = (step: Step, shape: ReferenceRoot, name: string, depth: number): Step => {
    const { file, env } = step;
    switch (shape.kind) {
      case "object": {
        const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
        if (member !== undefined) return hidden(follow(file, member, false, env, depth + 1));
        for (const part of shape.spread ?? []) {
          const found = memberOf(follow(file, part, false, env, depth + 1), name, false, depth + 1);
          if (!isOpen(found)) return found;
        }
        return shape.index === undefined ? FOREIGN : hidden(typeAt(file, shape.index, env, depth + 1));
      }
      case "tuple":
        return memberOf(listOf(step, shape.items, depth), name, false, depth + 1);
      case "mapped": {
        const found = memberOf(typeAt(file, shape.of, env, depth + 1), name, false, depth + 1);
        if (found.isUnknown) return found;
        return { ...found, type: typeAt(file, shape.type, withKey(env, shape.key, name), depth + 1) };
      }
      default:
        return FOREIGN;
    }
  };

  /** The list of the language that holds what a row of values does. */
  const listOf = ({ file, env }: Step, items: readonly Reference[], depth: number): Step => {
    const list = globalsOf(file)?.types.get("Array");
    const parameter = list?.parameters[0]?.parameter;
    if (list === undefined || parameter === undefined) return FOREIGN;
    const held = either(items.map((item) => typeAt(file, item, env, depth + 1)));
    return typeAt(file, list.type, new Map([[parameter, held]]), depth + 1);
  };

  const withKey = (env: Env | undefined, key: number, text: string): Env =>
    new Map(env).set(key, { ...FOREIGN, shape: { kind: "literal", text } });

  /** A member with the type arguments of what it is a member of. */
  const ownedBy = (step: Step, member: Entity, depth: number): Step => {
    const { parent } = world.symbol(member);
    const owner = parent < 0 ? NOTHING : (world.first[world.fileOf(member)] as number) + parent;
    const env = owner === NOTHING ? undefined : envOf(step.entity, step.env, owner, depth, new Set());
    return { ...named(member), env, receiver: step };
  };

  /** What the type parameters of a type are, for an object of one that is derived from it. */
  const envOf = (
    from: Entity,
    env: Env | undefined,
    owner: Entity,
    depth: number,
    seen: Set<Entity>,
  ): Env | undefined => {
    if (from === owner) return env;
    const { typeParameters, name } = world.symbol(owner);
    if (typeParameters === undefined || seen.has(from) || depth > MAX_DEPTH) return undefined;
    seen.add(from);
    const own = world.symbol(from);
    // Another declaration of the same type has parameters of its own.
    if (own.name === name && own.typeParameters?.length === typeParameters.length) {
      const bound = new Map<number, Step>();
      for (const [at, { parameter }] of typeParameters.entries()) {
        const value = env?.get((own.typeParameters[at] as TypeParameter).parameter);
        if (value !== undefined) bound.set(parameter, value);
      }
      return bound;
    }
    for (const base of baseSteps(from, env, depth + 1)) {
      if (base.entity === owner) return base.env;
      const found = isSymbol(base.entity) ? envOf(base.entity, base.env, owner, depth + 1, seen) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };

  /** Objects of the types that one is derived from. */
  const baseSteps = (container: Entity, env: Env | undefined, depth: number): readonly Step[] => {
    const file = world.fileOf(container);
    return members()
      .extendedBy(container)
      .flatMap((reference) => {
        const base = bare(typeAt(file, reference, env, depth + 1), depth);
        return base.parts ?? [base];
      });
  };

  const signaturesOf = (from: Step, isMade: boolean, depth: number): readonly Signature[] => {
    const step = settle(from, depth);
    const { entity, shape, parts, file, env } = step;
    if (depth > MAX_DEPTH) return [];
    if (parts !== undefined) return parts.flatMap((part) => signaturesOf(part, isMade, depth + 1));
    const written = (takes: FunctionType): Signature => ({ takes, result: takes.result, file, env, symbol: NOTHING });
    if (shape?.kind === "function") return (shape.isMade === true) === isMade ? [written(shape)] : [];
    if (shape?.kind === "object") return ((isMade ? shape.makes : shape.calls) ?? []).map(written);
    if (!isSymbol(entity)) return [];
    const symbol = world.symbol(entity);
    if (step.isValue) {
      const own = twinsOf(world, entity).flatMap((twin) => {
        const { signatures } = world.symbol(twin);
        return ((isMade ? signatures?.makes : signatures?.calls) ?? []).map((takes) => ({
          ...written(takes),
          file: world.fileOf(twin),
        }));
      });
      if (own.length > 0) return own;
      return baseSteps(entity, env, depth + 1).flatMap((base) => signaturesOf(base, isMade, depth + 1));
    }
    if (isMade) {
      if (symbol.kind !== "class") return [];
      const maker = members().find(entity, "constructor", false);
      const isOwn = maker !== NOTHING && world.fileOf(maker) === world.fileOf(entity);
      const { typeParameters } = symbol;
      const parts = maker === NOTHING ? [] : twinsOf(world, maker);
      const all = parts.flatMap((twin) => world.symbol(twin).takes ?? []);
      return (all.length === 0 ? [NO_PARAMETERS] : all).map((takes) => ({
        takes: isOwn && typeParameters !== undefined ? { ...takes, typeParameters } : takes,
        result: undefined,
        made: entity,
        file: world.fileOf(maker === NOTHING ? entity : maker),
        env: undefined,
        symbol: NOTHING,
      }));
    }
    if (!CALLABLE.has(symbol.kind)) return [];
    const overloads = symbol.takes === undefined ? [entity] : twinsOf(world, entity);
    return overloads.map((twin) => {
      const { takes = NO_PARAMETERS, type } = world.symbol(twin);
      return { takes, result: type, file: world.fileOf(twin), env, receiver: step.receiver, symbol: twin };
    });
  };

  /** Whether a function takes so many arguments, as far as parameters say. */
  const isFor = ({ takes }: Signature, count: number): boolean =>
    takes.isRest === true || takes.parameters.length >= count;

  const resultOf = (
    step: Step,
    isMade: boolean,
    call: CallArguments,
    file: number,
    env: Env | undefined,
    depth: number,
  ): Step => {
    if (isOpen(step)) return step;
    if (!step.isValue && isSymbol(step.entity)) {
      const { kind, parent } = world.symbol(step.entity);
      const first = world.first[world.fileOf(step.entity)] as number;
      if (kind === "constructor" && parent >= 0) return objectOf(first + parent, undefined);
    }
    const signatures = signaturesOf(step, isMade, depth);
    const count = call.arguments?.length ?? 0;
    const signature = signatures.find((it) => isFor(it, count)) ?? signatures[0];
    if (signature === undefined) return resultOfEntity(settle(step, depth), isMade);
    const inferred = inferredBy(signature, call, file, env, -1, depth);
    const { made, result, receiver, symbol } = signature;
    if (made !== undefined) return objectOf(made, inferred);
    if (result === undefined) return symbol === NOTHING ? UNKNOWN : typeOf(symbol, undefined, depth);
    if (result.root.kind === "self" && result.members.length === 0 && receiver?.isValue) return receiver;
    const isPlain = symbol !== NOTHING && inferred === undefined;
    return isPlain ? typeOf(symbol, undefined, depth) : typeAt(signature.file, result, inferred, depth + 1);
  };

  /** What calling something gives that says nothing of what it takes. */
  const resultOfEntity = (step: Step, isMade: boolean): Step => {
    const { entity } = step;
    if (!isSymbol(entity)) return isOpen(step) ? step : isMade || entity !== NOTHING ? FOREIGN : UNKNOWN;
    const symbol = world.symbol(entity);
    // Calling a class makes one of it, where the language has no `new`.
    if (isMade || symbol.kind === "class" || symbol.kind === "struct" || symbol.kind === "record") {
      return objectOf(entity, undefined);
    }
    // Where functions are not written down as types, a member is called that gives what it is declared to be.
    return step.isValue && globalsOf(world.fileOf(entity)) === undefined ? step : UNKNOWN;
  };

  const parameterAt = ({ takes, file, env }: Signature, at: number, depth: number): Step => {
    const { parameters, isRest } = takes;
    const last = parameters.length - 1;
    const parameter = parameters[isRest === true ? Math.min(at, last) : at];
    if (parameter === undefined) return UNKNOWN;
    const type = typeAt(file, parameter, env, depth + 1);
    return isRest === true && at >= last ? elementOf(type, at - last, depth + 1) : type;
  };

  /** What a function is given as a parameter; of overloads the first that says it. */
  const parameterOf = (step: Step, parameter: number, depth: number): Step => {
    for (const signature of signaturesOf(step, false, depth)) {
      const given = parameterAt(signature, parameter, depth);
      if (!isOpen(given)) return given;
    }
    return UNKNOWN;
  };

  const argumentOf = (
    step: Step,
    argument: number,
    isMade: boolean,
    call: CallArguments,
    file: number,
    env: Env | undefined,
    depth: number,
  ): Step => {
    const all = signaturesOf(step, isMade, depth);
    const count = Math.max(argument + 1, call.arguments?.length ?? 0);
    const taking = all.filter((signature) => isFor(signature, count));
    const expected = (taking.length > 0 ? taking : all).map((signature) => {
      const inferred = inferredBy(signature, call, file, env, argument, depth);
      return parameterAt({ ...signature, env: inferred }, argument, depth);
    });
    return either(expected);
  };

  /** Values of a function's type parameters: those that are written, else what the arguments say, else the defaults. */
  const inferredBy = (
    signature: Signature,
    { of, arguments: given }: CallArguments,
    file: number,
    env: Env | undefined,
    except: number,
    depth: number,
  ): Env | undefined => {
    const { typeParameters, parameters } = signature.takes;
    if (typeParameters === undefined) return signature.env;
    const bound = new Map(signature.env);
    if (of.arguments !== undefined) {
      for (const [parameter, step] of bind(typeParameters, of.arguments, file, env, signature.file, depth)) {
        bound.set(parameter, step);
      }
      return bound;
    }
    const wanted = new Set(typeParameters.map(({ parameter }) => parameter));
    const inference = { file: signature.file, env: bound, wanted };
    for (const [at, argument] of (given ?? []).entries()) {
      const parameter = parameters[Math.min(at, parameters.length - 1)];
      if (at === except || parameter === undefined || argument.root.kind === "unknown") continue;
      const isInRest = signature.takes.isRest === true && at >= parameters.length - 1;
      const value = follow(file, argument, false, env, depth + 1);
      infer(inference, isInRest ? (parameter.arguments?.[0] ?? parameter) : parameter, value, 0, depth + 1);
    }
    for (const { parameter, preset } of typeParameters) {
      if (bound.has(parameter) || preset === undefined) continue;
      bound.set(parameter, typeAt(signature.file, preset, bound, depth + 1));
    }
    return bound;
  };

  interface Inference {
    readonly file: number;
    readonly env: Map<number, Step>;
    readonly wanted: ReadonlySet<number>;
  }

  /** Finds what parameters in a type have to be, that a value may be of it. */
  const infer = (to: Inference, type: Reference, from: Step, level: number, depth: number): void => {
    const { root } = type;
    if (level > MAX_INFERRED || depth > MAX_DEPTH || isOpen(from) || ++work > MAX_WORK) return;
    const next = (part: Reference, value: Step): void => infer(to, part, value, level + 1, depth + 1);
    switch (root.kind) {
      case "parameter": {
        if (to.wanted.has(root.parameter) && !to.env.has(root.parameter))
          to.env.set(root.parameter, settle(from, depth));
        return;
      }
      case "either": {
        const isParameter = (part: Reference): boolean => part.root.kind === "parameter";
        for (const part of root.of) if (!isParameter(part)) next(part, from);
        for (const part of root.of) if (isParameter(part)) next(part, from);
        return;
      }
      case "function": {
        const [signature] = signaturesOf(from, root.isMade === true, depth);
        if (signature === undefined) return;
        for (const [at, parameter] of root.parameters.entries()) {
          if (root.isRest === true && at === root.parameters.length - 1) {
            const items = signature.takes.parameters.slice(at);
            next(parameter, { ...FOREIGN, file: signature.file, env: signature.env, shape: { kind: "tuple", items } });
          } else next(parameter, parameterAt(signature, at, depth));
        }
        if (root.guards !== undefined && signature.takes.guards !== undefined) {
          next(root.guards.type, typeAt(signature.file, signature.takes.guards.type, signature.env, depth + 1));
        }
        const { made, result } = signature;
        if (root.result === undefined) return;
        if (made !== undefined) next(root.result, objectOf(made, undefined));
        else if (result !== undefined) next(root.result, typeAt(signature.file, result, signature.env, depth + 1));
        return;
      }
      case "object": {
        for (const [name, member] of Object.entries(root.members)) {
          const part = member.root.kind === "value" ? member.root.type : member;
          if (part.root.kind !== "unknown") next(part, memberOf(from, name, false, depth + 1));
        }
        if (root.index !== undefined) next(root.index, elementOf(from, undefined, depth + 1));
        return;
      }
      case "tuple": {
        for (const [at, item] of root.items.entries()) next(item, elementOf(from, at, depth + 1));
        return;
      }
      case "symbol":
      case "import":
      case "free":
        if (type.arguments !== undefined) inferNamed(to, type, type.arguments, from, next, depth);
    }
  };

  /** The same of a type with arguments: what the value is of, or is derived from, has the same. */
  const inferNamed = (
    to: Inference,
    type: Reference,
    given: readonly Reference[],
    from: Step,
    next: (part: Reference, value: Step) => void,
    depth: number,
  ): void => {
    const { root, members: names } = type;
    const target = follow(to.file, type, true, undefined, depth + 1).entity;
    let parameters: readonly TypeParameter[] | undefined;
    let env: Env | undefined;
    if (isSymbol(target)) {
      parameters = world.symbol(target).typeParameters;
      // An alias is compared as it is written; behind it stands another type.
      let at = from;
      if (!at.isValue && isSymbol(at.entity) && at.type === undefined) at = typeOf(at.entity, at.env, depth);
      const value = at.entity === target ? at : settle(at, depth);
      const { typeParameters, kind, type: meant } = world.symbol(target);
      if (value.entity === target) env = value.env;
      else if (isSymbol(value.entity) && kind !== "typeAlias")
        env = envOf(value.entity, value.env, target, depth, new Set());
      else if (kind === "typeAlias" && meant !== undefined && typeParameters !== undefined) {
        const inner = {
          file: world.fileOf(target),
          env: new Map(),
          wanted: new Set(typeParameters.map((it) => it.parameter)),
        };
        infer(inner, meant, from, 1, depth + 1);
        env = inner.env;
      }
    } else if (root.kind === "free" && names.length === 0) {
      const global = globalsOf(to.file)?.types.get(root.name);
      const value = settle(from, depth);
      const list = value.shape?.kind === "tuple" ? listOf(value, value.shape.items, depth) : value;
      const isSame = global !== undefined && list.shape === global.type.root;
      parameters = global?.parameters;
      if (isSame) env = list.env;
      // What can be gone through is so by what it holds.
      else if (global?.isIterated === true && given[0] !== undefined) next(given[0], iteratedOf(value, depth + 1));
    }
    for (const [at, argument] of given.entries()) {
      const parameter = parameters?.[at];
      const value = parameter && env?.get(parameter.parameter);
      if (value !== undefined) next(argument, value);
    }
  };

  const elementOf = (from: Step, at: number | undefined, depth: number): Step => {
    const step = settle(from, depth);
    const { entity, shape, parts, file, env } = step;
    if (depth > MAX_DEPTH || ++work > MAX_WORK) return UNKNOWN;
    if (parts !== undefined) return either(parts.map((part) => elementOf(part, at, depth + 1)));
    if (shape?.kind === "tuple") {
      const items = at === undefined ? shape.items : shape.items.slice(at, at + 1);
      return either(items.map((item) => typeAt(file, item, env, depth + 1)));
    }
    if (shape?.kind === "mapped") {
      const text = at === undefined ? ANY_KEY : String(at);
      return typeAt(file, shape.type, withKey(env, shape.key, text), depth + 1);
    }
    if (shape?.kind === "object")
      return shape.index === undefined ? UNKNOWN : typeAt(file, shape.index, env, depth + 1);
    if (!isSymbol(entity)) return isOpen(step) ? step : UNKNOWN;
    const index = world.symbol(entity).signatures?.index;
    if (index !== undefined) return typeAt(world.fileOf(entity), index, env, depth + 1);
    return step.isValue
      ? either(baseSteps(entity, env, depth + 1).map((base) => elementOf(base, at, depth + 1)))
      : UNKNOWN;
  };

  const iteratedOf = (from: Step, depth: number): Step => {
    const step = settle(from, depth);
    if (depth > MAX_DEPTH || ++work > MAX_WORK) return UNKNOWN;
    if (step.parts !== undefined) return either(step.parts.map((part) => iteratedOf(part, depth + 1)));
    if (step.shape?.kind === "tuple" || step.shape?.kind === "mapped") return elementOf(step, undefined, depth + 1);
    for (const name of ["[Symbol.iterator]", "[Symbol.asyncIterator]"]) {
      const member = settle(memberOf(step, name, false, depth + 1), depth);
      if (isOpen(member)) continue;
      const [signature] = signaturesOf(member, false, depth + 1);
      if (signature === undefined) return member;
      return signature.result === undefined
        ? UNKNOWN
        : iteratedOf(typeAt(signature.file, signature.result, signature.env, depth + 1), depth + 1);
    }
    return UNKNOWN;
  };

  return {
    /** What a reference names. */
    follow: (file: number, reference: Reference, wantType: boolean): Step => {
      work = 0;
      return follow(file, reference, wantType, undefined, 0);
    },
    /** Types that one is derived from: symbols, and what is outside of the corpus. */
    basesAt: (file: number, reference: Reference): readonly Entity[] => {
      const base = bare(typeAt(file, reference, undefined, 0), 0);
      return (base.parts ?? [base]).map((part) => bare(part, 0).entity);
    },
  };
}

interface CallArguments {
  readonly of: Reference;
  readonly arguments?: readonly Reference[];
}

function named(entity: Entity): Step {
  return entity === NOTHING ? FOREIGN : { entity, isValue: false, isUnknown: false, file: -1, env: undefined };
}

function objectOf(entity: Entity, env: Env | undefined): Step {
  return { entity, isValue: true, isUnknown: false, file: -1, env };
}

/** What a member is that no symbol stands for. */
function hidden(step: Step): Step {
  return step.entity === NOTHING ? step : { ...FOREIGN, type: step };
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
