/**
 * Direct callers or callees of many symbols at once, each once, without those that are guessed by name alone.
 */
import { EDGE_TIERS, type EdgeKind, type EdgeTier } from "../core/format/edge-kinds.ts";
import { readUses } from "../core/graph/incoming-edges.ts";
import { loadPlacesWithEdges, loadSymbols } from "../core/graph/load-files.ts";
import type { LoadedSymbol, SymbolPlace } from "../core/graph/model.ts";
import { findTargets } from "../core/graph/outgoing-edges.ts";
import type { IndexReader } from "../core/index/index-reader.ts";

const CALLS: readonly EdgeKind[] = ["calls", "instantiates"];
const SURE: readonly EdgeTier[] = EDGE_TIERS.filter((tier) => tier !== "name");
/** Neighbours of one symbol that are named. */
const MAX_NAMED = 5;
/** Places that callers of all symbols are taken from. */
const MAX_PLACES = 4_096;

/** Neighbours of one symbol. */
export interface Neighbours {
  readonly total: number;
  /** The first of them. */
  readonly symbols: readonly LoadedSymbol[];
}

/** Neighbours of each symbol, in the order given. */
export async function readNeighbours(
  reader: IndexReader,
  symbols: readonly LoadedSymbol[],
  direction: "callers" | "callees",
): Promise<Neighbours[]> {
  const places = direction === "callers" ? await findCallers(reader, symbols) : await findCallees(reader, symbols);
  const named = await loadSymbols(
    reader,
    places.flatMap((list) => list.slice(0, MAX_NAMED)),
  );
  let at = 0;
  return places.map((list) => {
    const count = Math.min(MAX_NAMED, list.length);
    at += count;
    return { total: list.length, symbols: named.slice(at - count, at) };
  });
}

async function findCallers(reader: IndexReader, symbols: readonly LoadedSymbol[]): Promise<SymbolPlace[][]> {
  const targets = symbols.map(({ id }) => ({ id }));
  const { uses } = await readUses(reader, targets, { kinds: CALLS, tiers: SURE }, { offset: 0, limit: MAX_PLACES });
  return symbols.map(({ id }) =>
    distinct(
      uses.flatMap(({ to, shard, file, from }) =>
        "id" in to && to.id === id && from >= 0 ? [{ shard, file, symbol: from }] : [],
      ),
    ),
  );
}

async function findCallees(reader: IndexReader, symbols: readonly LoadedSymbol[]): Promise<SymbolPlace[][]> {
  const files = await loadPlacesWithEdges(reader, symbols);
  const lists: SymbolPlace[][] = [];
  for (const [at, { shard, symbol }] of symbols.entries()) {
    const own = (files[at]?.edges ?? []).filter(
      ({ from, kind, tier }) => from === symbol && CALLS.includes(kind) && tier !== "name",
    );
    const targets = await findTargets(reader, shard, own);
    lists.push(
      distinct(
        targets.flatMap(({ to }) =>
          "external" in to || typeof to.symbol !== "number" || to.symbol < 0
            ? []
            : [{ shard: to.shard, file: to.file, symbol: to.symbol }],
        ),
      ),
    );
  }
  return lists;
}

/** Each place once, in the order of first mention. */
function distinct(places: readonly SymbolPlace[]): SymbolPlace[] {
  return [...new Map(places.map((place) => [`${place.shard}/${place.file}/${place.symbol}`, place])).values()];
}
