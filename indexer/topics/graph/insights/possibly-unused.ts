/**
 * Source files that nothing seems to need: no other file imports them, nothing starts there, and no tool reads them. What
 * is loaded by name at run time is not seen, so it says "possibly". Pure.
 */
import { cutList, INSIGHT_ORDERS } from "../../../../src/core/code/insights.ts";
import { isConfigFile, isTestFile } from "../file-roles.ts";
import { type FileInsight, MAX_LISTED } from "../insight.ts";

/** The insight. */
export const possiblyUnused: FileInsight<"possiblyUnused"> = {
  name: "possiblyUnused",
  compute: ({ nodes }) => {
    const found = nodes
      .filter(({ isUsed, isEntry, path }) => !isUsed && !isEntry && !isTestFile(path) && !isConfigFile(path))
      .map(({ id }) => id);
    return cutList(found, MAX_LISTED, INSIGHT_ORDERS.ids);
  },
};
