/**
 * Rules of a language for the parser: which nodes of its grammar declare something, which open scopes, and how names are put
 * together; and the pass that calls them for symbols, imports and scopes.
 */

import type { SymbolFlag, SymbolKind } from "../../../src/core/format/code-model.ts";
import { CONTAINER_KINDS, type CodeUse, MAX_SYMBOL_DEPTH, type Reference } from "./code-file.ts";
import { NONE, type SyntaxTree } from "./syntax-tree.ts";

/** Kinds of members that a class and its objects have apart from each other, where a language keeps them so. */
export const SIDED_KINDS: ReadonlySet<SymbolKind> = new Set<SymbolKind>(["method", "property"]);

/** More symbols of one file are left out: what is generated or packed reaches it, and nobody reads that as an outline. */
export const MAX_SYMBOLS = 20_000;

/** What members that stand elsewhere in the file can belong to: `type Names []string` of Go has methods. */
const MEMBER_HOLDERS: ReadonlySet<SymbolKind> = new Set<SymbolKind>([...CONTAINER_KINDS, "typeAlias"]);
/** What other symbols can stand in. */
const AROUND_KINDS: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  ...CONTAINER_KINDS,
  "function",
  "method",
  "constructor",
  "operator",
]);

/** A symbol as its declaration was met; `index` is its place among the file's symbols, once all are known. */
export interface SymbolDraft {
  readonly node: number;
  /** The declaration with what is around it: decorators, `template <…>`, `export`. */
  readonly outer: number;
  readonly nameNode: number;
  readonly name: string;
  kind: SymbolKind;
  parent: SymbolDraft | undefined;
  /** Name of the type that it is a member of where that is not around it. */
  memberOf: string;
  readonly flags: Set<SymbolFlag>;
  /** Nodes; -1 where there is none. */
  readonly body: number;
  readonly typeNode: number;
  readonly valueNode: number;
  readonly bases: number[];
  /** A doc text that is no comment in front; undefined where comments count. */
  readonly docText: string | undefined;
  /** Words of the signature, where the source's are not enough. */
  readonly signature: string | undefined;
  readonly isPrototype: boolean;
  readonly scope: Scope;
  index: number;
}

export interface ImportDraft {
  readonly kind: "imports" | "reexports";
  readonly specifier: string;
  readonly imported: string;
  readonly local: string;
  readonly typeOnly: boolean;
  readonly from: SymbolDraft | undefined;
  /** Of the imported name; of the bound one, where that does not stand by itself. */
  readonly node: number;
  /** Of the bound name, where it stands beside the imported one. */
  readonly localNode?: number;
  index: number;
}

/** A symbol as a rule names it; what is left out follows from the grammar's usual fields or from where it stands. */
interface NewSymbol
  extends Pick<SymbolDraft, "kind" | "node">,
    Partial<Omit<SymbolDraft, "kind" | "node" | "flags" | "bases" | "scope" | "index">> {
  readonly flags?: readonly SymbolFlag[];
  readonly bases?: readonly number[];
  /** The node of the type whose members a function outside of it sees: `void Store::open()`. */
  readonly ofType?: number;
  /** Whether the name is bound in the scope around; members of types elsewhere are not. */
  readonly isBound?: boolean;
}

/** What a name stands for. */
export type Binding =
  | { readonly kind: "symbol"; readonly symbol: SymbolDraft }
  | { readonly kind: "import"; readonly imports: ImportDraft[] }
  /** A local name, with the node of its type or of its first value where there is one (-1 without). */
  | { readonly kind: "local"; readonly typeNode: number; readonly valueNode: number }
  /** A name for the object itself: `self` of Python, the receiver of Go. */
  | { readonly kind: "self" }
  /** A name that the scope takes from the top of the file: `global x`. */
  | { readonly kind: "outer" };

export interface Scope {
  readonly node: number;
  readonly kind: "file" | "type" | "function" | "block";
  readonly names: Map<string, Binding>;
  /** The symbol whose inside this is. */
  readonly owner: SymbolDraft | undefined;
  /** For a type's members outside of it (`impl`, receivers, extensions): the node of the type's name, else -1. */
  readonly ofType: number;
}

/** Names that a declaration gives, by the place where it stands in the file. */
export function bind(scope: Scope, name: string, binding: Binding): void {
  const known = scope.names.get(name);
  if (known === undefined) {
    scope.names.set(name, binding);
  } else if (known.kind === "import" && binding.kind === "import") {
    known.imports.push(...binding.imports);
  } else if (known.kind === "local" && binding.kind === "local" && known.typeNode < 0 && binding.typeNode >= 0) {
    scope.names.set(name, binding);
  }
}

/** Key of a method of the class among the names of a scope, for languages where a method of its objects may have the same name. */
export function classSideName(name: string): string {
  return `self.${name}`;
}

/** Key of a method among the names of a scope, for languages where a field may have the same name. */
export function calledName(name: string): string {
  return `${name}()`;
}

/** A child by the name of its field, or by its place among the children that have rules. */
export type Slot = string | { readonly place: "first" | "last" };

/** What a node is in an expression or a type. */
export type Shape =
  /** `object.name`, `Outer::Inner`; in a path, types and modules alone. */
  | { readonly is: "member"; readonly object: Slot; readonly name: Slot; readonly isPath?: true }
  /** A call whose node holds the name itself: `object.name(…)` in Java, Ruby and PHP. */
  | { readonly is: "invocation"; readonly object: Slot; readonly name: Slot }
  | { readonly is: "call"; readonly callee: Slot }
  /** `new Type(…)`, `Type { … }`. */
  | { readonly is: "creation"; readonly type: Slot }
  /** What stands for one of its children: parentheses, `await`, pointers, `List<X>` for `List`. */
  | { readonly is: "through"; readonly child: Slot }
  | { readonly is: "self" }
  | { readonly is: "super" };

type UseKind = CodeUse["kind"];

/**
 * What a name does, by the node that it stands in: `up` asks the next node further out, `none` says that it is no use of
 * a symbol (the name of a keyword argument).
 */
export type UseRule = UseKind | "up" | "none";

/** An import as a rule names it; what is left out is `imports`, and for types alone where the language says so. */
type NewImport = Omit<ImportDraft, "index" | "from" | "kind" | "typeOnly"> &
  Partial<Pick<ImportDraft, "kind" | "typeOnly">>;

/** What names stand for at a place, as rules see it. */
export interface Names {
  readonly tree: SyntaxTree;
  readonly fileScope: Scope;
  readonly imports: readonly ImportDraft[];
  /** What an expression or a type leads to. `depth` bounds how far variables are followed. */
  chainOf(node: number, depth?: number): Chain;
  /** The object whose type is around this place, or the same as its bases have it. */
  selfChain(kind: "self" | "super"): Chain;
  /** What a plain name stands for here; `node` is where it is written. */
  resolve(name: string, depth?: number, node?: number): Chain;
  /** A type's node as a reference, where it names one type. */
  typeReference(node: number, depth?: number): Reference | undefined;
}

/** The second pass over a file, as rules see it: what names stand for where it is. */
export interface Uses extends Names {
  /** Adds a use with a chain that is known already. */
  add(kind: UseKind, node: number, chain: Chain): void;
}

/** Declares what a node gives a name to. */
export type Declare = (file: Declarations, node: number, tree: SyntaxTree) => void;

export interface LanguageRules {
  /** What a node declares: called for each node of the type, before the nodes inside it. */
  readonly declare: Readonly<Record<string, Declare>>;
  /** Nodes that open a scope for local names; functions and types do it when they are declared. */
  readonly blocks?: ReadonlySet<string>;
  /** Tokens that are names of values, and of types. */
  readonly names: ReadonlySet<string>;
  readonly typeNames?: ReadonlySet<string>;
  readonly shapes: Readonly<Record<string, Shape>>;
  /** By `parent.field` or `parent`. */
  readonly useKinds: Readonly<Record<string, UseRule>>;
  readonly comments: ReadonlySet<string>;
  /** Node in front of all code. */
  readonly openingTag?: string;
  /** Nodes in front of a declaration that belong to it but stand beside it. */
  readonly attributes?: ReadonlySet<string>;
  /** Whether methods see the members of their type by plain names. */
  readonly seesMembers?: true;
  /** Whether a plain call that nothing in the file declares may call an inherited method: in a class without bases not. */
  readonly callsMembers?: boolean;
  /** What has names of its own: a type is never a field, nor, where methods have theirs, a plain name a method. */
  readonly namesApart?: "types" | "types and methods";
  /** Whether a plain name in a method of the class never means a method of its objects, nor the other way round: Ruby. */
  readonly hasSides?: boolean;
  /** Whether types that stand elsewhere get members: `impl`, extensions. */
  readonly hasExtensions?: true;
  /** What a type extends and implements. */
  readonly basesOf?: (tree: SyntaxTree, node: number) => readonly number[];
  /** Flags of a declaration that sets none. */
  readonly flagsAt?: (file: Declarations, node: number, name: string) => readonly SymbolFlag[];
  /** Whether types have further parts in other files: `partial`, extensions, classes that are opened again. */
  readonly splitsTypes?: boolean;
  /** Whether a call of a name in upper case makes an object: `Store()` in Python and Kotlin. */
  readonly callsMakeObjects?: boolean;
  /** Names that are no symbols anywhere: `_`, `iota`. */
  readonly ignored?: ReadonlySet<string>;
  /** Called when the whole file was read, before symbols are put in order. */
  readonly finish?: (file: Declarations, symbols: readonly SymbolDraft[]) => void;
  /** A place where the language has a rule of its own: the chain of a node, or undefined for the usual way. */
  readonly chain?: (names: Names, node: number, depth: number) => Chain | undefined;
  /** Language's own word on what a name does, before `useKinds`. */
  readonly useKind?: (uses: Uses, node: number) => UseRule | undefined;
  /** Lines of a place that only type checkers read. */
  readonly isTypeOnly?: (tree: SyntaxTree, node: number) => boolean;
  /** The text to parse in place of the source's, of the same length: what the grammar cannot know is blanked. */
  readonly prepare?: (text: string) => string;
}

/** A reference being made, and whether it is nothing but a local name. */
export interface Chain extends Reference {
  readonly isLocal?: boolean;
}

/**
 * First pass over a tree: symbols, imports, local names and their scopes. The rules of a language are called for each node that
 * declares something; the nodes inside follow, so whatever it opens (a symbol, a scope) is around them. Made for one tree,
 * run once.
 */
export class Declarations {
  readonly tree: SyntaxTree;
  readonly rules: LanguageRules;
  readonly symbols: SymbolDraft[] = [];
  readonly imports: ImportDraft[] = [];
  /** By the number of the node that opens it. */
  readonly scopes = new Map<number, Scope>();
  /** Symbols by the node that they begin with: one declaration may give several. */
  readonly symbolsAt = new Map<number, SymbolDraft[]>();
  /** Nodes that are names being declared, so no uses: 1 at their number. */
  readonly claimed: Uint8Array;
  namespace = "";
  fileDoc: string | undefined;
  isCut = false;
  #scopes: Scope[] = [];
  #containers: SymbolDraft[] = [];
  /** Symbols around that hold no members but may have a value: fields, members of enums. */
  #values: SymbolDraft[] = [];
  /** How many of the open scopes are functions. */
  #functions = 0;

  constructor(tree: SyntaxTree, rules: LanguageRules) {
    this.tree = tree;
    this.rules = rules;
    this.claimed = new Uint8Array(tree.count);
  }

  run(): void {
    const { tree, rules } = this;
    const handlers = tree.names.types.map((type) =>
      Object.hasOwn(rules.declare, type) ? rules.declare[type] : undefined,
    );
    const blocks = tree.names.types.map((type) => rules.blocks?.has(type) === true);
    this.#scopes = [this.#newScope(0, "file", undefined, NONE)];
    this.#containers = [];
    for (let node = 0; node < tree.count; node++) {
      while (this.#scopes.length > 1 && node >= tree.after(this.scope.node)) {
        if (this.#scopes.pop()?.kind === "function") this.#functions--;
      }
      for (let top = this.#containers.at(-1); top !== undefined && node >= tree.after(top.node); ) {
        this.#containers.pop();
        top = this.#containers.at(-1);
      }
      while (this.#values.length > 0 && node >= tree.after((this.#values.at(-1) as SymbolDraft).node))
        this.#values.pop();
      const kind = tree.kinds[node] as number;
      if (blocks[kind] === true && !this.scopes.has(node)) this.openScope(node, "block");
      handlers[kind]?.(this, node, tree);
    }
    rules.finish?.(this, this.symbols);
    this.#placeMembers();
  }

  get scope(): Scope {
    return this.#scopes.at(-1) as Scope;
  }

  get fileScope(): Scope {
    return this.#scopes[0] as Scope;
  }

  /** The innermost scope that is no block. */
  get holder(): Scope {
    let at = this.#scopes.length - 1;
    while (this.#scopes[at]?.kind === "block") at--;
    return this.#scopes[at] as Scope;
  }

  /** The innermost type around, over functions too; undefined outside of types. */
  get typeScope(): Scope | undefined {
    return this.#scopes.findLast((scope) => scope.kind === "type");
  }

  /** The innermost symbol that others can stand in, as long as that is not too deep. */
  get container(): SymbolDraft | undefined {
    return this.#containers[Math.min(this.#containers.length, MAX_SYMBOL_DEPTH - 1) - 1];
  }

  /** What a symbol stands in here: what is inside of a value is no member of the type that the value is a member of. */
  #around(): SymbolDraft | undefined {
    const { container } = this;
    const value = this.isInner ? this.#values.at(-1) : undefined;
    return value === undefined || (container !== undefined && value.node < container.node) ? container : value;
  }

  /** The type that an `impl` or an extension around adds members to; `""` elsewhere. */
  #extended(): string {
    const { kind, ofType } = this.holder;
    return this.rules.hasExtensions === true && kind === "type" && ofType >= 0 ? this.tree.textOf(ofType) : "";
  }

  get isInFunction(): boolean {
    return this.holder.kind === "function";
  }

  /** Whether a function around this place, at any distance, makes what stands here no part of an outline. */
  get isInner(): boolean {
    return this.#functions > 0;
  }

  /** Opens a scope from a node to its end. Names inside are bound there. */
  openScope(node: number, kind: Scope["kind"], owner?: SymbolDraft, ofType: number = NONE): Scope {
    const scope = this.#newScope(node, kind, owner, ofType);
    this.#scopes.push(scope);
    if (kind === "function") this.#functions++;
    return scope;
  }

  /** Adds a symbol; functions and types open a scope and become the container of what stands inside. */
  addSymbol(symbol: NewSymbol): SymbolDraft | undefined {
    const { tree } = this;
    const nameNode = symbol.nameNode ?? tree.field(symbol.node, "name");
    const name = symbol.name ?? tree.textOf(nameNode);
    if (name === "") {
      // Without a name the parser lost its way; what stands inside is still in a function or type of some sort.
      if (AROUND_KINDS.has(symbol.kind))
        this.openScope(symbol.node, CONTAINER_KINDS.has(symbol.kind) ? "type" : "function");
      return undefined;
    }
    this.claim(nameNode);
    if (this.symbols.length >= MAX_SYMBOLS) {
      this.isCut = true;
      return undefined;
    }
    const flags = new Set(symbol.flags ?? this.rules.flagsAt?.(this, symbol.node, name));
    if (this.isInner) flags.add("inner");
    const draft: SymbolDraft = {
      node: symbol.node,
      outer: symbol.outer ?? symbol.node,
      nameNode,
      name,
      kind: symbol.kind,
      parent: "parent" in symbol ? symbol.parent : this.#around(),
      memberOf: symbol.memberOf ?? this.#extended(),
      flags,
      body: symbol.body ?? tree.field(symbol.node, "body"),
      typeNode: symbol.typeNode ?? (symbol.kind === "typeAlias" ? NONE : tree.field(symbol.node, "type")),
      valueNode: symbol.valueNode ?? tree.field(symbol.node, "value"),
      bases: [
        ...(symbol.bases ?? ((CONTAINER_KINDS.has(symbol.kind) && this.rules.basesOf?.(tree, symbol.node)) || [])),
      ],
      docText: symbol.docText,
      signature: symbol.signature,
      isPrototype: symbol.isPrototype === true,
      scope: this.scope,
      index: this.symbols.length,
    };
    this.symbols.push(draft);
    const here = this.symbolsAt.get(draft.outer);
    if (here === undefined) this.symbolsAt.set(draft.outer, [draft]);
    else here.push(draft);
    // A constructor goes by the name of its type, which is what the name means everywhere else.
    if (symbol.isBound !== false && draft.memberOf === "" && draft.kind !== "constructor") {
      if (this.rules.hasSides === true && SIDED_KINDS.has(draft.kind) && flags.has("static")) {
        const { owner } = this.holder;
        const type = owner === undefined ? undefined : this.scopes.get(owner.node);
        bind(type ?? this.holder, classSideName(name), { kind: "symbol", symbol: draft });
      } else {
        bind(this.holder, name, { kind: "symbol", symbol: draft });
      }
      if (draft.kind === "method" || draft.kind === "function") {
        bind(this.holder, calledName(name), { kind: "symbol", symbol: draft });
      }
    }
    // A property with a body is a function in all but its name.
    if (!AROUND_KINDS.has(draft.kind)) this.#values.push(draft);
    if (AROUND_KINDS.has(draft.kind) || (draft.kind === "property" && draft.body >= 0)) {
      this.#containers.push(draft);
      this.openScope(draft.node, CONTAINER_KINDS.has(draft.kind) ? "type" : "function", draft, symbol.ofType);
    }
    return draft;
  }

  addImport(entry: NewImport): ImportDraft {
    const draft: ImportDraft = {
      kind: "imports",
      typeOnly: this.rules.isTypeOnly?.(this.tree, entry.node) ?? false,
      ...entry,
      from: this.container,
      index: this.imports.length,
    };
    this.imports.push(draft);
    if (draft.local !== "" && draft.local !== "*") {
      bind(this.scope, draft.local, { kind: "import", imports: [draft] });
    }
    return draft;
  }

  /** Imports everything that a module, namespace or file gives. */
  importAll(specifier: string, node: number): void {
    this.addImport({ specifier, imported: "*", local: "*", node });
  }

  /** Imports the last name of a qualified one: `C` of `a.b.C`. `local` is its name in the file, where that is another. */
  importLast(
    full: string,
    separator: string,
    { local, ...nodes }: Pick<NewImport, "kind" | "node" | "localNode"> & { readonly local?: string | undefined },
  ): void {
    const cut = full.lastIndexOf(separator);
    const imported = full.slice(cut < 0 ? 0 : cut + separator.length);
    this.addImport({ specifier: full.slice(0, Math.max(cut, 0)), imported, local: local ?? imported, ...nodes });
  }

  /** Declares a local name in the innermost scope, or in that of the function around. */
  addLocal(nameNode: number, typeNode: number = NONE, valueNode: number = NONE, isOfFunction = false): void {
    if (nameNode < 0) return;
    this.claim(nameNode);
    bind(isOfFunction ? this.holder : this.scope, this.tree.textOf(nameNode), { kind: "local", typeNode, valueNode });
  }

  addBinding(name: string, binding: Binding, scope: Scope = this.scope): void {
    scope.names.set(name, binding);
  }

  claim(node: number): void {
    if (node >= 0) this.claimed[node] = 1;
  }

  /** The same for all names inside a node: an import, a package clause. */
  claimAll(node: number): void {
    if (node >= 0) this.claimed.fill(1, node, this.tree.after(node));
  }

  #newScope(node: number, kind: Scope["kind"], owner: SymbolDraft | undefined, ofType: number): Scope {
    const scope: Scope = { node, kind, names: new Map(), owner, ofType };
    this.scopes.set(node, scope);
    return scope;
  }

  /** Puts members under types that stand elsewhere in the file, and each symbol behind its container. */
  #placeMembers(): void {
    const holders = Map.groupBy(
      this.symbols.filter(({ kind }) => MEMBER_HOLDERS.has(kind)),
      ({ name }) => name,
    );
    for (const draft of this.symbols) {
      if (draft.memberOf === "") continue;
      const last = draft.memberOf.split(/::|\./).at(-1) as string;
      const type = [draft.scope, this.fileScope]
        .map((scope) => scope.names.get(last))
        .find((it) => it?.kind === "symbol");
      const found =
        type?.kind === "symbol" && MEMBER_HOLDERS.has(type.symbol.kind)
          ? type.symbol
          : holders.get(last)?.find((symbol) => symbol !== draft);
      // A type may be declared inside of what names it as its type: `func (s Store) Open() { type Store struct{} }`.
      if (found === undefined || isAround(draft, found)) continue;
      draft.parent = found;
      draft.memberOf = "";
      const inner = this.scopes.get(found.node);
      if (inner !== undefined) bind(inner, draft.name, { kind: "symbol", symbol: draft });
    }
    const order = new Map<SymbolDraft, number>();
    const depths = new Map<SymbolDraft, number>();
    for (const draft of this.symbols) {
      const chain: SymbolDraft[] = [];
      for (let at: SymbolDraft | undefined = draft; at !== undefined && !depths.has(at); at = at.parent) chain.push(at);
      for (const at of chain.reverse()) {
        const { parent } = at;
        const depth = parent === undefined ? 0 : 1 + (depths.get(parent) ?? 0);
        if (depth >= MAX_SYMBOL_DEPTH) at.parent = parent?.parent;
        depths.set(at, Math.min(depth, MAX_SYMBOL_DEPTH - 1));
        const own = this.tree.start(at.outer);
        order.set(at, at.parent === undefined ? own : Math.max(own, order.get(at.parent) ?? 0));
      }
    }
    const orderOf = (draft: SymbolDraft): number => order.get(draft) ?? 0;
    const depthOf = (draft: SymbolDraft): number => depths.get(draft) ?? 0;
    this.symbols.sort((a, b) => orderOf(a) - orderOf(b) || depthOf(a) - depthOf(b) || a.index - b.index);
    for (const [index, draft] of this.symbols.entries()) draft.index = index;
  }
}

/** Whether `outer` is `inner` or one of its containers. */
function isAround(outer: SymbolDraft, inner: SymbolDraft): boolean {
  for (let at: SymbolDraft | undefined = inner; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

/* Parts that the rules of several languages are made of. */

export const THROUGH_FIRST: Shape = { is: "through", child: { place: "first" } };
export const THROUGH_LAST: Shape = { is: "through", child: { place: "last" } };
export const FIRST_AND_LAST: Shape = { is: "member", object: { place: "first" }, name: { place: "last" } };

/** A set of words that are written with spaces between. */
export function wordSet<Word extends string = string>(list: string): ReadonlySet<Word> {
  return new Set(list.split(" ") as Word[]);
}

/** A table that gives each of some nodes the same. */
export function each<Value>(nodes: string, value: Value): Record<string, Value> {
  return Object.fromEntries(nodes.split(" ").map((node) => [node, value]));
}

/** The table of uses by node (`parent.field` or `parent`) out of the nodes of each use. */
export function usesBy(nodes: { readonly [Use in UseRule]?: string }): Record<string, UseRule> {
  const entries = Object.entries(nodes) as [UseRule, string][];
  return Object.fromEntries(entries.flatMap(([use, list]) => list.split(" ").map((node) => [node, use])));
}

/** Declares a symbol whose parts are in the grammar's usual fields. `flags` are its own, where those of the language do not fit. */
export function declares(kind: SymbolKind, flags?: readonly SymbolFlag[]): Declare {
  return (file, node) => void file.addSymbol({ kind, node, ...(flags !== undefined && { flags }) });
}

/** Declares the names in a field of a node as local, with the type and value in others. */
export function localsIn(nameField: string, typeField = "type", valueField = "value"): Declare {
  return (file, node, tree) => {
    for (const name of tree.allIn(node, nameField)) {
      if (tree.isNamed(name)) file.addLocal(name, tree.field(node, typeField), tree.field(node, valueField));
    }
  };
}

/** Declares the first child of a type as local: parameters without fields, type parameters. */
export function localChild(...types: readonly string[]): Declare {
  return (file, node) => file.addLocal(file.tree.child(node, ...types));
}

/** Opens a scope in which names are local: lambdas, accessors, initializers. */
export function opensFunction(file: Declarations, node: number): void {
  file.openScope(node, "function");
}

/** Claims a node with all inside: its names are no uses. */
export function claimsAll(file: Declarations, node: number): void {
  file.claimAll(node);
}

/** Flags out of the modifiers that most languages share. */
export function flagsOf(words: ReadonlySet<string>, isExported: boolean): SymbolFlag[] {
  const flags: SymbolFlag[] = [];
  if (words.has("private") || words.has("fileprivate")) flags.push("private");
  else if (words.has("protected")) flags.push("protected");
  else if (isExported) flags.push("exported");
  for (const flag of ["static", "abstract", "async"] as const) if (words.has(flag)) flags.push(flag);
  return flags;
}
