/**
 * Picture of a folded graph: positions of boxes, labels and links, and a box in words. Layout: an order of nodes with few backward
 * links (P. Eades, X. Lin, W. Smyth, 1993), layers bounded in height, and positions near the middle of a node's neighbours
 * (K. Sugiyama, S. Tagawa, M. Toda, 1981). The same graph gives the same picture.
 *
 * Labels are in a fixed-width font, so their width is known without a browser.
 */
import type { Box, BoxLink, FoldedGraph, Link, Point, Rectangle, Size } from "./fold-graph.ts";

/** Any character beyond these may be drawn from another font, up to twice as wide. */
const NARROW = /^[\u0020-\u007e\u00a0-\u024f…]$/;

/** How many columns of the font a text takes at most. */
function countColumns(text: string): number {
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

/** A label by the left end of its line. */
interface Label extends Point {
  readonly text: string;
  /** Height of its letters, in units of the picture. */
  readonly size: number;
}

interface PlacedBox extends Rectangle {
  readonly box: Box;
  readonly label: Label;
}

/** A link with its corners, see `Placed`. */
interface Way {
  readonly link: BoxLink;
  readonly points: readonly Point[];
}

export interface Picture extends Size {
  /** In the order of the graph's boxes. */
  readonly boxes: readonly PlacedBox[];
  readonly ways: readonly Way[];
  /** Links between boxes that are not drawn: those of the rest, and those that weigh least. */
  readonly linksNotDrawn: number;
  /** Where boxes without links begin; undefined where there are none. */
  readonly looseTop: number | undefined;
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

/** See the header. @param maxLinks Links that are drawn at most. */
export function composePicture(graph: FoldedGraph, maxLinks: number): Picture {
  const { boxes } = graph;
  // What had no room stands for too much to show where its links lead.
  const links = graph.links.filter(({ from, to }) => !isRest(graph, from) && !isRest(graph, to)).slice(0, maxLinks);
  const isHub = hubTest(boxes);
  const shapes = boxes.map((box) => shapeOf(box, isHub(box)));
  const placed = placeBoxes(shapes, links);
  return {
    width: placed.width,
    height: placed.height,
    looseTop: placed.looseTop,
    linksNotDrawn: graph.links.length - links.length,
    boxes: placed.boxes.map((at, index) => {
      const { text, size } = shapes[index] as (typeof shapes)[number];
      return { ...at, box: boxes[index] as Box, label: labelIn(at, text, size) };
    }),
    ways: links.map((link, index) => ({ link, points: placed.ways[index] ?? [] })),
  };
}

/** How wide a text is at most. */
function widthOf(text: string, size: number): number {
  return Math.ceil(countColumns(text) * size * COLUMN);
}

function isRest({ boxes }: FoldedGraph, box: number): boolean {
  return boxes[box]?.kind === "rest";
}

/** The text of a box, and how much room it takes. */
function shapeOf(box: Box, isHub: boolean) {
  const size = isHub ? HUB_TEXT : TEXT;
  const text = textOf(box);
  return { text, size, width: widthOf(text, size) + PADDING, height: isHub ? HUB_HEIGHT : BOX_HEIGHT };
}

/** Labels begin at the left, so that names under one another can be read like a list. */
function labelIn({ x, y, height }: Rectangle, text: string, size: number): Label {
  return { x: x + PADDING / 2, y: y + height / 2, text, size };
}

/** A name, and of what stands for several files how many. */
function textOf({ kind, label, files }: Box): string {
  if (kind === "rest") return label;
  return kind === "file" ? cutLabel(label, MAX_COLUMNS) : `${cutLabel(label, MAX_COLUMNS - 5)} ${files}`;
}

function hubTest(boxes: readonly Box[]): (box: Box) => boolean {
  const countLinks = ({ fanIn, fanOut }: Box): number => fanIn + fanOut;
  const most = Math.max(...boxes.map(countLinks), 0);
  return (box) => countLinks(box) >= Math.max(HUB_LINKS, most / 2);
}

/** Places of the nodes in the order. Time grows with the square of the nodes, and with the links. */
export function orderNodes(count: number, links: readonly Link[]): Int32Array {
  const [out, into] = neighboursOf(
    count,
    links.filter(({ from, to }) => from !== to),
  );
  const left = new Set(out.keys());
  const places = new Int32Array(count);
  const take = (node: number, place: number): void => {
    places[node] = place;
    left.delete(node);
    for (const to of out[node] ?? []) into[to]?.delete(node);
    for (const from of into[node] ?? []) out[from]?.delete(node);
  };
  const sizeOf = (sets: readonly Set<number>[], node: number): number => sets[node]?.size ?? 0;
  const gainOf = (node: number): number => (sizeOf(into, node) === 0 ? count : sizeOf(out, node) - sizeOf(into, node));
  let front = 0;
  let end = count - 1;
  while (left.size > 0) {
    const nodes = [...left];
    const sink = nodes.find((node) => sizeOf(out, node) === 0);
    if (sink !== undefined) take(sink, end--);
    else
      take(
        nodes.reduce((best, node) => (gainOf(node) > gainOf(best) ? node : best)),
        front++,
      );
  }
  return places;
}

/** What each node leads to, and what leads to it. */
function neighboursOf(count: number, links: readonly Link[]): [out: Set<number>[], into: Set<number>[]] {
  const out = Array.from({ length: count }, () => new Set<number>());
  const into = Array.from({ length: count }, () => new Set<number>());
  for (const { from, to } of links) {
    out[from]?.add(to);
    into[to]?.add(from);
  }
  return [out, into];
}

/** A picture without its drawing. */
interface Placed extends Size {
  /** In the order of the sizes. */
  readonly boxes: readonly Rectangle[];
  /**
   * Of each link its corners, from a side of the one box to a side of the other; beside the box that is further to the left, one
   * where its layer ends. Between two corners of the same height the way is straight, else it bends. Empty for a link of a box
   * to itself.
   */
  readonly ways: readonly (readonly Point[])[];
  /** Where boxes without links begin; undefined where there are none. */
  readonly looseTop: number | undefined;
}

const MARGIN = 12;
/** Between boxes of a layer, and between layers. */
const GAP = 10;
const LAYER_GAP = 72;
/** What a lane takes. */
const LANE = 6;
/** Sweeps over all layers to order them, and to place what is in them; more change little. */
const SWEEPS = 8;
/** Room above boxes without links, for what they are called. */
const LOOSE_TITLE = 34;
/** How wide pictures are, to how high. */
const ASPECT = 1.7;
/** A picture is no wider than this, or than so many sides of a square of all boxes: neighbouring layers are joined. */
const WIDTH = 1500;
const WIDEST = 2;
/** Pictures without links are as wide as a page. */
const MIN_WIDTH = 900;

/**
 * Boxes in layers from left to right, and the ways of links between them. A link across several layers passes each on a lane; links
 * to the same node share their lanes, so a bundle reads as one line. Boxes never overlap, and no lane crosses a box.
 */
function placeBoxes(sizes: readonly Size[], links: readonly Link[]): Placed {
  const places = orderNodes(sizes.length, links);
  const isBack = ({ from, to }: Link): boolean => (places[from] as number) > (places[to] as number);
  const forward = links
    .filter(({ from, to }) => from !== to)
    .map((link) => (isBack(link) ? { from: link.to, to: link.from } : link));
  const layerOf = assignLayers(places, forward, sizes);
  const { items, lanes, middles } = placeInLayers(places, layerOf, forward, sizes);
  const boxes: Rectangle[] = new Array(sizes.length);
  const spans: { readonly left: number; readonly right: number }[] = [];
  let x = MARGIN;
  let bottom = MARGIN;
  for (const own of items) {
    let right = x;
    for (const node of own) {
      const [size, middle] = [sizes[node], middles[node] as number];
      bottom = Math.max(bottom, middle + (size?.height ?? 0) / 2);
      if (size === undefined) continue;
      boxes[node] = { ...size, x, y: middle - size.height / 2 };
      right = Math.max(right, x + size.width);
    }
    spans.push({ left: x, right });
    x = right + LAYER_GAP;
  }
  const width = (spans.at(-1)?.right ?? 0) + MARGIN;
  const loose = [...layerOf.keys()].filter((node) => layerOf[node] === -1);
  const looseTop = loose.length === 0 ? undefined : items.length === 0 ? MARGIN : bottom + GAP;
  const shelves = placeOnShelves(loose, sizes, (looseTop ?? 0) + LOOSE_TITLE, Math.max(width, MIN_WIDTH), boxes);
  const spanOf = (layer: number) => spans[layer] as (typeof spans)[number];
  const ways = links.map((link): Point[] => {
    if (link.from === link.to) return [];
    const [from, to] = isBack(link) ? [link.to, link.from] : [link.from, link.to];
    const [first, last] = [layerOf[from] as number, layerOf[to] as number];
    const edge = sideOf(boxes[from] as Rectangle, 1);
    const { right } = spanOf(first);
    // Beside boxes that are wider it may not bend yet.
    const way = [edge, { x: right, y: edge.y }];
    if (first === last) way.push(...besideLayer(edge, sideOf(boxes[to] as Rectangle, 1), right));
    else {
      for (let layer = first + 1; layer < last; layer++) {
        const y = middles[lanes.get(laneName(to, layer)) as number] as number;
        way.push({ x: spanOf(layer).left, y }, { x: spanOf(layer).right, y });
      }
      way.push(sideOf(boxes[to] as Rectangle, 0));
    }
    return isBack(link) ? way.reverse() : way;
  });
  return {
    boxes,
    ways,
    looseTop,
    width: ways.flat().reduce((most, point) => Math.max(most, point.x + MARGIN), Math.max(width, shelves.width)),
    height: Math.max(bottom, shelves.bottom) + MARGIN,
  };
}

/** Layer of each node that has links, from the left: before all that it leads to, as far as joined layers allow; else -1. */
function assignLayers(places: Int32Array, forward: readonly Link[], sizes: readonly Size[]): Int32Array {
  const spaced = sizes.map(({ width, height }) => ({ width: width + LAYER_GAP, height: height + GAP }));
  const area = spaced.reduce((sum, { width, height }) => sum + width * height, 0);
  const maxHeight = Math.max(160, Math.sqrt(area / ASPECT));
  const layerOf = new Int32Array(places.length).fill(-1);
  const lowest = new Int32Array(places.length);
  const [, into] = neighboursOf(places.length, forward);
  const linked = [...new Set(forward.flatMap(({ from, to }) => [from, to]))];
  const taken: number[] = [];
  // Counted from the right: what leads nowhere is in layer 0.
  for (const node of linked.sort((a, b) => (places[b] as number) - (places[a] as number))) {
    const { height } = spaced[node] as Size;
    let layer = lowest[node] as number;
    while ((taken[layer] ?? 0) > 0 && (taken[layer] as number) + height > maxHeight) layer++;
    taken[layer] = (taken[layer] ?? 0) + height;
    layerOf[node] = layer;
    for (const from of into[node] ?? []) lowest[from] = Math.max(lowest[from] as number, layer + 1);
  }
  const widths = taken.map((_, layer) =>
    Math.max(...linked.map((node) => (layerOf[node] === layer ? (spaced[node] as Size).width : 0))),
  );
  const whole = widths.reduce((sum, width) => sum + width, 0);
  const fitting = Math.floor((taken.length * Math.max(WIDTH, Math.sqrt(area) * WIDEST)) / whole);
  const columns = Math.min(taken.length, Math.max(1, fitting));
  return layerOf.map((layer) => (layer < 0 ? -1 : columns - 1 - Math.floor((layer * columns) / taken.length)));
}

/**
 * Boxes and lanes of each layer from top to bottom, with the heights of their middles, each close to the middle of its neighbours
 * (barycenter ordering). Lanes have the numbers behind those of the boxes.
 */
function placeInLayers(places: Int32Array, layerOf: Int32Array, forward: readonly Link[], sizes: readonly Size[]) {
  const count = layerOf.reduce((most, layer) => Math.max(most, layer + 1), 0);
  const items: number[][] = Array.from({ length: count }, () => []);
  for (const node of [...layerOf.keys()].sort((a, b) => (places[a] as number) - (places[b] as number))) {
    items[layerOf[node] as number]?.push(node);
  }
  const lanes = new Map<string, number>();
  const segments: Link[] = [];
  for (const { from, to } of forward) {
    let before = from;
    for (let layer = (layerOf[from] as number) + 1; layer < (layerOf[to] as number); layer++) {
      const name = laneName(to, layer);
      const lane = lanes.get(name) ?? sizes.length + lanes.size;
      if (!lanes.has(name)) items[layer]?.push(lane);
      lanes.set(name, lane);
      segments.push({ from: before, to: lane });
      before = lane;
    }
    if (layerOf[from] !== layerOf[to]) segments.push({ from: before, to });
  }
  const [out, into] = neighboursOf(sizes.length + lanes.size, segments);
  const meanOf = (nodes: Iterable<number>, values: readonly number[], otherwise: number): number => {
    const found = [...nodes].map((node) => values[node] as number);
    return found.length === 0 ? otherwise : found.reduce((sum, value) => sum + value, 0) / found.length;
  };
  const ranks: number[] = [];
  const middles: number[] = [];
  const rank = (own: readonly number[]): void => {
    for (const [at, node] of own.entries()) ranks[node] = at / own.length;
  };
  const place = (own: readonly number[], wanted: readonly number[]): void => {
    const placed = spreadOut(own, wanted, (node) => sizes[node]?.height ?? LANE);
    for (const [at, node] of own.entries()) middles[node] = placed[at] as number;
  };
  items.forEach(rank);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const near = sweep % 2 === 0 ? into : out;
    for (const own of sweep % 2 === 0 ? items : items.toReversed()) {
      const means = new Map(own.map((node) => [node, meanOf(near[node] ?? [], ranks, ranks[node] as number)]));
      own.sort((a, b) => (means.get(a) as number) - (means.get(b) as number));
      rank(own);
    }
  }
  for (const own of items)
    place(
      own,
      own.map(() => 0),
    );
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const own of sweep % 2 === 0 ? items.toReversed() : items) {
      place(
        own,
        own.map((node) => meanOf([...(into[node] ?? []), ...(out[node] ?? [])], middles, middles[node] as number)),
      );
    }
  }
  const heightOf = (node: number): number => (middles[node] as number) - (sizes[node]?.height ?? LANE) / 2;
  const top = items.flat().reduce((least, node) => Math.min(least, heightOf(node)), Number.POSITIVE_INFINITY);
  return { items, lanes, middles: middles.map((middle) => middle - top + MARGIN) };
}

/** A lane of links to a node in a layer. */
function laneName(to: number, layer: number): string {
  return `${to}/${layer}`;
}

/**
 * Middles in the order given, without overlap, as close as can be to those that are wanted. The least sum of squares under an
 * order is isotonic regression: neighbours that stand in each other's way are pooled (M. Ayer et al., 1955).
 */
function spreadOut(
  nodes: readonly number[],
  wanted: readonly number[],
  lengthOf: (node: number) => number,
): readonly number[] {
  const before: number[] = [];
  const pools: { readonly mean: number; readonly count: number }[] = [];
  for (const [at, node] of nodes.entries()) {
    const last = nodes[at - 1];
    before.push(last === undefined ? 0 : (before[at - 1] as number) + (lengthOf(last) + lengthOf(node)) / 2 + GAP);
    let pool = { mean: (wanted[at] as number) - (before[at] as number), count: 1 };
    for (let other = pools.at(-1); other !== undefined && other.mean > pool.mean; other = pools.at(-1)) {
      pools.pop();
      const count = other.count + pool.count;
      pool = { mean: (other.mean * other.count + pool.mean * pool.count) / count, count };
    }
    pools.push(pool);
  }
  return pools
    .flatMap(({ mean, count }) => new Array<number>(count).fill(mean))
    .map((mean, at) => mean + (before[at] as number));
}

/** The way between two boxes of one layer, beside it: the longer, the further out. */
function besideLayer(start: Point, end: Point, right: number): Point[] {
  const x = right + 8 + Math.min(LAYER_GAP / 2, Math.abs(end.y - start.y) / 12);
  return [{ x, y: start.y }, { x, y: end.y }, { x: right, y: end.y }, end];
}

/** Puts boxes in rows, as many in each as fit. */
function placeOnShelves(
  nodes: readonly number[],
  sizes: readonly Size[],
  top: number,
  width: number,
  boxes: Rectangle[],
): { readonly bottom: number; readonly width: number } {
  let [x, y, rowHeight, right] = [MARGIN, top, 0, 0];
  for (const node of nodes) {
    const size = sizes[node] as Size;
    if (x > MARGIN && x + size.width > width) {
      x = MARGIN;
      y += rowHeight + GAP;
      rowHeight = 0;
    }
    boxes[node] = { ...size, x, y };
    x += size.width + GAP;
    right = Math.max(right, x);
    rowHeight = Math.max(rowHeight, size.height);
  }
  return { bottom: nodes.length === 0 ? 0 : y + rowHeight, width: right };
}

/** The middle of a box's left (0) or right (1) side. */
function sideOf({ x, y, width, height }: Rectangle, side: 0 | 1): Point {
  return { x: x + side * width, y: y + height / 2 };
}
