/**
 * Edges of symbols and files: incoming by file (highest rank first, guesses last), outgoing in the order of the source,
 * and mentions between pages and symbols. An end in an access group that the caller does not see is left out.
 */

import { type ByteKey, textOfKey } from "../bytes/key.ts";
import type { Chunk } from "../format/chunk.ts";
import type { EdgeKind, EdgeRecord, EdgeTier } from "../format/code-model.ts";
import { keyOfId } from "../format/columns.ts";
import {
  countUses,
  decodeNamedSymbols,
  decodeNamingSections,
  decodeUses,
  keyOfUses,
  type NamedSymbol,
  type UseCount,
  type UseRecord,
} from "../format/edge-tables.ts";
import {
  entriesOf,
  findInChunks,
  type IndexReader,
  type KeyRange,
  type TableRead,
  valuesIn,
} from "../index/index-reader.ts";
import { codeShards } from "../index/shards.ts";
import { type FileWithEdges, findFiles, loadPlaces, nameOf, readWithFiles, symbolAt } from "./load-files.ts";
import type { FilePlace, LoadedFile, LoadedSymbol, Page } from "./model.ts";

/** Which edges are wanted. What is absent does not limit. */
interface EdgeFilter {
  readonly kinds?: readonly EdgeKind[];
  readonly tiers?: readonly EdgeTier[];
}

/** What edges lead to; of those to it only some kinds where it says so. */
export type UseTarget = Parameters<typeof keyOfUses>[0] & { readonly kinds?: readonly EdgeKind[] };

/** A place that leads to a target. */
export interface IncomingEdge extends Pick<EdgeRecord, "kind" | "tier" | "typeOnly" | "at" | "form"> {
  readonly to: UseTarget;
  readonly file: LoadedFile;
  /** The symbol that the place lies in; undefined at the top of the file. */
  readonly from: LoadedSymbol | undefined;
}

/** A place as the table has it, with its shard and what it leads to. */
interface PlacedUse extends UseRecord, FilePlace {
  readonly to: UseTarget;
}

/** The list of one target in one shard. */
interface UseListOf {
  readonly shard: number;
  readonly to: UseTarget;
  readonly first: ReturnType<typeof decodeUses>;
  /** Counts of each piece. */
  readonly pieces: readonly (readonly UseCount[])[];
}

/**
 * What leads to some targets: those of one target in a row, of each first what is in files of high rank. Two waves; one
 * more for pages that lie behind the first thousand places of a target.
 */
export async function incomingEdges(
  reader: IndexReader,
  targets: readonly UseTarget[],
  filter: EdgeFilter,
  page: Page,
) {
  const { total, uses } = await readUses(reader, targets, filter, page);
  return { total, edges: await loadUses(reader, uses) };
}

async function loadUses(reader: IndexReader, uses: readonly PlacedUse[]): Promise<IncomingEdge[]> {
  const files = await loadPlaces(reader, uses);
  return uses.map(({ kind, tier, typeOnly, at, form, to, from, ...place }): IncomingEdge => {
    const file = files.get(nameOf(place)) as LoadedFile;
    const where = { at, ...(form !== undefined && { form }) };
    return { kind, tier, typeOnly, ...where, to, file, from: from < 0 ? undefined : symbolAt(file, from) };
  });
}

/**
 * What leads to some targets, in the order of `incomingEdges`; of places in files that are not wanted the files are not read: `others` has
 * them with document ids. `left` counts the places beyond `limit`. Waves as there; one more where the list of files is not in memory.
 */
export async function sortedEdges(
  reader: IndexReader,
  targets: readonly UseTarget[],
  limit: number,
  isWanted: (documentId: string) => boolean,
) {
  const { total, uses } = await readUses(reader, targets, {}, { offset: 0, limit });
  if (uses.length === 0) return { edges: [], others: [], left: 0 };
  const { lists } = await readWithFiles(reader, []);
  const placed = uses.map((use) => ({ use, id: lists.get(use.shard)?.[use.file]?.id ?? "" }));
  const wanted = placed.flatMap(({ use, id }) => (isWanted(id) ? [use] : []));
  const others = placed.flatMap(({ use: { kind, at }, id }) => (isWanted(id) ? [] : [{ kind, at, file: id }]));
  return { edges: await loadUses(reader, wanted), others, left: total - uses.length };
}

/** The same without the files that the places lie in. One wave, one more behind the first thousand places. */
export async function readUses(
  reader: IndexReader,
  targets: readonly UseTarget[],
  filter: EdgeFilter,
  { offset, limit }: Page,
) {
  const lists = await readLists(reader, targets);
  const isWanted: IsWanted = (edge, to) =>
    (filter.kinds?.includes(edge.kind) ?? true) && (filter.tiers?.includes(edge.tier) ?? true) && isOf(to, edge);
  const counts = lists.flatMap(({ pieces, to }) => pieces.flat().filter((count) => isWanted(count, to)));
  const wanted = choosePieces(lists, isWanted, offset, limit);
  const pieces = await readPieces(reader, wanted.pieces);
  const uses = pieces.flatMap(({ list, uses: own }) =>
    own.filter((use) => isWanted(use, list.to)).map((use): PlacedUse => ({ ...use, shard: list.shard, to: list.to })),
  );
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    uses: uses.slice(wanted.skipped, wanted.skipped + limit),
  };
}

/** How many places lead to each of some targets, by kind and tier; some of these more than once. One wave. */
export async function countIncoming(
  reader: IndexReader,
  targets: readonly UseTarget[],
): Promise<(readonly UseCount[])[]> {
  const lists = await readLists(reader, targets);
  return targets.map((target) =>
    lists.flatMap(({ to, pieces }) => (to === target ? pieces.flat().filter((count) => isOf(to, count)) : [])),
  );
}

type IsWanted = (edge: Pick<EdgeRecord, "kind" | "tier">, to: UseTarget) => boolean;

function isOf({ kinds }: UseTarget, { kind }: Pick<EdgeRecord, "kind">): boolean {
  return kinds?.includes(kind) ?? true;
}

async function readLists(reader: IndexReader, targets: readonly UseTarget[]): Promise<UseListOf[]> {
  const keys = targets.map((target) => keyOfUses(target));
  const reads = codeShards(reader).map(({ index }): TableRead => ({ shard: index, table: "uses", keys }));
  const { tables } = await reader.read(reads);
  return targets.flatMap((to, target) =>
    reads.flatMap(({ shard }, at): UseListOf[] => {
      const value = findInChunks(tables[at] ?? [], keys[target] as (typeof keys)[number]);
      if (value === undefined) return [];
      const first = decodeUses(value);
      return [{ shard, to, first, pieces: first.pieces.length > 0 ? first.pieces : [countUses(first.uses)] }];
    }),
  );
}

interface WantedPiece {
  readonly list: UseListOf;
  readonly piece: number;
}

/** The pieces that hold a page, and how many of their wanted places come before it. */
function choosePieces(lists: readonly UseListOf[], isWanted: IsWanted, offset: number, limit: number) {
  const chosen: WantedPiece[] = [];
  let before = 0;
  let skipped = 0;
  for (const list of lists) {
    for (const [piece, counts] of list.pieces.entries()) {
      const count = counts.filter((one) => isWanted(one, list.to)).reduce((sum, own) => sum + own.count, 0);
      const isOnPage = count > 0 && before + count > offset && before < offset + limit;
      if (isOnPage && chosen.length === 0) skipped = offset - before;
      if (isOnPage) chosen.push({ list, piece });
      before += count;
    }
  }
  return { pieces: chosen, skipped: Math.max(0, skipped) };
}

async function readPieces(
  reader: IndexReader,
  wanted: readonly WantedPiece[],
): Promise<{ list: UseListOf; uses: readonly UseRecord[] }[]> {
  const further = wanted.filter(({ piece }) => piece > 0);
  const reads = further.map(
    ({ list, piece }): TableRead => ({ shard: list.shard, table: "uses", keys: [keyOfUses(list.to, piece)] }),
  );
  const { tables } = await reader.read(reads);
  return wanted.map(({ list, piece }) => {
    if (piece === 0) return { list, uses: list.first.uses };
    const at = further.findIndex((other) => other.list === list && other.piece === piece);
    const value = findInChunks(tables[at] ?? [], keyOfUses(list.to, piece));
    return { list, uses: value === undefined ? [] : decodeUses(value).uses };
  });
}

type LoadedTarget =
  | { readonly kind: "symbol"; readonly symbol: LoadedSymbol }
  | { readonly kind: "file"; readonly file: LoadedFile }
  | { readonly kind: "external"; readonly name: string };

interface OutgoingEdge extends Omit<EdgeRecord, "to"> {
  readonly to: LoadedTarget;
}

type FoundTarget = { readonly external: string } | (FilePlace & { readonly symbol: number | string });

/** An edge whose target is known to be there. */
interface FoundEdge extends Omit<EdgeRecord, "to"> {
  readonly to: FoundTarget;
}

/**
 * What a file leads to, or those of its symbols whose indexes are given.
 *
 * One wave for the targets of a page, in rounds of six chunks; one before it where edges lead into other access groups.
 */
export async function outgoingEdges(
  reader: IndexReader,
  file: FileWithEdges,
  filter: EdgeFilter & { readonly from?: ReadonlySet<number> },
  { offset, limit }: Page,
) {
  const wanted = file.edges.filter(
    ({ kind, tier, from }) =>
      (filter.kinds?.includes(kind) ?? true) &&
      (filter.tiers?.includes(tier) ?? true) &&
      (filter.from?.has(from) ?? true),
  );
  const found = await findTargets(reader, file.shard, wanted);
  const page = found.slice(offset, offset + limit);
  return { total: found.length, edges: await loadTargets(reader, page) };
}

/** The edges of a shard whose targets the caller may see. No wave where all of them lie in the shard or outside of all. */
export async function findTargets(
  reader: IndexReader,
  shard: number,
  edges: readonly EdgeRecord[],
): Promise<FoundEdge[]> {
  const split = (id: string): [string, string | undefined] => {
    const at = id.indexOf("#");
    return at < 0 ? [id, undefined] : [id.slice(0, at), id.slice(at + 1)];
  };
  const ids = [...new Set(edges.flatMap(({ to }) => ("id" in to ? [split(to.id)[0]] : [])))];
  const places = await findFiles(reader, ids);
  return edges.flatMap(({ to, ...edge }): FoundEdge[] => {
    if ("external" in to) return [{ ...edge, to }];
    if ("file" in to) return [{ ...edge, to: { shard, ...to } }];
    const [documentId, path] = split(to.id);
    const place = places[ids.indexOf(documentId)];
    return place === undefined ? [] : [{ ...edge, to: { ...place, symbol: path ?? -1 } }];
  });
}

/** Edges with their targets. A symbol of another group that is no longer there leaves its file. */
export async function loadTargets(reader: IndexReader, edges: readonly FoundEdge[]): Promise<OutgoingEdge[]> {
  const files = await loadPlaces(
    reader,
    edges.flatMap(({ to }) => ("external" in to ? [] : [to])),
  );
  return edges.map(({ to, ...edge }): OutgoingEdge => {
    if ("external" in to) return { ...edge, to: { kind: "external", name: to.external } };
    const file = files.get(nameOf(to)) as LoadedFile;
    const { symbol: wanted } = to;
    const symbol = typeof wanted === "number" ? wanted : file.record.symbols.findIndex(({ path }) => path === wanted);
    return { ...edge, to: symbol < 0 ? { kind: "file", file } : { kind: "symbol", symbol: symbolAt(file, symbol) } };
  });
}

/** Of the sections that name one file or its symbols. */
const MAX_NAMING_CHUNKS = 4;

/** Sections that name a symbol or a file, by its id. One wave. */
export async function mentionsOf(
  reader: IndexReader,
  symbolId: string,
): Promise<ReturnType<typeof decodeNamingSections>> {
  const key = keyOfId("named", symbolId);
  const { tables } = await reader.read(readsOf(reader, [key]));
  const lists = valuesIn(tables, key).map(decodeNamingSections);
  return {
    total: lists.reduce((sum, { total }) => sum + total, 0),
    sections: lists.flatMap(({ sections }) => sections),
  };
}

/** What is read for the sections that name a file or anything in it. */
export function readsOfNaming(reader: IndexReader, documentIds: readonly string[]): TableRead[] {
  return documentIds.flatMap((id) => {
    const from = keyOfId("named", id);
    // The sign behind `#`: ids of other files that begin the same stand behind it.
    const keys = { from, to: `${from}$` as ByteKey, maxChunks: MAX_NAMING_CHUNKS };
    return codeShards(reader).map(({ index }): TableRead => ({ shard: index, table: "mentions", keys }));
  });
}

/** The sections out of what `readsOfNaming` read, with the ids of what each names, in the order of the reads. */
export function namingIn(reads: readonly TableRead[], tables: readonly (readonly Chunk[])[]) {
  return reads.flatMap(({ keys }, at) => {
    const { from, to } = keys as KeyRange;
    return [...entriesOf(tables[at] ?? [])].flatMap(([key, value]) => {
      if (key < from || key >= to) return [];
      const symbolId = textOfKey(key).slice(1);
      return decodeNamingSections(value).sections.map(({ nodeId, line }) => ({ symbolId, nodeId, line }));
    });
  });
}

/**
 * Symbols that pages name, of each page in its order. One wave, and one where the list of files is not in memory; none in an
 * index without source files.
 */
export async function mentionsInPages(
  reader: IndexReader,
  documentIds: readonly string[],
): Promise<readonly (readonly NamedSymbol[])[]> {
  const keys = documentIds.map((id) => keyOfId("page", id));
  const { tables } = await reader.read(keys.length === 0 ? [] : readsOf(reader, keys));
  const ofPages = documentIds.map((id, at) =>
    valuesIn(tables, keys[at] as ByteKey).flatMap((value) => decodeNamedSymbols(id, value)),
  );
  const fileOf = ({ symbolId }: NamedSymbol): string => symbolId.split("#")[0] ?? "";
  const ids = [...new Set(ofPages.flat().map(fileOf))];
  const places = await findFiles(reader, ids);
  const visible = new Set(ids.filter((_, at) => places[at] !== undefined));
  return ofPages.map((mentions) => mentions.filter((mention) => visible.has(fileOf(mention))));
}

function readsOf(reader: IndexReader, keys: readonly ByteKey[]): TableRead[] {
  return codeShards(reader).map(({ index }) => ({ shard: index, table: "mentions", keys }));
}
