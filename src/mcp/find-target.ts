/**
 * Targets of walks over code: a source file, a package or a symbol, found by its name, and the names of the places that a
 * walk finds from there. All that is needed to tell is read in one wave. A text that names none, or several, becomes an
 * error in words.
 */
import {
  areFilesAtHand,
  type FileList,
  filesNamed,
  findFiles,
  type ListedFile,
  loadFirst,
  readWithFiles,
} from "../core/code/load-files.ts";
import type { LoadedSymbol } from "../core/code/model.ts";
import { type Candidate, findCandidates, readsOfName } from "../core/code/name-candidates.ts";
import { type NameQuery, readNameQuery } from "../core/code/name-query.ts";
import { neighboursOf, type PlacedPackage, readPackages, readsOfPackages } from "../core/code/packages.ts";
import { openReach, type Reach, type ReachPlace, readsOfReach } from "../core/code/reach.ts";
import { isAssetPath } from "../core/code/source-paths.ts";
import { resolveDocumentId } from "../core/docs/documents.ts";
import { pathOf } from "../core/docs/node-id.ts";
import { roleOf } from "../core/docs/roles.ts";
import { InputError } from "../core/errors.ts";
import type { Chunk } from "../core/format/chunk.ts";
import type { EdgeKind, FileRecord } from "../core/format/code-model.ts";
import type { PackageKey } from "../core/format/package-entry.ts";
import type { IndexReader, TableRead } from "../core/index/index-reader.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { foldCase } from "../core/text/normalize.ts";
import { MEMBER_KINDS, type PackageFacts } from "../surface/render/symbols.ts";
import { cutList, formatCount } from "../surface/render/text.ts";
import { chooseSymbol, expectCode } from "./find-named.ts";
import { formatExample } from "./tool.ts";

const MAX_NEAREST = 5;
/** Names that callers give to an argument that is a target. */
export const TARGET_ALIASES =
  "symbol file package node node_id id name path source doc_id symbol_id file_path query q".split(" ");
/** Whether files beside the product count: the same in all tools for graphs. */
export const TESTS = { kind: "boolean", description: "tests, too" } as const;
const MAX_NAMED = 10;

/** What is said of edges that are left out as they begin in files beside the product. */
export function asideNotes(count: number, noun: string): string[] {
  if (count === 0) return [];
  return [`Left out: ${formatCount(count, noun)} by tests, examples and the like; tests: true counts them.`];
}

/** What a target names. A package of several access groups is several. */
export type Target =
  | { readonly kind: "file"; readonly shard: number; readonly file: number }
  | SymbolTarget
  | { readonly kind: "package"; readonly entry: PlacedPackage };

/**
 * A symbol, with all declarations of its name beside it in the file: overloads, and where a language has one name for a type
 * and a value, both.
 */
interface SymbolTarget {
  readonly kind: "symbol";
  readonly shard: number;
  readonly file: number;
  /** Indexes of the declarations, the one that is meant first. */
  readonly symbols: readonly [number, ...number[]];
}

/**
 * What all texts name, all packages (none where every text names a symbol in a file), and what a text could have meant as well.
 *
 * @param exampleOf A call that has a name in place of the text at that index.
 * @throws {InputError} for the first that names nothing, or several.
 */
export async function findTargets(
  reader: IndexReader,
  texts: readonly string[],
  exampleOf: (name: string, at: number) => string,
) {
  expectCode(reader);
  const queries = texts.map((text) => readNameQuery(text.slice(text.indexOf("#", 1) + 1)));
  // What names a symbol in a file can be no package.
  const wantsPackages = texts.length === 0 || texts.some((text) => fileOf(text) === undefined);
  const reads = [
    ...readsOfReach(reader),
    ...(wantsPackages ? readsOfPackages(reader) : []),
    ...queries.flatMap((query, at) =>
      query === undefined || isPath(texts[at] as string) ? [] : readsOfName(reader, query),
    ),
  ];
  // All of it in one wave: what is asked for one by one below is in memory then.
  const lists = areFilesAtHand(reader) ? (await readWithFiles(reader, reads, true)).lists : undefined;
  if (lists === undefined) await reader.read(reads);
  const packages = wantsPackages ? await readPackages(reader) : [];
  const targets: Target[] = [];
  const notes: string[] = [];
  for (const [at, text] of texts.entries()) {
    const own: ExampleOf = (name) => exampleOf(name, at);
    const finder: Finder = { reader, lists, packages, text, query: queries[at], exampleOf: own };
    targets.push(await findTarget(finder, notes));
  }
  return { targets, packages, notes };
}

/** What leads where in the shard of a target. No wave where `findTargets` read it. */
export function reachOf(reader: IndexReader, target: Target): Promise<Reach> {
  return openReach(reader, target.kind === "package" ? target.entry.shard : target.shard);
}

/** The places of a target: tops of files, or declarations. One wave for a package whose files are not in memory. */
export async function placesOf(reader: IndexReader, target: Target): Promise<ReachPlace[]> {
  if (target.kind === "file") return [{ file: target.file, symbol: -1 }];
  if (target.kind === "symbol") return target.symbols.map((symbol) => ({ file: target.file, symbol }));
  const { shard, module, name } = target.entry;
  const { lists } = await readWithFiles(reader, []);
  return (lists.get(shard) ?? []).flatMap((file) =>
    file.module === module && file.package === name ? [{ file: file.number, symbol: -1 }] : [],
  );
}

interface Finder {
  readonly reader: IndexReader;
  /** By shard, where they are in memory. */
  readonly lists: ReadonlyMap<number, FileList> | undefined;
  readonly packages: readonly PlacedPackage[];
  readonly text: string;
  readonly query: NameQuery | undefined;
  readonly exampleOf: ExampleOf;
}

/** The file of `file#name`. */
function fileOf(text: string): string | undefined {
  const at = text.indexOf("#", 1);
  return at > 0 ? text.slice(0, at) : undefined;
}

/** Whether a text is read as a path before it is as a name. */
function isPath(text: string): boolean {
  return text.includes("/") && !text.includes("#");
}

async function findTarget(finder: Finder, notes: string[]): Promise<Target> {
  const { text, packages } = finder;
  if (fileOf(text) !== undefined) return findSymbolTarget(finder, notes);
  const place = await findFileTarget(finder);
  if (place !== undefined) return place;
  const exact = matchPackage(packages, text, finder.exampleOf);
  const symbols = await candidatesOf(finder);
  if (exact !== undefined) {
    const { length } = symbols.filter(
      ({ match, kind, exported }) => match.tier === "exact" && exported && !MEMBER_KINDS.has(kind),
    );
    if (length > 0)
      notes.push(
        `${quoteName(text)} was taken as the package, not as the ${formatCount(length, "symbol")} of that name.`,
      );
    return { kind: "package", entry: exact };
  }
  const folded = matchFolded(packages, text);
  if (folded !== undefined && symbols.length === 0) return { kind: "package", entry: folded };
  return findSymbolTarget(finder, notes);
}

/** @throws {InputError} for several. */
async function findFileTarget({ reader, text, exampleOf }: Finder): Promise<Target | undefined> {
  const found = await filesNamed(reader, text);
  const [file] = found;
  if (file === undefined) return undefined;
  if (found.length === 1) return { kind: "file", ...file };
  throw new InputError(
    `${quoteName(text)} names ${found.length} files; give the id of one.`,
    found.slice(0, MAX_NAMED).map(({ id }) => id),
    exampleOf(file.id),
  );
}

async function candidatesOf({ reader, query }: Finder): Promise<readonly Candidate[]> {
  // Names of more segments are not known from the table of names.
  if (query === undefined || query.kind === "pattern" || (query.kind === "qualified" && query.path !== undefined)) {
    return [];
  }
  const request = { query, exactOnly: true, most: Number.POSITIVE_INFINITY, withFiles: false };
  return (await findCandidates(reader, request)).list;
}

/** @throws {InputError} where it is none, or one of several. */
async function findSymbolTarget(finder: Finder, notes: string[]): Promise<SymbolTarget> {
  const { reader, text, exampleOf } = finder;
  const found = await chooseSymbol(reader, text, { exampleOf, byName: true });
  if (!("record" in found)) {
    throw (await pageTarget(reader, fileOf(text) ?? text)) ?? unknownTarget(finder, found.nearest);
  }
  notes.push(...found.notes);
  return toTarget(found);
}

function toTarget({ shard, file, symbol, record, inFile }: LoadedSymbol): SymbolTarget {
  const others = inFile.symbols.flatMap(({ name, parent }, at) =>
    at !== symbol && name === record.name && parent === record.parent ? [at] : [],
  );
  return { kind: "symbol", shard, file, symbols: [symbol, ...others] };
}

/** The error where a text names a page; undefined where it does not. One wave, two where lists of files are not in memory. */
async function pageTarget(reader: IndexReader, text: string): Promise<InputError | undefined> {
  const id = await resolveDocumentId(reader, text);
  const [source] = id === undefined ? [] : await findFiles(reader, [id]);
  if (id === undefined || source !== undefined) return undefined;
  return new InputError(
    `${quoteName(id)} is a page; this tool takes source files, symbols and packages. get_tree outlines it.`,
    [],
    formatExample("get_tree", { doc_id: id }),
  );
}

/** The error with files, packages and `symbols` whose names are like a text. */
function unknownTarget({ text, packages, lists, exampleOf }: Finder, symbols: readonly string[]): InputError {
  const names = packages.map((entry) => nameOfPackage(packages, entry));
  const files = /[./]/.test(text) ? nearestFiles(text, lists) : [];
  const nearest = [...new Set([...files, ...nearestNames(text, names, MAX_NEAREST), ...symbols])].slice(0, MAX_NEAREST);
  return new InputError(
    isAssetPath(text)
      ? `${quoteName(text)} is no source file: nothing of it is read. grep_documents finds who names it.`
      : `There is no source file, package or symbol ${quoteName(text)}; find_symbol looks for parts of names.`,
    nearest,
    // The text itself would fail again.
    nearest[0] === undefined ? formatExample("find_symbol", { query: "*" }) : exampleOf(nearest[0]),
  );
}

/** Paths that are like a text, then those whose last segments are. */
function nearestFiles(text: string, lists: Finder["lists"]): string[] {
  const paths = [...(lists?.values() ?? [])].flatMap((list) => list.map(({ id }) => pathOf(id)));
  const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const bases = new Set(nearestNames(baseOf(text), new Set(paths.map(baseOf)), MAX_NEAREST));
  return [...nearestNames(text, paths, MAX_NEAREST), ...paths.filter((path) => bases.has(baseOf(path)))];
}

export interface NamedFiles {
  readonly fileOf: (file: number) => ListedFile;
  /** Undefined where its symbols were not read. */
  readonly recordOf: (file: number) => FileRecord | undefined;
  /** What went along. */
  readonly tables: readonly (readonly Chunk[])[];
}

/** Files of a shard that is walked, without their symbols. */
export async function listFiles(reader: IndexReader, shard: number): Promise<FileList> {
  return (await readWithFiles(reader, [])).lists.get(shard) ?? [];
}

/** Whether files of a shard are beside the product: tests, examples and the like. Where files are not at hand none is. */
export async function asideFilesOf(reader: IndexReader, shard: number): Promise<(file: number) => boolean> {
  const list = areFilesAtHand(reader) ? await listFiles(reader, shard) : [];
  const known = new Map<number, boolean>();
  return (file) => {
    const id = list[file]?.id;
    const isAside = known.get(file) ?? (id !== undefined && roleOf(reader, id) !== "production");
    known.set(file, isAside);
    return isAside;
  };
}

/** Symbols of some files, the most wanted first, beside other reads. One wave. */
export async function nameFiles(
  reader: IndexReader,
  shard: number,
  files: readonly number[],
  beside: readonly TableRead[] = [],
): Promise<NamedFiles> {
  const list = await listFiles(reader, shard);
  const loaded = await loadFirst(reader, shard, files, beside);
  const recordOf = (file: number): FileRecord | undefined => loaded.files.get(file)?.record;
  return { recordOf, fileOf: (file) => list[file] as ListedFile, tables: loaded.tables };
}

interface NamedEnd {
  readonly kind: "file" | "symbol" | "package" | "external";
  /** Document id, id of a symbol, name of a package or of something external. */
  readonly id: string;
  /** The same without its collection. */
  readonly label: string;
}

/** A place as an end of an edge; a symbol by its number where it was not read. */
export function nameEnd({ fileOf, recordOf }: NamedFiles, { file, symbol }: ReachPlace): NamedEnd {
  const { id } = fileOf(file);
  const path = pathOf(id);
  if (symbol < 0) return { kind: "file", id, label: path };
  const own = recordOf(file)?.symbols[symbol]?.path ?? `symbol ${symbol}`;
  return { kind: "symbol", id: `${id}#${own}`, label: `${path}#${own}` };
}

/** A target by its id. */
export function describeTarget(
  target: Target,
  packages: readonly PlacedPackage[],
  { fileOf, recordOf }: Pick<NamedFiles, "fileOf" | "recordOf">,
) {
  if (target.kind === "package") return { kind: "package", id: nameOfPackage(packages, target.entry) };
  const { id } = fileOf(target.file);
  if (target.kind === "file") return { kind: "file", id };
  return { kind: "symbol", id: `${id}#${recordOf(target.file)?.symbols[target.symbols[0]]?.path}` };
}

/** What was asked for, as sentences name it. */
export function formatTarget({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return kind === "package" ? `package ${id}` : id;
}

/** `calls, reads`; `type-only imports`; `holds it` where there is no edge. */
export function formatKinds(kinds: readonly EdgeKind[], typeOnly: boolean): string {
  if (kinds.length === 0) return "holds it";
  const isSaid = kinds.every((kind) => kind === "type");
  return `${typeOnly && !isSaid ? "type-only " : ""}${kinds.join(", ")}`;
}

/** A call that names something, for examples in errors. */
type ExampleOf = (name: string) => string;

/** A package as callers name it: with its module where another has one of that name. */
export function nameOfPackage(packages: readonly PackageKey[], { module, name }: PackageKey): string {
  const isOnly = packages.every((other) => other.name !== name || other.module === module);
  return isOnly ? name : `${module}/${name}`;
}

/** The package that a text names. @param others Names that may be meant as well. @throws {InputError} for none and for several. */
export function findPackage(
  packages: readonly PlacedPackage[],
  text: string,
  exampleOf: ExampleOf,
  others: readonly string[] = [],
): PlacedPackage {
  const found = matchPackage(packages, text, exampleOf) ?? matchFolded(packages, text);
  if (found !== undefined) return found;
  const names = packages.map((entry) => nameOfPackage(packages, entry));
  const nearest = nearestNames(text, [...new Set([...names, ...others])], MAX_NEAREST);
  const offered = nearest.length > 0 ? nearest : names.slice(0, MAX_NAMED);
  throw new InputError(`There is no package ${quoteName(text)}.`, offered, exampleOf(offered[0] ?? text));
}

/**
 * The package that is named as it is written: `store`, `workshop/store`, or its module where that has no other package.
 *
 * @returns undefined for none. @throws {InputError} for several.
 */
function matchPackage(
  packages: readonly PlacedPackage[],
  text: string,
  exampleOf: ExampleOf,
): PlacedPackage | undefined {
  const byName = packages.filter(({ module, name }) => text === name || text === `${module}/${name}`);
  const byModule = packages.filter(({ module }) => module === text);
  const found = byName.length === 0 && byModule.length === 1 ? byModule : byName;
  if (found.length < 2) return found[0];
  const names = found.map(({ module, name }) => `${module}/${name}`);
  throw new InputError(
    `${quoteName(text)} names ${found.length} packages; give the module, too.`,
    names.slice(0, MAX_NAMED),
    exampleOf(names[0] ?? text),
  );
}

/** The one package that is named so in another case; undefined for none and for several. */
function matchFolded(packages: readonly PlacedPackage[], text: string): PlacedPackage | undefined {
  const found = packages.filter(({ name }) => foldCase(name) === foldCase(text));
  return found.length === 1 ? found[0] : undefined;
}

/** Names of a list of a package's that tables show. */
const MAX_FACTS = 20;

/** Facts of all packages, for tables of symbols. */
export async function readFacts(reader: IndexReader): Promise<PackageFacts[]> {
  const packages = await readPackages(reader);
  return packages.map((entry) => toFacts(packages, entry));
}

function toFacts(packages: readonly PlacedPackage[], entry: PlacedPackage): PackageFacts {
  const { module, name, exports, files, symbols } = entry;
  const { imports, external } = neighboursOf(entry, false);
  const siblings = imports.list.flatMap((other) => (other.module === module ? [other.name] : []));
  const all = [
    ...imports.list.map((other) => nameOfPackage(packages, other)),
    ...external.list.map((other) => other.name),
  ];
  const facts = {
    depends: cutList(siblings, MAX_FACTS),
    imports: cutList(all, MAX_FACTS),
    exports: cutList(exports.list, MAX_FACTS, exports.total),
    ...{ files, symbols },
  };
  return { module, package: name, facts };
}
