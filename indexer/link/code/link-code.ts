/**
 * Link source files: from what parsing made of each to records of files, edges between them, packages, and the sections
 * of pages that name symbols.
 *
 * What cannot be resolved is left out, and where that is worth a word a diagnostic says so: a path that leads to no
 * file, a manifest that cannot be read, two packages of one name. The same input gives the same records.
 */
import {
  type EdgeRecord,
  type FileRecord,
  type MentionRecord,
  SYMBOL_FLAGS,
  type SymbolRecord,
} from "../../../src/core/format/code-model.ts";
import type { NamedSymbol } from "../../../src/core/format/edge-tables.ts";
import { symbolPaths } from "../../languages/base/code-file.ts";
import type { CodeWorld, LinkFile } from "../../languages/base/language.ts";
import type { LinkDiagnostic, ManifestText } from "../../languages/base/manifests.ts";
import { createSpaces } from "../../languages/base/spaces.ts";
import { createWorld, isContainer, NOTHING } from "../../languages/base/world.ts";
import { familyOf, LANGUAGES } from "../../languages/languages.ts";
import { createBindings } from "./bindings.ts";
import { createDeclaredNames, createUniqueNames, type JoinedDeclarations } from "./declared-names.ts";
import { type AssetImport, createEdges } from "./link-edges.ts";
import type { FindInTexts } from "./mentions.ts";
import { findMentions, type PageWords } from "./mentions.ts";
import { graphPackages, namePackages, type PackageName, type PackageRecord, type PackageRule } from "./packages.ts";
import { type Ranks, rankNodes } from "./page-rank.ts";
import { addPreciseEdges, type PreciseFacts } from "./precise-edges.ts";
import { readManifests } from "./read-manifests.ts";
import { createReferences } from "./references.ts";

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
}

/** Linked source files. Files and symbols are numbered as in the input. */
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
