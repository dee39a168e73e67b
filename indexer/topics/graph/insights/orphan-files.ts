/** Source files without an import, in or out: nothing of the corpus leads there, and they lead nowhere in it. Pure. */
import { cutList, INSIGHT_ORDERS } from "../../../../src/core/code/insights.ts";
import { type FileInsight, MAX_LISTED } from "../insight.ts";

/** The insight. */
export const orphanFiles: FileInsight<"orphanFiles"> = {
  name: "orphanFiles",
  compute: ({ nodes }) => {
    const found = nodes.filter(({ isUsed, usesOthers }) => !isUsed && !usesOthers).map(({ id }) => id);
    return cutList(found, MAX_LISTED, INSIGHT_ORDERS.ids);
  },
};
