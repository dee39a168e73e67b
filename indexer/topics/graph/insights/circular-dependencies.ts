/** Sets of source files that import each other, with a shortest cycle of each. Pure. */

import { cutList, INSIGHT_ORDERS } from "../../../../src/core/code/insights.ts";
import type { ImportCycle } from "../../../../src/core/format/insights.ts";
import { findCycles } from "../find-cycles.ts";
import type { FileInsight } from "../insight.ts";

/** The insight. */
export const circularDependencies: FileInsight<"circularDependencies"> = {
  name: "circularDependencies",
  compute: (graph, { maxCycles }) => {
    const idOf = (node: number): string => graph.links.ids[node] as string;
    const cycles = findCycles(graph).map(
      ({ path, size, typeOnly }): ImportCycle => ({
        path: [...path, path[0] as number].map(idOf),
        size,
        typeOnly,
      }),
    );
    return {
      ...cutList(cycles, maxCycles, INSIGHT_ORDERS.cycles),
      typeOnlyTotal: cycles.filter(({ typeOnly }) => typeOnly).length,
    };
  },
};
