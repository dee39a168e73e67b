/**
 * Which findings of a build are new: those that the index before did not have.
 *
 * Lines shift with every edit above them, so a finding is the same where rule, file and message are; of several that
 * are alike, those on the same lines are taken as the same first, then those in the same order.
 *
 * A log holds the first so many findings in the order of files, so after an edit others move into it that were there before.
 * Of files that a log did not come to nothing is said. Pure.
 */
import { type LoggedFinding, type LogRecord, SEVERITIES } from "../../../src/core/format/build-log.ts";
import { OWN_TOOL } from "../../../src/surface/render/findings.ts";
import { comparePaths } from "../../base/path-order.ts";

/** Findings of two builds against each other. */
export interface ComparedFindings {
  /** In the order of the log. */
  readonly fresh: readonly LoggedFinding[];
  /** Of the index before, gone now. */
  readonly fixed: readonly LoggedFinding[];
  readonly total: number;
  /** How many of `total` the log holds. */
  readonly listed: number;
  /** Whether a log left some out: findings of files that it did not come to are neither in `fresh` nor in `fixed`. */
  readonly isPartial: boolean;
}

/** Code of files that were left out, which stand among the findings here. */
const SKIPPED_CODE = "skipped";

type Findings = Pick<LogRecord, "diagnostics" | "diagnosticCount" | "skipped">;

/** What changed from one log to another. Where there is none before, everything is new. */
export function compareFindings(now: Findings, before: Findings | undefined): ComparedFindings {
  const found = listFindings(now);
  const known = before === undefined ? [] : listFindings(before);
  const left = Map.groupBy(known, keyOf);
  const same = new Set<LoggedFinding>();
  const matched = new Set<LoggedFinding>();
  for (const [key, group] of Map.groupBy(found, keyOf)) {
    for (const [a, b] of matchByLine(group, left.get(key) ?? [])) {
      same.add(a);
      matched.add(b);
    }
  }
  const [isInNow, isInBefore] = [coverageOf(now), before === undefined ? () => true : coverageOf(before)];
  return {
    fresh: found.filter((finding) => !same.has(finding) && isInBefore(finding)),
    fixed: known.filter((finding) => !matched.has(finding) && isInNow(finding)),
    total: now.diagnosticCount + now.skipped.length,
    listed: found.length,
    isPartial: [now, before].some((log) => log !== undefined && isCut(log)),
  };
}

function isCut({ diagnosticCount, diagnostics }: Findings): boolean {
  return diagnosticCount > diagnostics.length;
}

/** Tells of a finding whether a log would hold it: whether its file comes before the one at which the log was cut. */
function coverageOf(log: Findings): (finding: LoggedFinding) => boolean {
  if (!isCut(log)) return () => true;
  // Behind the cut stand only the first ones of their rules.
  const seen = new Set<string>();
  let last: LoggedFinding | undefined;
  for (const finding of log.diagnostics) {
    const rule = JSON.stringify([finding.tool, finding.code]);
    if (seen.has(rule)) last = finding;
    seen.add(rule);
  }
  return (finding) => finding.code === SKIPPED_CODE || (last !== undefined && compareFiles(finding, last) < 0);
}

/** In the order of a log, lines aside. */
function compareFiles(a: LoggedFinding, b: LoggedFinding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    comparePaths(a.collection, b.collection) ||
    comparePaths(a.path, b.path)
  );
}

/** Findings and skipped files, errors first. */
function listFindings({ diagnostics, skipped }: Findings): LoggedFinding[] {
  const left = skipped.map(
    ({ collection, path, message }): LoggedFinding => ({
      severity: "warning",
      code: SKIPPED_CODE,
      message: `skipped: ${message}`,
      collection,
      path,
      line: 0,
    }),
  );
  return [...left, ...diagnostics].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

function keyOf({ tool = OWN_TOOL, code, severity, collection, path, message }: LoggedFinding): string {
  return JSON.stringify([tool, code, severity, collection, path, message]);
}

/** Pairs of findings that are alike, each in one pair at most: as many as the shorter list has. */
function matchByLine(
  group: readonly LoggedFinding[],
  known: readonly LoggedFinding[],
): (readonly [LoggedFinding, LoggedFinding])[] {
  const byLine = Map.groupBy(known, ({ line }) => line);
  const pairs: (readonly [LoggedFinding, LoggedFinding])[] = [];
  const rest: LoggedFinding[] = [];
  for (const finding of group) {
    const twin = byLine.get(finding.line)?.shift();
    if (twin === undefined) rest.push(finding);
    else pairs.push([finding, twin]);
  }
  const open = [...byLine.values()].flat().sort((a, b) => a.line - b.line);
  for (const [at, finding] of rest.sort((a, b) => a.line - b.line).entries()) {
    const other = open[at];
    if (other !== undefined) pairs.push([finding, other]);
  }
  return pairs;
}
