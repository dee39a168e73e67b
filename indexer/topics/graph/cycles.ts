/**
 * Import cycles: sets of files that import each other, a shortest cycle of each, and the findings about them.
 */
import { findComponents, type NodeLinks } from "../../../src/core/code/components.ts";
import type { EdgeRecord } from "../../../src/core/format/code-model.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import type { GroupCode } from "../../link/code/link-code.ts";
import { type FileGraph, isImportOfFile, type LinkGraph, targetsOf } from "./link-graph.ts";

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
