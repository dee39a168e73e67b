/**
 * What references come to: names by scope and imports, then the type that each place has, evaluated from what is written with
 * the values of type parameters put in.
 *
 * Nothing is checked, and nothing is guessed: what no type says is unknown. Of a union and of an intersection each part may have
 * a member; the first that has it counts.
 */
import type { Reference, ReferenceRoot, TypeParameter } from "../../languages/base/code-file.ts";
import type { Bindings, CodeWorld, Entity, GlobalTypes, ResolveFree } from "../../languages/base/language.ts";
import { isContainer, isType, NOTHING, pickSymbol } from "../../languages/base/world.ts";
import {
  CALLABLE,
  createCalls,
  type Env,
  either,
  FOREIGN,
  isOpen,
  makeEnv,
  objectOf,
  remember,
  type Step,
  twinsOf,
  UNKNOWN,
} from "./calls.ts";

/** Types in one another that are followed: `a().b().c()`, and a type that is declared by itself. */
const MAX_LEVEL = 200;
/** Steps that one place may take; more are types that are computed without end. */
const MAX_WORK = 1_500;
/** Names of names that are followed. */
const MAX_HOPS = 50;

/** Roots that name something. */
const NAMES: ReadonlySet<ReferenceRoot["kind"]> = new Set(["symbol", "import", "free"]);
/** Key of a member that is any of a list. */
const ANY_KEY = "*";

/** Members of types, as far as types ask for them. */
interface TypeMembers {
  readonly find: (container: number, name: string, wantStatic: boolean) => Entity;
  readonly findInBases: (container: number, name: string, wantStatic: boolean) => Entity;
  readonly extendedBy: (container: number) => readonly Reference[];
}

export function createTypes(world: CodeWorld, bindings: Bindings, free: ResolveFree, members: () => TypeMembers) {
  const declared = new Map<Entity, Step>();
  /** What was evaluated without values of parameters, of the uses of one file. */
  let evaluated = new Map<ReferenceRoot, Step>();
  let current = -1;
  let work = 0;
  let level = 0;

  const globalsOf = (file: number): GlobalTypes | undefined => world.families[file]?.globals;

  /** Takes a step into a type; `otherwise` where there were too many. */
  const descend = <Result>(otherwise: Result, run: () => Result): Result => {
    if (level >= MAX_LEVEL || ++work > MAX_WORK) return otherwise;
    level++;
    const result = run();
    level--;
    return result;
  };

  const follow = (file: number, reference: Reference, wantType: boolean, env: Env | undefined): Step => {
    const { root, members: names } = reference;
    return descend(UNKNOWN, () => {
      let step = rootOf(file, root, names.length === 0 && wantType, env);
      for (const [at, name] of names.entries()) {
        if (at > 0 && isOpen(step)) return step.isUnknown ? UNKNOWN : FOREIGN;
        const isOfBase = at === 0 && root.kind === "super";
        if (isOfBase) step = named(members().findInBases(step.entity, name, false));
        else step = memberOf(step, name, wantType && at === names.length - 1);
      }
      return step;
    });
  };

  const rootOf = (file: number, root: ReferenceRoot, wantType: boolean, env: Env | undefined): Step => {
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
        const member = within === undefined ? NOTHING : seenMember(file, within, name, wantType);
        const found = member === NOTHING ? free(file, name, wantType) : member;
        const value = found === NOTHING && !wantType ? globalsOf(file)?.values.get(name) : undefined;
        return value === undefined ? named(found) : { ...FOREIGN, type: () => typeAt(file, value, undefined) };
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
        return env?.get(root.parameter) ?? (root.constraint ? typeAt(file, root.constraint, env) : UNKNOWN);
      default: {
        if (env !== undefined) env.evaluated ??= new Map();
        const known = env?.evaluated ?? evaluated;
        const before = known.get(root);
        if (before !== undefined) return before;
        // What leads back to itself is unknown.
        known.set(root, UNKNOWN);
        const step = evaluate(file, root, env);
        known.set(root, step);
        return step;
      }
    }
  };

  const evaluate = (file: number, root: ReferenceRoot, env: Env | undefined): Step => {
    const value = (of: Reference): Step => follow(file, of, false, env);
    switch (root.kind) {
      case "value":
        return typeAt(file, root.type, env);
      case "typeof":
        return settle(value(root.of));
      case "result":
        return calls.resultOf(value(root.of), root, file, env);
      case "argument":
        return calls.argumentOf(value(root.of), root, file, env);
      case "given":
        return calls.parameterOf(value(root.of), root.parameter);
      case "element":
        return elementOf(value(root.of), root.at);
      case "either":
        return either(root.of.map((part) => typeAt(file, part, env)));
      case "condition": {
        if (root.inferred.length === 0) return either([root.yes, root.no].map((part) => typeAt(file, part, env)));
        const check = settle(typeAt(file, root.check, env));
        const branches = (check.parts ?? [check]).map((part) => {
          const found = new Map<number, Step>();
          const inner = makeEnv((parameter) => found.get(parameter) ?? env?.get(parameter));
          calls.infer({ file, env: inner, found, wanted: new Set(root.inferred) }, root.extended, part, 0);
          if (found.size > 0) return typeAt(file, root.yes, inner);
          return root.no.root.kind === "unknown" ? UNKNOWN : typeAt(file, root.no, env);
        });
        return either(branches);
      }
      case "access": {
        const of = typeAt(file, root.of, env);
        const key = typeAt(file, root.key, env);
        const { shape } = key;
        if (shape?.kind !== "literal") return key.isUnknown ? elementOf(of, undefined) : UNKNOWN;
        if (/^\d+$/.test(shape.text)) return elementOf(of, Number(shape.text));
        return shape.text === ANY_KEY ? elementOf(of, undefined) : settle(memberOf(of, shape.text, false));
      }
      default:
        return UNKNOWN;
    }
  };

  /** A value of the type that a reference in a place of types stands for. */
  const typeAt = (file: number, reference: Reference, env: Env | undefined): Step => {
    const { root, members: names, arguments: given } = reference;
    const step = follow(file, reference, true, env);
    if (names.length === 0 && !NAMES.has(root.kind)) return step;
    if (step.isValue) {
      const global = root.kind === "free" && names.length === 0 ? globalsOf(file)?.types.get(root.name) : undefined;
      if (global === undefined || !isOpen(step)) return step;
      return typeAt(file, global.type, bind(global.parameters, given, file, env, file));
    }
    if (!world.isSymbol(step.entity)) return { ...step, isValue: true };
    const { typeParameters } = world.symbol(step.entity);
    if (typeParameters === undefined) return objectOf(step.entity, undefined);
    return objectOf(step.entity, bind(typeParameters, given, file, env, world.fileOf(step.entity)));
  };

  /** Values of type parameters by the arguments that are written, else by their defaults. */
  const bind = (
    parameters: readonly TypeParameter[],
    given: readonly Reference[] | undefined,
    file: number,
    env: Env | undefined,
    owner: number,
  ): Env => {
    const bound: Env = remember((number) => {
      const at = parameters.findIndex(({ parameter }) => parameter === number);
      const argument = given?.[at];
      const preset = parameters[at]?.preset;
      if (argument !== undefined) return typeAt(file, argument, env);
      return preset === undefined ? undefined : typeAt(owner, preset, bound);
    });
    return bound;
  };

  /** A member of the type around that a plain name means; a constructor goes by the name of its type. */
  const seenMember = (file: number, within: Reference, name: string, wantType: boolean): Entity => {
    const { entity, isValue } = follow(file, within, true, undefined);
    if (!world.isSymbol(entity) || !isContainer(world.symbol(entity))) return NOTHING;
    const member = members().find(entity, name, !isValue);
    if (member === NOTHING || world.symbol(member).kind === "constructor") return NOTHING;
    return wantType && !isType(world.symbol(member)) ? NOTHING : member;
  };

  /** Type that a symbol is declared to have or to return. */
  const typeOf = (symbol: Entity, env: Env | undefined): Step => {
    const before = env === undefined ? declared.get(symbol) : undefined;
    if (before !== undefined) return before;
    if (env === undefined) declared.set(symbol, FOREIGN);
    const { type, typeText } = world.symbol(symbol);
    const step = type === undefined ? UNKNOWN : typeAt(world.fileOf(symbol), type, env);
    // What is declared to be of a type that nobody knows is of something outside.
    const said = isOpen(step) && typeText !== "" ? FOREIGN : step;
    if (env === undefined) declared.set(symbol, said);
    return said;
  };

  /** What has the members of a step: of an alias what it stands for. */
  const bare = (step: Step): Step => {
    let at = step;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      if (at.type !== undefined) {
        at = at.type();
        continue;
      }
      if (at.shape !== undefined || at.parts !== undefined || !world.isSymbol(at.entity)) return at;
      const { kind, type } = world.symbol(at.entity);
      if (kind !== "typeAlias" || type === undefined) return at;
      const isWritten = type.root.kind === "either" || type.root.kind === "self";
      if (!isWritten && hasMembers(world, at.entity)) return at;
      at = typeOf(at.entity, at.env);
    }
    return UNKNOWN;
  };

  /** The value that a step is, with the names of variables and members followed to their types. */
  const settle = (step: Step): Step => {
    let at = step;
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      at = bare(at);
      if (at.isValue || !world.isSymbol(at.entity)) return at;
      const symbol = world.symbol(at.entity);
      if (isContainer(symbol) || CALLABLE.has(symbol.kind)) return at;
      if (symbol.type === undefined && hasMembers(world, at.entity)) return at;
      at = typeOf(at.entity, at.env);
    }
    return UNKNOWN;
  };

  const memberOf = (from: Step, name: string, wantType: boolean): Step =>
    descend(UNKNOWN, () => findMember(bare(from), name, wantType));

  const findMember = (step: Step, name: string, wantType: boolean): Step => {
    const { entity, shape, parts } = step;
    if (parts !== undefined) return memberOfParts(parts, name, wantType);
    if (shape !== undefined && shape.kind !== "self") return memberOfShape(step, shape, name);
    if (entity === NOTHING) return step;
    if (!world.isSymbol(entity)) {
      if (step.isValue || world.outside(entity)?.kind === "external") return FOREIGN;
      return named(bindings.exported(entity, name, wantType));
    }
    const symbol = world.symbol(entity);
    if (isContainer(symbol) || shape !== undefined) {
      const member = members().find(entity, name, !step.isValue);
      // What made an object is no member that anyone declares.
      if (member !== NOTHING && name === "constructor" && world.symbol(member).kind === "constructor") return FOREIGN;
      if (member !== NOTHING) return ownedBy(step, wantType ? pickTwin(world, member, true) : member);
      const index = step.isValue ? symbol.signatures?.index : undefined;
      return index === undefined ? FOREIGN : held(world.fileOf(entity), index, step.env);
    }
    // A value is what it is declared to be; without a type an object that is written out has the members written there.
    const isTyped = symbol.typeText !== "" && !CALLABLE.has(symbol.kind) && symbol.kind !== "typeAlias";
    const type = isTyped ? bare(typeOf(entity, step.env)) : FOREIGN;
    const typed = isTyped ? memberOfType(step, name, wantType) : FOREIGN;
    if (!isOpen(typed) || type.shape !== undefined || world.isSymbol(type.entity)) return typed;
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
    return CALLABLE.has(symbol.kind) || isPlainType ? FOREIGN : memberOfType(step, name, wantType);
  };

  const memberOfType = ({ entity, env }: Step, name: string, wantType: boolean): Step => {
    const type = typeOf(entity, env);
    return isOpen(type) ? type : memberOf(type, name, wantType);
  };

  /** A member that no symbol stands for, by its type. */
  const held = (file: number, type: Reference, env: Env | undefined): Step => ({
    ...FOREIGN,
    type: later(() => typeAt(file, type, env)),
  });

  const memberOfParts = (parts: readonly Step[], name: string, wantType: boolean): Step => {
    const found: Step[] = [];
    let isUnknown = false;
    for (const [at, part] of parts.entries()) {
      const member = memberOf(part, name, wantType);
      if (isOpen(member)) isUnknown ||= member.isUnknown;
      else found.push(member);
      if (member.entity === NOTHING) continue;
      if (found.length === 1 && at === parts.length - 1) return member;
      const others = (): Step[] => parts.slice(at + 1).map((other) => memberOf(other, name, wantType));
      return { ...member, type: later(() => either([...found.reverse(), ...others()])), others };
    }
    if (found.length > 1) return { ...FOREIGN, type: later(() => either(found)) };
    return found[0] ?? (isUnknown ? UNKNOWN : FOREIGN);
  };

  const memberOfShape = (step: Step, shape: ReferenceRoot, name: string): Step => {
    const { file, env } = step;
    switch (shape.kind) {
      case "object": {
        const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined;
        if (member !== undefined) return { ...FOREIGN, type: later(() => follow(file, member, false, env)) };
        for (const part of shape.spread ?? []) {
          const found = memberOf(follow(file, part, false, env), name, false);
          if (!isOpen(found)) return found;
        }
        return shape.index === undefined ? FOREIGN : held(file, shape.index, env);
      }
      case "tuple":
        return memberOf(listOf(step, shape.items), name, false);
      case "mapped": {
        const keys = shape.keys && keysOf(typeAt(file, shape.keys, env));
        if (keys !== undefined && keys.has(name) === (shape.isWithout === true)) return FOREIGN;
        const found = memberOf(typeAt(file, shape.of, env), name, false);
        if (found.isUnknown || shape.type === undefined) return found;
        const { type, key } = shape;
        return { ...found, type: later(() => typeAt(file, type, withKey(env, key, name))) };
      }
      default:
        return FOREIGN;
    }
  };

  /** Names that a type is; undefined where it may be others. */
  const keysOf = (from: Step): ReadonlySet<string> | undefined => {
    const step = settle(from);
    const names = (step.parts ?? [step]).map((part) => settle(part).shape);
    const texts = names.flatMap((shape) => (shape?.kind === "literal" ? shape.text : []));
    return texts.length === names.length ? new Set(texts) : undefined;
  };

  /** The list of the language that holds what a row of values does. */
  const listOf = ({ file, env }: Step, items: readonly Reference[]): Step => {
    const list = globalsOf(file)?.types.get("Array");
    if (list === undefined) return FOREIGN;
    return typeAt(
      file,
      list.type,
      remember(() => either(items.map((item) => typeAt(file, item, env)))),
    );
  };

  const withKey = (env: Env | undefined, key: number, text: string): Env =>
    makeEnv((parameter) =>
      parameter === key ? { ...FOREIGN, shape: { kind: "literal", text } } : env?.get(parameter),
    );

  /** A member with the type arguments of what it is a member of. */
  const ownedBy = (step: Step, member: Entity): Step => {
    const { parent } = world.symbol(member);
    const owner = (world.first[world.fileOf(member)] as number) + parent;
    const env = parent < 0 ? undefined : envOf(step.entity, step.env, owner, new Set());
    return { ...named(member), env, receiver: step };
  };

  /** What the type parameters of a type are, for an object of one that is derived from it. */
  const envOf = (from: Entity, env: Env | undefined, owner: Entity, seen: Set<Entity>): Env | undefined => {
    if (from === owner) return env;
    if (world.symbol(owner).typeParameters === undefined || seen.has(from)) return undefined;
    seen.add(from);
    return descend(undefined, () => {
      for (const base of baseSteps(from, env)) {
        if (base.entity === owner) return base.env;
        const found = world.isSymbol(base.entity) ? envOf(base.entity, base.env, owner, seen) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    });
  };

  /** Objects of the types that one is derived from. */
  const baseSteps = (container: Entity, env: Env | undefined): readonly Step[] => {
    const file = world.fileOf(container);
    return members()
      .extendedBy(container)
      .flatMap((reference) => {
        const base = bare(typeAt(file, reference, env));
        return base.parts ?? [base];
      });
  };

  const elementOf = (from: Step, at: number | undefined): Step =>
    descend(UNKNOWN, () => {
      const step = settle(from);
      const { entity, shape, parts, file, env } = step;
      if (parts !== undefined) return either(parts.map((part) => elementOf(part, at)));
      if (shape?.kind === "tuple") {
        const items = at === undefined ? shape.items : shape.items.slice(at, at + 1);
        return either(items.map((item) => typeAt(file, item, env)));
      }
      if (shape?.kind === "mapped") {
        if (shape.type === undefined) return elementOf(typeAt(file, shape.of, env), at);
        return typeAt(file, shape.type, withKey(env, shape.key, at === undefined ? ANY_KEY : String(at)));
      }
      if (shape?.kind === "object") return shape.index === undefined ? UNKNOWN : typeAt(file, shape.index, env);
      if (!world.isSymbol(entity)) return isOpen(step) ? step : UNKNOWN;
      const index = world.symbol(entity).signatures?.index;
      if (index !== undefined) return typeAt(world.fileOf(entity), index, env);
      return step.isValue ? either(baseSteps(entity, env).map((base) => elementOf(base, at))) : UNKNOWN;
    });

  const calls = createCalls(world, {
    globalsOf,
    descend,
    follow,
    typeAt,
    typeOf,
    bind,
    settle,
    memberOf,
    elementOf,
    listOf,
    envOf,
    baseSteps,
    makerOf: (container) => members().find(container, "constructor", false),
  });

  return {
    /** What a reference names. */
    follow: (file: number, reference: Reference, wantType: boolean): Step => {
      work = 0;
      if (file !== current) evaluated = new Map();
      current = file;
      return follow(file, reference, wantType, undefined);
    },
    /** Types that one is derived from: symbols, and what is outside of the corpus. */
    basesAt: (file: number, reference: Reference): readonly Entity[] => {
      const base = bare(typeAt(file, reference, undefined));
      return (base.parts ?? [base]).map((part) => bare(part).entity);
    },
  };
}

function named(entity: Entity): Step {
  return entity === NOTHING ? FOREIGN : { ...FOREIGN, entity, isValue: false };
}

/** What is worked out once, when it is asked for; what needs itself meanwhile is unknown. */
function later(find: () => Step): () => Step {
  let found: Step | undefined;
  return () => {
    if (found !== undefined) return found;
    found = UNKNOWN;
    found = find();
    return found;
  };
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
