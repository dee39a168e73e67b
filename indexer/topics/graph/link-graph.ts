/**
 * A graph of files or pages by what leads from one to another, as compact lists. Pure.
 *
 * Nodes are numbered in the order of the bytes of their ids, so that the order of numbers is that of keys in tables. From
 * one node to another there is one link at most, and none from a node to itself.
 */
import { keyOf } from "../../../src/core/bytes/key.ts";
import type { NodeLinks } from "../../../src/core/code/components.ts";
import { compareNames } from "../../../src/core/text/names.ts";
import { codeRanks, spreadRank } from "../../link/code/page-rank.ts";

/** See the header. Targets of a node ascend. */
export interface LinkGraph extends NodeLinks {
  readonly ids: readonly string[];
  /** Of each link whether it is of types alone. */
  readonly typeOnly: Uint8Array;
  /** Distinct nodes that lead to a node. */
  readonly fanIn: Uint32Array;
  /** 0-255, a logarithm of the PageRank of each node. Worked out when it is first asked for. */
  readonly ranks: () => Uint8Array;
}

/** A link between two nodes, by their numbers. */
export interface NodeLink {
  readonly from: number;
  readonly to: number;
  readonly typeOnly: boolean;
}

/**
 * The graph of some nodes. Several links from one node to another are one, of types alone where each of them is; links
 * of a node to itself are left out. Ids are in their order already.
 */
export function makeLinkGraph(ids: readonly string[], links: readonly NodeLink[]): LinkGraph {
  // Links of a node stand in a row, as twice their target, + 1 where something is left at run time; sorted, the last of a
  // target says what holds of all of them.
  const ends = new Int32Array(ids.length + 1);
  for (const { from } of links) ends[from + 1] = (ends[from + 1] as number) + 1;
  for (let node = 0; node < ids.length; node++) ends[node + 1] = (ends[node + 1] as number) + (ends[node] as number);
  const coded = new Int32Array(links.length);
  const filled = ends.slice(0, ids.length);
  for (const { from, to, typeOnly } of links) {
    const at = filled[from] as number;
    coded[at] = 2 * to + Number(!typeOnly);
    filled[from] = at + 1;
  }
  const starts = new Int32Array(ids.length + 1);
  const kept = new Int32Array(links.length);
  const fanIn = new Uint32Array(ids.length);
  let count = 0;
  for (let node = 0; node < ids.length; node++) {
    const own = coded.subarray(ends[node], ends[node + 1]).sort();
    for (let at = 0; at < own.length; at++) {
      const code = own[at] as number;
      const to = code >> 1;
      if (to === node || (own[at + 1] ?? -1) >> 1 === to) continue;
      kept[count++] = code;
      fanIn[to] = (fanIn[to] as number) + 1;
    }
    starts[node + 1] = count;
  }
  const targets = kept.slice(0, count).map((code) => code >> 1);
  const typeOnly = Uint8Array.from(kept.subarray(0, count), (code) => 1 - (code & 1));
  let ranks: Uint8Array | undefined;
  return {
    ids,
    starts,
    targets,
    typeOnly,
    fanIn,
    ranks: () => {
      ranks ??= codeRanks(spreadRank({ starts, targets }));
      return ranks;
    },
  };
}

/** Distinct nodes that a node leads to. */
export function fanOutOf({ starts }: LinkGraph, node: number): number {
  return (starts[node + 1] as number) - (starts[node] as number);
}

/** Nodes that a node leads to, ascending. */
export function targetsOf({ starts, targets }: NodeLinks, node: number): Int32Array {
  return targets.subarray(starts[node], starts[node + 1]);
}

function* linksOf({ starts, targets, typeOnly }: LinkGraph): Generator<NodeLink> {
  for (let from = 0; from + 1 < starts.length; from++) {
    for (let at = starts[from] as number; at < (starts[from + 1] as number); at++) {
      yield { from, to: targets[at] as number, typeOnly: typeOnly[at] === 1 };
    }
  }
}

/** Links between some of the nodes, which are numbered anew in their order. */
export function linksAmong(graph: LinkGraph, isKept: (node: number) => boolean): NodeLink[] {
  const numbers = new Map<number, number>();
  for (const node of graph.ids.keys()) if (isKept(node)) numbers.set(node, numbers.size);
  const kept: NodeLink[] = [];
  for (const { from, to, typeOnly } of linksOf(graph)) {
    const source = numbers.get(from);
    const target = numbers.get(to);
    if (source !== undefined && target !== undefined) kept.push({ from: source, to: target, typeOnly });
  }
  return kept;
}

/** The order of nodes. */
export function compareNodeIds(a: string, b: string): number {
  return compareNames(keyOf(a), keyOf(b));
}
