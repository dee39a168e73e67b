/**
 * Build log: what was skipped and what was noticed, in an order that does not depend on the machine.
 */
import { SEVERITIES } from "../../src/core/format/build-log.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { comparePaths } from "../base/globs.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { SkippedFile } from "../sources/read-file.ts";
import type { LeftOutKey } from "../topics/facets.ts";
import { isSitePage } from "./prepared-document.ts";

const MAX_KEPT = 2_000;

export interface BuildLog {
  readonly logo?: string;
  readonly skipped: readonly (SkippedFile & { readonly collection: string })[];
  /** All diagnostics, also those that are not kept. */
  readonly diagnosticCount: number;
  readonly diagnostics: readonly (Diagnostic & { readonly collection: string })[];
  readonly facetKeysLeftOut: readonly LeftOutKey[];
}

/** Put findings in order: errors first, then by collection, path and line. */
export function makeBuildLog(
  skipped: BuildLog["skipped"],
  diagnostics: BuildLog["diagnostics"],
  facetKeysLeftOut: BuildLog["facetKeysLeftOut"] = [],
): BuildLog {
  const rank = ({ severity }: Finding): number => SEVERITIES.indexOf(severity);
  const byPlace = (a: { collection: string; path: string }, b: { collection: string; path: string }): number =>
    comparePaths(a.collection, b.collection) || comparePaths(a.path, b.path);
  const ordered = [...diagnostics].sort(
    (a, b) => rank(a) - rank(b) || byPlace(a, b) || a.line - b.line || comparePaths(a.message, b.message),
  );
  return {
    skipped: [...skipped].sort(byPlace),
    diagnosticCount: diagnostics.length,
    diagnostics: keepSome(ordered),
    facetKeysLeftOut,
  };
}

/** As many findings as are kept, the first of each rule among them: whether a rule has findings is known of all. */
function keepSome(ordered: BuildLog["diagnostics"]): BuildLog["diagnostics"] {
  if (ordered.length <= MAX_KEPT) return ordered;
  const firsts = new Map<string, BuildLog["diagnostics"][number]>();
  for (const finding of ordered) {
    const rule = JSON.stringify([finding.tool, finding.code]);
    if (!firsts.has(rule)) firsts.set(rule, finding);
  }
  const first = new Set([...firsts.values()].slice(0, MAX_KEPT));
  let room = MAX_KEPT - first.size;
  return ordered.filter((finding) => first.has(finding) || room-- > 0);
}

type Finding = BuildLog["diagnostics"][number];

/** Findings of reading the file itself: their lines are the file's. */
const OF_THE_FILE = /^(?:invalid-utf|html-|site-|notebook-)/;

/** Says of a finding about such a page in words where it stands, and gives it no line. */
export function siteLines(
  collections: readonly Pick<CollectionConfig, "name" | "kind">[],
): (finding: Finding) => Finding {
  const kinds = new Map(collections.map((collection) => [collection.name, collection]));
  return (finding) => {
    const { collection, path, line, code, message, tool, column: _, ...rest } = finding;
    const own = kinds.get(collection);
    const isMade = own !== undefined && (isSitePage(own, path) || /\.ipynb$/i.test(path));
    const isOther = !isMade || line === 0 || tool !== undefined;
    if (isOther || OF_THE_FILE.test(code)) return finding;
    return { ...rest, collection, path, code, line: 0, message: `${message} (line ${line} of the text of the page)` };
  };
}
