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
import { FormatError } from "../errors.ts";
import { type JsonShape, shapeOf } from "./json-shape.ts";

/** Source files of a group or collection, and how they hang together. */
export interface FileMetrics {
  /** Source files, and the styles and assets that they import. */
  readonly fileCount: number;
  /** Distinct imports from file to file, those of types alone among them. */
  readonly dependencyCount: number;
  /** Files by the last ending of their names, in lower case and without its dot; `(none)` where there is none. */
  readonly fileTypeBreakdown: Readonly<Record<string, number>>;
  /** From so many imports on a graph is called moderate, complex, very complex. */
  readonly thresholds: readonly number[];
}

/** Pages of a group or collection. */
interface PageMetrics {
  readonly pageCount: number;
  /** Distinct links from page to page. */
  readonly linkCount: number;
}

/** The first entries of a list, in its order. */
export interface CutList<T> {
  /** Entries that the list may show. */
  readonly limit: number;
  /** Entries before it was cut. */
  readonly total: number;
  readonly items: readonly T[];
}

/** A file or page that many others lead to, or that leads to many. */
export interface Hub {
  /** Document id. */
  readonly id: string;
  /** Distinct files that lead here. */
  readonly fanIn: number;
  /** Distinct files that it leads to. */
  readonly fanOut: number;
  /** 0-255, a logarithm of its PageRank in this graph. */
  readonly rank: number;
}

/** A set of files of which each leads to each, with one cycle among them. */
export interface ImportCycle {
  /** A shortest cycle, as document ids; the first stands at the end once more. */
  readonly path: readonly string[];
  /** Files of the whole set. */
  readonly size: number;
  /** Whether no cycle is left of it without imports of types alone. */
  readonly typeOnly: boolean;
}

/** Sets of files that import each other. */
interface CycleList extends CutList<ImportCycle> {
  /** How many of all of them are of types alone. */
  readonly typeOnlyTotal: number;
}

/** A link that leads to no page or section. */
export interface BrokenLink {
  /** Id of the page that it stands in. */
  readonly id: string;
  readonly href: string;
}

/** Values by the names of the insights. */
export interface InsightValues {
  readonly fileMetrics: FileMetrics;
  readonly topHubs: CutList<Hub>;
  readonly circularDependencies: CycleList;
  readonly orphanFiles: CutList<string>;
  readonly noImporters: CutList<string>;
  readonly possiblyUnused: CutList<string>;
  readonly entryPoints: CutList<string>;
  readonly pageMetrics: PageMetrics;
  readonly linkHubs: CutList<Hub>;
  readonly unlinkedPages: CutList<string>;
  readonly brokenLinks: CutList<BrokenLink>;
}

export type InsightName = keyof InsightValues;

type Decoders = { readonly [Name in InsightName]: (value: unknown, shape: JsonShape) => InsightValues[Name] };

const DECODERS: Decoders = {
  fileMetrics: (value, shape) => {
    const { fileCount, dependencyCount, fileTypeBreakdown, thresholds } = shape.record(value);
    const types = Object.entries(shape.record(fileTypeBreakdown));
    return {
      fileCount: shape.count(fileCount),
      dependencyCount: shape.count(dependencyCount),
      fileTypeBreakdown: Object.fromEntries(types.map(([type, count]) => [type, shape.count(count)])),
      thresholds: shape.array(thresholds).map(shape.count),
    };
  },
  topHubs: (value, shape) => decodeList(value, shape, decodeHub),
  circularDependencies: (value, shape) => ({
    ...decodeList(value, shape, decodeCycle),
    typeOnlyTotal: shape.count(shape.record(value).typeOnlyTotal),
  }),
  orphanFiles: decodeIds,
  noImporters: decodeIds,
  possiblyUnused: decodeIds,
  entryPoints: decodeIds,
  pageMetrics: (value, shape) => {
    const { pageCount, linkCount } = shape.record(value);
    return { pageCount: shape.count(pageCount), linkCount: shape.count(linkCount) };
  },
  linkHubs: (value, shape) => decodeList(value, shape, decodeHub),
  unlinkedPages: decodeIds,
  brokenLinks: (value, shape) =>
    decodeList(value, shape, (item) => {
      const { id, href } = shape.record(item);
      return { id: shape.string(id), href: shape.string(href) };
    }),
};

/** All insights. */
export const INSIGHT_NAMES = Object.keys(DECODERS) as readonly InsightName[];

/** Key of an insight of a collection, or with `""` of the whole group. */
export function keyOfInsight(collection: string, name: InsightName): ByteKey {
  return keyOf(`${collection}${KEY_SEPARATOR}${name}`);
}

/** Bytes of an insight. */
export function encodeInsight<Name extends InsightName>(_: Name, value: InsightValues[Name]): Uint8Array {
  return encodeJson(value);
}

/** The insight that these bytes are. @throws {FormatError}. */
export function decodeInsight<Name extends InsightName>(name: Name, bytes: Uint8Array): InsightValues[Name] {
  const what = `insight ${name}`;
  return DECODERS[name](decodeJson(bytes, what), shapeOf(what));
}

function decodeList<T>(value: unknown, shape: JsonShape, decode: (item: unknown, shape: JsonShape) => T): CutList<T> {
  const record = shape.record(value);
  const limit = shape.count(record.limit);
  const total = shape.count(record.total);
  const items = shape.array(record.items).map((item) => decode(item, shape));
  if (items.length !== Math.min(limit, total)) {
    const reason = `${items.length} entries of ${total}, with room for ${limit}`;
    throw new FormatError("list of an insight", { code: "malformed", reason });
  }
  return { limit, total, items };
}

function decodeIds(value: unknown, shape: JsonShape): CutList<string> {
  return decodeList(value, shape, shape.string);
}

function decodeHub(value: unknown, shape: JsonShape): Hub {
  const { id, fanIn, fanOut, rank } = shape.record(value);
  return { id: shape.string(id), fanIn: shape.count(fanIn), fanOut: shape.count(fanOut), rank: shape.count(rank) };
}

function decodeCycle(value: unknown, shape: JsonShape): ImportCycle {
  const { path, size, typeOnly } = shape.record(value);
  const ids = shape.strings(path);
  const isCycle = ids.length > 2 && ids[0] === ids.at(-1) && ids.length - 1 <= shape.count(size);
  if (!isCycle || typeof typeOnly !== "boolean") {
    throw new FormatError("cycle of an insight", { code: "malformed", reason: "is no cycle of its files" });
  }
  return { path: ids, size: shape.count(size), typeOnly };
}
