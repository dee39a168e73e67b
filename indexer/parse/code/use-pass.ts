/**
 * Second pass over a tree: references of names, by the scopes of the first pass.
 *
 * Each token that is a name and declares nothing is looked at once. The node that it is the last name of gives the chain,
 * the nodes further out give the kind of use.
 */
import { CONTAINER_KINDS, type CodeUse, type Reference, type ReferenceRoot } from "../../languages/base/code-file.ts";
import type { Declarations } from "../../languages/base/rules.ts";
import {
  type Binding,
  type Chain,
  calledName,
  classSideName,
  type ImportDraft,
  type LanguageRules,
  type Names,
  type Scope,
  type Shape,
  SIDED_KINDS,
  type Slot,
  type SymbolDraft,
  type UseRule,
  type Uses,
  wordSet,
} from "../../languages/base/rules.ts";
import { NONE, type SyntaxTree } from "../../languages/base/syntax-tree.ts";

/** Chains and the types of variables are followed this far: behind it stands generated code, and time must stay bounded. */
const MAX_CHAIN = 24;

const UNKNOWN: ReferenceRoot = { kind: "unknown" };

/** Kinds of symbols that are types: a call of one makes an object of it. */
const TYPE_LIKE: ReadonlySet<string> = new Set(
  [...CONTAINER_KINDS].filter((kind) => kind !== "namespace" && kind !== "module"),
);

const TYPE_PLACES = wordSet("type extends implements instantiates decorates");
/** Kinds that are no types, where types have names of their own. */
const VALUE_KINDS = wordSet("field property method variable constant enumMember");

/** Chains of one file, at the place whose scopes are entered. */
class NameChains implements Names {
  readonly tree: SyntaxTree;
  readonly rules: LanguageRules;
  readonly file: Declarations;
  /** Scopes around the place, the innermost last. */
  readonly scopes: Scope[] = [];
  /** Whether the name that is looked for is that of a type. */
  wantsType = false;
  #isInType = false;
  #types: ReadonlyMap<string, SymbolDraft> | undefined;
  /** What a node is, by the number of its type. */
  readonly shapes: readonly (Shape | undefined)[];

  constructor(file: Declarations) {
    this.file = file;
    this.tree = file.tree;
    this.rules = file.rules;
    this.shapes = this.tree.names.types.map((type) =>
      Object.hasOwn(this.rules.shapes, type) ? this.rules.shapes[type] : undefined,
    );
  }

  get fileScope(): Scope {
    return this.file.fileScope;
  }

  get imports(): readonly ImportDraft[] {
    return this.file.imports;
  }

  chainOf(node: number, depth = 0): Chain {
    if (node < 0 || depth > MAX_CHAIN) return { root: UNKNOWN, members: [] };
    const { tree, rules } = this;
    const own = rules.chain?.(this, node, depth);
    if (own !== undefined) return own;
    const type = tree.type(node);
    const shape = this.shapes[tree.kinds[node] as number];
    if (shape === undefined) {
      return rules.names.has(type) || rules.typeNames?.has(type) === true
        ? this.resolve(tree.textOf(node), depth, node)
        : { root: UNKNOWN, members: [] };
    }
    switch (shape.is) {
      case "self":
        return this.selfChain("self");
      case "super":
        return this.selfChain("super");
      case "through":
        return this.chainOf(this.slot(node, shape.child), depth + 1);
      case "member":
        return this.#member(this.slot(node, shape.object), this.slot(node, shape.name), depth);
      case "creation":
        return this.#valueOf(this.chainOf(this.slot(node, shape.type), depth + 1));
      case "invocation":
        return this.resultOf(this.invoked(node, shape, depth));
      case "call":
        return this.resultOf(this.chainOf(this.slot(node, shape.callee), depth + 1));
    }
  }

  resultOf(callee: Chain): Chain {
    if (callee.root.kind === "unknown" || (callee.isLocal === true && callee.members.length === 0)) {
      return { root: UNKNOWN, members: [] };
    }
    const isType =
      callee.members.length === 0 &&
      callee.root.kind === "symbol" &&
      TYPE_LIKE.has(this.file.symbols[callee.root.symbol]?.kind ?? "");
    return isType ? this.#valueOf(callee) : { root: { kind: "result", of: referenceOf(callee) }, members: [] };
  }

  selfChain(kind: "self" | "super"): Chain {
    const type = this.scopes.findLast((scope) => scope.kind === "type" || scope.ofType >= 0);
    if (type?.kind === "type" && type.owner !== undefined) {
      const isClass = kind === "self" && this.rules.hasSides === true && this.#side() === "class";
      return { root: { kind: isClass ? "symbol" : kind, symbol: type.owner.index }, members: [] };
    }
    if (type === undefined || type.ofType < 0) return { root: UNKNOWN, members: [] };
    const chain = this.chainOf(type.ofType, 1);
    if (chain.root.kind === "symbol" && chain.members.length === 0) {
      return { root: { kind, symbol: chain.root.symbol }, members: [] };
    }
    return kind === "self" ? this.#valueOf(chain) : { root: UNKNOWN, members: [] };
  }

  resolve(name: string, depth = 0, node = NONE): Chain {
    const { rules } = this;
    let isPastFunction = false;
    const isCall = rules.callsMembers === true && node >= 0 && this.#isPlainCall(node);
    for (let at = this.scopes.length - 1; at >= 0; at--) {
      const scope = this.scopes[at] as Scope;
      // Where methods do not see members, a type's names count only directly in its body.
      if (scope.kind === "type" && isPastFunction && rules.seesMembers !== true) continue;
      if (scope.kind === "function") isPastFunction = true;
      const binding =
        rules.hasSides === true && scope.kind === "type"
          ? this.#bindingOfSide(scope, name)
          : ((isCall ? scope.names.get(calledName(name)) : undefined) ?? scope.names.get(name));
      if (binding === undefined && scope.kind === "function" && scope.ofType >= 0 && this.rules.seesMembers === true) {
        const member = this.#memberNames(scope)?.get(isCall ? calledName(name) : name);
        if (member?.kind === "symbol") return this.#bound(member, depth);
      }
      // Methods have names of their own: a variable of that name is not what is called.
      if (binding === undefined || (isCall && binding.kind === "local")) continue;
      if (node >= 0 && this.#isElsewhere(scope, binding, node, isCall)) continue;
      if (binding.kind === "outer") {
        const outer = this.file.fileScope.names.get(name);
        return outer === undefined ? free(name) : this.#bound(outer, depth);
      }
      return this.#bound(binding, depth);
    }
    const makesObject = this.rules.callsMakeObjects === true && /^\p{Lu}/u.test(name);
    if (isCall && !makesObject && this.rules.ignored?.has(name) !== true) {
      const type = this.scopes.findLast((scope) => scope.kind === "type" && scope.owner !== undefined);
      if (type?.owner !== undefined && type.owner.bases.length > 0) {
        return { root: this.selfChain("self").root, members: [name] };
      }
    }
    return this.#free(name, node);
  }

  /** Whether what a scope has under a name is not what the name means at a place. */
  #isElsewhere({ kind, owner }: Scope, binding: Binding, node: number, isCall: boolean): boolean {
    const { tree, rules } = this;
    const isType =
      rules.namesApart !== undefined &&
      (this.wantsType || rules.typeNames?.has(tree.type(node)) === true || this.#isInPath(node));
    if (binding.kind === "local") return isType && (binding.typeNode >= 0 || binding.valueNode >= 0);
    if (binding.kind !== "symbol") return false;
    const { symbol } = binding;
    if (isType && VALUE_KINDS.has(symbol.kind)) return true;
    if (rules.namesApart === "types and methods" && !isCall && symbol.kind === "method") return true;
    if (kind !== "type" || symbol.parent !== owner) return false;
    // Members of a struct are behind a dot or in a path.
    if (rules.namesApart === "types" && rules.seesMembers !== true && owner?.kind === "struct") return true;
    // Bases are named outside of the type, and a body that runs line by line has names from their line on.
    if (owner !== undefined && this.#isBaseOf(owner, node)) return true;
    return rules.seesMembers !== true && VALUE_KINDS.has(symbol.kind) && node < tree.after(symbol.node);
  }

  /** Whether a node is in front of the name of a path: `ast` of `ast::Class`. */
  #isInPath(node: number): boolean {
    const parent = this.tree.parent(node);
    const shape = parent < 0 ? undefined : this.shapes[this.tree.kinds[parent] as number];
    return shape?.is === "member" && shape.isPath === true && this.slot(parent, shape.object) === node;
  }

  #isBaseOf({ bases }: SymbolDraft, node: number): boolean {
    return bases.some((base) => node >= base && node < this.tree.after(base));
  }

  /** Where methods of a class and of its objects are apart: those of the side that the place is on, and what is no method. */
  #bindingOfSide({ names, owner }: Scope, name: string): Binding | undefined {
    const plain = names.get(name);
    const isMethod = plain?.kind === "symbol" && SIDED_KINDS.has(plain.symbol.kind);
    const isOwn = owner === this.scopes.findLast(({ kind }) => kind === "type")?.owner;
    const side = this.#side();
    const ofObjects = isMethod && (!isOwn || side === "class") ? undefined : plain;
    return ofObjects ?? (isOwn && side !== "object" ? names.get(classSideName(name)) : undefined);
  }

  /** Whose methods plain names mean here: the class's in its body and in methods of it; in a block of its body either's. */
  #side(): "class" | "object" | undefined {
    let isInBlock = false;
    for (let at = this.scopes.length - 1; at >= 0; at--) {
      const { kind, owner } = this.scopes[at] as Scope;
      if (kind === "type") return isInBlock ? undefined : "class";
      if (kind === "function" && owner !== undefined) return owner.flags.has("static") ? "class" : "object";
      isInBlock = true;
    }
    return undefined;
  }

  /** A name of which this file knows nothing, with the type around whose members in other files it may mean. */
  #free(name: string, node: number): Chain {
    const { rules } = this;
    if (rules.seesMembers !== true || this.#isInType || rules.ignored?.has(name) === true) return free(name);
    const scope = this.scopes.findLast(
      ({ kind, owner, ofType }) =>
        ofType >= 0 || (kind === "type" && (TYPE_LIKE.has(owner?.kind ?? "") || owner?.kind === "module")),
    );
    // The name of the type around is no member of it: a constructor is never meant.
    const typeName = scope === undefined || scope.ofType < 0 ? scope?.owner?.name : this.tree.textOf(scope.ofType);
    if (scope === undefined || typeName === name) return free(name);
    // The name of the type itself is looked for here, too: it has no type around.
    this.#isInType = true;
    const type = scope.ofType >= 0 ? this.chainOf(scope.ofType, 1) : undefined;
    this.#isInType = false;
    const owner = type === undefined ? scope.owner : symbolOf(type, this.file.symbols);
    if (owner === undefined) {
      const isKnown = type !== undefined && type.root.kind !== "unknown";
      return isKnown ? free(name, { root: { kind: "value", type: referenceOf(type) }, members: [] }) : free(name);
    }
    if (this.#isBaseOf(owner, node)) return free(name);
    const hasMore = rules.splitsTypes === true || owner.bases.length > 0;
    const kind = rules.hasSides === true && this.#side() === "class" ? "symbol" : "self";
    return hasMore ? free(name, { root: { kind, symbol: owner.index }, members: [] }) : free(name);
  }

  /** Type of a value by the chain that makes it; undefined where that says nothing. */
  typeMadeBy(chain: Chain): Reference | undefined {
    if (chain.members.length > 0) return undefined;
    if (chain.root.kind === "value") return chain.root.type;
    if (this.rules.callsMakeObjects === true && chain.root.kind === "result") {
      const { of } = chain.root;
      const last = of.members.at(-1) ?? this.#nameOf(of.root);
      if (/^_*\p{Lu}/u.test(last)) return of;
    }
    return undefined;
  }

  typeReference(node: number, depth = 0): Reference | undefined {
    if (node < 0) return undefined;
    const before = this.wantsType;
    this.wantsType = true;
    const chain = this.chainOf(node, depth);
    this.wantsType = before;
    return chain.root.kind === "unknown" || chain.root.kind === "result" || chain.isLocal === true
      ? undefined
      : referenceOf(chain);
  }

  /** A child by its slot; {@link NONE} where there is none. */
  slot(node: number, slot: Slot): number {
    if (typeof slot === "string") return this.tree.field(node, slot);
    const named = this.tree.named(node);
    return (slot.place === "first" ? named[0] : named.at(-1)) ?? NONE;
  }

  /** What a call is of whose node holds the name itself. */
  invoked(node: number, shape: Shape & { is: "invocation" }, depth: number): Chain {
    const object = this.slot(node, shape.object);
    const name = this.slot(node, shape.name);
    return object < 0 || object === name
      ? this.resolve(this.tree.textOf(name), depth, name)
      : this.#member(object, name, depth);
  }

  /** The path up to a name in the middle of one that nests to the right: `a::b` for `b` in `a::(b::c)`. */
  middleOf(node: number): Chain | undefined {
    const { tree } = this;
    const inner = tree.parent(node);
    const outer = tree.parent(inner);
    const shapes = [inner, outer].map((it) => (it < 0 ? undefined : this.shapes[tree.kinds[it] as number]));
    if (shapes[0]?.is !== "member" || shapes[1]?.is !== "member") return undefined;
    if (this.slot(inner, shapes[0].object) !== node || this.slot(outer, shapes[1].name) !== inner) return undefined;
    const object = this.slot(outer, shapes[1].object);
    const before = object < 0 ? undefined : (this.middleOf(object) ?? this.chainOf(object));
    return before === undefined ? undefined : { root: before.root, members: [...before.members, this.#nameIn(node)] };
  }

  /** The name that a root was written as; `""` where it is no name. */
  #nameOf(root: ReferenceRoot): string {
    if (root.kind === "free") return root.name;
    if (root.kind === "import") return this.file.imports[root.import]?.local ?? "";
    return root.kind === "symbol" ? (this.file.symbols[root.symbol]?.name ?? "") : "";
  }

  #member(object: number, name: number, depth: number): Chain {
    if (object < 0) return name < 0 ? { root: UNKNOWN, members: [] } : this.chainOf(name, depth + 1);
    const base = this.chainOf(object, depth + 1);
    // Where paths nest to the right, the name is a path.
    const shape = name < 0 ? undefined : this.shapes[this.tree.kinds[name] as number];
    if (shape?.is === "member" && depth < MAX_CHAIN) {
      const rest = this.#namesOf(name, depth + 1);
      return { root: base.root, members: [...base.members, ...rest] };
    }
    return { root: base.root, members: [...base.members, name < 0 ? "" : this.#nameIn(name)] };
  }

  #namesOf(node: number, depth: number): string[] {
    const shape = this.shapes[this.tree.kinds[node] as number];
    if (shape?.is !== "member" || depth > MAX_CHAIN) return [this.#nameIn(node)];
    const object = this.slot(node, shape.object);
    const name = this.slot(node, shape.name);
    return [
      ...(object < 0 ? [] : this.#namesOf(object, depth + 1)),
      ...(name < 0 ? [] : this.#namesOf(name, depth + 1)),
    ];
  }

  /** The name that a node ends with: `b` for the name `b<T>` of `a.b<T>`. */
  #nameIn(node: number): string {
    let at = node;
    for (let shape = this.shapes[this.tree.kinds[at] as number]; shape?.is === "through"; ) {
      const inner = this.slot(at, shape.child);
      if (inner < 0) break;
      at = inner;
      shape = this.shapes[this.tree.kinds[at] as number];
    }
    return this.tree.textOf(at);
  }

  #valueOf(type: Chain): Chain {
    return type.root.kind === "unknown" ? type : { root: { kind: "value", type: referenceOf(type) }, members: [] };
  }

  #bound(binding: Binding, depth: number): Chain {
    switch (binding.kind) {
      case "symbol":
        return { root: { kind: "symbol", symbol: binding.symbol.index }, members: [] };
      case "import":
        return { root: { kind: "import", import: (binding.imports[0] as { index: number }).index }, members: [] };
      case "self":
        return { ...this.selfChain("self"), isLocal: true };
      case "outer":
        return { root: UNKNOWN, members: [], isLocal: true };
      case "local":
        return { ...this.#localValue(binding, depth + 1), isLocal: true };
    }
  }

  #localValue(binding: Binding & { kind: "local" }, depth: number): Chain {
    const unknown: Chain = { root: UNKNOWN, members: [] };
    if (depth > MAX_CHAIN) return unknown;
    const type = this.typeReference(binding.typeNode, depth);
    if (type !== undefined) return { root: { kind: "value", type }, members: [] };
    if (binding.valueNode < 0) return unknown;
    // A name for something else: `items = self.items`. A local function or class is its own symbol already.
    const chain = this.chainOf(binding.valueNode, depth);
    const made = this.typeMadeBy(chain);
    return made === undefined ? chain : { root: { kind: "value", type: made }, members: [] };
  }

  /** Names of the type that a function outside of it belongs to; undefined where the file does not declare it. */
  #memberNames(scope: Scope): Scope["names"] | undefined {
    const name = this.tree.textOf(scope.ofType).replace(/<[\s\S]*$/, "");
    const type = this.file.fileScope.names.get(name);
    const symbol = type?.kind === "symbol" ? type.symbol : this.#typeNamed(name);
    return symbol === undefined ? undefined : this.file.scopes.get(symbol.node)?.names;
  }

  /** The first type of the file with a name, wherever it is declared. */
  #typeNamed(name: string): SymbolDraft | undefined {
    this.#types ??= new Map(
      this.file.symbols
        .filter(({ kind }) => TYPE_LIKE.has(kind))
        .reverse()
        .map((type) => [type.name, type]),
    );
    return this.#types.get(name);
  }

  #isPlainCall(node: number): boolean {
    const parent = this.tree.parent(node);
    const shape = parent < 0 ? undefined : this.shapes[this.tree.kinds[parent] as number];
    if (shape?.is === "call") return this.slot(parent, shape.callee) === node;
    return shape?.is === "invocation" && this.slot(parent, shape.name) === node;
  }
}

/** A chain without what is only of use while it is made. */
function referenceOf(chain: Chain): Reference {
  return { root: chain.root, members: chain.members };
}

function free(name: string, within?: Reference): Chain {
  return { root: within === undefined ? { kind: "free", name } : { kind: "free", name, within }, members: [] };
}

/** The symbol of the file that a chain names. */
function symbolOf({ root, members }: Chain, symbols: readonly SymbolDraft[]): SymbolDraft | undefined {
  return root.kind === "symbol" && members.length === 0 ? symbols[root.symbol] : undefined;
}

/** More uses of one file are left out: only data or packed code reaches it. */
export const MAX_USES = 200_000;

const MAX_CLIMB = 40;
/** Scopes inside of so many others are not entered: each name is looked up in all around it. */
const MAX_SCOPES = 300;

/** The second pass: made for one file, run once. */
export class UsePass extends NameChains implements Uses {
  readonly uses: CodeUse[] = [];
  /** Types of symbols, by index. */
  readonly types = new Map<number, Reference>();
  isCut = false;
  readonly #holders: SymbolDraft[] = [];

  run(): void {
    const { tree, file, rules } = this;
    const isName = tree.names.types.map((type) => rules.names.has(type) || rules.typeNames?.has(type) === true);
    for (let node = 0; node < tree.count; node++) {
      while (this.scopes.length > 1 && node >= tree.after((this.scopes.at(-1) as Scope).node)) this.scopes.pop();
      while (this.#holders.length > 0 && node >= tree.after((this.#holders.at(-1) as SymbolDraft).outer))
        this.#holders.pop();
      const scope = file.scopes.get(node);
      if (scope !== undefined && this.scopes.length < MAX_SCOPES) this.scopes.push(scope);
      const symbols = file.symbolsAt.get(node);
      if (symbols !== undefined) {
        for (const symbol of symbols) this.#readType(symbol);
        const [first] = symbols as [SymbolDraft];
        // What an attribute is set to inside a function, the function uses.
        const isInFunction = this.scopes.some(({ kind }) => kind === "function");
        if (file.scopes.has(first.node) || !isInFunction) this.#holders.push(first);
      }
      if (isName[tree.kinds[node] as number] === true && file.claimed[node] === 0) this.#addUse(node);
    }
  }

  add(kind: CodeUse["kind"], node: number, chain: Chain): void {
    if (this.uses.length >= MAX_USES) {
      this.isCut = true;
      return;
    }
    const { tree } = this;
    this.uses.push({
      kind,
      from: this.#holders.at(-1)?.index ?? this.#implemented(),
      at: tree.positionAt(tree.start(node)),
      target: referenceOf(chain),
      typeOnly: this.rules.isTypeOnly?.(tree, node) ?? false,
    });
  }

  #addUse(node: number): void {
    const { tree, rules } = this;
    const name = tree.textOf(node);
    if (name === "") return;
    const whole = this.#expressionOf(node);
    const kind = this.#useKind(whole, node);
    if (kind === "none" || kind === "up") return;
    const shape = this.shapes[tree.kinds[whole] as number];
    this.wantsType = TYPE_PLACES.has(kind);
    const chain =
      whole !== node && shape?.is === "invocation"
        ? this.invoked(whole, shape, 0)
        : (this.middleOf(whole) ?? this.chainOf(whole));
    this.wantsType = false;
    // A local name for something else is a local name.
    if (whole === node && chain.isLocal === true) return;
    if (chain.members.length === 0 && (chain.isLocal === true || chain.root.kind === "unknown")) return;
    if (chain.members.length === 0 && chain.root.kind === "free" && rules.ignored?.has(chain.root.name)) return;
    const target =
      chain.members.length === 0 && chain.root.kind === "symbol" ? this.file.symbols[chain.root.symbol] : undefined;
    this.add(
      kind === "calls" && target !== undefined && TYPE_LIKE.has(target.kind) ? "instantiates" : kind,
      node,
      chain,
    );
  }

  /** The node that a name is the last name of: `a.b` for `b`, also in `a.b<T>`; the name itself for `a`. */
  #expressionOf(node: number): number {
    const { tree } = this;
    for (let at = node, steps = 0; steps < MAX_CLIMB; steps++) {
      const parent = tree.parent(at);
      const shape = parent < 0 ? undefined : this.shapes[tree.kinds[parent] as number];
      if ((shape?.is === "member" || shape?.is === "invocation") && this.slot(parent, shape.name) === at) {
        // `a::b::c` may nest to the right: the outermost has the whole path.
        const further = shape.is === "member" ? this.#expressionOf(parent) : parent;
        return further;
      }
      if (shape?.is !== "through" || this.slot(parent, shape.child) !== at) return node;
      at = parent;
    }
    return node;
  }

  #useKind(whole: number, node: number): UseRule {
    const { tree, rules } = this;
    const own = rules.useKind?.(this, whole);
    if (own !== undefined && own !== "up") return own;
    if (whole !== node && this.shapes[tree.kinds[whole] as number]?.is === "invocation") return "calls";
    let at = whole;
    for (let steps = 0; steps < MAX_CLIMB; steps++) {
      const parent = tree.parent(at);
      if (parent < 0) break;
      const rule = this.#ruleAt(parent, at);
      if (rule === undefined) break;
      if (rule !== "up") return rule;
      at = parent;
    }
    return rules.typeNames?.has(tree.type(node)) ? "type" : "reads";
  }

  #ruleAt(parent: number, child: number): UseRule | undefined {
    const { tree, rules } = this;
    const type = tree.type(parent);
    const field = tree.fields[child] as number;
    if (field !== 0) {
      for (const [name, number] of tree.names.fieldNumbers) {
        if (number !== field) continue;
        const rule = rules.useKinds[`${type}.${name}`];
        if (rule !== undefined) return rule;
        break;
      }
    }
    return rules.useKinds[type];
  }

  /** The type that the head of an `impl` or an extension at the top of the file speaks of; -1 elsewhere. */
  #implemented(): number {
    const scope = this.scopes.at(-1);
    if (scope?.kind !== "type" || scope.ofType < 0) return -1;
    const { root } = this.chainOf(scope.ofType, 1);
    return root.kind === "symbol" ? root.symbol : -1;
  }

  #readType(symbol: SymbolDraft): void {
    const type = this.typeReference(symbol.typeNode) ?? this.#typeOfValue(symbol.valueNode);
    if (type !== undefined) this.types.set(symbol.index, type);
  }

  /** What a value is made by, or what the function that it comes from gives. */
  #typeOfValue(node: number): Reference | undefined {
    if (node < 0) return undefined;
    const chain = this.chainOf(node);
    const isResult = chain.root.kind === "result" && chain.members.length === 0;
    return this.typeMadeBy(chain) ?? (isResult ? referenceOf(chain) : undefined);
  }
}
