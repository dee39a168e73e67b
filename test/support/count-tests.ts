/** Counts of a test run, out of the JSON report that the test runner writes. */

/** What the last line of a run says. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Counts of a report. Files that failed to load count as one failure each, and a run that ended with another exit
 * code than 0 counts at least one: no report, or one that looks clean, does not turn a failed run into a good one.
 */
export function countTests(report: unknown, exitCode: number): Counts {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for (const file of filesOf(report)) {
    let failedHere = 0;
    for (const status of file.statuses) {
      if (status === "passed") passed++;
      else if (status === "failed") failedHere++;
      else skipped++;
    }
    failed += file.failed && failedHere === 0 ? 1 : failedHere;
  }
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed, skipped };
}

/** Counts of several runs together. */
export function sumCounts(all: readonly Counts[]): Counts {
  const sum = (name: keyof Counts): number => all.reduce((total, counts) => total + counts[name], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

/** `12 passed, 0 failed`, with `, 3 skipped` where some were. */
export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/**
 * What failed, a text each: file and name of the test with the first lines of its error. A file that failed without a failed
 * test is named with its own error.
 */
export function listFailures(report: unknown): string[] {
  return listOf(field(report, "testResults")).flatMap((file) => {
    const tests = listOf(field(file, "assertionResults")).filter((test) => field(test, "status") === "failed");
    const describe = (name: unknown, error: unknown): string =>
      [`FAIL ${field(file, "name")} > ${name}`, ...String(error).split("\n").slice(0, ERROR_LINES)].join("\n  ");
    if (tests.length > 0) {
      return tests.map((test) => describe(field(test, "fullName"), listOf(field(test, "failureMessages"))[0]));
    }
    return field(file, "status") === "failed" ? [describe("the file", field(file, "message"))] : [];
  });
}

/** Of an error: what was expected, and where. */
const ERROR_LINES = 12;

interface FileResult {
  readonly failed: boolean;
  readonly statuses: readonly unknown[];
}

function filesOf(report: unknown): FileResult[] {
  return listOf(field(report, "testResults")).map((file) => ({
    failed: field(file, "status") === "failed",
    statuses: listOf(field(file, "assertionResults")).map((test) => field(test, "status")),
  }));
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
