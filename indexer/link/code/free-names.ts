/**
 * Names that nothing in their file declares or imports: what each language binds them to.
 *
 * Go: the package of the folder. Java, Kotlin, Scala, C#, PHP: the namespace, for C# those around it, too. C and C++: what
 * is included, then the one definition in the corpus, as a linker would. Swift: the module. Ruby: the one constant of
 * that name. Scripts and shells: the one declaration in files that are no modules. What is left is a global of the
 * language or comes from outside, and leads nowhere. Pure.
 */

import type { Spaces } from "../../languages/base/spaces.ts";
import {
  addToList,
  type CodeFamily,
  type CodeWorld,
  type Entity,
  isType,
  NOTHING,
  pickSymbol,
} from "../../languages/base/world.ts";
import type { Bindings } from "./bindings.ts";
import type { IncludedFiles } from "./included-files.ts";
import type { JoinedDeclarations } from "./joined.ts";

/** What a free name leads to from a file. */
export type ResolveFree = (file: number, name: string, wantType: boolean) => Entity;

/** See the header. */
export function createFreeNames(
  world: CodeWorld,
  bindings: Bindings,
  spaces: Spaces,
  includedBy: IncludedFiles,
  { mainOf }: JoinedDeclarations,
): ResolveFree {
  const globals = readScriptGlobals(world);
  const inOwnSpace: ResolveFree = (file, name, wantType) => {
    const own = pickSymbol(world, nearest(world, file, spaces.declarations(spaces.ofFile(file), name)), wantType);
    return own === NOTHING ? bindings.fromStars(file, name, wantType) : own;
  };
  const inC: ResolveFree = (file, name, wantType) => {
    const all = spaces.declarations(spaces.find("c", ""), name);
    if (all.length === 0) return NOTHING;
    const visible = includedBy(file);
    const seen = all.filter((symbol) => visible.has(world.fileOf(symbol)));
    if (seen.length > 0) return pickSymbol(world, seen, wantType);
    const shared = all.filter((symbol) => !world.symbol(symbol).flags.some(isFileLocal)).map(mainOf);
    const isOne = shared.length > 0 && shared.every((symbol) => symbol === shared[0]);
    return isOne && !isType(world.symbol(shared[0] as number)) ? (shared[0] as number) : NOTHING;
  };
  const aroundNamespace: ResolveFree = (file, name, wantType) => {
    const parts = (world.files[file] as CodeWorld["files"][number]).code.namespace.split(".");
    for (let count = parts.length; count >= 0; count--) {
      const space = spaces.find("csharp", parts.slice(0, count).join("."));
      const found = space === NOTHING ? NOTHING : spaces.member(space, name, wantType);
      if (found !== NOTHING) return found;
    }
    return bindings.fromStars(file, name, wantType);
  };
  const fromRoot =
    (family: CodeFamily): ResolveFree =>
    (file, name, wantType) => {
      const own = inOwnSpace(file, name, wantType);
      return own === NOTHING ? spaces.find(family, name) : own;
    };
  const rules: Readonly<Record<CodeFamily, ResolveFree>> = {
    script: (_, name, wantType) => only(world, globals.get(name), wantType),
    python: (file, name, wantType) => bindings.fromStars(file, name, wantType),
    go: (file, name, wantType) => {
      const own = inOwnSpace(file, name, wantType);
      return own === NOTHING ? importedPackage(world, bindings, spaces, file, name) : own;
    },
    rust: (file, name, wantType) => bindings.walkRust(file, -1, [name], wantType),
    jvm: fromRoot("jvm"),
    php: fromRoot("php"),
    csharp: aroundNamespace,
    c: inC,
    swift: inOwnSpace,
    ruby: (_, name, wantType) => {
      const all = spaces.declarations(spaces.find("ruby", ""), name);
      // A class may be opened in many files; a method of that name at the top of several is a guess.
      return /^[A-Z]/.test(name) ? pickSymbol(world, all, wantType) : only(world, all, wantType);
    },
    bash: (file, name, wantType) => bindings.fromStars(file, name, wantType),
    other: () => NOTHING,
  };
  return (file, name, wantType) => rules[world.families[file] as CodeFamily](file, name, wantType);
}

function only(world: CodeWorld, among: readonly number[] | undefined, wantType: boolean): Entity {
  if (among === undefined) return NOTHING;
  const files = new Set(among.map((symbol) => world.fileOf(symbol)));
  return files.size === 1 ? pickSymbol(world, among, wantType) : NOTHING;
}

/** Declarations in the file itself before those of other files. */
function nearest(world: CodeWorld, file: number, among: readonly number[]): readonly number[] {
  const own = among.filter((symbol) => world.fileOf(symbol) === file);
  return own.length > 0 ? own : among;
}

function isFileLocal(flag: string): boolean {
  return flag === "static" || flag === "private";
}

/** Go names a package as it declares itself, which need not be the last part of its path. */
function importedPackage(world: CodeWorld, bindings: Bindings, spaces: Spaces, file: number, name: string): Entity {
  const { imports } = (world.files[file] as CodeWorld["files"][number]).code;
  for (const index of imports.keys()) {
    const module = bindings.moduleOf(file, index);
    if (world.outside(module)?.kind !== "space") continue;
    const [first] = spaces.filesOf(module);
    if (first !== undefined && world.files[first]?.code.namespace === name) return module;
  }
  return NOTHING;
}

/** Names at the top of scripts that import and export nothing: those are seen everywhere. */
function readScriptGlobals(world: CodeWorld): Map<string, number[]> {
  const globals = new Map<string, number[]>();
  for (const [file, { code }] of world.files.entries()) {
    if (world.families[file] !== "script" || code.imports.some(({ from }) => from === -1)) continue;
    if (code.symbols.some(({ flags, exportedAs }) => flags.includes("exported") || exportedAs.length > 0)) continue;
    for (const [name, symbols] of world.names(file).top) {
      for (const symbol of symbols) addToList(globals, name, symbol);
    }
  }
  return globals;
}
