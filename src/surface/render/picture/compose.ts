/**
 * Picture of a folded graph: positions of boxes, labels and links, and a box in words.
 *
 * Boxes are single, or files in frames of their folders. Labels are in a fixed-width font, so their width is known without a
 * browser.
 */
import { formatCount, formatNumber } from "../numbers.ts";
import type { Box, BoxLink, FoldedGraph, Link, Point, Rectangle, Size } from "./fold-graph.ts";
import { placeBoxes, sideOf } from "./layers.ts";

/** Any character beyond these may be drawn from another font, up to twice as wide. */
const NARROW = /^[\u0020-\u007e\u00a0-\u024f…]$/;

/** How many columns of the font a text takes at most. */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += NARROW.test(character) ? 1 : 2;
  return columns;
}

/** The text where it fits; else its end behind `…`: ends tell paths apart. */
export function cutLabel(text: string, maxColumns: number): string {
  if (countColumns(text) <= maxColumns) return text;
  const kept: string[] = [];
  let columns = 1;
  for (const character of [...text].reverse()) {
    columns += countColumns(character);
    if (columns > maxColumns) break;
    kept.push(character);
  }
  return `…${kept.reverse().join("")}`;
}

/** `src/core/, 12 files, leads to 3, 5 lead here, in a cycle`. @param item What is in folders is called: `file`. */
export function describeBox({ kind, id, label, files, fanIn, fanOut, cycle }: Box, item: string): string {
  const name = kind === "rest" ? label : id;
  const parts = [
    name,
    ...(kind === "file" ? [] : [formatCount(files, item)]),
    ...(kind === "outside" ? ["outside"] : []),
    `leads to ${formatNumber(fanOut)}`,
    `${formatNumber(fanIn)} ${fanIn === 1 ? "leads" : "lead"} here`,
    ...(cycle > 0 ? [`in cycle ${cycle}`] : []),
  ];
  return parts.join(", ");
}

/** A label by the left end of its line. */
export interface Label extends Point {
  readonly text: string;
  /** Height of its letters, in units of the picture. */
  readonly size: number;
}

/** A box where it stands. */
export interface PlacedBox extends Rectangle {
  readonly box: Box;
  readonly label: Label;
}

/** A folder around the boxes of its files. */
export interface Frame extends Rectangle {
  readonly folder: string;
  readonly label: Label;
}

/** A link with its corners, see `placeBoxes`. */
export interface Way {
  readonly link: BoxLink;
  readonly points: readonly Point[];
}

/** See the header. */
export interface Picture extends Size {
  /** In the order of the graph's boxes. */
  readonly boxes: readonly PlacedBox[];
  readonly frames: readonly Frame[];
  readonly ways: readonly Way[];
  /** Links between boxes that are not drawn: those of the rest, and those that weigh least. */
  readonly linksNotDrawn: number;
  /** Where boxes without links begin; undefined where there are none, or frames show them. */
  readonly looseTop: number | undefined;
}

/** How to draw. */
interface PictureOptions {
  /** Whether files stand in frames of their folders. */
  readonly withFrames: boolean;
  /** Links that are drawn at most. */
  readonly maxLinks: number;
}

/** Of the widest usual fixed-width font, in parts of its height. */
const COLUMN = 0.62;
const TEXT = 12;
const HUB_TEXT = 15;
const MAX_COLUMNS = 30;
const BOX_HEIGHT = 28;
const HUB_HEIGHT = 38;
const PADDING = 9;
/** A box is a hub from so many links on, and where it has half as many as the one with most. */
const HUB_LINKS = 6;

const ROW = 20;
const HUB_ROW = 28;
const ROW_GAP = 2;
const FRAME_TITLE = 26;
/** Room at the left of a column for links inside of a frame. */
const GUTTER = 18;
const MAX_ROWS = 24;

/** Links of a whole collection's folder: how far they bend out, at least. */
const BEND = 8;

/** See the header. */
export function composePicture(graph: FoldedGraph, { withFrames, maxLinks }: PictureOptions): Picture {
  // What had no room stands for too much to show where its links lead.
  const links = graph.links.filter(({ from, to }) => !isRest(graph, from) && !isRest(graph, to)).slice(0, maxLinks);
  const linksNotDrawn = graph.links.length - links.length;
  return { ...(withFrames ? composeFrames(graph, links) : composeBoxes(graph, links)), linksNotDrawn };
}

/** How wide a text is at most. */
export function widthOf(text: string, size: number): number {
  return Math.ceil(countColumns(text) * size * COLUMN);
}

function isRest({ boxes }: FoldedGraph, box: number): boolean {
  return boxes[box]?.kind === "rest";
}

type Composed = Omit<Picture, "linksNotDrawn">;

function composeBoxes({ boxes }: FoldedGraph, links: readonly BoxLink[]): Composed {
  const isHub = hubTest(boxes);
  const shapes = boxes.map((box) => {
    const size = isHub(box) ? HUB_TEXT : TEXT;
    const text = textOf(box, box.label);
    return { text, size, width: widthOf(text, size) + PADDING, height: isHub(box) ? HUB_HEIGHT : BOX_HEIGHT };
  });
  const placed = placeBoxes(shapes, links);
  return {
    width: placed.width,
    height: placed.height,
    looseTop: placed.looseTop,
    frames: [],
    boxes: placed.boxes.map((at, index) => {
      const { text, size } = shapes[index] as (typeof shapes)[number];
      return { ...at, box: boxes[index] as Box, label: labelIn(at, text, size) };
    }),
    ways: links.map((link, index) => ({ link, points: placed.ways[index] ?? [] })),
  };
}

/** Boxes of a folder in columns, as a frame around them. */
interface Group extends Size {
  readonly folder: string;
  readonly title: string;
  /** Boxes with where they stand in the frame. */
  readonly members: readonly {
    readonly box: number;
    readonly at: Rectangle;
    readonly text: string;
    readonly size: number;
  }[];
}

function composeFrames({ boxes, folder }: FoldedGraph, links: readonly BoxLink[]): Composed {
  const groups = groupBoxes(boxes, folder);
  const groupOf = new Int32Array(boxes.length);
  for (const [group, { members }] of groups.entries()) for (const { box } of members) groupOf[box] = group;
  const between = new Map<number, Link>();
  for (const link of links) {
    const [from, to] = [groupOf[link.from] as number, groupOf[link.to] as number];
    if (from !== to) between.set(from * groups.length + to, { from, to });
  }
  const joined = [...between.values()];
  const placed = placeBoxes(groups, joined);
  const wayOf = new Map([...between.keys()].map((key, at) => [key, placed.ways[at] as readonly Point[]]));
  const placedBoxes: PlacedBox[] = new Array(boxes.length);
  const frames = groups.map(({ folder: id, title, members }, group): Frame => {
    const frame = placed.boxes[group] as Rectangle;
    for (const { box, at, text, size } of members) {
      const own = { ...at, x: frame.x + at.x, y: frame.y + at.y };
      placedBoxes[box] = { ...own, box: boxes[box] as Box, label: labelIn(own, text, size) };
    }
    return {
      ...frame,
      folder: id,
      label: { x: frame.x + PADDING, y: frame.y + FRAME_TITLE / 2, text: title, size: TEXT },
    };
  });
  const ways = links.map((link): Way => {
    const [from, to] = [placedBoxes[link.from] as PlacedBox, placedBoxes[link.to] as PlacedBox];
    const [a, b] = [groupOf[link.from] as number, groupOf[link.to] as number];
    if (a === b) return { link, points: bendBeside(from, to) };
    const way = wayOf.get(a * groups.length + b) as readonly Point[];
    const [left, right] = [(frames[a] as Frame).x, (frames[b] as Frame).x];
    if (left === right) return { link, points: [sideOf(from, 1), ...atHeights(way, from, to), sideOf(to, 1)] };
    return { link, points: wayBetween(from, to, way, left < right) };
  });
  return { width: placed.width, height: placed.height, looseTop: placed.looseTop, frames, boxes: placedBoxes, ways };
}

function groupBoxes(boxes: readonly Box[], folder: string): Group[] {
  const byFolder = Map.groupBy(boxes.keys(), (at) => (boxes[at] as Box).parent);
  const isHub = hubTest(boxes);
  return [...byFolder].map(([id, members]): Group => {
    const name = id === "" && folder !== "" ? "outside" : id.slice(folder.length) || id || "everything";
    const title = cutLabel(name, MAX_COLUMNS + 10);
    const rows = Math.ceil(members.length / Math.ceil(members.length / MAX_ROWS));
    let x = GUTTER;
    let bottom = 0;
    const placed: Group["members"][number][] = [];
    for (let first = 0; first < members.length; first += rows) {
      const column = members.slice(first, first + rows).map((at) => {
        const box = boxes[at] as Box;
        const size = isHub(box) ? HUB_TEXT : TEXT;
        const text = textOf(box, box.id.slice(box.parent.length));
        return { box: at, text, size, width: widthOf(text, size) + PADDING, height: isHub(box) ? HUB_ROW : ROW };
      });
      const width = Math.max(...column.map((member) => member.width));
      let y = FRAME_TITLE;
      for (const { box, text, size, height } of column) {
        placed.push({ box, text, size, at: { x, y, width, height } });
        y += height + ROW_GAP;
      }
      x += width + GUTTER;
      bottom = Math.max(bottom, y);
    }
    return {
      folder: id,
      title,
      members: placed,
      width: Math.max(x - GUTTER + PADDING, widthOf(title, TEXT) + 2 * PADDING),
      height: bottom + PADDING,
    };
  });
}

/** The way of their frames, at the height of the boxes from where it leaves the one frame and enters the other. */
function wayBetween(from: Rectangle, to: Rectangle, way: readonly Point[], isToRight: boolean): Point[] {
  const [start, end] = [sideOf(from, isToRight ? 1 : 0), sideOf(to, isToRight ? 0 : 1)];
  const [outAt, inAt] = isToRight ? [1, way.length - 1] : [0, way.length - 2];
  const lanes = way.slice(isToRight ? 2 : 1, isToRight ? -1 : -2);
  return [start, { x: (way[outAt] as Point).x, y: start.y }, ...lanes, { x: (way[inAt] as Point).x, y: end.y }, end];
}

/** The way between frames of one layer, at the heights of their boxes. */
function atHeights(way: readonly Point[], from: Rectangle, to: Rectangle): Point[] {
  const [start, end] = [sideOf(from, 1).y, sideOf(to, 1).y];
  return way.slice(1, -1).map(({ x }, at) => ({ x, y: at < 2 ? start : end }));
}

/** The way between two boxes of a frame: out to the left of both. */
function bendBeside(from: Rectangle, to: Rectangle): Point[] {
  const [start, end] = [sideOf(from, 0), sideOf(to, 0)];
  const x = Math.min(start.x, end.x) - BEND;
  return [start, { x, y: start.y }, { x, y: end.y }, end];
}

/** Labels begin at the left, so that names under one another can be read like a list. */
function labelIn({ x, y, height }: Rectangle, text: string, size: number): Label {
  return { x: x + PADDING / 2, y: y + height / 2, text, size };
}

/** A name, and of what stands for several files how many. */
function textOf({ kind, label, files }: Box, name: string): string {
  if (kind === "rest") return label;
  return kind === "file" ? cutLabel(name, MAX_COLUMNS) : `${cutLabel(name, MAX_COLUMNS - 5)} ${files}`;
}

function hubTest(boxes: readonly Box[]): (box: Box) => boolean {
  const countLinks = ({ fanIn, fanOut }: Box): number => fanIn + fanOut;
  const most = Math.max(...boxes.map(countLinks), 0);
  return (box) => countLinks(box) >= Math.max(HUB_LINKS, most / 2);
}
