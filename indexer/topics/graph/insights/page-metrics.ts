/** How many pages there are, and how many links lead from one to another. Pure. */
import type { PageInsight } from "../insight.ts";

/** The insight. */
export const pageMetrics: PageInsight<"pageMetrics"> = {
  name: "pageMetrics",
  compute: ({ nodes, links }) => ({ pageCount: nodes.length, linkCount: links.targets.length }),
};
