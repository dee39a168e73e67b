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
import { symbolPaths } from "../../parse/code/symbol-paths.ts";
import type { AssetImport } from "./asset-imports.ts";
import { createBindings } from "./bindings.ts";
import { type CodeWorld, createWorld, isContainer, type LinkFile, type ManifestText, NOTHING } from "./code-world.ts";
import { findEntryFiles } from "./entry-files.ts";
import { createFreeNames } from "./free-names.ts";
import type { FindInTexts } from "./gone-names.ts";
import { createIncludedFiles } from "./included-files.ts";
import { type JoinedDeclarations, joinDeclarations } from "./join-declarations.ts";
import { createEdges } from "./link-edges.ts";
import { type LinkDiagnostic, readManifests } from "./manifests.ts";
import { findMentions, type PageWords } from "./mentions.ts";
import { graphPackages, type PackageRecord } from "./package-graph.ts";
import { namePackages, type PackageName, type PackageRule } from "./package-names.ts";
import { type Ranks, rankNodes } from "./page-rank.ts";
import { addPreciseEdges } from "./precise-edges.ts";
import type { PreciseFacts } from "./precise-targets.ts";
import { createReferences } from "./references.ts";
import { createModules } from "./resolve-import.ts";
import { createSpaces } from "./spaces.ts";
import { createUniqueNames } from "./unique-names.ts";

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
