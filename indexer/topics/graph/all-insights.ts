/** The one list of insights. */
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

/** Of source files. */
export const FILE_INSIGHTS: readonly FileInsight[] = [
  fileMetrics,
  topHubs,
  circularDependencies,
  orphanFiles,
  noImporters,
  possiblyUnused,
  entryPoints,
];

/** Of pages. */
export const PAGE_INSIGHTS: readonly PageInsight[] = [pageMetrics, linkHubs, unlinkedPages, brokenLinks];
