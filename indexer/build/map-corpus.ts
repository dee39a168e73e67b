/**
 * The map above the tree of a corpus: what the graph of its files and pages shows, categories, concepts. Of each access
 * group by itself: nobody learns from counts and names what he may not read. Pure.
 */
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { MapTableName } from "../../src/core/format/table-names.ts";
import type { DocumentCard } from "../cache/cached-document.ts";
import type { CollectionConfig, GraphConfig } from "../config.ts";
import type { FileGraph } from "../graph/file-graph.ts";
import { insightEntries } from "../graph/insight-entries.ts";
import { makePageGraph } from "../graph/page-graph.ts";
import type { ResolvedLinks } from "../link/links.ts";
import type { GroupCode } from "./code-tables.ts";
import type { GroupTopics } from "./map-topics.ts";

/** Entries of the tables of one access group. */
export type GroupMap = Readonly<Record<MapTableName, readonly TableEntry[]>>;

/** A group without anything to say. */
export const NO_MAP: GroupMap = { insights: [], categories: [], concepts: [] };

/** What a map is made of: the documents of one access group. */
export interface MapInput {
  readonly group: string;
  readonly collections: readonly CollectionConfig[];
  /** In the order of their collections. */
  readonly documents: readonly DocumentCard[];
  /** By document id. */
  readonly links: ReadonlyMap<string, ResolvedLinks>;
  readonly code: GroupCode;
  /** Imports between the files of `code`. */
  readonly files: FileGraph;
  readonly graph: GraphConfig;
  /** Categories and concepts. */
  readonly topics: GroupTopics;
}

/** The map of one access group. */
export function mapCorpus(input: MapInput): GroupMap {
  const { categories, concepts } = input.topics;
  return { insights: graphInsights(input), categories, concepts };
}

function graphInsights({ group, collections, documents, links, files, graph }: MapInput): TableEntry[] {
  const collectionName = ({ collection }: Pick<DocumentCard, "collection">): string =>
    (collections[collection] as CollectionConfig).name;
  const pages = makePageGraph({ documents, collectionName, links }, graph);
  const names = collections.filter(({ access }) => access === group).map(({ name }) => name);
  return insightEntries(files, pages, names, graph);
}
