/**
 * Edges between files, symbols or packages: level by level as lines, tables or a Mermaid diagram, and as a path.
 *
 * Over the budget kinds go first, then the end of the list.
 */
import type { EdgeKind } from "../../core/format/code-model.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatKinds, formatTarget } from "./impact.ts";
import { cutList, formatCount } from "./numbers.ts";

/** An end of an edge. */
export interface ShownEnd {
  readonly kind: "file" | "symbol" | "package" | "external";
  /** Document id, id of a symbol, name of a package or of something external. */
  readonly id: string;
  /** The same without its collection. */
  readonly label: string;
}

/** An edge, from what depends to what it depends on. */
export interface ShownEdge {
  readonly direction: "in" | "out";
  readonly level: number;
  readonly from: ShownEnd;
  readonly to: ShownEnd;
  /** Empty between packages and to what is external. */
  readonly kinds: readonly EdgeKind[];
  readonly typeOnly: boolean;
  /** How many imports it stands for; between packages. */
  readonly weight?: number;
}

/** An answer. */
interface ShownDependencies {
  /** What was asked for; undefined for all packages. */
  readonly target: { readonly kind: string; readonly id: string } | undefined;
  /** By direction, level, ends. */
  readonly edges: readonly ShownEdge[];
  /** Edges that there are, where these are a part of them. */
  readonly total: number;
  /** A diagram instead of lines. */
  readonly isMermaid: boolean;
}

/** Ends of a line that are named; JSON names all. */
const MAX_ENDS = 40;
/** Edges of a diagram: larger ones nobody can read, and few renderers draw. */
const MAX_DRAWN = 80;

/** `src/a.ts depends on 3 files`. */
export function summarizeDependencies({ target, edges, total }: ShownDependencies): string {
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

/** Forms from edges with kinds to ends by level. */
export function dependencyForms(shown: ShownDependencies): [AnswerForm, ...AnswerForm[]] {
  const { edges, isMermaid } = shown;
  const form = (isFull: boolean, detail: string): AnswerForm => ({
    detail,
    count: edges.length,
    blocks: (count) => blocksOf(edges.slice(0, count), isFull),
    json: (count) => toJson(shown, count, isFull),
    toon: (count) => toToon(shown, count, isFull),
    more: "A smaller depth or fewer kinds show less.",
  });
  if (!isMermaid) return [form(true, "edges"), form(false, "names")];
  const drawn = countDrawn(edges);
  const diagram = (count = drawn): string => drawEdges(distinctEdges(edges.slice(0, Math.min(count, drawn))));
  return [
    {
      detail: "the first edges",
      count: drawn,
      blocks: (count) => [diagram(count)],
      json: (count) => ({ ...toJson(shown, count, true), mermaid: diagram(count) }),
      toon: (count) => ({ ...toToon(shown, count, true), mermaid: diagram(count) }),
    },
  ];
}

/** A sentence where a diagram leaves edges out whatever the budget is. */
export function cutOfDiagram({ edges, isMermaid }: ShownDependencies): string[] {
  const total = isMermaid ? distinctEdges(edges).length : 0;
  if (total <= MAX_DRAWN) return [];
  return [`The diagram has the first ${MAX_DRAWN} of ${total} edges; without mermaid all are listed.`];
}

/** Each edge once: in a circle the same one leads there and back. */
function distinctEdges(edges: readonly ShownEdge[]): ShownEdge[] {
  return [...new Map(edges.map((edge) => [nameOfEdge(edge), edge])).values()];
}

function nameOfEdge({ from, to }: ShownEdge): string {
  return JSON.stringify([from.id, to.id]);
}

/** How many edges from the first on are in a diagram of `MAX_DRAWN` distinct ones. */
function countDrawn(edges: readonly ShownEdge[]): number {
  const seen = new Set<string>();
  const end = edges.findIndex((edge) => seen.add(nameOfEdge(edge)).size > MAX_DRAWN);
  return end < 0 ? edges.length : end;
}

function drawEdges(edges: readonly ShownEdge[]): string {
  const diagram = formatMermaid(
    edges.map(({ from, to, kinds, typeOnly, weight }) => ({
      from: { id: from.id, label: from.label, isOutside: from.kind === "external" },
      to: { id: to.id, label: to.label, isOutside: to.kind === "external" },
      label: weight === undefined ? (kinds.every((kind) => kind === "imports") ? "" : kinds.join(", ")) : `${weight}`,
      isDotted: typeOnly,
    })),
  );
  return ["```mermaid", diagram, "```"].join("\n");
}

/** The end of an edge that is further away from what was asked for. */
function otherEnd({ direction, from, to }: ShownEdge): ShownEnd {
  return direction === "out" ? to : from;
}

function nearEnd({ direction, from, to }: ShownEdge): ShownEnd {
  return direction === "out" ? from : to;
}

/** One block for each direction and level; edges of one near end in a line. */
function blocksOf(edges: readonly ShownEdge[], isFull: boolean): string[] {
  const blocks: { readonly head: string; readonly lines: Map<string, ShownEdge[]> }[] = [];
  for (const edge of edges) {
    const head = `${edge.direction === "out" ? "depends on" : "used by"}, level ${edge.level}`;
    if (blocks.at(-1)?.head !== head) blocks.push({ head, lines: new Map() });
    const { lines } = blocks.at(-1) as (typeof blocks)[number];
    const near = nearEnd(edge).label;
    lines.set(near, [...(lines.get(near) ?? []), edge]);
  }
  return blocks.map(({ head, lines }) =>
    [
      head,
      ...[...lines].flatMap(([near, own]) => {
        const arrow = own[0]?.direction === "out" ? "->" : "<-";
        const ends = own.map((edge) => formatEnd(edge, isFull));
        const isListed = own.length > 1 && isFull;
        return isListed
          ? [`  ${near} ${arrow}`, ...ends.map((end) => `    ${end}`)]
          : [`  ${near} ${arrow} ${cutList(ends, MAX_ENDS).join(", ")}`];
      }),
    ].join("\n"),
  );
}

function formatEnd(edge: ShownEdge, isFull: boolean): string {
  const { label, kind } = otherEnd(edge);
  if (!isFull) return label;
  if (edge.weight !== undefined) return `${label} (${formatCount(edge.weight, "import")})`;
  if (kind === "external" || edge.kinds.length === 0) return `${label} (external)`;
  return `${label} (${formatKinds(edge.kinds, edge.typeOnly)})`;
}

function toJson({ target, edges, total }: ShownDependencies, count: number, isFull: boolean): JsonObject {
  return {
    target: target ?? null,
    total,
    edges: edges.slice(0, count).map(({ direction, level, from, to, kinds, typeOnly, weight }) => ({
      direction,
      level,
      from: endToJson(from),
      to: endToJson(to),
      ...(isFull && weight === undefined && { kinds, typeOnly }),
      ...(weight !== undefined && { weight }),
    })),
  };
}

function endToJson({ kind, id }: ShownEnd) {
  return { kind, id };
}

function toToon({ target, edges, total }: ShownDependencies, count: number, isFull: boolean): JsonObject {
  const rows = (direction: "in" | "out") =>
    edges.slice(0, count).flatMap((edge) =>
      edge.direction === direction
        ? [
            {
              level: edge.level,
              from: edge.from.label,
              to: edge.to.label,
              ...(isFull && { how: edge.weight ?? (edge.kinds.length === 0 ? "external" : edge.kinds.join(" ")) }),
            },
          ]
        : [],
    );
  const [out, incoming] = [rows("out"), rows("in")];
  return {
    ...(target !== undefined && { target: target.id }),
    count: total,
    ...(out.length > 0 && { dependsOn: out }),
    ...(incoming.length > 0 && { usedBy: incoming }),
  };
}

/** An end of an edge: ends of one id are one node. */
export interface MermaidNode {
  readonly id: string;
  readonly label: string;
  /** Drawn with round ends. */
  readonly isOutside: boolean;
}

/** An arrow. */
interface MermaidEdge {
  readonly from: MermaidNode;
  readonly to: MermaidNode;
  /** Text on the arrow; none where empty. */
  readonly label: string;
  /** Drawn with dots. */
  readonly isDotted: boolean;
}

/**
 * The flowchart, from left to right. Nodes are numbered, so that no name can be read as syntax, and stand with their labels
 * where they come first.
 */
export function formatMermaid(edges: readonly MermaidEdge[]): string {
  const names = new Map<string, string>();
  const nameOf = ({ id, label, isOutside }: MermaidNode): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const name = `n${names.size}`;
    names.set(id, name);
    return `${name}${isOutside ? "([" : "["}"${escapeLabel(label)}"${isOutside ? "])" : "]"}`;
  };
  const lines = edges.map(({ from, to, label, isDotted }) => {
    const text = label === "" ? "" : `|"${escapeLabel(label)}"|`;
    return `  ${nameOf(from)} ${isDotted ? "-.->" : "-->"}${text} ${nameOf(to)}`;
  });
  return ["flowchart LR", ...lines].join("\n");
}

/** What Mermaid, or the Markdown in its labels, would read as more than text, as numbers of characters. */
function escapeLabel(label: string): string {
  return label.replace(/[^\p{L}\p{N} ./:@,()+-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}

/** A step. */
interface ShownStep {
  readonly from: ShownEnd;
  readonly to: ShownEnd;
  readonly kinds: readonly EdgeKind[];
  readonly typeOnly: boolean;
}

/** An answer. */
interface ShownPath {
  readonly from: { readonly kind: string; readonly id: string };
  readonly to: { readonly kind: string; readonly id: string };
  /** Undefined where there is no path. */
  readonly steps: readonly ShownStep[] | undefined;
}

/** `2 steps from a to b`. */
export function summarizePath({ from, to, steps }: ShownPath): string {
  const [start, end] = [formatTarget(from), formatTarget(to)];
  if (steps === undefined) return `No path was found from ${start} to ${end}`;
  if (steps.length === 0) return `${start} and ${end} hold the same: there is no step between them`;
  return `${formatCount(steps.length, "step")} from ${start} to ${end}`;
}

/** One form: a line a step. */
export function pathForms(path: ShownPath): [AnswerForm] {
  const steps = path.steps ?? [];
  return [
    {
      detail: "the first steps",
      blocks: () => steps.map(lineOf),
      joined: true,
      json: (shown) => pathToJson(path, shown),
      toon: (shown) => pathToToon(path, shown),
    },
  ];
}

/** `src/a.ts#main -> src/b.ts#Store (instantiates)`; where a step begins inside of what the last led to, it says so. */
function lineOf({ from, to, kinds, typeOnly }: ShownStep): string {
  return `  ${from.label} -> ${to.label} (${formatKinds(kinds, typeOnly)})`;
}

function pathToJson({ from, to, steps }: ShownPath, shown: number): JsonObject {
  return {
    from,
    to,
    found: steps !== undefined,
    length: steps?.length ?? null,
    steps: (steps ?? []).slice(0, shown).map((step) => ({
      from: { kind: step.from.kind, id: step.from.id },
      to: { kind: step.to.kind, id: step.to.id },
      kinds: step.kinds,
      typeOnly: step.typeOnly,
    })),
  };
}

function pathToToon({ from, to, steps }: ShownPath, shown: number): JsonObject {
  return {
    from: from.id,
    to: to.id,
    found: steps !== undefined,
    steps: (steps ?? []).slice(0, shown).map((step) => ({
      from: step.from.label,
      to: step.to.label,
      kinds: step.kinds.join(" "),
    })),
  };
}
