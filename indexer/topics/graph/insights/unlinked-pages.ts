/** Pages that no other page links to, but for those where readers begin. Pure. */
import { cutList, INSIGHT_ORDERS } from "../../../../src/core/code/insights.ts";
import { MAX_LISTED, type PageInsight } from "../insight.ts";

/** The insight. */
export const unlinkedPages: PageInsight<"unlinkedPages"> = {
  name: "unlinkedPages",
  compute: ({ nodes }) => {
    const found = nodes.filter(({ isLinked, isFront }) => !isLinked && !isFront).map(({ id }) => id);
    return cutList(found, MAX_LISTED, INSIGHT_ORDERS.ids);
  },
};
