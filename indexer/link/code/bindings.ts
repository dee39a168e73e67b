/**
 * What names of modules and imports lead to: exports, re-exports (`export *`, `export * as ns`, in a circle, too),
 * submodules, and the imports of a file.
 *
 * Where a re-export leads in a circle, the circle gives nothing and other ways are tried. Pure.
 */

import type { CodeImport } from "../../languages/base/code-file.ts";
import { dotted, type Spaces } from "../../languages/base/spaces.ts";
import { addToList, type CodeWorld, type Entity, NOTHING, pickSymbol } from "../../languages/base/world.ts";
import type { Modules } from "./resolve-import.ts";

/** See the header. */
export interface Bindings {
  /** Module that an import names: file, namespace, package outside, a class where it names one. */
  readonly moduleOf: (file: number, index: number) => Entity;
  /** What the name that an import binds leads to. */
  readonly bind: (file: number, index: number, wantType: boolean) => Entity;
  /** What a module (file or namespace) gives by that name to those who import it. */
  readonly exported: (module: Entity, name: string, wantType: boolean) => Entity;
  /** Whether an import names a module inside of the module that it takes it from. */
  readonly bindsSubmodule: (file: number, index: number) => boolean;
  /** What a path of names leads to in Rust from inside of a symbol (-1: the file); `NOTHING` where scope does not know its first. */
  readonly walkRust: (file: number, from: number, parts: readonly string[], wantType: boolean) => Entity;
  /** What imports of everything (`from a import *`, `use a::*`, `using A`) give by that name. */
  readonly fromStars: (file: number, name: string, wantType: boolean) => Entity;
}

/** Tables about the imports of one file. */
interface FileImports {
  /** Names by which the file can be asked for what it imports or passes on. */
  readonly byName: ReadonlyMap<string, readonly number[]>;
  /** `export *`. */
  readonly passedOn: readonly number[];
  /** Imports of everything into the scope of the file. */
  readonly stars: readonly number[];
  /** Names under which symbols are exported, where those are not their own. */
  readonly renamed: ReadonlyMap<string, readonly number[]>;
}

/** Name under which parsers give what a module exports in place of itself: `module.exports =`, `export =`. */
const WHOLE = "export=";
/** Not resolved so far. */
const UNKNOWN = -0x7fffffff;
/** Longest way through `export *` that is followed: a bound for hostile input. */
const MAX_PASSED = 2_000;
/** Imports of imports that are followed: each takes some of the stack. */
const MAX_CHAIN = 500;

/** See the header. */
export function createBindings(world: CodeWorld, modules: Modules, spaces: Spaces): Bindings {
  const tables: (FileImports | undefined)[] = new Array(world.files.length);
  const followed: (Int32Array | undefined)[] = new Array(world.files.length);
  const bound: (Int32Array | undefined)[] = new Array(world.files.length);
  const exportsKnown: (Map<string, Entity> | undefined)[] = new Array(world.files.length);
  const tablesOf = (file: number): FileImports => {
    tables[file] ??= readImports(world, file);
    return tables[file];
  };
  const importAt = (file: number, index: number): CodeImport =>
    (world.files[file] as CodeWorld["files"][number]).code.imports[index] as CodeImport;

  const importCount = (file: number): number => world.files[file]?.code.imports.length ?? 0;
  let depth = 0;
  const moduleOf = (file: number, index: number): Entity => {
    if (world.families[file] !== "rust") return modules.resolve(file, importAt(file, index).specifier);
    followed[file] ??= new Int32Array(importCount(file)).fill(UNKNOWN);
    const known = followed[file][index] as number;
    if (known !== UNKNOWN) return known;
    // A path may begin with a name that a star of the same file brings, and that star with itself.
    followed[file][index] = NOTHING;
    const module = followRust(file, importAt(file, index));
    followed[file][index] = module;
    return module;
  };

  const followRust = (file: number, { specifier, imported, from }: CodeImport): Entity => {
    const parts = dotted(specifier).split(".");
    const found = walkRust(file, from, parts, true);
    if (found !== NOTHING) return found;
    // Some paths are written with the name at their end.
    const [top = ""] = parts;
    if (parts.at(-1) === imported && parts.length > 1) return walkRust(file, from, parts.slice(0, -1), true);
    return /^(?:crate|self|super)$/.test(top) ? NOTHING : modules.rust.external(top);
  };

  const bind = (file: number, index: number, wantType: boolean): Entity => {
    bound[file] ??= new Int32Array(2 * importCount(file)).fill(UNKNOWN);
    const at = 2 * index + Number(wantType);
    const known = bound[file][at] as number;
    if (known !== UNKNOWN) return known;
    if (depth >= MAX_CHAIN) return NOTHING;
    bound[file][at] = NOTHING;
    depth++;
    const entity = resolveBinding(file, importAt(file, index), moduleOf(file, index), wantType);
    depth--;
    bound[file][at] = entity;
    return entity;
  };

  const resolveBinding = (file: number, entry: CodeImport, module: Entity, wantType: boolean): Entity => {
    const { imported } = entry;
    if (module === NOTHING || imported === "") return module;
    if (imported === "*") {
      const whole = world.families[file] === "script" ? exported(module, WHOLE, wantType) : NOTHING;
      return whole === NOTHING ? module : whole;
    }
    if (module < 0 && world.outside(module)?.kind === "external") return module;
    if (module >= 0 && module < world.symbolCount) {
      const member = pickSymbol(world, world.names(world.fileOf(module)).members.get(module)?.get(imported), wantType);
      if (member !== NOTHING) return member;
      return world.symbol(module).name === imported || imported === "default" ? module : NOTHING;
    }
    const found = exported(module, imported, wantType);
    if (found !== NOTHING) return found;
    const target = world.asFile(module);
    if (target < 0 || imported !== "default" || world.families[file] !== "script") return NOTHING;
    // `import a from "./a.cjs"`, `import data from "./data.json"`: the module itself is the default.
    return /^typescript|^tsx/.test(world.files[target]?.code.language ?? "") ? NOTHING : module;
  };

  const exported = (module: Entity, name: string, wantType: boolean): Entity => {
    const file = world.asFile(module);
    if (file < 0) {
      const inSpace = spaces.member(module, name, wantType);
      return inSpace === NOTHING ? modules.submodule(module, name) : inSpace;
    }
    exportsKnown[file] ??= new Map();
    const key = wantType ? `type ${name}` : name;
    const known = exportsKnown[file].get(key);
    if (known !== undefined) return known;
    // What passes on itself as a whole, by way of others, gives nothing.
    exportsKnown[file].set(key, NOTHING);
    const entity =
      world.families[file] === "script"
        ? findExport(file, name, wantType, new Set())
        : findAttribute(file, name, wantType, new Set());
    exportsKnown[file].set(key, entity);
    return entity;
  };

  /** Scripts: only what is exported, first by name, then by `export *`, which never passes on `default`. */
  const findExport = (file: number, name: string, wantType: boolean, seen: Set<string>): Entity => {
    const key = `${file} ${name}`;
    if (seen.has(key) || seen.size > MAX_PASSED) return NOTHING;
    seen.add(key);
    const { renamed, byName, passedOn } = tablesOf(file);
    const own = (world.names(file).top.get(name) ?? []).filter((symbol) => isExportedAs(world, symbol, name));
    const others = renamed.get(name) ?? [];
    const direct = pickSymbol(world, own.length === 0 ? others : [...own, ...others], wantType);
    if (direct !== NOTHING) return direct;
    const whole = renamed.get(WHOLE);
    if (whole !== undefined && name !== WHOLE) {
      const inWhole =
        name === "default" ? whole : whole.flatMap((of) => world.names(file).members.get(of)?.get(name) ?? []);
      const found = pickSymbol(world, inWhole, wantType);
      if (found !== NOTHING) return found;
    }
    for (const index of byName.get(name) ?? []) {
      const entry = importAt(file, index);
      if (entry.kind !== "reexports") continue;
      const module = moduleOf(file, index);
      const target = world.asFile(module);
      const isScript = target >= 0 && world.families[target] === "script";
      const found =
        isScript && entry.imported !== "*" && entry.imported !== ""
          ? findExport(target, entry.imported, wantType, seen)
          : resolveBinding(file, entry, module, wantType);
      if (found !== NOTHING) return found;
    }
    if (name === "default" || name === WHOLE) return NOTHING;
    for (const index of passedOn) {
      const target = world.asFile(moduleOf(file, index));
      const found = target < 0 ? NOTHING : findExport(target, name, wantType, seen);
      if (found !== NOTHING) return found;
    }
    return NOTHING;
  };

  /** Other languages: all names of the module, what it imports, and the modules in it. */
  const findAttribute = (file: number, name: string, wantType: boolean, seen: Set<number>): Entity => {
    if (seen.has(file) || seen.size > MAX_PASSED) return NOTHING;
    seen.add(file);
    const own = pickSymbol(world, world.names(file).top.get(name), wantType);
    const isBareModule = own !== NOTHING && world.symbol(own).kind === "module";
    if (own !== NOTHING && !isBareModule) return own;
    const inside = modules.submodule(world.fileEntity(file), name);
    // `mod a;` of Rust is a symbol without members beside the file that it stands for.
    if (isBareModule && world.names(file).members.has(own)) return own;
    const { byName, passedOn, stars } = tablesOf(file);
    if (world.families[file] === "rust" && inside !== NOTHING) return inside;
    for (const index of byName.get(name) ?? []) {
      const found = bind(file, index, wantType);
      if (found !== NOTHING && found !== world.fileEntity(file)) return found;
    }
    if (inside !== NOTHING) return inside;
    for (const index of [...passedOn, ...stars]) {
      const module = moduleOf(file, index);
      const target = world.asFile(module);
      const found = target < 0 ? memberOf(module, name, wantType) : findAttribute(target, name, wantType, seen);
      if (found !== NOTHING) return found;
    }
    return own;
  };

  /** What a module, namespace or container has by that name; not through bases. */
  const memberOf = (entity: Entity, name: string, wantType: boolean): Entity => {
    if (entity === NOTHING) return NOTHING;
    if (entity >= 0 && entity < world.symbolCount) {
      return pickSymbol(world, world.names(world.fileOf(entity)).members.get(entity)?.get(name), wantType);
    }
    return exported(entity, name, wantType);
  };

  const walkRust = (file: number, from: number, parts: readonly string[], wantType: boolean): Entity => {
    const names = parts.filter((part) => part !== "" && part !== "*");
    const start = modules.rust.start(file, from, names);
    let entity = start?.entity ?? NOTHING;
    let used = start?.used ?? 1;
    if (start === undefined) {
      entity = findAttribute(file, names[0] ?? "", wantType || names.length > 1, new Set());
      if (entity === NOTHING) return names.length > 1 ? modules.rust.external(names[0] as string) : NOTHING;
    }
    for (; used < names.length && entity !== NOTHING; used++) {
      if (world.outside(entity)?.kind === "external") return entity;
      entity = memberOf(entity, names[used] as string, wantType || used < names.length - 1);
    }
    return entity;
  };

  const fromStars = (file: number, name: string, wantType: boolean): Entity => {
    for (const index of tablesOf(file).stars) {
      const found = memberOf(moduleOf(file, index), name, wantType);
      if (found !== NOTHING) return found;
    }
    return NOTHING;
  };

  const bindsSubmodule = (file: number, index: number): boolean => {
    const inside = modules.submodule(moduleOf(file, index), importAt(file, index).imported);
    return inside !== NOTHING && inside === bind(file, index, false);
  };

  return { moduleOf, bind, exported, bindsSubmodule, walkRust, fromStars };
}

/** Whether a symbol is exported by its own name: one with `export default` before it is not. */
function isExportedAs(world: CodeWorld, symbol: number, name: string): boolean {
  const { flags, exportedAs } = world.symbol(symbol);
  return flags.includes("exported") && (exportedAs.includes(name) || !flags.includes("defaultExport"));
}

function readImports(world: CodeWorld, file: number): FileImports {
  const { imports } = (world.files[file] as CodeWorld["files"][number]).code;
  const byName = new Map<string, number[]>();
  const passedOn: number[] = [];
  const stars: number[] = [];
  for (const [index, { kind, local }] of imports.entries()) {
    if (kind === "reexports" && local === WHOLE) passedOn.push(index);
    if (local !== "" && local !== "*") addToList(byName, local, index);
    else if (kind === "reexports") passedOn.push(index);
    // Includes and `using` bind nothing by name and bring everything.
    else if (local === "*" || world.families[file] !== "script") stars.push(index);
  }
  const renamed = new Map<string, number[]>();
  const first = world.first[file] as number;
  for (const [index, { exportedAs, flags }] of (
    world.files[file] as CodeWorld["files"][number]
  ).code.symbols.entries()) {
    const names = flags.includes("defaultExport") ? [...exportedAs, "default"] : exportedAs;
    for (const name of new Set(names)) addToList(renamed, name, first + index);
  }
  return { byName, passedOn, stars, renamed };
}
