/**
 * `npm test`: every test of the project, then one plain line `N passed, N failed` (and `, N skipped`).
 *
 * Arguments go to the test runner (`npm test -- --project node tables`); `--project` takes all projects whose names begin
 * with what follows it (`workers`). The counts come from the runner's own JSON
 * report; a run that failed without a failed test (a file that does not load, an error outside of tests, a crash)
 * counts as at least one failure, so that the line and the exit code never disagree.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { countTests, formatCounts } from "./count-tests.ts";
import { projectRoot, quietEnvironment } from "./environment.ts";

const reportFolder = mkdtempSync(join(tmpdir(), "treeline-test-report-"));
const reportFile = join(reportFolder, "report.json");

process.exitCode = await main(process.argv.slice(2));

async function main(runnerArguments: readonly string[]): Promise<number> {
  try {
    const exitCode = await runVitest(runnerArguments);
    const counts = countTests(readReport(), exitCode);
    process.stdout.write(`\n${formatCounts(counts)}\n`);
    return counts.failed > 0 ? 1 : 0;
  } finally {
    rmSync(reportFolder, { recursive: true, force: true });
  }
}

/** Exit code of the runner; 1 when a signal ended it. */
function runVitest(runnerArguments: readonly string[]): Promise<number> {
  const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  return new Promise((resolve, reject) => {
    const runner = spawn(process.execPath, [vitest, "run", ...reporters, ...withBeginnings(runnerArguments)], {
      cwd: projectRoot,
      env: quietEnvironment(),
      stdio: ["ignore", "inherit", "inherit"],
    });
    runner.on("error", reject);
    runner.on("exit", (code) => resolve(code ?? 1));
  });
}

/** The arguments, with a wildcard behind the name of each project: the runner knows whole names alone. */
function withBeginnings(given: readonly string[]): string[] {
  return given.map((argument, at) => (given[at - 1] === "--project" ? `${argument}*` : argument));
}

/** The runner's report, or `undefined` when it died before writing one. */
function readReport(): unknown {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8"));
  } catch (error) {
    process.stderr.write(`no report of the test run: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}
