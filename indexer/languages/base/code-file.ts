/**
 * Model of one parsed source file: its symbols, its imports, and where it uses names; and the paths of its symbols.
 *
 * Everything here follows from the one file. A name that leads out of it is a *reference*, which says what is known: that a
 * name is an import, a member of what a variable was declared to be, or nothing but a name. Linking (`indexer/link/code`)
 * resolves references when all files are known, in the same way for all languages.
 *
 * Plain data: it crosses threads and the parse cache holds it. Lines and columns are 1-based, columns in UTF-16 units.
 */
import type {
  CodePosition,
  EdgeForm,
  EdgeKind,
  OtherName,
  SymbolKind,
  SymbolRecord,
} from "../../../src/core/format/code-model.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";

/**
 * Where a chain of names begins: a name, a value, or a type as it is written.
 *
 * A reference stands for a value or, in a *place of types*, for a type. Only names differ there: `Store` is the class itself as a
 * value, and an object of it as a type. Members behind a type are those of a value of it.
 */
export type ReferenceRoot =
  /** A symbol of this file, found by the rules of scope. */
  | { readonly kind: "symbol"; readonly symbol: number }
  /** What an import of this file binds: index into `imports`. */
  | { readonly kind: "import"; readonly import: number }
  /** The object whose class, struct or trait is this symbol: `this`, `self`, a receiver. Of an alias, the members written in it. */
  | { readonly kind: "self"; readonly symbol: number }
  /** The same as its bases have it: `super`. */
  | { readonly kind: "super"; readonly symbol: number }
  /** A value of a type: an annotated parameter, `const x = new Store()`, a receiver in Go. */
  | { readonly kind: "value"; readonly type: Reference }
  /** What a call gives: of `arguments` those of which something is known; `isMade` for `new`. */
  | ({ readonly kind: "result"; readonly isMade?: true } & Call)
  /** What a function expects as one of its arguments, counted from 0. */
  | ({ readonly kind: "argument"; readonly argument: number; readonly isMade?: true } & Call)
  /** What a function is given as one of its parameters. */
  | { readonly kind: "given"; readonly of: Reference; readonly parameter: number }
  /** What a value holds behind `[…]`, or gives in a loop: one of a list, that of a number, or of whatever key. */
  | { readonly kind: "element"; readonly of: Reference; readonly at?: number }
  /** One of several values, or all of them at once. */
  | { readonly kind: "either"; readonly of: readonly Reference[] }
  /** The type of a value, in a place of types. */
  | { readonly kind: "typeof"; readonly of: Reference }
  /** A function; `calls` and `makes` of an object are such, too. */
  | ({ readonly kind: "function"; readonly isMade?: true } & FunctionType)
  /** An object with the members that are written there, none of which is a symbol, then with those of others. */
  | ({
      readonly kind: "object";
      readonly members: Readonly<Record<string, Reference>>;
      readonly spread?: readonly Reference[];
    } & Signatures)
  /** Values in a row. */
  | { readonly kind: "tuple"; readonly items: readonly Reference[] }
  /** A parameter of a type, by a number that is its own in the file. */
  | TypeParameter
  /** `check extends extended ? yes : no`, with the numbers of what is inferred in `extended`. */
  | {
      readonly kind: "condition";
      readonly check: Reference;
      readonly extended: Reference;
      readonly inferred: readonly number[];
      readonly yes: Reference;
      readonly no: Reference;
    }
  /**
   * An object with the members of another, each of a type that its name, `key`, is put into; its own where none is said. Only
   * those that are named in `keys`, or those that are not.
   */
  | {
      readonly kind: "mapped";
      readonly of: Reference;
      readonly key: number;
      readonly type?: Reference;
      readonly keys?: Reference;
      readonly isWithout?: true;
    }
  /** A member of a type by a name that is a type. */
  | { readonly kind: "access"; readonly of: Reference; readonly key: Reference }
  /** A name as a type. */
  | { readonly kind: "literal"; readonly text: string }
  /**
   * A name that nothing in this file declares: a global, a name of the same package or of an include. `within`: the
   * object around whose members come first, where they are seen by plain names and may stand in another file.
   */
  | { readonly kind: "free"; readonly name: string; readonly within?: Reference }
  /** A value of which nothing is known. The members behind it are all there is. */
  | { readonly kind: "unknown" };

interface Call {
  readonly of: Reference;
  /** What is known of the arguments; left out where that is nothing. */
  readonly arguments?: readonly Reference[];
}

/** A chain of names: `store.items.push` has the root `store` and the members `items`, `push`. */
export interface Reference {
  readonly root: ReferenceRoot;
  readonly members: readonly string[];
  /** Type arguments behind the last name, types themselves. */
  readonly arguments?: readonly Reference[];
}

/** See `ReferenceRoot`. */
export interface TypeParameter {
  readonly kind: "parameter";
  readonly parameter: number;
  /** What it has to be, and what it is where nothing says so. */
  readonly constraint?: Reference;
  readonly preset?: Reference;
}

/** What a function takes; of what is not known the root is `unknown`. */
export interface FunctionType {
  readonly typeParameters?: readonly TypeParameter[];
  readonly parameters: readonly Reference[];
  /** Whether the last parameter is the list of all further arguments. */
  readonly isRest?: true;
  readonly result?: Reference;
}

/** What can be done with an object beside asking for members that have a name. */
export interface Signatures {
  readonly calls?: readonly FunctionType[];
  readonly makes?: readonly FunctionType[];
  /** What it holds behind `[…]`. */
  readonly index?: Reference;
}

/** Kinds that hold members, so that two declarations of one name are one thing. */
export const CONTAINER_KINDS: ReadonlySet<SymbolKind> = new Set(
  "class interface struct enum trait record union namespace module".split(" ") as SymbolKind[],
);

/**
 * One symbol. Members stand behind their container, whose index or that of the function around it is `parent`; otherwise in
 * the order of the source. A default export without a name is called `default`. Uses of `bases` stand in `uses`, too.
 */
export interface CodeSymbol
  extends Pick<
    SymbolRecord,
    "kind" | "name" | "parent" | "at" | "start" | "end" | "signature" | "doc" | "flags" | "bases"
  > {
  /**
   * Name of the type that it is a member of, as written, where this file does not declare that: a method of Go, a
   * definition of C++ outside of its class, what stands in an `impl` of Rust or an extension. `parent` is the namespace
   * around then, or -1.
   */
  readonly memberOf?: string;
  /** Whether another declaration has the body or the value: a prototype, an `extern` variable. Left out where it is not so. */
  readonly isPrototype?: true;
  /** First line of the comment that belongs to it; that of `start` without one. */
  readonly leadLine: number;
  /**
   * Names under which the file exports it: `default`, others than its own, `export=` where it is all that a module of
   * CommonJS exports. Empty where the file does not export it.
   */
  readonly exportedAs: readonly string[];
  /** Declared type of a value or return type of a function, as written; `""` where none is declared. */
  readonly typeText: string;
  /**
   * The same as a reference in a place of types. Without a declared type what the value says: `new Store()`, a call, what a
   * function returns. What an alias of a type stands for.
   */
  readonly type?: Reference;
  /** Parameters of a class, interface or alias. */
  readonly typeParameters?: readonly TypeParameter[];
  /** What a function takes; its result is `type`. */
  readonly takes?: FunctionType;
  /** Signatures of an interface, class or alias. */
  readonly signatures?: Signatures;
}

/** One name that is imported or passed on. */
export interface CodeImport {
  readonly kind: "imports" | "reexports";
  /** As the language writes it: `./a.ts`, `react`, `..pkg.mod`, `java.util`, `crate::a::b`, `stdio.h`. */
  readonly specifier: string;
  /** Name in the other module: `default`, `*` for the module as a whole, `""` where nothing is bound. */
  readonly imported: string;
  /** Name in this file; for what is passed on, the name under which it is (`*` for everything). `""` where nothing is bound. */
  readonly local: string;
  readonly typeOnly: boolean;
  /** Symbol that the import stands in, -1 at the top of the file. */
  readonly from: number;
  /** Where `imported` stands; where that is not written, the bound name, or `specifier`. */
  readonly at: CodePosition;
  /** Where `local` stands, where it is written beside `imported`: `b` in `import { a as b }`. */
  readonly localAt?: CodePosition;
  /** Whether another name than `imported` stands at `at`: of a default, of what is passed on as it is called here. */
  readonly renamed?: true;
  /** Whether it stands in a comment, where types are said: it is no import of the program. */
  readonly isInComment?: true;
}

/** A place where a name is used that leads to a symbol of this or another file, or might. */
export interface CodeUse {
  readonly kind: Exclude<EdgeKind, "imports" | "reexports" | "overrides" | "declares">;
  /** The innermost symbol that the place lies in, -1 for the top of the file. */
  readonly from: number;
  /** Where the last name of the chain stands. */
  readonly at: CodePosition;
  readonly target: Reference;
  readonly typeOnly: boolean;
  /** Which side of a short form it is: `{ open }` is `{ open: open }`. Left out elsewhere. */
  readonly short?: Exclude<EdgeForm, "alias">;
  /** The name under which this place exports the target, where that is written beside it. */
  readonly exportedName?: OtherName;
}

export interface CodeFile {
  readonly language: string;
  /** Declared package or namespace (`com.acme.store`, Go's package name); `""` where the language has none. */
  readonly namespace: string;
  /** First paragraph of the comment at the top that describes the file; `""` without one. */
  readonly doc: string;
  readonly symbols: readonly CodeSymbol[];
  readonly imports: readonly CodeImport[];
  /** In the order of the source. Uses of local variables and parameters are left out. */
  readonly uses: readonly CodeUse[];
  /** Parts of the file that could not be parsed. What could is here. */
  readonly errors: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether no person wrote it. */
  readonly isGenerated?: true;
}

/**
 * How many symbols stand in one another at most. What is nested deeper becomes a member of the last that counts: paths
 * hold the names of all containers, so without a bound their size grows by the square.
 */
export const MAX_SYMBOL_DEPTH = 100;

type Named = Pick<CodeSymbol, "name" | "parent" | "start" | "memberOf">;

/**
 * Path of each symbol, unique in the file: the names of its containers and its own with `.` between them. The second
 * of that path in the order of the source gets `~2`, the third `~3`. Numbers of containers are not repeated in their
 * members: `Store.open` stays as it is when another `Store` appears above. A member of a type that another file
 * declares stands behind the name of that type as it is written here.
 */
export function symbolPaths(symbols: readonly Named[]): string[] {
  const names: string[] = [];
  for (const { name, parent, memberOf } of symbols) {
    const around = [names[parent], memberOf?.replaceAll("::", ".")].filter((it) => it !== undefined && it !== "");
    names.push([...around, name].join("."));
  }
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  const paths = [...names];
  for (const symbol of inSourceOrder(symbols)) {
    const name = names[symbol] as string;
    let count = (counts.get(name) ?? 0) + 1;
    // A name can itself end like a number of ours: quoted keys may hold anything.
    while (taken.has(pathWith(name, count))) count++;
    counts.set(name, count);
    taken.add(pathWith(name, count));
    paths[symbol] = pathWith(name, count);
  }
  return paths;
}

function pathWith(name: string, count: number): string {
  return count === 1 ? name : `${name}~${count}`;
}

/** Members stand behind their container even where the source has them elsewhere. */
function inSourceOrder(symbols: readonly Named[]): number[] {
  const order = [...symbols.keys()];
  return order.sort((a, b) => {
    const { line, column } = (symbols[a] as Named).start;
    const other = (symbols[b] as Named).start;
    return line - other.line || column - other.column || a - b;
  });
}
