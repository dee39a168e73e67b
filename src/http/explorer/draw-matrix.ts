/**
 * A graph as a matrix of dependencies: a row for each box, marked in the column of each box that it leads to (D. Steward, "The
 * design structure system", 1981). Boxes of a folder stand together; folders, and boxes in them, stand in an order in which most
 * links lead to the right of the diagonal. Nothing crosses, so hundreds of boxes can be read.
 *
 * Pure: a graph in, HTML out.
 */
import { formatCount } from "../../render/counts.ts";
import { orderNodes } from "../../render/picture/break-cycles.ts";
import { describeBox } from "../../render/picture/describe.ts";
import type { Box, BoxLink, FoldedGraph } from "../../render/picture/fold-graph.ts";
import { cutLabel } from "../../render/picture/label.ts";
import { type Html, html } from "./html.ts";

/** What the page around it knows. */
export interface MatrixOptions {
  readonly hrefOf: (box: Box) => string;
  /** What a link is called. */
  readonly noun: string;
  /** What is in a folder is called. */
  readonly item: string;
}

/** Marks at most; the lightest are left out. */
export const MAX_MARKS = 3000;
/** Side of a cell in units, the same as a row of the list beside it. */
const CELL = 18;
/** Of a name, in columns of its font. */
const MAX_COLUMNS = 34;
/** Above the first row. */
const HEAD = 26;

/** The list of rows, and the cells beside it. */
export function drawMatrix({ boxes, links }: FoldedGraph, { hrefOf, noun, item }: MatrixOptions): Html {
  const ordered = orderRows(boxes, links);
  const places = new Int32Array(boxes.length);
  for (const [place, at] of ordered.entries()) places[at] = place;
  const side = boxes.length * CELL;
  const shown = links.slice(0, MAX_MARKS);
  const name = `${formatCount(boxes.length, "row")} and as many columns, ${formatCount(shown.length, "mark")}`;
  return html`<div class="matrix"><ol>${ordered.map((at) => {
    const box = boxes[at] as Box;
    return html`<li><a href="${hrefOf(box)}" title="${describeBox(box, item)}"><bdi>${cutLabel(box.label, MAX_COLUMNS)}</bdi></a>${box.cycle > 0 && html` <span class="error">cycle ${box.cycle}</span>`}</li>
`;
  })}</ol><svg width="${side + 1}" height="${side + HEAD}" viewBox="0 0 ${side + 1} ${side + HEAD}" role="img" aria-label="${name}; the list says the same">
${ordered.map((_, at) => html`<text x="${at * CELL + CELL / 2}" y="${HEAD - (at % 2 === 0 ? 4 : 14)}">${at + 1}</text>`)}
<path class="grid" d="${gridOf(boxes.length)}"/>
${ordered.map((_, at) => html`<rect class="self" x="${at * CELL}" y="${HEAD + at * CELL}" width="${CELL}" height="${CELL}"/>`)}
${shown.map((link) => drawMark(link, boxes, places, noun))}
</svg></div>`;
}

/** Boxes by the mean place of the part of the folder that they are in, then of their own folder, then by their own. */
function orderRows(boxes: readonly Box[], links: readonly BoxLink[]): number[] {
  const places = orderNodes(boxes.length, links);
  const meanBy = (nameOf: (box: Box) => string): ((at: number) => number) => {
    const means = new Map<string, number>();
    for (const [name, own] of Map.groupBy(boxes.keys(), (at) => nameOf(boxes[at] as Box))) {
      means.set(name, own.reduce((sum, at) => sum + (places[at] as number), 0) / own.length);
    }
    return (at) => means.get(nameOf(boxes[at] as Box)) as number;
  };
  const ofPart = meanBy(({ label }) => label.slice(0, label.indexOf("/") + 1));
  const ofFolder = meanBy(({ parent }) => parent);
  return [...boxes.keys()].sort(
    (a, b) => ofPart(a) - ofPart(b) || ofFolder(a) - ofFolder(b) || (places[a] as number) - (places[b] as number),
  );
}

function drawMark(link: BoxLink, boxes: readonly Box[], places: Int32Array, noun: string): Html {
  const { from, to, weight, isInCycle } = link;
  const [x, y] = [(places[to] as number) * CELL, HEAD + (places[from] as number) * CELL];
  const title = `${boxes[from]?.label} → ${boxes[to]?.label}: ${formatCount(weight, noun)}`;
  const size = Math.min(CELL - 4, 8 + 2 * Math.floor(Math.log2(weight)));
  const middle = CELL / 2;
  // Colour is not all that tells cycles: their marks are round.
  if (isInCycle) {
    return html`<circle class="mark cycle" cx="${x + middle}" cy="${y + middle}" r="${size / 2}"><title>${title}</title></circle>`;
  }
  const corner = middle - size / 2;
  return html`<rect class="mark" x="${x + corner}" y="${y + corner}" width="${size}" height="${size}"><title>${title}</title></rect>`;
}

/** A line at every fifth row and column, which eyes can follow. */
function gridOf(count: number): string {
  const side = count * CELL;
  let path = "";
  for (let at = 0; at <= count; at += 5) {
    path += `M0 ${HEAD + at * CELL}h${side}M${at * CELL} ${HEAD}v${side}`;
  }
  return path;
}
