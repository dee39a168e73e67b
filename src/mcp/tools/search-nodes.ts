/**
 * Tool `search_nodes`: symbols grouped by module, package and kind, with whom they call and who calls them on demand.
 */
import { findSymbols } from "../../core/graph/find-symbols.ts";
import type { LoadedSymbol } from "../../core/graph/model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import type { CodeNode } from "../../render/code-node.ts";
import { foundForms, foundPage, summarizeFound } from "../../render/found-symbols.ts";
import { checkPackages, expectCode, readKinds } from "../find-code.ts";
import { factsBeside } from "../package-facts.ts";
import { type Neighbours, readNeighbours } from "../read-neighbours.ts";
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
  async run({ query, kind, module, package: packages, include = [], limit }, { reader, offset, format }) {
    expectCode(reader);
    const kinds = readKinds(kind);
    await checkPackages(reader, { module, package: packages });
    const facts = factsBeside(reader, format);
    const found = await findSymbols(reader, {
      query,
      beside: facts.beside,
      offset,
      limit,
      ...(kinds !== undefined && { kinds }),
      ...(module !== undefined && { modules: module }),
      ...(packages !== undefined && { packages }),
    });
    const columns = await readColumns(reader, found.symbols, include);
    const page = { offset, total: found.total };
    return {
      summary: summarizeFound(query, found.symbols, page),
      forms: foundForms(found.symbols, {
        withSignature: include.includes("signature"),
        ...page,
        json: { query },
        packages: await facts.read(),
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
  include: readonly (typeof INCLUDES)[number][],
): Promise<ReadonlyMap<LoadedSymbol["record"], Partial<CodeNode>>> {
  const callable = symbols.filter(
    ({ record: { kind } }) => kind === "function" || kind === "method" || kind === "constructor",
  );
  const calls = include.includes("calls") ? await readNeighbours(reader, callable, "callees") : [];
  const calledBy = include.includes("called_by") ? await readNeighbours(reader, callable, "callers") : [];
  return new Map(
    callable.map((symbol, at) => [
      symbol.record,
      {
        ...(include.includes("calls") && { calls: nameNeighbours(symbol, calls[at]) }),
        ...(include.includes("called_by") && { calledBy: nameNeighbours(symbol, calledBy[at]) }),
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
