/**
 * What leads to symbols, files and external things: places by file, those of the files first that most of the code leads
 * to, guesses last. Pure apart from the reader's I/O.
 */
import type { EdgeRecord } from "../format/code-records.ts";
import type { EdgeKind, EdgeTier } from "../format/edge-kinds.ts";
import { countUses, decodeUses, keyOfUses, type UseCount, type UsePiece, type UseRecord } from "../format/use-list.ts";
import { codeShards } from "../index/code-shards.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { loadPlaces, nameOf, symbolAt } from "./load-files.ts";
import type { FilePlace, LoadedFile, LoadedSymbol, Page } from "./model.ts";

/** Which edges are wanted. What is absent does not limit. */
export interface EdgeFilter {
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

/** Incoming edges of a page. */
export interface IncomingEdges {
  readonly total: number;
  /** How many of which kind, on all pages. */
  readonly counts: readonly UseCount[];
  readonly edges: readonly IncomingEdge[];
}

/** A place as the table has it, with its shard and what it leads to. */
export interface PlacedUse extends UseRecord, FilePlace {
  readonly to: UseTarget;
}

/** The list of one target in one shard. */
interface UseListOf {
  readonly shard: number;
  readonly to: UseTarget;
  readonly first: UsePiece;
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
): Promise<IncomingEdges> {
  const { total, counts, uses } = await readUses(reader, targets, filter, page);
  const files = await loadPlaces(reader, uses);
  const edges = uses.map(({ kind, tier, typeOnly, at, form, to, from, ...place }): IncomingEdge => {
    const file = files.get(nameOf(place)) as LoadedFile;
    const where = { at, ...(form !== undefined && { form }) };
    return { kind, tier, typeOnly, ...where, to, file, from: from < 0 ? undefined : symbolAt(file, from) };
  });
  return { total, counts, edges };
}

/** The same without the files that the places lie in. One wave, one more behind the first thousand places. */
export async function readUses(
  reader: IndexReader,
  targets: readonly UseTarget[],
  filter: EdgeFilter,
  { offset, limit }: Page,
): Promise<{ readonly total: number; readonly counts: readonly UseCount[]; readonly uses: readonly PlacedUse[] }> {
  const lists = await readLists(reader, targets);
  const isWanted: IsWanted = (edge, to) =>
    (filter.kinds?.includes(edge.kind) ?? true) && (filter.tiers?.includes(edge.tier) ?? true) && isOf(to, edge);
  const counts = sumCounts(lists.flatMap(({ pieces, to }) => pieces.flat().filter((count) => isWanted(count, to))));
  const wanted = choosePieces(lists, isWanted, offset, limit);
  const pieces = await readPieces(reader, wanted.pieces);
  const uses = pieces.flatMap(({ list, uses: own }) =>
    own.filter((use) => isWanted(use, list.to)).map((use): PlacedUse => ({ ...use, shard: list.shard, to: list.to })),
  );
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    counts,
    uses: uses.slice(wanted.skipped, wanted.skipped + limit),
  };
}

/** How many places lead to each of some targets. One wave. */
export async function countIncoming(
  reader: IndexReader,
  targets: readonly UseTarget[],
): Promise<(readonly UseCount[])[]> {
  const lists = await readLists(reader, targets);
  return targets.map((target) =>
    sumCounts(
      lists.flatMap(({ to, pieces }) => (to === target ? pieces.flat().filter((count) => isOf(to, count)) : [])),
    ),
  );
}

type IsWanted = (edge: Pick<EdgeRecord, "kind" | "tier">, to: UseTarget) => boolean;

function isOf({ kinds }: UseTarget, { kind }: Pick<EdgeRecord, "kind">): boolean {
  return kinds?.includes(kind) ?? true;
}

/** What is read for the first thousand places of some targets, so that it can be read beside something else. */
export function readsOfUses(reader: IndexReader, targets: readonly UseTarget[]): TableRead[] {
  const keys = targets.map((target) => keyOfUses(target));
  return codeShards(reader).map(({ index }) => ({ shard: index, table: "uses", keys }));
}

async function readLists(reader: IndexReader, targets: readonly UseTarget[]): Promise<UseListOf[]> {
  const keys = targets.map((target) => keyOfUses(target));
  const reads = readsOfUses(reader, targets);
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
function choosePieces(
  lists: readonly UseListOf[],
  isWanted: IsWanted,
  offset: number,
  limit: number,
): { pieces: WantedPiece[]; skipped: number } {
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

function sumCounts(counts: readonly UseCount[]): UseCount[] {
  const sums = new Map<string, UseCount>();
  for (const count of counts) {
    const name = `${count.kind}/${count.tier}/${count.typeOnly}`;
    sums.set(name, { ...count, count: count.count + (sums.get(name)?.count ?? 0) });
  }
  return [...sums.values()];
}
