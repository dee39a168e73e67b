/**
 * Tool `get_graph_summary`: how files and pages hang together, worked out by the build.
 */
import { readInsights } from "../../core/code/insights.ts";
import { checkCollection } from "../../core/docs/catalogue.ts";
import { describeSummary, summarize, summaryForms } from "../../surface/render/graph-summary.ts";
import { asideNotes, TESTS } from "../find-target.ts";
import { defineTool } from "../tool.ts";

export const getGraphSummaryTool = defineTool({
  name: "get_graph_summary",
  description:
    "Map of an unknown project in one call: files and imports, hubs, cycles, orphans, possibly unused files; of pages hubs, unlinked pages, broken links. Cached; force_refresh reads anew. Use first; next get_tree of a hub, references, or diagnostics.",
  parameters: {
    collection: { kind: "text" },
    force_refresh: { kind: "boolean", default: false, description: "past caches" },
    tests: TESTS,
  },
  example: {},
  async run({ collection, force_refresh: isForced, tests = false }, { reader: known, refresh, now }) {
    const reader = isForced ? await refresh() : known;
    if (collection !== undefined) checkCollection(reader, collection);
    const { values, fromMemory } = await readInsights(reader, collection, tests);
    const cacheReason = isForced ? "forced" : fromMemory ? "memory" : "read";
    const metadata = describeSummary(reader.generation, reader.index.buildMs, cacheReason, now);
    return {
      summary: summarize(values, metadata),
      forms: summaryForms(values, metadata),
      notes: asideNotes(values.fileMetrics.asideDependencyCount, "connection"),
    };
  },
});
