/**
 * Symbol search: candidates from the table `names` in one wave, the symbols of a page in another.
 *
 * Order: fit of the name (`name-query.ts`), exported ones, common kinds, rank, path. A found symbol knows the names and
 * files under which it is exported.
 */
import { type EdgeRecord, isExported, type SymbolKind, withoutOrdinal } from "../format/code-model.ts";
import { comparePlaces } from "../format/name-list.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { foldCase } from "../text/normalize.ts";
import { incomingEdges } from "./edges.ts";
import {
  type FileList,
  findFiles,
  loadFiles,
  loadPlacesWithEdges,
  loadSymbols,
  nameOf,
  readWithFiles,
  symbolAt,
  symbolsInFiles,
} from "./load-files.ts";
import type { LoadedSymbol, Page } from "./model.ts";
import { type Candidate, type Candidates, findByPattern, findCandidates } from "./name-candidates.ts";
import { compareMatches, isWritten, type NamePattern, type NameQuery, readNameQuery } from "./name-query.ts";
import { findGiven } from "./packages.ts";

/**
 * Names under which files, by their document ids, give a symbol: other than the one that it has in its own file, and all of those
 * that pass it on: by name, or with all that its file exports. Three waves.
 *
 * @param limit Places that are looked at of each kind.
 */
export async function exportedNames(reader: IndexReader, symbol: LoadedSymbol, limit: number) {
  const { record, inFile } = symbol;
  const page = { offset: 0, limit };
  const mayPassAll = record.parent < 0 && record.flags.includes("exported") && !record.flags.includes("defaultExport");
  const [named, whole, [own]] = await Promise.all([
    incomingEdges(reader, [{ id: symbol.id }], { kinds: ["reexports"] }, page),
    incomingEdges(reader, mayPassAll ? [{ id: inFile.id }] : [], { kinds: ["reexports"] }, page),
    findFiles(reader, [inFile.id]),
  ]);
  const passing = [...named.edges, ...whole.edges].map(({ file }) => file);
  const places = new Map([own, ...passing].flatMap((at) => (at ? [[nameOf(at), at]] : [])));
  const files = await loadPlacesWithEdges(reader, [...places.values()]);
  const leadsTo = ({ to }: EdgeRecord, id: string, index: number): boolean =>
    "file" in to ? to.file === symbol.file && to.symbol === index : "id" in to && to.id === id;
  return files
    .flatMap(({ record: file, edges }) => {
      const found = edges.flatMap((edge) => {
        const { kind, at, otherName } = edge;
        const isExport = kind === "reexports" || (otherName !== undefined && kind !== "imports");
        if (!isExport || !leadsTo(edge, symbol.id, symbol.symbol)) return [];
        return [{ name: otherName?.name ?? record.name, file: file.id, at: otherName?.at ?? at }];
      });
      if (file.id === inFile.id) return found.filter(({ name }) => name !== record.name);
      // An edge to the file alone passes all on; one of a list of names has one to a symbol at its place.
      const all = edges.find(
        (edge) => mayPassAll && edge.kind === "reexports" && leadsTo(edge, inFile.id, -1) && isAlone(edge, edges),
      );
      if (all === undefined) return found;
      // `export * as util`
      const prefix = all.otherName === undefined ? "" : `${all.otherName.name}.`;
      return [...found, { name: `${prefix}${record.name}`, file: file.id, at: all.at }];
    })
    .slice(0, limit);
}

function isAlone(edge: EdgeRecord, edges: readonly EdgeRecord[]): boolean {
  const { line, column } = edge.at;
  return !edges.some((other) => other !== edge && other.at.line === line && other.at.column === column);
}

/** Which symbols are wanted. What is absent does not limit. */
export interface FindRequest extends Page {
  /** A name, `Container.member`, words of a name, or a pattern with `*` and `?`. */
  readonly query: string;
  readonly kinds?: readonly SymbolKind[];
  readonly exported?: boolean;
  readonly languages?: readonly string[];
  readonly modules?: readonly string[];
  readonly packages?: readonly string[];
  /** Whether symbols of a file are wanted, by its document id. */
  readonly isWanted?: (documentId: string) => boolean;
  /** Symbols of that name alone, be it in another case. */
  readonly exactOnly?: boolean;
}

interface FoundSymbol extends LoadedSymbol {
  readonly match: Candidate["match"]["tier"];
}

interface FindResult {
  /** Symbols that are meant, on all pages. */
  readonly total: number;
  /** False where a bound on what is read was met: there may be more than `total`. */
  readonly isComplete: boolean;
  /** The page, best first. */
  readonly symbols: readonly FoundSymbol[];
}

/** What begins as names of packages do and paths of symbols do not: `@acme/core.open`, `zod/mini.object`. */
const OF_PACKAGE = /^@?[\w-][\w.-]*\/[^#]*$/;
/** Symbols whose path of three and more names is compared, at most. */
const MAX_COMPARED_PATHS = 60;

/** Symbols that a query means. Two waves with warm directories; further rounds where a page has symbols of many files. */
export async function findSymbols(reader: IndexReader, request: FindRequest): Promise<FindResult> {
  const { offset, limit } = request;
  const inFiles = request.exactOnly === true ? undefined : await symbolsInFiles(reader, request.query);
  if (inFiles !== undefined) return pageOf(inFiles.symbols, request);
  const query = readNameQuery(request.query);
  if (query === undefined) return { total: 0, isComplete: true, symbols: [] };
  if (query.kind === "qualified" && OF_PACKAGE.test(request.query)) {
    const given = await findInModules(reader, request);
    if (given.total > 0) return given;
  }
  const filtersFiles = needsFiles(request);
  if (query.kind === "pattern" && beginsAnywhere(query.pattern) && request.exactOnly !== true) {
    return findEverywhere(reader, query.pattern, request, filtersFiles);
  }
  const isFiltered = filtersFiles || request.kinds !== undefined || request.exported !== undefined;
  const found = await findCandidates(reader, {
    query,
    exactOnly: request.exactOnly ?? false,
    most: isFiltered ? Number.POSITIVE_INFINITY : offset + limit,
    withFiles: filtersFiles,
  });
  reader.countScored(found.list.length);
  const lists = filtersFiles ? (await readWithFiles(reader, [])).lists : undefined;
  const wanted = found.list.filter((candidate) => isWanted(request, candidate, lists)).sort(compareCandidates);
  if (query.kind === "qualified" && query.path !== undefined) {
    const compared = await comparePaths(reader, wanted, query, found, request);
    return compared.total > 0 ? compared : findInModules(reader, request);
  }
  if (query.kind === "qualified" && wanted.length === 0) return findInModules(reader, request);
  const page = wanted.slice(offset, offset + limit);
  const symbols = ownNamesFirst(await load(reader, page), page);
  return { total: wanted.length + found.unlisted, isComplete: found.isComplete, symbols };
}

/** Those of a page that have the name which was asked for in front of those that are exported under it. */
function ownNamesFirst(symbols: readonly FoundSymbol[], page: readonly Candidate[]): FoundSymbol[] {
  const isOther = ({ match, record }: FoundSymbol, at: number): boolean =>
    (match === "exact" || match === "folded") && record.name !== page[at]?.name;
  const others = new Set(symbols.filter(isOther));
  const firstFits = symbols.findIndex(({ match }) => match !== "exact" && match !== "folded");
  const end = firstFits < 0 ? symbols.length : firstFits;
  const named = symbols.slice(0, end);
  return [...named.filter((one) => !others.has(one)), ...named.filter((one) => others.has(one)), ...symbols.slice(end)];
}

/** Symbols with names that a pattern means which can begin anywhere. */
async function findEverywhere(
  reader: IndexReader,
  pattern: NamePattern,
  request: FindRequest,
  filtersFiles: boolean,
): Promise<FindResult> {
  const { kinds, exported, offset, limit } = request;
  const { total, isComplete, page } = await findByPattern(
    reader,
    {
      pattern,
      isKindWanted: (kind, isExported) =>
        kinds?.includes(kind) !== false && (exported === undefined || exported === isExported),
      isFileWanted: filtersFiles ? (file) => isFileWanted(request, file) : undefined,
      offset,
      limit,
    },
    compareCandidates,
  );
  return { total, isComplete, symbols: await load(reader, page) };
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return compareMatches(a.match, b.match) || comparePlaces(a, b) || a.shard - b.shard;
}

/** `A.B.c`: names are known by two segments, so the others are compared in the symbols themselves. */
async function comparePaths(
  reader: IndexReader,
  wanted: readonly Candidate[],
  query: Extract<NameQuery, { kind: "qualified" }>,
  found: Candidates,
  request: FindRequest,
): Promise<FindResult> {
  const { offset, limit } = request;
  const loaded = await load(reader, wanted.slice(0, MAX_COMPARED_PATHS));
  const path = query.path ?? query.name;
  const meant = loaded.filter(({ record }) => {
    if (isWritten(query, record.name)) return true;
    const own = foldCase(withoutOrdinal(record.path));
    const written = foldCase(query.written);
    if (own === written || own.endsWith(`.${written}`)) return true;
    return own === path || own.endsWith(`.${path}`) || own.startsWith(`${path}`) || own.includes(`.${path}`);
  });
  return {
    total: meant.length,
    isComplete: found.isComplete && wanted.length <= MAX_COMPARED_PATHS,
    symbols: meant.slice(offset, offset + limit),
  };
}

/** `zod.object`, `z.object`: what a module gives by that name. Two waves, one more for each module in a module. */
async function findInModules(reader: IndexReader, request: FindRequest): Promise<FindResult> {
  const { given } = await findGiven(reader, request.query);
  const files = await loadFiles(
    reader,
    given.map(({ file }) => file),
  );
  const symbols = files.flatMap((file, at) => {
    const index = file?.record.symbols.findIndex(({ path }) => path === given[at]?.path) ?? -1;
    return file === undefined || index < 0 ? [] : [symbolAt(file, index)];
  });
  return pageOf(symbols, request);
}

/** Those of some symbols that are wanted. */
function pageOf(symbols: readonly LoadedSymbol[], request: FindRequest): FindResult {
  const { kinds, exported, offset, limit } = request;
  const wanted = symbols.flatMap(({ record, inFile, ...place }): FoundSymbol[] => {
    const isMeant =
      kinds?.includes(record.kind) !== false &&
      (exported === undefined || exported === isExported(inFile.language, inFile.symbols, record)) &&
      isFileWanted(request, inFile);
    return isMeant ? [{ ...place, record, inFile, match: "exact" }] : [];
  });
  return { total: wanted.length, isComplete: true, symbols: wanted.slice(offset, offset + limit) };
}

async function load(reader: IndexReader, candidates: readonly Candidate[]): Promise<FoundSymbol[]> {
  const symbols = await loadSymbols(reader, candidates);
  return symbols.map((symbol, at) => ({ ...symbol, match: (candidates[at] as Candidate).match.tier }));
}

type FileFilter = Pick<FindRequest, "languages" | "modules" | "packages" | "isWanted">;

function needsFiles({ languages, modules, packages, isWanted: isIdWanted }: FileFilter): boolean {
  return [languages, modules, packages, isIdWanted].some((filter) => filter !== undefined);
}

function isWanted(
  request: FindRequest,
  candidate: Candidate,
  lists: ReadonlyMap<number, FileList> | undefined,
): boolean {
  const { kinds, exported } = request;
  if (kinds !== undefined && !kinds.includes(candidate.kind)) return false;
  if (exported !== undefined && candidate.exported !== exported) return false;
  return lists === undefined || isFileWanted(request, lists.get(candidate.shard)?.[candidate.file]);
}

function isFileWanted(
  request: FileFilter,
  file: Pick<FileList[number], "id" | "language" | "module" | "package"> | undefined,
): boolean {
  if (!needsFiles(request)) return true;
  if (file === undefined) return false;
  const { languages, modules, packages, isWanted: isIdWanted } = request;
  return (
    (languages?.includes(file.language) ?? true) &&
    (modules?.includes(file.module) ?? true) &&
    (packages?.includes(file.package) ?? true) &&
    (isIdWanted?.(file.id) ?? true)
  );
}

/** Whether a pattern means names that can begin anywhere. */
function beginsAnywhere({ segments: [first = ""], isQualified, part }: NamePattern): boolean {
  return !isQualified && part === "" && (first.split("?")[0] ?? "") === "";
}
