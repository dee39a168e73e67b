/** How many source files there are, of which kinds, and how many imports lead from one to another. Pure. */
import { compareNames } from "../../../../src/core/text/names.ts";
import type { FileInsight } from "../insight.ts";

/** The insight. */
export const fileMetrics: FileInsight<"fileMetrics"> = {
  name: "fileMetrics",
  compute: ({ nodes, links }, { complexity: { moderate, complex, veryComplex } }) => {
    const types = new Map<string, number>();
    for (const { path } of nodes) types.set(typeOf(path), (types.get(typeOf(path)) ?? 0) + 1);
    return {
      fileCount: nodes.length,
      dependencyCount: links.targets.length,
      fileTypeBreakdown: Object.fromEntries([...types].sort(([a, m], [b, n]) => n - m || compareNames(a, b))),
      thresholds: [moderate, complex, veryComplex],
    };
  },
};

/** Last ending of a file's name in lower case, without its dot; a dot at the start of a name begins no ending. */
function typeOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 1 || dot === name.length - 1 ? "(none)" : name.slice(dot + 1).toLowerCase();
}
