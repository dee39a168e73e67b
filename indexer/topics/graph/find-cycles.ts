/**
 * Sets of files that import each other: how large each is, a shortest cycle of it, and whether anything of it is left at
 * run time. Pure.
 */
import { findComponents, type NodeLinks } from "../../../src/core/code/components.ts";
import type { FileGraph } from "./file-graph.ts";
import type { LinkGraph } from "./link-graph.ts";
import { createFindCycle } from "./shortest-cycle.ts";

/** A strongly connected component of more than one file. */
export interface FoundCycle {
  /** Nodes of a shortest cycle, each once, the least first; of several shortest ones one that is there at run time. */
  readonly path: readonly number[];
  readonly size: number;
  /** Whether no cycle is left of it without imports of types alone. */
  readonly typeOnly: boolean;
}

const known = new WeakMap<FileGraph, readonly FoundCycle[]>();

/** All of a graph, in the order of their least files. Worked out once for each graph. */
export function findCycles(graph: FileGraph): readonly FoundCycle[] {
  const found = known.get(graph) ?? search(graph.links);
  known.set(graph, found);
  return found;
}

function search(links: LinkGraph): FoundCycle[] {
  const components = findComponents(links);
  if (components.length === 0) return [];
  const runTimeLinks = withoutTypes(links);
  const atRunTime = findComponents(runTimeLinks);
  const findCycle = createFindCycle(links);
  const findAtRunTime = createFindCycle(runTimeLinks);
  const setOf = new Map(components.flatMap((component, set) => component.map((node) => [node, set] as const)));
  const inSet = Map.groupBy(atRunTime, ([node]) => setOf.get(node as number));
  return components.map((component, set) => {
    const path = findCycle(component);
    const left = inSet.get(set) ?? [];
    const same = left.map(findAtRunTime).find(({ length }) => length === path.length);
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
