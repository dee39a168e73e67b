/** C and C++: a file sees what it includes (`c:stdio.h` outside), and namespaces of C++. */
import type { SymbolKind } from "../../../src/core/format/code-model.ts";
import type { CodeSymbol } from "../base/code-file.ts";
import { createPathResolver } from "../base/imports.ts";
import type {
  Bindings,
  CodeWorld,
  Family,
  FamilyModules,
  JoinDeclaration,
  Language,
  Linking,
  NameLinking,
  ResolveFree,
} from "../base/language.ts";
import { type Chain, type UseRule, type Uses, wordSet } from "../base/rules.ts";
import { declaredSpace, dotted } from "../base/spaces.ts";
import { NONE } from "../base/syntax-tree.ts";
import { addToList, isType, NOTHING, pickSymbol } from "../base/world.ts";
import { C_RULES, CPP_RULES } from "./rules.ts";

const CPP_WORDS = /^[ \t]*(?:class\s+\w|namespace\s+[\w{]|template\s*<|using\s+\w|(?:public|private|protected)\s*:)/m;

const FAMILY: Family = {
  name: "c",
  spaceOf: declaredSpace,
  // `using` and code inside of a namespace see into it: its names are found wherever they stand.
  hasOpenSpaces: true,
  hasOpenEnums: true,
  createModules,
  createNames: (linking) => {
    const includedBy = createIncludedFiles(linking);
    return {
      resolveFree: amongIncluded(linking, includedBy),
      joinDeclarations: (join) => joinPrototypes(linking, FAMILY, includedBy, join),
    };
  },
};

function createModules(linking: Linking): FamilyModules {
  const { world, spaces } = linking;
  const outside = (specifier: string): string => `c:${specifier}`;
  const includes = createPathResolver(linking, { family: FAMILY, ending: "", searchesRelative: true, outside });
  return {
    resolve: (file, specifier) => {
      // `using namespace a::b` names no file.
      const space = /[./]/.test(specifier) ? NOTHING : spaces.find(FAMILY, dotted(specifier));
      if (space !== NOTHING) return space;
      return /^std$|::/.test(specifier) ? world.external(outside(specifier)) : includes(file, specifier);
    },
  };
}

/** What is included, then the one definition in the corpus, as a linker would. */
function amongIncluded({ world, spaces, mainOf }: NameLinking, includedBy: IncludedFiles): ResolveFree {
  return (file, name, wantType) => {
    const all = spaces.declarations(spaces.find(FAMILY, ""), name);
    if (all.length === 0) return NOTHING;
    const visible = includedBy(file);
    const seen = all.filter((symbol) => visible.has(world.fileOf(symbol)));
    if (seen.length > 0) {
      const found = pickSymbol(world, seen, wantType);
      // `typedef struct Store Store;` in a header, and the struct where nobody else sees it.
      const { kind, signature } = world.symbol(found);
      const isOpaque = kind === "typeAlias" && /^typedef (?:struct|union) (\w+) \1$/.test(signature);
      const bodies = isOpaque ? all.filter((symbol) => /^(?:struct|union)$/.test(world.symbol(symbol).kind)) : [];
      return bodies.length === 1 ? (bodies[0] as number) : found;
    }
    const isFileLocal = (flag: string): boolean => flag === "static" || flag === "private";
    const shared = all.filter((symbol) => !world.symbol(symbol).flags.some(isFileLocal)).map(mainOf);
    const isOne = shared.length > 0 && shared.every((symbol) => symbol === shared[0]);
    return isOne && !isType(world.symbol(shared[0] as number)) ? (shared[0] as number) : NOTHING;
  };
}

/** The type of what a list initializes, or the member of it that an outer list names. */
function initialized(uses: Uses, list: number): Chain | undefined {
  const { tree } = uses;
  const around = tree.parent(list);
  switch (tree.type(around)) {
    case "initializer_pair": {
      const outer = initialized(uses, tree.parent(around));
      const name = tree.descendant(tree.field(around, "designator"), "field_identifier");
      if (outer === undefined || name === NONE) return outer;
      return { root: outer.root, members: [...outer.members, tree.textOf(name)] };
    }
    // An element of an array has the type that stands in front.
    case "initializer_list":
      return initialized(uses, around);
    case "init_declarator":
    case "compound_literal_expression": {
      const typed = tree.type(around) === "init_declarator" ? tree.parent(around) : around;
      const type = uses.typeReference(tree.field(typed, "type"));
      return type === undefined ? undefined : { root: { kind: "value", type }, members: [] };
    }
    default:
      return undefined;
  }
}

/** `.size = 1` writes a member of what is initialized. */
function useKind(uses: Uses, node: number): UseRule | undefined {
  const { tree } = uses;
  const pair = tree.parent(tree.parent(node));
  if (tree.type(tree.parent(node)) !== "field_designator" || tree.type(pair) !== "initializer_pair") return undefined;
  const object = initialized(uses, tree.parent(pair));
  if (object !== undefined)
    uses.add("writes", node, { root: object.root, members: [...object.members, tree.textOf(node)] });
  return "none";
}

export const C: Language = {
  trees: {
    c: {
      grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm",
      rules: { ...C_RULES, useKind },
      // Headers of C++ are called `.h`, too.
      twin: { language: "cpp", isMeant: (path, text) => path.endsWith(".h") && CPP_WORDS.test(text) },
    },
    cpp: { grammar: "@repomix/tree-sitter-wasms/out/tree-sitter-cpp.wasm", rules: { ...CPP_RULES, useKind } },
  },
  family: FAMILY,
};

/** Kinds that have prototypes. A macro may have the name of a function, and is none. */
const DEFINED: ReadonlySet<SymbolKind> = wordSet<SymbolKind>(
  "function method constructor operator variable constant field",
);
/** Included files that are gone through. */
const MAX_INCLUDED = 2_000;
/** Files whose includes are remembered: linking goes file by file, and most lists are long. */
const MAX_KEPT = 64;

/** Files that a file includes, and what those include, itself with them. */
type IncludedFiles = (file: number) => ReadonlySet<number>;

/** Follows includes when it is asked. */
function createIncludedFiles({ world, bindings }: NameLinking): IncludedFiles {
  const included = new Map<number, ReadonlySet<number>>();
  return (file) => {
    const known = included.get(file);
    if (known !== undefined) return known;
    if (included.size >= MAX_KEPT) included.clear();
    const files = readIncluded(world, bindings, file);
    included.set(file, files);
    return files;
  };
}

function readIncluded(world: CodeWorld, bindings: Bindings, file: number): ReadonlySet<number> {
  const seen = new Set([file]);
  for (const at of seen) {
    if (seen.size > MAX_INCLUDED) break;
    const { imports } = world.codeOf(at);
    for (const index of imports.keys()) {
      const target = world.asFile(bindings.moduleOf(at, index));
      if (target >= 0) seen.add(target);
    }
  }
  return seen;
}

function joinPrototypes(
  { world }: NameLinking,
  family: Family,
  includedBy: IncludedFiles,
  join: JoinDeclaration,
): void {
  const { prototypes, definitions } = readDeclared(world, family);
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

/** Functions and variables by their qualified names. */
function readDeclared(world: CodeWorld, family: Family) {
  const prototypes = new Map<string, number[]>();
  const definitions = new Map<string, number[]>();
  const outside: { readonly name: string; readonly symbol: number }[] = [];
  for (const [file, { code }] of world.files.entries()) {
    if (world.families[file] !== family) continue;
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

/** Parameters of a function as its signature writes them, without defaults, and what stands behind them (`const`). */
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
  const types = parts.map((part) => part.replace(/=.*$|\s+/g, "")).filter((part) => part !== "" && part !== "void");
  return /^\s*const\b/.test(signature.slice(at + 1)) ? [...types, "const"] : types;
}
