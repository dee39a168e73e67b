/**
 * Second pass over a tree: what names stand for, by the scopes of the first pass, as references.
 *
 * Each token that is a name and declares nothing is looked at once; the node that it is the last name of gives the chain,
 * the nodes further out give the kind of use.
 */
import type { CodeUse, Reference } from "../code-file.ts";
import type { Scope, SymbolDraft } from "./drafts.ts";
import { NameChains, referenceOf, TYPE_LIKE } from "./name-chains.ts";
import type { Chain, UseRule, Uses } from "./rules.ts";

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

  /** Goes over the whole tree once. */
  run(): void {
    const { tree, file, rules } = this;
    const isName = tree.names.types.map((type) => rules.names.has(type) || rules.typeNames.has(type));
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

  /** Adds a use with a chain that is known already. */
  add(kind: CodeUse["kind"], node: number, chain: Chain): void {
    if (this.uses.length >= MAX_USES) {
      this.isCut = true;
      return;
    }
    const { tree } = this;
    const start = tree.start(node);
    const line = tree.lineAt(start);
    this.uses.push({
      kind,
      from: this.#holders.at(-1)?.index ?? this.#implemented(),
      at: { line, column: start - tree.lineStart(line) + 1 },
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
    const chain =
      whole !== node && shape?.is === "invocation"
        ? this.invoked(whole, shape, 0)
        : (this.middleOf(whole) ?? this.chainOf(whole));
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
    return rules.typeNames.has(tree.type(node)) ? "type" : "reads";
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
