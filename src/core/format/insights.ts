/**
 * Values of the table `insights`: what the graph of a group's source files, and that of its pages, shows.
 *
 * Layout: index-format v1, section 7.9. Each insight stands under a key of its own, for a whole access group and for each
 * of its collections, and is read by itself: one that is damaged takes no other along. Lists are cut where they are
 * written, in a total order, so that the lists of several groups merge exactly. Pure: bytes in, values out.
 */
import { type ByteKey, KEY_SEPARATOR, keyOf } from "../bytes/key.ts";
import { decodeJson } from "../bytes/reader.ts";
import { encodeJson } from "../bytes/writer.ts";
import { malformed } from "../errors.ts";
import { array, count, dictionary, object, type Shape, type ShapeOf, string } from "./json-shape.ts";

/** The first entries of a list, in its order. */
export interface CutList<T> {
  /** Entries that the list may show. */
  readonly limit: number;
  /** Entries before it was cut. */
  readonly total: number;
  readonly items: readonly T[];
}

function cutList<T>(item: Shape<T>): Shape<CutList<T>> {
  const list = object({ limit: count, total: count, items: array(item) });
  return (value, what) => {
    const { limit, total, items } = list(value, what) as CutList<T>;
    if (items.length !== Math.min(limit, total)) {
      throw malformed("list of an insight", `${items.length} entries of ${total}, with room for ${limit}`);
    }
    return { limit, total, items };
  };
}

/** Source files of a group or collection, and how they hang together. */
const fileMetrics = object({
  /** Source files, and the styles and assets that they import. */
  fileCount: count,
  /** Distinct imports from file to file, those of types alone among them. */
  dependencyCount: count,
  /** Files by the last ending of their names, in lower case and without its dot; `(none)` where there is none. */
  fileTypeBreakdown: dictionary(count),
  /** Files beside the product that are left out, by role, and the imports that begin or end in them. */
  aside: dictionary(count),
  asideDependencyCount: count,
  /** From so many imports on a graph is called moderate, complex, very complex. */
  thresholds: array(count),
});

/** A file or page that many others lead to, or that leads to many. */
const hub = object({
  /** Document id. */
  id: string,
  /** Distinct files that lead here. */
  fanIn: count,
  /** Distinct files that it leads to. */
  fanOut: count,
  /** 0-255, a logarithm of its PageRank in this graph. */
  rank: count,
});
export type Hub = ShapeOf<typeof hub>;

const cycleMembers = object({
  /** A shortest cycle, as document ids; the first stands at the end once more. */
  path: array(string),
  /** Files of the whole set. */
  size: count,
  /** Whether no cycle is left of it without imports of types alone. */
  typeOnly: (value) => value,
});
/** A set of files of which each leads to each, with one cycle among them. */
export interface ImportCycle {
  readonly path: readonly string[];
  readonly size: number;
  readonly typeOnly: boolean;
}

const cycle: Shape<ImportCycle> = (value, what) => {
  const { path, size, typeOnly } = cycleMembers(value, what);
  const isCycle = path.length > 2 && path[0] === path.at(-1) && path.length - 1 <= size;
  if (!isCycle || typeof typeOnly !== "boolean") throw malformed("cycle of an insight", "is no cycle of its files");
  return { path, size, typeOnly };
};

/** A link that leads to no page or section, and the id of the page that it stands in. */
const brokenLink = object({ id: string, href: string });
export type BrokenLink = ShapeOf<typeof brokenLink>;

const ids = cutList(string);
const hubs = cutList(hub);
const cycles = cutList(cycle);
/** How many of all cycles are of types alone. */
const typeOnlyTotal = object({ typeOnlyTotal: count });

const SHAPES = {
  fileMetrics,
  topHubs: hubs,
  circularDependencies: (value: unknown, what: string) => ({ ...cycles(value, what), ...typeOnlyTotal(value, what) }),
  orphanFiles: ids,
  noImporters: ids,
  possiblyUnused: ids,
  entryPoints: ids,
  /** Pages of a group or collection, and distinct links from page to page. */
  pageMetrics: object({ pageCount: count, linkCount: count }),
  linkHubs: hubs,
  unlinkedPages: ids,
  brokenLinks: cutList(brokenLink),
};

export type InsightValues = { readonly [Name in keyof typeof SHAPES]: ShapeOf<(typeof SHAPES)[Name]> };
export type InsightName = keyof InsightValues;

export const INSIGHT_NAMES = Object.keys(SHAPES) as readonly InsightName[];

/** Key of an insight of a collection, or with `""` of the whole group; `all` counts files beside the product, too. */
export function keyOfInsight(collection: string, name: InsightName, all = false): ByteKey {
  return keyOf(`${collection}${KEY_SEPARATOR}${all ? "all/" : ""}${name}`);
}

export function encodeInsight<Name extends InsightName>(_: Name, value: InsightValues[Name]): Uint8Array {
  return encodeJson(value);
}

/** The insight that these bytes are. @throws {FormatError}. */
export function decodeInsight<Name extends InsightName>(name: Name, bytes: Uint8Array): InsightValues[Name] {
  const what = `insight ${name}`;
  const shape = SHAPES[name] as Shape<InsightValues[Name]>;
  return shape(decodeJson(bytes, what), what);
}
