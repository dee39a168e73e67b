/**
 * A shortest cycle of a strongly connected component: a search in breadth from each node that a cycle may branch at.
 *
 * Every cycle passes a node with several links inside its component, unless the component is one ring; so the search
 * starts from those alone, and never goes deeper than the best cycle so far is long. Pure.
 */
import type { NodeLinks } from "../../../src/core/code/components.ts";
import { targetsOf } from "./link-graph.ts";

/**
 * Links that are looked at for one component before its best cycle so far is taken. Real imports need a thousandth of
 * it: their shortest cycles have two or three files. What would take more has tens of thousands of files and no short
 * cycle.
 */
const MAX_LOOKS = 20_000_000;

/** Finds cycles in one graph, component after component. */
export type FindCycle = (component: readonly number[]) => number[];

/** See the header. The cycle begins with its least node; of several shortest ones it is always the same. */
export function createFindCycle(links: NodeLinks): FindCycle {
  const count = links.starts.length - 1;
  const isInside = new Uint8Array(count);
  /** Number of the search that met a node last, and the node before it there. */
  const metBy = new Int32Array(count);
  const before = new Int32Array(count);
  let searches = 0;
  return (component) => {
    for (const node of component) isInside[node] = 1;
    const inside = (node: number): Int32Array => targetsOf(links, node).filter((target) => isInside[target] === 1);
    const lists = new Map(component.map((node) => [node, inside(node)]));
    const branching = component.filter((node) => (lists.get(node)?.length ?? 0) > 1);
    let looks = 0;
    let best: number[] = [];
    for (const start of branching.length > 0 ? branching : component.slice(0, 1)) {
      if ((best.length > 0 && looks > MAX_LOOKS) || best.length === 2) break;
      const found = search(start, best.length > 0 ? best.length - 1 : component.length);
      if (found !== undefined) best = found;
    }
    for (const node of component) isInside[node] = 0;
    return fromLeast(best);

    /** A cycle through `start` of at most `longest` nodes. */
    function search(start: number, longest: number): number[] | undefined {
      const by = ++searches;
      let level = [start];
      for (let length = 1; length <= longest && level.length > 0; length++) {
        const following: number[] = [];
        for (const node of level) {
          for (const target of lists.get(node) as Int32Array) {
            looks++;
            if (target === start) return wayTo(node, start);
            if (metBy[target] === by) continue;
            metBy[target] = by;
            before[target] = node;
            following.push(target);
          }
        }
        level = following;
      }
      return undefined;
    }
  };

  function wayTo(node: number, start: number): number[] {
    const way = [node];
    for (let at = node; at !== start; ) {
      at = before[at] as number;
      way.push(at);
    }
    return way.reverse();
  }
}

function fromLeast(cycle: readonly number[]): number[] {
  const least = cycle.indexOf(cycle.reduce((min, node) => Math.min(min, node), Number.POSITIVE_INFINITY));
  return [...cycle.slice(least), ...cycle.slice(0, least)];
}
