/**
 * What functions take and give: results of calls, values of parameters and arguments, and the values of type parameters that the
 * arguments of a call say. Of overloads the first that takes as many arguments counts.
 */
import type { FunctionType, Reference, ReferenceRoot, TypeParameter } from "../../languages/base/code-file.ts";
import type { CodeWorld, Entity, GlobalTypes } from "../../languages/base/language.ts";
import { NOTHING } from "../../languages/base/world.ts";
/** Values of type parameters, by their numbers in the file. They are worked out when they are asked for. */
export interface Env {
  readonly get: (parameter: number) => Step | undefined;
  /** What was evaluated with them. */
  evaluated: Map<ReferenceRoot, Step> | undefined;
}

/** What a chain has come to. */
export interface Step {
  /** Symbol, file or name outside; `NOTHING` where it has none. */
  readonly entity: Entity;
  /** Whether it is a value of that type, and not what the name means itself. */
  readonly isValue: boolean;
  /** Whether the rest may be anything: nothing says what the value is. A name may then be guessed. */
  readonly isUnknown: boolean;
  /** File that `shape` is written in. */
  readonly file: number;
  /** Values of the parameters of the entity, or of those in `shape`. */
  readonly env: Env | undefined;
  /** A type that is written out. With an entity, the members that are written in an alias. */
  readonly shape: ReferenceRoot | undefined;
  /** Parts of a union or an intersection, or overloads of what is expected. */
  readonly parts: readonly Step[] | undefined;
  /** Its type, where that is not what the symbol says. It is worked out when it is asked for. */
  readonly type: (() => Step) | undefined;
  /** What it is a member of. */
  readonly receiver: Step | undefined;
  /** Members of the same name of the other parts of what it is a member of. */
  readonly others: (() => readonly Step[]) | undefined;
}

/** All steps are made of this one, so that all have the same fields. */
export const UNKNOWN: Step = {
  entity: NOTHING,
  isValue: true,
  isUnknown: true,
  file: -1,
  env: undefined,
  shape: undefined,
  parts: undefined,
  type: undefined,
  receiver: undefined,
  others: undefined,
};
export const FOREIGN: Step = { ...UNKNOWN, isUnknown: false };

export const CALLABLE: ReadonlySet<string> = new Set(["function", "method", "constructor", "macro", "operator"]);

/** What types say, for those of functions. */
interface Types {
  readonly globalsOf: (file: number) => GlobalTypes | undefined;
  readonly descend: <Result>(otherwise: Result, run: () => Result) => Result;
  readonly follow: (file: number, reference: Reference, wantType: boolean, env: Env | undefined) => Step;
  readonly typeAt: (file: number, reference: Reference, env: Env | undefined) => Step;
  readonly typeOf: (symbol: Entity, env: Env | undefined) => Step;
  readonly bind: (
    parameters: readonly TypeParameter[],
    given: readonly Reference[] | undefined,
    file: number,
    env: Env | undefined,
    owner: number,
  ) => Env;
  readonly settle: (step: Step) => Step;
  readonly memberOf: (from: Step, name: string, wantType: boolean) => Step;
  readonly elementOf: (from: Step, at: number | undefined) => Step;
  readonly listOf: (step: Step, items: readonly Reference[]) => Step;
  readonly envOf: (from: Entity, env: Env | undefined, owner: Entity, seen: Set<Entity>) => Env | undefined;
  readonly baseSteps: (container: Entity, env: Env | undefined) => readonly Step[];
  readonly makerOf: (container: Entity) => Entity;
}

interface Signature {
  readonly takes: FunctionType;
  readonly result: Reference | undefined;
  /** What is made, where it is a class. */
  readonly made?: Entity;
  readonly file: number;
  readonly env: Env | undefined;
  /** What it is a member of. */
  readonly receiver?: Step | undefined;
  /** Symbol that it is of; `NOTHING` for what is written out. */
  readonly symbol: Entity;
}

type Call = Extract<ReferenceRoot, { kind: "result" | "argument" }>;

/** What is looked for while parameters are inferred. */
interface Inference {
  readonly file: number;
  readonly env: Env | undefined;
  /** Values that were found. */
  readonly found: Map<number, Step>;
  readonly wanted: ReadonlySet<number>;
}

/** Parts of a union that are kept. */
const MAX_PARTS = 60;
/** Types in one another that are compared when parameters are inferred. */
const MAX_INFERRED = 6;
const NO_PARAMETERS: FunctionType = { parameters: [] };

export function createCalls(world: CodeWorld, types: Types) {
  const { typeAt, typeOf, follow, settle, memberOf, elementOf, descend, globalsOf } = types;

  const signaturesOf = (from: Step, isMade: boolean): readonly Signature[] => {
    const step = settle(from);
    const { entity, shape, parts, file, env } = step;
    if (parts !== undefined) return parts.flatMap((part) => descend([], () => signaturesOf(part, isMade)));
    const written = (takes: FunctionType, at = file): Signature => ({
      takes,
      result: takes.result,
      file: at,
      env,
      symbol: NOTHING,
    });
    if (shape?.kind === "function") return (shape.isMade === true) === isMade ? [written(shape)] : [];
    if (shape?.kind === "object") return ((isMade ? shape.makes : shape.calls) ?? []).map((takes) => written(takes));
    if (!world.isSymbol(entity)) return [];
    if (step.isValue) {
      const own = twinsOf(world, entity).flatMap((twin) => {
        const { signatures } = world.symbol(twin);
        const all = (isMade ? signatures?.makes : signatures?.calls) ?? [];
        return all.map((takes) => written(takes, world.fileOf(twin)));
      });
      if (own.length > 0) return own;
      return descend([], () => types.baseSteps(entity, env).flatMap((base) => signaturesOf(base, isMade)));
    }
    const { kind, takes: own } = world.symbol(entity);
    if (isMade) return kind === "class" ? makersOf(entity) : [];
    if (!CALLABLE.has(kind)) return [];
    return (own === undefined ? [entity] : twinsOf(world, entity)).map((symbol) => {
      const { takes = NO_PARAMETERS, type } = world.symbol(symbol);
      return { takes, result: type, file: world.fileOf(symbol), env, receiver: step.receiver, symbol };
    });
  };

  const makersOf = (entity: Entity): readonly Signature[] => {
    const { typeParameters } = world.symbol(entity);
    const maker = types.makerOf(entity);
    const file = world.fileOf(maker === NOTHING ? entity : maker);
    const isOwn = file === world.fileOf(entity);
    const all = maker === NOTHING ? [] : twinsOf(world, maker).flatMap((twin) => world.symbol(twin).takes ?? []);
    return (all.length === 0 ? [NO_PARAMETERS] : all).map((takes) => ({
      takes: isOwn && typeParameters !== undefined ? { ...takes, typeParameters } : takes,
      result: undefined,
      made: entity,
      file,
      env: undefined,
      symbol: NOTHING,
    }));
  };

  /** The signatures that take so many arguments, or all where none does. */
  const taking = (signatures: readonly Signature[], count: number): readonly Signature[] => {
    const fitting = signatures.filter(({ takes }) => takes.isRest === true || takes.parameters.length >= count);
    return fitting.length > 0 ? fitting : signatures;
  };

  /** What a call gives. */
  const resultOf = (step: Step, call: Call, file: number, env: Env | undefined): Step => {
    if (isOpen(step)) return step;
    const isMade = call.isMade === true;
    if (!step.isValue && world.isSymbol(step.entity)) {
      const { kind, parent } = world.symbol(step.entity);
      const first = world.first[world.fileOf(step.entity)] as number;
      if (kind === "constructor" && parent >= 0) return objectOf(first + parent, undefined);
    }
    const [signature] = taking(signaturesOf(step, isMade), call.arguments?.length ?? 0);
    if (signature === undefined) return resultOfEntity(settle(step), isMade);
    const inferred = inferredBy(signature, call, file, env, -1);
    const { made, result, receiver, symbol } = signature;
    if (made !== undefined) return objectOf(made, inferred);
    if (symbol !== NOTHING && (result === undefined || inferred === undefined)) {
      const isItself = result?.root.kind === "self" && result.members.length === 0;
      return isItself && receiver?.isValue === true ? receiver : typeOf(symbol, undefined);
    }
    if (result === undefined) return UNKNOWN;
    if (result.root.kind === "self" && result.members.length === 0 && receiver?.isValue === true) return receiver;
    return typeAt(signature.file, result, inferred);
  };

  /** What calling something gives that says nothing of what it takes. */
  const resultOfEntity = (step: Step, isMade: boolean): Step => {
    const { entity } = step;
    if (!world.isSymbol(entity)) return isOpen(step) ? step : entity === NOTHING ? UNKNOWN : FOREIGN;
    const { kind } = world.symbol(entity);
    // Calling a class makes one of it, where the language has no `new`.
    if (isMade || kind === "class" || kind === "struct" || kind === "record") return objectOf(entity, undefined);
    // Where functions are not written down as types, a member is called that gives what it is declared to be.
    return step.isValue && globalsOf(world.fileOf(entity)) === undefined ? step : UNKNOWN;
  };

  const parameterAt = ({ takes, file, env }: Signature, at: number): Step => {
    const { parameters, isRest } = takes;
    const last = parameters.length - 1;
    const parameter = parameters[isRest === true ? Math.min(at, last) : at];
    if (parameter === undefined) return UNKNOWN;
    const type = typeAt(file, parameter, env);
    return isRest === true && at >= last ? elementOf(type, at - last) : type;
  };

  /** Values of a function's type parameters: those that are written, else what the arguments say, else the defaults. */
  const inferredBy = (
    { takes, file: owner, env: outer }: Signature,
    { of, arguments: given }: Call,
    file: number,
    env: Env | undefined,
    except: number,
  ): Env | undefined => {
    const { typeParameters, parameters, isRest } = takes;
    if (typeParameters === undefined) return outer;
    const wanted = new Set(typeParameters.map(({ parameter }) => parameter));
    const written = of.arguments && types.bind(typeParameters, of.arguments, file, env, owner);
    let found: Map<number, Step> | undefined;
    const readArguments = (): Map<number, Step> => {
      found = new Map();
      const inference: Inference = { file: owner, env: outer, found, wanted };
      for (const [at, argument] of (given ?? []).entries()) {
        const last = parameters.length - 1;
        const parameter = parameters[Math.min(at, last)];
        if (at === except || parameter === undefined || argument.root.kind === "unknown") continue;
        const expected = isRest === true && at >= last ? (parameter.arguments?.[0] ?? parameter) : parameter;
        infer(inference, expected, follow(file, argument, false, env), 0);
      }
      return found;
    };
    const bound: Env = remember((number) => {
      if (!wanted.has(number)) return outer?.get(number);
      if (written !== undefined) return written.get(number);
      const inferred = (found ?? readArguments()).get(number);
      if (inferred !== undefined) return inferred;
      const preset = typeParameters.find(({ parameter }) => parameter === number)?.preset;
      return preset && typeAt(owner, preset, bound);
    });
    return bound;
  };

  /** Finds what parameters in a type have to be, that a value may be of it. */
  const infer = (to: Inference, type: Reference, from: Step, depth: number): void => {
    if (depth < MAX_INFERRED && !isOpen(from)) descend(undefined, () => inferIn(to, type, from, depth));
  };

  const inferIn = (to: Inference, type: Reference, from: Step, depth: number): void => {
    const { root } = type;
    const next = (part: Reference, value: Step): void => infer(to, part, value, depth + 1);
    switch (root.kind) {
      case "parameter":
        if (to.wanted.has(root.parameter) && !to.found.has(root.parameter)) to.found.set(root.parameter, settle(from));
        return;
      case "either": {
        const isParameter = (part: Reference): boolean => part.root.kind === "parameter";
        for (const part of root.of) if (!isParameter(part)) next(part, from);
        for (const part of root.of) if (isParameter(part)) next(part, from);
        return;
      }
      case "function":
        inferFunction(root, from, next);
        return;
      case "object":
        for (const [name, member] of Object.entries(root.members)) {
          const part = member.root.kind === "value" ? member.root.type : member;
          if (part.root.kind !== "unknown") next(part, memberOf(from, name, false));
        }
        if (root.index !== undefined) next(root.index, elementOf(from, undefined));
        return;
      case "tuple":
        for (const [at, item] of root.items.entries()) next(item, elementOf(from, at));
        return;
      case "symbol":
      case "import":
      case "free":
        if (type.arguments !== undefined) inferNamed(to, type, type.arguments, from, next);
    }
  };

  const inferFunction = (
    root: Extract<ReferenceRoot, { kind: "function" }>,
    from: Step,
    next: (part: Reference, value: Step) => void,
  ): void => {
    const [signature] = signaturesOf(from, root.isMade === true);
    if (signature === undefined) return;
    const { takes, file, env, made, result } = signature;
    for (const [at, parameter] of root.parameters.entries()) {
      if (parameter.root.kind === "unknown") continue;
      if (root.isRest !== true || at < root.parameters.length - 1) next(parameter, parameterAt(signature, at));
      else next(parameter, { ...FOREIGN, file, env, shape: { kind: "tuple", items: takes.parameters.slice(at) } });
    }
    if (root.result === undefined || root.result.root.kind === "unknown") return;
    if (made !== undefined) next(root.result, objectOf(made, undefined));
    else if (result !== undefined) next(root.result, typeAt(file, result, env));
  };

  /** The same of a type with arguments: what the value is of, or is derived from, has the same. */
  const inferNamed = (
    to: Inference,
    type: Reference,
    given: readonly Reference[],
    from: Step,
    next: (part: Reference, value: Step) => void,
  ): void => {
    const { root, members: names } = type;
    const target = follow(to.file, type, true, undefined).entity;
    let parameters: readonly TypeParameter[] | undefined;
    let env: Env | undefined;
    if (world.isSymbol(target)) {
      const { typeParameters, kind, type: meant } = world.symbol(target);
      parameters = typeParameters;
      const isNamed = !from.isValue && world.isSymbol(from.entity) && from.type === undefined;
      const written = isNamed ? typeOf(from.entity, from.env) : from;
      // An alias is compared as it is written; behind it stands another type.
      const value = written.entity === target ? written : settle(from);
      if (value.entity === target) env = value.env;
      else if (kind !== "typeAlias") {
        env = world.isSymbol(value.entity) ? types.envOf(value.entity, value.env, target, new Set()) : undefined;
      } else if (meant !== undefined && typeParameters !== undefined) {
        const found = new Map<number, Step>();
        const wanted = new Set(typeParameters.map(({ parameter }) => parameter));
        infer({ file: world.fileOf(target), env: undefined, found, wanted }, meant, from, 1);
        env = makeEnv((parameter) => found.get(parameter));
      }
    } else if (root.kind === "free" && names.length === 0) {
      const global = globalsOf(to.file)?.types.get(root.name);
      const value = settle(from);
      const list = value.shape?.kind === "tuple" ? types.listOf(value, value.shape.items) : value;
      parameters = global?.parameters;
      if (global !== undefined && list.shape === global.type.root) env = list.env;
      // What can be gone through is so by what it holds.
      else if (global?.isIterated === true && given[0] !== undefined) next(given[0], elementOf(value, undefined));
    }
    for (const [at, argument] of given.entries()) {
      const parameter = argument.root.kind === "unknown" ? undefined : parameters?.[at];
      const value = parameter && env?.get(parameter.parameter);
      if (value !== undefined) next(argument, value);
    }
  };

  return {
    resultOf,
    infer,
    /** What a function is given as a parameter; of overloads the first that says it. */
    parameterOf: (step: Step, parameter: number): Step => {
      for (const signature of signaturesOf(step, false)) {
        const given = parameterAt(signature, parameter);
        if (!isOpen(given)) return given;
      }
      return UNKNOWN;
    },
    /** What a function expects as one of its arguments. */
    argumentOf: (step: Step, call: Call & { kind: "argument" }, file: number, env: Env | undefined): Step => {
      const { argument, arguments: given } = call;
      const signatures = signaturesOf(step, call.isMade === true);
      const expected = taking(signatures, Math.max(argument + 1, given?.length ?? 0)).map((signature) =>
        parameterAt({ ...signature, env: inferredBy(signature, call, file, env, argument) }, argument),
      );
      return either(expected);
    },
  };
}

/** Values that are worked out once; what needs itself meanwhile is unknown. */
export function remember(find: (parameter: number) => Step | undefined): Env {
  const known = new Map<number, Step | undefined>();
  return makeEnv((parameter) => {
    if (known.has(parameter)) return known.get(parameter);
    known.set(parameter, UNKNOWN);
    const found = find(parameter);
    known.set(parameter, found);
    return found;
  });
}

export function makeEnv(get: Env["get"]): Env {
  return { get, evaluated: undefined };
}

/** One of several values. */
export function either(parts: readonly Step[]): Step {
  const flat = parts.flatMap((part) => (part.type === undefined && part.parts) || part);
  const known = flat.filter((part) => !isOpen(part));
  if (known.length > 1) return { ...FOREIGN, parts: known.slice(0, MAX_PARTS) };
  return known[0] ?? flat.find(({ isUnknown }) => isUnknown) ?? FOREIGN;
}

/** Whether nothing is known of a step, so that no member can be. */
export function isOpen({ entity, shape, parts, type }: Step): boolean {
  return entity === NOTHING && shape === undefined && parts === undefined && type === undefined;
}

export function objectOf(entity: Entity, env: Env | undefined): Step {
  return { ...FOREIGN, entity, env };
}

/** Declarations of the same name in the same place of the file, itself included. */
export function twinsOf(world: CodeWorld, symbol: number): readonly number[] {
  const { parent, name } = world.symbol(symbol);
  const file = world.fileOf(symbol);
  const { top, members } = world.names(file);
  return (parent < 0 ? top.get(name) : members.get((world.first[file] as number) + parent)?.get(name)) ?? [];
}
