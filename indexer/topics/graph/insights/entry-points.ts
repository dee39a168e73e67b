/** Source files where a program or a package begins, by a manifest, the settings or their names. Pure. */
import { cutList, INSIGHT_ORDERS } from "../../../../src/core/code/insights.ts";
import { isTestFile } from "../file-roles.ts";
import { type FileInsight, MAX_LISTED } from "../insight.ts";

/** The insight. */
export const entryPoints: FileInsight<"entryPoints"> = {
  name: "entryPoints",
  compute: ({ nodes }) => {
    const found = nodes.filter(({ isEntry, path }) => isEntry && !isTestFile(path)).map(({ id }) => id);
    return cutList(found, MAX_LISTED, INSIGHT_ORDERS.ids);
  },
};
