/**
 * Tool `get_dependencies`: what something depends on, what depends on it, level by level; without a target how packages depend
 * on one another.
 */

import type { PlacedPackage } from "../../core/code/packages.ts";
import type { Reach, ReachDirection } from "../../core/code/reach.ts";
import { type Levels, walkLevels } from "../../core/code/walks.ts";
import { EDGE_KINDS, type EdgeKind } from "../../core/format/code-model.ts";
import { kindsOfMask, maskOf, TYPE_ONLY_MASK } from "../../core/format/reach-list.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import {
  cutOfDiagram,
  dependencyForms,
  type ShownEdge,
  summarizeDependencies,
} from "../../surface/render/dependencies.ts";
import { formatExample } from "../arguments.ts";
import {
  describeTarget,
  findTargets,
  isNamed,
  listFiles,
  type NamedFiles,
  nameEnd,
  nameFiles,
  placesOf,
  reachOf,
  TARGET_ALIASES,
  type Target,
} from "../find-target.ts";
import { allPackageEdges, packageLevels } from "../packages.ts";
import { defineTool } from "../tool.ts";

const NAME = "get_dependencies";
const DIRECTIONS = ["in", "out", "both"] as const;
/** Edges of an answer. */
const MAX_EDGES = 1_000;
const IMPORTS: readonly EdgeKind[] = ["imports", "reexports"];

export const getDependenciesTool = defineTool({
  name: NAME,
  description:
    "What a file, package or symbol depends on (out) or is used by (in), level by level, with external packages; without target the graph of packages. mermaid draws it. Use to see how parts hang together; next describe_package or find_path.",
  parameters: {
    target: { kind: "text", aliases: TARGET_ALIASES },
    direction: { kind: "choice", values: DIRECTIONS, default: "out" },
    depth: { kind: "integer", default: 1, maximum: 5, aliases: ["max_depth"] },
    kinds: { kind: "choices", values: EDGE_KINDS, aliases: ["kind", "edge_kinds", "types"] },
    mermaid: { kind: "boolean", default: false, aliases: ["diagram"] },
  },
  example: { target: "src/main.ts" },
  isKept: true,
  async run({ target: text, direction, depth, kinds, mermaid }, { reader }) {
    const exampleOf = (target: string): string => formatExample({ name: NAME, example: { target } });
    const { targets, packages, notes } = await findTargets(reader, text === undefined ? [] : [text], exampleOf);
    const [target] = targets;
    const directions: readonly ReachDirection[] = direction === "both" ? ["out", "in"] : [direction];
    const found =
      target === undefined
        ? allPackageEdges(packages)
        : target.kind === "package"
          ? packageLevels(packages, target.entry, directions, depth)
          : await levelsAround(reader, packages, target, { directions, depth, kinds });
    const shown = { ...found, isMermaid: mermaid };
    const isOfPackages = target === undefined || target.kind === "package";
    return {
      summary: summarizeDependencies(shown),
      forms: dependencyForms(shown),
      notes: [
        ...notes,
        ...found.notes,
        ...(isOfPackages && kinds !== undefined ? ["Between packages all imports count; kinds had no effect."] : []),
        ...cutOfDiagram(shown),
      ],
    };
  },
});

interface Around {
  readonly directions: readonly ReachDirection[];
  readonly depth: number;
  readonly kinds: readonly EdgeKind[] | undefined;
}

async function levelsAround(
  reader: IndexReader,
  packages: readonly PlacedPackage[],
  target: Exclude<Target, { kind: "package" }>,
  { directions, depth, kinds }: Around,
) {
  const reach = await reachOf(reader, target);
  const isOfFiles = target.kind === "file";
  const mask = maskOf(kinds ?? (isOfFiles ? IMPORTS : EDGE_KINDS));
  const starts = await placesOf(reader, target);
  const walks: (Levels & { readonly direction: ReachDirection })[] = [];
  for (const direction of directions) {
    walks.push({ direction, ...(await walkLevels(reach, starts, { direction, depth, kinds: mask, isOfFiles })) });
  }
  const all = walks.flatMap(({ direction, edges }) => edges.map((edge) => ({ direction, ...edge })));
  const list = await listFiles(reader, reach.shard);
  const files = [target.file, ...all.flatMap(({ from, to }) => [from.file, to.file])];
  const isNamedByList = isOfFiles && list !== undefined;
  const names: NamedFiles = isNamedByList
    ? { fileOf: (file) => list[file], recordOf: () => undefined, tables: [] }
    : await nameFiles(reader, reach.shard, files);
  const edges = all.flatMap(({ direction, level, from, to, mask: own }): ShownEdge[] => {
    if (!isNamed(names, from) || !isNamed(names, to)) return [];
    const typeOnly = (own & TYPE_ONLY_MASK) !== 0;
    return [
      { direction, level, from: nameEnd(names, from), to: nameEnd(names, to), kinds: kindsOfMask(own), typeOnly },
    ];
  });
  const outward = walks.find(({ direction }) => direction === "out");
  const isImport = kinds === undefined || kinds.some((kind) => IMPORTS.includes(kind));
  const external = isOfFiles && isImport && outward !== undefined ? externalEdges(reach, names, outward, depth) : [];
  const listed = [...edges, ...external].sort(compareEdges);
  const total = all.length + external.length;
  const endedAt = walks.find((walk) => walk.endedAt !== undefined)?.endedAt;
  return {
    target: describeTarget(target, packages, names),
    edges: listed.slice(0, MAX_EDGES),
    total,
    notes: [
      ...(listed.length < total || listed.length > MAX_EDGES
        ? [`There are ${total} edges; ${Math.min(listed.length, MAX_EDGES)} are listed. A smaller depth finds fewer.`]
        : []),
      ...(endedAt === undefined
        ? []
        : [`The index is large: not all behind level ${endedAt} was read. A smaller depth answers whole.`]),
      ...(isOfFiles ? [] : ["Guesses by name and calls through values of unknown type are left out."]),
    ],
  };
}

/** What the files that a walk went out from import from outside, as leaves. */
function externalEdges(reach: Reach, names: NamedFiles, { edges, reached }: Levels, depth: number): ShownEdge[] {
  const levels = new Map<number, number>(reached.slice(0, 1).map(({ file }) => [file, 0]));
  for (const { level, to } of edges) if (!levels.has(to.file)) levels.set(to.file, level);
  return [...levels].flatMap(([file, level]): ShownEdge[] => {
    const place = { file, symbol: -1 };
    if (level >= depth || !isNamed(names, place)) return [];
    const from = nameEnd(names, place);
    return reach.externalsOf(file).map((name) => ({
      direction: "out",
      level: level + 1,
      from,
      to: { kind: "external", id: name, label: name },
      kinds: [],
      typeOnly: false,
    }));
  });
}

/** By direction and level; edges of one level stay in their order, external ones behind the others of their file. */
function compareEdges(a: ShownEdge, b: ShownEdge): number {
  return Number(a.direction === "in") - Number(b.direction === "in") || a.level - b.level;
}
