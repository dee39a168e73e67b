/**
 * Tool `search_nodes`: symbols grouped by module, package and kind, with whom they call and who calls them on demand.
 */

import { findTargets, readUses } from "../../core/code/edges.ts";
import { findSymbols } from "../../core/code/find-symbols.ts";
import { loadPlacesWithEdges, loadSymbols, readWithFiles } from "../../core/code/load-files.ts";
import type { LoadedSymbol, SymbolPlace } from "../../core/code/model.ts";
import { InputError } from "../../core/errors.ts";
import { EDGE_TIERS, type EdgeKind, type EdgeTier, type SymbolKind } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import { cutList } from "../../surface/render/numbers.ts";
import { type CodeNode, describeFound } from "../../surface/render/symbols.ts";
import { expectCode, readKinds } from "../find-named.ts";
import { factsBeside } from "../find-target.ts";
import { defineTool } from "../tool.ts";

const INCLUDES = ["calls", "called_by", "signature"] as const;
const MAX_OFFERED = 10;
const CALLS: readonly EdgeKind[] = ["calls", "instantiates"];
const SURE: readonly EdgeTier[] = EDGE_TIERS.filter((tier) => tier !== "name");
/** Neighbours of one symbol that are named. */
const MAX_NAMED = 5;
/** Places that callers of all symbols are taken from. */
const MAX_PLACES = 4_096;

export const searchNodesTool = defineTool({
  name: "search_nodes",
  description:
    "Symbols by name or pattern (*Node*), grouped by module, package and kind; format toon is the shortest. include adds who calls them, whom they call, signatures. Use for an overview of a part; next inspect.",
  parameters: {
    query: { kind: "text", default: "*", aliases: ["name", "pattern"] },
    kind: { kind: "texts", aliases: ["kinds", "type", "node_type", "symbol_kind"] },
    module: { kind: "texts", aliases: ["modules"] },
    package: { kind: "texts", aliases: ["packages"] },
    include: { kind: "choices", values: INCLUDES },
    limit: { kind: "integer", default: 50, maximum: 200 },
  },
  pages: true,
  example: { query: "*Node*", kind: ["interface"] },
  isKept: true,
  async run({ query, kind, module, package: packages, include = [], limit }, { reader, offset, format, inScope }) {
    expectCode(reader);
    const kinds = readKinds(kind);
    const directions = [
      ...(include.includes("calls") ? (["callees"] as const) : []),
      ...(include.includes("called_by") ? (["callers"] as const) : []),
    ];
    const facts = factsBeside(reader, format, packages !== undefined);
    const found = await findSymbols(reader, {
      query,
      beside: facts.beside,
      offset,
      limit,
      ...(kinds !== undefined && { kinds }),
      ...(module !== undefined && { modules: module }),
      ...(packages !== undefined && { packages }),
      ...(inScope !== undefined && { isWanted: inScope }),
    });
    // Behind the search, which read the lists of files in its own wave.
    await checkPackages(reader, { module, package: packages });
    const columns = await readColumns(reader, found.symbols, directions);
    return {
      ...describeFound(query, found.symbols, {
        withSignature: include.includes("signature"),
        offset,
        total: found.total,
        packages: await facts.read(found.symbols),
        columns: (symbol) => columns.get(symbol.record) ?? {},
      }),
      notes: found.isComplete ? [] : ["There may be more: the names were not all looked through."],
    };
  },
});

/** Columns of functions and methods, by symbol. */
async function readColumns(
  reader: IndexReader,
  symbols: readonly LoadedSymbol[],
  directions: readonly NeighbourDirection[],
): Promise<ReadonlyMap<LoadedSymbol["record"], Partial<CodeNode>>> {
  if (directions.length === 0) return new Map();
  const callable = symbols.filter(({ record }) => isCallable(record));
  const { callees, callers } = await readNeighbours(reader, callable, directions);
  return new Map(
    callable.map((symbol, at) => [
      symbol.record,
      {
        ...(directions.includes("callees") && { calls: nameNeighbours(symbol, callees[at]) }),
        ...(directions.includes("callers") && { calledBy: nameNeighbours(symbol, callers[at]) }),
      },
    ]),
  );
}

/** `utils:format main:start +3`: the package is left out where it is the symbol's own. */
function nameNeighbours({ inFile }: LoadedSymbol, neighbours: Neighbours | undefined): string {
  const { symbols = [], total = 0 } = neighbours ?? {};
  const names = symbols.map(({ record, inFile: other }) => {
    const isSame = other.package === inFile.package && other.module === inFile.module;
    return isSame ? record.path : `${other.package}:${record.path}`;
  });
  return cutList(names, MAX_NAMED, total).join(" ");
}

interface Neighbours {
  readonly total: number;
  /** The first of them. */
  readonly symbols: readonly LoadedSymbol[];
}

type NeighbourDirection = "callers" | "callees";

/** Whether something is called: what has neighbours here. */
function isCallable({ kind }: { readonly kind: SymbolKind }): boolean {
  return kind === "function" || kind === "method" || kind === "constructor";
}

/** Neighbours of each symbol, in the order given; none in directions that are not wanted. */
async function readNeighbours(
  reader: IndexReader,
  symbols: readonly LoadedSymbol[],
  directions: readonly NeighbourDirection[],
): Promise<Record<NeighbourDirection, readonly Neighbours[]>> {
  const callees = directions.includes("callees") ? await findCallees(reader, symbols) : [];
  const callers = directions.includes("callers") ? await findCallers(reader, symbols) : [];
  const lists = [...callees, ...callers];
  const named = await loadSymbols(reader, lists.flatMap(firstOf));
  let at = 0;
  const all = lists.map((list): Neighbours => {
    const first = at;
    at += firstOf(list).length;
    return { total: list.length, symbols: named.slice(first, at) };
  });
  return { callees: all.slice(0, callees.length), callers: all.slice(callees.length) };
}

function firstOf(list: readonly SymbolPlace[]): readonly SymbolPlace[] {
  return list.slice(0, MAX_NAMED);
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

/** @throws {InputError} where no source file is of one of the modules or packages. */
async function checkPackages(
  reader: IndexReader,
  wanted: { readonly module: readonly string[] | undefined; readonly package: readonly string[] | undefined },
): Promise<void> {
  if (wanted.module === undefined && wanted.package === undefined) return;
  const { lists } = await readWithFiles(reader, []);
  const files = [...lists.values()].flat();
  for (const what of ["module", "package"] as const) {
    const known = new Set(files.map((file) => file[what]));
    const unknown = wanted[what]?.find((name) => !known.has(name));
    if (unknown === undefined) continue;
    const nearest = nearestNames(unknown, known);
    const some = nearest.length > 0 ? nearest : [...known].slice(0, MAX_OFFERED);
    throw new InputError(`There is no ${what} ${quoteName(unknown)}.`, some);
  }
}
