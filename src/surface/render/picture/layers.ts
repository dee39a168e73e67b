/**
 * Nodes in layers, so that links lead from left to right: K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of
 * hierarchical system structures" (1981). Layers are bounded in height as in E. Coffman, R. Graham, "Optimal scheduling for
 * two-processor systems" (1972): what has no room goes one further to the left. Pure.
 *
 * A link over several layers passes each between on a lane. Links to the same node share their lanes, so that there are never
 * more than nodes times layers, and a bundle reads as one line. Where so many layers would be wider than a screen, neighbouring
 * layers become one, with links inside of it.
 */
import type { Link, Size } from "./model.ts";

/** A node in a layer, or a lane of links that pass it. */
export interface LayerItem {
  /** The node; of a lane the one that its links lead to. */
  readonly node: number;
  readonly isLane: boolean;
}

/** Layers from left to right, each from top to bottom. */
export interface Layers {
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
export function makeLayers(places: Int32Array, links: readonly Link[], sizes: readonly Size[], most: Size): Layers {
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
export interface Segments {
  readonly out: ReadonlyMap<number, readonly number[]>;
  readonly into: ReadonlyMap<number, readonly number[]>;
}

/** Of each layer but the last, what leads from it to the next. */
export function segmentsOf(layerOf: Int32Array, links: readonly Link[]): Segments[] {
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
export function nameOf({ node, isLane }: LayerItem): number {
  return 2 * node + Number(isLane);
}
