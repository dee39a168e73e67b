/**
 * Entries of the table `insights` of one access group: of the whole group, and of each of its collections where it has
 * several. A graph without nodes has none. Pure.
 */
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import { encodeInsight, keyOfInsight } from "../../../src/core/format/insights.ts";
import type { GraphConfig } from "../../config/config.ts";
import { type FileGraph, filesOfCollection } from "./file-graph.ts";
import type { FileInsight, PageInsight } from "./insight.ts";
import { brokenLinks } from "./insights/broken-links.ts";
import { circularDependencies } from "./insights/circular-dependencies.ts";
import { entryPoints } from "./insights/entry-points.ts";
import { fileMetrics } from "./insights/file-metrics.ts";
import { linkHubs } from "./insights/link-hubs.ts";
import { noImporters } from "./insights/no-importers.ts";
import { orphanFiles } from "./insights/orphan-files.ts";
import { pageMetrics } from "./insights/page-metrics.ts";
import { possiblyUnused } from "./insights/possibly-unused.ts";
import { topHubs } from "./insights/top-hubs.ts";
import { unlinkedPages } from "./insights/unlinked-pages.ts";
import { type PageGraph, pagesOfCollection } from "./page-graph.ts";

/** Of source files. */
const FILE_INSIGHTS: readonly FileInsight[] = [
  fileMetrics,
  topHubs,
  circularDependencies,
  orphanFiles,
  noImporters,
  possiblyUnused,
  entryPoints,
];

/** Of pages. */
const PAGE_INSIGHTS: readonly PageInsight[] = [pageMetrics, linkHubs, unlinkedPages, brokenLinks];

/** See the header. `collections` are the names of those of the group. */
export function insightEntries(
  files: FileGraph,
  pages: PageGraph,
  collections: readonly string[],
  settings: GraphConfig,
): TableEntry[] {
  const single = collections.length > 1 ? collections : [];
  return [
    ...entriesOf("", files, pages, settings),
    ...single.flatMap((name) =>
      entriesOf(name, filesOfCollection(files, name), pagesOfCollection(pages, name), settings),
    ),
  ];
}

function entriesOf(collection: string, files: FileGraph, pages: PageGraph, settings: GraphConfig): TableEntry[] {
  const ofFiles = files.nodes.length === 0 ? [] : FILE_INSIGHTS;
  const ofPages = pages.nodes.length === 0 ? [] : PAGE_INSIGHTS;
  return [
    ...ofFiles.map(({ name, compute }) => ({
      key: keyOfInsight(collection, name),
      value: encodeInsight(name, compute(files, settings)),
    })),
    ...ofPages.map(({ name, compute }) => ({
      key: keyOfInsight(collection, name),
      value: encodeInsight(name, compute(pages, settings)),
    })),
  ];
}
