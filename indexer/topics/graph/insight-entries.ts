/**
 * Entries of the table `insights` of one access group: of the whole group, and of each of its collections where it has
 * several. A graph without nodes has none. Pure.
 */
import type { TableEntry } from "../../../src/core/format/chunk.ts";
import { encodeInsight, keyOfInsight } from "../../../src/core/format/insights.ts";
import type { GraphConfig } from "../../config/config.ts";
import { FILE_INSIGHTS, PAGE_INSIGHTS } from "./all-insights.ts";
import { type FileGraph, filesOfCollection } from "./file-graph.ts";
import { type PageGraph, pagesOfCollection } from "./page-graph.ts";

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
