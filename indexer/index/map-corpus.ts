/**
 * The map above the tree of a corpus: what the graph of its files and pages shows, categories, concepts. Of each access
 * group by itself: nobody learns from counts and names what he may not read. Pure.
 */
import type { TableEntry } from "../../src/core/format/chunk.ts";
import type { MapTableName } from "../../src/core/format/table.ts";
import type { CollectionConfig, GraphConfig } from "../config/config.ts";
import type { ResolvedLinks } from "../link/links.ts";
import type { FileGraph } from "../topics/graph/file-graph.ts";
import { insightEntries } from "../topics/graph/insight-entries.ts";
import { makePageGraph } from "../topics/graph/page-graph.ts";
import type { DocumentCard } from "./cache/cached-document.ts";

/** Entries of the tables of one access group. */
export type GroupMap = Readonly<Record<MapTableName, readonly TableEntry[]>>;

/** A group without anything to say. */
export const NO_MAP: GroupMap = { insights: [], categories: [], concepts: [] };

/** What the insights of one access group are made of. */
export interface InsightsInput {
  readonly group: string;
  readonly collections: readonly CollectionConfig[];
  /** In the order of their collections. */
  readonly documents: readonly DocumentCard[];
  /** By document id. */
  readonly links: ReadonlyMap<string, ResolvedLinks>;
  /** Imports between the group's source files. */
  readonly files: FileGraph;
  readonly graph: GraphConfig;
}

/** Entries of the table `insights`: what the graphs of files and of pages show. */
export function graphInsights({ group, collections, documents, links, files, graph }: InsightsInput): TableEntry[] {
  const collectionName = ({ collection }: Pick<DocumentCard, "collection">): string =>
    (collections[collection] as CollectionConfig).name;
  const pages = makePageGraph({ documents, collectionName, links }, graph);
  const names = collections.filter(({ access }) => access === group).map(({ name }) => name);
  return insightEntries(files, pages, names, graph);
}
