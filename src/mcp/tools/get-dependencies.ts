/**
 * Tool `get_dependencies`: what something depends on, what depends on it, level by level; without a target how packages depend
 * on one another. As lines, tables or a Mermaid diagram; over the budget kinds go first, then the end of the list.
 */

import { neighboursOf, type PlacedPackage, productPackages } from "../../core/code/packages.ts";
import type { Reach, ReachDirection, ReachPlace } from "../../core/code/reach.ts";
import { isAssetPath } from "../../core/code/source-paths.ts";
import { walkLevels } from "../../core/code/walks.ts";
import { EDGE_KINDS, type EdgeKind, IMPORT_KINDS } from "../../core/format/code-model.ts";
import type { PackageKey } from "../../core/format/package-entry.ts";
import { kindsOfMask, maskOf, TYPE_ONLY_MASK } from "../../core/format/reach-list.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { type AnswerForm, type JsonObject, listForms } from "../../surface/render/answer.ts";
import { cutList, formatCount, groupRuns } from "../../surface/render/text.ts";
import {
  asideFilesOf,
  asideNotes,
  describeTarget,
  findTargets,
  formatKinds,
  formatTarget,
  listFiles,
  type NamedFiles,
  nameEnd,
  nameFiles,
  nameOfPackage,
  placesOf,
  reachOf,
  TARGET_ALIASES,
  type Target,
  TESTS,
} from "../find-target.ts";
import { defineTool, formatExample } from "../tool.ts";

const NAME = "get_dependencies";
const DIRECTIONS = ["in", "out", "both"] as const;
/** What editors and other tools call the same. */
const SYNONYMS = {
  incoming: "in",
  callers: "in",
  dependents: "in",
  outgoing: "out",
  callees: "out",
  dependencies: "out",
};
/** Edges of an answer, and of a diagram: larger ones nobody can read, and few renderers draw. */
const MAX_EDGES = 1_000;
const MAX_DRAWN = 80;
/** Ends of a line that are named; JSON names all. */
const MAX_ENDS = 40;
const MAX_NAMED_PACKAGES = 40;

export const getDependenciesTool = defineTool({
  name: NAME,
  description:
    "What a file, package or symbol depends on (out) or is used by (in), level by level, with external packages; without target the graph of packages. mermaid draws it. Use to see how parts hang together; next describe_package or find_path.",
  parameters: {
    target: { kind: "text", aliases: TARGET_ALIASES },
    direction: { kind: "choice", values: DIRECTIONS, default: "out", synonyms: SYNONYMS },
    depth: { kind: "integer", default: 1, maximum: 5, aliases: ["max_depth"] },
    kinds: { kind: "choices", values: EDGE_KINDS, aliases: ["kind", "edge_kinds", "types"] },
    mermaid: { kind: "boolean", default: false, aliases: ["diagram"] },
    tests: TESTS,
  },
  example: { target: "src/main.ts" },
  isKept: true,
  async run({ target: text, direction, depth, kinds, mermaid, tests = false }, { reader }) {
    const exampleOf = (target: string): string => formatExample(NAME, { target });
    const { targets, packages, notes } = await findTargets(reader, text === undefined ? [] : [text], exampleOf);
    const [target] = targets;
    const directions: readonly ReachDirection[] = direction === "both" ? ["out", "in"] : [direction];
    const found =
      target === undefined
        ? allPackageEdges(packages, tests)
        : target.kind === "package"
          ? packageLevels(packages, target.entry, directions, depth, tests)
          : await levelsAround(reader, packages, target, directions, depth, kinds, tests);
    const isOfPackages = target === undefined || target.kind === "package";
    const drawn = mermaid ? distinctEdges(found.edges).length : 0;
    return {
      summary: summarize(found),
      forms: mermaid ? [diagramForm(found)] : listForms(found.edges, LEVELS, writersOf(found)),
      notes: [
        ...notes,
        ...found.notes,
        ...(isOfPackages && kinds !== undefined ? ["Between packages all imports count; kinds had no effect."] : []),
        ...(drawn > MAX_DRAWN
          ? [`The diagram has the first ${MAX_DRAWN} of ${drawn} edges; without mermaid all are listed.`]
          : []),
      ],
    };
  },
});

type NamedEnd = ReturnType<typeof nameEnd>;

/** An edge, from what depends to what it depends on. */
interface ShownEdge {
  readonly direction: ReachDirection;
  readonly level: number;
  readonly from: NamedEnd;
  readonly to: NamedEnd;
  /** Empty between packages and to what is external. */
  readonly kinds: readonly EdgeKind[];
  readonly typeOnly: boolean;
  /** How many imports it stands for; between packages. */
  readonly weight?: number;
}

interface Dependencies {
  /** What was asked for; undefined for all packages. */
  readonly target: { readonly kind: string; readonly id: string } | undefined;
  /** By direction, level, ends. */
  readonly edges: readonly ShownEdge[];
  /** Edges that there are, where these are a part of them. */
  readonly total: number;
  /** What has to be said of them. */
  readonly notes: readonly string[];
}

/** All edges between packages, the heaviest first. */
function allPackageEdges(packages: readonly PlacedPackage[], tests: boolean): Dependencies {
  const shown = tests ? packages : productPackages(packages);
  const nameAll = (some: readonly PlacedPackage[]): string => {
    const names = some.map((entry) => nameOfPackage(packages, entry));
    return `${formatCount(names.length, "package")}: ${cutList(names, MAX_NAMED_PACKAGES).join(", ")}`;
  };
  const edges = shown.flatMap((entry) => packageEdges(packages, entry, "out", 1, false, tests));
  edges.sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0));
  const total = shown.reduce((sum, entry) => sum + neighboursOf(entry, tests).imports.total, 0);
  const aside = packages.flatMap(({ imports }) => imports.list).reduce((sum, one) => sum + one.aside, 0);
  const others = packages.filter((entry) => !shown.includes(entry));
  const named = [
    `${nameAll(shown)}.`,
    ...(others.length > 0 ? [`Of tests, examples and the like alone ${nameAll(others)}.`] : []),
    ...asideNotes(tests ? 0 : aside, "import"),
  ];
  return { ...cutEdges(edges, total), target: undefined, notes: [...named, ...cutEdges(edges, total).notes] };
}

/** Edges around one package, level by level. */
function packageLevels(
  packages: readonly PlacedPackage[],
  start: PlacedPackage,
  directions: readonly ReachDirection[],
  depth: number,
  tests: boolean,
): Dependencies {
  const edges: ShownEdge[] = [];
  const counted = neighboursOf(start, tests);
  let left = 0;
  for (const direction of directions) {
    let frontier = [start];
    const seen = new Set([keyOf(start)]);
    for (let level = 1; level <= depth; level++) {
      const next: PlacedPackage[] = [];
      for (const entry of frontier) {
        edges.push(...packageEdges(packages, entry, direction, level, true, tests));
        const neighbours = neighboursOf(entry, tests);
        const { total, list } = direction === "out" ? neighbours.imports : neighbours.importedBy;
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
  const target = { kind: "package", id: nameOfPackage(packages, start) };
  const found = cutEdges(edges, edges.length + left);
  return { target, ...found, notes: [...found.notes, ...asideNotes(counted.aside, "import")] };
}

function packageEdges(
  packages: readonly PlacedPackage[],
  entry: PlacedPackage,
  direction: ReachDirection,
  level: number,
  withExternal: boolean,
  tests: boolean,
): ShownEdge[] {
  const toEnd = (key: PackageKey): NamedEnd => {
    const name = nameOfPackage(packages, key);
    return { kind: "package", id: name, label: name };
  };
  const own = toEnd(entry);
  const edge = (other: NamedEnd, weight: number): ShownEdge => ({
    direction,
    level,
    ...(direction === "out" ? { from: own, to: other } : { from: other, to: own }),
    kinds: [],
    typeOnly: false,
    weight,
  });
  const neighbours = neighboursOf(entry, tests);
  const { list } = direction === "out" ? neighbours.imports : neighbours.importedBy;
  const external = withExternal && direction === "out" ? neighbours.external.list : [];
  return [
    ...list.map((other) => edge(toEnd(other), other.weight)),
    ...external.map(({ name, weight }) => edge({ kind: "external", id: name, label: name }, weight)),
  ];
}

function keyOf({ module, name }: PackageKey): string {
  return JSON.stringify([module, name]);
}

/** As many edges as an answer lists, with a sentence where that are not all. */
function cutEdges(edges: readonly ShownEdge[], total: number): Omit<Dependencies, "target"> {
  const shown = edges.slice(0, MAX_EDGES);
  const notes = shown.length < total ? [`There are ${total} edges; the heaviest ${shown.length} are listed.`] : [];
  return { edges: shown, total, notes };
}

async function levelsAround(
  reader: IndexReader,
  packages: readonly PlacedPackage[],
  target: Exclude<Target, { kind: "package" }>,
  directions: readonly ReachDirection[],
  depth: number,
  kinds: readonly EdgeKind[] | undefined,
  tests: boolean,
): Promise<Dependencies> {
  const reach = await reachOf(reader, target);
  const isOfFiles = target.kind === "file";
  const mask = maskOf(kinds ?? (isOfFiles ? IMPORT_KINDS : EDGE_KINDS));
  const starts = await placesOf(reader, target);
  const isAside = await asideFilesOf(reader, reach.shard);
  const isLeftOut = (place: ReachPlace): boolean => !tests && !isAside(target.file) && isAside(place.file);
  const options = { depth, kinds: mask, isOfFiles, isLeftOut };
  const walks = directions.map((direction) => ({
    direction,
    ...walkLevels(reach, starts, { ...options, direction }),
  }));
  const all = walks.flatMap(({ direction, edges }) => edges.map((edge) => ({ direction, ...edge })));
  const list = await listFiles(reader, reach.shard);
  const files = [target.file, ...all.flatMap(({ from, to }) => [from.file, to.file])];
  const names: NamedFiles = isOfFiles
    ? { fileOf: (file) => list[file] as (typeof list)[number], recordOf: () => undefined, tables: [] }
    : await nameFiles(reader, reach.shard, files);
  const edges = all.flatMap(({ direction, level, from, to, mask: own }): ShownEdge[] => {
    if (![from, to].every(({ file, symbol }) => symbol < 0 || names.recordOf(file) !== undefined)) return [];
    const typeOnly = (own & TYPE_ONLY_MASK) !== 0;
    return [
      { direction, level, from: nameEnd(names, from), to: nameEnd(names, to), kinds: kindsOfMask(own), typeOnly },
    ];
  });
  const outward = walks.find(({ direction }) => direction === "out");
  const isImport = kinds === undefined || kinds.some((kind) => IMPORT_KINDS.includes(kind));
  const external = isOfFiles && isImport && outward !== undefined ? externalEdges(reach, names, outward, depth) : [];
  // By direction and level; edges of one level stay in their order, external ones behind the others of their file.
  const listed = [...edges, ...external].sort(
    (a, b) => Number(a.direction === "in") - Number(b.direction === "in") || a.level - b.level,
  );
  const total = all.length + external.length;
  return {
    target: describeTarget(target, packages, names),
    edges: listed.slice(0, MAX_EDGES),
    total,
    notes: [
      ...(listed.length < total || listed.length > MAX_EDGES
        ? [`There are ${total} edges; ${Math.min(listed.length, MAX_EDGES)} are listed. A smaller depth finds fewer.`]
        : []),
      ...asideNotes(
        walks.reduce((sum, { leftOut }) => sum + leftOut, 0),
        "edge",
      ),
      ...(isOfFiles ? [] : ["Guesses by name and calls through values of unknown type are left out."]),
    ],
  };
}

/** What the files that a walk went out from import from outside, as leaves. */
function externalEdges(
  reach: Reach,
  names: NamedFiles,
  { edges, reached }: ReturnType<typeof walkLevels>,
  depth: number,
): ShownEdge[] {
  const levels = new Map<number, number>(reached.slice(0, 1).map(({ file }) => [file, 0]));
  for (const { level, to } of edges) if (!levels.has(to.file)) levels.set(to.file, level);
  return [...levels].flatMap(([file, level]): ShownEdge[] => {
    if (level >= depth) return [];
    const from = nameEnd(names, { file, symbol: -1 });
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

/** `src/a.ts depends on 3 files`. */
function summarize({ target, edges, total }: Dependencies): string {
  if (target === undefined) return `${formatCount(total, "dependency", "dependencies")} between packages`;
  if (total === 0) return `No such dependency of ${formatTarget(target)} was found`;
  const parts = (["out", "in"] as const).flatMap((direction) => {
    const own = edges.filter((edge) => edge.direction === direction);
    if (own.length === 0) return [];
    const first = new Set(own.flatMap((edge) => (edge.level === 1 ? [otherEnd(edge).id] : [])));
    const deeper = Math.max(...own.map(({ level }) => level)) - 1;
    const levels = deeper > 0 ? ` and ${formatCount(deeper, "further level")}` : "";
    return [`${direction === "out" ? "depends on" : "is used by"} ${first.size} directly${levels}`];
  });
  return `${formatTarget(target)} ${parts.join(", ")}`;
}

/** Edges with kinds, then ends alone. */
const LEVELS = [["edges", true] as const, ["names", false] as const];

function writersOf({ target, total }: Dependencies) {
  const rows = (edges: readonly ShownEdge[], direction: ReachDirection, isFull: boolean) =>
    edges
      .filter((edge) => edge.direction === direction)
      .map(({ level, from, to, weight, kinds }) => ({
        level,
        from: from.label,
        to: to.label,
        ...(isFull && { how: weight ?? (kinds.length === 0 ? "external" : kinds.join(" ")) }),
      }));
  return {
    blocks: (edges: readonly ShownEdge[], isFull: boolean) =>
      groupRuns(edges, headOf).map((own) => levelBlock(own, isFull)),
    toJson: (edges: readonly ShownEdge[], isFull: boolean): JsonObject => ({
      target: target ?? null,
      total,
      edges: edges.map(({ direction, level, from, to, kinds, typeOnly, weight }) => ({
        direction,
        level,
        from: { kind: from.kind, id: from.id },
        to: { kind: to.kind, id: to.id },
        ...(isFull && weight === undefined && { kinds, typeOnly }),
        ...(weight !== undefined && { weight }),
      })),
    }),
    toToon: (edges: readonly ShownEdge[], isFull: boolean): JsonObject => {
      const [dependsOn, usedBy] = [rows(edges, "out", isFull), rows(edges, "in", isFull)];
      return {
        ...(target !== undefined && { target: target.id }),
        count: total,
        ...(dependsOn.length > 0 && { dependsOn }),
        ...(usedBy.length > 0 && { usedBy }),
      };
    },
    more: "A smaller depth or fewer kinds show less.",
  };
}

function diagramForm(found: Dependencies): AnswerForm {
  const { toJson, toToon } = writersOf(found);
  const seen = new Set<string>();
  const end = found.edges.findIndex((edge) => seen.add(nameOfEdge(edge)).size > MAX_DRAWN);
  const count = end < 0 ? found.edges.length : end;
  const first = (shown = count): readonly ShownEdge[] => found.edges.slice(0, Math.min(shown, count));
  const diagram = (shown?: number): string =>
    ["```mermaid", formatMermaid(distinctEdges(first(shown))), "```"].join("\n");
  return {
    detail: "the first edges",
    count,
    blocks: (shown) => [diagram(shown)],
    json: (shown) => ({ ...toJson(first(shown), true), mermaid: diagram(shown) }),
    toon: (shown) => ({ ...toToon(first(shown), true), mermaid: diagram(shown) }),
  };
}

/** Each edge once: in a circle the same one leads there and back. */
function distinctEdges(edges: readonly ShownEdge[]): ShownEdge[] {
  return [...new Map(edges.map((edge) => [nameOfEdge(edge), edge])).values()];
}

function nameOfEdge({ from, to }: ShownEdge): string {
  return JSON.stringify([from.id, to.id]);
}

/** The end of an edge that is further away from what was asked for, and the nearer one. */
function otherEnd({ direction, from, to }: ShownEdge): NamedEnd {
  return direction === "out" ? to : from;
}

function nearEnd({ direction, from, to }: ShownEdge): NamedEnd {
  return direction === "out" ? from : to;
}

function headOf({ direction, level }: ShownEdge): string {
  return `${direction === "out" ? "depends on" : "used by"}, level ${level}`;
}

/** The edges of one direction and level; those of one near end in a line. */
function levelBlock(edges: readonly ShownEdge[], isFull: boolean): string {
  const [first] = edges;
  if (first === undefined) return "";
  const arrow = first.direction === "out" ? "->" : "<-";
  const lines = [...Map.groupBy(edges, (edge) => nearEnd(edge).label)].flatMap(([near, own]) => {
    const ends = own.map((edge) => formatEnd(edge, isFull));
    return own.length > 1 && isFull
      ? [`  ${near} ${arrow}`, ...ends.map((end) => `    ${end}`)]
      : [`  ${near} ${arrow} ${cutList(ends, MAX_ENDS).join(", ")}`];
  });
  return [headOf(first), ...lines].join("\n");
}

function formatEnd(edge: ShownEdge, isFull: boolean): string {
  const { label, kind } = otherEnd(edge);
  if (!isFull) return label;
  if (edge.weight !== undefined) return `${label} (${formatCount(edge.weight, "import")})`;
  if (kind === "external" || edge.kinds.length === 0) return `${label} (${isAssetPath(label) ? "asset" : "external"})`;
  return `${label} (${formatKinds(edge.kinds, edge.typeOnly)})`;
}

/**
 * The flowchart, from left to right. Nodes are numbered, so that no name can be read as syntax, and stand with their labels
 * where they come first; what is external has round ends, what is there for types alone dots.
 */
export function formatMermaid(edges: readonly Omit<ShownEdge, "direction" | "level">[]): string {
  const names = new Map<string, string>();
  const nameOf = ({ id, label, kind }: NamedEnd): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const name = `n${names.size}`;
    names.set(id, name);
    const [open, close] = kind === "external" ? ["([", "])"] : ["[", "]"];
    return `${name}${open}"${escapeLabel(label)}"${close}`;
  };
  const lines = edges.map(({ from, to, kinds, typeOnly, weight }) => {
    const label = `${weight ?? (kinds.every((kind) => kind === "imports") ? "" : kinds.join(", "))}`;
    const text = label === "" ? "" : `|"${escapeLabel(label)}"|`;
    return `  ${nameOf(from)} ${typeOnly ? "-.->" : "-->"}${text} ${nameOf(to)}`;
  });
  return ["flowchart LR", ...lines].join("\n");
}

/** What Mermaid, or the Markdown in its labels, would read as more than text, as numbers of characters. */
function escapeLabel(label: string): string {
  return label.replace(/[^\p{L}\p{N} ./:@,()+-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}
