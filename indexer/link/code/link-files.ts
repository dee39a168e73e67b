/**
 * Link source files: from what parsing made of each to records of files, edges between them, packages, and the sections
 * of pages that name symbols.
 *
 * What cannot be resolved is left out, and where that is worth a word a diagnostic says so: a path that leads to no
 * file, a manifest that cannot be read, two packages of one name. The same input gives the same records.
 */
import {
  type FileRecord,
  type MentionRecord,
  SYMBOL_FLAGS,
  type SymbolFlag,
  type SymbolRecord,
} from "../../../src/core/format/code-model.ts";
import { type CodeImport, symbolPaths } from "../../languages/base/code-file.ts";
import type {
  Bindings,
  CodeWorld,
  Entity,
  Family,
  FamilyModules,
  LinkFile,
  Linking,
  PreciseFacts,
  ResolveFree,
  Spaces,
} from "../../languages/base/language.ts";
import type { LinkDiagnostic, ManifestText } from "../../languages/base/manifests.ts";
import { createSpaces, dotted } from "../../languages/base/spaces.ts";
import { addToList, createWorld, isContainer, NOTHING, pickSymbol } from "../../languages/base/world.ts";
import { familyOf, LANGUAGES } from "../../languages/languages.ts";
import { addPreciseEdges } from "../precise/precise-edges.ts";
import type { GroupCode } from "./link-code.ts";
import { type AssetImport, createEdges } from "./link-edges.ts";
import { type FindInTexts, findMentions, type PageWords } from "./mentions.ts";
import { graphPackages, listPublicApi, listPublicSymbols, namePackages, type PackageRule } from "./packages.ts";
import { type Ranks, rankNodes } from "./page-rank.ts";
import { readManifests } from "./read-manifests.ts";
import { createReferences, type JoinedDeclarations } from "./references.ts";

type PackageName = ReturnType<typeof namePackages>[number];

/** What is linked together: the files of one access group. */
interface LinkInput {
  /** In the order of their numbers. */
  readonly files: readonly LinkFile[];
  /** Files for which `isCodeManifest` holds. */
  readonly manifests: readonly ManifestText[];
  readonly pages?: Iterable<PageWords>;
  /** Looks words up in the texts of the files; in none when absent. */
  readonly findInTexts?: FindInTexts;
  /** Setting `packages` of each collection. */
  readonly packages?: ReadonlyMap<string, PackageRule>;
  /** What compilers know of the files. */
  readonly precise?: PreciseFacts;
  /** Whether a document is beside the product; none when absent. */
  readonly isAside?: (id: string) => boolean;
}

/** Linked source files. Files and symbols are numbered as in the input. */
export interface LinkedCode extends Required<Omit<GroupCode, "mentions">> {
  readonly mentions: readonly MentionRecord[];
  readonly diagnostics: readonly LinkDiagnostic[];
}

export function linkCode({
  files,
  manifests: texts,
  pages = [],
  packages,
  precise,
  findInTexts,
  isAside = () => false,
}: LinkInput): LinkedCode {
  const world = createWorld(files, familyOf);
  const manifests = readManifests(texts);
  const { diagnostics } = manifests;
  const spaces = createSpaces(world, manifests);
  const bindings = createBindings({ world, manifests, spaces });
  const { resolveFree, joined } = createDeclaredNames(world, spaces, bindings);
  const uniqueName = createUniqueNames(world, joined);
  const references = createReferences(world, bindings, resolveFree, spaces, joined, uniqueName);
  const assets: AssetImport[] = [];
  const linkFile = createEdges({ world, bindings, references, spaces, joined, assets, diagnostics });
  const own = files.map((_, file) => linkFile(file));
  const edges = precise === undefined ? own : addPreciseEdges(world, own, precise);
  const ranks = rankNodes(edges, world.first, (file) => world.codeOf(file).isGenerated === true);
  const names = namePackages(world, manifests, (collection) => packages?.get(collection));
  const modules = LANGUAGES.flatMap(({ listModules }) => [...(listModules?.(world, manifests) ?? [])]);
  const api = listPublicApi(world, bindings, modules, ranks, joined.mainOf);
  const shown = { ranks, given: listPublicSymbols(world, api) };
  const records = files.map((_, file) => makeRecord(world, joined, file, names[file] as PackageName, shown));
  const mentions = findMentions(
    pages,
    world,
    references.members,
    joined,
    findInTexts ?? (() => new Set()),
    diagnostics,
  );
  return {
    files: records,
    edges,
    packages: graphPackages(records, edges, isAside, api),
    api,
    mentions,
    assets,
    entryFiles: LANGUAGES.flatMap(({ findEntries }) => [...(findEntries?.(world, manifests) ?? [])]).sort(
      (a, b) => a - b,
    ),
    diagnostics,
  };
}

function makeRecord(
  world: CodeWorld,
  joined: JoinedDeclarations,
  file: number,
  name: PackageName,
  { ranks, given }: { readonly ranks: Ranks; readonly given: ReadonlySet<number> },
): FileRecord {
  const { id, hash, code, sectionOf } = world.files[file] as LinkFile;
  const paths = symbolPaths(code.symbols);
  const first = world.first[file] as number;
  return {
    id,
    language: code.language,
    ...name,
    hash,
    rank: ranks.files[file] as number,
    errors: code.errors,
    symbols: code.symbols.map((symbol, index) => ({
      ...saidOfPrototype(world, joined, first + index, given.has(first + index) ? ["public"] : []),
      name: symbol.name,
      path: paths[index] as string,
      parent: symbol.parent,
      at: symbol.at,
      start: symbol.start,
      end: symbol.end,
      signature: symbol.signature,
      type: symbol.typeText,
      bases: symbol.bases,
      rank: ranks.symbols[first + index] as number,
      section: sectionOf(index),
    })),
  };
}

/** What a definition says of itself, or leaves to its prototype: the comment, who may see it, whether it is of an object. */
function saidOfPrototype(
  world: CodeWorld,
  { prototypeOf }: JoinedDeclarations,
  number: number,
  further: readonly SymbolFlag[],
): Pick<SymbolRecord, "kind" | "doc" | "flags"> {
  const symbol = world.symbol(number);
  const prototype = symbol.isPrototype === true ? NOTHING : prototypeOf(number);
  const { kind: ownKind, doc: ownDoc } = symbol;
  const ownFlags = [...symbol.flags, ...further];
  if (prototype === NOTHING || isContainer(symbol)) return { kind: ownKind, doc: ownDoc, flags: ownFlags };
  const { kind, doc, flags } = world.symbol(prototype);
  const isHidden = flags.includes("private") || flags.includes("protected");
  const all = new Set([...ownFlags, ...flags]);
  if (isHidden) all.delete("exported");
  return { kind, doc: ownDoc === "" ? doc : ownDoc, flags: SYMBOL_FLAGS.filter((flag) => all.has(flag)) };
}

/** Tables about the imports of one file. */
type FileImports = ReturnType<typeof readImports>;

/** Name under which parsers give what a module exports in place of itself: `module.exports =`, `export =`. */
const WHOLE = "export=";
/** Not resolved so far. */
const UNKNOWN = -0x7fffffff;
/** Longest way through `export *` that is followed: a bound for hostile input. */
const MAX_PASSED = 2_000;
/** Imports of imports that are followed: each takes some of the stack. */
const MAX_CHAIN = 500;

function createBindings(linking: Linking): Bindings {
  const { world, spaces } = linking;
  const families = new Map([...new Set(world.families)].map((family) => [family, family.createModules(linking)]));
  const modulesOf = (file: number): FamilyModules => families.get(world.families[file] as Family) as FamilyModules;
  /** By file and specifier: most modules are imported for several names. */
  const resolved: (Map<string, Entity> | undefined)[] = new Array(world.files.length);
  const tables: (FileImports | undefined)[] = new Array(world.files.length);
  const followed: (Int32Array | undefined)[] = new Array(world.files.length);
  const bound: (Int32Array | undefined)[] = new Array(world.files.length);
  const exportsKnown: (Map<string, Entity> | undefined)[] = new Array(world.files.length);
  const tablesOf = (file: number): FileImports => {
    tables[file] ??= readImports(world, file);
    return tables[file];
  };
  const importAt = (file: number, index: number): CodeImport => world.codeOf(file).imports[index] as CodeImport;

  const importCount = (file: number): number => world.codeOf(file).imports.length;
  const hasExports = (file: number): boolean => world.families[file]?.hasExports === true;
  let depth = 0;
  const moduleOf = (file: number, index: number): Entity => {
    const { paths, resolve } = modulesOf(file);
    const entry = importAt(file, index);
    if (paths === undefined) {
      resolved[file] ??= new Map();
      const before = resolved[file].get(entry.specifier);
      if (before !== undefined) return before;
      const module = resolve(file, entry.specifier);
      resolved[file].set(entry.specifier, module);
      return module;
    }
    followed[file] ??= new Int32Array(importCount(file)).fill(UNKNOWN);
    const known = followed[file][index] as number;
    if (known !== UNKNOWN) return known;
    // A path may begin with a name that a star of the same file brings, and that star with itself.
    followed[file][index] = NOTHING;
    const module = followPath(file, entry, paths);
    followed[file][index] = module;
    return module;
  };

  const followPath = (
    file: number,
    { specifier, imported, from }: CodeImport,
    { external }: NonNullable<FamilyModules["paths"]>,
  ): Entity => {
    const parts = dotted(specifier).split(".");
    const found = walkPath(file, from, parts, true);
    if (found !== NOTHING) return found;
    // Some paths are written with the name at their end.
    if (parts.at(-1) === imported && parts.length > 1) return walkPath(file, from, parts.slice(0, -1), true);
    return external(parts[0] as string);
  };

  const submoduleOf = (module: Entity, name: string): Entity => {
    for (const { submodule } of families.values()) {
      const found = submodule?.(module, name) ?? NOTHING;
      if (found !== NOTHING) return found;
    }
    return NOTHING;
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
    if (module < 0 && world.outside(module)?.kind === "external") return declaredIn(file, entry, wantType, module);
    if (imported === "*") {
      const whole = hasExports(file) ? exported(module, WHOLE, wantType) : NOTHING;
      return whole === NOTHING ? module : whole;
    }
    if (world.isSymbol(module)) {
      const member = pickSymbol(world, world.names(world.fileOf(module)).members.get(module)?.get(imported), wantType);
      if (member !== NOTHING) return member;
      return world.symbol(module).name === imported || imported === "default" ? module : NOTHING;
    }
    const found = exported(module, imported, wantType);
    if (found !== NOTHING) return found;
    const target = world.asFile(module);
    const { declaresDefault } = world.families[file] as Family;
    if (target < 0 || imported !== "default" || declaresDefault === undefined) return NOTHING;
    // `import a from "./a.cjs"`, `import data from "./data.json"`: the module itself is the default.
    return declaresDefault(world.codeOf(target).language) ? NOTHING : module;
  };

  /** What sources declare of a module outside: `declare module "virtual:pages" { … }`; the module itself where they do not. */
  const declaredIn = (file: number, { specifier, imported }: CodeImport, wantType: boolean, module: Entity): Entity => {
    const declared = modulesOf(file).declared?.(specifier) ?? NOTHING;
    if (declared === NOTHING || imported === "*") return declared === NOTHING ? module : declared;
    const members = world.names(world.fileOf(declared)).members.get(declared);
    const all = imported === "default" ? [...(members?.values() ?? [])].flat() : (members?.get(imported) ?? []);
    const given = imported === "default" ? all.filter((it) => world.symbol(it).flags.includes("defaultExport")) : all;
    const found = pickSymbol(world, given, wantType);
    return found === NOTHING ? module : found;
  };

  const exported = (module: Entity, name: string, wantType: boolean): Entity => {
    const file = world.asFile(module);
    if (file < 0) {
      const inSpace = spaces.member(module, name, wantType);
      return inSpace === NOTHING ? submoduleOf(module, name) : inSpace;
    }
    exportsKnown[file] ??= new Map();
    const key = wantType ? `type ${name}` : name;
    const known = exportsKnown[file].get(key);
    if (known !== undefined) return known;
    // What passes on itself as a whole, by way of others, gives nothing.
    exportsKnown[file].set(key, NOTHING);
    const entity = hasExports(file)
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
      const isScript = target >= 0 && hasExports(target);
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
    const inside = submoduleOf(world.fileEntity(file), name);
    // A module in a file of its own is a symbol without members where it is declared.
    if (isBareModule && world.names(file).members.has(own)) return own;
    const { byName, passedOn, stars } = tablesOf(file);
    if (modulesOf(file).paths !== undefined && inside !== NOTHING) return inside;
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

  const namesOf = (file: number): ReturnType<Bindings["namesOf"]> => {
    const names = new Map<string, boolean>();
    const outside = new Set<string>();
    const seen = new Set<string>();
    const add = (name: string, typeOnly: boolean): unknown => names.set(name, typeOnly && names.get(name) !== false);
    const walk = (at: number, typeOnly: boolean): void => {
      const key = `${at} ${typeOnly}`;
      if (seen.has(key) || seen.size > MAX_PASSED) return;
      seen.add(key);
      const { byName, passedOn, stars, renamed } = tablesOf(at);
      const isWhole = at === file;
      for (const [name, own] of world.names(at).top)
        if (own.some((symbol) => isExportedAs(world, symbol, name))) add(name, typeOnly);
      for (const [name, symbols] of renamed) {
        if (name === WHOLE)
          for (const member of symbols.flatMap((symbol) => membersGiven(world, symbol))) add(member, typeOnly);
        if (isWhole || (name !== "default" && name !== WHOLE)) add(name === WHOLE ? "default" : name, typeOnly);
      }
      const inFolder = (world.places[at] as string).split("/").slice(-2).join("/");
      const passesImports = world.families[at]?.packageFile?.test(inFolder) === true;
      for (const [name, all] of byName) {
        if (name === WHOLE || (name === "default" && !isWhole)) continue;
        // Without what a namespace or a function inside the file imports for itself.
        const own = all.filter((index) => importAt(at, index).from < 0);
        const passed = own.filter((index) => importAt(at, index).kind === "reexports");
        const isGiven = passed.length > 0 || (passesImports && !name.startsWith("_") && isOwn(at, own));
        if (isGiven)
          add(name, typeOnly || (passed.length > 0 && passed.every((index) => importAt(at, index).typeOnly)));
      }
      for (const index of passesImports ? [...passedOn, ...stars] : passedOn) {
        const module = moduleOf(at, index);
        const target = world.asFile(module);
        const away = world.outside(module);
        if (target >= 0) walk(target, typeOnly || importAt(at, index).typeOnly);
        else if (away?.kind === "external") outside.add(away.name);
      }
    };
    /** Whether an import is of a symbol or module of the corpus. */
    const isOwn = (at: number, indexes: readonly number[]): boolean =>
      indexes.some((index) => bind(at, index, false) >= 0);
    walk(file, false);
    return { names, outside };
  };

  /** What a module, namespace or container has by that name; not through bases. */
  const memberOf = (entity: Entity, name: string, wantType: boolean): Entity => {
    if (entity === NOTHING) return NOTHING;
    if (world.isSymbol(entity)) {
      return pickSymbol(world, world.names(world.fileOf(entity)).members.get(entity)?.get(name), wantType);
    }
    return exported(entity, name, wantType);
  };

  const walkPath = (file: number, from: number, parts: readonly string[], wantType: boolean): Entity => {
    const names = parts.filter((part) => part !== "" && part !== "*");
    const { paths } = modulesOf(file);
    const start = paths?.start(file, from, names);
    let entity = start?.entity ?? NOTHING;
    let used = start?.used ?? 1;
    if (start === undefined) {
      entity = findAttribute(file, names[0] ?? "", wantType || names.length > 1, new Set());
      if (entity === NOTHING) return names.length > 1 ? (paths?.external(names[0] as string) ?? NOTHING) : NOTHING;
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
    const inside = submoduleOf(moduleOf(file, index), importAt(file, index).imported);
    return inside !== NOTHING && inside === bind(file, index, false);
  };

  return { moduleOf, bind, exported, namesOf, bindsSubmodule, walkPath, fromStars };
}

/** Whether a symbol is exported by its own name: one with `export default` before it is not, nor one that a list renames. */
function isExportedAs(world: CodeWorld, symbol: number, name: string): boolean {
  const { flags, exportedAs } = world.symbol(symbol);
  return (
    flags.includes("exported") &&
    (exportedAs.length === 0 ? !flags.includes("defaultExport") : exportedAs.includes(name))
  );
}

/** Names of what a namespace holds that is all that its module exports. */
function membersGiven(world: CodeWorld, symbol: number): string[] {
  const { kind } = world.symbol(symbol);
  const members = kind === "namespace" ? world.names(world.fileOf(symbol)).members.get(symbol) : undefined;
  return [...(members ?? [])].flatMap(([name, [first = NOTHING]]) =>
    first >= 0 && world.symbol(first).flags.includes("exported") ? [name] : [],
  );
}

function readImports(world: CodeWorld, file: number) {
  const { imports, symbols } = world.codeOf(file);
  /** Names by which the file can be asked for what it imports or passes on. */
  const byName = new Map<string, number[]>();
  /** `export *`. */
  const passedOn: number[] = [];
  /** Imports of everything into the scope of the file. */
  const stars: number[] = [];
  for (const [index, { kind, local }] of imports.entries()) {
    if (kind === "reexports" && local === WHOLE) passedOn.push(index);
    if (local !== "" && local !== "*") addToList(byName, local, index);
    else if (kind === "reexports") passedOn.push(index);
    // Includes and `using` bind nothing by name and bring everything.
    else if (local === "*" || world.families[file]?.hasExports !== true) stars.push(index);
  }
  /** Names under which symbols are exported, where those are not their own. */
  const renamed = new Map<string, number[]>();
  const first = world.first[file] as number;
  for (const [index, { exportedAs, flags }] of symbols.entries()) {
    const names = flags.includes("defaultExport") ? [...exportedAs, "default"] : exportedAs;
    for (const name of new Set(names)) addToList(renamed, name, first + index);
  }
  return { byName, passedOn, stars, renamed };
}

/** Longest way from a declaration to the main one: prototypes of several headers may meet in one definition. */
const MAX_STEPS = 8;

/** What names of all families lead to. */
interface DeclaredNames {
  readonly resolveFree: ResolveFree;
  readonly joined: JoinedDeclarations;
}

function createDeclaredNames(world: CodeWorld, spaces: Spaces, bindings: Bindings): DeclaredNames {
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
  const families = new Map<Family, ReturnType<Family["createNames"]>>();
  for (const family of new Set(world.families)) {
    const names = family.createNames({ world, spaces, bindings, mainOf });
    names.joinDeclarations?.(join);
    families.set(family, names);
  }
  return {
    resolveFree: (file, name, wantType) =>
      families.get(world.families[file] as Family)?.resolveFree(file, name, wantType) ?? NOTHING,
    joined: { mainOf, prototypeOf: (symbol) => prototypes.get(symbol) ?? NOTHING },
  };
}

/** Names that objects of the languages themselves have; never guessed: `x.push` is almost always an array's. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "add all any append apply assign at bind call catch charAt charCodeAt clear clone close concat constructor contains " +
    "copy count create decode default delete each emit encode end endsWith entries equals error every exec extend fill " +
    "filter finally find findIndex first flat flatMap flush forEach format freeze from get getItem has hasOwnProperty id " +
    "includes indexOf info insert isArray items iter join key keys last lastIndexOf length log lower map match max " +
    "message min name next now on once open parse pop prototype push put raw read reduce reject remove repeat replace " +
    "reset resolve reverse round run send set setdefault setItem shift size slice some sort splice split start " +
    "startsWith stop strip substring sum test text then title toArray toJSON toLowerCase toString toUpperCase trim type " +
    "unshift unwrap update upper value valueOf values version wait warn write"
  ).split(" "),
);

const SEVERAL = -2;

/** The one symbol of a name that a file can mean; `NOTHING` for several. The table is made when first asked. */
function createUniqueNames(world: CodeWorld, joined: JoinedDeclarations): (file: number, name: string) => Entity {
  let tables: Map<Family, Map<string, number>> | undefined;
  return (file, name) => {
    if (COMMON.has(name)) return NOTHING;
    tables ??= readNames(world, joined);
    const found = tables.get(world.families[file] as Family)?.get(name) ?? NOTHING;
    return found === SEVERAL ? NOTHING : found;
  };
}

function readNames(world: CodeWorld, { mainOf }: JoinedDeclarations): Map<Family, Map<string, number>> {
  const tables = new Map<Family, Map<string, number>>();
  for (const [file, { code }] of world.files.entries()) {
    const family = world.families[file] as Family;
    const table = tables.get(family) ?? new Map<string, number>();
    tables.set(family, table);
    const first = world.first[file] as number;
    for (const [index, { name, parent, flags, kind }] of code.symbols.entries()) {
      if (flags.includes("inner") || kind === "typeParameter") continue;
      const known = table.get(name);
      if (known === undefined) table.set(name, first + index);
      // Overloads are one symbol as far as a name tells.
      else if (mainOf(known) === mainOf(first + index)) continue;
      else if (known < first || code.symbols[known - first]?.parent !== parent) table.set(name, SEVERAL);
    }
  }
  return tables;
}
