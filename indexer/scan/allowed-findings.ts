/**
 * Findings of the scan that the configuration allows: test keys, pages that quote attacks.
 *
 * Only the configuration can allow them. A mark inside a file could be set by whoever wrote the file, which is whom
 * the scan is about. The parse cache holds all findings, so allowing one parses nothing anew. Pure.
 */
import { SCAN_SOURCE } from "../../src/core/format/build-log.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { compileGlobs } from "../base/globs.ts";
import type { TreelineConfig } from "../config/config.ts";

/** Whether a finding is to be reported. */
export function findingFilter({ ignore }: TreelineConfig["scan"]): (finding: Diagnostic) => boolean {
  const rules = ignore.map(({ rule, path }) => ({ rule, matches: compileGlobs([path], []).selects }));
  return ({ tool, code, path }) =>
    tool !== SCAN_SOURCE || !rules.some(({ rule, matches }) => (rule === "" || rule === code) && matches(path));
}
