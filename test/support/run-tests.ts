/**
 * `npm test`: every test of the project, then one plain line `N passed, N failed` (and `, N skipped`).
 *
 * Arguments go to the test runner (`npm test -- --project node tables`); `--project` takes all projects whose names begin
 * with what follows it (`workers`). Without arguments several runners go at once: tests that wait for a page or a program leave
 * the processors to those that compute. The counts come from the runners' own JSON reports; a run that failed without a failed
 * test (a file that does not load, an error outside of tests, a crash) counts as at least one failure, so that the line and the
 * exit code never disagree.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { type Counts, countTests, formatCounts, listFailures, sumCounts } from "./count-tests.ts";
import { projectRoot, quietEnvironment } from "./environment.ts";

/** Of the whole suite, what each runner takes, and how many files at once beyond the number of processors. */
const LANES: readonly { readonly projects: readonly string[]; readonly more: number }[] = [
  { projects: ["node"], more: 0 },
  { projects: ["alone", "end-to-end", "workers"], more: 0 },
  { projects: ["browser"], more: 1 },
];

const reportFolder = mkdtempSync(join(tmpdir(), "treeline-test-report-"));

process.exitCode = await main(process.argv.slice(2));

async function main(runnerArguments: readonly string[]): Promise<number> {
  try {
    const lanes = await Promise.all(runnerArguments.length > 0 ? [runAlone(runnerArguments)] : LANES.map(runLane));
    const whole = sumCounts(lanes.map(({ counts }) => counts));
    // Once more at the end: who reads a log from its end finds what failed beside the count.
    for (const failure of lanes.flatMap(({ failures }) => failures)) process.stdout.write(`\n${failure}\n`);
    process.stdout.write(`\n${formatCounts(whole)}\n`);
    return whole.failed > 0 ? 1 : 0;
  } finally {
    rmSync(reportFolder, { recursive: true, force: true });
  }
}

/** What one runner did. */
interface Lane {
  readonly counts: Counts;
  readonly failures: readonly string[];
}

async function runAlone(runnerArguments: readonly string[]): Promise<Lane> {
  const report = join(reportFolder, "report.json");
  const exitCode = await runVitest(runnerArguments, report, "inherit");
  return readLane(report, exitCode);
}

/** Its output comes in whole lines: others write at the same time. */
async function runLane({ projects, more }: (typeof LANES)[number]): Promise<Lane> {
  const report = join(reportFolder, `${projects[0]}.json`);
  const words = [...projects.flatMap((name) => ["--project", name]), `--maxWorkers=${availableParallelism() + more}`];
  const exitCode = await runVitest(words, report, "pipe");
  return readLane(report, exitCode);
}

function readLane(file: string, exitCode: number): Lane {
  const report = readReport(file);
  return { counts: countTests(report, exitCode), failures: listFailures(report) };
}

/** Exit code of the runner; 1 when a signal ended it. */
function runVitest(runnerArguments: readonly string[], report: string, output: "inherit" | "pipe"): Promise<number> {
  const vitest = join(projectRoot, "node_modules", "vitest", "vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  return new Promise((resolve, reject) => {
    const runner = spawn(process.execPath, [vitest, "run", ...reporters, ...withBeginnings(runnerArguments)], {
      cwd: projectRoot,
      env: quietEnvironment(),
      stdio: ["ignore", output, output],
    });
    for (const stream of [runner.stdout, runner.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => console.log(line));
    }
    runner.on("error", reject);
    runner.on("close", (code) => resolve(code ?? 1));
  });
}

/** The arguments, with a wildcard behind the name of each project: the runner knows whole names alone. */
function withBeginnings(given: readonly string[]): string[] {
  return given.map((argument, at) => (given[at - 1] === "--project" ? `${argument}*` : argument));
}

/** The runner's report, or `undefined` when it died before writing one. */
function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    process.stderr.write(`no report of the test run: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  }
}
