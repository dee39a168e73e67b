/**
 * Tool `search_nodes`: symbols grouped by module, package and kind, with whom they call and who calls them on demand.
 */

import { calleesOf, callersOf, type Neighbour } from "../../core/code/call-tree.ts";
import { type FindRequest, findSymbols } from "../../core/code/find-symbols.ts";
import { fileSymbol, loadPlaces, loadSymbols, readWithFiles } from "../../core/code/load-files.ts";
import type { FilePlace, LoadedSymbol } from "../../core/code/model.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { roleOf } from "../../core/docs/roles.ts";
import { InputError } from "../../core/errors.ts";
import type { SymbolKind } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import { foldCase } from "../../core/text/normalize.ts";
import { compilePathGlob } from "../../surface/path-glob.ts";
import { type CodeNode, describeFound } from "../../surface/render/symbols.ts";
import { cutList } from "../../surface/render/text.ts";
import { expectCode, readKinds } from "../find-named.ts";
import { readFacts } from "../find-target.ts";
import { defineTool } from "../tool.ts";

const INCLUDES = ["calls", "called_by", "signature", "meta"] as const;
const MAX_OFFERED = 10;
/** Neighbours of one symbol that are named. */
const MAX_NAMED = 5;

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
    const hasCalls = include.includes("calls") || include.includes("called_by");
    const wanted = {
      ...(module !== undefined && { modules: module }),
      ...(packages !== undefined && { packages }),
      ...(inScope !== undefined && { isWanted: inScope }),
    };
    const files = kinds?.includes("file") === true ? await findFilesNamed(reader, query, wanted) : [];
    const own = await loadPlaces(reader, files.slice(offset, offset + limit));
    const page = { offset: Math.max(0, offset - files.length), limit: limit - own.size };
    const found =
      files.length > 0 && kinds?.length === 1
        ? { total: 0, isComplete: true, symbols: [] }
        : await findSymbols(reader, { query, ...page, ...wanted, ...(kinds !== undefined && { kinds }) });
    // Behind the search, which read the lists of files in its own wave.
    await checkPackages(reader, { module, package: packages });
    const columns = await readColumns(reader, found.symbols, include);
    const symbols = [...[...own.values()].map((file) => fileSymbol(file)), ...found.symbols];
    return {
      ...describeFound(query, symbols, {
        withSignature: include.includes("signature"),
        offset,
        total: files.length + found.total,
        packages: include.includes("meta") && format === "toon" ? await readFacts(reader) : [],
        byPackage: true,
        columns: (symbol) => columns.get(symbol.record) ?? {},
      }),
      notes: [
        ...(found.isComplete ? [] : ["There may be more: the names were not all looked through."]),
        ...(hasCalls && columns.size < symbols.length
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
  include: readonly string[],
): Promise<ReadonlyMap<LoadedSymbol["record"], Partial<CodeNode>>> {
  const callable = symbols.filter(({ record }) => CALLABLE.has(record.kind));
  const nameAll = async (lists: readonly (readonly Neighbour[])[]): Promise<string[]> => {
    const sure = lists.map((list) => list.filter(({ tier, symbol }) => tier !== "name" && symbol >= 0));
    const named = await loadSymbols(
      reader,
      sure.flatMap((list) => list.slice(0, MAX_NAMED)),
    );
    let end = 0;
    return sure.map(({ length }, at) => {
      end += Math.min(length, MAX_NAMED);
      return nameNeighbours(callable[at] as LoadedSymbol, named.slice(end - Math.min(length, MAX_NAMED), end), length);
    });
  };
  const calls = include.includes("calls") ? await nameAll(await calleesOf(reader, callable)) : undefined;
  const calledBy = include.includes("called_by") ? await nameAll(await callersOf(reader, callable)) : undefined;
  if (calls === undefined && calledBy === undefined) return new Map();
  return new Map(
    callable.map(({ record }, at) => [
      record,
      {
        ...(calls !== undefined && { calls: calls[at] ?? "" }),
        ...(calledBy !== undefined && { calledBy: calledBy[at] ?? "" }),
      },
    ]),
  );
}

/** `utils:format main:start +3`: the package is left out where it is the symbol's own. */
function nameNeighbours({ inFile }: LoadedSymbol, neighbours: readonly LoadedSymbol[], total: number): string {
  const names = neighbours.map(({ record, inFile: other }) => {
    const isSame = other.package === inFile.package && other.module === inFile.module;
    return isSame ? record.path : `${other.package}:${record.path}`;
  });
  return cutList(names, MAX_NAMED, total).join(" ");
}

const CALLABLE: ReadonlySet<SymbolKind> = new Set(["function", "method", "constructor", "class", "struct", "record"]);

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
