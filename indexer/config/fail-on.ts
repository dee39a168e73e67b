/**
 * Which findings make a build fail: `--fail-on` and the configuration's `failOn`.
 *
 * A name is a severity, a source, a rule, or `skipped` for files that were skipped. Those of linters are known to their
 * reports alone, so they are written `report:NAME`, which any build takes. Pure.
 */
import { InputError } from "../../src/core/errors.ts";
import {
  type LoggedFinding,
  type LoggedSkip,
  type LogRecord,
  SCAN_SOURCE,
  SEVERITIES,
} from "../../src/core/format/build-log.ts";
import { nearestNames, quoteName } from "../../src/core/text/nearest.ts";
import { OWN_TOOL } from "../../src/surface/render/findings.ts";
import type { Severity } from "../base/diagnostic.ts";

const SKIPPED = "skipped";
const REPORT = "report:";

/** Codes of all diagnostics that a build can give, but those of linters. */
export const RULES = [
  "ambiguous-import",
  "broken-anchor",
  "broken-link",
  "category-cycle",
  "duplicate-category",
  "duplicate-package",
  "files-left-out",
  "files-not-read",
  "frontmatter-not-a-mapping",
  "gone-symbol",
  "hidden-text",
  "html-too-complex",
  "ignore-file-unreadable",
  "import-cycle",
  "include-matches-nothing",
  "invalid-manifest",
  "invalid-utf8",
  "invalid-yaml",
  "markdown-too-complex",
  "missing-category",
  "missing-parent",
  "missing-symbol",
  "missing-tsconfig",
  "notebook-unread",
  "precise-incomplete",
  "precise-limit",
  "sarif-elsewhere",
  "scip-elsewhere",
  "secret",
  "shared-alias",
  "site-page-unread",
  "site-read",
  "site-root-missing",
  "stage-failed",
  "stale-scip",
  "suspicious-instruction",
  "syntax-error",
  "too-many-files",
  "too-many-links",
  "too-many-nodes",
  "too-many-symbols",
  "too-many-uses",
  "tsconfig-cycle",
  "type-cycle",
  "unknown-name",
  "unresolved-import",
] as const;

export type Rule = (typeof RULES)[number];

export const FAIL_ON_NAMES: readonly string[] = [...SEVERITIES, SKIPPED, OWN_TOOL, SCAN_SOURCE, ...RULES];

export function isFailOnName(name: string): boolean {
  return FAIL_ON_NAMES.includes(name) || (name.startsWith(REPORT) && name.length > REPORT.length);
}

/** Names that were written as lists with commas, each once. @throws {InputError} on a name that no build takes. */
export function readFailOn(lists: readonly string[]): string[] {
  const names = [...new Set(lists.flatMap((list) => list.split(",").map((name) => name.trim())))];
  for (const name of names) {
    if (isFailOnName(name)) continue;
    throw new InputError(
      `--fail-on cannot take ${quoteName(name)}: there is no such rule, source or severity`,
      nearestNames(name, FAIL_ON_NAMES),
      `--fail-on secret,suspicious-instruction, or --fail-on ${REPORT}eslint for findings of a report`,
    );
  }
  return names;
}

/** What a name stands for in a build. */
interface FailingFindings {
  readonly name: string;
  readonly findings: readonly LoggedFinding[];
  readonly skipped: readonly LoggedSkip[];
}

/** The names that stand for anything in a log. Of a rule with very many findings not all are kept, but never none. */
export function findFailing(
  { diagnostics, skipped }: Pick<LogRecord, "diagnostics" | "skipped">,
  names: readonly string[],
): FailingFindings[] {
  return names
    .map((name) => ({
      name,
      findings: diagnostics.filter((finding) => standsFor(name, finding)),
      skipped: name === SKIPPED ? skipped : [],
    }))
    .filter((failing) => failing.findings.length + failing.skipped.length > 0);
}

export function countFailing(failing: readonly FailingFindings[]): { readonly name: string; readonly count: number }[] {
  return failing.map(({ name, findings, skipped }) => ({ name, count: findings.length + skipped.length }));
}

function standsFor(name: string, { severity, code, tool = OWN_TOOL }: LoggedFinding): boolean {
  const least = SEVERITIES.indexOf(name as Severity);
  if (least >= 0) return SEVERITIES.indexOf(severity) <= least;
  const isOwn = tool === OWN_TOOL || tool === SCAN_SOURCE;
  if (!name.startsWith(REPORT)) return isOwn && (name === tool || name === code);
  const reported = name.slice(REPORT.length).toLowerCase();
  return !isOwn && (tool.toLowerCase() === reported || code.toLowerCase() === reported);
}
