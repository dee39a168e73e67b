/**
 * Insights: what the graphs of files and of pages show, as entries of the table `insights`.
 *
 * To add one: its value and decoder in `src/core/format/insights.ts`, how several groups' values merge in
 * `src/core/code/insights.ts`, and its function here. What is loaded by name at run time is not seen, so a file is
 * at most "possibly" unused.
 */

import { findComponents, type NodeLinks } from "../../../src/core/code/components.ts";
import { addCounts, cutList, INSIGHT_ORDERS } from "../../../src/core/code/insights.ts";
import { isAsideFile } from "../../../src/core/code/source-paths.ts";
import type { Role } from "../../../src/core/docs/roles.ts";
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import type { EdgeRecord } from "../../../src/core/format/code-model.ts";
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
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import type { GroupCode } from "../../link/code/link-code.ts";
import {
  type FileGraph,
  graphOfCollection,
  isImportOfFile,
  type LinkGraph,
  type PageGraph,
  targetsOf,
} from "./link-graph.ts";

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

/*
 * Import cycles: sets of files that import each other, a shortest cycle of each, and the findings about them.
 */

/** A strongly connected component of more than one file. */
interface FoundCycle {
  /** Nodes of a shortest cycle, each once, the least first; of several shortest ones one that is there at run time. */
  readonly path: readonly number[];
  readonly size: number;
  /** Whether no cycle is left of it without imports of types alone. */
  readonly typeOnly: boolean;
}

/** All of a graph, in the order of their least files. */
export function findCycles({ links }: FileGraph): FoundCycle[] {
  const components = findComponents(links);
  if (components.length === 0) return [];
  const runTimeLinks = withoutTypes(links);
  const atRunTime = findComponents(runTimeLinks);
  const setOf = new Map(components.flatMap((component, set) => component.map((node) => [node, set] as const)));
  const inSet = Map.groupBy(atRunTime, ([node]) => setOf.get(node as number));
  return components.map((component, set) => {
    const path = findShortest(links, component);
    const left = inSet.get(set) ?? [];
    const same = left.map((one) => findShortest(runTimeLinks, one)).find(({ length }) => length === path.length);
    return { path: same ?? path, size: component.length, typeOnly: left.length === 0 };
  });
}

/** The links of which something is left at run time. */
function withoutTypes({ starts, targets, typeOnly }: LinkGraph): NodeLinks {
  const kept = new Int32Array(starts.length);
  const left: number[] = [];
  for (let node = 0; node + 1 < starts.length; node++) {
    for (let at = starts[node] as number; at < (starts[node + 1] as number); at++) {
      if (typeOnly[at] === 0) left.push(targets[at] as number);
    }
    kept[node + 1] = left.length;
  }
  return { starts: kept, targets: Int32Array.from(left) };
}

/**
 * Links that are looked at for one component before its best cycle so far is taken. Real imports need a hundredth of it: their
 * shortest cycles have two or three files.
 */
const MAX_LOOKS = 2_000_000;

/** A shortest cycle of a component, the least node first; of several it is always the same. */
function findShortest(links: NodeLinks, component: readonly number[]): number[] {
  const inside = new Set(component);
  const lists = new Map(component.map((node) => [node, targetsOf(links, node).filter((target) => inside.has(target))]));
  const branching = component.filter((node) => (lists.get(node)?.length ?? 0) > 1);
  let looks = 0;
  let best: number[] = [];
  for (const start of branching.length > 0 ? branching : component.slice(0, 1)) {
    if ((best.length > 0 && looks > MAX_LOOKS) || best.length === 2) break;
    best = search(start, best.length > 0 ? best.length - 1 : component.length) ?? best;
  }
  return fromLeast(best);

  /** A cycle through `start` of at most `longest` nodes. */
  function search(start: number, longest: number): number[] | undefined {
    const before = new Map<number, number>();
    let level = [start];
    for (let length = 1; length <= longest && level.length > 0; length++) {
      const following: number[] = [];
      for (const node of level) {
        for (const target of lists.get(node) as Int32Array) {
          looks++;
          if (target === start) return pathTo(node, start, before);
          if (before.has(target)) continue;
          before.set(target, node);
          following.push(target);
        }
      }
      level = following;
    }
    return undefined;
  }
}

function pathTo(node: number, start: number, before: ReadonlyMap<number, number>): number[] {
  const path = [node];
  for (let at = node; at !== start; path.push(at)) at = before.get(at) as number;
  return path.reverse();
}

function fromLeast(cycle: readonly number[]): number[] {
  const least = cycle.indexOf(cycle.reduce((min, node) => Math.min(min, node), Number.POSITIVE_INFINITY));
  return [...cycle.slice(least), ...cycle.slice(0, least)];
}

type Node = FileGraph["nodes"][number];

/** Files of a cycle that a message names. */
const MAX_NAMED = 8;

/** One finding for each set of files that import each other. */
export function cycleFindings(graph: FileGraph, { edges }: Pick<GroupCode, "edges">): LinkDiagnostic[] {
  return findCycles(graph).map(({ path, size, typeOnly }): LinkDiagnostic => {
    const files = path.map((node) => graph.nodes[node] as Node);
    const [first, second] = files as [Node, Node];
    const isWay = (edge: EdgeRecord): boolean =>
      isImportOfFile(edge) && "file" in edge.to && edge.to.file === second.file;
    const at = edges[first.file]?.find(isWay)?.at;
    const named = files.slice(0, MAX_NAMED).map((file) => file.path);
    const left = files.length > MAX_NAMED ? [`${files.length - MAX_NAMED} more`] : [];
    const whole = size > files.length ? `; ${size} files import each other` : "";
    const message = `import cycle${typeOnly ? " of types" : ""}: ${[...named, ...left, first.path].join(" → ")}${whole}`;
    return {
      severity: "info",
      code: typeOnly ? "type-cycle" : "import-cycle",
      message,
      path: first.path,
      line: at?.line ?? 0,
      ...(at !== undefined && { column: at.column }),
      collection: first.collection,
    };
  });
}
