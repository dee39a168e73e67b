/**
 * Tool `search_nodes`: symbols grouped by module, package and kind, with whom they call and who calls them on demand.
 */

import { findTargets, readUses } from "../../core/code/edges.ts";
import { type FindRequest, findSymbols } from "../../core/code/find-symbols.ts";
import { fileSymbol, loadPlaces, loadPlacesWithEdges, loadSymbols, readWithFiles } from "../../core/code/load-files.ts";
import type { FilePlace, LoadedSymbol, SymbolPlace } from "../../core/code/model.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { roleOf } from "../../core/docs/roles.ts";
import { InputError } from "../../core/errors.ts";
import { EDGE_TIERS, type EdgeKind, type EdgeTier, type SymbolKind } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import { foldCase } from "../../core/text/normalize.ts";
import { compilePathGlob } from "../../surface/path-glob.ts";
import { cutList } from "../../surface/render/numbers.ts";
import { type CodeNode, describeFound } from "../../surface/render/symbols.ts";
import { expectCode, readKinds } from "../find-named.ts";
import { factsBeside } from "../find-target.ts";
import { defineTool } from "../tool.ts";

const INCLUDES = ["calls", "called_by", "signature", "meta"] as const;
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
    "Symbols or files by name or pattern (*Node*), grouped by module, package and kind; format toon is shortest. include adds callers, callees, signatures, facts of packages (meta). Use for an overview of a part; next inspect.",
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
    const facts = factsBeside(reader, include.includes("meta") && format === "toon");
    const wanted = {
      ...(module !== undefined && { modules: module }),
      ...(packages !== undefined && { packages }),
      ...(inScope !== undefined && { isWanted: inScope }),
    };
    const files = kinds?.includes("file") === true ? await findFilesNamed(reader, query, wanted) : [];
    const own = await loadPlaces(reader, files.slice(offset, offset + limit));
    const beside = { beside: facts.beside, offset: Math.max(0, offset - files.length), limit: limit - own.size };
    const found =
      files.length > 0 && kinds?.length === 1
        ? { total: 0, isComplete: true, symbols: [] }
        : await findSymbols(reader, { query, ...beside, ...wanted, ...(kinds !== undefined && { kinds }) });
    // Behind the search, which read the lists of files in its own wave.
    await checkPackages(reader, { module, package: packages });
    const columns = await readColumns(reader, found.symbols, directions);
    const symbols = [...[...own.values()].map((file) => fileSymbol(file)), ...found.symbols];
    return {
      ...describeFound(query, symbols, {
        withSignature: include.includes("signature"),
        offset,
        total: files.length + found.total,
        packages: await facts.read(),
        byPackage: true,
        columns: (symbol) => columns.get(symbol.record) ?? {},
      }),
      notes: [
        ...(found.isComplete ? [] : ["There may be more: the names were not all looked through."]),
        ...(directions.length > 0 && columns.size < symbols.length
          ? ["calls and called_by are those of functions, methods, classes and the like; other rows have none."]
          : []),
      ],
    };
  },
});

/** Source files whose paths fit a glob or have a text in them, those of the product first. */
async function findFilesNamed(
  reader: IndexReader,
  query: string,
  { modules, packages, isWanted }: Pick<FindRequest, "modules" | "packages" | "isWanted">,
): Promise<FilePlace[]> {
  const { lists } = await readWithFiles(reader, []);
  const fits = /[*?]/.test(query) ? compilePathGlob(`**/${query}`) : undefined;
  const isNamed = (path: string): boolean => fits?.(path) ?? foldCase(path).includes(foldCase(query));
  const found = [...lists].flatMap(([shard, list]) =>
    list.flatMap(({ id, number, module, package: name }) => {
      const isMeant =
        (modules?.includes(module) ?? true) && (packages?.includes(name) ?? true) && (isWanted?.(id) ?? true);
      const isAside = roleOf(reader, id) !== "production";
      return isMeant && isNamed(pathOf(id)) ? [{ shard, file: number, isAside }] : [];
    }),
  );
  return found.sort((a, b) => Number(a.isAside) - Number(b.isAside));
}

/** Columns of what is called, by symbol. */
async function readColumns(
  reader: IndexReader,
  symbols: readonly LoadedSymbol[],
  directions: readonly NeighbourDirection[],
): Promise<ReadonlyMap<LoadedSymbol["record"], Partial<CodeNode>>> {
  if (directions.length === 0) return new Map();
  const callable = symbols.filter(({ record }) => CALLABLE.has(record.kind));
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

const CALLABLE: ReadonlySet<SymbolKind> = new Set(["function", "method", "constructor", "class", "struct", "record"]);

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
