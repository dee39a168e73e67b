/**
 * Import cycles: sets of files that import each other, a shortest cycle of each, and the findings about them.
 */
import { findComponents, type NodeLinks } from "../../../src/core/code/components.ts";
import type { EdgeRecord } from "../../../src/core/format/code-model.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import type { GroupCode } from "../../link/code/link-code.ts";
import { type FileGraph, type FileNode, isImportOfFile, type LinkGraph, targetsOf } from "./link-graph.ts";

/** A strongly connected component of more than one file. */
interface FoundCycle {
  /** Nodes of a shortest cycle, each once, the least first; of several shortest ones one that is there at run time. */
  readonly path: readonly number[];
  readonly size: number;
  /** Whether no cycle is left of it without imports of types alone. */
  readonly typeOnly: boolean;
}

const known = new WeakMap<FileGraph, readonly FoundCycle[]>();

/** All of a graph, in the order of their least files. Worked out once for each graph. */
export function findCycles(graph: FileGraph): readonly FoundCycle[] {
  const found = known.get(graph) ?? searchCycles(graph.links);
  known.set(graph, found);
  return found;
}

function searchCycles(links: LinkGraph): FoundCycle[] {
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

/**
 * Links that are looked at for one component before its best cycle so far is taken. Real imports need a thousandth of
 * it: their shortest cycles have two or three files. What would take more has tens of thousands of files and no short
 * cycle.
 */
const MAX_LOOKS = 20_000_000;

/** Finds cycles in one graph, component after component. */
type FindCycle = (component: readonly number[]) => number[];

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

/** Files of a cycle that a message names. */
const MAX_NAMED = 8;

/** One finding for each set of files that import each other. */
export function cycleFindings(graph: FileGraph, { edges }: Pick<GroupCode, "edges">): LinkDiagnostic[] {
  return findCycles(graph).map(({ path, size, typeOnly }): LinkDiagnostic => {
    const files = path.map((node) => graph.nodes[node] as FileNode);
    const [first, second] = files as [FileNode, FileNode];
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
