/**
 * Places of boxes in a picture whose links lead from left to right, and the ways of the links. Boxes never overlap, and no way
 * leads through a box that it does not belong to. The same graph gives the same picture. Pure.
 */
import { orderNodes } from "./break-cycles.ts";
import { type LayerItem, makeLayers, nameOf, segmentsOf } from "./layers.ts";
import type { Link, Point, Rectangle, Size } from "./model.ts";

/** A picture without its drawing. */
export interface Placed extends Size {
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

/**
 * Places in a row, as close as can be to where each would like to be, in a given order and without overlap. Pure.
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
