/**
 * Find symbols by name: candidates out of the table `names` in one wave, the symbols of a page in another.
 *
 * Order: how well the name fits (`name-query.ts`), then exported ones, kinds that one looks for more often, what more of
 * the code leads to, and places. Pure apart from the reader's I/O.
 */
import { comparePlaces } from "../format/name-list.ts";
import { withoutOrdinal } from "../format/symbol-id.ts";
import type { SymbolKind } from "../format/symbol-kinds.ts";
import type { IndexReader, TableRead } from "../index/index-reader.ts";
import { foldCase } from "../text/fold-case.ts";
import { type FileList, readWithFiles } from "./file-list.ts";
import { loadSymbols } from "./load-files.ts";
import type { LoadedSymbol, Page } from "./model.ts";
import { type Candidate, type Candidates, findCandidates } from "./name-candidates.ts";
import { compareMatches, isWritten, type MatchTier, type NameQuery, readNameQuery } from "./name-query.ts";

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
  /** What else is read beside the names: it is in memory then. */
  readonly beside?: readonly TableRead[];
  /** What is read beside the symbols of the page, by certain keys. */
  readonly besideSymbols?: (page: readonly Candidate[]) => readonly TableRead[];
}

/** A symbol that was found. */
export interface FoundSymbol extends LoadedSymbol {
  readonly match: MatchTier;
}

/** What was found. */
export interface FindResult {
  /** Symbols that are meant, on all pages. */
  readonly total: number;
  /** False where a bound on what is read was met: there may be more than `total`. */
  readonly isComplete: boolean;
  /** The page, best first. */
  readonly symbols: readonly FoundSymbol[];
}

/** Symbols whose path of three and more names is compared, at most. */
const MAX_COMPARED_PATHS = 60;

/** Symbols that a query means. Two waves with warm directories; further rounds where a page has symbols of many files. */
export async function findSymbols(reader: IndexReader, request: FindRequest): Promise<FindResult> {
  const { offset, limit } = request;
  const query = readNameQuery(request.query);
  if (query === undefined) return { total: 0, isComplete: true, symbols: [] };
  const filtersFiles = needsFiles(request);
  const isFiltered = filtersFiles || request.kinds !== undefined || request.exported !== undefined;
  const found = await findCandidates(reader, {
    query,
    exactOnly: request.exactOnly ?? false,
    most: isFiltered ? Number.POSITIVE_INFINITY : offset + limit,
    withFiles: filtersFiles,
    ...(request.beside !== undefined && { beside: request.beside }),
  });
  reader.countScored(found.list.length);
  const lists = filtersFiles ? (await readWithFiles(reader, [])).lists : undefined;
  const wanted = found.list.filter((candidate) => isWanted(request, candidate, lists)).sort(compareCandidates);
  if (query.kind === "qualified" && query.path !== undefined) {
    return comparePaths(reader, wanted, query, found, request);
  }
  const symbols = await load(reader, wanted.slice(offset, offset + limit), request);
  return { total: wanted.length + found.unlisted, isComplete: found.isComplete, symbols };
}

/** The order of candidates. */
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
  const loaded = await load(reader, wanted.slice(0, MAX_COMPARED_PATHS), request);
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

async function load(
  reader: IndexReader,
  candidates: readonly Candidate[],
  { besideSymbols }: Pick<FindRequest, "besideSymbols">,
): Promise<FoundSymbol[]> {
  const symbols = await loadSymbols(reader, candidates, besideSymbols?.(candidates));
  return symbols.map((symbol, at) => ({ ...symbol, match: (candidates[at] as Candidate).match.tier }));
}

function needsFiles({ languages, modules, packages, isWanted: isFileWanted }: FindRequest): boolean {
  return [languages, modules, packages, isFileWanted].some((filter) => filter !== undefined);
}

function isWanted(
  { kinds, exported, languages, modules, packages, isWanted: isFileWanted }: FindRequest,
  candidate: Candidate,
  lists: ReadonlyMap<number, FileList> | undefined,
): boolean {
  if (kinds !== undefined && !kinds.includes(candidate.kind)) return false;
  if (exported !== undefined && candidate.exported !== exported) return false;
  if (lists === undefined) return true;
  const file = lists.get(candidate.shard)?.[candidate.file];
  if (file === undefined) return false;
  return (
    (languages?.includes(file.language) ?? true) &&
    (modules?.includes(file.module) ?? true) &&
    (packages?.includes(file.package) ?? true) &&
    (isFileWanted?.(file.id) ?? true)
  );
}
