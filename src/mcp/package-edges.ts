/** Edges between packages, out of their facts. */

import type { PlacedPackage } from "../core/code/packages.ts";
import type { ReachDirection } from "../core/code/reach.ts";
import type { PackageKey } from "../core/format/package-entry.ts";
import type { ShownEdge, ShownEnd } from "../surface/render/dependencies.ts";
import { nameOfPackage } from "./find-package.ts";

/** Edges for an answer, with what has to be said of them. */
export interface PackageEdges {
  readonly target: { readonly kind: "package"; readonly id: string } | undefined;
  readonly edges: readonly ShownEdge[];
  readonly total: number;
  readonly notes: readonly string[];
}

/** Edges of an answer. */
const MAX_EDGES = 1_000;

/** All edges between packages, the heaviest first. */
export function allPackageEdges(packages: readonly PlacedPackage[]): PackageEdges {
  const edges = packages.flatMap((entry) => edgesOf(packages, entry, "out", 1, false));
  edges.sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0));
  const total = packages.reduce((sum, { imports }) => sum + imports.total, 0);
  return {
    target: undefined,
    edges: edges.slice(0, MAX_EDGES),
    total,
    notes: [
      `${packages.length} packages: ${packages
        .slice(0, 40)
        .map((entry) => nameOfPackage(packages, entry))
        .join(", ")}${packages.length > 40 ? ` +${packages.length - 40}` : ""}.`,
      ...describeCut(edges.length, total),
    ],
  };
}

/** Edges around one package, level by level. */
export function packageLevels(
  packages: readonly PlacedPackage[],
  start: PlacedPackage,
  directions: readonly ReachDirection[],
  depth: number,
): PackageEdges {
  const edges: ShownEdge[] = [];
  let left = 0;
  for (const direction of directions) {
    let frontier = [start];
    const seen = new Set([keyOf(start)]);
    for (let level = 1; level <= depth; level++) {
      const next: PlacedPackage[] = [];
      for (const entry of frontier) {
        edges.push(...edgesOf(packages, entry, direction, level, true));
        const { total, list } = direction === "out" ? entry.imports : entry.importedBy;
        left += total - list.length;
        for (const key of list.map(keyOf)) {
          if (seen.has(key)) continue;
          seen.add(key);
          next.push(...packages.filter((one) => keyOf(one) === key));
        }
      }
      frontier = next;
    }
  }
  const total = edges.length + left;
  return {
    target: { kind: "package", id: nameOfPackage(packages, start) },
    edges: edges.slice(0, MAX_EDGES),
    total,
    notes: describeCut(edges.length, total),
  };
}

function edgesOf(
  packages: readonly PlacedPackage[],
  entry: PlacedPackage,
  direction: ReachDirection,
  level: number,
  withExternal: boolean,
): ShownEdge[] {
  const own = toEnd(packages, entry);
  const edge = (other: ShownEnd, weight: number): ShownEdge => ({
    direction,
    level,
    ...(direction === "out" ? { from: own, to: other } : { from: other, to: own }),
    kinds: [],
    typeOnly: false,
    weight,
  });
  const { list } = direction === "out" ? entry.imports : entry.importedBy;
  const external = withExternal && direction === "out" ? entry.external.list : [];
  return [
    ...list.map((other) => edge(toEnd(packages, other), other.weight)),
    ...external.map(({ name, weight }) => edge({ kind: "external", id: name, label: name }, weight)),
  ];
}

function toEnd(packages: readonly PlacedPackage[], key: PackageKey): ShownEnd {
  const name = nameOfPackage(packages, key);
  return { kind: "package", id: name, label: name };
}

function keyOf({ module, name }: PackageKey): string {
  return JSON.stringify([module, name]);
}

function describeCut(listed: number, total: number): string[] {
  const shown = Math.min(listed, MAX_EDGES);
  return shown < total ? [`There are ${total} edges; the heaviest ${shown} are listed.`] : [];
}
