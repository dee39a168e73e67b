/**
 * Insights: what the graphs of files and of pages show, as entries of the table `insights`.
 *
 * To add one: its value and decoder in `src/core/format/insights.ts`, how several groups' values merge in
 * `src/core/code/insights.ts`, and its function here. What is loaded by name at run time is not seen, so a file is
 * at most "possibly" unused.
 */
import { addCounts, cutList, INSIGHT_ORDERS } from "../../../src/core/code/insights.ts";
import { isAsideFile } from "../../../src/core/code/source-paths.ts";
import type { Role } from "../../../src/core/docs/roles.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import {
  type BrokenLink,
  type CutList,
  encodeInsight,
  type Hub,
  type ImportCycle,
  type InsightName,
  type InsightValues,
  keyOfInsight,
} from "../../../src/core/format/insights.ts";
import type { GraphConfig } from "../../config/config.ts";
import { findCycles } from "./cycles.ts";
import { type FileGraph, graphOfCollection, type LinkGraph, type PageGraph, targetsOf } from "./link-graph.ts";

/** Files or pages that a list names at most. */
const MAX_LISTED = 50;

/** Settings of tools, which those tools load. */
const CONFIG_NAME =
  /(?:^|\/)(?:[^/]*\.(?:config|conf|setup)\.[^/]+|\.[^/]+|conf\.py|setup\.py|noxfile\.py|fabfile\.py|gulpfile\.\w+|gruntfile\.\w+|jakefile\.\w+|webpack\.[^/]+|rollup\.[^/]+|karma\.[^/]+|build\.rs|package\.swift|build\.gradle\.kts|settings\.gradle\.kts)$/i;

type Insights<Name extends InsightName, Graph> = {
  readonly [N in Name]: (graph: Graph, settings: GraphConfig) => InsightValues[N];
};

type PageInsightName = "pageMetrics" | "linkHubs" | "unlinkedPages" | "brokenLinks";

/** Insights into source files, in the order in which they are written. */
const FILE_INSIGHTS: Insights<Exclude<InsightName, PageInsightName>, FileGraph> = {
  fileMetrics: ({ nodes, links }, { complexity: { moderate, complex, veryComplex } }) => {
    return {
      fileCount: nodes.length,
      dependencyCount: links.targets.length,
      fileTypeBreakdown: addCounts(nodes.map(({ path }) => ({ [typeOf(path)]: 1 }))),
      aside: {},
      asideDependencyCount: 0,
      thresholds: [moderate, complex, veryComplex],
    };
  },
  topHubs: ({ links }, settings) => findHubs(links, settings),
  circularDependencies: (graph, { maxCycles }) => {
    const idOf = (node: number): string => graph.links.ids[node] as string;
    const cycles = findCycles(graph).map(
      ({ path, size, typeOnly }): ImportCycle => ({
        path: [...path, path[0] as number].map(idOf),
        size,
        typeOnly,
      }),
    );
    return {
      ...cutList(cycles, maxCycles, INSIGHT_ORDERS.cycles),
      typeOnlyTotal: cycles.filter(({ typeOnly }) => typeOnly).length,
    };
  },
  orphanFiles: ({ nodes }) => listIds(nodes, ({ isUsed, usesOthers }) => !isUsed && !usesOthers),
  noImporters: ({ nodes }) => listIds(nodes, ({ isUsed }) => !isUsed),
  possiblyUnused: ({ nodes }) =>
    listIds(nodes, ({ isUsed, isEntry, path }) => !isUsed && !isEntry && !isAsideFile(path) && !CONFIG_NAME.test(path)),
  entryPoints: ({ nodes }) => listIds(nodes, ({ isEntry, path }) => isEntry && !isAsideFile(path)),
};

/** Insights into pages, in the order in which they are written. */
const PAGE_INSIGHTS: Insights<PageInsightName, PageGraph> = {
  pageMetrics: ({ nodes, links }) => ({ pageCount: nodes.length, linkCount: links.targets.length }),
  linkHubs: ({ links }, settings) => findHubs(links, settings),
  unlinkedPages: ({ nodes }) => listIds(nodes, ({ isLinked, isFront }) => !isLinked && !isFront),
  brokenLinks: ({ nodes }): CutList<BrokenLink> =>
    cutList(
      nodes.flatMap(({ broken }) => broken),
      MAX_LISTED,
      INSIGHT_ORDERS.brokenLinks,
    ),
};

/** The graph of the product's files, and that of all. */
export interface FileGraphs {
  readonly product: FileGraph;
  readonly all: FileGraph;
  readonly roleOf: (id: string) => Role;
}

/**
 * Entries of one access group: of the whole group, and of each of its collections where it has several. A graph without
 * nodes has none.
 *
 * @param collections Names of the group's collections.
 */
export function insightEntries(
  files: FileGraphs,
  pages: PageGraph,
  collections: readonly string[],
  settings: GraphConfig,
): TableEntry[] {
  const single = collections.length > 1 ? collections : [];
  return [
    ...entriesOf("", files, pages, settings),
    ...single.flatMap((name) =>
      entriesOf(
        name,
        { ...files, product: graphOfCollection(files.product, name), all: graphOfCollection(files.all, name) },
        graphOfCollection(pages, name),
        settings,
      ),
    ),
  ];
}

/** Where nothing is beside the product, or nothing else is there, one graph is that of all. */
function entriesOf(
  collection: string,
  { product, all, roleOf }: FileGraphs,
  pages: PageGraph,
  settings: GraphConfig,
): TableEntry[] {
  const toEntries = <Name extends InsightName, Graph extends FileGraph | PageGraph>(
    insights: Insights<Name, Graph>,
    graph: Graph,
    isOfAll = false,
  ): TableEntry[] =>
    graph.nodes.length === 0
      ? []
      : (Object.keys(insights) as Name[]).map((name) => ({
          key: keyOfInsight(collection, name, isOfAll),
          value: encodeInsight(name, insights[name](graph, settings)),
        }));
  const isSplit = product.nodes.length > 0 && product.nodes.length < all.nodes.length;
  const kept = new Set(product.links.ids);
  const leftOut = all.nodes.filter(({ id, file }) => file >= 0 && !kept.has(id));
  const aside = addCounts(leftOut.map(({ id }) => ({ [roleOf(id)]: 1 })));
  const fileMetrics = (graph: FileGraph): InsightValues["fileMetrics"] => ({
    ...FILE_INSIGHTS.fileMetrics(graph, settings),
    aside,
    asideDependencyCount: all.links.targets.length - product.links.targets.length,
  });
  return [
    ...(isSplit ? toEntries({ ...FILE_INSIGHTS, fileMetrics }, product) : []),
    ...toEntries(FILE_INSIGHTS, all, isSplit),
    ...toEntries(PAGE_INSIGHTS, pages),
  ];
}

function listIds<Node extends { readonly id: string }>(
  nodes: readonly Node[],
  isListed: (node: Node) => boolean,
): CutList<string> {
  const found = nodes.filter(isListed).map(({ id }) => id);
  return cutList(found, MAX_LISTED, INSIGHT_ORDERS.ids);
}

/** The nodes with as many links as the settings ask for, those with the most first; none without a link. */
function findHubs(
  graph: LinkGraph,
  { topHubs, hubMinConnections }: Pick<GraphConfig, "topHubs" | "hubMinConnections">,
): CutList<Hub> {
  const connected = [...graph.ids.keys()].filter((node) => {
    const connections = (graph.fanIn[node] as number) + targetsOf(graph, node).length;
    return connections > 0 && connections >= hubMinConnections;
  });
  const ranks = connected.length > 0 ? graph.ranks() : new Uint8Array();
  const hubs = connected.map(
    (node): Hub => ({
      id: graph.ids[node] as string,
      fanIn: graph.fanIn[node] as number,
      fanOut: targetsOf(graph, node).length,
      rank: ranks[node] as number,
    }),
  );
  const { items } = cutList(hubs, topHubs, INSIGHT_ORDERS.hubs);
  // Hubs are the best of all files: how many others have links says nothing, and changes with every edit.
  return { limit: topHubs, total: items.length, items };
}

/** Last ending of a file's name in lower case, without its dot; a dot at the start of a name begins no ending. */
function typeOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 1 || dot === name.length - 1 ? "(none)" : name.slice(dot + 1).toLowerCase();
}
