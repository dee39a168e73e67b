/**
 * Import cycles as findings: each at the import that leads from the first file of its shortest cycle to the second. Pure.
 */
import type { EdgeRecord } from "../../../src/core/format/code-records.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import type { GroupCode } from "../../link/code/link-code.ts";
import { type FileGraph, type FileNode, isImportOfFile } from "./file-graph.ts";
import { findCycles } from "./find-cycles.ts";

/** Files of a cycle that a message names. */
const MAX_NAMED = 8;

/** One finding for each set of files that import each other. */
export function cycleFindings(graph: FileGraph, { edges }: Pick<GroupCode, "edges">): LinkDiagnostic[] {
  return findCycles(graph).map(({ path, size, typeOnly }): LinkDiagnostic => {
    const files = path.map((node) => graph.nodes[node] as FileNode);
    const [first, second] = files as [FileNode, FileNode];
    const isWay = (edge: EdgeRecord): boolean =>
      isImportOfFile(edge) && "file" in edge.to && edge.to.file === second.file;
    const at = edges[first.file]?.find(isWay)?.at;
    const named = files.slice(0, MAX_NAMED).map((file) => file.path);
    const left = files.length > MAX_NAMED ? [`${files.length - MAX_NAMED} more`] : [];
    const whole = size > files.length ? `; ${size} files import each other` : "";
    const message = `import cycle${typeOnly ? " of types" : ""}: ${[...named, ...left, first.path].join(" → ")}${whole}`;
    return {
      severity: "info",
      code: typeOnly ? "type-cycle" : "import-cycle",
      message,
      path: first.path,
      line: at?.line ?? 0,
      ...(at !== undefined && { column: at.column }),
      collection: first.collection,
    };
  });
}
