/** Run dependency-cruiser with the project's rules over a tree and give back what it read and what it forbids. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { projectRoot } from "./environment.ts";
import { runProgram } from "./run-program.ts";

/** A forbidden import. */
export interface Violation {
  /** Name of the rule in `.dependency-cruiser.mjs`. */
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** What a cruise saw. */
export interface Cruise {
  /** Source files that were read, packages excluded. */
  readonly modules: readonly string[];
  readonly violations: readonly Violation[];
}

/** Cruise `folders` of `root`, which holds `.dependency-cruiser.mjs` and `tsconfig.base.json`. */
export async function cruiseImports(root: string, folders: readonly string[]): Promise<Cruise> {
  const scratch = mkdtempSync(join(tmpdir(), "treeline-imports-"));
  try {
    const report = join(scratch, "report.json");
    const cruiser = join(projectRoot, "node_modules", "dependency-cruiser", "bin", "dependency-cruise.mjs");
    const flags = ["--config", ".dependency-cruiser.mjs", "--output-type", "json", "--output-to", report];
    const { output } = await runProgram(process.execPath, [cruiser, ...flags, ...folders], root);
    return parseReport(readReport(report, output));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readReport(file: string, output: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`dependency-cruiser wrote no report: ${output}`, { cause });
  }
}

function parseReport(report: unknown): Cruise {
  const { modules, summary } = report as {
    modules: { source: string; consolidated?: boolean }[];
    summary: { violations: { from: string; to: string; rule: { name: string } }[] };
  };
  return {
    modules: modules.map(({ source }) => source).filter((source) => /^(src|indexer|test|bench)\/.*\.ts$/.test(source)),
    violations: summary.violations.map(({ from, to, rule }) => ({ rule: rule.name, from, to })),
  };
}
