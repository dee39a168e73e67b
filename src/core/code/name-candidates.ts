/**
 * Symbols whose names match a query, from the table `names`.
 *
 * A word of a query begins keys of two kinds, whole names and tails; the word with the fewest bytes decides what is read.
 * Patterns that can begin anywhere (`*`, `*node*`) go through all names, which are read and ordered once a generation: half
 * a second for a hundred thousand names.
 */
import type { ByteKey } from "../bytes/key.ts";
import type { Chunk } from "../format/chunk.ts";
import type { SymbolKind } from "../format/code-model.ts";
import {
  decodeNameList,
  foldSymbolName,
  keyOfName,
  type NamedPlace,
  type NameRegion,
  nameKeyStart,
  readNameKey,
} from "../format/name-list.ts";
import type { ShardRoot } from "../format/root.ts";
import { type Directory, findEntry } from "../format/table.ts";
import { entriesOf, type IndexReader, type KeyRange, type TableRead } from "../index/index-reader.ts";
import { codeShards } from "../index/shards.ts";
import { foldCase } from "../text/normalize.ts";
import { partStarts } from "../text/tokenize.ts";
import { type ListedFile, readWithFiles } from "./load-files.ts";
import {
  compareMatches,
  matchName,
  matchPattern,
  matchQualified,
  type NameMatch,
  type NamePattern,
  type NameQuery,
  splitQualified,
} from "./name-query.ts";

/** A symbol whose name is meant. */
export interface Candidate extends NamedPlace {
  readonly shard: number;
  readonly match: NameMatch;
}

export interface Candidates {
  readonly list: readonly Candidate[];
  /** Symbols that are meant and not listed: their names are, with the best symbols of that name. */
  readonly unlisted: number;
  /** Whether all keys that could hold something were read. */
  readonly isComplete: boolean;
}

interface CandidateRequest {
  readonly query: NameQuery;
  /** Names and qualified names as they are, nothing that only begins so or has the words. */
  readonly exactOnly: boolean;
  /** So many of one name suffice, where they can be counted without all of them; all where infinite. */
  readonly most: number;
  /** Read the lists of files in the same wave. */
  readonly withFiles: boolean;
}

/** Chunks of one range at most: some 170 kB. */
const MAX_CHUNKS = 48;
/** Parts of a mistyped name that are looked for, and chunks of each. */
const MAX_PARTS = 4;
const NEAR_CHUNKS = 16;
/** Bytes that a pattern goes through which can begin anywhere. */
const MAX_SCANNED_BYTES = 2 * 1024 * 1024;
/** Where a directory has two levels, the bytes behind it are not known before they are read. */
const MAX_SCANNED_CHUNKS = 512;
/** Greater than every byte of a key's text. */
const LAST = "\u00ff";

interface NameList {
  readonly shard: number;
  readonly region: NameRegion;
  /** The whole name, folded; of a qualified one with its container. */
  readonly folded: string;
  readonly total: number;
  readonly places: readonly NamedPlace[];
}

/** All symbols that a query means. One wave; one more where a filter needs all symbols of a frequent name. */
export async function findCandidates(reader: IndexReader, request: CandidateRequest): Promise<Candidates> {
  const first = await readRanges(reader, rangesOf(reader, request), request.withFiles);
  const seen = new Map<string, Candidate>();
  addMeant(request, first.lists, seen);
  const whole = new Set(
    first.lists.flatMap((list) => (list.region === "whole" ? [`${list.shard}/${list.folded}`] : [])),
  );
  const cut = new Map<string, NameList>();
  for (const list of first.lists) {
    const name = `${list.shard}/${list.folded}`;
    const isMeant = list.places.some((place) => matchOf(request, place.name) !== undefined);
    if (list.region === "tail" && list.total > list.places.length && isMeant && !whole.has(name)) cut.set(name, list);
  }
  const { query, most } = request;
  // With one word, all symbols of the list have the name that its key says.
  const isCountable = query.kind !== "pattern" && query.kind !== "qualified" && query.words.length === 1;
  const fewest = Math.min(...[...cut.values()].map(({ places }) => places.length));
  if (cut.size === 0 || (isCountable && most <= fewest)) {
    const unlisted = [...cut.values()].reduce((sum, { total, places }) => sum + total - places.length, 0);
    return { list: [...seen.values()], unlisted, isComplete: first.isComplete };
  }
  const rest = await readRanges(
    reader,
    [...cut.values()].map(({ shard, folded }) => ({ shard, ...rangeOfName("whole", folded, MAX_CHUNKS) })),
    false,
  );
  addMeant(
    request,
    rest.lists.filter(({ shard, folded }) => cut.has(`${shard}/${folded}`)),
    seen,
  );
  return { list: [...seen.values()], unlisted: 0, isComplete: first.isComplete && rest.isComplete };
}

/** What `findCandidates` reads for a name as it is, so that it can be read beside something else. */
export function readsOfName(reader: IndexReader, query: NameQuery): TableRead[] {
  const ranges = rangesOf(reader, { query, exactOnly: true, most: Number.POSITIVE_INFINITY, withFiles: false });
  return ranges.map(({ shard, ...keys }) => ({ shard, table: "names", keys }));
}

/** Names that begin like a text or have a part that does, for who mistyped it. One wave, bounded. */
export async function namesNear(reader: IndexReader, text: string): Promise<string[]> {
  const last =
    splitQualified(text)
      .segments.filter((segment) => segment !== "")
      .at(-1) ?? "";
  const parts = partStarts(last).map((start) => beginningOf(last.slice(start)));
  const starts = new Set([beginningOf(last), ...parts.slice(0, MAX_PARTS)]);
  const ranges = codeShards(reader).flatMap(({ index }) =>
    [...starts].flatMap((start) =>
      (["whole", "tail"] as const).map((region) => ({ shard: index, ...rangeFrom(region, start, NEAR_CHUNKS) })),
    ),
  );
  const { lists } = await readRanges(reader, ranges, false);
  return [...new Set(lists.flatMap(({ places }) => places.map(({ name }) => name)))];
}

/** The part of a word that typing errors seldom change. */
function beginningOf(word: string): string {
  return Array.from(foldSymbolName(word)).slice(0, 2).join("");
}

function addMeant(request: CandidateRequest, lists: readonly NameList[], seen: Map<string, Candidate>): void {
  for (const { shard, places } of lists) {
    for (const place of places) {
      const match = matchOf(request, place.name);
      const key = `${shard}/${place.file}/${place.symbol}`;
      const before = seen.get(key);
      // A symbol has several names where it is exported under others.
      const isBest = match !== undefined && (before === undefined || compareMatches(match, before.match) < 0);
      if (isBest) seen.set(key, { ...place, shard, match });
    }
  }
}

function matchOf({ query, exactOnly }: CandidateRequest, name: string): NameMatch | undefined {
  const match = query.kind === "qualified" ? matchQualified(query, name) : matchName(query, name);
  return exactOnly && match !== undefined && !["exact", "folded", "qualified"].includes(match.tier) ? undefined : match;
}

type ShardRange = { readonly shard: number } & KeyRange;

function rangesOf(reader: IndexReader, { query, exactOnly }: CandidateRequest): ShardRange[] {
  return codeShards(reader).flatMap(({ index: shard }): ShardRange[] => {
    const within = (range: KeyRange): ShardRange => ({ shard, ...range });
    if (query.kind === "qualified") {
      const folded = foldCase(query.name);
      const written = rangeOfName("whole", foldSymbolName(query.written), MAX_CHUNKS);
      const qualified = exactOnly ? rangeOfName("qualified", folded, MAX_CHUNKS) : rangeFrom("qualified", folded);
      const whole = foldCase(query.written);
      // A member whose own name looks qualified, behind its container.
      const members = whole === folded ? [] : [rangeOfName("qualified", whole, MAX_CHUNKS)];
      return [qualified, written, ...members].map(within);
    }
    if (query.kind === "pattern") {
      const named = /[\p{L}\p{N}]/u.test(query.written) ? [query.written] : [];
      const exact = named.map((name) => rangeOfName("whole", foldSymbolName(name), MAX_CHUNKS));
      return [...exact, ...rangesOfPattern(reader, shard, query.pattern)].map(within);
    }
    const names = query.kind === "name" ? new Set([query.name, query.written].map(foldSymbolName)) : [];
    const exact = Array.from(names, (name) => rangeOfName("whole", name, MAX_CHUNKS));
    if (exactOnly) return exact.map(within);
    const anchors = query.words.map((word) => [rangeFrom("whole", word), rangeFrom("tail", word)]);
    const costs = anchors.map((ranges, at) => costOf(reader, shard, ranges) ?? -(query.words[at]?.length ?? 0));
    const anchor = anchors[costs.indexOf(Math.min(...costs))] ?? [];
    return [...exact, ...anchor].map(within);
  });
}

function rangesOfPattern(
  reader: IndexReader,
  shard: number,
  { segments, isQualified, part }: Extract<NameQuery, { kind: "pattern" }>["pattern"],
): KeyRange[] {
  const region = isQualified ? "qualified" : "whole";
  const start = segments[0]?.split("?")[0] ?? "";
  if (start !== "") return [rangeFrom(region, start)];
  if (part !== "") return [rangeFrom("whole", part), rangeFrom("tail", part)];
  return [rangeOfAll(reader, shard, region)];
}

/** All keys of a region, as far as they may be gone through. */
function rangeOfAll(reader: IndexReader, shard: number, region: NameRegion): KeyRange {
  const all = rangeFrom(region, "");
  const { height, entries } = tableOf(reader, shard);
  if (height > 0) return { ...all, maxChunks: MAX_SCANNED_CHUNKS };
  let bytes = 0;
  const first = Math.max(0, findEntry(entries, all.from));
  const within = entries.slice(first).findIndex(({ length }) => {
    bytes += length;
    return bytes > MAX_SCANNED_BYTES;
  });
  return { ...all, maxChunks: within < 0 ? entries.length : within };
}

/** Keys of a region whose text begins so. */
function rangeFrom(region: NameRegion, folded: string, maxChunks = MAX_CHUNKS): KeyRange {
  const from = nameKeyStart(region, folded);
  return { from, to: `${from}${LAST}` as ByteKey, maxChunks };
}

/** The pieces of the list of one name. */
function rangeOfName(region: "whole" | "qualified", folded: string, maxChunks: number): KeyRange {
  const from = keyOfName(region, folded);
  return { from, to: `${from}\u0000${LAST}` as ByteKey, maxChunks };
}

async function readRanges(
  reader: IndexReader,
  ranges: readonly ShardRange[],
  withFiles: boolean,
): Promise<{ lists: NameList[]; isComplete: boolean }> {
  const reads = ranges.map(({ shard, ...keys }): TableRead => ({ shard, table: "names", keys }));
  const { tables } = withFiles ? await readWithFiles(reader, reads) : await reader.read(reads);
  let isComplete = true;
  const lists = tables.flatMap((chunks, at) => {
    const range = ranges[at] as ShardRange;
    isComplete &&= !wasCut(reader, range, chunks);
    return [...listsIn(chunks, range)];
  });
  return { lists, isComplete };
}

/** Whether a range goes on behind the chunks that were read of it. */
function wasCut(reader: IndexReader, { shard, from, to, maxChunks }: ShardRange, chunks: readonly Chunk[]): boolean {
  if (maxChunks === undefined || chunks.length < maxChunks) return false;
  const { height, entries } = tableOf(reader, shard);
  const next = height > 0 ? undefined : entries[Math.max(0, findEntry(entries, from)) + chunks.length];
  return height > 0 || (next !== undefined && next.prefix < to);
}

function* listsIn(chunks: readonly Chunk[], { shard, from, to }: ShardRange): Generator<NameList> {
  for (const [key, value] of entriesOf(chunks)) {
    if (key < from || key >= to) continue;
    const { region, text, before } = readNameKey(key);
    yield { shard, region, folded: foldCase(before) + text, ...decodeNameList({ text, before }, value) };
  }
}

/** Bytes behind some ranges of keys; undefined where the directory does not say. */
function costOf(reader: IndexReader, shard: number, ranges: readonly KeyRange[]): number | undefined {
  const { height, entries } = tableOf(reader, shard);
  if (height > 0) return undefined;
  return ranges.reduce((sum, { from, to }) => {
    const first = Math.max(0, findEntry(entries, from));
    const last = Math.max(first, findEntry(entries, to));
    return sum + entries.slice(first, last + 1).reduce((own, { length }) => own + length, 0);
  }, 0);
}

function tableOf(reader: IndexReader, shard: number): Directory {
  return (reader.index.root.shards[shard] as ShardRoot).tables.names;
}

interface PatternRequest {
  readonly pattern: NamePattern;
  readonly isKindWanted: (kind: SymbolKind, exported: boolean) => boolean;
  /** Absent where files do not matter. */
  readonly isFileWanted: ((file: ListedFile | undefined) => boolean) | undefined;
  readonly offset: number;
  readonly limit: number;
}

const KEPT_NAME = "names";
/** About what a name takes in memory beside its text. */
const NAME_MEMORY = 160;
const MATCH = { tier: "pattern", extra: 0, inOrder: true } as const;

/**
 * Symbols with names that fit a pattern. Those of the page come in the order of all, with folded names.
 *
 * @param compare The order of all, in which one name of a symbol follows another.
 */
export async function findByPattern(
  reader: IndexReader,
  request: PatternRequest,
  compare: (a: Candidate, b: Candidate) => number,
) {
  const { pattern, isKindWanted, isFileWanted, offset, limit } = request;
  const { list, isComplete } = await loadEveryName(reader, request, compare);
  const lists = isFileWanted && (await readWithFiles(reader, [])).lists;
  reader.countScored(list.length);
  let last: Candidate | undefined;
  const found = list.filter((one) => {
    const { shard, file, symbol, kind, exported, name } = one;
    // A symbol that is exported under other names stands behind itself.
    if (symbol === last?.symbol && file === last.file && shard === last.shard) return false;
    if (!isKindWanted(kind, exported) || !matchPattern(pattern, name)) return false;
    if (isFileWanted?.(lists?.get(shard)?.[file]) === false) return false;
    last = one;
    return true;
  });
  return { total: found.length, isComplete, page: found.slice(offset, offset + limit) };
}

/** All names that a caller sees, folded, once for each that a symbol has. One wave; what is read has a bound. */
async function loadEveryName(
  reader: IndexReader,
  { isFileWanted }: PatternRequest,
  compare: (a: Candidate, b: Candidate) => number,
): Promise<{ readonly list: readonly Candidate[]; readonly isComplete: boolean }> {
  const known = reader.recallKept(KEPT_NAME) as Awaited<ReturnType<typeof loadEveryName>> | undefined;
  if (known !== undefined) return known;
  const ranges = codeShards(reader).map(({ index: shard }) => ({ shard, ...rangeOfAll(reader, shard, "whole") }));
  const { lists, isComplete } = await readRanges(reader, ranges, isFileWanted !== undefined);
  const all = lists.flatMap(({ shard, places }) =>
    places.map((place): Candidate => ({ ...place, shard, match: MATCH })),
  );
  const list = all.sort(compare).map((one) => ({ ...one, name: foldCase(one.name) }));
  const letters = list.reduce((sum, { name }) => sum + name.length, 0);
  reader.keep(KEPT_NAME, { list, isComplete }, NAME_MEMORY * list.length + 2 * letters);
  return { list, isComplete };
}
