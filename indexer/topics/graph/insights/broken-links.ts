/** Links of pages that lead to no page or section. Pure. */
import { cutList, INSIGHT_ORDERS } from "../../../../src/core/code/insights.ts";
import { MAX_LISTED, type PageInsight } from "../insight.ts";

/** The insight. */
export const brokenLinks: PageInsight<"brokenLinks"> = {
  name: "brokenLinks",
  compute: ({ nodes }) =>
    cutList(
      nodes.flatMap(({ broken }) => broken),
      MAX_LISTED,
      INSIGHT_ORDERS.brokenLinks,
    ),
};
