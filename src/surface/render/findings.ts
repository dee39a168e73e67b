/** Findings of the build: how many, of which file, in which order. */

import { makeDocumentId } from "../../core/docs/node-id.ts";
import { type LoggedFinding, SEVERITIES } from "../../core/format/build-log.ts";
import { compareNames } from "../../core/text/names.ts";
import { formatCount } from "./text.ts";

/** What reports findings that no other tool does. */
export const OWN_TOOL = "treeline";

/** `2 errors, 13 warnings`. */
export function countSeverities(findings: readonly LoggedFinding[]): string {
  const count = (severity: LoggedFinding["severity"]): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const parts = [
    [count("error"), "error"],
    [count("warning"), "warning"],
    [count("info"), "note"],
  ] as const;
  const found = parts.filter(([number]) => number > 0).map(([number, noun]) => formatCount(number, noun));
  return found.length === 0 ? "Nothing found" : found.join(", ");
}

/** Id of the file that a finding is about; the collection's name where it is about none. */
export function fileOf({ collection, path }: LoggedFinding): string {
  return path === "" ? collection : makeDocumentId(collection, path);
}

/** Files with the worst findings first, findings of a file by their place. */
export function inOrderOfFiles(findings: readonly LoggedFinding[]): LoggedFinding[] {
  const worst = new Map<string, number>();
  const rank = ({ severity }: LoggedFinding): number => SEVERITIES.indexOf(severity);
  for (const finding of findings) {
    worst.set(fileOf(finding), Math.min(rank(finding), worst.get(fileOf(finding)) ?? SEVERITIES.length));
  }
  return [...findings].sort(
    (a, b) =>
      (worst.get(fileOf(a)) ?? 0) - (worst.get(fileOf(b)) ?? 0) ||
      compareNames(fileOf(a), fileOf(b)) ||
      a.line - b.line ||
      (a.column ?? 0) - (b.column ?? 0),
  );
}

/** Findings that a mark names. */
const MAX_NAMED = 2;

/** `secret in line 3, hidden-text in line 9, and more`: what a mark on a document says. */
export function listFindings(findings: readonly string[]): string {
  return findings.slice(0, MAX_NAMED).join(", ") + (findings.length > MAX_NAMED ? ", and more" : "");
}
