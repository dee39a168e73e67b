/**
 * A graph as SVG: each box is a link that a keyboard reaches, each link of the graph an arrow. What colours say, shapes say too: cycles
 * have a double border and thick arrows, links of types alone are dashed, what is outside has a dashed border.
 */
import { roundTo } from "../../surface/render/numbers.ts";
import { describeBox, type Picture } from "../../surface/render/picture/compose.ts";
import type { Box, Point } from "../../surface/render/picture/fold-graph.ts";
import { type Html, html } from "./html.ts";

type PlacedBox = Picture["boxes"][number];

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

function drawFrame({ x, y, width, height, label }: Picture["frames"][number]): Html {
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

function drawLabel({ x, y, size, text }: PlacedBox["label"]): Html {
  // A third of the letters' height below the middle is where they stand.
  return html`<text x="${round(x)}" y="${round(y + size * 0.35)}"${size > 12 ? html` class="large"` : ""}>${text}</text>`;
}

function drawWay({ link, points }: Picture["ways"][number], focus: number | undefined): Html {
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
