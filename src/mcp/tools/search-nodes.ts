/**
 * Tool `search_nodes`: symbols grouped by module, package and kind, with whom they call and who calls them on demand.
 */
import { findSymbols } from "../../core/code/find-symbols.ts";
import type { LoadedSymbol } from "../../core/code/model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { shortenQuery } from "../../core/text/nearest.ts";
import { foundForms, foundPage, summarizeFound } from "../../surface/render/found-symbols.ts";
import type { CodeNode } from "../../surface/render/symbols.ts";
import { checkPackages, expectCode, readKinds } from "../find-code.ts";
import { factsBeside } from "../package-facts.ts";
import {
  isCallable,
  type NeighbourDirection,
  type Neighbours,
  neighboursBeside,
  readNeighbours,
} from "../read-neighbours.ts";
import { defineTool } from "../tool.ts";

const INCLUDES = ["calls", "called_by", "signature"] as const;
/** Names of neighbours in a column. */
const MAX_NEIGHBOURS = 5;

/** The tool. */
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
    const neighbours = neighboursBeside(reader, directions);
    const facts = factsBeside(reader, format, packages !== undefined);
    const found = await findSymbols(reader, {
      query,
      beside: [...facts.beside, ...neighbours.beside],
      besideSymbols: neighbours.besideSymbols,
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
    const page = { offset, total: found.total };
    return {
      summary: summarizeFound(query, found.symbols, page),
      forms: foundForms(found.symbols, {
        withSignature: include.includes("signature"),
        ...page,
        json: { query: shortenQuery(query) },
        packages: await facts.read(found.symbols),
        columns: (symbol) => columns.get(symbol.record) ?? {},
      }),
      page: foundPage(page),
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
  if (neighbours === undefined) return "";
  const names = neighbours.symbols.slice(0, MAX_NEIGHBOURS).map(({ record, inFile: other }) => {
    const isSame = other.package === inFile.package && other.module === inFile.module;
    return isSame ? record.path : `${other.package}:${record.path}`;
  });
  const left = neighbours.total - names.length;
  return [...names, ...(left > 0 ? [`+${left}`] : [])].join(" ");
}
