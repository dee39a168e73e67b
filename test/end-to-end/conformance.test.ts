/**
 * The conformance suite of MCP, for both revisions, against the product's endpoint in the Workers runtime.
 *
 * The suite's own rule decides: it fails on what fails without being expected, and on what is expected to fail and passes.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ConformanceServer, startConformanceServer } from "../support/conformance-server.ts";
import { projectRoot, quietEnvironment } from "../support/environment.ts";

const PACKAGE = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/package.json")));
const SUITE = join(PACKAGE, "dist/index.js");
const EXPECTED_FAILURES = join(projectRoot, "test/worker/conformance/expected-failures-2025-11-25.yml");

let dir: string;
let server: ConformanceServer;

interface SuiteRun {
  readonly code: number;
  readonly output: string;
  /** Scenarios with the numbers of their checks. */
  readonly scenarios: ReadonlyMap<string, { readonly passed: number; readonly failed: number }>;
}

function runSuite(...words: readonly string[]): Promise<SuiteRun> {
  return new Promise((resolve) => {
    const args = [SUITE, "server", "--url", server.url, "--output-dir", join(dir, "results"), ...words];
    execFile(process.execPath, args, { cwd: dir, env: quietEnvironment(), maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const output = stdout + stderr;
      const lines = [...output.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)];
      const scenarios = lines.map(
        ([, name = "", passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }] as const,
      );
      resolve({ code: error === null ? 0 : Number(error.code), output, scenarios: new Map(scenarios) });
    });
  });
}

/** Checks of the scenarios that a revision requires; the suite also runs some that it does not. */
async function countRequired({ scenarios }: SuiteRun, revision: string) {
  const { server: required } = parse(await readFile(join(PACKAGE, "requirements", `${revision}.yaml`), "utf8")) as {
    server: string[];
  };
  const counts = required.map((name) => scenarios.get(name) ?? { passed: Number.NaN, failed: Number.NaN });
  const sum = (key: "passed" | "failed"): number => counts.reduce((total, count) => total + count[key], 0);
  return { scenarios: required.length, passed: sum("passed"), failed: sum("failed") };
}

describe("the conformance suite", () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "treeline-conformance-"));
    server = await startConformanceServer();
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it("finds every requirement of MCP 2026-07-28 met", async () => {
    const run = await runSuite("--requirements", "2026-07-28");
    expect(run.code, run.output).toBe(0);
    expect(await countRequired(run, "2026-07-28")).toEqual({ scenarios: 37, passed: 115, failed: 0 });
  });

  it("finds every applicable requirement of MCP 2025-11-25 met", async () => {
    const run = await runSuite("--requirements", "2025-11-25", "--expected-failures", EXPECTED_FAILURES);
    expect(run.code, run.output).toBe(0);
    expect(await countRequired(run, "2025-11-25")).toEqual({ scenarios: 30, passed: 50, failed: 9 });
  });

  it("fails where what is expected to fail passes, and where something else fails", async () => {
    const baseline = join(dir, "baseline.yml");
    await writeFile(baseline, "server:\n  - tools-list\n");
    const passes = await runSuite("--scenario", "tools-list", "--expected-failures", baseline);
    expect(passes.code, passes.output).toBe(1);
    const fails = await runSuite("--scenario", "tools-call-sampling", "--expected-failures", baseline);
    expect(fails.code, fails.output).toBe(1);
  });
});
