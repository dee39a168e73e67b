/**
 * Who calls a symbol, and whom it calls, level by level. Bounded: so many callers of one symbol, so many in all.
 */
import { CALL_KINDS, type CodePosition, EDGE_TIERS, type EdgeTier } from "../format/code-model.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { findTargets, loadTargets, readUses } from "./edges.ts";
import { declarationsOf, fileSymbol, loadPlaces, loadPlacesWithEdges, nameOf, symbolAt } from "./load-files.ts";
import type { LoadedFile, LoadedSymbol, SymbolPlace } from "./model.ts";
import { useTargetsOf } from "./resolve-symbol.ts";

/** A symbol of the tree. */
export interface CallNode {
  /** A file whose top level calls is a symbol of the kind `file`, at the place of its first call, with the file's id. */
  readonly symbol: LoadedSymbol;
  /** Places of the calls between it and the symbol above it; 0 for the root. */
  readonly calls: number;
  /** The surest of these calls. */
  readonly tier: EdgeTier;
  /** Whether it stands elsewhere in the tree, nearer to the root: what is below it stands there. */
  readonly isRepeated: boolean;
  readonly children: readonly CallNode[];
  /** Further symbols below it that were left out; undefined where it was not asked for them. */
  readonly more: number | undefined;
}

interface CallTreeOptions {
  readonly direction: "callers" | "callees";
  /** Levels below the root, 1 to 5. */
  readonly depth: number;
  /** Whether those of a file of the root's shard come behind the others, as tests do. */
  readonly isLast?: (file: number) => boolean;
}

interface Growing extends Omit<CallNode, "children" | "more"> {
  readonly children: Growing[];
  more: number | undefined;
}

/** A symbol, or (-1) the top level of a file. */
export interface Neighbour extends SymbolPlace {
  /** Where the first of the calls stands. */
  at: CodePosition;
  calls: number;
  tier: EdgeTier;
}

const WIDTH = 20;
const MAX_DEPTH = 5;
/** Places that callers of one symbol are taken from. */
const MAX_PLACES = 1_024;
/** Symbols of a level that are gone further from. */
const MAX_EXPANDED = 24;

/** The tree below a symbol. Two waves a level, in rounds of six chunks. */
export async function callTree(
  reader: IndexReader,
  symbol: LoadedSymbol,
  { direction, depth, isLast = () => false }: CallTreeOptions,
): Promise<CallNode> {
  const root: Growing = { symbol, calls: 0, tier: "precise", isRepeated: false, children: [], more: undefined };
  const seen = new Set([idOfFirst(symbol)]);
  let level = [root];
  for (let at = 0; at < Math.min(depth, MAX_DEPTH) && level.length > 0; at++) {
    // What only a guess leads to is shown, and not followed.
    const expanded = level.filter(({ tier, isRepeated }) => tier !== "name" && !isRepeated).slice(0, MAX_EXPANDED);
    const symbols = expanded.map((node) => node.symbol);
    const found = direction === "callers" ? await callersOf(reader, symbols) : await calleesOf(reader, symbols);
    const orderOf = ({ tier, shard, file }: Neighbour): number =>
      (tier === "name" ? 2 : 0) + Number(shard === symbol.shard && isLast(file));
    const neighbours = found.map((list) => list.sort((a, b) => orderOf(a) - orderOf(b)));
    const shown = neighbours.map((list) => list.slice(0, WIDTH));
    const files = await loadPlaces(reader, shown.flat());
    const next: Growing[] = [];
    for (const [index, node] of expanded.entries()) {
      const own = shown[index] as Neighbour[];
      for (const { calls, tier, at: call, ...place } of own) {
        const file = files.get(nameOf(place)) as LoadedFile;
        const child = place.symbol < 0 ? fileSymbol(file, call) : symbolAt(file, place.symbol);
        // Nothing is below the top of a file, and its calls differ from symbol to symbol.
        const isRepeated = place.symbol >= 0 && seen.has(idOfFirst(child));
        seen.add(idOfFirst(child));
        node.children.push({ symbol: child, calls, tier, isRepeated, children: [], more: undefined });
      }
      node.more = (neighbours[index]?.length ?? 0) - own.length;
      next.push(...node.children);
    }
    level = next;
  }
  return root;
}

/** Declarations of one symbol are one node of the tree. */
function idOfFirst(symbol: LoadedSymbol): string {
  return (declarationsOf(symbol)[0] ?? symbol).id;
}

/** What calls each of some symbols, in the order given. Of places at the top of a file `symbol` is -1. */
export async function callersOf(reader: IndexReader, symbols: readonly LoadedSymbol[]): Promise<Neighbour[][]> {
  const targets = symbols.map((symbol) => new Set(useTargetsOf(symbol)));
  const page = { offset: 0, limit: MAX_PLACES * targets.length };
  const all = targets.flatMap((own) => [...own]);
  const { uses } = await readUses(reader, all, { kinds: CALL_KINDS }, page);
  return targets.map((own) =>
    join(uses.flatMap(({ to, from, ...use }) => (own.has(to) ? [{ ...use, symbol: from }] : []))),
  );
}

/** What each of some symbols calls, in the order given. */
export async function calleesOf(reader: IndexReader, symbols: readonly LoadedSymbol[]): Promise<Neighbour[][]> {
  const files = await loadPlacesWithEdges(reader, symbols);
  const lists: Neighbour[][] = [];
  for (const [at, symbol] of symbols.entries()) {
    const declarations = new Set(declarationsOf(symbol).map(({ symbol: index }) => index));
    const own = (files[at]?.edges ?? []).filter(
      ({ from, kind }) => declarations.has(from) && CALL_KINDS.includes(kind),
    );
    const found = await findTargets(reader, symbol.shard, own);
    const inGroup = found.flatMap(({ to, tier, at: call }) =>
      "external" in to || typeof to.symbol !== "number" || to.symbol < 0
        ? []
        : [{ shard: to.shard, file: to.file, symbol: to.symbol, tier, at: call }],
    );
    // Those of other access groups are known by their paths.
    const named = found.filter(({ to }) => !("external" in to) && typeof to.symbol === "string");
    const elsewhere = (await loadTargets(reader, named)).flatMap(({ to, tier, at: call }) =>
      to.kind === "symbol" ? [{ ...to.symbol, tier, at: call }] : [],
    );
    lists.push(join([...inGroup, ...elsewhere]));
  }
  return lists;
}

/** One neighbour for all calls between two symbols. */
function join(places: readonly Readonly<Omit<Neighbour, "calls">>[]): Neighbour[] {
  const neighbours = new Map<string, Neighbour>();
  for (const { shard, file, symbol, tier, at } of places) {
    const name = `${shard}/${file}/${symbol}`;
    const known = neighbours.get(name);
    if (known === undefined) neighbours.set(name, { shard, file, symbol, tier, at, calls: 1 });
    else {
      known.calls++;
      if (EDGE_TIERS.indexOf(tier) < EDGE_TIERS.indexOf(known.tier)) known.tier = tier;
      if (at.line < known.at.line) known.at = at;
    }
  }
  return [...neighbours.values()];
}
