/** Random graphs for fast-check, and slow ways to what is said of them. */
import fc from "fast-check";
import { type LinkGraph, makeLinkGraph } from "../../indexer/topics/graph/link-graph.ts";

type NodeLink = Parameters<typeof makeLinkGraph>[1][number];

/** A graph as it was drawn. */
export interface DrawnGraph {
  readonly count: number;
  readonly links: readonly NodeLink[];
  readonly graph: LinkGraph;
}

/** Graphs of a few nodes, sparse to dense, some links of types alone. */
export const anyGraph: fc.Arbitrary<DrawnGraph> = fc.integer({ min: 1, max: 14 }).chain((count) => {
  const node = fc.nat({ max: count - 1 });
  return fc
    .array(fc.record({ from: node, to: node, typeOnly: fc.boolean() }), { maxLength: 40, size: "max" })
    .map((links) => ({ count, links, graph: makeLinkGraph(idsOf(count), links) }));
});

/** Ids of nodes, in their order. */
export function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, node) => `code:${String(node).padStart(6, "0")}.ts`);
}

/** How many links there are from each node to each other at the least, by Floyd and Warshall; infinite for no way. */
export function distancesOf(count: number, links: readonly Pick<NodeLink, "from" | "to">[]): number[][] {
  const far = Array.from({ length: count }, () => new Array<number>(count).fill(Number.POSITIVE_INFINITY));
  const set = (from: number, to: number, distance: number): void => {
    (far[from] as number[])[to] = Math.min(distance, far[from]?.[to] ?? 0);
  };
  for (const { from, to } of links) if (from !== to) set(from, to, 1);
  for (let by = 0; by < count; by++) {
    for (let from = 0; from < count; from++) {
      for (let to = 0; to < count; to++) set(from, to, (far[from]?.[by] ?? 0) + (far[by]?.[to] ?? 0));
    }
  }
  return far;
}

/** Sets of nodes that all lead to one another, of more than one node, by the distances between all. */
export function slowComponents(count: number, links: readonly Pick<NodeLink, "from" | "to">[]): number[][] {
  const far = distancesOf(count, links);
  const isBothWays = (a: number, b: number): boolean =>
    Number.isFinite(far[a]?.[b] ?? Number.NaN) && Number.isFinite(far[b]?.[a] ?? Number.NaN);
  const all = Array.from({ length: count }, (_, node) => node);
  return all
    .map((node) => all.filter((other) => other === node || isBothWays(node, other)))
    .filter((set, node) => set.length > 1 && set[0] === node);
}
