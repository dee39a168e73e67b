/**
 * Build log: what was skipped and what was noticed, in an order that does not depend on the machine. No clock.
 */
import type { Diagnostic } from "../diagnostic.ts";
import { comparePaths } from "../sources/path-order.ts";
import type { SkippedFile } from "../sources/skipped-file.ts";

/** More diagnostics than this are counted but not kept. */
const MAX_KEPT = 10_000;

/** The content of a `.log` file. */
export interface BuildLog {
  readonly skipped: readonly (SkippedFile & { readonly collection: string })[];
  /** All diagnostics, also those that are not kept. */
  readonly diagnosticCount: number;
  readonly diagnostics: readonly (Diagnostic & { readonly collection: string })[];
  readonly facetKeysLeftOut: readonly {
    readonly key: string;
    readonly values: number;
    readonly documents: number;
    readonly reason: "cardinality" | "configuration";
  }[];
}

/** Put findings in order: errors first, then by collection, path and line. */
export function makeBuildLog(
  skipped: BuildLog["skipped"],
  diagnostics: BuildLog["diagnostics"],
  facetKeysLeftOut: BuildLog["facetKeysLeftOut"],
): BuildLog {
  const rank = { error: 0, warning: 1, info: 2 } as const;
  const byPlace = (a: { collection: string; path: string }, b: { collection: string; path: string }): number =>
    comparePaths(a.collection, b.collection) || comparePaths(a.path, b.path);
  return {
    skipped: [...skipped].sort(byPlace),
    diagnosticCount: diagnostics.length,
    diagnostics: [...diagnostics]
      .sort(
        (a, b) =>
          rank[a.severity] - rank[b.severity] || byPlace(a, b) || a.line - b.line || comparePaths(a.message, b.message),
      )
      .slice(0, MAX_KEPT),
    facetKeysLeftOut,
  };
}
