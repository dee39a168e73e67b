/**
 * Layout of a graph whose links lead from left to right: an order of nodes with few backward links (P. Eades, X. Lin, W. Smyth,
 * 1993), layers bounded in height (K. Sugiyama, S. Tagawa, M. Toda, 1981; E. Coffman, R. Graham, 1972), and positions.
 *
 * A link across several layers passes each on a lane; links to the same node share their lanes, so a bundle reads as one
 * line. Boxes never overlap, and no link crosses a box that is not its own. The same graph gives the same picture.
 */
import type { Link, Point, Rectangle, Size } from "./fold-graph.ts";

/** Places of the nodes in the order. Time grows with the square of the nodes, and with the links. */
export function orderNodes(count: number, links: readonly Link[]): Int32Array {
  const out = Array.from({ length: count }, () => new Set<number>());
  const into = Array.from({ length: count }, () => new Set<number>());
  for (const { from, to } of links) {
    if (from === to) continue;
    out[from]?.add(to);
    into[to]?.add(from);
  }
  const left = new Set(Array.from({ length: count }, (_, node) => node));
  const places = new Int32Array(count);
  let front = 0;
  let end = count - 1;
  const take = (node: number, place: number): void => {
    places[node] = place;
    left.delete(node);
    for (const to of out[node] ?? []) into[to]?.delete(node);
    for (const from of into[node] ?? []) out[from]?.delete(node);
  };
  while (left.size > 0) {
    let best = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (const node of left) {
      const outward = out[node]?.size ?? 0;
      const inward = into[node]?.size ?? 0;
      // A sink is worth less than nothing here: it is taken to the end as soon as it is met.
      if (outward === 0) {
        take(node, end--);
        best = -1;
        most = Number.POSITIVE_INFINITY;
        break;
      }
      const gain = inward === 0 ? count : outward - inward;
      if (gain <= most) continue;
      most = gain;
      best = node;
    }
    if (best >= 0) take(best, front++);
  }
  return places;
}

/** A node in a layer, or a lane of links that pass it. */
interface LayerItem {
  /** The node; of a lane the one that its links lead to. */
  readonly node: number;
  readonly isLane: boolean;
}

/** Layers from left to right, each from top to bottom. */
interface Layers {
  readonly items: readonly (readonly LayerItem[])[];
  /** Layer of each node; -1 of one without links, which is in none. */
  readonly layerOf: Int32Array;
}

/** Sweeps over all layers; more change little. */
const SWEEPS = 8;

/**
 * Layers of the nodes that have links, each ordered so that few links cross.
 *
 * @param places Of the nodes in an order in which links lead forwards; those that lead backwards are drawn the other way.
 * @param sizes Of the nodes, with what is to be free beside and below them.
 * @param most Of the picture: a layer is no higher, its lanes not counted, but where the picture would be wider.
 */
function makeLayers(places: Int32Array, links: readonly Link[], sizes: readonly Size[], most: Size): Layers {
  const forward = uniqueForward(places, links);
  const layerOf = assignLayers(places, forward, sizes, most.height);
  const last = layerOf.reduce((highest, layer) => Math.max(highest, layer), -1);
  // Counted from the right while they were assigned, from the left from here on.
  for (const [node, layer] of layerOf.entries()) if (layer >= 0) layerOf[node] = last - layer;
  const count = joinLayers(layerOf, last + 1, sizes, most);
  const items: LayerItem[][] = Array.from({ length: count }, () => []);
  const byPlace = [...layerOf.keys()].sort((a, b) => (places[a] as number) - (places[b] as number));
  for (const node of byPlace) items[layerOf[node] as number]?.push({ node, isLane: false });
  const firstLane = new Map<number, number>();
  for (const { from, to } of forward) {
    const start = (layerOf[from] as number) + 1;
    const known = firstLane.get(to) ?? (layerOf[to] as number);
    for (let layer = start; layer < known; layer++) items[layer]?.push({ node: to, isLane: true });
    firstLane.set(to, Math.min(known, start));
  }
  orderLayers(items, layerOf, forward);
  return { items, layerOf };
}

/** Makes one of neighbouring layers, of as few as make the picture narrow enough. Returns how many there are then. */
function joinLayers(layerOf: Int32Array, count: number, sizes: readonly Size[], most: Size): number {
  const layers: { width: number; height: number }[] = Array.from({ length: count }, () => ({ width: 0, height: 0 }));
  for (const [node, layer] of layerOf.entries()) {
    const own = layers[layer];
    const { width, height } = sizes[node] as Size;
    if (own !== undefined) layers[layer] = { width: Math.max(own.width, width), height: own.height + height };
  }
  const totalHeight = layers.reduce((sum, { height }) => sum + height, 0);
  for (let height = 0; ; height = height === 0 ? most.height / 2 : height * HIGHER) {
    const joined: { width: number; height: number }[] = [];
    const newOf = layers.map((layer) => {
      const before = joined.at(-1);
      if (before !== undefined && before.height + layer.height <= height) {
        before.width = Math.max(before.width, layer.width);
        before.height += layer.height;
      } else joined.push({ ...layer });
      return joined.length - 1;
    });
    if (joined.reduce((sum, { width }) => sum + width, 0) > most.width && height < totalHeight) continue;
    for (const [node, layer] of layerOf.entries()) if (layer >= 0) layerOf[node] = newOf[layer] as number;
    return joined.length;
  }
}

/** By how much joined layers may grow from one try to the next. */
const HIGHER = 1.25;

/** Links with those that lead backwards turned, each pair once. */
function uniqueForward(places: Int32Array, links: readonly Link[]): Link[] {
  const found = new Map<number, Link>();
  for (const { from, to } of links) {
    if (from === to) continue;
    const isBack = (places[from] as number) > (places[to] as number);
    const link = isBack ? { from: to, to: from } : { from, to };
    found.set(link.from * places.length + link.to, link);
  }
  return [...found.values()];
}

/** Layers from the right: 0 for what leads nowhere, else behind all that a node leads to. -1 for nodes without links. */
function assignLayers(
  places: Int32Array,
  links: readonly Link[],
  sizes: readonly Size[],
  maxHeight: number,
): Int32Array {
  const layerOf = new Int32Array(places.length).fill(-1);
  const lowest = new Int32Array(places.length);
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  const leadingTo = Map.groupBy(links, ({ to }) => to);
  const taken: number[] = [];
  for (const node of [...linked].sort((a, b) => (places[b] as number) - (places[a] as number))) {
    const { height } = sizes[node] as Size;
    let layer = lowest[node] as number;
    while ((taken[layer] ?? 0) > 0 && (taken[layer] as number) + height > maxHeight) layer++;
    taken[layer] = (taken[layer] ?? 0) + height;
    layerOf[node] = layer;
    for (const { from } of leadingTo.get(node) ?? []) lowest[from] = Math.max(lowest[from] as number, layer + 1);
  }
  return layerOf;
}

/** Puts each item where its neighbours are in the middle, layer after layer, to and fro (barycenter ordering). */
function orderLayers(items: LayerItem[][], layerOf: Int32Array, links: readonly Link[]): void {
  const segments = segmentsOf(layerOf, links);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isToRight = sweep % 2 === 0;
    for (let step = 1; step < items.length; step++) {
      const at = isToRight ? step : items.length - 1 - step;
      const beside = items[isToRight ? at - 1 : at + 1] as LayerItem[];
      const placeOf = new Map(beside.map((item, place) => [nameOf(item), place]));
      const own = items[at] as LayerItem[];
      const means = new Map(
        own.map((item, place) => {
          const near = isToRight ? segments[at - 1]?.into.get(nameOf(item)) : segments[at]?.out.get(nameOf(item));
          const found = (near ?? []).map((name) => placeOf.get(name) ?? 0);
          const mean = found.reduce((sum, one) => sum + one, 0) / found.length;
          // Without a neighbour there it keeps its place.
          return [item, found.length === 0 ? (place * beside.length) / own.length : mean];
        }),
      );
      own.sort((a, b) => (means.get(a) as number) - (means.get(b) as number));
    }
  }
}

/** What is joined between a layer and the next one: names of items, each pair once. */
interface Segments {
  readonly out: ReadonlyMap<number, readonly number[]>;
  readonly into: ReadonlyMap<number, readonly number[]>;
}

/** Of each layer but the last, what leads from it to the next. */
function segmentsOf(layerOf: Int32Array, links: readonly Link[]): Segments[] {
  const pairs: Map<string, readonly [number, number]>[] = [];
  for (const { from, to } of links) {
    const [start, end] = [layerOf[from] as number, layerOf[to] as number];
    for (let layer = start; layer < end; layer++) {
      const left = nameOf({ node: layer === start ? from : to, isLane: layer > start });
      const right = nameOf({ node: to, isLane: layer + 1 < end });
      const ofLayer = pairs[layer] ?? new Map<string, readonly [number, number]>();
      pairs[layer] = ofLayer.set(`${left} ${right}`, [left, right]);
    }
  }
  return Array.from(pairs, (ofLayer) => {
    const out = new Map<number, number[]>();
    const into = new Map<number, number[]>();
    for (const [left, right] of ofLayer?.values() ?? []) {
      out.set(left, [...(out.get(left) ?? []), right]);
      into.set(right, [...(into.get(right) ?? []), left]);
    }
    return { out, into };
  });
}

/** Tells items of a layer apart. */
function nameOf({ node, isLane }: LayerItem): number {
  return 2 * node + Number(isLane);
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
/** How much more straight lanes count than boxes in the middle of their neighbours. */
const LANE_WEIGHT = 4;
const ROUNDS = 6;
/** Room above boxes without links, for what they are called. */
const LOOSE_TITLE = 34;
/** How wide pictures are, to how high. */
const ASPECT = 1.7;
/** What is wider, in parts of a square of all boxes, gets higher instead; what is no wider than a screen does not. */
const WIDEST = 2;
const WIDTH = 1500;

/** See the header. */
export function placeBoxes(sizes: readonly Size[], links: readonly Link[]): Placed {
  const count = sizes.length;
  const places = orderNodes(count, links);
  const spaced = sizes.map(({ width, height }) => ({ width: width + LAYER_GAP, height: height + GAP }));
  const { items, layerOf } = makeLayers(places, links, spaced, sizeFor(spaced));
  const turned = links.map(({ from, to }) =>
    (places[from] as number) > (places[to] as number) ? { from: to, to: from } : { from, to },
  );
  const middles = placeInLayers(items, sizes, segmentsOf(layerOf, turned));
  const boxes: Rectangle[] = new Array(count);
  const lanes = items.map(() => new Map<number, number>());
  const spans: { readonly left: number; readonly right: number }[] = [];
  let x = MARGIN;
  for (const [layer, own] of items.entries()) {
    const width = own.reduce((most, { node, isLane }) => (isLane ? most : Math.max(most, sizes[node]?.width ?? 0)), 0);
    for (const [at, { node, isLane }] of own.entries()) {
      const middle = middles[layer]?.[at] as number;
      const size = sizes[node] as Size;
      if (isLane) lanes[layer]?.set(node, middle);
      else boxes[node] = { ...size, x, y: middle - size.height / 2 };
    }
    spans.push({ left: x, right: x + width });
    x += width + LAYER_GAP;
  }
  const layered = boxes.filter((box) => box !== undefined);
  const lowest = layered.reduce((most, { y, height }) => Math.max(most, y + height), MARGIN);
  const bottom = lanes.reduce((most, own) => Math.max(most, ...own.values()), lowest);
  const width = Math.max(...spans.map(({ right }) => right), 0) + MARGIN;
  const loose = [...layerOf.keys()].filter((node) => (layerOf[node] as number) < 0);
  const looseTop = loose.length === 0 ? undefined : layered.length === 0 ? MARGIN : bottom + GAP;
  const shelves = placeOnShelves(loose, sizes, (looseTop ?? 0) + LOOSE_TITLE, Math.max(width, MIN_WIDTH), boxes);
  const ways = links.map(({ from, to }): Point[] => {
    if (from === to) return [];
    if (layerOf[from] === layerOf[to]) {
      const { right } = spans[layerOf[from] as number] as (typeof spans)[number];
      return besideLayer(rightOf(boxes[from] as Rectangle), rightOf(boxes[to] as Rectangle), right);
    }
    const isBack = (places[from] as number) > (places[to] as number);
    const [start, end] = isBack ? [to, from] : [from, to];
    const edge = rightOf(boxes[start] as Rectangle);
    const { right: layerRight } = spans[layerOf[start] as number] as (typeof spans)[number];
    // Beside boxes that are wider it may not bend yet.
    const way: Point[] = [edge, { x: layerRight, y: edge.y }];
    for (let layer = (layerOf[start] as number) + 1; layer < (layerOf[end] as number); layer++) {
      const y = lanes[layer]?.get(end) as number;
      const { left, right } = spans[layer] as (typeof spans)[number];
      way.push({ x: left, y }, { x: right, y });
    }
    way.push(leftOf(boxes[end] as Rectangle));
    return isBack ? way.reverse() : way;
  });
  return {
    boxes,
    ways,
    looseTop,
    width: ways.flat().reduce((most, { x }) => Math.max(most, x + MARGIN), Math.max(width, shelves.width)),
    height: Math.max(bottom, shelves.bottom) + MARGIN,
  };
}

/** The way between two boxes of one layer, beside it: the longer, the further out. */
function besideLayer(start: Point, end: Point, right: number): Point[] {
  const x = right + 8 + Math.min(LAYER_GAP / 2, Math.abs(end.y - start.y) / 12);
  return [start, { x: right, y: start.y }, { x, y: start.y }, { x, y: end.y }, { x: right, y: end.y }, end];
}

/** Pictures without links are as wide as a page. */
const MIN_WIDTH = 900;

/** How wide the picture and how high its layers may be, out of what boxes take with the room around them. */
function sizeFor(sizes: readonly Size[]): Size {
  const area = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  return { width: Math.max(WIDTH, Math.sqrt(area) * WIDEST), height: Math.max(160, Math.sqrt(area / ASPECT)) };
}

/** Middles of all items, each close to those of its neighbours. */
function placeInLayers(
  items: readonly (readonly LayerItem[])[],
  sizes: readonly Size[],
  segments: ReturnType<typeof segmentsOf>,
): number[][] {
  const lengthOf = ({ node, isLane }: LayerItem): number => (isLane ? LANE : (sizes[node] as Size).height);
  const middles = items.map((own) =>
    spreadOut(
      own.map((item) => ({ wanted: 0, length: lengthOf(item), weight: 1 })),
      GAP,
    ),
  );
  for (let round = 0; round < ROUNDS; round++) {
    const isToRight = round % 2 === 1;
    for (let step = 0; step < items.length; step++) {
      const at = isToRight ? step : items.length - 1 - step;
      const own = items[at] as readonly LayerItem[];
      const known = [at - 1, at + 1].map(
        (other) =>
          new Map((items[other] ?? []).map((item, place) => [nameOf(item), middles[other]?.[place] as number])),
      );
      const wanted = own.map((item, place) => {
        const near = [
          ...(segments[at - 1]?.into.get(nameOf(item)) ?? []).map((name) => known[0]?.get(name)),
          ...(segments[at]?.out.get(nameOf(item)) ?? []).map((name) => known[1]?.get(name)),
        ].filter((middle) => middle !== undefined);
        const mean = near.reduce((sum, middle) => sum + middle, 0) / near.length;
        return {
          wanted: near.length === 0 ? (middles[at]?.[place] as number) : mean,
          length: lengthOf(item),
          weight: item.isLane ? LANE_WEIGHT : 1,
        };
      });
      middles[at] = spreadOut(wanted, GAP);
    }
  }
  const top = Math.min(
    ...items.flatMap((own, at) => own.map((item, place) => (middles[at]?.[place] as number) - lengthOf(item) / 2)),
  );
  return middles.map((own) => own.map((middle) => middle - top + MARGIN));
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

function leftOf({ x, y, height }: Rectangle): Point {
  return { x, y: y + height / 2 };
}

function rightOf({ x, y, width, height }: Rectangle): Point {
  return { x: x + width, y: y + height / 2 };
}

/*
 * Places in a row, as close as can be to where each would like to be, in a given order and without overlap.
 *
 * The least sum of squares under an order is isotonic regression, found by pooling neighbours that stand in each other's way:
 * M. Ayer et al., "An empirical distribution function for sampling with incomplete information" (1955).
 */

/** Something in a row. */
interface Spread {
  /** Where its middle would like to be. */
  readonly wanted: number;
  /** How much it takes, half of it on each side of its middle. */
  readonly length: number;
  /** How much it counts that it gets what it wants. */
  readonly weight: number;
}

interface Pool {
  /** Weighted mean of what its members want, each less what stands before it in the row. */
  mean: number;
  weight: number;
  count: number;
}

/** Middles in the order given, with at least `gap` between neighbours. Time grows with their number. */
export function spreadOut(items: readonly Spread[], gap: number): number[] {
  const before: number[] = [];
  let offset = 0;
  for (const [at, { length }] of items.entries()) {
    if (at > 0) offset += ((items[at - 1] as Spread).length + length) / 2 + gap;
    before.push(offset);
  }
  const pools: Pool[] = [];
  for (const [at, { wanted, weight }] of items.entries()) {
    let pool: Pool = { mean: wanted - (before[at] as number), weight, count: 1 };
    for (let last = pools.at(-1); last !== undefined && last.mean > pool.mean; last = pools.at(-1)) {
      pools.pop();
      const both = last.weight + pool.weight;
      const mean = (last.mean * last.weight + pool.mean * pool.weight) / both;
      pool = { mean, weight: both, count: last.count + pool.count };
    }
    pools.push(pool);
  }
  return pools
    .flatMap(({ mean, count }) => new Array<number>(count).fill(mean))
    .map((own, at) => own + (before[at] as number));
}
