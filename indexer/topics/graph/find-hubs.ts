/** Nodes of a graph with the most links. Pure. */

import { cutList, INSIGHT_ORDERS } from "../../../src/core/code/insights.ts";
import type { CutList, Hub } from "../../../src/core/format/insights.ts";
import type { GraphConfig } from "../../config/config.ts";
import { fanOutOf, type LinkGraph } from "./link-graph.ts";

/** The nodes with so many links as the settings ask for, those with the most first; none without a link. */
export function findHubs(
  graph: LinkGraph,
  { topHubs, hubMinConnections }: Pick<GraphConfig, "topHubs" | "hubMinConnections">,
): CutList<Hub> {
  const connected = [...graph.ids.keys()].filter((node) => {
    const connections = (graph.fanIn[node] as number) + fanOutOf(graph, node);
    return connections > 0 && connections >= hubMinConnections;
  });
  const ranks = connected.length > 0 ? graph.ranks() : new Uint8Array();
  const hubs = connected.map(
    (node): Hub => ({
      id: graph.ids[node] as string,
      fanIn: graph.fanIn[node] as number,
      fanOut: fanOutOf(graph, node),
      rank: ranks[node] as number,
    }),
  );
  const { items } = cutList(hubs, topHubs, INSIGHT_ORDERS.hubs);
  // Hubs are the best of all files: how many others have links says nothing, and changes with every edit.
  return { limit: topHubs, total: items.length, items };
}
