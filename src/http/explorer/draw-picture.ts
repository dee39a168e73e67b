/**
 * The graph of a picture (imports between source files, links between pages, packages), and its drawing as SVG: each box is a link
 * that a keyboard reaches, each link of the graph an arrow. What colours say, shapes say too: cycles have a double border and thick
 * arrows, links of types alone are dashed, what is outside has a dashed border.
 */
import { readImportGraph } from "../../core/code/import-graph.ts";
import { arePackagesWithin, readPackages } from "../../core/code/packages.ts";
import { readPageLinks } from "../../core/docs/page-links.ts";
import { type IndexReader } from "../../core/index/index-reader.ts";
import { codeShards } from "../../core/index/shards.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { roundTo } from "../../surface/render/numbers.ts";
import { type Frame, type Label, type Picture, type PlacedBox, type Way, describeBox } from "../../surface/render/picture/compose.ts";
import { type Box, type Point } from "../../surface/render/picture/fold-graph.ts";
import { type Graph } from "../../surface/render/picture/fold-graph.ts";
import { type Html, html } from "./html.ts";

/** Kinds of graphs, the one that says most first. */
export const GRAPH_KINDS = ["imports", "links", "packages"] as const;
/** One of them. */
export type GraphKind = (typeof GRAPH_KINDS)[number];

/** Bytes of the table of packages that are read for a page at most. */
const MAX_PACKAGE_BYTES = 2 * 1024 * 1024;

/** What items and links of each graph are called. */
export const GRAPH_WORDS: Readonly<
  Record<GraphKind, { readonly item: string; readonly link: string; readonly name: string }>
> = {
  imports: { item: "file", link: "import", name: "Imports between source files" },
  links: { item: "page", link: "link", name: "Links between pages" },
  packages: { item: "package", link: "import", name: "Imports between packages" },
};

/** Kinds that an index can have, the one that is shown when none is asked for first. */
export function kindsOf(reader: IndexReader): readonly [GraphKind, ...GraphKind[]] {
  return codeShards(reader).length > 0 ? GRAPH_KINDS : ["links", "imports", "packages"];
}

/** The graph that a document is in. */
export function graphKindOf(path: string): GraphKind {
  return codeLanguageOf(path) === undefined ? "links" : "imports";
}

/** Whether the graph of packages is small enough to be read for a page. Reads nothing. */
export function canDrawPackages(reader: IndexReader): boolean {
  return arePackagesWithin(reader, MAX_PACKAGE_BYTES);
}

/** The graph; undefined where it is too large to be read at once. Reads what the tools for graphs read. */
export async function readGraph(reader: IndexReader, kind: GraphKind): Promise<Graph | undefined> {
  if (kind === "imports") return readImportGraph(reader);
  if (kind === "links") return readPageLinks(reader);
  if (!canDrawPackages(reader)) return undefined;
  const packages = await readPackages(reader);
  const keyOf = ({ module, name }: { readonly module: string; readonly name: string }): string => `${module}:${name}`;
  const ids = [...new Set(packages.map(keyOf))].sort();
  const placeOf = new Map(ids.map((id, at) => [id, at]));
  const weights = new Map<string, { from: number; to: number; weight: number; typeOnly: false }>();
  for (const entry of packages) {
    const from = placeOf.get(keyOf(entry)) as number;
    for (const neighbour of entry.imports.list) {
      const to = placeOf.get(keyOf(neighbour));
      if (to === undefined || to === from) continue;
      const key = `${from} ${to}`;
      const known = weights.get(key);
      if (known === undefined) weights.set(key, { from, to, weight: neighbour.weight, typeOnly: false });
      else known.weight += neighbour.weight;
    }
  }
  return { ids, links: [...weights.values()] };
}

/** What the page around the picture knows. */
interface DrawingOptions {
  /** What the picture shows, in a sentence. */
  readonly title: string;
  /** Where a box leads to. */
  readonly hrefOf: (box: Box) => string;
  /** What is in a folder is called. */
  readonly item: string;
  /** Place of the box whose links stand out; undefined where none does. */
  readonly focus: number | undefined;
  /** Caption of boxes without links. */
  readonly looseTitle: string;
}

/** Thickest way, in units of the picture. */
const MAX_WEIGHT = 5;
const HEAD = 5;

/** The picture. */
export function drawPicture(picture: Picture, options: DrawingOptions): Html {
  const { boxes, frames, ways, width, height, looseTop } = picture;
  const { title, focus, looseTitle } = options;
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  const classes = `graph${focus === undefined ? "" : " focused"}${ways.length > DENSE ? " dense" : ""}`;
  return html`<svg class="${classes}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="group" aria-label="${title}">
${frames.map(drawFrame)}
<g class="ways" aria-hidden="true">${ways.map((way) => drawWay(way, focus))}</g>
${looseTop !== undefined && html`<text class="caption" x="12" y="${Math.round(looseTop + LOOSE_LINE)}">${looseTitle}</text>`}
${boxes.map((box, at) => drawBox(box, at, options, isNear(at, picture, focus)))}
</svg>`;
}

/** More ways than that are drawn thinner. */
const DENSE = 400;
const LOOSE_LINE = 22;

function isNear(at: number, { ways }: Picture, focus: number | undefined): boolean {
  if (focus === undefined || focus === at) return focus === at;
  return ways.some(({ link: { from, to } }) => (from === at && to === focus) || (to === at && from === focus));
}

function drawFrame({ x, y, width, height, label }: Frame): Html {
  return html`<g class="frame" aria-hidden="true"><rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="6"/>${drawLabel(label)}</g>
`;
}

function drawBox(
  { x, y, width, height, box, label }: PlacedBox,
  at: number,
  { hrefOf, item }: DrawingOptions,
  isShown: boolean,
): Html {
  const classes = ["box", box.kind, box.cycle > 0 && "cycle", isShown && "near"].filter(Boolean).join(" ");
  const [left, top, wide, high] = [round(x), round(y), round(width), round(height)];
  const inner =
    box.cycle > 0 &&
    html`<rect class="inner" x="${left + 2}" y="${top + 2}" width="${wide - 4}" height="${high - 4}" rx="2"/>`;
  return html`<a class="${classes}" href="${hrefOf(box)}" data-box="${at}"><title>${describeBox(box, item)}</title><rect x="${left}" y="${top}" width="${wide}" height="${high}" rx="4"/>${inner}${drawLabel(label)}</a>
`;
}

function drawLabel({ x, y, size, text }: Label): Html {
  // A third of the letters' height below the middle is where they stand.
  return html`<text x="${round(x)}" y="${round(y + size * 0.35)}"${size > 12 ? html` class="large"` : ""}>${text}</text>`;
}

function drawWay({ link, points }: Way, focus: number | undefined): Html {
  const { from, to, weight, typeOnly, isInCycle } = link;
  const isShown = focus === from || focus === to;
  const classes = [isInCycle && "cycle", typeOnly && "types", isShown && "near"].filter(Boolean).join(" ");
  const thick = roundTo(Math.min(MAX_WEIGHT, 1 + Math.log2(weight) / 2), 1);
  return html`<path${classes !== "" && html` class="${classes}"`} data-from="${from}" data-to="${to}" stroke-width="${thick}" d="${pathOf(points)}"/>`;
}

/** A smooth line through the corners, with a head at its end. */
export function pathOf(points: readonly Point[]): string {
  const [first, ...others] = points;
  if (first === undefined) return "";
  let path = `M${round(first.x)} ${round(first.y)}`;
  let before = first;
  for (const point of others) {
    if (point.x === before.x && point.y === before.y) continue;
    const middle = round((before.x + point.x) / 2);
    path +=
      before.y === point.y || before.x === point.x
        ? `L${round(point.x)} ${round(point.y)}`
        : `C${middle} ${round(before.y)} ${middle} ${round(point.y)} ${round(point.x)} ${round(point.y)}`;
    before = point;
  }
  const last = points.at(-1) as Point;
  const isToRight = last.x >= (points.at(-2) ?? last).x;
  const back = round(last.x + (isToRight ? -HEAD : HEAD));
  return `${path}M${back} ${round(last.y - HEAD / 1.6)}L${round(last.x)} ${round(last.y)}L${back} ${round(last.y + HEAD / 1.6)}`;
}

/** A tenth of a unit more or less is nothing that anybody sees, and numbers without a point are shorter. */
function round(value: number): number {
  return Math.round(value);
}
