/**
 * Link source files: from what parsing made of each to records of files, edges between them, packages, and the sections
 * of pages that name symbols.
 *
 * What cannot be resolved is left out, and where that is worth a word a diagnostic says so: a path that leads to no
 * file, a manifest that cannot be read, two packages of one name. Pure: the same input gives the same records.
 */
import {
  type EdgeRecord,
  type FileRecord,
  type MentionRecord,
  SYMBOL_FLAGS,
  type SymbolRecord,
} from "../../../src/core/format/code-records.ts";
import type { NamedSymbol } from "../../../src/core/format/mention-list.ts";
import { symbolPaths } from "../../languages/base/code-file.ts";
import { type LinkDiagnostic, type Manifest, type Manifests, readManifests } from "../../languages/base/manifests.ts";
import { createSpaces } from "../../languages/base/spaces.ts";
import {
  type CodeWorld,
  createWorld,
  type Entity,
  folderOfPlace,
  isContainer,
  joinPlace,
  type LinkFile,
  type ManifestText,
  NOTHING,
} from "../../languages/base/world.ts";
import { createFindScript, findSource, leaves } from "../../languages/typescript/resolve.ts";
import { createBindings } from "./bindings.ts";
import { createFreeNames } from "./free-names.ts";
import type { FindInTexts } from "./gone-names.ts";
import { createIncludedFiles } from "./included-files.ts";
import { type JoinedDeclarations, joinDeclarations } from "./joined.ts";
import { type AssetImport, createEdges } from "./link-edges.ts";
import { findMentions, type PageWords } from "./mentions.ts";
import { graphPackages, namePackages, type PackageName, type PackageRecord, type PackageRule } from "./packages.ts";
import { type Ranks, rankNodes } from "./page-rank.ts";
import { addPreciseEdges, type PreciseFacts } from "./precise-edges.ts";
import { createReferences } from "./references.ts";
import { createModules } from "./resolve-import.ts";

/** Source files of one access group, with what leads from one to another. */
export interface GroupCode {
  /** In the order of their numbers: by the UTF-8 bytes of their ids. */
  readonly files: readonly FileRecord[];
  /** Of each file, in the order of the source. */
  readonly edges: readonly (readonly EdgeRecord[])[];
  /** Out of pages of this group, to symbols of any. */
  readonly mentions: readonly NamedSymbol[];
  /** Styles, data and pictures that source files import; none where absent. */
  readonly assets?: readonly AssetImport[];
  /** Numbers of the files that manifests say are where packages and programs begin; none where absent. */
  readonly entryFiles?: readonly number[];
  /** In the order of their module's and their own name. */
  readonly packages: readonly PackageRecord[];
}

/** Code of a group without source files: its tables are empty. */
export const NO_CODE: GroupCode = { files: [], edges: [], mentions: [], packages: [] };

/** Whether there is nothing to write. */
export function isEmptyCode({ files, mentions }: GroupCode): boolean {
  return files.length === 0 && mentions.length === 0;
}

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

const ENTRY_KEYS = ["exports", "main", "module", "browser", "types", "typings", "source", "bin", "svelte", "worker"];

/** A path in the text of a script. */
const SCRIPT_FILE = /[\w@./-]+\.(?:[cm]?[jt]s|[jt]sx|py|sh)\b/g;

/** What is linked together: the files of one access group. */
export interface LinkInput {
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
}

/** See the header. Files and symbols are numbered as in the input. */
export interface LinkedCode {
  readonly files: readonly FileRecord[];
  /** Edges out of each file, in the order of the source. */
  readonly edges: readonly (readonly EdgeRecord[])[];
  readonly packages: readonly PackageRecord[];
  readonly mentions: readonly MentionRecord[];
  /** Imports of what is no source file, in the order of the files; a file that is imported twice is there twice. */
  readonly assets: readonly AssetImport[];
  /** Files that manifests say are where packages and programs begin, ascending. */
  readonly entryFiles: readonly number[];
  readonly diagnostics: readonly LinkDiagnostic[];
}

/** Link all files. */
export function linkCode({
  files,
  manifests: texts,
  pages = [],
  packages,
  precise,
  findInTexts,
}: LinkInput): LinkedCode {
  const world = createWorld(files);
  const manifests = readManifests(texts);
  const { diagnostics } = manifests;
  const spaces = createSpaces(world, manifests);
  const bindings = createBindings(world, createModules(world, manifests, spaces), spaces);
  const includedBy = createIncludedFiles(world, bindings);
  const joined = joinDeclarations(world, includedBy, spaces);
  const free = createFreeNames(world, bindings, spaces, includedBy, joined);
  const references = createReferences(world, bindings, free, spaces, joined, createUniqueNames(world, joined));
  const assets: AssetImport[] = [];
  const linkFile = createEdges({ world, bindings, references, spaces, joined, assets, diagnostics });
  const own = files.map((_, file) => linkFile(file));
  const edges = precise === undefined ? own : addPreciseEdges(world, own, precise);
  const ranks = rankNodes(edges, world.first);
  const names = namePackages(world, manifests, (collection) => packages?.get(collection));
  const records = files.map((_, file) => makeRecord(world, joined, file, names[file] as PackageName, ranks));
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
    packages: graphPackages(records, edges),
    mentions,
    assets,
    entryFiles: findEntryFiles(world, manifests),
    diagnostics,
  };
}

function makeRecord(
  world: CodeWorld,
  joined: JoinedDeclarations,
  file: number,
  name: PackageName,
  ranks: Ranks,
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
      ...saidOfPrototype(world, joined, first + index),
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
): Pick<SymbolRecord, "kind" | "doc" | "flags"> {
  const symbol = world.symbol(number);
  const prototype = symbol.isPrototype === true ? NOTHING : prototypeOf(number);
  const { kind: ownKind, doc: ownDoc, flags: ownFlags } = symbol;
  if (prototype === NOTHING || isContainer(symbol)) return { kind: ownKind, doc: ownDoc, flags: ownFlags };
  const { kind, doc, flags } = world.symbol(prototype);
  const isHidden = flags.includes("private") || flags.includes("protected");
  const all = new Set([...ownFlags, ...flags]);
  if (isHidden) all.delete("exported");
  return { kind, doc: ownDoc === "" ? doc : ownDoc, flags: SYMBOL_FLAGS.filter((flag) => all.has(flag)) };
}

/** See the header; numbers of files, ascending. */
function findEntryFiles(world: Pick<CodeWorld, "fileAt">, { list }: Pick<Manifests, "list">): number[] {
  const find = createFindScript(world);
  const found = new Set<number>();
  for (const { kind, folder, json = {} } of list) {
    if (kind !== "npm") continue;
    for (const target of ENTRY_KEYS.flatMap((key) => leaves(json[key]))) {
      if (target.includes("*")) for (const file of filesBelow(world, folder, target)) found.add(file);
      else found.add(findSource(folder, sourceOfTypes(target), find));
    }
    for (const target of scriptsOf(json)) found.add(find(joinPlace(folder, target)));
  }
  found.delete(-1);
  return [...found].sort((a, b) => a - b);
}

/** What declarations are made of: `./dist/a.d.ts` and `./dist/a.js` come from one source. */
function sourceOfTypes(target: string): string {
  return target.replace(/\.d\.([cm]?)ts$/, ".$1js");
}

/** Paths of files in the scripts of a package. */
function scriptsOf(json: NonNullable<Manifest["json"]>): string[] {
  return leaves(json.scripts).flatMap((script) => script.match(SCRIPT_FILE) ?? []);
}

/** Files that a pattern may mean: those in its folder, or in that of the sources it is built from. */
function* filesBelow({ fileAt }: Pick<CodeWorld, "fileAt">, folder: string, pattern: string): Generator<number> {
  const literal = joinPlace(".", folderOfPlace(pattern.slice(0, pattern.indexOf("*")).replace(/^\.\//, "") || "."));
  const [output = "", ...below] = literal.split("/");
  const places = [literal, ...["src", "source", "lib"].map((source) => [source, ...below].join("/"))];
  const own = output === "" ? places.slice(0, 1) : places;
  const prefixes = own.map((place) => joinPlace(folder, place)).map((place) => (place === "" ? "" : `${place}/`));
  for (const [place, file] of fileAt) if (prefixes.some((prefix) => place.startsWith(prefix))) yield file;
}

/**
 * Names that only one symbol of a family of languages has: what the tier `name` guesses by. Pure.
 *
 * Names that objects of the languages themselves have are never guessed: `x.push` is almost always an array's.
 */

/** The one symbol of a name that a file can mean; `NOTHING` for several. The table is made when first asked. */
function createUniqueNames(world: CodeWorld, joined: JoinedDeclarations): (file: number, name: string) => Entity {
  let tables: Map<string, Map<string, number>> | undefined;
  return (file, name) => {
    if (COMMON.has(name)) return NOTHING;
    tables ??= readNames(world, joined);
    const found = tables.get(world.families[file] as string)?.get(name) ?? NOTHING;
    return found === SEVERAL ? NOTHING : found;
  };
}

function readNames(world: CodeWorld, { mainOf }: JoinedDeclarations): Map<string, Map<string, number>> {
  const tables = new Map<string, Map<string, number>>();
  for (const [file, { code }] of world.files.entries()) {
    const family = world.families[file] as string;
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
