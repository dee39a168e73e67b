/** Files that a file includes, and what those include, itself with them. Pure. */

import type { CodeWorld } from "../../languages/base/world.ts";
import type { Bindings } from "./bindings.ts";

/** Included files that are gone through. */
const MAX_INCLUDED = 2_000;
/** Files whose includes are remembered: linking goes file by file, and most lists are long. */
const MAX_KEPT = 64;

/** See the header. */
export type IncludedFiles = (file: number) => ReadonlySet<number>;

/** Follows includes when it is asked. */
export function createIncludedFiles(world: CodeWorld, bindings: Bindings): IncludedFiles {
  const included = new Map<number, ReadonlySet<number>>();
  return (file) => {
    const known = included.get(file);
    if (known !== undefined) return known;
    if (included.size >= MAX_KEPT) included.clear();
    const files = readIncluded(world, bindings, file);
    included.set(file, files);
    return files;
  };
}

function readIncluded(world: CodeWorld, bindings: Bindings, file: number): ReadonlySet<number> {
  const seen = new Set([file]);
  for (const at of seen) {
    if (seen.size > MAX_INCLUDED) break;
    const { imports } = (world.files[at] as CodeWorld["files"][number]).code;
    for (const index of imports.keys()) {
      const target = world.asFile(bindings.moduleOf(at, index));
      if (target >= 0) seen.add(target);
    }
  }
  return seen;
}
