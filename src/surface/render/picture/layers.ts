/**
 * Layout of a graph whose links lead from left to right: an order of nodes with few backward links (P. Eades, X. Lin, W. Smyth,
 * 1993), layers bounded in height, and positions near the middle of a node's neighbours (K. Sugiyama, S. Tagawa, M. Toda, 1981).
 *
 * A link across several layers passes each on a lane; links to the same node share their lanes, so a bundle reads as one
 * line. Boxes never overlap, and no lane crosses a box. The same graph gives the same picture.
 */
import type { Link, Point, Rectangle, Size } from "./fold-graph.ts";

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

/** See the header. */
export function placeBoxes(sizes: readonly Size[], links: readonly Link[]): Placed {
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
  const widest = linked.reduce((most, node) => Math.max(most, (spaced[node] as Size).width), 1);
  const fitting = Math.floor(Math.max(WIDTH, Math.sqrt(area) * WIDEST) / widest);
  const columns = Math.min(taken.length, Math.max(1, fitting));
  return layerOf.map((layer) => (layer < 0 ? -1 : columns - 1 - Math.floor((layer * columns) / taken.length)));
}

interface PlacedLayers {
  /** Boxes and lanes of each layer from top to bottom. Lanes have the numbers behind those of the boxes. */
  readonly items: readonly (readonly number[])[];
  /** Lanes by their names. */
  readonly lanes: ReadonlyMap<string, number>;
  /** Height of the middle of each box and lane. */
  readonly middles: readonly number[];
}

/** Boxes and lanes in their layers, each close to the middle of its neighbours (barycenter ordering). */
function placeInLayers(
  places: Int32Array,
  layerOf: Int32Array,
  forward: readonly Link[],
  sizes: readonly Size[],
): PlacedLayers {
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

/** Middles in the order given, without overlap: each where it is wanted or below the one before, the row as a whole where it is wanted. */
function spreadOut(
  nodes: readonly number[],
  wanted: readonly number[],
  lengthOf: (node: number) => number,
): readonly number[] {
  let end = Number.NEGATIVE_INFINITY;
  const middles = nodes.map((node, at) => {
    const half = lengthOf(node) / 2;
    const middle = Math.max(wanted[at] as number, end + GAP + half);
    end = middle + half;
    return middle;
  });
  const late = middles.reduce((sum, middle, at) => sum + middle - (wanted[at] as number), 0) / nodes.length;
  return middles.map((middle) => middle - late);
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
export function sideOf({ x, y, width, height }: Rectangle, side: 0 | 1): Point {
  return { x: x + side * width, y: y + height / 2 };
}
