/** Source files by what they import, linked, as the graph of imports takes them. */
import type { GraphConfig } from "../../indexer/config/config.ts";
import { defaultConfig } from "../../indexer/config/config.ts";
import type { LinkedCode } from "../../indexer/link/code/link-files.ts";
import { insightEntries } from "../../indexer/topics/graph/insights.ts";
import { type FileGraph, makeFileGraph, makeLinkGraph, type PageGraph } from "../../indexer/topics/graph/link-graph.ts";
import { roleOfPath } from "../../src/core/docs/roles.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { decodeInsight, type InsightName, type InsightValues, keyOfInsight } from "../../src/core/format/insights.ts";
import { codeFile, link, manifest } from "./code-files.ts";

/** Files with the specifiers that they import; behind `type ` one of types alone. */
export type FilesByImports = Readonly<Record<string, readonly string[]>>;

/** The files, linked beside manifests. Files are in the order of their paths. */
export function linkImports(
  files: FilesByImports,
  manifests: Readonly<Record<string, string | object>> = {},
): LinkedCode {
  const sources = Object.keys(files)
    .sort()
    .map((path) =>
      codeFile(path, (file) => {
        for (const written of files[path] ?? []) {
          const typeOnly = written.startsWith("type ");
          file.import(typeOnly ? written.slice("type ".length) : written, "*", "", { typeOnly });
        }
      }),
    );
  return link(
    sources,
    Object.entries(manifests).map(([path, content]) => manifest(path, content)),
  );
}

/** Settings of the graph: the defaults, and what differs. */
export function graphSettings(different: Partial<GraphConfig> = {}): GraphConfig {
  return { ...defaultConfig().graph, ...different };
}

/** The graph of some files. */
export function graphOf(
  files: FilesByImports,
  different: Partial<GraphConfig> = {},
  manifests: Readonly<Record<string, string | object>> = {},
): FileGraph {
  return makeFileGraph(linkImports(files, manifests), graphSettings(different));
}

const NOTHING = { nodes: [], links: makeLinkGraph([], []) };

/** An insight into source files, as the table says it. */
export function fileInsight<Name extends InsightName>(
  name: Name,
  graph: FileGraph,
  settings: GraphConfig,
): InsightValues[Name] {
  return readInsight(name, insightEntries({ product: graph, all: graph, roleOf: roleOfPath }, NOTHING, [], settings));
}

/** An insight into pages, as the table says it. */
export function pageInsight<Name extends InsightName>(
  name: Name,
  graph: PageGraph,
  settings: GraphConfig,
): InsightValues[Name] {
  return readInsight(name, insightEntries({ product: NOTHING, all: NOTHING, roleOf: roleOfPath }, graph, [], settings));
}

function readInsight<Name extends InsightName>(name: Name, entries: readonly TableEntry[]): InsightValues[Name] {
  const entry = entries.find(({ key }) => key === keyOfInsight("", name));
  if (entry === undefined) throw new Error(`no insight ${name}`);
  return decodeInsight(name, entry.value);
}
