/**
 * Edges out of each file, in the order of the source: imports and what they bind, uses of names, members that override,
 * declarations that stand apart from the main one.
 *
 * An import gives an edge to its module as a whole (a file, or a name outside), once for each module and statement kind,
 * and one to each symbol that it binds: edges of the kinds `imports` and `reexports` to files are the graph of imports,
 * those to symbols are places that name them. An import of a namespace leads to the files in it that the file uses,
 * or to the first where it uses none.
 */
import { isAssetPath } from "../../../src/core/code/source-paths.ts";
import { makeDocumentId } from "../../../src/core/docs/node-id.ts";
import type { EdgeRecord, EdgeTarget } from "../../../src/core/format/code-model.ts";
import type { CodeImport, CodeUse, Reference } from "../../languages/base/code-file.ts";
import type { Bindings, CodeWorld, Entity, LinkFile, Spaces } from "../../languages/base/language.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import { folderOfPlace, isContainer, isType, joinPlace, NOTHING } from "../../languages/base/world.ts";
import type { JoinedDeclarations, References } from "./references.ts";

/** A source file's import of another one that is no source file. */
export interface AssetImport {
  /** Number of the source file. */
  readonly from: number;
  /** Id that the imported file has, or would have as a document. */
  readonly id: string;
}

/** Id of the asset that a path leads to from a file; undefined for what is none, or lies outside of the file's collection. */
function assetOf(world: CodeWorld, file: number, specifier: string): string | undefined {
  if (world.families[file]?.importsAssets !== true) return undefined;
  const name = pathOfSpecifier(specifier);
  if (!/^\.{1,2}\//.test(name) || !isAssetPath(name)) return undefined;
  const { collection, path } = world.files[file] as LinkFile;
  const place = joinPlace(folderOfPlace(path), name);
  return place.startsWith("../") ? undefined : makeDocumentId(collection, place);
}

/** Imports of imports that are followed: each takes some of the stack. */
const MAX_CHAIN = 200;

const TYPE_USES: ReadonlySet<CodeUse["kind"]> = new Set(["type", "extends", "implements"]);
/** Kinds whose call makes an object of them. */
const MADE: ReadonlySet<string> = new Set(["class", "struct", "record"]);
/** Uses of types alone, in languages where values are none. */
const TYPE_PLACES: ReadonlySet<CodeUse["kind"]> = new Set(["extends", "implements", "instantiates"]);

/** What edges are made of, and where findings go. */
interface EdgeInput {
  readonly world: CodeWorld;
  readonly bindings: Bindings;
  readonly references: References;
  readonly spaces: Spaces;
  readonly joined: JoinedDeclarations;
  /** Imports of what is no source file are added. */
  readonly assets: AssetImport[];
  /** Imports of files that are not there are added. */
  readonly diagnostics: LinkDiagnostic[];
}

interface Linking extends EdgeInput {
  readonly names: OtherNames;
  readonly targetOf: TargetOf;
}

/** Makes the edges of one file after the other. */
export function createEdges(input: EdgeInput): (file: number) => EdgeRecord[] {
  const { world, bindings, joined } = input;
  const targets = new Map<Entity, EdgeTarget>();
  /** Shared by all edges that lead there: most symbols have many. */
  const targetOf = (entity: Entity): EdgeTarget | undefined => {
    const known = targets.get(entity);
    if (known !== undefined) return known;
    const target = makeTarget(world, joined.mainOf(entity));
    if (target !== undefined) targets.set(entity, target);
    return target;
  };
  const linking = { ...input, names: createOtherNames(world, bindings), targetOf };
  return (file) => {
    const code = world.codeOf(file);
    const uses = linkUses(linking, file);
    const edges = [
      ...linkImports(linking, file, uses),
      ...uses,
      ...linkOverrides(linking, file),
      ...linkDeclarations(linking, file),
    ];
    return code.imports.length === 0 && edges.length === uses.length ? uses : sortEdges(edges);
  };
}

type TargetOf = (entity: Entity) => EdgeTarget | undefined;

type OtherNames = ReturnType<typeof createOtherNames>;

function linkUses({ world, references, names, targetOf }: Linking, file: number): EdgeRecord[] {
  const edges: EdgeRecord[] = [];
  for (const use of world.codeOf(file).uses) {
    const { kind, from, at, target, typeOnly, short, exportedName } = use;
    const needsType = TYPE_PLACES.has(kind) && world.families[file]?.hasOnlyTypesAsBases === true;
    const { entity, tier, others = [] } = references.resolve(file, target, needsType || isTypeUse(kind));
    if (entity < 0 || (needsType && entity < world.symbolCount && !isType(world.symbol(entity)))) continue;
    const isMade = kind === "calls" && target.root.kind !== "super" && isMadeByCall(world, entity);
    const to = targetOf(entity) as EdgeTarget;
    const form = isOtherName(world, references, names, file, target, entity) ? "alias" : short;
    const edge: EdgeRecord = {
      kind: isMade ? "instantiates" : kind,
      tier,
      typeOnly,
      from,
      at,
      to,
      ...(form !== undefined && { form }),
      ...(exportedName !== undefined && { otherName: exportedName }),
    };
    edges.push(edge, ...others.map((other) => ({ ...edge, to: targetOf(other) as EdgeTarget })));
  }
  return edges;
}

/** Whether the last name of a reference is one that imports and exports gave its target. */
function isOtherName(
  world: CodeWorld,
  references: References,
  names: OtherNames,
  file: number,
  { root, members }: Reference,
  entity: Entity,
): boolean {
  if (root.kind !== "import" || entity >= world.symbolCount) return false;
  const last = members.at(-1);
  if (last === undefined) return names.isBoundAnew(file, root.import, entity);
  // Members of symbols have no other names.
  if (world.symbol(entity).parent >= 0) return false;
  const module = references.resolve(file, { root, members: members.slice(0, -1) }, false).entity;
  return module >= world.symbolCount && names.isGivenAnew(module, last, entity);
}

/** Whether a place of this kind names a type. */
export function isTypeUse(kind: CodeUse["kind"]): boolean {
  return TYPE_USES.has(kind);
}

/** Whether a call of the entity makes an object of it. */
export function isMadeByCall(world: CodeWorld, entity: Entity): boolean {
  return entity < world.symbolCount && MADE.has(world.symbol(entity).kind);
}

function linkImports(linking: Linking, file: number, uses: readonly EdgeRecord[]): EdgeRecord[] {
  const { world, bindings, names, spaces, targetOf, assets, diagnostics } = linking;
  const edges: EdgeRecord[] = [];
  const linked = new Set<string>();
  const { imports } = world.codeOf(file);
  let used: Set<number> | undefined;
  for (const [index, entry] of imports.entries()) {
    if (entry.isInComment === true) continue;
    const add = (to: EdgeTarget | undefined, more?: Pick<EdgeRecord, "form" | "otherName">) => {
      const { kind, typeOnly, from, at } = entry;
      if (to !== undefined) edges.push({ kind, tier: "scope", typeOnly, from, at, to, ...more });
    };
    /** Once for each module: several names of one statement are one import. */
    const addModule = (entity: Entity) => {
      const key = `${entity} ${entry.kind} ${entry.typeOnly} ${entry.from}`;
      if (entity === world.fileEntity(file) || linked.has(key)) return;
      linked.add(key);
      const { kind, imported, local, at } = entry;
      const isNamed = kind === "reexports" && imported === "*" && local !== "*";
      add(targetOf(entity), isNamed ? { otherName: { name: local, at } } : undefined);
    };
    const module = bindings.moduleOf(file, index);
    const named = bindings.bind(file, index, entry.typeOnly);
    if (module === NOTHING && named === NOTHING) {
      const asset = assetOf(world, file, entry.specifier);
      if (asset === undefined) reportUnresolved(world, file, entry, diagnostics);
      else assets.push({ from: file, id: asset });
      continue;
    }
    const outside = world.outside(module);
    if (outside?.kind === "external") addModule(module);
    else if (outside?.kind === "space") {
      used ??= filesUsed(uses);
      if (named >= 0) addModule(fileOf(world, named));
      else for (const target of filesOfSpace(spaces.filesOf(module), used)) addModule(world.fileEntity(target));
    } else if (module !== NOTHING) addModule(fileOf(world, module));
    if (named < 0 || entry.imported === "*" || entry.imported === "") continue;
    if (world.asFile(named) < 0) add(targetOf(named), namesAt(world, names, file, index, named));
    // `from package import module` imports that module, too; other modules are names among many.
    else if (bindings.bindsSubmodule(file, index)) addModule(named);
  }
  return edges;
}

/** What an import says of the name of its target. */
function namesAt(
  world: CodeWorld,
  names: OtherNames,
  file: number,
  index: number,
  to: Entity,
): Pick<EdgeRecord, "form" | "otherName"> {
  const { kind, imported, local, at, localAt = at } = world.codeOf(file).imports[index] as CodeImport;
  const isAlias = names.isAliasAt(file, index, to);
  const isPassedOn = kind === "reexports" && local !== "*" && (isAlias || local !== imported);
  const isOther = localAt !== at || isPassedOn;
  return { ...(isAlias && { form: "alias" }), ...(isOther && { otherName: { name: local, at: localAt } }) };
}

function fileOf(world: CodeWorld, entity: Entity): Entity {
  return world.isSymbol(entity) ? world.fileEntity(world.fileOf(entity)) : entity;
}

function filesUsed(uses: readonly EdgeRecord[]): Set<number> {
  const files = new Set<number>();
  for (const { to, tier } of uses) {
    if ("file" in to && tier !== "name") files.add(to.file);
  }
  return files;
}

function filesOfSpace(files: readonly number[], used: ReadonlySet<number>): readonly number[] {
  const found = files.filter((file) => used.has(file));
  return found.length > 0 ? found : files.slice(0, 1);
}

function linkOverrides({ world, references: { members }, targetOf }: Linking, file: number): EdgeRecord[] {
  const edges: EdgeRecord[] = [];
  const first = world.first[file] as number;
  const { symbols } = world.codeOf(file);
  for (const [index, { name, parent, kind, at, flags }] of symbols.entries()) {
    const container = symbols[parent];
    if (container === undefined || !isContainer(container) || kind === "constructor") continue;
    if (flags.includes("private") || name.startsWith("#")) continue;
    const seen = new Set<Entity>();
    for (const base of members.basesOf(first + parent)) {
      const overridden = members.find(base, name, flags.includes("static"));
      if (overridden === NOTHING || overridden === first + index || seen.has(overridden)) continue;
      seen.add(overridden);
      const to = targetOf(overridden) as EdgeTarget;
      edges.push({ kind: "overrides", tier: "receiver", typeOnly: false, from: index, at, to });
    }
  }
  return edges;
}

/** Prototypes and further parts lead to what they are declarations of. */
function linkDeclarations({ world, joined: { mainOf }, targetOf }: Linking, file: number): EdgeRecord[] {
  const first = world.first[file] as number;
  return world.codeOf(file).symbols.flatMap(({ at }, from): EdgeRecord[] => {
    const main = mainOf(first + from);
    if (main === first + from) return [];
    return [{ kind: "declares", tier: "scope", typeOnly: false, from, at, to: targetOf(main) as EdgeTarget }];
  });
}

/** What an entity is in records; undefined for a namespace and where it leads nowhere. */
export function makeTarget(world: CodeWorld, entity: Entity): EdgeTarget | undefined {
  const file = world.asFile(entity);
  if (file >= 0) return { file, symbol: -1 };
  if (entity >= 0) {
    const of = world.fileOf(entity);
    return { file: of, symbol: entity - (world.first[of] as number) };
  }
  const outside = world.outside(entity);
  return outside?.kind === "external" ? { external: outside.name } : undefined;
}

function reportUnresolved(world: CodeWorld, file: number, entry: CodeImport, diagnostics: LinkDiagnostic[]): void {
  // Names of namespaces say nothing of files; only a path that leads to no file is worth a word.
  const isPath = /^\.{1,2}(?:\/|$)/.test(entry.specifier) || world.families[file]?.hasDottedImports === true;
  if (!isPath || !/^\./.test(entry.specifier)) return;
  const { collection, path } = world.files[file] as CodeWorld["files"][number];
  const wanted = entry.imported === "*" || entry.imported === "" ? "" : `, wanted for "${entry.imported}"`;
  const message = `"${entry.specifier}" leads to no indexed file${wanted}`;
  const last = diagnostics.at(-1);
  if (last?.path === path && last.line === entry.at.line && last.code === "unresolved-import") return;
  diagnostics.push({ severity: "info", code: "unresolved-import", message, path, ...entry.at, collection });
}

/** Put edges in the order of the source. */
export function sortEdges(edges: EdgeRecord[]): EdgeRecord[] {
  return edges.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
}

/**
 * Tells whether a place has the target's own name, or another that an import or export gave it.
 *
 * Mostly the texts tell. They do not where a default is imported under the name that it has at home, where an import
 * says its name twice (`Thing as Thing`), and where a name comes back on the way (`a as b`, then `b as a`).
 */
function createOtherNames(world: CodeWorld, bindings: Bindings) {
  const known = new Map<string, boolean>();
  let depth = 0;
  const importsOf = (file: number): readonly CodeImport[] => world.codeOf(file).imports;

  /** Whether a module gives a symbol under another name than its own. */
  const isGivenAnew = (module: Entity, name: string, to: Entity): boolean => {
    if (to < 0 || to >= world.symbolCount) return false;
    const isOther = world.symbol(to).name !== name;
    const file = world.asFile(module);
    if (isOther || file < 0 || file === world.fileOf(to) || depth >= MAX_CHAIN) return isOther;
    const key = `${file} ${to}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    // A way that leads back to itself says nothing.
    known.set(key, false);
    depth++;
    const found = follow(file, name, to);
    depth--;
    known.set(key, found);
    return found;
  };

  const follow = (file: number, name: string, to: Entity): boolean => {
    const hasExports = world.families[file]?.hasExports === true;
    const leadsTo = (index: number): boolean =>
      bindings.bind(file, index, false) === to || bindings.bind(file, index, true) === to;
    const imports = importsOf(file);
    for (const [index, { local, kind }] of imports.entries()) {
      if (local === name && (kind === "reexports" || !hasExports) && leadsTo(index))
        return isBoundAnew(file, index, to);
    }
    for (const [index, { local, kind, imported }] of imports.entries()) {
      const isStar = kind === "reexports" ? local === "*" : !hasExports && imported === "*";
      if (!isStar) continue;
      const module = bindings.moduleOf(file, index);
      if (world.asFile(module) < 0) continue;
      const gives = [false, true].some((wantType) => bindings.exported(module, name, wantType) === to);
      if (gives) return isGivenAnew(module, name, to);
    }
    return false;
  };

  /** Whether the name that an import binds, or passes on, is another than that of what it leads to. */
  const isBoundAnew = (file: number, index: number, to: Entity): boolean => {
    const { imported, local, localAt } = importsOf(file)[index] as CodeImport;
    // `*` binds the module; where that is a symbol, the name is one that this file gives it.
    return localAt !== undefined || (local !== imported && local !== "") || isAliasAt(file, index, to);
  };

  /** Whether the name that stands at the place of an import is. */
  const isAliasAt = (file: number, index: number, to: Entity): boolean => {
    const { imported, renamed } = importsOf(file)[index] as CodeImport;
    if (renamed === true || imported === "default") return true;
    const module = bindings.moduleOf(file, index);
    return module !== NOTHING && imported !== "*" && isGivenAnew(module, imported, to);
  };

  return { isBoundAnew, isAliasAt, isGivenAnew };
}

/** The path in an import: without what bundlers read behind `?` and before `!`. */
function pathOfSpecifier(specifier: string): string {
  return specifier.replace(/^.*!/, "").replace(/[?].*$/, "");
}
