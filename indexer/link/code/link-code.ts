/**
 * Link source files: from what parsing made of each to records of files, edges between them, packages, and the sections
 * of pages that name symbols.
 *
 * What cannot be resolved is left out, and where that is worth a word a diagnostic says so: a path that leads to no
 * file, a manifest that cannot be read, two packages of one name. Pure: the same input gives the same records.
 */
import type { EdgeRecord, FileRecord, MentionRecord } from "../../../src/core/format/code-records.ts";
import { symbolPaths } from "../../parse/code/symbol-paths.ts";
import type { AssetImport } from "./asset-imports.ts";
import { createBindings } from "./bindings.ts";
import { type CodeWorld, createWorld, type LinkFile, type ManifestText } from "./code-world.ts";
import { findEntryFiles } from "./entry-files.ts";
import { createFreeNames } from "./free-names.ts";
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
export function linkCode({ files, manifests: texts, pages = [], packages, precise }: LinkInput): LinkedCode {
  const world = createWorld(files);
  const manifests = readManifests(texts);
  const { diagnostics } = manifests;
  const spaces = createSpaces(world, manifests);
  const bindings = createBindings(world, createModules(world, manifests, spaces), spaces);
  const free = createFreeNames(world, bindings, spaces);
  const references = createReferences(world, bindings, free, spaces, createUniqueNames(world));
  const assets: AssetImport[] = [];
  const linkFile = createEdges(world, bindings, references, spaces, assets, diagnostics);
  const own = files.map((_, file) => linkFile(file));
  const edges = precise === undefined ? own : addPreciseEdges(world, own, precise);
  const ranks = rankNodes(edges, world.first);
  const names = namePackages(world, manifests, (collection) => packages?.get(collection));
  const records = files.map((_, file) => makeRecord(world, file, names[file] as PackageName, ranks));
  const mentions = findMentions(pages, world, references.members, diagnostics);
  const entryFiles = findEntryFiles(world, manifests);
  return {
    files: records,
    edges,
    packages: graphPackages(records, edges),
    mentions,
    assets,
    entryFiles,
    diagnostics,
  };
}

function makeRecord(world: CodeWorld, file: number, name: PackageName, ranks: Ranks): FileRecord {
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
      kind: symbol.kind,
      name: symbol.name,
      path: paths[index] as string,
      parent: symbol.parent,
      at: symbol.at,
      start: symbol.start,
      end: symbol.end,
      signature: symbol.signature,
      doc: symbol.doc,
      flags: symbol.flags,
      type: symbol.typeText,
      bases: symbol.bases,
      rank: ranks.symbols[first + index] as number,
      section: sectionOf(index),
    })),
  };
}
