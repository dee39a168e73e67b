/**
 * Declarations that are one symbol though they stand apart: prototypes of C and C++ with the definition, parts of a
 * `partial` type of C#. Uses lead to one of them, the *main* one, and each other one is a place that refers to it.
 *
 * The main one is the definition. A prototype has the one definition of its qualified name: of its own file, else that
 * of the corpus; of several, the one whose file includes the prototype. Where several do (one for each platform), the
 * prototype is the main one of them all. Overloads are told apart by their parameters. Of a partial type the first part
 * is the main one. Pure.
 */
import type { SymbolKind } from "../../../src/core/format/symbol-kinds.ts";
import type { CodeSymbol } from "../../languages/base/code-file.ts";
import { dotted, type Spaces } from "../../languages/base/spaces.ts";
import { addToList, type CodeWorld, isContainer, NOTHING } from "../../languages/base/world.ts";
import type { IncludedFiles } from "./included-files.ts";

/** See the header. */
export interface JoinedDeclarations {
  /** The main declaration of a symbol: itself where it is one, or stands alone. Other entities as they are. */
  readonly mainOf: (entity: number) => number;
  /** The first declaration that refers to a main one; `NOTHING` where none does. */
  readonly prototypeOf: (symbol: number) => number;
}

/** Kinds that have prototypes. A macro may have the name of a function, and is none. */
const DEFINED: ReadonlySet<SymbolKind> = new Set<SymbolKind>([
  "function",
  "method",
  "constructor",
  "operator",
  "variable",
  "constant",
  "field",
]);
/** Longest way from a declaration to the main one: prototypes of several headers may meet in one definition. */
const MAX_STEPS = 8;

/** See the header. */
export function joinDeclarations(world: CodeWorld, includedBy: IncludedFiles, spaces: Spaces): JoinedDeclarations {
  const mains = new Map<number, number>();
  const prototypes = new Map<number, number>();
  const join = (symbol: number, main: number): void => {
    if (symbol === main || mains.has(symbol) || mainOf(main) === symbol) return;
    mains.set(symbol, main);
    if (!prototypes.has(main)) prototypes.set(main, symbol);
  };
  const mainOf = (entity: number): number => {
    let at = entity;
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const main = mains.get(at);
      if (main === undefined) break;
      at = main;
    }
    return at;
  };
  joinPrototypes(world, includedBy, join);
  joinParts(world, spaces, join);
  return { mainOf, prototypeOf: (symbol) => prototypes.get(symbol) ?? NOTHING };
}

type Join = (symbol: number, main: number) => void;

function joinPrototypes(world: CodeWorld, includedBy: IncludedFiles, join: Join): void {
  const { prototypes, definitions } = readC(world);
  for (const [name, list] of prototypes) {
    const bodies = definitions.get(name);
    if (bodies === undefined) continue;
    for (const [file, own] of Map.groupBy(list, (symbol) => world.fileOf(symbol))) {
      for (const [place, prototype] of own.entries()) {
        const found = definitionsOf(world, includedBy, bodies, prototype, file);
        const fitting = withSameParameters(world, found, prototype);
        if (new Set(found.map((symbol) => world.fileOf(symbol))).size > 1) {
          for (const definition of fitting) join(definition, prototype);
        } else if (found.length > 0) {
          // Where parameters do not tell, declarations mostly follow one another as definitions do.
          join(prototype, (fitting[0] ?? found[Math.min(place, found.length - 1)]) as number);
        }
      }
    }
  }
}

/** Functions and variables of C and C++ by their qualified names. */
function readC(world: CodeWorld): { prototypes: Map<string, number[]>; definitions: Map<string, number[]> } {
  const prototypes = new Map<string, number[]>();
  const definitions = new Map<string, number[]>();
  const outside: { readonly name: string; readonly symbol: number }[] = [];
  for (const [file, { code }] of world.files.entries()) {
    if (world.families[file] !== "c") continue;
    const first = world.first[file] as number;
    const names: string[] = [];
    for (const [index, symbol] of code.symbols.entries()) {
      const name = qualify(names[symbol.parent], symbol);
      names.push(name);
      if (!DEFINED.has(symbol.kind) || symbol.flags.includes("inner")) continue;
      addToList(symbol.isPrototype === true ? prototypes : definitions, name, first + index);
      if (symbol.memberOf !== undefined) outside.push({ name, symbol: first + index });
    }
  }
  const byEnd = new Map<string, string[]>();
  for (const name of prototypes.keys()) addToList(byEnd, endOf(name), name);
  for (const { name, symbol } of outside) {
    if (prototypes.has(name)) continue;
    // `using namespace a; void Store::open()` is `a.Store.open`.
    const fitting = (byEnd.get(endOf(name)) ?? []).filter((other) => other.endsWith(`.${name}`));
    if (fitting.length === 1) addToList(definitions, fitting[0] as string, symbol);
  }
  return { prototypes, definitions };
}

function qualify(around: string | undefined, { memberOf, name }: CodeSymbol): string {
  return [around, memberOf === undefined ? undefined : dotted(memberOf), name]
    .filter((part) => part !== undefined && part !== "")
    .join(".");
}

/** The last two parts of a name. */
function endOf(name: string): string {
  return name.split(".").slice(-2).join(".");
}

function definitionsOf(
  world: CodeWorld,
  includedBy: IncludedFiles,
  bodies: readonly number[],
  prototype: number,
  file: number,
): readonly number[] {
  const own = bodies.filter((symbol) => world.fileOf(symbol) === file);
  if (own.length > 0) return own;
  if (isFileLocal(world.symbol(prototype))) return [];
  const shared = bodies.filter((symbol) => !isFileLocal(world.symbol(symbol)));
  const files = new Set(shared.map((symbol) => world.fileOf(symbol)));
  if (files.size < 2) return shared;
  const including = new Set([...files].filter((other) => includedBy(other).has(file)));
  return shared.filter((symbol) => including.has(world.fileOf(symbol)));
}

/** `static` of a member says something else. */
function isFileLocal({ kind, parent, memberOf, flags }: CodeSymbol): boolean {
  return parent < 0 && memberOf === undefined && kind !== "method" && flags.includes("static");
}

function withSameParameters(world: CodeWorld, among: readonly number[], prototype: number): readonly number[] {
  const wanted = parametersOf(world.symbol(prototype));
  const same = among.filter((symbol) => parametersOf(world.symbol(symbol)).join() === wanted.join());
  if (same.length > 0) return same;
  return among.filter((symbol) => parametersOf(world.symbol(symbol)).length === wanted.length);
}

/** Types of the parameters of a function as its signature writes them, and what stands behind them (`const`). */
function parametersOf({ signature, name }: CodeSymbol): string[] {
  const open = signature.indexOf("(", signature.indexOf(name) + name.length - (name.endsWith("()") ? 2 : 0));
  if (open < 0) return [];
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  let at = open;
  for (; at < signature.length; at++) {
    const sign = signature[at] as string;
    if ("([{<".includes(sign)) depth++;
    else if (")]}>".includes(sign)) depth--;
    if (depth === 0 || (depth === 1 && sign === ",")) {
      parts.push(signature.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) break;
  }
  const types = parts.map(typeOfParameter).filter((type) => type !== "" && type !== "void");
  return /^\s*const\b/.test(signature.slice(at + 1)) ? [...types, "const"] : types;
}

/** A parameter without its name and its default: `const char *` of `const char *path = 0`. */
function typeOfParameter(parameter: string): string {
  const words: readonly string[] = parameter.replace(/=.*$/, "").match(/[\w:]+|[^\s\w]/g) ?? [];
  const named = words.filter(
    (word) => /^[\w:]+$/.test(word) && !/^(?:const|volatile|struct|enum|union|class)$/.test(word),
  );
  const last = named.at(-1);
  const isBuiltIn = /^(?:int|char|long|short|float|double|bool|unsigned|signed|auto|void)$/.test(last ?? "");
  const dropped = named.length > 1 && !isBuiltIn ? words.lastIndexOf(last as string) : -1;
  return words.filter((word, at) => at !== dropped && !/^(?:struct|enum|union|class)$/.test(word)).join(" ");
}

function joinParts(world: CodeWorld, spaces: Spaces, join: Join): void {
  for (const [file, { code }] of world.files.entries()) {
    if (world.families[file] !== "csharp") continue;
    const first = world.first[file] as number;
    for (const [index, symbol] of code.symbols.entries()) {
      if (!isPartial(symbol)) continue;
      const space = spaces.ofSymbol(first + index);
      if (space === NOTHING) continue;
      const parts = spaces.declarations(space, symbol.name).filter((other) => {
        const part = world.symbol(other);
        return part.kind === symbol.kind && isPartial(part) && typeCount(part) === typeCount(symbol);
      });
      join(first + index, parts[0] ?? first + index);
    }
  }
}

function isPartial(symbol: CodeSymbol): boolean {
  return isContainer(symbol) && /\bpartial\b/.test(symbol.signature);
}

/** How many types a generic type takes: with another number it is another type. */
function typeCount({ signature, name }: CodeSymbol): number {
  const behind = signature.slice(signature.indexOf(` ${name}`) + name.length + 1);
  return behind.startsWith("<") ? behind.slice(0, behind.indexOf(">")).split(",").length : 0;
}
