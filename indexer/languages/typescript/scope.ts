/**
 * Scopes of a file: names, their bindings, and what a condition says about them.
 */
import ts from "typescript";

const { SyntaxKind } = ts;

/** A name means different things in different spaces of the language; one declaration can be in several. */
export const VALUE = 1;
export const TYPE = 2;
export const NAMESPACE = 4;
export const ANY_MEANING = VALUE | TYPE | NAMESPACE;

/** What is known of a value without knowing other files. Undefined where it is nothing. */
export type Value =
  | { readonly is: "name"; readonly name: string; readonly scope: Scope; readonly meaning: number }
  | { readonly is: "member"; readonly of: Value | undefined; readonly name: string }
  | ({ readonly is: "result" | "instance" } & CallValue)
  | ({ readonly is: "argument"; readonly argument: number; readonly isMade: boolean } & CallValue)
  | { readonly is: "given"; readonly of: Value; readonly parameter: number }
  | { readonly is: "element"; readonly of: Value; readonly at?: number }
  | { readonly is: "either"; readonly of: readonly Value[] }
  /** A type of the language with the type of a value as its argument. */
  | { readonly is: "applied"; readonly type: "Promise" | "Awaited" | "Array"; readonly of: Value }
  | { readonly is: "typed"; readonly type: ts.TypeNode; readonly scope: Scope }
  | { readonly is: "function"; readonly node: ts.SignatureDeclaration; readonly scope: Scope }
  | {
      readonly is: "object";
      readonly members: ReadonlyMap<string, Value | undefined>;
      readonly spread: readonly Value[];
    }
  | { readonly is: "tuple"; readonly items: readonly (Value | undefined)[] }
  | ({ readonly is: "parameter" } & FoundTypeParameter)
  | { readonly is: "self" | "super"; readonly symbol: number }
  | { readonly is: "import"; readonly import: number };

interface CallValue {
  readonly of: Value;
  readonly arguments: readonly (Value | undefined)[];
  /** Type arguments, and the scope that they stand in. */
  readonly types: readonly ts.TypeNode[] | undefined;
  readonly scope: Scope;
}

/** A parameter of a type, by a number that is its own in the file. */
export interface FoundTypeParameter {
  readonly parameter: number;
  readonly constraint: Value | undefined;
  readonly preset: Value | undefined;
}

/** Overloads and merged declarations of one name; more are generated, and looking through all of them for each use is slow. */
const MAX_DECLARATIONS = 500;

/** One declaration of a name in a scope. */
export interface Binding {
  readonly meaning: number;
  /** Index of its symbol, or -1. */
  readonly symbol: number;
  /** Index of its import, or -1. */
  readonly import: number;
  /** What a local variable holds; constraint of a type parameter, meaning of a local type alias. */
  readonly value: Value | undefined;
  /** Further declarations of the name in the same scope. */
  next: Binding | undefined;
}

/** Where a scope stands: what is declared in `module` places are symbols, elsewhere locals. */
type Place = "module" | "block" | "function";

/** Names that are declared in one part of a file, and what holds there. */
export class Scope {
  readonly parent!: Scope | undefined;
  readonly place!: Place;
  /** Scope that a `var` belongs to. */
  readonly variables: Scope = this;
  /** Innermost symbol around, -1 at the top. */
  readonly from!: number;
  /** Symbol that declarations in it are members of, -1 at the top. */
  readonly container!: number;
  /** What `this` is. */
  readonly self!: Value | undefined;
  /** What `super` is. */
  readonly base!: Value | undefined;
  /** What the function around it is declared or expected to return. */
  readonly returns!: Value | undefined;
  /** What it does return, as far as its statements have been walked. */
  readonly returned!: Value[] | undefined;
  /** Whether declarations need no `export` to be exported: inside ambient modules. */
  readonly exportsAll!: boolean;
  /** Whether `infer T` declares in it. */
  readonly infers!: boolean;
  names!: Names | undefined;
  /** What other namespaces of the same name export: known here by its plain name. */
  readonly shared!: Names | undefined;

  private constructor(fields: Partial<Scope>, ownVariables: boolean) {
    Object.assign(this, fields);
    if (ownVariables) this.variables = this;
  }

  /** The scope of a whole file. */
  static ofFile(exportsAll: boolean): Scope {
    return new Scope({ place: "module", from: -1, container: -1, exportsAll, infers: false }, true);
  }

  /** A scope inside, for a block: `var` and `this` are those around. */
  open(): Scope {
    return this.openAs({ place: this.place === "module" ? "block" : this.place }, false);
  }

  /** A scope inside that differs in what is said. `ownVariables` makes it one that holds the `var`s below it. */
  openAs(change: Partial<Scope>, ownVariables: boolean): Scope {
    const { infers, names, shared, ...same } = this;
    return new Scope({ ...same, infers: false, ...change, parent: this }, ownVariables);
  }

  /** Declares a name; a local one where neither symbol nor import is given. */
  declare(name: string, binding: Partial<Binding> & Pick<Binding, "meaning">): void {
    this.names ??= new Map();
    declareIn(this.names, name, { symbol: -1, import: -1, value: undefined, ...binding });
  }

  /** The declaration that a name leads to from here, in one of the spaces asked for; undefined for a free name. */
  find(name: string, meaning: number): Binding | undefined {
    for (let at: Scope | undefined = this; at !== undefined; at = at.parent) {
      const found = findAmong(at.names, name, meaning) ?? findAmong(at.shared, name, meaning);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The first of all declarations of a name in the innermost scope that has one. */
  findDeclarations(name: string): Binding | undefined {
    for (let at: Scope | undefined = this; at !== undefined; at = at.parent) {
      const found = at.names?.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

export type Names = Map<string, Binding>;

/** Declares a name among others. */
export function declareIn(names: Names, name: string, binding: Omit<Binding, "next">): void {
  const first = names.get(name);
  const added: Binding = { ...binding, next: undefined };
  if (first === undefined) {
    names.set(name, added);
    return;
  }
  let last = first;
  let count = 1;
  for (; last.next !== undefined; count++) last = last.next;
  if (count < MAX_DECLARATIONS) last.next = added;
}

function findAmong(names: Names | undefined, name: string, meaning: number): Binding | undefined {
  for (let binding = names?.get(name); binding !== undefined; binding = binding.next) {
    if ((binding.meaning & meaning) !== 0) return binding;
  }
  return undefined;
}

/** The scope of what runs only where a condition holds; the same where it says nothing. */
export function narrowedScope(condition: ts.Expression, scope: Scope): Scope {
  return narrow(condition, scope, scope);
}

function narrow(condition: ts.Expression, scope: Scope, known: Scope): Scope {
  let inner = known;
  // Conditions hang to the left, so they are gone through without recursion there.
  for (let at = condition; ; ) {
    if (ts.isParenthesizedExpression(at)) {
      at = at.expression;
    } else if (ts.isBinaryExpression(at) && at.operatorToken.kind === SyntaxKind.AmpersandAmpersandToken) {
      inner = narrow(at.right, scope, inner);
      at = at.left;
    } else if (ts.isBinaryExpression(at) && at.operatorToken.kind === SyntaxKind.InstanceOfKeyword) {
      const of = classValue(at.right, scope);
      if (of === undefined) return inner;
      const made: Value = { is: "instance", of, arguments: [], types: undefined, scope };
      return withNarrowed(at.left, inner, scope, made);
    } else {
      return inner;
    }
  }
}

/** A scope in which a variable is known to hold what an `instanceof` makes, beside what it is declared with. */
function withNarrowed(node: ts.Expression, inner: Scope, scope: Scope, made: Value): Scope {
  if (!ts.isIdentifier(node)) return inner;
  const variable = scope.find(node.text, VALUE);
  // What is a symbol or an import stays what it is: its uses lead there.
  if (variable === undefined || variable.symbol >= 0 || variable.import >= 0) return inner;
  const opened = inner === scope ? scope.openAs({}, false) : inner;
  const value: Value = variable.value === undefined ? made : { is: "either", of: [made, variable.value] };
  opened.declare(node.text, { meaning: VALUE, value });
  return opened;
}

/** A class that is named; undefined for one in a local variable, of which nothing is known. */
function classValue(node: ts.Expression, scope: Scope): Value | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const of = classValue(node.expression, scope);
    return of && { is: "member", of, name: node.name.text };
  }
  if (node.kind === SyntaxKind.ThisKeyword) return scope.self;
  if (!ts.isIdentifier(node)) return undefined;
  const binding = scope.find(node.text, VALUE);
  const isLocal = binding !== undefined && binding.symbol < 0 && binding.import < 0 && binding.value === undefined;
  return isLocal ? undefined : { is: "name", name: node.text, scope, meaning: VALUE };
}
