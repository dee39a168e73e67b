/** Source files that no other file imports, those without any import among them. Pure. */
import { cutList, INSIGHT_ORDERS } from "../../../../src/core/code/insights.ts";
import { type FileInsight, MAX_LISTED } from "../insight.ts";

/** The insight. */
export const noImporters: FileInsight<"noImporters"> = {
  name: "noImporters",
  compute: ({ nodes }) => {
    const found = nodes.filter(({ isUsed }) => !isUsed).map(({ id }) => id);
    return cutList(found, MAX_LISTED, INSIGHT_ORDERS.ids);
  },
};
