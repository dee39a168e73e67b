/**
 * Reports of compilers and linters in SARIF 2.1.0, as diagnostics of the files that are indexed.
 *
 * Read are runs, results, their first location, level and rule; everything else is passed over. Findings in files that
 * are in no collection are counted, not kept. Pure: text in, values out.
 */
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../src/core/errors.ts";
import type { Diagnostic, Severity } from "./diagnostic.ts";

const SEVERITY_OF_LEVEL: Readonly<Record<string, Severity>> = { error: "error", warning: "warning", note: "info" };
/** What stands for a level that is missing, by SARIF 2.1.0, section 3.27.10. */
const DEFAULT_LEVEL = "warning";
const MAX_MESSAGE_LENGTH = 2_000;

/** A finding with the collection of its file. */
export type ReportedDiagnostic = Diagnostic & { readonly collection: string };

/** Findings of a report. */
export interface Report {
  readonly diagnostics: readonly ReportedDiagnostic[];
  /** Results that name no file of a collection. */
  readonly elsewhere: number;
}

/** Finds the collection and path of a file by its path from the configuration's folder; undefined where it is in none. */
export type FindFile = (path: string) => { readonly collection: string; readonly path: string } | undefined;

/**
 * The findings of a report.
 *
 * @param name What the file is called, for errors.
 * @param dir Absolute path of the configuration's folder: reports often hold absolute addresses.
 * @throws {InputError} where the text is no SARIF report.
 */
export function parseSarif(text: string, name: string, dir: string, findFile: FindFile): Report {
  const report = parseJson(text, name);
  const runs = members(report, "runs");
  if (!Array.isArray(runs)) throw notSarif(name, 'it has no list "runs"');
  const diagnostics: ReportedDiagnostic[] = [];
  let elsewhere = 0;
  for (const run of runs) {
    const driver = members(members(run, "tool"), "driver");
    const tool = textOf(members(driver, "name")) ?? "unknown tool";
    const results = members(run, "results");
    for (const result of Array.isArray(results) ? results : []) {
      const place = placeOf(result, dir);
      const file = place === undefined ? undefined : findFile(place.path);
      if (place === undefined || file === undefined) {
        elsewhere++;
        continue;
      }
      diagnostics.push({
        severity: SEVERITY_OF_LEVEL[textOf(members(result, "level")) ?? DEFAULT_LEVEL] ?? "info",
        code: ruleOf(result, driver),
        message: (textOf(members(members(result, "message"), "text")) ?? "").slice(0, MAX_MESSAGE_LENGTH),
        ...file,
        line: place.line,
        column: place.column,
        tool,
      });
    }
  }
  return { diagnostics, elsewhere };
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (error) {
    throw notSarif(name, `it is no JSON: ${(error as Error).message}`);
  }
}

function notSarif(name: string, reason: string): InputError {
  return new InputError(
    `${JSON.stringify(name)} is no SARIF report: ${reason}`,
    [],
    "eslint . --format @microsoft/eslint-formatter-sarif --output-file lint.sarif",
  );
}

/** A rule's id; results may name it by its place in the tool's list. */
function ruleOf(result: unknown, driver: unknown): string {
  const own = textOf(members(result, "ruleId")) ?? textOf(members(members(result, "rule"), "id"));
  if (own !== undefined) return own;
  const rules = members(driver, "rules");
  const index = members(result, "ruleIndex");
  const rule: unknown = Array.isArray(rules) && typeof index === "number" ? rules[index] : undefined;
  return textOf(members(rule, "id")) ?? "finding";
}

function placeOf(
  result: unknown,
  dir: string,
): { readonly path: string; readonly line: number; readonly column: number } | undefined {
  const locations = members(result, "locations");
  const physical = members(Array.isArray(locations) ? locations[0] : undefined, "physicalLocation");
  const uri = textOf(members(members(physical, "artifactLocation"), "uri"));
  const path = uri === undefined ? undefined : relativePath(uri, dir);
  if (path === undefined) return undefined;
  const region = members(physical, "region");
  return { path, line: countOf(members(region, "startLine")), column: countOf(members(region, "startColumn")) };
}

/** Path from the folder of the configuration; undefined where it leads out of it or is no file's. */
function relativePath(uri: string, dir: string): string | undefined {
  let path: string;
  try {
    path = uri.startsWith("file:") ? fileURLToPath(uri) : decodeURIComponent(uri);
  } catch {
    return undefined;
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(path)) return undefined;
  const relative = posix.isAbsolute(path) ? posix.relative(dir, path) : posix.normalize(path);
  return relative.startsWith("..") || posix.isAbsolute(relative) ? undefined : relative;
}

function members(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A 1-based number, 0 where there is none. */
function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0;
}
